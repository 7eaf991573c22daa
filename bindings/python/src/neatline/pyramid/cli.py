"""`neatline pyramid`: the steps of a pyramid as commands.

Exit status: 0 done, 1 failed (or something is wrong, for `verify`), 2 wrong arguments.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .. import __version__
from ..errors import InvalidArgumentError, InvalidStateError, NeatlineError
from .memory import keep_freed_memory
from .merge import merge
from .parts import render_shard
from .plan import FORMATS, METATILES, SIZES, Plan, plan
from .run import missing_shards, prepare_folder, render
from .targets import KINDS
from .verify import verify

_EXAMPLES = """\
examples:
  neatline pyramid plan style.json -o plan.json --bbox 9.4,46.9,9.7,47.3 --zoom 0-14
  neatline pyramid render plan.json tiles.pmtiles --workers 8
  neatline pyramid render plan.json tiles.pmtiles --dask tcp://scheduler:8786 --parts /shared/parts
  neatline pyramid shard plan.json --parts /shared/parts --index $SLURM_ARRAY_TASK_ID --of 1000
  neatline pyramid merge plan.json /shared/parts tiles.pmtiles
  neatline pyramid verify plan.json tiles.pmtiles --sample 100

docs/pyramids.md has the whole of it.
"""


class _Help(argparse.RawDescriptionHelpFormatter):
    def _get_help_string(self, action: argparse.Action) -> str:
        text = action.help or ""
        if action.default not in (None, False, argparse.SUPPRESS, []) and not text.endswith("]"):
            text += " [%(default)s]"
        return text


def _zooms(text: str) -> Tuple[int, int]:
    low, _, high = text.partition("-")
    try:
        return int(low), int(high or low)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a zoom or LOW-HIGH") from None


def _box(text: str) -> List[float]:
    try:
        numbers = [float(each) for each in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != 4:
        raise argparse.ArgumentTypeError(f"{text!r} is not WEST,SOUTH,EAST,NORTH in degrees")
    return numbers


def _pair(text: str) -> Tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _whole(low: int, high: int) -> Any:
    def read(text: str) -> int:
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if not low <= number <= high:
            raise argparse.ArgumentTypeError(f"{text!r} is not a whole number within {low}...{high}")
        return number

    return read


def parser() -> argparse.ArgumentParser:
    """The arguments of all commands."""
    top = argparse.ArgumentParser(
        prog="neatline pyramid",
        description="Pyramids of tiles: planned, drawn in shards on many machines, and put together.",
        epilog=_EXAMPLES,
        formatter_class=_Help,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"neatline {__version__}")
    commands = top.add_subparsers(dest="command", metavar="plan|render|shard|merge|verify", required=True)

    def command(name: str, summary: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, help=summary, description=summary[0].upper() + summary[1:] + ".", formatter_class=_Help,
            allow_abbrev=False,
        )  # fmt: skip

    _plan_arguments(command("plan", "say what the tiles are, count them, and cut them into shards"))
    _render_arguments(command("render", "draw all shards that are not there yet, and put them together"))
    _shard_arguments(command("shard", "draw some shards, as one of many jobs"))
    merging = command("merge", "put the parts of a folder together")
    merging.add_argument("plan", metavar="PLAN")
    merging.add_argument("parts", metavar="FOLDER", help="where the parts are, a path or an address")
    merging.add_argument("target", metavar="TARGET", help="NAME.pmtiles, .mbtiles, .tif, .zarr, or FOLDER/")
    _target_arguments(merging)
    _storage_arguments(merging)
    looking = command("verify", "look through parts or a finished pyramid, and list what is wrong")
    looking.add_argument("plan", metavar="PLAN")
    looking.add_argument("what", metavar="FOLDER|TARGET")
    looking.add_argument(
        "--kind", choices=("parts", *KINDS), help="what it is, where its name does not say so"
    )
    looking.add_argument("--decode", action="store_true", help="decode every picture")
    looking.add_argument(
        "--sample", metavar="N", type=_whole(0, 10**9), default=0, help="draw so many tiles again and compare"
    )
    looking.add_argument("--json", action="store_true", help="what was found as JSON")
    _storage_arguments(looking)
    return top


def _plan_arguments(to: argparse.ArgumentParser) -> None:
    to.add_argument("style", metavar="STYLE", help="path or address of a style")
    to.add_argument(
        "-o",
        "--output",
        metavar="PLAN",
        default="plan.json",
        help="where the plan goes, - for standard output",
    )
    to.add_argument(
        "--bbox", metavar="W,S,E,N", type=_box, help="degrees; west > east crosses the 180th meridian"
    )
    to.add_argument("--geometry", metavar="FILE", help="GeoJSON: the tiles that it touches")
    to.add_argument("--zoom", metavar="LOW-HIGH", type=_zooms, default=(0, 14), help="zooms [0-14]")
    to.add_argument("--size", type=int, choices=SIZES, default=256, help="logical pixels an edge")
    to.add_argument(
        "--ratio", metavar="N", type=float, default=1.0, help="device pixels a logical pixel, 0.5 to 4"
    )
    to.add_argument("--format", choices=FORMATS, default="png", help="of the pictures")
    to.add_argument("--quality", metavar="N", type=_whole(1, 100), help="of jpg and webp")
    to.add_argument("--small", action="store_true", help="PNG as small as it gets, slowly")
    to.add_argument(
        "--metatile", type=int, choices=METATILES, default=1, help="tiles an edge drawn as one picture"
    )
    to.add_argument(
        "--shard-size", metavar="N", type=_whole(1, 1 << 20), default=1024, help="tiles a shard at most"
    )
    to.add_argument("--skip-empty", action="store_true", help="leave out tiles of one colour")
    to.add_argument("--allow-incomplete", action="store_true", help="keep tiles that lack something")
    to.add_argument("--no-track", action="store_true", help="keep no hashes of what tiles are drawn from")
    to.add_argument(
        "--check", choices=("fast", "full", "none"), default="fast", help="how sources are compared"
    )
    to.add_argument(
        "--font", metavar="FILE", action="append", default=[], help="a font file; may be repeated"
    )
    to.add_argument("--no-system-fonts", action="store_true", help="text is drawn with --font alone")
    to.add_argument("--timeout", metavar="SECONDS", type=float, default=30.0, help="for one request")
    to.add_argument("--force", action="store_true", help="replace a plan that is there")
    to.add_argument("--name", help="of the pyramid, else the style's")
    to.add_argument("--attribution", help="else the sources' own")


def _render_arguments(to: argparse.ArgumentParser) -> None:
    to.add_argument("plan", metavar="PLAN")
    to.add_argument("target", metavar="TARGET", help="NAME.pmtiles, .mbtiles, .tif, .zarr, or FOLDER/")
    where = to.add_mutually_exclusive_group()
    where.add_argument("--workers", metavar="N", type=_whole(1, 4096), default=1, help="processes here")
    where.add_argument("--dask", metavar="ADDRESS", help="of a Dask scheduler")
    where.add_argument("--ray", metavar="ADDRESS", help="of a Ray cluster, or auto")
    to.add_argument("--parts", metavar="FOLDER", help="where parts go, else TARGET.parts")
    to.add_argument("--keep-parts", action="store_true", help="leave them there")
    to.add_argument(
        "--previous", metavar="ARCHIVE", help="an earlier pyramid: what did not change is taken over"
    )
    to.add_argument(
        "--retries", metavar="N", type=_whole(0, 100), default=2, help="attempts after a shard failed"
    )
    _target_arguments(to)
    _storage_arguments(to)


def _shard_arguments(to: argparse.ArgumentParser) -> None:
    to.add_argument("plan", metavar="PLAN")
    to.add_argument("--parts", metavar="FOLDER", required=True, help="where parts go, a path or an address")
    to.add_argument(
        "--index", metavar="N", type=_whole(0, 10**9), required=True, help="the shard; with --of, the share"
    )
    to.add_argument(
        "--of", metavar="N", type=_whole(1, 10**9), help="so many shares: every Nth shard is of one"
    )
    to.add_argument("--again", action="store_true", help="draw parts that are there too")
    to.add_argument("--threads", metavar="N", type=_whole(0, 256), default=1, help="for one picture, 0: all")
    to.add_argument(
        "--previous", metavar="ARCHIVE", help="an earlier pyramid: what did not change is taken over"
    )
    _storage_arguments(to)


def _target_arguments(to: argparse.ArgumentParser) -> None:
    to.add_argument("--kind", choices=KINDS, help="what the target is, where its name does not say so")
    to.add_argument("--force", action="store_true", help="replace a target that is there")
    to.add_argument("--plain", action="store_true", help="MBTiles without a view, one row a tile")
    to.add_argument(
        "--compression", metavar="NAME", help="of a GeoTIFF: DEFLATE, LZW, ZSTD, WEBP, JPEG, NONE"
    )


def _storage_arguments(to: argparse.ArgumentParser) -> None:
    to.add_argument(
        "--storage", metavar="NAME=VALUE", type=_pair, action="append", default=[],
        help="an option of fsspec's file system; may be repeated",
    )  # fmt: skip


def _storage(given: argparse.Namespace) -> Optional[Dict[str, Any]]:
    return dict(given.storage) or None


def _target_options(given: argparse.Namespace) -> Dict[str, Any]:
    options: Dict[str, Any] = {}
    if given.plain:
        options["plain"] = True
    if given.compression is not None:
        options["compression"] = given.compression
    return options


class _Meter:
    """How far the work is, on a terminal only."""

    def __init__(self) -> None:
        self._start = self._told = time.monotonic()
        self._first: Optional[int] = None

    def __call__(self, shards: int, tiles: int, all_shards: int, all_tiles: int) -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self._told < 0.2 and shards < all_shards:
            return
        self._told = now
        if self._first is None:
            self._first = tiles
        rate = (tiles - self._first) / max(now - self._start, 1e-3)
        done = f"{tiles:,} of {all_tiles:,} tiles, {shards:,} of {all_shards:,} shards"
        line = f"\r\x1b[K{done}, {rate:,.0f} tiles/s"
        print(line, end="\n" if shards == all_shards else "", file=sys.stderr, flush=True)


def _run_plan(given: argparse.Namespace) -> int:
    about = {"name": given.name, "attribution": given.attribution}
    geometry = None
    if given.geometry is not None:
        with open(given.geometry, encoding="utf-8") as file:
            geometry = file.read()
    made = plan(
        given.style, bounds=given.bbox, geometry=geometry, min_zoom=given.zoom[0], max_zoom=given.zoom[1],
        size=given.size, ratio=given.ratio, format=given.format, quality=given.quality, small=given.small,
        metatile=given.metatile, shard_size=given.shard_size, skip_empty=given.skip_empty,
        allow_incomplete=given.allow_incomplete, track_changes=False if given.no_track else None,
        check=given.check, fonts=given.font, system_fonts=not given.no_system_fonts, timeout=given.timeout,
        tilejson={key: value for key, value in about.items() if value is not None},
    )  # fmt: skip
    if given.output == "-":
        print(made.to_json())
        return 0
    if not given.force and os.path.lexists(given.output):
        raise InvalidStateError(f"{given.output} is there already: overwrite=True replaces it")
    made.save(given.output)
    print(f"{given.output}: {made.tiles:,} tiles in {made.shards:,} shards, plan {made.id}")
    return 0


def _run_render(given: argparse.Namespace) -> int:
    made = Plan.load(given.plan)
    settings: Dict[str, Any] = dict(
        folder=given.parts, previous=given.previous, kind=given.kind, overwrite=given.force,
        keep_parts=given.keep_parts, retries=given.retries, storage_options=_storage(given),
        progress=_Meter(), **_target_options(given),
    )  # fmt: skip
    if given.dask is not None:
        try:
            from dask.distributed import Client
        except ImportError:
            raise ImportError("--dask needs Dask: pip install neatline[dask]") from None
        with Client(given.dask) as client:
            summary = render(made, given.target, client, **settings)
    elif given.ray is not None:
        from .executors import RayExecutor

        executor = RayExecutor()
        import ray

        if not ray.is_initialized():
            ray.init(address=given.ray)
        summary = render(made, given.target, executor, **settings)
    elif given.workers > 1:
        import multiprocessing
        from concurrent.futures import ProcessPoolExecutor

        # Started anew rather than forked: nothing of this process is under way in them.
        with ProcessPoolExecutor(given.workers, mp_context=multiprocessing.get_context("spawn")) as pool:
            summary = render(made, given.target, pool, **settings)
    else:
        summary = render(made, given.target, **settings)
    _tell(summary)
    return 0


def _tell(summary: Any) -> None:
    parts = [f"{summary.tiles:,} tiles"]
    for name, words in (
        ("empty", "left out as of one colour"), ("reused", "taken over"), ("incomplete", "not complete"),
        ("repaired", "parts drawn again"),
    ):  # fmt: skip
        if getattr(summary, name):
            parts.append(f"{getattr(summary, name):,} {words}")
    print(f"{summary.target}: {', '.join(parts)}")


def _run_shard(given: argparse.Namespace) -> int:
    made, storage = Plan.load(given.plan), _storage(given)
    if given.of is None:
        numbers = [made.shard(given.index).index]
    elif given.index >= given.of:
        raise _Usage(f"--index {given.index} is not within 0 to {given.of - 1}, as --of says")
    else:
        numbers = list(range(given.index, made.shards, given.of))
    prepare_folder(made, given.parts, storage)
    if not given.again:
        lacking = set(missing_shards(made, given.parts, storage))
        there = len(numbers)
        numbers = [each for each in numbers if each in lacking]
        if there > len(numbers):
            print(f"{there - len(numbers):,} parts are there already")
    for number in numbers:
        record = render_shard(
            made, number, given.parts, threads=given.threads, previous=given.previous, storage_options=storage
        )
        print(f"shard {number}: {record.tiles:,} tiles in {record.seconds:.1f} s", flush=True)
    return 0


def _run_merge(given: argparse.Namespace) -> int:
    summary = merge(
        Plan.load(given.plan), given.parts, given.target, kind=given.kind, overwrite=given.force,
        storage_options=_storage(given), progress=_Meter(), **_target_options(given),
    )  # fmt: skip
    _tell(summary)
    return 0


def _run_verify(given: argparse.Namespace) -> int:
    found = verify(
        Plan.load(given.plan), given.what, kind=given.kind, decode=given.decode, sample=given.sample,
        storage_options=_storage(given),
    )  # fmt: skip
    if given.json:
        faults = [each._asdict() for each in found.faults]
        print(json.dumps({**found._asdict(), "faults": faults, "ok": found.ok}, indent=1))
    else:
        for fault in found.faults:
            print(f"error: {fault}", file=sys.stderr)
        if found.omitted:
            print(f"error: and {found.omitted:,} more", file=sys.stderr)
        words = "nothing is wrong" if found.ok else f"{len(found.faults) + found.omitted:,} faults"
        print(f"{given.what}: {found.tiles:,} tiles, {found.redrawn:,} drawn again, {words}")
    return 0 if found.ok else 1


class _Usage(Exception):
    """Arguments that do not fit."""


_RUN = {
    "plan": _run_plan,
    "render": _run_render,
    "shard": _run_shard,
    "merge": _run_merge,
    "verify": _run_verify,
}


def _joined(arguments: Sequence[str]) -> List[str]:
    """`--bbox -10,…` as `--bbox=-10,…`: argparse takes the numbers for an option."""
    result: List[str] = []
    for each in arguments:
        if result and result[-1] == "--bbox" and each[:1] == "-" and each[1:2].isdigit():
            result[-1] += "=" + each
        else:
            result.append(each)
    return result


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs a command and returns the exit status."""
    given = parser().parse_args(_joined(sys.argv[1:] if arguments is None else arguments))
    if given.command in ("render", "shard"):
        keep_freed_memory()
    try:
        return _RUN[given.command](given)
    except _Usage as error:
        return _failed(error, 2)
    except InvalidArgumentError as error:
        # What a plan's file holds is not an argument.
        return _failed(error, 2 if given.command == "plan" or "shard " in str(error) else 1)
    except (NeatlineError, ImportError, OSError) as error:
        return _failed(error, 1)
    except KeyboardInterrupt:
        return _failed("interrupted; the parts that are done stay", 130)


def _failed(error: Any, status: int) -> int:
    print("error:", str(error).replace("overwrite=True", "--force"), file=sys.stderr)
    return status


def console() -> None:
    """The program `neatline-pyramid`."""
    # A reader that went away is no failure of ours to print.
    try:
        status = main()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    sys.exit(status)


__all__ = ["console", "main", "parser"]

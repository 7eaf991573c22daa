"""`neatline tile`, as far as it is Python's: the options of the program's own, workers and a folder.

Exit status: 0 done, 1 failed, 2 wrong arguments.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any, Dict, List, Optional, Sequence, Tuple

from ..errors import InvalidStateError, NeatlineError
from .plan import AnyInput
from .run import Report, tile

CHOICES = ("densest", "fraction", "smallest")
_NOTES = """\
INPUT is GeoJSON (one document or one a line, plain or gzip), GeoParquet, a folder of it, or what GDAL reads:
FlatGeobuf, GeoPackage, shapefiles. docs/vector-tiles.md has the whole of it.

example:
  neatline tile roads.parquet towns.fgb map.pmtiles --zoom 0-12 --workers 8
"""


class _Usage(Exception):
    """Arguments that do not fit."""


class _Once(argparse.Action):
    """An option that is given once at most."""

    def __call__(self, parser: Any, given: Any, value: Any, option: Optional[str] = None) -> None:
        if getattr(given, self.dest, None) is not None:
            parser.error(f"{option} is given twice")
        setattr(given, self.dest, value)


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


def _zooms(text: str) -> Tuple[int, int]:
    low, _, high = text.partition("-")
    try:
        zooms = (int(low), int(high or low))
    except ValueError:
        zooms = (1, 0)
    if not 0 <= zooms[0] <= zooms[1] <= 30 or text.endswith("-"):
        raise argparse.ArgumentTypeError(f"{text!r} is neither Z nor MIN-MAX within 0 to 30")
    return zooms


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    top = argparse.ArgumentParser(
        prog="neatline tile",
        usage="neatline tile INPUT... OUT.pmtiles|OUT.mbtiles [options]",
        description="Features to vector tiles.",
        epilog=_NOTES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    top.add_argument("files", metavar="INPUT", nargs="*", help="and OUT, the last")

    def value(name: str, metavar: str, help: str, type: Any = str, **more: Any) -> None:
        if more.get("action") is None:
            more["action"] = _Once
        names = [name, "-o"] if name == "--output" else [name]
        top.add_argument(*names, metavar=metavar, help=help, type=type, **more)

    def flag(name: str, help: str) -> None:
        top.add_argument(name, action="store_true", help=help)

    many: Dict[str, Any] = dict(action="append", default=[])
    value("--zoom", "MIN-MAX", "or one zoom, at most 24 [0-14]", _zooms)
    value("--layer", "NAME", "of the layers, in the order of the files [the files' names]", **many)
    value("--buffer", "UNITS", "how far geometry reaches past the edges of its tile [64]", float)
    value("--tolerance", "UNITS", "of simplification; 0 keeps every point [3]", float)
    value("--extent", "UNITS", "that make an edge [4096]", _whole(1, 65536))
    flag("--generate-id", "number the features of each file")
    value("--promote-id", "NAME", "the property that becomes the id")
    flag("--line-metrics", "for line-gradient")
    value("--include", "NAME", "a property that tiles have, and no others; may be repeated", **many)
    value("--exclude", "NAME", "a property that tiles lack; may be repeated", **many)
    flag("--exclude-all", "no properties")
    value("--filter", "[LAYER=]JSON", "a filter of the style specification; may be repeated", **many)
    value("--drop-rate", "N", "each zoom has one of N points of the next deeper one, 1 to 16 [1]", float)
    value("--base-zoom", "Z", "from here on all points are there [the deepest]", _whole(0, 30))
    value("--drop", "|".join(CHOICES), "leave out features of zooms past the limits", choices=CHOICES)
    value("--coalesce", "|".join(CHOICES), "give their geometry to others instead", choices=CHOICES)
    value("--max-tile-bytes", "N", "limit of a packed tile [500000]", _whole(1024, 1 << 30))
    value("--max-tile-features", "N", "limit of a tile [200000]", _whole(1, 1 << 30))
    value(
        "--memory", "MB", "of cut features, a process, before they go to the disk [256]", _whole(1, 1 << 20)
    )
    value("--threads", "N", "of a process [one a processor; 1 with --workers]", _whole(1, 256))
    value("--workers", "N", "processes that share the work [1]", _whole(1, 4096))
    value("--folder", "FOLDER", "where their runs and parts go, which are not made again [OUT.parts]")
    value("--name", "TEXT", "of the archive")
    value("--attribution", "TEXT", "whom the data is owed to")
    value("--description", "TEXT", "of the archive")
    value("--output", "OUT", "in the place of the last argument")
    flag("--force", "replace OUT where it is there already")
    value("--format", "pmtiles|mbtiles", "of OUT [by its name]", choices=("pmtiles", "mbtiles"))
    flag("--plain", "MBTiles with one row a tile, for readers that know no views")
    value("--max-tiles", "N", "rows of MBTiles, or entries of PMTiles [16777216]", _whole(1, 1 << 40))
    flag("--restart", "begin anew, also where runs and parts are there")
    flag("--json", "report as JSON")
    return top


def _filters(texts: Sequence[str], layers: Sequence[str]) -> Dict[str, Any]:
    """By layer: `LAYER=JSON`, or JSON for all layers."""
    filters: Dict[str, Any] = {}
    for text in texts:
        is_for_all = text.startswith("[")
        layer, sign, spec = ("", "=", text) if is_for_all else text.partition("=")
        try:
            wanted = json.loads(spec)
        except (ValueError, RecursionError):
            sign = ""
        if not sign:
            raise _Usage(f'--filter: "{text}" is neither JSON nor LAYER=JSON')
        for name in layers if is_for_all else [layer]:
            if name in filters:
                raise _Usage(f'--filter: layer "{name}" has two')
            filters[name] = wanted
    return filters


class _Meter:
    """How far the work is, on a terminal only."""

    _words = {"cut": "pieces cut", "measure": "ranges measured", "merge": "parts put together"}

    def __init__(self) -> None:
        self._told = 0.0
        self.is_open = False

    def __call__(self, step: str, done: int, total: int) -> None:
        now = time.monotonic()
        if not sys.stderr.isatty() or now - self._told < 0.2 and done < total:
            return
        self._told = now
        words = self._words.get(step, "ranges written" if total else "tiles")
        all_of_them = f" of {total:,}" if total else ""
        print(f"\r\x1b[K{done:,}{all_of_them} {words}", end="", file=sys.stderr, flush=True)
        self.is_open = True

    def end(self) -> None:
        """Leaves the line."""
        if self.is_open:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        self.is_open = False


def _inputs(given: argparse.Namespace) -> Tuple[List[AnyInput], str]:
    """The inputs with their layers, and the target."""
    files = list(given.files)
    output = given.output
    if output is None and len(files) > 1:
        output = files.pop()
    if output is None or not files:
        raise _Usage("INPUT or OUT is missing")
    if len(given.layer) > len(files):
        raise _Usage("--layer: more names than files")
    named = [(name, file) for name, file in zip(given.layer, files)]
    return [*named, *files[len(named) :]], output


def _options(given: argparse.Namespace) -> Dict[str, Any]:
    if sum(map(bool, (given.include, given.exclude, given.exclude_all))) > 1:
        raise _Usage("one of --include, --exclude and --exclude-all only")
    if given.drop is not None and given.coalesce is not None:
        raise _Usage("either --drop or --coalesce, not both")
    about = {name: getattr(given, name) for name in ("name", "attribution", "description")}
    zooms = given.zoom or (0, 14)
    return dict(
        min_zoom=zooms[0],
        max_zoom=zooms[1],
        buffer=given.buffer,
        tolerance=given.tolerance,
        extent=given.extent,
        line_metrics=given.line_metrics or None,
        generate_id=given.generate_id or None,
        promote_id=given.promote_id,
        include=given.include or ([] if given.exclude_all else None),
        exclude=given.exclude or None,
        drop_rate=given.drop_rate,
        base_zoom=given.base_zoom,
        drop=given.drop,
        coalesce=given.coalesce,
        max_tile_bytes=given.max_tile_bytes,
        max_tile_features=given.max_tile_features,
        max_tiles=given.max_tiles,
        memory=None if given.memory is None else given.memory << 20,
        threads=given.threads,
        workers=given.workers,
        folder=given.folder,
        restart=given.restart,
        archive=given.format,
        plain=given.plain,
        overwrite=given.force,
        metadata={name: text for name, text in about.items() if text is not None},
    )


def report_members(report: Report) -> Dict[str, Any]:
    """The report by the names that the program has for it, and what only this one knows."""
    return {
        "tiles": report.tiles,
        "contents": report.contents,
        "bytes": report.bytes,
        "largestTileBytes": report.largest_tile_bytes,
        "features": report.features,
        "droppedFeatures": report.dropped,
        "coalescedFeatures": report.coalesced,
        "oversizedTiles": report.oversized,
        "runs": report.runs,
        "runsMade": report.cut,
        "parts": report.parts,
        "partsMade": report.written,
        "repaired": report.repaired,
        "notes": report.notes,
    }


def _size(count: int) -> str:
    if count < 1 << 20:
        return f"{(count + 1023) >> 10} KiB"
    return f"{count >> 20}.{(count & 0xFFFFF) * 10 >> 20} MiB"


def _warn(text: str) -> None:
    print("warning:", text, file=sys.stderr)


def _tell(report: Report, options: Dict[str, Any]) -> None:
    print(f"{report.tiles} tiles, {report.contents} contents, {_size(report.bytes)}")
    if report.dropped:
        print(f"{report.dropped} pieces of features were dropped")
    if report.coalesced:
        print(f"{report.coalesced} pieces of features were coalesced with others")
    there = report.runs - report.cut + report.parts - report.written
    if there:
        print(f"{there} runs and parts were there already")
    if report.repaired:
        _warn(f"{report.repaired} runs and parts were damaged and made again")
    for each in report.notes:
        count = f"{each['count']:,} values of it" if each["count"] else "left out"
        _warn(f'{each["address"]}: column "{each["column"]}": {each["reason"]} ({count})')
    if report.oversized:
        limits = (
            f"{options['max_tile_bytes'] or 500_000} bytes or "
            f"{options['max_tile_features'] or 200_000} features"
        )
        is_thinned = options["drop"] is not None or options["coalesce"] is not None
        help = "they could not be made smaller" if is_thinned else "--drop or --coalesce makes them smaller"
        _warn(
            f"{report.oversized} tiles have more than {limits}, the largest {report.largest_tile_bytes} "
            f"bytes; {help}"
        )


def _run(given: argparse.Namespace, meter: _Meter) -> None:
    inputs, output = _inputs(given)
    options = _options(given)
    filters = None
    if given.filter:
        # Names of layers may be known only when the files are looked into.
        from .plan import layers_of

        filters = _filters(given.filter, layers_of(inputs))
    report = tile(inputs, output, filters=filters, progress=meter, **options)
    meter.end()
    if given.json:
        print(json.dumps(report_members(report), ensure_ascii=False))
    else:
        _tell(report, options)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Runs the command and returns the exit status."""
    given = parser().parse_intermixed_args(arguments)
    meter = _Meter()
    try:
        _run(given, meter)
        return 0
    except _Usage as error:
        print("error:", error, file=sys.stderr)
        return 2
    except (NeatlineError, ImportError, OSError, RuntimeError) as error:
        meter.end()
        text = str(error)
        if isinstance(error, InvalidStateError):
            text = text.replace("overwrite=True", "--force")
        if given.json:
            print(json.dumps({"status": _status(error), "message": text}, ensure_ascii=False))
        print("error:", text, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        meter.end()
        print("error: interrupted; what is done in a folder stays", file=sys.stderr)
        return 130


def _status(error: BaseException) -> str:
    """The name of what went wrong, as the program says it."""
    if isinstance(error, NeatlineError):
        first, *others = error.status.name.lower().split("_")
        return first + "".join(each.capitalize() for each in others)
    return "io"


__all__ = ["main", "parser"]

"""Parts put together. Shards are runs of the curve, so their tiles one part after the other are those of a
run that drew all of them in turn, and so is the archive, byte for byte."""

from __future__ import annotations

import os
import time
from typing import Any, BinaryIO, Callable, Dict, NamedTuple, Optional, Union

from .._values import instance, is_callable, path_str
from ..errors import NeatlineError
from .errors import PartError
from .parts import Part, open_folder
from .plan import Plan
from .previous import inputs_head, inputs_name
from .shards import Shard
from .store import Failure, Folder, absolute, is_remote, remove_quietly, temporary_name
from .targets import kind_of, open_target

# Seconds between two checkpoints of a target.
CHECKPOINT_SECONDS = 10.0
# Times that a part is drawn again before its shard counts as failed.
REPAIRS = 2

# Told of the shards and tiles done, and of those in all; False ends the work.
Progress = Callable[[int, int, int, int], Optional[bool]]


class Summary(NamedTuple):
    """What was made. tiles: of the target; empty: left out; reused: taken over from an earlier pyramid;
    incomplete: tiles that lack something; repaired: parts that were drawn again; seconds: of drawing, on all
    workers together, and of merging."""

    target: str
    tiles: int
    empty: int
    reused: int
    uniform: int
    incomplete: int
    repaired: int
    shards: int
    draw_seconds: float
    merge_seconds: float


def merge(
    plan: Plan,
    folder: Union[str, "os.PathLike[str]", Folder],
    target: Union[str, "os.PathLike[str]"],
    *,
    kind: Optional[str] = None,
    overwrite: bool = False,
    storage_options: Optional[Dict[str, Any]] = None,
    progress: Optional[Progress] = None,
    repair: Optional[Callable[[Shard], Any]] = None,
    **options: Any,
) -> Summary:
    """Puts the parts of a folder together. Every part's checksum is compared, and every tile looked at.

    target: a path or fsspec's address, which ends in .pmtiles, .mbtiles, .tif (a GeoTIFF), .zarr or / (a
    folder of files), unless kind says what it is. overwrite: one that is there is replaced. options: plain
    of MBTiles, compression of a GeoTIFF. repair: draws a part again that is missing or damaged; without it
    these raise PartError. An interrupted local archive is continued by the same call.
    """
    address, store = path_str(target, "target"), open_folder(folder, storage_options)
    shards = instance(plan, Plan, "plan").all_shards()
    for each, name in ((progress, "progress"), (repair, "repair")):
        if each is not None:
            is_callable(each, name)
    start = time.perf_counter()
    totals = {"tiles": 0, "empty": 0, "reused": 0, "uniform": 0, "incomplete": 0, "repaired": 0}
    drawing, done = 0.0, 0
    out = open_target(plan, address, kind, overwrite=overwrite, storage_options=storage_options, **options)
    inputs = _InputsFile(plan, address) if plan.track_changes and _is_local_archive(address, kind) else None
    try:
        saved = time.monotonic()
        for shard in shards:
            part, tries = _read(plan, store, shard, out, repair)
            totals["repaired"] += tries
            record = part.record
            for name in ("tiles", "empty", "reused", "uniform", "incomplete"):
                totals[name] += getattr(record, name)
            drawing += record.seconds
            if inputs is not None:
                inputs.add(part.inputs)
            done += shard.tiles
            if time.monotonic() - saved > CHECKPOINT_SECONDS:
                out.checkpoint(shard.index + 1)
                saved = time.monotonic()
            if progress is not None and progress(shard.index + 1, done, len(shards), plan.tiles) is False:
                out.checkpoint(shard.index + 1)
                raise CancelledByCaller("the merge was called off")
        out.finish()
        if inputs is not None:
            inputs.finish()
    except BaseException:
        out.abort()
        if inputs is not None:
            inputs.abort()
        raise
    return Summary(
        target=address,
        shards=len(shards),
        draw_seconds=drawing,
        merge_seconds=time.perf_counter() - start,
        **totals,
    )


def _read(plan: Plan, store: Folder, shard: Shard, out: Any, repair: Any) -> Any:
    """A part whose tiles went into the target, after having been drawn again as often as needed."""
    tries = 0
    while True:
        try:
            part = Part(plan, store, shard)
            part.check_inputs()
            # All of them before the first is taken: a part that turns out to be wrong leaves nothing behind.
            tiles = list(part.tiles()) if shard.index >= out.first_shard else []
            break
        except PartError:
            if repair is None or tries >= REPAIRS:
                raise
            tries += 1
            repair(shard)
    for z, x, y, data in tiles:
        out.add(z, x, y, data)
    return part, tries


class CancelledByCaller(NeatlineError):
    """`progress` returned False."""


def _is_local_archive(address: str, kind: Optional[str]) -> bool:
    return not is_remote(address) and kind_of(address, kind) in ("pmtiles", "mbtiles")


class _InputsFile:
    """The hashes of all blocks, beside an archive."""

    def __init__(self, plan: Plan, address: str) -> None:
        self._path = inputs_name(absolute(address))
        folder, name = os.path.split(self._path)
        self._place = os.path.join(folder, temporary_name(name))
        with Failure(self._path):
            self._file: BinaryIO = open(self._place, "wb")  # noqa: SIM115  closed by finish or abort
            self._file.write(inputs_head(plan))

    def add(self, rows: bytes) -> None:
        """The hashes of the next shard."""
        with Failure(self._path):
            self._file.write(rows)

    def finish(self) -> None:
        """Gives the file its name."""
        with Failure(self._path):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self._place, self._path)

    def abort(self) -> None:
        """Leaves the file that was there."""
        self._file.close()
        remove_quietly(self._place)

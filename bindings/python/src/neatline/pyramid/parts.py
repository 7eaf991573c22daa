"""Parts: what a worker makes of a shard.

A part is three files in the folder of a pyramid's parts, under the shard's own number:
`part-000012.pmtiles`, an archive of its tiles (none where all were left out), `part-000012.inputs` with the
hashes of what its blocks were drawn from (where the plan tracks changes), and `part-000012.json`, its
record. The record is written last and holds sizes and checksums of the other two: a part without a record, or
with one that does not fit, is no part, and is drawn again.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from .._library import version
from .._values import instance, path_str
from ..archive import Archive, ArchiveWriter
from ..errors import ArchiveError, FileError, NotFoundError
from .draw import Report, painter_of
from .errors import PartError
from .memory import process_name
from .pictures import fault_of
from .plan import Plan
from .previous import Previous
from .shards import Shard, blocks_of
from .store import Folder, remove_quietly, temporary_name

RECORD_FORMAT = 1
RECORD_LIMIT = 1 << 20
INPUT_ROW = 24


class Record(NamedTuple):
    """What is known of a part. tiles: in its archive; empty: left out; uniform: of one colour; reused: taken
    from an earlier pyramid; bytes, sha256: of the archive (0 and "" without one); incomplete: tiles that lack
    something; missing: what, samples of it."""

    shard: int
    tiles: int
    empty: int
    uniform: int
    reused: int
    bytes: int
    sha256: str
    inputs_bytes: int
    inputs_sha256: str
    incomplete: int
    missing: List[str]
    seconds: float
    worker: str

    def to_json(self, plan: Plan) -> bytes:
        """The record's file."""
        members = {"neatline-part": RECORD_FORMAT, "plan": plan.id, "library": version(), **self._asdict()}
        return json.dumps(members, indent=1).encode() + b"\n"


def part_name(shard: int, ending: str) -> str:
    """A file of a part."""
    return f"part-{shard:06d}.{ending}"


def open_folder(
    folder: Union[str, "os.PathLike[str]", Folder], options: Optional[Dict[str, Any]] = None
) -> Folder:
    """A folder of parts by path or address."""
    return folder if isinstance(folder, Folder) else Folder(path_str(folder, "folder"), options)


def render_shard(
    plan: Plan,
    shard: Union[int, Shard],
    folder: Union[str, "os.PathLike[str]", Folder],
    *,
    threads: int = 1,
    cache_bytes: int = 0,
    previous: Optional[str] = None,
    storage_options: Optional[Dict[str, Any]] = None,
) -> Record:
    """Draws a shard into its part, which appears when it is whole; one that is there is replaced.

    folder: a path or fsspec's address, with its storage_options. threads: for one picture, 0 for one per
    processor. cache_bytes: what decoded tiles and layouts may take, 0 for 256 MiB. previous: an earlier
    pyramid, whose tiles are taken over where what they are drawn from did not change.

    Raises ChangedError, IncompleteError, FileError and others below NeatlineError; nothing is left then.
    """
    instance(plan, Plan, "plan")
    run = shard if isinstance(shard, Shard) else plan.shard(shard)
    store = open_folder(folder, storage_options)
    store.make()
    painter = painter_of(plan, threads, cache_bytes)
    earlier = Previous.open(previous, plan) if previous is not None else None
    start, report = time.perf_counter(), Report()
    workspace = store.path("") if store.is_local else tempfile.gettempdir()
    place = os.path.join(workspace, temporary_name(part_name(run.index, "pmtiles")))
    counts = {"tiles": 0, "empty": 0, "uniform": 0, "reused": 0}
    rows: List[bytes] = []
    writer: Optional[ArchiveWriter] = None
    try:
        for block in blocks_of(plan.area, run, plan.min_zoom, plan.max_zoom, plan.metatile):
            mark = painter.inputs.of_block(block) if painter.inputs is not None else None
            if mark is not None:
                rows.append(block.first.to_bytes(8, "little") + mark)
            kept = earlier.tiles(block, mark) if earlier is not None and mark is not None else None
            if kept is not None:
                counts["reused"] += len(block.tiles)
            for tile in kept if kept is not None else painter.draw(block, report):
                counts["uniform"] += tile.is_uniform
                if tile.data is None:
                    counts["empty"] += 1
                    continue
                if writer is None:
                    writer = ArchiveWriter(
                        place,
                        archive="pmtiles",
                        format=plan.format,
                        max_tiles=max(run.tiles, 1),
                        overwrite=True,
                    )
                counts["tiles"] += 1
                writer.add(tile.z, tile.x, tile.y, tile.data)
        if counts["tiles"] + counts["empty"] != run.tiles:
            raise PartError(f"shard {run.index} has {run.tiles} tiles, and {counts} were made", run.index)
        size, digest = 0, ""
        if writer is not None:
            writer.finish({"name": f"shard {run.index}", "format": plan.format})
            writer.close()
            size, digest = _checksum(place)
            store.take(place, part_name(run.index, "pmtiles"))
            place = ""
        else:
            store.remove(part_name(run.index, "pmtiles"))
        inputs = b"".join(rows)
        if rows:
            store.write(part_name(run.index, "inputs"), inputs)
        record = Record(
            shard=run.index,
            bytes=size,
            sha256=digest,
            inputs_bytes=len(inputs),
            inputs_sha256=hashlib.sha256(inputs).hexdigest() if rows else "",
            incomplete=report.incomplete,
            missing=report.samples,
            seconds=round(time.perf_counter() - start, 6),
            worker=process_name(),
            **counts,
        )
        store.write(part_name(run.index, "json"), record.to_json(plan))
        return record
    finally:
        if writer is not None:
            writer.close()
        if place and writer is not None:
            for ending in ("", ".partial", ".partial.journal", ".partial.sorted"):
                remove_quietly(place + ending)


def _checksum(path: str) -> Tuple[int, str]:
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    return size, digest.hexdigest()


def read_record(plan: Plan, store: Folder, shard: Shard) -> Optional[Record]:
    """The record of a part; None where there is none. Raises PartError where it is not this shard's."""

    def refuse(why: str) -> PartError:
        return PartError(f"{store.path(part_name(shard.index, 'json'))}: {why}", shard.index)

    try:
        text = store.read(part_name(shard.index, "json"))
    except NotFoundError:
        return None
    try:
        if len(text) > RECORD_LIMIT:
            raise refuse(f"a record of {len(text):,} bytes")
        members = json.loads(text)
        kind, made_for, library = members.pop("neatline-part"), members.pop("plan"), members.pop("library")
        record = Record(**members)
        numbers = (
            record.tiles,
            record.empty,
            record.uniform,
            record.reused,
            record.bytes,
            record.inputs_bytes,
        )
        if not all(type(each) is int and each >= 0 for each in (record.shard, record.incomplete, *numbers)):
            raise refuse("numbers that are none")
        if not isinstance(record.sha256, str) or not isinstance(record.inputs_sha256, str):
            raise refuse("checksums that are none")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise refuse("not a record") from None
    if kind != RECORD_FORMAT:
        raise refuse(f"a record of format {kind!r}")
    if made_for != plan.id:
        raise refuse("of another plan")
    if library != plan.library:
        raise refuse(f"made with version {library} of the library, the plan with {plan.library}")
    if record.shard != shard.index:
        raise refuse(f"of shard {record.shard}")
    if record.tiles + record.empty != shard.tiles or record.empty and not plan.skip_empty:
        raise refuse(f"{record.tiles} tiles and {record.empty} left out, the shard has {shard.tiles}")
    if record.tiles == 0 and (record.bytes or record.sha256) or record.tiles and not record.bytes:
        raise refuse(f"{record.tiles} tiles in {record.bytes} bytes")
    if plan.track_changes and not record.inputs_bytes:
        raise refuse("no hashes of what its tiles are drawn from")
    return record


def is_there(plan: Plan, store: Folder, shard: Shard, sizes: Optional[Dict[str, int]] = None) -> bool:
    """Whether a part looks whole, without reading its tiles. sizes: of the folder's files, where known."""
    try:
        record = read_record(plan, store, shard)
    except PartError:
        return False
    if record is None:
        return False
    for ending, wanted in (("pmtiles", record.bytes), ("inputs", record.inputs_bytes)):
        name = part_name(shard.index, ending)
        if wanted and (sizes.get(name) if sizes is not None else store.size(name)) != wanted:
            return False
    return True


class Part:
    """A part that was read and looked through: its bytes have their checksum, and it holds the tiles of its
    shard and no others."""

    def __init__(self, plan: Plan, store: Folder, shard: Shard) -> None:
        self._plan, self._shard = plan, shard
        record = read_record(plan, store, shard)
        if record is None:
            raise PartError(f"{store.path(part_name(shard.index, 'json'))} is not there", shard.index)
        self.record = record
        self._archive: Optional[Archive] = None
        if record.tiles:
            data = self._bytes(store, "pmtiles", record.bytes, record.sha256)
            try:
                self._archive = Archive(data)
                held = self._archive.info["header"]["addressedTiles"]
            except (ArchiveError, KeyError) as error:
                raise self._refuse("pmtiles", str(error)) from None
            if held != record.tiles:
                raise self._refuse("pmtiles", f"holds {held} tiles, its record says {record.tiles}")
        self._blocks = list(blocks_of(plan.area, shard, plan.min_zoom, plan.max_zoom, plan.metatile))
        self.inputs = b""
        if plan.track_changes:
            self.inputs = self._bytes(store, "inputs", record.inputs_bytes, record.inputs_sha256)
            if len(self.inputs) % INPUT_ROW:
                raise self._refuse("inputs", "is cut off")

    def _refuse(self, ending: str, why: str) -> PartError:
        return PartError(f"{part_name(self._shard.index, ending)}: {why}", self._shard.index)

    def _bytes(self, store: Folder, ending: str, size: int, sha256: str) -> bytes:
        try:
            data = store.read(part_name(self._shard.index, ending))
        except (NotFoundError, FileError) as error:
            raise self._refuse(ending, str(error)) from None
        if len(data) != size:
            raise self._refuse(ending, f"has {len(data):,} bytes, its record says {size:,}")
        if hashlib.sha256(data).hexdigest() != sha256:
            raise self._refuse(ending, "its checksum is not that of its record")
        return data

    def tiles(self) -> Iterator[Tuple[int, int, int, bytes]]:
        """The tiles in the order of the curve. Raises PartError for one that is missing or not a picture of
        the plan's size and format."""
        plan, left_out, found = self._plan, 0, 0
        for block in self._blocks:
            for x, y in block.tiles:
                data = self._archive.tile(block.z, x, y) if self._archive is not None else None
                if data is None:
                    left_out += 1
                    if left_out > self.record.empty:
                        raise self._refuse("pmtiles", f"tile {block.z}/{x}/{y} is missing")
                    continue
                fault = fault_of(data, plan.format, plan.pixels)
                if fault:
                    raise self._refuse("pmtiles", f"tile {block.z}/{x}/{y}: {fault}")
                found += 1
                yield block.z, x, y, data
        if found != self.record.tiles:
            raise self._refuse(
                "pmtiles", f"holds {found} of the shard's tiles, its record says {self.record.tiles}"
            )

    def check_inputs(self) -> None:
        """Whether the hashes are those of the shard's blocks. Raises PartError."""
        rows = [self.inputs[at : at + 8] for at in range(0, len(self.inputs), INPUT_ROW)]
        wanted = [each.first.to_bytes(8, "little") for each in self._blocks]
        if self._plan.track_changes and rows != wanted:
            raise self._refuse("inputs", "is not of the shard's tiles")

"""Looking through what was made: parts, or a finished pyramid."""

from __future__ import annotations

import contextlib
import json
import os
import random
import tempfile
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple, Union

from .._values import instance, path_str
from ..archive import Archive
from ..errors import ArchiveError, FileError, ImageError, NeatlineError, NotFoundError
from ..image import decode_image
from .addresses import local_path
from .draw import Report, painter_of
from .errors import PartError
from .parts import Part
from .pictures import fault_of
from .plan import Plan
from .shards import Block, Shard, blocks_of
from .store import Failure, Folder, is_remote, open_remote
from .targets import kind_of
from .targets.archive import archive_about

FAULT_LIMIT = 1000


class Fault(NamedTuple):
    """Something that is wrong. kind: "part", "plan", "tile" or "file"; shard, tile: where."""

    kind: str
    message: str
    shard: Optional[int] = None
    tile: Optional[Tuple[int, int, int]] = None

    def __str__(self) -> str:
        return self.message


class Verification(NamedTuple):
    """What was found. tiles: looked at; absent: left out as of one colour; redrawn: drawn again and compared;
    faults: at most 1000 of them; omitted: how many more."""

    tiles: int
    absent: int
    redrawn: int
    faults: List[Fault]
    omitted: int

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


class _Findings:
    def __init__(self) -> None:
        self.tiles = self.absent = self.redrawn = self.omitted = 0
        self.faults: List[Fault] = []

    def add(self, fault: Fault) -> None:
        if len(self.faults) < FAULT_LIMIT:
            self.faults.append(fault)
        else:
            self.omitted += 1

    def result(self) -> Verification:
        return Verification(self.tiles, self.absent, self.redrawn, self.faults, self.omitted)


def verify(
    plan: Plan,
    what: Union[str, "os.PathLike[str]"],
    *,
    kind: Optional[str] = None,
    decode: bool = False,
    sample: int = 0,
    threads: int = 1,
    storage_options: Optional[Dict[str, Any]] = None,
) -> Verification:
    """Looks through a folder of parts or a finished pyramid, and lists what is wrong.

    Parts: records, checksums, which tiles there are, and each picture's format and size. Archives and folders
    of files: that they are of the plan, which tiles there are, and each picture's format and size; GeoTIFF
    and Zarr: that they are of the plan, and their dimensions. decode: every picture is decoded. sample: so
    many tiles, chosen by the plan, are drawn again and compared with what is there, byte by byte (pixel by
    pixel in rasters): so a worker is found that drew what it should not have.
    """
    instance(plan, Plan, "plan")
    address, findings = path_str(what, "what"), _Findings()
    chosen = _chosen(plan, sample)
    if kind == "parts" or kind is None and is_parts(address, storage_options):
        store = Folder(address, storage_options)
        for shard in plan.all_shards():
            _look_at_part(plan, store, shard, decode, chosen, threads, findings)
        return findings.result()
    found = kind_of(address, kind)
    if found in ("pmtiles", "mbtiles", "cog"):
        with _local(address, storage_options) as path:
            if found == "cog":
                _look_at_cog(plan, path, chosen, threads, findings)
            else:
                _look_at_archive(plan, path, decode, chosen, threads, findings)
    elif found == "folder":
        _look_at_tree(plan, Folder(address, storage_options), decode, chosen, threads, findings)
    else:
        _look_at_zarr(plan, address, chosen, threads, findings, storage_options)
    return findings.result()


@contextlib.contextmanager
def _local(address: str, storage_options: Optional[Dict[str, Any]]) -> Iterator[str]:
    """The path of a file: of a copy where it is elsewhere."""
    if not is_remote(address):
        path = local_path(address)
        if not os.path.isfile(path):
            raise NotFoundError(f"{path} is not there")
        yield path
        return
    system, place = open_remote(address, storage_options)
    with tempfile.TemporaryDirectory(prefix="neatline-pyramid-") as folder, Failure(address):
        path = os.path.join(folder, "copy" + os.path.splitext(address)[1])
        system.get_file(place, path)
        yield path


def is_parts(address: str, storage_options: Optional[Dict[str, Any]] = None) -> bool:
    """Whether a folder holds parts, or the plan of parts to come."""
    if not is_remote(address) and not os.path.isdir(local_path(address)):
        return False
    names = (name for name, _ in Folder(address, storage_options).names())
    return any(name == "plan.json" or name.startswith("part-") for name in names)


def _chosen(plan: Plan, sample: int) -> Dict[int, List[int]]:
    """Numbers of tiles within their shards, by shard: the same for every run of a plan."""
    if sample <= 0:
        return {}
    shards = plan.all_shards()
    source = random.Random(plan.id)
    chosen: Dict[int, List[int]] = {}
    for _ in range(min(sample, plan.tiles)):
        shard = shards[source.randrange(len(shards))]
        chosen.setdefault(shard.index, []).append(source.randrange(shard.tiles))
    return chosen


def _numbered(plan: Plan, shard: Shard) -> Iterator[Tuple[int, Block, int, int]]:
    number = 0
    for block in blocks_of(plan.area, shard, plan.min_zoom, plan.max_zoom, plan.metatile):
        for x, y in block.tiles:
            yield number, block, x, y
            number += 1


def _drawn(plan: Plan, block: Block, x: int, y: int, threads: int) -> Optional[bytes]:
    """A tile drawn again."""
    for tile in painter_of(plan, threads).draw(block, Report()):
        if (tile.x, tile.y) == (x, y):
            return tile.data
    return None


def _compare(
    plan: Plan,
    block: Block,
    x: int,
    y: int,
    data: Optional[bytes],
    shard: int,
    threads: int,
    findings: _Findings,
) -> None:
    findings.redrawn += 1
    if _drawn(plan, block, x, y, threads) != data:
        tile = (block.z, x, y)
        findings.add(Fault("tile", f"tile {block.z}/{x}/{y} is not what is drawn for it", shard, tile))


def _decoded(plan: Plan, data: bytes) -> str:
    """Why a picture cannot be decoded; "" where it can."""
    try:
        decode_image(data)
    except ImageError as error:
        return str(error)
    return ""


def _look_at_part(
    plan: Plan,
    store: Folder,
    shard: Shard,
    decode: bool,
    chosen: Dict[int, List[int]],
    threads: int,
    findings: _Findings,
) -> None:
    try:
        part = Part(plan, store, shard)
        part.check_inputs()
        held = {(z, x, y): data for z, x, y, data in part.tiles()}
    except (PartError, FileError) as error:
        findings.add(Fault("part", str(error), shard.index))
        return
    wanted = chosen.get(shard.index, ())
    for number, block, x, y in _numbered(plan, shard):
        data = held.get((block.z, x, y))
        _count(plan, findings, data, block, x, y, shard.index, decode)
        for _ in range(wanted.count(number) if wanted else 0):
            _compare(plan, block, x, y, data, shard.index, threads, findings)


def _count(
    plan: Plan,
    findings: _Findings,
    data: Optional[bytes],
    block: Block,
    x: int,
    y: int,
    shard: int,
    decode: bool,
) -> None:
    tile, name = (block.z, x, y), f"{block.z}/{x}/{y}"
    if data is None:
        findings.absent += 1
        if not plan.skip_empty:
            findings.add(Fault("tile", f"tile {name} is missing", shard, tile))
        return
    findings.tiles += 1
    fault = fault_of(data, plan.format, plan.pixels) or (_decoded(plan, data) if decode else "")
    if fault:
        findings.add(Fault("tile", f"tile {name}: {fault}", shard, tile))


def _look_at_tiles(
    plan: Plan,
    read: Callable[[int, int, int], Optional[bytes]],
    decode: bool,
    chosen: Dict[int, List[int]],
    threads: int,
    findings: _Findings,
) -> None:
    for shard in plan.all_shards():
        wanted = chosen.get(shard.index, ())
        for number, block, x, y in _numbered(plan, shard):
            try:
                data = read(block.z, x, y)
            except NeatlineError as error:
                findings.add(Fault("tile", f"tile {block.z}/{x}/{y}: {error}", shard.index, (block.z, x, y)))
                continue
            _count(plan, findings, data, block, x, y, shard.index, decode)
            for _ in range(wanted.count(number) if wanted else 0):
                _compare(plan, block, x, y, data, shard.index, threads, findings)


def _is_of_plan(plan: Plan, found: Any, address: str, findings: _Findings) -> None:
    if found != plan.id:
        findings.add(
            Fault("plan", f"{address} is of {f'plan {found}' if found else 'no plan'}, not of {plan.id}")
        )


def _look_at_archive(
    plan: Plan, address: str, decode: bool, chosen: Dict[int, List[int]], threads: int, findings: _Findings
) -> None:
    try:
        about, header = archive_about(address)
        archive = Archive(address)
    except ArchiveError as error:
        findings.add(Fault("file", str(error)))
        return
    _is_of_plan(plan, about.get("neatline:plan"), address, findings)
    with archive:
        _look_at_tiles(plan, archive.tile, decode, chosen, threads, findings)
    held = header.get("addressedTiles")
    if held is not None and held != findings.tiles:
        findings.add(Fault("file", f"{address} holds {held} tiles, {findings.tiles} of them the plan's"))


def _look_at_tree(
    plan: Plan, folder: Folder, decode: bool, chosen: Dict[int, List[int]], threads: int, findings: _Findings
) -> None:
    try:
        about = json.loads(folder.read("tilejson.json"))
        _is_of_plan(plan, about.get("neatline:plan"), folder.address, findings)
    except (NotFoundError, ValueError, AttributeError):
        findings.add(Fault("file", f"{folder.address}: tilejson.json is not there: the pyramid is not whole"))

    def read(z: int, x: int, y: int) -> Optional[bytes]:
        try:
            return folder.read(f"{z}/{x}/{y}.{plan.format}")
        except NotFoundError:
            return None

    _look_at_tiles(plan, read, decode, chosen, threads, findings)


def _redraw_pixels(
    plan: Plan, chosen: Dict[int, List[int]], threads: int
) -> Iterator[Tuple[int, int, int, Any]]:
    """The chosen tiles as they are drawn, as pixels; transparent where they are left out."""
    import numpy

    from .targets.raster import pixels_of

    for shard in plan.all_shards():
        wanted = chosen.get(shard.index)
        if not wanted:
            continue
        for number, block, x, y in _numbered(plan, shard):
            if number in wanted:
                data = _drawn(plan, block, x, y, threads)
                empty = numpy.zeros((plan.pixels, plan.pixels, 4), numpy.uint8)
                yield block.z, x, y, empty if data is None else pixels_of(data)


def _look_at_cog(
    plan: Plan, address: str, chosen: Dict[int, List[int]], threads: int, findings: _Findings
) -> None:
    try:
        import rasterio
    except ImportError:
        raise ImportError("a GeoTIFF needs rasterio and numpy: pip install neatline[cog]") from None
    from .targets.raster import extent_of, offset_in

    extent = extent_of(plan, plan.max_zoom)
    try:
        picture = rasterio.open(address)
    except rasterio.errors.RasterioError as error:
        findings.add(Fault("file", f"{address}: {error}"))
        return
    with picture:
        _is_of_plan(plan, picture.tags().get("NEATLINE_PLAN"), address, findings)
        if (picture.width, picture.height) != (extent.width, extent.height):
            findings.add(
                Fault(
                    "file",
                    f"{address} is {picture.width} x {picture.height}, not {extent.width} x {extent.height}",
                )
            )
            return
        if picture.compression and picture.compression.name in ("jpeg", "webp"):
            # Their pixels are near those that were drawn, not the same.
            return
        for z, x, y, pixels in _redraw_pixels(plan, chosen, threads):
            if z != plan.max_zoom:
                continue
            left, top = offset_in(plan, extent, x, y)
            window = rasterio.windows.Window(left, top, plan.pixels, plan.pixels)
            held = picture.read(window=window).transpose(1, 2, 0)
            findings.redrawn += 1
            findings.tiles += 1
            if not (held == pixels[:, :, : held.shape[2]]).all():
                findings.add(Fault("tile", f"tile {z}/{x}/{y} is not what is drawn for it", None, (z, x, y)))


def _look_at_zarr(
    plan: Plan,
    address: str,
    chosen: Dict[int, List[int]],
    threads: int,
    findings: _Findings,
    storage_options: Optional[Dict[str, Any]],
) -> None:
    try:
        import zarr
    except ImportError:
        raise ImportError("a Zarr group needs zarr and numpy: pip install neatline[zarr]") from None
    from .targets.raster import extent_of, offset_in

    try:
        group = zarr.open_group(
            address, mode="r", storage_options=storage_options if is_remote(address) else None
        )
    except (OSError, ValueError, KeyError) as error:
        findings.add(Fault("file", f"{address}: {error}"))
        return
    _is_of_plan(plan, group.attrs.get("neatline:plan"), address, findings)
    for z in range(plan.min_zoom, plan.max_zoom + 1):
        extent = extent_of(plan, z)
        array = group.get(str(z))
        shape = None if array is None else tuple(array.shape)
        if shape != (extent.height, extent.width, 4):
            findings.add(
                Fault("file", f"{address}: zoom {z} is {shape}, not {(extent.height, extent.width, 4)}")
            )
            return
    for z, x, y, pixels in _redraw_pixels(plan, chosen, threads):
        left, top = offset_in(plan, extent_of(plan, z), x, y)
        findings.redrawn += 1
        findings.tiles += 1
        if not (group[str(z)][top : top + plan.pixels, left : left + plan.pixels] == pixels).all():
            findings.add(Fault("tile", f"tile {z}/{x}/{y} is not what is drawn for it", None, (z, x, y)))

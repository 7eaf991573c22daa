"""What a block of tiles is drawn from: a hash of the sources' tiles that lie below its picture and the margin
around it in which labels are placed.

A picture depends on nothing but these, and on what the plan's `drawing` hashes. So a block whose hash is what
it was has the same tiles. The hash takes in a little more than the library looks at, never less: tiles that
touch the margin's edge, and the ancestor that stands in for a tile that a source does not have.
"""

from __future__ import annotations

import hashlib
import json
import math
import threading
from collections import OrderedDict
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple

from ..archive import Archive
from ..errors import NotFoundError
from ..geojson import GeoJSON
from .addresses import is_of_server, local_path, read, resolve, scheme_of
from .plan import LABEL_MARGIN, Plan
from .shards import Block
from .sources import StyleText, tilejson

HASH_BYTES = 16
# Levels above its own at which a tile may stand in for one that is not there.
STAND_IN_LEVELS = 10
# Hashes of tiles that are kept.
KEPT = 1 << 16
_TILED = ("vector", "raster", "raster-dem")


class Source(NamedTuple):
    """One source of a style, as far as tiles depend on it. read: the hash of its tile z, x, y, b"" where it
    has none."""

    name: str
    low: int
    high: int
    zoom_shifts: Tuple[int, ...]
    bounds: Optional[Tuple[float, ...]]
    about: str
    read: Callable[[int, int, int], bytes]


def can_track(document: Dict[str, Any], base: str, timeout: float) -> bool:
    """Whether what tiles are drawn from can be read: archives, files and GeoJSON, not single tiles of a
    server."""
    for source in document.get("sources", {}).values():
        if source.get("type") not in _TILED:
            continue
        templates, _ = _templates(source, base, timeout)
        if any(is_of_server(each) for each in templates):
            return False
    return True


def _templates(source: Dict[str, Any], base: str, timeout: float) -> Tuple[List[str], Dict[str, Any]]:
    """Where the tiles of a source are, and what is said about them; an archive is its own only template."""
    url = source.get("url")
    if isinstance(url, str):
        address = resolve(url, base)
        if scheme_of(address) in ("mbtiles", "pmtiles"):
            return [address], {}
        about = tilejson(address, timeout)
        return [resolve(each, address) for each in about.get("tiles") or () if isinstance(each, str)], about
    return [resolve(each, base) for each in source.get("tiles") or () if isinstance(each, str)], {}


class Inputs:
    """Hashes of what the blocks of a plan are drawn from. Threads may use it at the same time."""

    def __init__(self, plan: Plan, style: StyleText) -> None:
        self._plan = plan
        # The camera's zoom of a tile is its own and this.
        self._camera_shift = int(math.log2(plan.size)) - 9
        self._margin = LABEL_MARGIN / plan.size
        self._kept: "OrderedDict[Tuple[int, int, int, int], bytes]" = OrderedDict()
        self._lock = threading.Lock()
        document = style.json
        self._sources = [
            source
            for name, spec in sorted(document.get("sources", {}).items())
            for source in [_source(name, spec, style.base, plan.timeout)]
            if source is not None
        ]

    def of_block(self, block: Block) -> bytes:
        """The hash of a block."""
        digest = hashlib.blake2b(digest_size=HASH_BYTES)
        # Which of its tiles the pyramid has is part of what a block is.
        places = [(x - block.x, y - block.y) for x, y in block.tiles]
        digest.update(f"{block.edge} {places}\n".encode())
        for number, source in enumerate(self._sources):
            digest.update(source.about.encode() + b"\n")
            for shift in source.zoom_shifts:
                self._add(digest, number, source, block, shift)
        return digest.digest()

    def _add(self, digest: Any, number: int, source: Source, block: Block, shift: int) -> None:
        wanted = max(block.z + self._camera_shift + shift, 0)
        if wanted < source.low:
            return
        z = min(wanted, source.high)
        scale = 2.0 ** (z - block.z)
        # A hair more, for what rounding makes of edges that touch.
        reach = self._margin + 1e-6
        x0, x1 = (block.x - reach) * scale, (block.x + block.edge + reach) * scale
        y0, y1 = (block.y - reach) * scale, (block.y + block.edge + reach) * scale
        count = 1 << z
        digest.update(b"z%d " % (z - block.z))
        if x1 - x0 >= count:
            x0, x1 = 0.0, float(count)
        base_x, base_y = math.floor(block.x * scale), math.floor(block.y * scale)
        # Where within a tile of the source the block lies.
        digest.update(repr((block.x * scale - base_x, block.y * scale - base_y)).encode())
        for y in range(max(math.floor(y0), 0), min(math.ceil(y1), count)):
            for x in range(math.floor(x0), math.ceil(x1)):
                content = self._tile(number, source, z, x % count, y)
                digest.update(b"%d %d %s\n" % (x - base_x, y - base_y, content))

    def _tile(self, number: int, source: Source, z: int, x: int, y: int) -> bytes:
        """The hash of a source's tile, or of the nearest ancestor that is there."""
        key = (number, z, x, y)
        with self._lock:
            known = self._kept.get(key)
            if known is not None:
                self._kept.move_to_end(key)
                return known
        found = b"outside"
        if _is_within(source.bounds, z, x, y):
            for up in range(min(STAND_IN_LEVELS, z) + 1):
                if z - up < source.low:
                    break
                content = source.read(z - up, x >> up, y >> up)
                if content:
                    found = content if up == 0 else b"%d up %s" % (up, content)
                    break
            else:
                found = b"none"
        with self._lock:
            self._kept[key] = found
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return found


def _is_within(bounds: Optional[Tuple[float, ...]], z: int, x: int, y: int) -> bool:
    """Whether a tile may touch a source's bounds: as the library decides it, and a tile around."""
    if bounds is None:
        return True
    count = 1 << z
    west, south, east, north = bounds
    low = math.floor((west + 180) / 360 * count) - 1
    high = math.ceil((east + 180) / 360 * count) + 1

    def row(latitude: float) -> float:
        latitude = max(-85.0511287798066, min(85.0511287798066, latitude))
        return (1 - math.asinh(math.tan(math.radians(latitude))) / math.pi) / 2 * count

    return low <= x < high and math.floor(row(north)) - 1 <= y < math.ceil(row(south)) + 1


def _digest(data: Optional[bytes]) -> bytes:
    return hashlib.blake2b(data, digest_size=HASH_BYTES).hexdigest().encode() if data else b""


def _source(name: str, spec: Dict[str, Any], base: str, timeout: float) -> Optional[Source]:
    if spec.get("type") == "geojson":
        return _geojson(name, spec, base, timeout)
    if spec.get("type") not in _TILED:
        return None
    templates, about = _templates(spec, base, timeout)
    if not templates:
        return None
    if scheme_of(templates[0]) in ("mbtiles", "pmtiles"):
        place = templates[0].split("://", 1)[1]
        archive = Archive(place if is_of_server(place) else local_path(place))
        about = {**archive.info, **about}

        def read_tile(z: int, x: int, y: int) -> bytes:
            return _digest(archive.tile(z, x, y))

    else:
        is_tms = {**about, **spec}.get("scheme") == "tms"

        def read_tile(z: int, x: int, y: int) -> bytes:
            template = templates[(x + y) % len(templates)]
            row = (1 << z) - 1 - y if is_tms else y
            for mark, value in (("{z}", z), ("{x}", x), ("{y}", row)):
                template = template.replace(mark, str(value))
            try:
                return _digest(read(template, timeout))
            except NotFoundError:
                return b""

    said = {**about, **{key: value for key, value in spec.items() if value is not None}}
    low, high = int(said.get("minzoom", 0)), int(said.get("maxzoom", 22))
    shifts: Tuple[int, ...] = (0,)
    if spec["type"] != "vector":
        shift = math.log2(512 / float(said.get("tileSize", 512)))
        shifts = tuple(sorted({math.floor(shift), math.ceil(shift)}))
    bounds = said.get("bounds")
    box = tuple(map(float, bounds)) if isinstance(bounds, list) and len(bounds) == 4 else None
    text = json.dumps([name, low, high, said.get("encoding"), said.get("scheme"), said.get("tileSize")])
    return Source(name, low, high, shifts, box, text, read_tile)


def _geojson(name: str, spec: Dict[str, Any], base: str, timeout: float) -> Source:
    """GeoJSON is cut as the library cuts it, and the cut is hashed: what changes elsewhere does not count.
    Clusters and filters look at the whole document, and so does their hash."""
    data = spec.get("data")
    content: Any = data
    if isinstance(data, str):
        address = resolve(data, base)
        content = read(address, timeout)
    if spec.get("cluster") or not isinstance(content, (dict, bytes)):
        whole = _digest(content if isinstance(content, bytes) else json.dumps(content).encode())
        return Source(name, 0, 0, (0,), None, name, lambda z, x, y: whole)
    promoted = spec.get("promoteId")
    high = min(int(spec.get("maxzoom", 18)), 24)
    cutter = GeoJSON(
        content,
        max_zoom=high,
        buffer=float(spec.get("buffer", 128)) * 16,
        tolerance=float(spec.get("tolerance", 0.375)) * 16,
        extent=8192,
        line_metrics=bool(spec.get("lineMetrics", False)),
        generate_id=bool(spec.get("generateId", False)),
        promote_id=promoted if isinstance(promoted, str) else None,
    )

    def cut(z: int, x: int, y: int) -> bytes:
        tile = cutter.tile(z, x, y)
        return b"empty" if tile is None else _digest(tile.to_mvt())

    return Source(name, 0, high, (0,), None, name, cut)

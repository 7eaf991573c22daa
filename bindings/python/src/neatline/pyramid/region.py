"""Which tiles a pyramid has: those that a box or a geometry touches.

Degrees become whole numbers once, when a plan is made: positions in the square of 2^30 units that the world
is at zoom 30. From there on everything is exact arithmetic, so that every machine finds the same tiles.

A box counts the tiles of any square at once, whatever the zoom. A geometry is rasterised at the deepest zoom,
row by row: the columns that an edge touches, and those between the crossings of the row's middle with a
polygon's edges (even-odd). Lower zooms fold four tiles into one.
"""

from __future__ import annotations

import json
import math
from bisect import bisect_left
from typing import Any, Dict, Iterable, Iterator, List, Sequence, Tuple, Union

from .._values import as_geojson, shown
from ..errors import GeoJSONError, InvalidArgumentError, LimitExceededError

UNIT_ZOOM = 30
UNITS = 1 << UNIT_ZOOM
# Latitudes of the Mercator square.
MAX_LATITUDE = 85.0511287798066
# Rows of tiles that a geometry's edges may cross, all edges together.
ROW_LIMIT = 4_000_000
# Points of a geometry.
POINT_LIMIT = 1_000_000

# Columns from `first` to before `end`.
Interval = Tuple[int, int]
# From a point to a point.
Edge = Tuple[List[int], List[int]]


def _x(lon: float) -> float:
    return (lon + 180) / 360 * UNITS


def _y(lat: float) -> float:
    lat = max(-MAX_LATITUDE, min(MAX_LATITUDE, lat))
    y = (1 - math.asinh(math.tan(math.radians(lat))) / math.pi) / 2 * UNITS
    return min(max(y, 0.0), float(UNITS))


def union(intervals: Iterable[Interval]) -> List[Interval]:
    """The same columns as few intervals in order."""
    result: List[Interval] = []
    for first, end in sorted(intervals):
        if result and first <= result[-1][1]:
            result[-1] = (result[-1][0], max(end, result[-1][1]))
        else:
            result.append((first, end))
    return result


def _overlap(intervals: Sequence[Interval], first: int, end: int) -> int:
    total = 0
    # Intervals before the last that begins at or before `first` end before it.
    for low, high in intervals[max(bisect_left(intervals, (first, first)) - 1, 0) :]:
        if low >= end:
            break
        total += max(0, min(high, end) - max(low, first))
    return total


class Box:
    """A box of units: rows from y0 to before y1, columns of one or, across the 180th meridian, two
    intervals."""

    def __init__(self, intervals: Sequence[Interval], y0: int, y1: int) -> None:
        self.intervals = [tuple(each) for each in intervals]
        self.y0, self.y1 = y0, y1
        self._columns: Dict[int, List[Interval]] = {}

    def columns(self, z: int) -> List[Interval]:
        """The columns of tiles of a zoom."""
        if z not in self._columns:
            shift = UNIT_ZOOM - z
            self._columns[z] = union((a >> shift, (b - 1 >> shift) + 1) for a, b in self.intervals)
        return self._columns[z]

    def rows(self, z: int) -> Interval:
        """The rows of tiles of a zoom."""
        shift = UNIT_ZOOM - z
        return self.y0 >> shift, (self.y1 - 1 >> shift) + 1

    def count(self, z: int, x: int, y: int, edge: int) -> int:
        """How many tiles of the zoom lie in the square of `edge` tiles an edge whose first is x, y."""
        first, end = self.rows(z)
        height = min(end, y + edge) - max(first, y)
        return height * _overlap(self.columns(z), x, x + edge) if height > 0 else 0

    def to_json(self) -> Dict[str, Any]:
        """As a plan keeps it."""
        return {"columns": [list(each) for each in self.intervals], "rows": [self.y0, self.y1]}


class Shape:
    """Polygons and lines of units. Longitudes past 180 degrees go on at the other side."""

    def __init__(self, polygons: List[List[List[List[int]]]], lines: List[List[List[int]]]) -> None:
        self.polygons, self.lines = polygons, lines
        self._levels: Dict[int, Dict[int, List[Interval]]] = {}
        self._order: Dict[int, List[int]] = {}

    def level(self, z: int) -> Dict[int, List[Interval]]:
        """Of each row of a zoom that has tiles, their columns."""
        if z not in self._levels:
            finer = self._levels.get(z + 1)
            self._levels[z] = self._rasterised(z) if finer is None else self._folded(finer)
            self._order[z] = sorted(self._levels[z])
        return self._levels[z]

    def prepare(self, max_zoom: int) -> None:
        """Rasterises the deepest zoom and folds the others out of it."""
        for z in range(max_zoom, -1, -1):
            self.level(z)

    def columns(self, z: int) -> List[Interval]:
        """All columns that have tiles."""
        return union(each for row in self.level(z).values() for each in row)

    def rows(self, z: int) -> Interval:
        """From the first row that has tiles to behind the last."""
        self.level(z)
        return self._order[z][0], self._order[z][-1] + 1

    def count(self, z: int, x: int, y: int, edge: int) -> int:
        """As Box.count."""
        level, order, total = self.level(z), self._order[z], 0
        for index in range(bisect_left(order, y), len(order)):
            if order[index] >= y + edge:
                break
            total += _overlap(level[order[index]], x, x + edge)
        return total

    def to_json(self) -> Dict[str, Any]:
        """As a plan keeps it."""
        return {"polygons": self.polygons, "lines": self.lines}

    @staticmethod
    def _folded(finer: Dict[int, List[Interval]]) -> Dict[int, List[Interval]]:
        rows: Dict[int, List[Interval]] = {}
        for y, intervals in finer.items():
            rows.setdefault(y >> 1, []).extend((a >> 1, (b - 1 >> 1) + 1) for a, b in intervals)
        return {y: union(intervals) for y, intervals in rows.items()}

    def _rasterised(self, z: int) -> Dict[int, List[Interval]]:
        shift, count = UNIT_ZOOM - z, 1 << z
        rows = sum((abs(a[1] - b[1]) >> shift) + 1 for a, b in _edges(self.polygons, self.lines))
        if rows > ROW_LIMIT:
            raise LimitExceededError(
                f"the geometry's edges cross {rows:,} rows of tiles at zoom {z}, the limit is {ROW_LIMIT:,}: "
                "simplify it, or plan fewer zooms"
            )
        found: Dict[int, List[Interval]] = {}
        for a, b in _edges(self.polygons, self.lines):
            _touch(a, b, z, found)
        for rings in self.polygons:
            crossings: Dict[int, List[int]] = {}
            for a, b in _edges([rings], []):
                _cross(a, b, z, crossings)
            for y, across in crossings.items():
                across.sort()
                # Columns of the crossings themselves are touched by an edge: those between them are inside.
                found.setdefault(y, []).extend(zip(across[::2], [each + 1 for each in across[1::2]]))
        return {y: _wrapped(row, count) for y, row in found.items() if 0 <= y < count}


def _edges(polygons: List[List[List[List[int]]]], lines: List[List[List[int]]]) -> Iterator[Edge]:
    """All edges: of rings, which close, and of lines; a point is an edge from itself to itself."""
    for rings in polygons:
        for ring in rings:
            yield from zip(ring, ring[1:] + ring[:1])
    for line in lines:
        yield from zip(line, line[1:] or line)


def _touch(a: List[int], b: List[int], z: int, rows: Dict[int, List[Interval]]) -> None:
    """Adds the tiles that the line from a to b touches."""
    shift = UNIT_ZOOM - z
    (ax, ay), (bx, by) = (a, b) if a[1] <= b[1] else (b, a)
    last = (1 << z) - 1
    first_row, last_row = min(ay >> shift, last), min(by >> shift, last)
    for y in range(first_row, last_row + 1):
        if ay == by:
            low, high = ax, bx
        else:
            top, bottom = max(ay, y << shift), min(by, y + 1 << shift)
            low = ax + (bx - ax) * (top - ay) // (by - ay)
            high = ax + (bx - ax) * (bottom - ay) // (by - ay)
        low, high = min(low, high), max(low, high)
        rows.setdefault(y, []).append((low >> shift, (high >> shift) + 1))


def _cross(a: List[int], b: List[int], z: int, rows: Dict[int, List[int]]) -> None:
    """Adds the columns in which the line from a to b crosses the middles of rows."""
    shift = UNIT_ZOOM - z
    half = 1 << shift >> 1
    (ax, ay), (bx, by) = (a, b) if a[1] <= b[1] else (b, a)
    # Rows whose middle lies within ay to before by.
    for y in range(-(half - ay >> shift), (by - 1 - half >> shift) + 1):
        middle = (y << shift) + half
        rows.setdefault(y, []).append(ax + (bx - ax) * (middle - ay) // (by - ay) >> shift)


def _wrapped(intervals: List[Interval], count: int) -> List[Interval]:
    """Columns brought into the world."""
    result: List[Interval] = []
    for first, end in union(intervals):
        if end - first >= count:
            return [(0, count)]
        first, end = first % count, first % count + end - first
        result.append((first, min(end, count)))
        if end > count:
            result.append((0, end - count))
    return union(result)


Region = Union[Box, Shape]


def box(bounds: Sequence[float]) -> Box:
    """The region of (west, south, east, north) in degrees; west > east crosses the 180th meridian."""
    try:
        west, south, east, north = (float(each) for each in bounds)
    except (TypeError, ValueError, OverflowError):
        raise InvalidArgumentError(f"bounds {shown(bounds)} are not (west, south, east, north)") from None
    if not all(math.isfinite(each) for each in (west, south, east, north)):
        raise InvalidArgumentError(f"bounds {tuple(bounds)} are not finite")
    if not (-180 <= west <= 180 and -180 <= east <= 180):
        raise InvalidArgumentError(f"bounds {tuple(bounds)}: longitudes are not within -180 to 180")
    if not -90 <= south <= north <= 90:
        raise InvalidArgumentError(f"bounds {tuple(bounds)}: latitudes are not in order within -90 to 90")
    if south > MAX_LATITUDE or north < -MAX_LATITUDE:
        raise InvalidArgumentError(f"bounds {tuple(bounds)} lie past the latitudes of the map")
    if west == 180 and east < 180:
        west = -180.0
    y0, y1 = _cells(_y(north), _y(south))
    if west <= east:
        return Box([_cells(_x(west), _x(east))], y0, y1)
    return Box([_cells(0, _x(east)), _cells(_x(west), UNITS)], y0, y1)


def _cells(low: float, high: float) -> Interval:
    """The units that a range touches: at least one."""
    first = min(math.floor(low), UNITS - 1)
    return first, max(math.ceil(high), first + 1)


def shape(geometry: Any) -> Shape:
    """The region of a geometry: GeoJSON as text or a dictionary, a path, an object with
    `__geo_interface__`, or a list of these. Tiles that it touches are in it."""
    try:
        document = json.loads(as_geojson(geometry))
    except ValueError as error:
        raise GeoJSONError(f"the geometry is not JSON: {error}") from None
    polygons: List[List[List[List[int]]]] = []
    lines: List[List[List[int]]] = []
    _collect(document, polygons, lines, 0)
    count = sum(len(ring) for rings in polygons for ring in rings) + sum(len(line) for line in lines)
    if count == 0:
        raise InvalidArgumentError("the geometry is empty")
    if count > POINT_LIMIT:
        raise LimitExceededError(f"the geometry has {count:,} points, the limit is {POINT_LIMIT:,}")
    return Shape(polygons, lines)


def _collect(value: Any, polygons: List, lines: List, depth: int) -> None:
    if not isinstance(value, dict) or depth > 16:
        raise GeoJSONError("the geometry is not GeoJSON")
    kind = value.get("type")
    if kind == "FeatureCollection":
        for each in value.get("features") or []:
            _collect(each, polygons, lines, depth + 1)
    elif kind == "Feature":
        if value.get("geometry") is not None:
            _collect(value["geometry"], polygons, lines, depth + 1)
    elif kind == "GeometryCollection":
        for each in value.get("geometries") or []:
            _collect(each, polygons, lines, depth + 1)
    else:
        coordinates = value.get("coordinates")
        try:
            if kind == "Polygon":
                polygons.append([_points(ring) for ring in coordinates])
            elif kind == "MultiPolygon":
                polygons.extend([_points(ring) for ring in rings] for rings in coordinates)
            elif kind == "LineString":
                lines.append(_points(coordinates))
            elif kind == "MultiLineString":
                lines.extend(_points(line) for line in coordinates)
            elif kind == "Point":
                lines.append(_points([coordinates]))
            elif kind == "MultiPoint":
                lines.extend(_points([point]) for point in coordinates)
            else:
                raise GeoJSONError(f"the geometry has the type {kind!r}")
        except (TypeError, ValueError) as error:
            if isinstance(error, (GeoJSONError, InvalidArgumentError)):
                raise
            raise GeoJSONError(f"the geometry has coordinates that are none ({kind})") from None


def _points(coordinates: Any) -> List[List[int]]:
    result = []
    for point in coordinates:
        lon, lat = float(point[0]), float(point[1])
        if not (math.isfinite(lon) and math.isfinite(lat)) or not -540 <= lon <= 540 or not -90 <= lat <= 90:
            raise InvalidArgumentError(f"the geometry has the point {lon}, {lat}")
        result.append([math.floor(_x(lon)), min(math.floor(_y(lat)), UNITS - 1)])
    return result


def from_json(value: Any) -> Region:
    """A region out of a plan. Raises InvalidArgumentError."""
    try:
        if set(value) == {"columns", "rows"}:
            intervals = [(_unit(a), _unit(b)) for a, b in value["columns"]]
            y0, y1 = (_unit(each) for each in value["rows"])
            if len(intervals) in (1, 2) and all(a < b for a, b in intervals) and y0 < y1:
                return Box(intervals, y0, y1)
        elif set(value) == {"polygons", "lines"}:
            far = 2 * UNITS
            polygons = [
                [[[_unit(x, far), _unit(y)] for x, y in ring] for ring in rings]
                for rings in value["polygons"]
            ]
            lines = [[[_unit(x, far), _unit(y)] for x, y in line] for line in value["lines"]]
            if polygons or lines:
                return Shape(polygons, lines)
    except (TypeError, ValueError, AttributeError):
        pass
    raise InvalidArgumentError("the plan's region is neither a box nor a shape")


def _unit(value: Any, far: int = 0) -> int:
    if type(value) is not int or not -far <= value <= UNITS + far:
        raise ValueError("not a unit")
    return value


def span(region: Region, z: int) -> Tuple[int, int, int, int]:
    """The least rectangle of tiles that holds the region at a zoom: first column, columns, first row, rows.
    Where it is narrower across the 180th meridian it ends past the last column of the world."""
    columns, count = region.columns(z), 1 << z
    first, end = region.rows(z)
    gaps = [(b[0] - a[1], b[0]) for a, b in zip(columns, columns[1:])]
    gaps.append((columns[0][0] + count - columns[-1][1], columns[0][0]))
    gap, start = max(gaps, key=lambda each: (each[0], -each[1]))
    return start, count - gap, first, end - first

"""Geometry on the globe as Turf has it: how far, which way, along and across lines, within polygons.

Places are (longitude, latitude) in degrees, distances metres, bearings degrees clockwise from north. A place
is a pair of numbers or a Point; a line an array of places, any sequence of them, or a LineString; polygons are
a Polygon or MultiPolygon, or the places of one ring. Geometries are GeoJSON mappings, shapely's, and whatever
else has `__geo_interface__`; features stand for their geometry. Altitudes are read over.

Lines come out as arrays of n rows and 2 columns, without numpy as lists of pairs. Distances are those of a
sphere of 6,373,000 m, areas of one of 6,378,137 m; edges are straight lines of degrees. Longitudes are taken
as they stand: a line across the 180th meridian goes on past 180. Functions raise InvalidArgumentError for what
no place or shape is, and for lines with numbers that are not finite.
"""

from __future__ import annotations

from ctypes import byref, c_double, c_uint8, c_uint32, c_void_p, cast, string_at
from typing import Any, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple

from . import _abi
from ._arrays import numbers, numpy
from ._library import check, lib
from ._values import mapping, real, whole
from .errors import InvalidArgumentError

__all__ = [
    "Closest", "along", "area", "bearing", "bezier", "bounds", "center", "center_of_mass", "centroid", "circle",
    "closest", "contains", "destination", "difference", "distance", "intersections", "length", "midpoint",
    "simplify", "sliced", "smooth", "trimmed", "trimmed_from", "wrap",
]

Place = Tuple[float, float]


class Closest(NamedTuple):
    """A place on a line that is closest to another; of several, each member is an array."""

    point: Any
    """(longitude, latitude), or an array of them."""
    index: Any
    """The vertex that it is, or that its segment begins with."""
    distance: Any
    """Metres from the place that was asked about."""
    along: Any
    """Metres from the start of the line, along it."""


# Places


def distance(a: Any, b: Any) -> Any:
    """Metres from one place to another along the great circle. Of many places, of as many or of one with many,
    an array."""
    return _pairs(lib.neat_shape_distances, a, b)


def bearing(a: Any, b: Any) -> Any:
    """The way to take at one place for another, -180 to 180. Of many, as `distance`."""
    return _pairs(lib.neat_shape_directions, a, b)


def midpoint(a: Any, b: Any) -> Any:
    """The place half way between two along the great circle. Of many, as `distance`."""
    return _pairs(lib.neat_shape_midpoints, a, b, columns=2)


def destination(place: Any, distance: Any, bearing: Any) -> Any:
    """The place that one comes to, facing a bearing, after a distance. Each of the three may be many, the
    others as many or one. The longitude may be past 180."""
    start = _List(place, "place")
    ways, single_way = _numbers(distance, "distance")
    bearings, single_bearing = _numbers(bearing, "bearing")
    counts = {start.count, len(ways), len(bearings)} - {1}
    out = (c_double * (2 * max(counts, default=1)))()
    check(lib.neat_shape_destinations(start, start.count, ways, len(ways), bearings, len(bearings), out))
    return _place(out) if start.single and single_way and single_bearing else _rows(out)


def wrap(value: float, min: float, max: float) -> float:
    """The angle from min to below max that differs by whole turns of that range; NaN where those are equal."""
    return lib.neat_shape_wrap(real(value, "value"), real(min, "min"), real(max, "max"))


def difference(a: float, b: float) -> float:
    """Degrees between two bearings the shorter way round: 0 to 180."""
    return lib.neat_shape_difference(real(a, "a"), real(b, "b"))


# Lines


def length(line: Any) -> float:
    """Metres along a line."""
    out = c_double()
    places = _List(line, "line")
    check(lib.neat_shape_length(places, places.count, byref(out)))
    return out.value


def along(line: Any, distance: Any) -> Any:
    """The place at a distance along a line: its start for distances below 0, its end for those past it. Of many
    distances, in any order, an array."""
    places = _List(line, "line")
    ways, single = _numbers(distance, "distance")
    out = (_abi.ShapePlace * len(ways))()
    check(lib.neat_shape_along(places, places.count, ways, len(ways), out))
    return _found(out, single).point


def closest(line: Any, place: Any) -> Closest:
    """The place of a line that is closest to another as the crow flies. Of many places, each member of the
    answer is an array."""
    places, asked = _List(line, "line"), _List(place, "place")
    out = (_abi.ShapePlace * asked.count)()
    check(lib.neat_shape_closest(places, places.count, asked, asked.count, out))
    return _found(out, asked.single)


def sliced(line: Any, start: Any = None, stop: Any = None) -> Any:
    """The part of a line between the places on it that are closest to two others; None: the line's own start
    or end. Where the two lie on different segments it runs as the line does, whichever comes first."""
    places = _List(line, "line")
    ends = [None if each is None else _single(each, name) for each, name in ((start, "start"), (stop, "stop"))]
    return _line(lib.neat_shape_slice, places, places.count, *ends)


def trimmed(line: Any, start: float, stop: float) -> Any:
    """The part of a line between two distances from its start; it ends where the line does. Raises
    InvalidArgumentError for distances below 0 or the wrong way round, and NotFoundError where the line ends
    before the first."""
    places = _List(line, "line")
    return _line(lib.neat_shape_trim, places, places.count, real(start, "start"), real(stop, "stop"))


def trimmed_from(line: Any, place: Any, distance: float) -> Any:
    """The part of a line that begins at the place on it closest to another and goes on for a distance, or back
    where that is below 0; it ends where the line does."""
    places, start = _List(line, "line"), _single(place, "place")
    return _line(lib.neat_shape_trim_from, places, places.count, *start.first, real(distance, "distance"))


def intersections(a: Any, b: Any, *, limit: int = 1 << 24) -> Any:
    """Places where two lines cross, each once, in the order of the first. Where an end of a segment only touches
    the other line, and where lines run on each other, they do not cross. Raises LimitExceededError where there
    are more than the limit."""
    a, b = _List(a, "a"), _List(b, "b")
    limit = whole(limit, "limit", 1, (1 << 63) - 1)
    return _line(lib.neat_shape_intersections, a, a.count, b, b.count, limit)


def bezier(line: Any, resolution: int = 10000, sharpness: float = 0.85) -> Any:
    """A smooth curve through the places of a line, of about resolution / 20 places."""
    places = _List(line, "line")
    resolution = whole(resolution, "resolution", 1)
    return _line(lib.neat_shape_bezier, places, places.count, resolution, real(sharpness, "sharpness"))


# Lines and polygons


def simplify(shape: Any, tolerance: float = 1.0, *, high_quality: bool = False, ring: bool = False) -> Any:
    """A line or polygon without places that matter less than a tolerance in degrees (Douglas and Peucker).

    What comes out is what went in: an array of the rows that stay, with all their columns, for arrays and
    sequences; a GeoJSON mapping with its lines and polygons simplified for mappings and objects with
    `__geo_interface__`, of any type; a shapely geometry for a shapely geometry. high_quality: drop no place
    beforehand for being near to the one before. ring: the places are a ring. Where the tolerance leaves no
    triangle of a ring it is lowered until one is left; a ring without area stays as it is."""

    def reduced(places: Any, is_ring: bool) -> Any:
        given = _List(places, "shape")
        buffer = c_void_p()
        check(
            lib.neat_shape_simplify(
                given, given.count, real(tolerance, "tolerance"), bool(high_quality), is_ring, byref(buffer)
            )
        )
        kept = numbers(_taken(buffer, c_uint32), "I") if given.count else ()
        if numpy is not None and isinstance(places, numpy.ndarray):
            return places[kept]
        return [places[index] for index in kept]

    if _geometry(shape) is None:
        if numpy is not None:
            try:
                shape = numpy.asarray(shape, dtype=float) if not isinstance(shape, numpy.ndarray) else shape
            except (TypeError, ValueError, OverflowError) as error:
                raise InvalidArgumentError(f"shape is no list of places: {error}") from None
        elif not isinstance(shape, Sequence):
            shape = list(shape)
        return reduced(shape, ring)
    return _mapped(shape, reduced)


def smooth(shape: Any, iterations: int = 3) -> Any:
    """A polygon with its corners cut a number of times (Chaikin), each of which doubles its places; as an array
    for the places of a ring, else as what `simplify` gives. Raises LimitExceededError past 2^26 places."""
    iterations = whole(iterations, "iterations")

    def cut(places: Any, is_ring: bool) -> Any:
        if not is_ring:
            return places
        given = _List(places, "shape")
        return _line(lib.neat_shape_smooth, given, given.count, iterations)

    return cut(shape, True) if _geometry(shape) is None else _mapped(shape, cut)


def bounds(shape: Any) -> Tuple[float, float, float, float]:
    """(west, south, east, north) around all places of a shape, as they stand."""
    out = (c_double * 4)()
    places = _all_places(shape)
    check(lib.neat_shape_bounds(places, places.count, out))
    return tuple(out)  # type: ignore[return-value]


def center(shape: Any) -> Place:
    """The middle of a shape's box."""
    out = (c_double * 2)()
    places = _all_places(shape)
    check(lib.neat_shape_center(places, places.count, out))
    return _place(out)


def centroid(shape: Any) -> Place:
    """The mean of a shape's places, of polygons that of their outer rings', with those that close them left
    out."""
    geometry = _geometry(shape)
    out = (c_double * 2)()
    if geometry is not None and geometry["type"] in ("Polygon", "MultiPolygon"):
        outer = [rings[0] for rings in _polygons(shape) if len(rings)]
        rows = [row for ring in outer for row in _open(ring)]
        places = _List(rows, "shape")
        check(lib.neat_shape_centroid(places, places.count, False, out))
    else:
        places = _all_places(shape)
        check(lib.neat_shape_centroid(places, places.count, geometry is None, out))
    return _place(out)


def center_of_mass(shape: Any) -> Place:
    """The centre of gravity of a polygon's outer ring, on the plane of degrees; its centroid where it has no
    area."""
    polygons = list(_polygons(shape))
    if len(polygons) != 1 or not len(polygons[0]):
        raise InvalidArgumentError(f"a centre of mass is of one polygon, not of {len(polygons)}")
    ring = _List(polygons[0][0], "shape")
    out = (c_double * 2)()
    check(lib.neat_shape_center_of_mass(ring, ring.count, out))
    return _place(out)


def area(shape: Any) -> float:
    """Square metres of all polygons of a shape, without their holes. Lines and points have none."""
    out = c_double()
    polygons = _PolygonList(shape)
    check(lib.neat_shape_area(*polygons.arguments, byref(out)))
    return out.value


def contains(shape: Any, place: Any, *, ignore_boundary: bool = False) -> Any:
    """Whether a place lies in a polygon of a shape and in none of its holes. On an edge, of a hole's too, it
    does, unless boundaries are ignored. Of many places an array, much faster than one by one."""
    polygons, asked = _PolygonList(shape), _List(place, "place")
    out = (c_uint8 * asked.count)()
    check(
        lib.neat_shape_contains(*polygons.arguments, asked, asked.count, bool(ignore_boundary), out)
    )
    if asked.single:
        return bool(out[0])
    if numpy is None:
        return [bool(each) for each in out]
    return numpy.frombuffer(out, dtype=bool) if asked.count else numpy.empty(0, dtype=bool)


def circle(center: Any, radius: float, vertices: int = 64) -> Any:
    """A closed ring of places on a circle, anticlockwise from north. vertices: 3 to 2^24."""
    place = _single(center, "center")
    vertices = whole(vertices, "vertices")
    return _line(lib.neat_shape_circle, *place.first, real(radius, "radius"), vertices)


# What comes in


def _geometry(value: Any) -> Optional[Mapping]:
    """The GeoJSON geometry that a value is or has, or a collection of them; None for arrays and sequences."""
    if not isinstance(value, Mapping):
        value = getattr(value, "__geo_interface__", None)
        if value is None:
            return None
        mapping(value, "__geo_interface__")
    if "type" not in value:
        raise InvalidArgumentError('a mapping without "type" is no GeoJSON')
    if value["type"] == "Feature":
        geometry = value.get("geometry")
        if geometry is None:
            raise InvalidArgumentError("the feature has no geometry")
        return _geometry(geometry)
    return value


class _List:
    """Places as the library takes them: pairs of doubles in memory of their own, or numpy's where they lie in
    it like that already."""

    def __init__(self, value: Any, name: str) -> None:
        geometry = _geometry(value)
        if geometry is not None:
            if geometry["type"] not in ("Point", "MultiPoint", "LineString", "LinearRing"):
                raise InvalidArgumentError(f"{name} is a {geometry['type']}: places or a line are due")
            value = geometry["coordinates"]
        try:
            self._take(value)
        except (TypeError, ValueError, LookupError, OverflowError) as error:
            raise InvalidArgumentError(f"{name} is no list of places: {error}") from None

    def _take(self, value: Any) -> None:
        if numpy is not None:
            if not isinstance(value, numpy.ndarray):
                value = self._plain(value)
            array = numpy.asarray(value, dtype=numpy.float64)
            self.single = array.ndim == 1 and array.size > 0
            if array.size == 0:
                array = array.reshape(0, 2)
            elif array.ndim == 1:
                array = array.reshape(1, -1)
            if array.ndim != 2 or array.shape[1] < 2:
                raise ValueError(f"an array of the shape {array.shape}; n rows of longitude and latitude are due")
            self._memory = numpy.ascontiguousarray(array[:, :2])
            self.count = len(self._memory)
            self._as_parameter_ = c_void_p(self._memory.ctypes.data if self.count else None)
        else:
            value = self._plain(value)
            self.single = bool(value) and not isinstance(value[0], (tuple, list))
            rows = [value] if self.single else value
            self._memory = (c_double * (2 * len(rows)))(*(float(n) for row in rows for n in (row[0], row[1])))
            self.count = len(rows)
            self._as_parameter_ = cast(self._memory, c_void_p)

    @staticmethod
    def _plain(value: Any) -> Any:
        """Places as pairs; geometries of points among them as theirs, altitudes left out."""
        value = list(value)
        if value and all(isinstance(each, (int, float)) for each in value):
            return value
        rows = []
        for each in value:
            if isinstance(each, Mapping) or hasattr(each, "__geo_interface__"):
                point = _geometry(each)
                if point["type"] != "Point":  # type: ignore[index]
                    raise TypeError(f"a {point['type']} among places")  # type: ignore[index]
                each = point["coordinates"]  # type: ignore[index]
            if hasattr(each, "__len__"):
                if len(each) < 2:
                    raise ValueError(f"{each!r} is no pair of longitude and latitude")
                each = (each[0], each[1])
            rows.append(each)
        return rows

    @property
    def first(self) -> Place:
        """The first place."""
        memory = self._memory if numpy is None else self._memory[0]
        return float(memory[0]), float(memory[1])


def _single(value: Any, name: str) -> _List:
    place = _List(value, name)
    if place.count != 1:
        raise InvalidArgumentError(f"{name} is {place.count} places: one is due")
    return place


def _numbers(value: Any, name: str) -> Tuple[Any, bool]:
    """Numbers in memory of their own, and whether it was one that is no list."""
    try:
        if numpy is not None:
            array = numpy.asarray(value, dtype=numpy.float64)
            if array.ndim > 1:
                raise ValueError(f"an array of the shape {array.shape}")
            flat = numpy.ascontiguousarray(array.reshape(-1))
            return (c_double * array.size).from_buffer_copy(flat), array.ndim == 0
        single = not hasattr(value, "__iter__")
        return (c_double * (1 if single else len(value)))(*([value] if single else value)), single
    except (TypeError, ValueError, OverflowError) as error:
        raise InvalidArgumentError(f"{name} is no number or list of numbers: {error}") from None


def _polygons(value: Any) -> Iterator[Sequence[Any]]:
    """Polygons of a shape, each as its rings; the places of a ring are one of one ring."""
    geometry = _geometry(value)
    if geometry is None:
        yield [value]
        return
    kind = geometry["type"]
    if kind == "Polygon":
        yield geometry["coordinates"]
    elif kind == "MultiPolygon":
        yield from geometry["coordinates"]
    elif kind == "LinearRing":
        yield [geometry["coordinates"]]
    elif kind == "GeometryCollection":
        for each in geometry["geometries"]:
            yield from _polygons(each)
    elif kind == "FeatureCollection":
        for each in geometry["features"]:
            if each.get("geometry") is not None:
                yield from _polygons(each)


class _PolygonList:
    """All polygons of a shape as the library takes them."""

    def __init__(self, value: Any) -> None:
        rings, ring_starts, polygon_starts = [], [0], [0]
        for polygon in _polygons(value):
            for ring in polygon:
                rings.append(_List(ring, "ring"))
                ring_starts.append(ring_starts[-1] + rings[-1].count)
            polygon_starts.append(len(rings))
        # Memory that the arguments point to.
        self._rings = _joined(rings)
        self._ring_starts = (c_uint32 * len(ring_starts))(*ring_starts)
        self._polygon_starts = (c_uint32 * len(polygon_starts))(*polygon_starts)
        self.arguments = (
            self._rings, self._rings.count, self._ring_starts, len(ring_starts) - 1, self._polygon_starts,
            len(polygon_starts) - 1,
        )


def _joined(lists: List[_List]) -> _List:
    if len(lists) == 1:
        return lists[0]
    if numpy is not None:
        return _List(numpy.concatenate([each._memory for each in lists]) if lists else (), "shape")
    rows = [(each._memory[2 * n], each._memory[2 * n + 1]) for each in lists for n in range(each.count)]
    return _List(rows, "shape")


def _all_places(shape: Any) -> _List:
    if _geometry(shape) is None:
        return _List(shape, "shape")
    lists: List[_List] = []

    def collect(places: Any, is_ring: bool) -> Any:
        lists.append(_List(places, "shape"))
        return places

    _mapped(shape, collect, points=True)
    return _joined(lists)


def _open(ring: Any) -> List[Any]:
    rows = [tuple(row[:2]) for row in ring]
    return rows[:-1] if len(rows) > 1 and rows[0] == rows[-1] else rows


# What comes out


def _mapped(shape: Any, change: Any, points: bool = False) -> Any:
    """A GeoJSON object with each of its lines and rings changed; shapely's as shapely's."""
    given = shape if isinstance(shape, Mapping) else shape.__geo_interface__

    def plain(rows: Any) -> Any:
        return rows.tolist() if hasattr(rows, "tolist") else rows

    def walk(node: Mapping) -> Mapping:
        kind = node.get("type")
        if kind == "FeatureCollection":
            return {**node, "features": [walk(each) for each in node["features"]]}
        if kind == "Feature":
            geometry = node.get("geometry")
            return {**node, "geometry": None if geometry is None else walk(geometry)}
        if kind == "GeometryCollection":
            return {**node, "geometries": [walk(each) for each in node["geometries"]]}
        coordinates = node.get("coordinates")
        if kind == "LineString":
            found = plain(change(coordinates, False))
        elif kind == "LinearRing":
            found = plain(change(coordinates, True))
        elif kind == "MultiLineString":
            found = [plain(change(each, False)) for each in coordinates]
        elif kind == "Polygon":
            found = [plain(change(each, True)) for each in coordinates]
        elif kind == "MultiPolygon":
            found = [[plain(change(each, True)) for each in rings] for rings in coordinates]
        elif kind in ("Point", "MultiPoint"):
            if points and coordinates:
                change([coordinates] if kind == "Point" else coordinates, False)
            return node
        else:
            raise InvalidArgumentError(f"{kind!r} is no type of GeoJSON")
        return {**node, "coordinates": found}

    made = walk(given)
    if type(shape).__module__.split(".")[0] != "shapely":
        return made
    from shapely.geometry import LinearRing
    from shapely.geometry import shape as as_shapely

    if made["type"] == "LinearRing":
        return LinearRing(made["coordinates"])
    return as_shapely(made)


def _pairs(function: Any, a: Any, b: Any, columns: int = 1) -> Any:
    a, b = _List(a, "a"), _List(b, "b")
    count = max({a.count, b.count} - {1}, default=1)
    out = (c_double * (columns * count))()
    check(function(a, a.count, b, b.count, out))
    if a.single and b.single:
        return out[0] if columns == 1 else _place(out)
    if columns == 2:
        return _rows(out)
    return _values(out)


def _place(out: Any) -> Place:
    return out[0], out[1]


def _values(out: Any) -> Any:
    if numpy is None:
        return list(out)
    return numpy.frombuffer(out, dtype=numpy.float64) if len(out) else numpy.empty(0)


def _rows(out: Any) -> Any:
    if numpy is None:
        return [(out[n], out[n + 1]) for n in range(0, len(out), 2)]
    return _values(out).reshape(-1, 2)


def _found(out: Any, single: bool) -> Closest:
    if single:
        place = out[0]
        return Closest((place.lon_deg, place.lat_deg), place.index, place.distance_m, place.along_m)
    if numpy is None:
        rows = [(each.lon_deg, each.lat_deg) for each in out]
        return Closest(
            rows, [each.index for each in out], [each.distance_m for each in out], [each.along_m for each in out]
        )
    kind = numpy.dtype([("point", "f8", 2), ("along", "f8"), ("distance", "f8"), ("index", "u8")])
    table = numpy.frombuffer(out, dtype=kind) if len(out) else numpy.empty(0, dtype=kind)
    return Closest(table["point"], table["index"].astype(numpy.int64), table["distance"], table["along"])


def _taken(buffer: c_void_p, kind: Any) -> Any:
    """The values of a buffer, which is freed."""
    try:
        size = lib.neat_buffer_size(buffer)
        data = string_at(lib.neat_buffer_data(buffer), size)
    finally:
        lib.neat_buffer_destroy(buffer)
    return (kind * (size // (4 if kind is c_uint32 else 8))).from_buffer_copy(data)


def _line(function: Any, *arguments: Any) -> Any:
    """Places of the buffer that a call makes."""
    buffer = c_void_p()
    check(function(*arguments, byref(buffer)))
    return _rows(_taken(buffer, c_double))

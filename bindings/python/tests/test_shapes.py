"""Geometry on the globe: against turfpy and pyproj where they are installed, and what comes in and out."""

import json
import math
import random

import numpy
import pytest

import neatline
from neatline import shapes

DEGREE = math.radians(1) * 6373000
BENT = [(0, 0), (1, 0), (1, 1)]
OUTER = [(0, 0), (10, 0), (10, 10), (0, 10), (0, 0)]
HOLE = [(3, 3), (3, 7), (7, 7), (7, 3), (3, 3)]
POLYGON = {"type": "Polygon", "coordinates": [OUTER, HOLE]}


class Thing:
    """What geometry libraries have."""

    def __init__(self, kind, coordinates):
        self.__geo_interface__ = {"type": kind, "coordinates": coordinates}


def near(a, b, within=1e-6):
    return numpy.allclose(a, b, rtol=0, atol=within)


def places(count, seed, degrees=80):
    generator = numpy.random.default_rng(seed)
    # With as many decimals as geojson, by which turfpy takes them, keeps.
    return generator.uniform((-179, -degrees), (179, degrees), (count, 2)).round(6)


# Places


def test_one_place_gives_a_number_and_many_an_array():
    assert near(shapes.distance((0, 0), (1, 0)), DEGREE)
    assert isinstance(shapes.distance((0, 0), (1, 0)), float)
    many = shapes.distance((0, 0), [(1, 0), (0, 2)])
    assert many.shape == (2,) and near(many, [DEGREE, 2 * DEGREE])
    assert shapes.distance([(0, 0)], [(1, 0)]).shape == (1,)
    assert near(shapes.bearing((0, 0), [(0, 1), (1, 0), (-1, 0)]), [0, 90, -90])
    assert near(shapes.midpoint((0, 0), (2, 0)), (1, 0))
    assert shapes.midpoint((0, 0), [(2, 0), (4, 0)]).shape == (2, 2)
    assert near(shapes.destination((0, 0), DEGREE, 90), (1, 0))
    assert near(shapes.destination((0, 0), DEGREE, [0, 90]), [(0, 1), (1, 0)])
    assert shapes.destination(places(5, 1), numpy.arange(5.0), 3).shape == (5, 2)
    assert shapes.distance([], []).shape == (0,) and shapes.distance((0, 0), []).shape == (0,)


def test_places_in_every_form():
    for place in (
        (1, 0), [1, 0, 300], numpy.array([1, 0]), numpy.array([1, 0], "f4"), Thing("Point", (1, 0, 5)),
        {"type": "Point", "coordinates": [1, 0]},
        {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 0]}},
    ):
        assert near(shapes.distance((0, 0), place), DEGREE), place
    for line in (
        BENT, numpy.array(BENT), numpy.array([(0, 0, 9), (1, 0, 9), (1, 1, 9)])[:, :2], iter(BENT),
        numpy.array([(0, 0, 9), (1, 0, 9), (1, 1, 9)], dtype="i8"), numpy.asfortranarray(BENT),
        [(0, 0), (1, 0, 5), (1, 1)], Thing("LineString", BENT), Thing("MultiPoint", BENT),
        {"type": "LineString", "coordinates": BENT}, [Thing("Point", place) for place in BENT],
    ):
        assert near(shapes.length(line), 2 * DEGREE, 1e-3), line


def test_what_is_no_place_or_line_is_refused():
    for wrong in (
        5, None, "ab", (1,), [(1,)], [(1, 2), 3], [("a", "b")], numpy.zeros((2, 2, 2)), numpy.zeros((3, 1)),
        POLYGON, {}, {"type": "Feature", "geometry": None}, [POLYGON], object(),
    ):
        with pytest.raises(neatline.InvalidArgumentError):
            shapes.length(wrong)
    with pytest.raises(neatline.InvalidArgumentError, match="2 elements|3 elements"):
        shapes.distance(places(2, 1), places(3, 1))
    with pytest.raises(neatline.InvalidArgumentError, match="place 1"):
        shapes.length([(0, 0), (math.nan, 0)])
    with pytest.raises(neatline.InvalidArgumentError):
        shapes.destination((0, 0), "far", 0)
    with pytest.raises(neatline.InvalidArgumentError):
        shapes.destination((0, 0), [[1, 2]], 0)
    assert math.isnan(shapes.distance((0, 0), (math.nan, 0)))


def test_angles():
    assert shapes.wrap(380, 0, 360) == 20 and shapes.wrap(-190, -180, 180) == 170
    assert math.isnan(shapes.wrap(1, 1, 1))
    assert shapes.difference(10, 350) == 20


# Lines


def test_along_and_closest():
    assert near(shapes.along(BENT, DEGREE * 1.5), (1, 0.5))
    assert shapes.along(BENT, [DEGREE, -1, math.inf]).tolist() == [[1, 0], [0, 0], [1, 1]]
    found = shapes.closest(BENT, (2, 0.5))
    assert near(found.point, (1, 0.5), 1e-3) and found.index == 1
    assert near(found.distance, DEGREE, 100) and near(found.along, DEGREE * 1.5, 100)
    many = shapes.closest(BENT, [(2, 0.5), (0, 0)])
    assert many.point.shape == (2, 2) and many.index.tolist() == [1, 0] and many.along[1] == 0
    for wrong in (math.nan, "x", [[1]]):
        with pytest.raises(neatline.InvalidArgumentError):
            shapes.along(BENT, wrong)
    with pytest.raises(neatline.InvalidArgumentError):
        shapes.along([], 0)


def test_parts_of_lines():
    assert near(shapes.sliced(BENT, (0.5, 0.1), (1.1, 0.5)), [(0.5, 0), (1, 0), (1, 0.5)], 1e-3)
    assert shapes.sliced(BENT).tolist() == [list(map(float, place)) for place in BENT]
    assert near(shapes.trimmed(BENT, DEGREE / 2, DEGREE * 1.5), [(0.5, 0), (1, 0), (1, 0.5)])
    assert near(shapes.trimmed_from(BENT, (1, 1), -DEGREE / 2), [(1, 1), (1, 0.5)])
    with pytest.raises(neatline.NotFoundError):
        shapes.trimmed(BENT, 5 * DEGREE, 6 * DEGREE)
    for start, stop in ((-1, 5), (5, 4), (math.nan, 5)):
        with pytest.raises(neatline.InvalidArgumentError):
            shapes.trimmed(BENT, start, stop)
    with pytest.raises(neatline.InvalidArgumentError):
        shapes.sliced(BENT, [(0, 0), (1, 1)])


def test_slices_add_up():
    generator = random.Random(1)
    for seed in range(20):
        line = numpy.cumsum(numpy.random.default_rng(seed).uniform(-1, 1, (30, 2)), axis=0)
        whole = shapes.length(line)
        cut = generator.uniform(0, whole)
        parts = shapes.trimmed(line, 0, cut), shapes.trimmed(line, cut, whole * 2)
        assert near(sum(map(shapes.length, parts)), whole, 1e-3)


def test_crossings_and_curves():
    found = shapes.intersections(BENT, [(0.5, -1), (0.5, 0.5), (2, 0.5)])
    assert near(found, [(0.5, 0), (1, 0.5)])
    assert shapes.intersections(BENT, [(5, 5), (6, 6)]).shape == (0, 2)
    with pytest.raises(neatline.LimitExceededError):
        shapes.intersections(BENT, [(0.5, -1), (0.5, 0.5), (2, 0.5)], limit=1)
    assert shapes.bezier(BENT).shape == (500, 2)
    for wrong in (0, 10**9):
        with pytest.raises(neatline.InvalidArgumentError):
            shapes.bezier(BENT, wrong)


# Lines and polygons


def test_simplified_shapes_are_of_the_kind_that_came():
    line = [(0, 0), (1, 0.01), (2, 0)]
    rows = shapes.simplify(numpy.array([(0, 0, 7), (1, 0.01, 8), (2, 0, 9)]), 0.1)
    assert rows.tolist() == [[0, 0, 7], [2, 0, 9]]
    assert shapes.simplify(line, 0.1).tolist() == [[0, 0], [2, 0]]
    assert len(shapes.simplify(line, 0.001)) == 3 and shapes.simplify([], 1).size == 0
    made = shapes.simplify({"type": "LineString", "coordinates": line, "bbox": [1]}, 0.1)
    assert made == {"type": "LineString", "coordinates": [(0, 0), (2, 0)], "bbox": [1]}
    polygon = shapes.simplify(POLYGON, 1e9)
    assert [len(ring) >= 4 and ring[0] == ring[-1] for ring in polygon["coordinates"]] == [True, True]
    collection = {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": {"a": 1}, "geometry": {"type": "LineString", "coordinates": line}},
            {"type": "Feature", "properties": None, "geometry": None},
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
        ],
    }
    found = shapes.simplify(collection, 0.1)["features"]
    assert found[0]["geometry"]["coordinates"] == [(0, 0), (2, 0)] and found[1:] == collection["features"][1:]
    assert collection["features"][0]["geometry"]["coordinates"] == line
    assert shapes.simplify(numpy.array(OUTER[:4]), 1e9, ring=True).shape[0] >= 4
    for tolerance in (-1, math.nan):
        with pytest.raises(neatline.InvalidArgumentError):
            shapes.simplify(line, tolerance)


def test_polygons():
    assert shapes.area(POLYGON) < shapes.area(OUTER)
    assert near(shapes.area({"type": "MultiPolygon", "coordinates": [[OUTER], [HOLE]]}), shapes.area(OUTER) +
                shapes.area(HOLE), 1)
    assert shapes.area({"type": "Point", "coordinates": [1, 2]}) == 0
    assert shapes.contains(POLYGON, (1, 1)) is True and shapes.contains(POLYGON, (5, 5)) is False
    assert shapes.contains(POLYGON, (0, 5)) and not shapes.contains(POLYGON, (0, 5), ignore_boundary=True)
    grid = numpy.stack(numpy.meshgrid(numpy.arange(12.0), numpy.arange(12.0)), -1).reshape(-1, 2)
    inside = shapes.contains(POLYGON, grid)
    assert inside.dtype == bool and inside.tolist() == [shapes.contains(POLYGON, place) for place in grid]
    assert shapes.contains(POLYGON, []).shape == (0,)
    assert shapes.bounds(POLYGON) == (0, 0, 10, 10) and shapes.bounds(BENT) == (0, 0, 1, 1)
    assert shapes.center(POLYGON) == (5, 5) and shapes.centroid(POLYGON) == (5, 5)
    assert near(shapes.center_of_mass(POLYGON), (5, 5))
    assert shapes.centroid({"type": "LineString", "coordinates": BENT}) == (2 / 3, 1 / 3)
    smooth = shapes.smooth(POLYGON, 1)["coordinates"]
    assert [len(ring) for ring in smooth] == [9, 9] and shapes.smooth(OUTER, 2).shape == (17, 2)
    ring = shapes.circle((11, 47), 500)
    assert ring.shape == (65, 2) and near(shapes.distance((11, 47), ring), 500)
    assert json.loads(json.dumps({"type": "Polygon", "coordinates": [ring.tolist()]}))
    with pytest.raises(neatline.LimitExceededError):
        shapes.smooth(OUTER, 60)
    for wrong in (lambda: shapes.circle((1, 1), 5, 2), lambda: shapes.circle((1, 1), math.nan),
                  lambda: shapes.bounds([]), lambda: shapes.center_of_mass({"type": "Point", "coordinates": [1, 2]}),
                  lambda: shapes.area({"type": "Polygon", "coordinates": [[(math.nan, 0)]]}),
                  lambda: shapes.simplify({"type": "Shape"}, 1)):
        with pytest.raises(neatline.InvalidArgumentError):
            wrong()


def test_without_numpy(monkeypatch):
    monkeypatch.setattr(shapes, "numpy", None)
    assert near(shapes.distance((0, 0), (1, 0)), DEGREE)
    assert near(shapes.distance((0, 0), [(1, 0), (0, 2)]), [DEGREE, 2 * DEGREE])
    assert shapes.along(BENT, [0, math.inf]) == [(0, 0), (1, 1)]
    assert shapes.closest(BENT, [(0, 0)]).index == [0]
    assert shapes.trimmed(BENT, 0, 10 * DEGREE) == BENT
    assert shapes.simplify([(0, 0), (1, 0.01), (2, 0)], 0.1) == [(0, 0), (2, 0)]
    assert shapes.contains(POLYGON, [(1, 1), (5, 5)]) == [True, False]
    assert shapes.area(POLYGON) > 0 and shapes.bounds(POLYGON) == (0, 0, 10, 10)
    assert shapes.centroid(POLYGON) == (5, 5) and shapes.length(Thing("LineString", BENT)) > 0
    assert shapes.smooth(POLYGON, 1)["coordinates"][0][0] == (2.5, 0)
    assert shapes.closest(BENT, (0, 0)).point == (0, 0) and len(shapes.circle((0, 0), 5, 3)) == 4
    with pytest.raises(neatline.InvalidArgumentError):
        shapes.length([(1,)])


def test_shapely():
    geometry = pytest.importorskip("shapely.geometry", reason="shapely is not installed")
    polygon = geometry.Polygon(OUTER, [HOLE])
    assert near(shapes.area(polygon), shapes.area(POLYGON), 1e-3)
    assert shapes.contains(polygon, geometry.Point(1, 1)) is True
    assert near(shapes.length(geometry.LineString(BENT)), 2 * DEGREE, 1e-3)
    simple = shapes.simplify(polygon, 100)
    assert isinstance(simple, geometry.Polygon) and simple.is_valid and len(simple.exterior.coords) >= 4
    assert isinstance(shapes.smooth(geometry.LinearRing(OUTER), 1), geometry.LinearRing)
    generator = numpy.random.default_rng(3)
    angles = numpy.sort(generator.uniform(0, 2 * math.pi, 50))
    ring = numpy.stack([numpy.cos(angles), numpy.sin(angles)], -1) * generator.uniform(1, 3, (50, 1))
    asked = generator.uniform(-3, 3, (500, 2))
    expected = [geometry.Polygon(ring).contains(geometry.Point(place)) for place in asked]
    assert shapes.contains(ring, asked).tolist() == expected
    # Douglas and Peucker without the first pass is what GEOS has, with ends kept.
    line = numpy.cumsum(generator.uniform(-1, 1, (200, 2)), axis=0)
    expected = geometry.LineString(line).simplify(0.5, preserve_topology=False)
    assert near(shapes.simplify(line, 0.5, high_quality=True), expected.coords)


# Against others


@pytest.fixture
def turfpy():
    pytest.importorskip("turfpy", reason="turfpy is not installed")
    import geojson
    from turfpy import measurement

    class Turf:
        measure = measurement

        @staticmethod
        def point(place):
            return geojson.Feature(geometry=geojson.Point([float(place[0]), float(place[1])]))

        @staticmethod
        def line(rows):
            return geojson.Feature(geometry=geojson.LineString([[float(x), float(y)] for x, y in rows]))

        @staticmethod
        def polygon(*rings):
            return geojson.Feature(geometry=geojson.Polygon([[(float(x), float(y)) for x, y in r] for r in rings]))

        @staticmethod
        def place(feature):
            return feature["geometry"]["coordinates"]

    return Turf


def test_places_are_turfpys(turfpy):
    """turfpy's sphere has 6371.0088 km: its distances by the quotient of the radii."""
    a, b = places(200, 5), places(200, 6)
    ours, bearings, middles = shapes.distance(a, b), shapes.bearing(a, b), shapes.midpoint(a, b)
    quotient = 6373000 / 6371008.8
    for n in range(200):
        p, q = turfpy.point(a[n]), turfpy.point(b[n])
        theirs = turfpy.measure.distance(p, q, units="m")
        assert theirs * quotient == pytest.approx(ours[n], rel=1e-6)
        assert shapes.difference(turfpy.measure.bearing(p, q), bearings[n]) < 1e-6
        middle = turfpy.place(turfpy.measure.midpoint(p, q))
        assert shapes.distance(middle, middles[n]) < 1
        there = turfpy.place(turfpy.measure.destination(p, 50, 33, {"units": "km"}))
        assert shapes.distance(there, shapes.destination(a[n], 50000 * quotient, 33)) < 1


def test_lines_and_polygons_are_turfpys(turfpy):
    quotient = 6373000 / 6371008.8
    line = numpy.cumsum(numpy.random.default_rng(7).uniform(-0.3, 0.3, (40, 2)), axis=0).round(6) + (11, 47)
    feature = turfpy.line(line)
    assert turfpy.measure.length(feature, units="m") * quotient == pytest.approx(shapes.length(line), rel=1e-6)
    half = shapes.length(line) / 2
    there = turfpy.place(turfpy.measure.along(feature, half / quotient, unit="m"))
    assert shapes.distance(there, shapes.along(line, half)) < 1
    polygon = turfpy.polygon(OUTER, HOLE)
    # turfpy's areas have the other radius too: the square of the quotient is within what is asked for here.
    assert turfpy.measure.area(polygon) == pytest.approx(shapes.area(POLYGON), rel=0.003)
    assert tuple(turfpy.place(turfpy.measure.center(polygon))) == shapes.center(POLYGON)
    ring = turfpy.polygon(OUTER)
    # turfpy counts the place that closes a ring.
    again = {"type": "MultiPoint", "coordinates": OUTER}
    assert near(turfpy.place(turfpy.measure.centroid(ring)), shapes.centroid(again))
    assert tuple(turfpy.measure.bbox(polygon)) == shapes.bounds(POLYGON)


def test_curves_circles_and_crossings_are_turfpys(turfpy):
    misc = pytest.importorskip("turfpy.misc", reason="turfpy.misc needs packages that are not installed")
    transformation = pytest.importorskip("turfpy.transformation", reason="as turfpy.misc")
    line = numpy.cumsum(numpy.random.default_rng(14).uniform(-0.3, 0.3, (12, 2)), axis=0).round(6) + (11, 47)
    curve = turfpy.place(transformation.bezier_spline(turfpy.line(line)))
    assert near(curve, shapes.bezier(line), 1e-5)
    circle = turfpy.place(transformation.circle(turfpy.point((11, 47)), radius=5))
    ours = shapes.circle((11, 47), 5000 * 6373000 / 6371008.8)
    assert near(circle[0], ours, 1e-5)
    other = line[::-1] * (1, -1) + (0.05, 94)
    found = {tuple(turfpy.place(each)) for each in misc.line_intersect(turfpy.line(line),
                                                                       turfpy.line(other))["features"]}
    crossings = shapes.intersections(line, other)
    assert len(found) == len(crossings) > 0
    assert near(sorted(found), sorted(map(tuple, crossings)), 1e-5)


def test_contains_is_turfpys(turfpy):
    pytest.importorskip("shapely", reason="shapely, which turfpy asks, is not installed")
    polygon = turfpy.polygon(OUTER, HOLE)
    for place in places(100, 8, 12) / (15, 1):
        assert turfpy.measure.boolean_point_in_polygon(turfpy.point(place), polygon) == shapes.contains(
            POLYGON, place)


def test_the_sphere_is_pyprojs():
    pyproj = pytest.importorskip("pyproj", reason="pyproj is not installed")
    sphere = pyproj.Geod(a=6373000, b=6373000)
    a, b = places(500, 9), places(500, 10)
    forward, _, distance = sphere.inv(*a.T, *b.T)
    assert numpy.allclose(shapes.distance(a, b), distance, rtol=1e-9, atol=1e-3)
    assert max(shapes.difference(x, y) for x, y in zip(shapes.bearing(a, b), forward)) < 1e-6
    longitudes, latitudes, _ = sphere.fwd(*a.T, forward, distance / 3)
    there = shapes.destination(a, distance / 3, forward)
    assert shapes.distance(there, numpy.stack([longitudes, latitudes], -1)).max() < 1e-2
    line = numpy.cumsum(numpy.random.default_rng(11).uniform(-1, 1, (100, 2)), axis=0)
    assert shapes.length(line) == pytest.approx(sphere.line_length(*line.T), rel=1e-9)


def test_areas_are_near_pyprojs():
    """Edges here are straight in degrees, and great circles there: for short ones the two are the same."""
    pyproj = pytest.importorskip("pyproj", reason="pyproj is not installed")
    sphere = pyproj.Geod(a=6378137, b=6378137)
    angles = numpy.linspace(0, 2 * math.pi, 721)
    for latitude in (0, 47, -70):
        ring = numpy.stack([11 + numpy.cos(angles) / 4, latitude + numpy.sin(angles) / 5], -1)
        expected, _ = sphere.polygon_area_perimeter(*ring.T)
        assert shapes.area(ring) == pytest.approx(abs(expected), rel=1e-5)


def test_the_earth_is_near_pyprojs():
    """Against the ellipsoid a sphere is off by half a hundredth at most."""
    pyproj = pytest.importorskip("pyproj", reason="pyproj is not installed")
    a, b = places(500, 12), places(500, 13)
    _, _, distance = pyproj.Geod(ellps="WGS84").inv(*a.T, *b.T)
    assert numpy.allclose(shapes.distance(a, b), distance, rtol=0.006)

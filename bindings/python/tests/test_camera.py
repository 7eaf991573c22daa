"""Views: which place is seen where, fits, limits, ways."""

import math

import neatline
import numpy
import pytest
from neatline import Limits, View

PLACES = [(11.3, 47.2), (11.5, 47.3), (11.4, 47.4)]


def near(a, b, within=1e-6):
    return all(abs(x - y) <= within for x, y in zip(a, b))


def test_what_is_under_a_point_is_seen_there():
    for projection, zoom in (("mercator", 12), ("globe", 4)):
        view = View((11.4, 47.27), zoom, 30, 40, 5, (800, 600), (10, 0, 60, 0), projection=projection)
        points = [(100, 300), (400, 325), (700, 500)]
        places = view.places(points)
        assert all(near(a, b, 1e-3) for a, b in zip(view.points(places), points))
        assert near(view.place((400, 275)), (11.4, 47.27))


def test_fits_are_of_the_globe_where_the_map_is_one():
    north = (-141, 42, -52, 83)
    corners = [(x, y) for x in (-141, -96.5, -52) for y in (42, 83)]

    def room(view):
        points = view._replace(projection="globe").projected(corners)
        return min(min(x, 800 - x, y, 600 - y) for x, y in points)

    plane = View(size=(800, 600)).fit(north)
    globe = View(size=(800, 600), projection="globe").fit(north)
    assert room(plane) < -5 and abs(room(globe)) < 1
    style = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}
    for kind, wanted in (("globe", globe), ("mercator", plane)):
        laid = {**style, "projection": {"type": kind}}
        with neatline.Renderer(laid) as renderer, neatline.Map((800, 600)) as map:
            assert near(renderer.view(size=(800, 600)).fit(north).center, wanted.center)
            camera, _ = renderer._view(None, None, None, None, None, (800, 600), 1, north, 0)
            assert near((camera.lon_deg, camera.lat_deg, camera.zoom), (*wanted.center, wanted.zoom))
            map.load_style(laid)
            map.set_camera(bounds=north)
            assert near((*map.view.center, map.view.zoom), (*wanted.center, wanted.zoom))


def test_the_sky_has_no_place_and_what_is_beside_the_view_no_point():
    view = View(zoom=4, pitch=80, size=(800, 600))
    assert view.place((400, 0)) is None and not view.on_surface((400, 0)) and view.on_surface((400, 500))
    flat = View(zoom=10)
    assert flat.point((10, 0)) == (-1, -1) and flat.projected([(10, 0)])[0][0] > 512
    # Behind the eye.
    assert view.projected([(0, -80)]) == [None]
    globe = View(zoom=1, projection="globe")
    # What holds a view of the plane at the world's edge does not hold one of the globe.
    assert globe._replace(center=(0, 80)).within(Limits()).center == (0, 80)
    assert View((0, 80), 1).within(Limits()).center[1] < 79
    there = View((-170, 60), 2, projection="globe")
    for way in (globe._replace(center=(170, 0)).ease, globe._replace(center=(170, 0)).fly):
        ends, half = [way(there, t) for t in (0, 1)], way(there, 0.5)
        assert ends[0].center == (170, 0) and ends[1][:2] == there[:2]
        assert abs(half.center[0]) > 170 and 0 < half.center[1] < 60 and half.projection == "globe"
    with pytest.raises(neatline.InvalidArgumentError, match="behind the camera"):
        globe.ease(there, 0.5, around=(180, 0))
    assert globe.point((180, 0)) == (-1, -1)
    assert not globe.on_surface((0, 0)) and globe.place((0, 0)) is not None


def test_bounds_are_wrapped_or_go_on():
    view = View((179.9, 0), 10)
    west, _, east, _ = view.bounds
    assert west > 0 > east
    assert view.unwrapped_bounds[2] > 180
    assert View(zoom=-1).bounds[::2] == (-180, 180)


TARGETS = [PLACES, numpy.array(PLACES), {"type": "MultiPoint", "coordinates": PLACES}]


@pytest.mark.parametrize("target", TARGETS, ids=["list", "array", "GeoJSON"])
@pytest.mark.parametrize("turn", [dict(), dict(bearing=120, pitch=60, roll=20)], ids=["straight", "turned"])
def test_all_places_are_within_the_padding_and_one_at_its_edge(target, turn):
    view = View(size=(640, 480), padding=(5, 0, 0, 0), **turn).fit(target, padding=(20, 30, 40, 50))
    rooms = [min(x - 30, 590 - x, y - 25, 440 - y) for x, y in view.points(PLACES)]
    assert abs(min(rooms)) < 0.5


def test_a_box_is_fitted_at_most_as_deep_as_said():
    assert View(size=400).fit((5, 45, 5.001, 45.001), max_zoom=9).zoom == pytest.approx(9)
    assert abs(View(size=400).fit((170, -5, -170, 5)).center[0]) == pytest.approx(180)
    view = View(size=400).fit((0, 0, 1, 1), offset=(30, -20))
    (x0, y0), (x1, y1) = view.projected([(0, 0), (1, 1)])
    assert near(((x0 + x1) / 2, (y0 + y1) / 2), (230, 180))


def test_limits_hold_a_view():
    box = (5, 45, 12, 49)
    seen = View((40, 0), 3, size=(800, 600)).within(Limits("screen", box)).bounds
    assert seen[0] >= 5 - 1e-9 and seen[1] >= 45 - 1e-9 and seen[2] <= 12 + 1e-9 and seen[3] <= 49 + 1e-9
    assert View(zoom=20, pitch=80).within(Limits(max_zoom=9, max_pitch=0))[1:4] == (9, 0, 0)


def test_ways_begin_here_and_end_there():
    here, there = View((170, 10), 4, 350, padding=10), View((-170, 20), 8, 30, 40)
    for way in (here.ease, here.fly):
        first, last = way(there, 0), way(there, 1)
        assert near(first.center, here.center) and first.zoom == pytest.approx(4) and first.padding[0] == 10
        assert near(last.center, there.center) and near(last[1:4], there[1:4]) and last.padding[0] == 0
        assert abs(way(there, 0.5).center[0]) > 169
    # The shorter way around.
    assert here.ease(there, 0.5).bearing == pytest.approx(10)
    assert min(here.fly(there._replace(zoom=4), t / 10).zoom for t in range(11)) < 3.6
    assert here.flight_time(there, speed=2.4) == pytest.approx(here.flight_time(there) / 2)
    place, start = (170.5, 10.2), here.point((170.5, 10.2))
    assert near(here.ease(there, 0.7, around=place).point(place), start, 0.01)


def test_a_picture_shows_what_its_view_says():
    style = {
        "version": 8,
        "sources": {"s": {"type": "geojson", "data": {"type": "MultiPoint", "coordinates": PLACES}}},
        "layers": [{"id": "c", "type": "circle", "source": "s", "paint": {"circle-radius": 4}}],
    }
    with neatline.Renderer(style) as renderer:
        view = renderer.view(size=(300, 200), bearing=20).fit(PLACES, padding=20)
        image = renderer.draw(**view.camera, size=view.size)
        for x, y in view.points(PLACES):
            assert numpy.asarray(image)[int(y), int(x), 3] == 255
        assert renderer.view().center == (0, 0)


def test_a_map_has_a_view():
    with neatline.Map((300, 200)) as map:
        map.set_camera(center=(11.4, 47.3), zoom=9)
        assert near(map.view.point((11.4, 47.3)), (150, 100))
        map.set_camera(**map.view.fit(PLACES).camera)
        assert all(point != (-1, -1) for point in map.view.points(PLACES))


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf, 1e300])
def test_bad_numbers_are_refused(bad):
    view, other = View(zoom=3), View(zoom=5)
    for call in [
        lambda: view.point((bad, 0)),
        lambda: view.point((0, bad)),
        lambda: view.place((bad, 0)),
        lambda: view._replace(zoom=bad).bounds,
        lambda: view._replace(center=(0, bad)).bounds,
        lambda: view._replace(bearing=bad).bounds,
        lambda: view._replace(pitch=bad).bounds,
        lambda: view._replace(roll=bad).bounds,
        lambda: view._replace(padding=bad).bounds,
        lambda: view._replace(ratio=bad).bounds,
        lambda: view.fit((0, 0, bad, 1)),
        lambda: view.fit([(0, bad)]),
        lambda: view.fit((0, 0, 1, 1), padding=bad),
        lambda: view.fit((0, 0, 1, 1), max_zoom=bad),
        lambda: view.fit((0, 0, 1, 1), offset=(bad, 0)),
        lambda: view.within(Limits(min_zoom=bad)),
        lambda: view.within(Limits(bounds=(0, 0, bad, 1))),
        lambda: view.ease(other, bad),
        lambda: view.ease(other, 0.5, around=(bad, 0)),
        lambda: view.ease(other, 0.5, offset=(0, bad)),
        lambda: view.fly(other, 0.5, curve=bad),
        lambda: view.flight_time(other, speed=bad),
    ]:
        with pytest.raises(neatline.InvalidArgumentError):
            call()


def test_bad_words_and_empty_targets_are_refused():
    view = View()
    for call in [
        lambda: View(projection="flat").bounds,
        lambda: view.within(Limits("all")),
        lambda: view.within(Limits(bounds=(0, 1, 1, 0))),
        lambda: view.within(Limits(min_zoom=9, max_zoom=3)),
        lambda: view.fit([]),
        lambda: view.fit({"type": "FeatureCollection", "features": []}),
        lambda: view.fit({"type": "Point", "coordinates": ["a", "b"]}),
        lambda: view.fit("no GeoJSON"),
        lambda: view.fit((0, 0, 1, 1), padding=300),
        lambda: view.ease(view, 2),
        lambda: view.fly(view, 0.5, curve=0),
    ]:
        with pytest.raises(neatline.InvalidArgumentError):
            call()
    assert view.points([]) == [] and view.places([]) == []


def test_an_eye_below_the_sea_is_raised_to_it():
    style = {
        "version": 8,
        "sources": {
            "p": {
                "type": "geojson",
                "data": {"type": "Polygon", "coordinates": [[[0, 0], [0.02, 0.01], [0, 0.02]]]},
            }
        },
        "layers": [
            {"id": "ground", "type": "background", "paint": {"background-color": "#ddd"}},
            {"id": "p", "type": "fill-extrusion", "source": "p", "paint": {"fill-extrusion-height": 900}},
        ],
    }

    def picture(pitch, zoom):
        map.set_camera(pitch=pitch, zoom=zoom)
        assert map.loop.run(10) is False
        assert near((map.camera.pitch, map.camera.zoom), (pitch, zoom))
        return numpy.asarray(map.draw())

    with neatline.Map((200, 150)) as map:
        map.load_style(style)
        map.set_limits(Limits(max_pitch=180))
        map.set_camera(center=(0.01, -0.02), bearing=10)
        # The centre lies on the sea: the view goes along it, from as far away as the eye's foot is.
        for pitch in (100, 130):
            below = picture(pitch, 13)
            level = picture(90, 13 - math.log2(math.sin(math.radians(pitch))))
            assert len(numpy.unique(below)) > 8 and (below == level).all()
            assert (below == picture(90, 13)).mean() < 0.998
        # Lifted, it is looked up to.
        map.set_center_elevation(2000)
        assert (picture(100, 13) == picture(90, 13)).mean() < 0.9

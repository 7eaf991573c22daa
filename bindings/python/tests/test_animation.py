"""Limits, easings, flights, animators, and frames that the host paces."""

import asyncio
import math
import os
import pathlib

import neatline
import numpy as np
import PIL.Image
import pytest

PLAIN = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}


@pytest.fixture
def map():
    with neatline.Map((800, 600), pacing="host") as map:
        map.load_style(PLAIN)
        map.set_camera((11, 47), zoom=10)
        map.loop.run()
        map.begin_frame(0)
        map.draw()
        map.loop.run()
        yield map


def test_an_easing_follows_the_times_of_the_host(map):
    ends, told = [], []
    map.on_every("animation_began", lambda event: told.append((event.animator, event.owner)))
    map.on_every("animation_ended", lambda event: told.append((event.animator, event.owner, event.position)))
    animator = map.ease_to(zoom=12, bearing=90, duration=1, curve="linear", owner="me", completion=ends.append)
    assert map.is_frame_due and animator.state == "active" and told == [(animator.id, "me")]
    (alive,) = map.animators
    assert alive == {
        "id": animator.id, "owner": "me", "state": "active", "fraction_complete": 0, "is_reversed": False,
    }
    for time, zoom in ((10, 10), (10.25, 10.5), (10.5, 11)):
        map.begin_frame(time)
        assert map.camera.zoom == pytest.approx(zoom)
    assert animator.fraction_complete == pytest.approx(0.5) and animator.position is None
    map.begin_frame(11)
    assert map.camera[1:3] == (12, 90) and ends == ["end"] == [animator.position]
    assert told[1:] == [(animator.id, "me", "end")] and map.animators == []


def test_a_flight_goes_out_and_in_and_another_takes_its_place(map):
    ends = []
    flight = map.fly_to(center=(-120, 40), zoom=10, completion=ends.append)
    map.begin_frame(0)
    map.begin_frame(3)
    assert map.camera.zoom < 8
    flight.stop()
    assert ends == ["current"] and flight.state == "finished"
    second = map.fly_to(center=(11, 47), duration=1)
    map.ease_to(zoom=3, duration=0, completion=ends.append)
    assert second.position == "current" and ends == ["current", "end"] and map.camera.zoom == 3


def test_an_animator_is_started_paused_reversed_and_stopped(map):
    ends = []
    animator = map.make_animator({"zoom": 8, "pitch": 40}, start={"zoom": 4}, duration=1, curve="linear")
    animator.when_ended(ends.append)
    assert animator.state == "inactive" and map.camera.zoom == 10
    animator.start()
    assert map.camera.zoom == 4
    map.begin_frame(1)
    map.begin_frame(1.5)
    assert (map.camera.zoom, map.camera.pitch) == (pytest.approx(6), pytest.approx(20))
    animator.pause()
    map.begin_frame(3)
    animator.resume()
    animator.reverse()
    assert animator.is_reversed
    map.begin_frame(4)
    map.begin_frame(9)
    assert map.camera.zoom == 4 and ends == ["start"]
    with pytest.raises(neatline.InvalidStateError):
        animator.start()
    animator.when_ended(ends.append)
    assert ends == ["start"]
    map.loop.run()
    assert ends == ["start", "start"]


def test_one_that_nobody_holds_stops(map):
    ends = []
    animator = map.make_animator({"bearing": 90}, duration=1, curve="linear", owner="wheel")
    animator.when_ended(ends.append)
    animator.start(delay=0.5)
    map.begin_frame(0)
    map.begin_frame(1)
    assert map.camera.bearing == pytest.approx(45)
    del animator
    assert ends == ["current"]
    map.begin_frame(2)
    assert map.camera.bearing == pytest.approx(45)


def test_an_animator_outlives_its_map():
    with neatline.Map(64, pacing="host") as map:
        ends = []
        animator = map.make_animator({"zoom": 3})
        animator.when_ended(ends.append)
        animator.start()
    assert ends == ["current"] and animator.state == "finished"
    with pytest.raises(neatline.InvalidStateError):
        animator.start()
    animator.stop()


def test_an_easing_is_awaited():
    async def main():
        with neatline.Map(32, threads=1) as map:
            await map.load_style(PLAIN)
            assert await map.ease_to(zoom=3, duration=0.05) == "end"
            assert map.camera.zoom == 3
            animator = map.make_animator({"zoom": 1}, duration=0.02).start()
            assert await animator == "end" and await animator == "end"

    asyncio.run(main())


def test_an_exception_of_a_completion_is_raised_by_the_call(map):
    def fail(position):
        raise RuntimeError(position)

    with pytest.raises(RuntimeError, match="end"):
        map.ease_to(zoom=3, duration=0, completion=fail)
    assert map.camera.zoom == 3


def test_the_anchor_keeps_its_place(map):
    anchor = (700, 100)
    place = map.view.place(anchor)
    map.set_camera(zoom=12, bearing=60, anchor=anchor)
    assert map.view.point(place) == pytest.approx(anchor, abs=0.01)
    map.ease_to(pitch=50, anchor=anchor, duration=1)
    for time in (0, 0.3, 0.8, 1.1):
        map.begin_frame(time)
        assert map.view.point(place) == pytest.approx(anchor, abs=0.01)


def test_limits_hold_the_camera(map):
    assert map.limits == neatline.Limits()
    changes = []
    map.on_every("camera_changed", lambda event: changes.append(event))
    map.set_limits(neatline.Limits(bounds=(10, 46, 10.5, 48), max_zoom=9, max_pitch=20))
    assert len(changes) == 1 and map.camera.center[0] == pytest.approx(10.5) and map.camera.zoom == 9
    map.set_camera(pitch=60)
    assert map.camera.pitch == 20
    assert map.limits.bounds == (10, 46, 10.5, 48)
    with pytest.raises(neatline.InvalidArgumentError, match="zooms"):
        map.set_limits(neatline.Limits(min_zoom=5, max_zoom=4))


def test_frames_are_due_and_the_same_times_give_the_same_pictures():
    def film():
        with neatline.Map((64, 48), pacing="host", threads=2) as map:
            told = []
            map.on_every("frame_due", lambda event: told.append(event))
            style = dict(PLAIN, layers=[dict(PLAIN["layers"][0], paint={"background-color": "#123456"})])
            assert not map.is_frame_due
            map.load_style(style)
            map.loop.run()
            assert map.is_frame_due and len(told) == 1
            map.begin_frame(5)
            pictures = [map.draw().tobytes()]
            map.loop.run()
            assert not map.is_frame_due and len(told) == 1
            map.set_paint_property("b", "background-color", "#fedcba")
            assert map.is_frame_due
            map.loop.run()
            assert len(told) == 2
            for time in (50, 50.1, 50.2, 50.4):
                map.begin_frame(time)
                pictures.append(map.draw().tobytes())
            map.loop.run()
            assert not map.is_frame_due
            return pictures

    first = film()
    assert first == film() and len(set(first)) >= 4


@pytest.mark.parametrize(
    "wrong",
    [
        {"zoom": math.nan}, {"zoom": 1e9}, {"center": (0, 91)}, {"center": (1,)}, {"pitch": -1}, {"padding": (1, 2)},
        {"padding": -1}, {"duration": -1}, {"duration": math.inf}, {"curve": "round"}, {"curve": (0, 0, 1)},
        {"curve": (2, 0, 1, 1)}, {"curve": 3.0}, {"anchor": (math.inf, 0)}, {"owner": "x" * 257},
    ],
)
def test_what_cannot_be_is_refused(map, wrong):
    before = map.camera
    for go in (map.ease_to, map.fly_to):
        with pytest.raises(neatline.InvalidArgumentError):
            go(**wrong)
    camera = {name: value for name, value in wrong.items() if name not in ("duration", "curve", "owner")}
    rest = {name: value for name, value in wrong.items() if name not in camera}
    with pytest.raises(neatline.InvalidArgumentError):
        map.make_animator(camera or {"zoom": 3}, **rest)
    assert map.camera == before and map.animators == []


def test_animators_have_no_roll_and_pacing_has_two_kinds(map):
    with pytest.raises(neatline.InvalidArgumentError, match="roll"):
        map.make_animator({"roll": 3})
    with pytest.raises(neatline.InvalidArgumentError, match="from has"):
        map.make_animator({"zoom": 3}, start={"pitch": 3})
    with pytest.raises(neatline.InvalidArgumentError, match="pacing"):
        neatline.Map(32, pacing="vsync")
    with neatline.Map(32) as other:
        with pytest.raises(neatline.InvalidStateError):
            other.begin_frame(0)


# Pictures at fixed times

def test_an_easing_around_a_place_and_to_an_offset(map):
    def point(place):
        return neatline.View(*map.camera[:2], size=(800, 600)).point(place)

    place = (11.05, 47.02)
    before = point(place)
    map.ease_to(zoom=12, around=place, duration=1, curve="linear")
    for time in (0, 0.5, 1):
        map.begin_frame(time)
        assert point(place) == pytest.approx(before, abs=0.01)
    assert map.camera.zoom == 12
    map.ease_to(center=(12, 48), offset=(100, -50), duration=0)
    assert point((12, 48)) == pytest.approx((500, 250), abs=0.01)
    map.fly_to(center=(13, 49), zoom=9, offset=(-10, 20), duration=0)
    assert point((13, 49)) == pytest.approx((390, 320), abs=0.01)


def test_a_flight_as_high_and_as_fast_as_asked(map):
    def top(**options):
        map.set_camera((11, 47), zoom=10)
        map.begin_frame(map_time[0])
        map.fly_to(center=(21, 47), zoom=10, duration=1, curve="linear", **options)
        zooms = []
        for step in range(11):
            map.begin_frame(map_time[0] + step / 10)
            zooms.append(map.camera.zoom)
        map_time[0] += 2
        return min(zooms)

    map_time = [1.0]
    assert top(arc=2) < top() < top(arc=1)
    assert top(min_zoom=8) > 7.5
    view = neatline.View((11, 47), 10, size=(800, 600))
    for began, options in ((100, {"speed": 3}), (200, {"screen_speed": 3})):
        map.set_camera((11, 47), zoom=10)
        ends = []
        map.fly_to(center=(21, 47), zoom=10, completion=ends.append, **options)
        # Its time begins with the next frame.
        map.begin_frame(began)
        length = view.flight_time(neatline.View((21, 47), 10, size=(800, 600)), **options)
        map.begin_frame(began + length - 0.01)
        assert ends == []
        map.begin_frame(began + length + 0.01)
        assert ends == ["end"]
    map.fly_to(center=(30, 47), max_duration=0.1, completion=ends.append)
    assert map.camera.center == pytest.approx((30, 47)) and ends[-1] == "end"


@pytest.mark.parametrize(
    "options, word",
    [({"arc": 0}, "curve"), ({"speed": -1}, "speed"), ({"screen_speed": math.nan}, "speed"), ({"min_zoom": 99}, "zoom"),
     ({"offset": (1,)}, "offset"), ({"offset": (math.inf, 0)}, "offset"), ({"max_duration": -1}, "duration")],
)
def test_a_flight_that_cannot_be_is_refused_and_moves_nothing(map, options, word):
    with pytest.raises(neatline.InvalidArgumentError, match=word):
        map.fly_to(center=(12, 48), **options)
    assert map.camera.center == (11, 47) and map.animators == []


def test_an_easing_around_what_is_no_place_is_refused(map):
    for around in ((1, 2, 3), (math.nan, 0), (0, 91)):
        with pytest.raises(neatline.InvalidArgumentError):
            map.ease_to(zoom=11, around=around)
    assert map.animators == []


def test_an_owner_of_256_bytes_and_one_more(map):
    assert map.ease_to(zoom=11, owner="x" * 256).state == "active"
    assert map.animators[0]["owner"] == "x" * 256
    with pytest.raises(neatline.NeatlineError, match="256"):
        map.ease_to(zoom=12, owner="x" * 257)
    assert [each["owner"] for each in map.animators] == ["x" * 256]


def test_an_eye_and_its_view():
    view = neatline.View((11.4, 47.3), 12, bearing=30, pitch=50, size=(800, 600))
    eye = view.eye
    assert 0 < eye.position[2] < 1 and np.linalg.norm(eye.orientation) == pytest.approx(1)
    again = view.seen_from(eye)
    assert again.center == pytest.approx(view.center, abs=1e-9) and again.zoom == pytest.approx(12)
    assert (again.bearing, again.pitch) == pytest.approx((30, 50))
    above = neatline.Eye((eye.position[0], eye.position[1], eye.position[2]))
    assert view.seen_from(above).pitch == pytest.approx(0)
    looking = view.seen_from(above.looking_at((11.5, 47.4)))
    assert looking.center == pytest.approx((11.5, 47.4), abs=1e-6)
    for broken in (neatline.Eye((0.5, 0.5, -1)), neatline.Eye((math.nan, 0, 1)), neatline.Eye((0.5, 0.5, 0.1), (0, 0, 0, 0))):
        with pytest.raises(neatline.InvalidArgumentError):
            view.seen_from(broken)
    with pytest.raises(neatline.InvalidArgumentError):
        above.looking_at((11.5, 91))


ROOT = pathlib.Path(__file__).resolve().parents[3]
DEMO = ROOT / "Examples/demo/style.json"
PICTURES = ROOT / "Tests/Traces/pictures"


def film(begin, times, threads=2, polls=0):
    """The pictures of a map at some times, one beside the other."""
    with neatline.Map((128, 160), pacing="host", threads=threads) as map:
        map.load_style(DEMO)
        map.set_camera(center=(-9, 39), zoom=4)
        map.loop.run()
        begin(map)
        frames = []
        for time in times:
            for _ in range(polls):
                map.loop.poll()
            map.begin_frame(time)
            while not map.is_loaded:
                map.loop.run(0.02)
            frames.append(np.asarray(map.draw()))
        return np.hstack(frames)


def fly(map):
    map.fly_to(center=(24, 60), zoom=4, duration=2)


def ease(map):
    map.ease_to(center=(3, 44), zoom=4.7, bearing=50, pitch=45, duration=1, curve="ease_in_out")


def swipe(map):
    """A flick with its glide, a turn of the wheel in it, and a pinch."""
    events = [("down", 0, 60, 80, 0.0), ("move", 0, 75, 80, 0.016), ("move", 0, 95, 84, 0.033), ("up", 0, 95, 84, 0.04)]
    for phase, id, x, y, time in events:
        map.pointer(phase, x, y, id=id, time=time)
    map.begin_frame(0.3)
    map.wheel(30, 30, -240, time=0.31)
    map.pointer("down", 40, 80, id=1, time=0.5)
    map.pointer("down", 80, 80, id=2, time=0.5)
    map.pointer("move", 30, 70, id=1, time=0.55)
    map.pointer("move", 90, 95, id=2, time=0.58)


@pytest.mark.parametrize("name, begin, length", [("flight", fly, 2), ("easing", ease, 1)])
def test_pictures_of_a_way(name, begin, length):
    """Those of Tests/Traces/pictures, which NEATLINE_WRITE_PICTURES=1 writes anew: look at them then."""
    picture = film(begin, [length * step / 5 for step in range(6)])
    path = PICTURES / f"{name}.png"
    if os.environ.get("NEATLINE_WRITE_PICTURES"):
        path.parent.mkdir(exist_ok=True)
        PIL.Image.fromarray(picture).save(path)
    assert np.array_equal(picture, np.asarray(PIL.Image.open(path)))


@pytest.mark.parametrize("begin", [fly, ease, swipe])
def test_the_same_input_and_times_give_the_same_pictures(begin):
    times = [0.6, 0.61, 0.75, 0.9, 1.2, 2.5, 2.9]
    first = film(begin, times, threads=1)
    assert np.array_equal(first, film(begin, times, threads=2))
    assert np.array_equal(first, film(begin, times, threads=2, polls=3))

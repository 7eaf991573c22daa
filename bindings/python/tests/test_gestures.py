"""Gestures: pointers, wheel and keys move a map."""

import math

import neatline
import pytest

PLAIN = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}


def plain(**options):
    map = neatline.Map((800, 600), **options)
    map.load_style(PLAIN)
    map.set_camera((11, 47), zoom=10)
    map.loop.run()
    return map


@pytest.fixture
def map():
    with plain() as map:
        yield map


@pytest.fixture
def paced():
    with plain(pacing="host") as map:
        yield map


def flick(map, start=0.0):
    """1,000 pixels a second to the right."""
    map.pointer("down", 300, 300, time=start)
    map.pointer("move", 320, 300, time=start + 0.02)
    map.pointer("move", 340, 300, time=start + 0.04)
    map.pointer("up", 340, 300, time=start + 0.04)


def pixels(map, before):
    return (before - map.camera.center[0]) / 360 * 512 * 2**map.camera.zoom


def test_a_pan_glides_on_the_loop_and_the_map_is_idle_after(map):
    map.set_gesture_options(pan_deceleration_factor=0.97)
    told = []
    map.on_every(None, lambda event: told.append(event))
    flick(map, 5000)
    assert [event.kind for event in told if event.gesture] == ["gesture_began", "gesture_ended"]
    assert told[0].gesture == "pan" and told[0].point == (300, 300)
    assert told[-1].will_animate is True and told[-1].point is None
    assert pixels(map, 11) == pytest.approx(40)
    map.loop.run()
    assert pixels(map, 11) == pytest.approx(40 + 0.965 / -math.log(0.97), abs=0.01)
    kinds = [event.kind for event in told]
    assert kinds.index("gesture_ended_animating") < kinds.index("map_idle") == len(kinds) - 1


def test_a_host_paces_a_glide_by_its_own_clock(paced):
    flick(paced)
    paced.begin_frame(0.14)
    assert pixels(paced, 11) == pytest.approx(40 + (1 - 0.998**100) / -math.log(0.998), abs=0.01)
    paced.cancel_gestures()
    before = paced.camera
    paced.begin_frame(5)
    assert paced.camera == before


def test_nothing_is_idle_while_a_finger_holds_the_map(map):
    told = []
    map.on_every("map_idle", lambda event: told.append(event))
    map.pointer("down", 10, 10)
    map.pointer("move", 60, 10)
    map.loop.run()
    assert not told
    map.pointer("cancel", 60, 10)
    map.loop.run()
    assert len(told) == 1


def test_wheel_keys_and_second_button(paced):
    paced.wheel(400, 300, -100, time=1)
    paced.begin_frame(1.5)
    assert paced.camera.zoom == pytest.approx(10 + math.log2(2 / (1 + math.exp(-100 / 450))))
    zoom = paced.camera.zoom
    paced.key("+", time=2)
    paced.begin_frame(2.5)
    assert paced.camera.zoom == pytest.approx(zoom + 1)
    paced.wheel(400, 300, 5, time=3, trackpad=True)
    assert paced.camera.zoom < zoom + 1
    for phase, x, y in (("down", 100, 100), ("move", 150, 40), ("up", 150, 40)):
        paced.pointer(phase, x, y, time=4, kind="mouse", button="secondary")
    assert (paced.camera.bearing, paced.camera.pitch) == (pytest.approx(40), pytest.approx(30))
    paced.key("left", modifiers=["shift"], time=5)
    paced.begin_frame(6)
    assert paced.camera.bearing == pytest.approx(25)


def test_options_are_taken_by_name(map):
    options = map.gesture_options
    assert options["pan_mode"] == "horizontalAndVertical" and options["focal_point"] is None
    assert options["pan_deceleration_factor"] == 0.998 and options["wheel_zoom_enabled"] is True
    map.set_gesture_options(pan_mode="vertical", focal_point=(3, 4), keyboard_enabled=False)
    assert map.gesture_options == {
        **options, "pan_mode": "vertical", "focal_point": [3, 4], "keyboard_enabled": False,
    }
    map.set_gesture_options(**options)
    assert map.gesture_options == options


@pytest.mark.parametrize(
    "wrong",
    [
        {"pan_mode": "up"}, {"pan_deceleration_factor": 1}, {"wheel_zoom_rate": -1}, {"focal_point": [1]},
        {"pan_enabled": 1}, {"fling": True}, {"zoom_animation_amount": math.nan},
    ],
)
def test_wrong_options_are_refused_by_name_and_change_nothing(map, wrong):
    before = map.gesture_options
    first, second = next(iter(wrong)).split("_")[0], next(iter(wrong)).split("_")[-1]
    with pytest.raises(neatline.InvalidArgumentError) as caught:
        map.set_gesture_options(quick_zoom_enabled=False, **wrong)
    assert first in str(caught.value) and second in str(caught.value).lower()
    assert map.gesture_options == before


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 1e300])
def test_numbers_that_are_none_are_refused(paced, value):
    before = paced.camera
    for attempt in (
        lambda: paced.pointer("down", value, 0), lambda: paced.pointer("down", 0, value),
        lambda: paced.pointer("down", 0, 0, time=value), lambda: paced.wheel(0, 0, value),
        lambda: paced.wheel(0, 0, 1, time=value), lambda: paced.key("+", time=value),
        lambda: paced.begin_frame(value),
    ):
        with pytest.raises(neatline.InvalidArgumentError):
            attempt()
    assert paced.camera == before


def test_names_that_are_none_are_refused_and_named(map):
    for attempt, word in (
        (lambda: map.pointer("tap", 0, 0), "tap"), (lambda: map.pointer("down", 0, 0, kind="nose"), "nose"),
        (lambda: map.pointer("down", 0, 0, button="left"), "left"), (lambda: map.key("a"), "'a'"),
        (lambda: map.key("+", modifiers=["hyper"]), "hyper"),
        (lambda: map.pointer("down", 0, 0, id=2**63), "id"),
    ):
        with pytest.raises(neatline.InvalidArgumentError, match=word):
            attempt()


def test_ten_pointers_are_the_limit_and_none_is_stuck(map):
    for id in range(10):
        map.pointer("down", id, 0, id=id, time=0)
    with pytest.raises(neatline.LimitExceededError, match="pointer 99"):
        map.pointer("down", 0, 0, id=99, time=0)
    told = []
    map.on_every("gesture_began", lambda event: told.append(event.gesture))
    flick(map, 1)
    assert told == ["pan"]

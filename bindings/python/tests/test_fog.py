"""The root fog of Mapbox styles: in pictures, on maps, and where it is wrong."""

import warnings

import pytest

import neatline

GROUND = {"id": "b", "type": "background", "paint": {"background-color": "#ff0000"}}
STYLE = {"version": 8, "sources": {}, "layers": [GROUND]}
VIEW = {"center": (0, 0), "zoom": 12, "pitch": 80, "size": 32}


def style(**fog):
    return {**STYLE, "fog": {"range": [0, 1], **fog}}


def pixel(image, x, y):
    start = 4 * (y * image.width + x)
    return tuple(image.tobytes()[start:start + 4])


def test_far_ground_is_hidden_and_the_sky_is_there():
    clear, hidden = neatline.render(STYLE, **VIEW), neatline.render(style(color="#ffffff"), **VIEW)
    assert pixel(clear, 16, 0)[3] == 0 and pixel(hidden, 16, 0)[3] == 255
    assert pixel(clear, 16, 31) == pixel(hidden, 16, 31) == (255, 0, 0, 255)
    assert pixel(clear, 16, 12) == (255, 0, 0, 255) and pixel(hidden, 16, 12)[1] > 200
    assert hidden.is_complete and not hidden.missing


def test_a_sky_is_drawn_in_its_place():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", neatline.MissingWarning)
        image = neatline.render({**style(), "sky": {}}, **VIEW)
    assert [entry.resource for entry in image.missing] == ["fog"]


def test_faults_are_named():
    assert not neatline.validate(style(color="#dc9f9f", **{"color-transition": {"duration": 5}}))
    messages = neatline.validate(style(**{"star-intensity": 2, "colour": "red"}))
    assert len(messages) == 2 and "star-intensity" in str(messages) and "colour" in str(messages)


def test_it_is_set_on_a_map():
    with neatline.Map((32, 32)) as map:
        map.load_style({**STYLE, "zoom": 12, "pitch": 80})
        map.loop.run()
        map.set_transitions(False)
        clear = map.draw().tobytes()
        map.set_style_property("fog", {"range": [0, 1]})
        hidden = map.draw().tobytes()
        assert hidden != clear
        with pytest.raises(neatline.StyleError, match="range"):
            map.set_style_property("fog", {"range": [0, 21]})
        assert map.draw().tobytes() == hidden
        map.change_style([("setFog", None)])
        assert map.draw().tobytes() == clear

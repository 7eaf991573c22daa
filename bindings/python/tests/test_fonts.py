"""Glyph ranges and shaping."""

import pathlib

import pytest
from neatline import FontError, Fonts, InvalidArgumentError

DEJAVU = pathlib.Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


@pytest.fixture(scope="module")
def fonts():
    if not DEJAVU.exists():
        pytest.skip("DejaVu Sans is not installed")
    return Fonts([DEJAVU])


def test_a_range_of_a_font_is_one_of_its_stack(fonts):
    assert fonts.names and fonts.names[0].startswith("DejaVu Sans")
    name = fonts.names[0]
    data = fonts.range(0, name)
    assert name.encode() in data and b"0-255" in data
    # What was drawn is read again, and shapes as the font does.
    other = Fonts()
    other.add_range(data, name)
    request = {"sections": [{"text": "Map", "fontStack": name}], "maxWidth": 0}
    assert len(str(other.shape(request))) > 100
    assert other.range(0, name) == data


def test_characters_that_nobody_has_are_left_out(fonts):
    assert len(fonts.range(0x10FF00, fonts.names[0])) < 60
    assert len(Fonts().range(0, "Nobody")) < 60


@pytest.mark.parametrize("first", [1, 255, -256, 0x110000])
def test_ranges_begin_at_a_multiple_of_256(fonts, first):
    with pytest.raises(InvalidArgumentError):
        fonts.range(first, "x")


def test_what_is_no_font_is_told():
    with pytest.raises(FontError):
        Fonts().add_file(b"no font")
    with pytest.raises(FontError):
        Fonts().add_range(b"no range at all", "x")

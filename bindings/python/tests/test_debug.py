"""What pictures show of how they are made."""

import numpy
import pytest

import neatline

STYLE = {
    "version": 8,
    "sources": {"a": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
    "layers": [
        {"id": "b", "type": "background", "paint": {"background-color": "#fff"}},
        {"id": "c", "type": "circle", "source": "a", "paint": {"circle-radius": 9}},
    ],
}


def drawn(**options):
    return numpy.asarray(neatline.render(STYLE, (0, 0), 1, size=256, **options))


def test_pictures_show_tile_borders_and_padding():
    plain = drawn()
    assert not (drawn(debug=["tile_borders"]) == plain).all()
    padded = drawn(debug=["padding"], padding=(40, 30, 20, 10))
    assert padded[37, 200].tolist() == [255, 0, 0, 255]
    assert (drawn(debug=[]) == plain).all()


def test_a_map_keeps_its_options():
    with neatline.Map(size=256) as map:
        map.load_style(STYLE)
        map.loop.run()
        assert map.debug_options == []
        plain = numpy.asarray(map.draw())
        map.debug_options = ["overdraw", "collision"]
        assert map.debug_options == ["collision", "overdraw"]
        map.loop.run()
        assert not (numpy.asarray(map.draw()) == plain).all()


@pytest.mark.parametrize("names", [["borders"], "tile_borders", ["tile_borders", ""]])
def test_other_names_are_refused(names):
    with pytest.raises(neatline.InvalidArgumentError):
        neatline.render(STYLE, debug=names)
    with neatline.Map(size=256) as map:
        with pytest.raises(neatline.InvalidArgumentError):
            map.debug_options = names
        assert map.debug_options == []

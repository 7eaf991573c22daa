"""Overlays, attribution and scale bar."""

import pytest
import neatline
from neatline import InvalidArgumentError, LimitExceededError, NotFoundError, Overlay, Renderer, decode_image

STYLE = {
    "version": 8,
    "sources": {},
    "layers": [{"id": "paper", "type": "background", "paint": {"background-color": "#ffffff"}}],
}
SQUARE = {
    "type": "Feature",
    "properties": {"fill": "#ff0000", "fill-opacity": 1},
    "geometry": {"type": "Polygon", "coordinates": [[[-5, -5], [5, -5], [5, 5], [-5, 5], [-5, -5]]]},
}


@pytest.fixture(scope="module")
def renderer():
    with Renderer(STYLE) as renderer:
        yield renderer


def middle(image):
    return tuple(image.to_numpy()[image.height // 2, image.width // 2])


def test_geojson_and_objects_with_an_interface_are_drawn(renderer):
    class Shape:
        __geo_interface__ = SQUARE

    for data in [SQUARE, Shape(), [Shape()], {"type": "FeatureCollection", "features": [SQUARE]}]:
        assert middle(renderer.draw((0, 0), 2, size=64, overlay=Overlay(data))) == (255, 0, 0, 255)
    assert middle(renderer.draw((0, 0), 2, size=64)) == (255, 255, 255, 255)


def test_the_view_goes_around_an_overlay(renderer):
    overlay = Overlay(SQUARE)
    assert overlay.bounds == (-5, -5, 5, 5)
    image = renderer.draw(bounds=overlay.bounds, padding=8, size=64, overlay=overlay)
    assert tuple(image.to_numpy()[32, 12]) == (255, 0, 0, 255) and tuple(image.to_numpy()[32, 3]) == (255, 255, 255, 255)


def test_sources_layers_and_images(renderer):
    white = decode_image(neatline.render(STYLE, size=4).png())
    overlay = Overlay(
        sources={"s": {"type": "geojson", "data": SQUARE}},
        layers=[{"id": "s", "type": "fill", "source": "s", "paint": {"fill-color": "#00ff00"}}],
        images={"white": white},
    )
    assert middle(renderer.draw((0, 0), 2, size=64, overlay=overlay)) == (0, 255, 0, 255)


@pytest.mark.parametrize("arguments", [{"data": {"x": 1}}, {"layers": 3}, {"data": SQUARE, "layers": []}])
def test_what_is_no_overlay_is_refused(arguments):
    with pytest.raises((InvalidArgumentError, TypeError)):
        Overlay(**arguments)


def test_limits_and_names(renderer):
    with pytest.raises(LimitExceededError):
        Overlay(layers=[{"id": str(n), "type": "background"} for n in range(257)])
    with pytest.raises(NotFoundError):
        Overlay({"type": "FeatureCollection", "features": []}).bounds
    with pytest.raises(InvalidArgumentError, match="paper"):
        renderer.draw((0, 0), 2, overlay=Overlay(layers=[{"id": "paper", "type": "background"}]))
    with pytest.raises(InvalidArgumentError, match="furlongs"):
        renderer.draw((0, 0), 2, scale_bar="furlongs")


def test_attribution_and_scale_bar(renderer):
    plain = renderer.draw((0, 0), 2, size=(200, 100)).to_numpy()
    told = renderer.draw((0, 0), 2, size=(200, 100), attribution="Somebody", scale_bar="metric").to_numpy()
    assert (plain[80:, 140:] != told[80:, 140:]).any() and (plain[70:, :100] != told[70:, :100]).any()
    assert (plain[:60] == told[:60]).all()


def test_an_overlay_that_is_closed_is_told(renderer):
    overlay = Overlay(SQUARE)
    overlay.close()
    with pytest.raises(Exception, match="closed"):
        renderer.draw((0, 0), 2, overlay=overlay)

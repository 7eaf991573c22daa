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


def test_annotations_are_drawn_and_fitted(renderer):
    overlay = Overlay(annotations=[
        neatline.PolygonAnnotation(SQUARE["geometry"], fill_color="#0000ff"),
        neatline.CircleAnnotation((0, 0), circle_radius=10, circle_color="#ff0000"),
        neatline.CircleAnnotation((20, 10), circle_radius=3, circle_color="#00ff00"),
    ])
    image = renderer.draw((0, 0), 2, size=64, overlay=overlay).to_numpy()
    assert tuple(image[32, 32]) == (255, 0, 0, 255) and tuple(image[22, 22]) == (0, 0, 255, 255)
    assert overlay.bounds == (-5, -5, 20, 10)
    again = renderer.draw((0, 0), 2, size=64).to_numpy()
    assert tuple(again[32, 32]) == (255, 255, 255, 255), "the picture alone has them"


def test_managers_have_options_and_a_place(renderer):
    circle = {"geometry": {"type": "Point", "coordinates": [0, 0]}}
    several = [{"geometry": {"type": "Point", "coordinates": [x, 0]}} for x in (0, 0.01, 0.02)]
    below = {"kind": "circle", "options": {"layerPosition": {"below": "paper"}}, "annotations": [circle]}
    assert middle(renderer.draw((0, 0), 2, size=64, overlay=Overlay(annotations=[below]))) == (255, 255, 255, 255)
    clustered = {
        "kind": "circle", "options": {"cluster": {"colors": [[0, "#ff00ff"]], "textField": ""}}, "annotations": several,
    }
    assert middle(renderer.draw((0, 0), 2, size=64, overlay=Overlay(annotations=[clustered]))) == (255, 0, 255, 255)
    held = {"kind": "circle", "options": {"properties": {"circle-color": "#00ff00"}}, "annotations": [neatline.CircleAnnotation((0, 0))]}
    assert middle(renderer.draw((0, 0), 2, size=64, overlay=Overlay(annotations=[held]))) == (0, 255, 0, 255)


@pytest.mark.parametrize(
    "manager, words",
    [
        ({"kind": "square"}, "kind"), ({}, "kind"), ({"kind": "circle", "colour": 1}, "colour"),
        ({"kind": "circle", "id": 7}, "id"), ({"kind": "circle", "annotations": {}}, "array"),
        ({"kind": "circle", "annotations": [{"geometry": {"type": "Point", "coordinates": [0]}}]}, "#1"),
        ({"kind": "circle", "annotations": [{"id": "a", "geometry": {"type": "Point", "coordinates": [0, 0]}}] * 2}, "a"),
        ({"kind": "circle", "options": {"properties": {"circle-color": 7}}}, "circle-color"),
    ],
)
def test_annotations_that_are_wrong_are_refused_by_name(renderer, manager, words):
    with pytest.raises(neatline.NeatlineError, match=words):
        renderer.draw((0, 0), 2, size=64, overlay=Overlay(annotations=[manager]))


def test_there_is_a_limit_of_managers():
    with pytest.raises(LimitExceededError):
        Overlay(annotations=[{"kind": "circle"}] * 65)
    with pytest.raises(InvalidArgumentError):
        Overlay(annotations=[7])
    with pytest.raises(TypeError):
        Overlay(SQUARE, annotations=[])


def test_labels_are_drawn_in_a_language():
    place = {"type": "Feature", "properties": {"name": "", "name_ja": "|||||"}, "geometry": {"type": "Point", "coordinates": [0, 0]}}
    style = {
        "version": 8,
        "sources": {"s": {"type": "geojson", "data": place}},
        "layers": [{"id": "s", "type": "symbol", "source": "s", "layout": {"text-field": ["get", "name"]}}],
    }
    assert not neatline.render(style, size=64).to_numpy().any()
    assert neatline.render(style, size=64, language="ja").to_numpy().any()
    with pytest.raises(InvalidArgumentError, match="12"):
        Renderer(style, language="12")

"""Budgets of expressions: bytes and steps of one evaluation, of a call, of an image, of a style's constants."""

import time
import warnings

import neatline
import pytest


def doubled(inner, times):
    """An expression of a text that is doubled so many times."""
    text = ["var", "a"]
    for _ in range(times):
        text = ["let", "a", ["concat", ["var", "a"], ["var", "a"]], text]
    return ["let", "a", inner, text]


def points(count):
    return {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "properties": {"name": f"name {number}"},
             "geometry": {"type": "Point", "coordinates": [number % 100 / 1e4, number // 100 / 1e4]}}
            for number in range(count)
        ],
    }


def style(layer, count=1):
    return {
        "version": 8,
        "sources": {"s": {"type": "geojson", "data": points(count)}},
        "layers": [{"id": "l", "source": "s", **layer}],
    }


def missing(renderer, **options):
    """What a small image of the points lacks."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", neatline.MissingWarning)
        return renderer.draw((0, 0), 13, size=32, **options).missing


def test_an_evaluation_past_its_budget_is_an_error_that_names_it():
    expression = neatline.Expression(doubled(["get", "name"], 40))
    with pytest.raises(neatline.ExpressionError, match="The evaluation takes more than 16 MiB"):
        expression.evaluate({"properties": {"name": "0123456789"}})
    assert neatline.Expression(["get", "name"]).evaluate({"properties": {"name": "x"}}) == "x"


def test_the_budget_of_an_expression_can_be_set():
    expression = neatline.Expression(["concat", ["get", "name"], ["get", "name"]])
    feature = {"properties": {"name": "01234"}}
    expression.set_budget(evaluation_bytes=10)
    assert expression.evaluate(feature) == "0123401234"
    expression.set_budget(evaluation_bytes=9)
    with pytest.raises(neatline.ExpressionError, match="more than 9 bytes"):
        expression.evaluate(feature)
    expression.set_budget(evaluation_steps=1)
    with pytest.raises(neatline.ExpressionError, match="more than 1 steps"):
        expression.evaluate(feature)
    expression.set_budget()
    assert expression.evaluate(feature) == "0123401234"
    with pytest.raises(ValueError):
        expression.set_budget(evaluation_bytes=-1)


def test_a_filter_past_its_budget_lets_nothing_pass():
    chosen = neatline.Filter(["==", ["concat", ["get", "name"], "!"], "x!"])
    assert chosen.matches({"properties": {"name": "x"}})
    chosen.set_budget(evaluation_bytes=1)
    assert not chosen.matches({"properties": {"name": "x"}})


def test_a_constant_past_its_budget_does_not_compile_and_is_not_valid():
    bomb = doubled("xxxxxxxxxx", 40)
    with pytest.raises(neatline.ExpressionError, match="The constant takes more than 1 MiB"):
        neatline.Expression(bomb)
    found = neatline.validate(style({"type": "symbol", "layout": {"text-field": bomb}}))
    assert any("The constant takes more than 1 MiB" in message.message for message in found), found


@pytest.mark.parametrize("layer, place", [
    ({"type": "symbol", "layout": {"text-field": doubled(["get", "name"], 40)}}, "layers.l.layout.text-field"),
    ({"type": "circle", "paint": {"circle-radius": ["length", doubled(["get", "name"], 40)]}},
     "layers.l.paint.circle-radius"),
    ({"type": "circle", "filter": ["!=", doubled(["get", "name"], 40), ""]}, "layers.l.filter"),
])
def test_the_report_names_layer_and_property(layer, place):
    with neatline.Renderer(style(layer)) as renderer:
        lacking = missing(renderer)
    found = [(entry.resource, entry.message) for entry in lacking]
    assert found == [(place, "The evaluation takes more than 16 MiB")]
    assert lacking[0].layer == "l"


def test_budgets_are_options_of_renderers():
    layer = {"type": "circle", "paint": {"circle-radius": ["length", ["concat", ["get", "name"], "!"]]}}
    with neatline.Renderer(style(layer), evaluation_bytes=4) as renderer:
        lacking = missing(renderer)
    assert [entry.message for entry in lacking] == ["The evaluation takes more than 4 bytes"]
    with neatline.Renderer(style(layer, 1000), expression_steps=100) as renderer:
        lacking = missing(renderer)
    assert "The expressions of the image take more than 100 steps" in {entry.message for entry in lacking}
    text = {"type": "symbol", "layout": {"text-field": doubled(["get", "name"], 10)}}
    with neatline.Renderer(style(text, 1000), expression_bytes=100_000) as renderer:
        lacking = missing(renderer)
    assert "The image takes more than 100000 bytes for values of expressions" in {
        entry.message for entry in lacking
    }


def test_a_deadline_ends_the_layout_of_slow_expressions():
    slow = ["length", ["upcase", doubled(["concat", ["get", "name"], "ß"], 18)]]
    made = style({"type": "circle", "paint": {"circle-radius": slow}}, 400)
    with neatline.Renderer(made) as renderer:
        start = time.monotonic()
        lacking = missing(renderer, deadline=0.05)
        took = time.monotonic() - start
    assert took < 1.5, took
    assert [entry.code for entry in lacking if entry.layer == "l"]


def test_a_live_map_goes_on_after_expressions_past_their_budget():
    bomb = style({"type": "symbol", "layout": {"text-field": doubled(["get", "name"], 40)}})
    with neatline.Map(32, threads=1, retries=0) as map, warnings.catch_warnings():
        warnings.simplefilter("ignore", neatline.MissingWarning)
        map.load_style(bomb)
        map.loop.run(10)
        image = map.draw()
        assert [(entry.resource, entry.message) for entry in image.missing] == [
            ("layers.l.layout.text-field", "The evaluation takes more than 16 MiB")
        ]
        map.load_style(style({"type": "circle"}))
        map.loop.run(10)
        assert map.draw().missing == []

"""Expressions, filters, validation."""

import math

import pytest

import neatline


def test_values_of_every_kind():
    feature = {"properties": {"n": 3, "s": "abc", "list": [1, 2]}}
    cases = [
        (["+", ["get", "n"], 1], 4),
        (["upcase", ["get", "s"]], "ABC"),
        ([">", ["get", "n"], 2], True),
        (["get", "list"], [1, 2]),
        (["get", "none"], None),
        (7, 7),
    ]
    for expression, expected in cases:
        assert neatline.Expression(expression).evaluate(feature) == expected


def test_zoom_and_legacy_functions():
    line = neatline.Expression(["interpolate", ["linear"], ["zoom"], 0, 0, 10, 20], property="line-width")
    assert line.evaluate(zoom=5) == pytest.approx(10)
    assert line.info["isFeatureConstant"] is True and line.info["isZoomConstant"] is False
    legacy = neatline.Expression({"stops": [[0, 1], [10, 11]]}, property="line-width")
    assert legacy.evaluate(zoom=4) == pytest.approx(5)


def test_an_expression_that_does_not_compile_says_where():
    with pytest.raises(neatline.ExpressionError) as caught:
        neatline.Expression(["+", 1, ["no-such-operator"]])
    assert caught.value.errors and "no-such-operator" in str(caught.value)
    with pytest.raises(neatline.ExpressionError):
        neatline.Expression(["concat", "a", "b"], property="line-width")


def test_a_failing_evaluation_raises():
    with pytest.raises(neatline.ExpressionError):
        neatline.Expression(["number", ["get", "s"]]).evaluate({"properties": {"s": "abc"}})


def test_a_whole_layer_at_once(points):
    (layer,) = points.layers
    values = neatline.Expression(["*", ["get", "rank"], 2]).evaluate_layer(points, layer)
    assert list(values) == [0, 2, 4, 6, 8]
    assert list(neatline.Expression(["step", ["zoom"], 0, 3, 7]).evaluate_layer(points, 0, zoom=3)) == [7] * 5
    assert all(
        math.isnan(value) for value in neatline.Expression(["get", "name"]).evaluate_layer(points, layer.name)
    )


def test_a_whole_layer_into_columns_of_every_kind(points):
    rank = ["number", ["get", "rank"]]
    colors = neatline.Expression(
        ["case", [">", rank, 2], ["rgba", 255, 0, 0, 0.5], "blue"]
    ).evaluate_layer_colors(points, 0)
    flat = [float(value) for row in colors for value in row] if hasattr(colors, "shape") else list(colors)
    assert flat == pytest.approx([0, 0, 1, 1] * 3 + [1, 0, 0, 0.5] * 2)
    assert list(neatline.Expression([">", rank, 2]).evaluate_layer_booleans(points, 0)) == [0, 0, 0, 1, 1]
    strings = neatline.Expression(["concat", "é", ["to-string", ["get", "rank"]]]).evaluate_layer_strings(
        points, 0
    )
    assert strings == ["é0", "é1", "é2", "é3", "é4"]
    text = neatline.Expression(["format", ["get", "rank"], {}, "!", {"font-scale": 2}], property="text-field")
    assert text.evaluate_layer_strings(points, 0) == ["0!", "1!", "2!", "3!", "4!"]


def test_a_table_of_zooms():
    line = neatline.Expression(["interpolate", ["exponential", 2], ["zoom"], 0, 1, 3, 8])
    assert list(line.evaluate_zooms([-1, 0, 1, 2, 3, 9])) == pytest.approx([1, 1, 2, 4, 8, 8])
    assert list(line.evaluate_zooms([])) == []
    assert math.isnan(neatline.Expression(["get", "rank"]).evaluate_zooms([3])[0])


def test_filters(points):
    odd = neatline.Filter(["==", ["get", "odd"], True])
    assert list(odd.select(points, 0)) == [1, 3]
    assert odd.matches({"properties": {"odd": True}}) and not odd.matches({"properties": {}})
    assert list(neatline.Filter([">=", "rank", 3]).select(points, 0)) == [3, 4]
    with pytest.raises(neatline.ExpressionError):
        neatline.Filter(["no-such-operator"])


def test_format_strings_become_expressions():
    assert neatline.format_expression("$zoomLevel + 1") == ["+", ["zoom"], 1]
    assert neatline.format_expression("'Izzy'") == "Izzy"
    stops = neatline.format_expression(
        "mgl_interpolate:withCurveType:parameters:stops:(x, 'linear', nil, %@)", {10: 5, 2.5: 0}
    )
    assert stops == ["interpolate", ["linear"], ["get", "x"], 2.5, 0, 10, 5]
    assert neatline.Expression(stops).evaluate({"properties": {"x": 10}}) == 5
    colour = neatline.format_expression(
        "TERNARY(a > %f, %@, %@)", 0.5, {"$color": "red"}, {"$expression": ["get", "colour"]}
    )
    assert colour == ["case", [">", ["get", "a"], 0.5], ["rgb", 255, 0, 0], ["get", "colour"]]


def test_predicate_format_strings_become_filters(points):
    odd = neatline.format_expression(
        "odd = YES AND %K >= %d AND name BEGINSWITH[c] 'P'", "rank", 2, predicate=True
    )
    assert list(neatline.Filter(odd).select(points, 0)) == [3]
    assert neatline.format_expression("a != nil AND b IN %@", ["x", "y"], predicate=True) == [
        "all",
        ["has", "a"],
        ["in", ["get", "b"], ["literal", ["x", "y"]]],
    ]


def test_format_strings_without_an_expression_say_why_and_where():
    with pytest.raises(neatline.UnsupportedError, match=r"MATCHES needs regular expressions.*\(byte 5\)"):
        neatline.format_expression("name MATCHES 'x'", predicate=True)
    with pytest.raises(neatline.ExpressionError, match=r"\(byte 4\)"):
        neatline.format_expression("1 + 'x'")
    with pytest.raises(neatline.InvalidArgumentError, match="%d takes an integer"):
        neatline.format_expression("a = %d", "x")
    with pytest.raises(neatline.LimitExceededError):
        neatline.format_expression("(" * 1000)
    with pytest.raises(neatline.InvalidArgumentError, match=r"\[0\] is nan"):
        neatline.format_expression("a = %@", math.nan)


def test_legacy_functions_and_filters_become_expressions():
    assert neatline.legacy_expression({"base": 1.5, "stops": [[5, 1], [10, 4]]}, "line-width") == [
        "interpolate",
        ["exponential", 1.5],
        ["zoom"],
        5,
        1,
        10,
        4,
    ]
    assert neatline.legacy_expression("{name}", "text-field") == ["to-string", ["get", "name"]]
    assert neatline.legacy_filter(["!in", "class", "a", "b"]) == [
        "match",
        ["get", "class"],
        ["a", "b"],
        False,
        True,
    ]
    with pytest.raises(neatline.ExpressionError):
        neatline.legacy_expression({"stops": []}, "line-width")
    with pytest.raises(neatline.InvalidArgumentError):
        neatline.legacy_expression({"stops": [[0, 1]]}, "no-property")
    with pytest.raises(neatline.ExpressionError):
        neatline.legacy_filter(["in", 5])


def test_styles_are_migrated_and_otherwise_kept():
    style = {
        "version": 8,
        "x": {"y": [1]},
        "layers": [
            {
                "id": "a",
                "type": "line",
                "filter": ["==", "k", 1],
                "z": None,
                "paint": {"line-width": {"stops": [[0, 1], [9, 2]]}},
            }
        ],
    }
    found = neatline.migrate(style)
    assert found["x"] == {"y": [1]} and list(found["layers"][0]) == list(style["layers"][0])
    assert found["layers"][0]["filter"] == ["==", ["get", "k"], 1]
    assert found["layers"][0]["paint"]["line-width"] == ["interpolate", ["linear"], ["zoom"], 0, 1, 9, 2]
    with pytest.raises(neatline.StyleError):
        neatline.migrate("[]")


def test_layers_that_are_not_there(points):
    with pytest.raises(KeyError):
        neatline.Expression(1).evaluate_layer(points, "nothing")
    with pytest.raises(neatline.NeatlineError):
        neatline.Expression(1).evaluate_layer(points, 99)


def test_a_valid_style_has_no_issues(demo, red):
    assert neatline.validate(red) == []
    assert neatline.validate(demo) == []


def test_issues_carry_their_line():
    text = '{\n"version": 8,\n"sources": {},\n"layers": [\n{"id": "a", "type": "nonsense"}\n]\n}'
    issues = neatline.validate(text)
    assert {issue.line for issue in issues} == {5} and any("nonsense" in issue.message for issue in issues)


def test_text_that_is_not_json_raises():
    with pytest.raises(neatline.JSONError):
        neatline.validate("{nothing")

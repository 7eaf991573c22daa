"""What clients and styles of others can make of little: it costs them their picture, and nobody else anything."""

import json
import time
import urllib.parse

PLACE = "/styles/demo/static/10,50,5/200x150.png"


def doubled(inner, times):
    """An expression of a text that is doubled so many times."""
    text = ["var", "a"]
    for _ in range(times):
        text = ["let", "a", ["concat", ["var", "a"], ["var", "a"]], text]
    return ["let", "a", inner, text]


def annotations(property, value, kind="point"):
    manager = {
        "kind": kind,
        "options": {"properties": {property: value}},
        "annotations": [{"geometry": {"type": "Point", "coordinates": [10, 50]}}],
    }
    return f"{PLACE}?{urllib.parse.urlencode([('annotations', json.dumps(manager))])}"


def test_texts_that_double_do_not_take_the_server_down(serve):
    server = serve()
    for property, value, kind in [
        ("text-field", doubled("xxxxxxxxxx", 40), "point"),
        ("text-field", doubled(["to-string", ["id"]], 40), "point"),
        ("text-field", doubled(["to-string", ["properties"]], 40), "point"),
        ("icon-image", doubled(["to-string", ["id"]], 40), "point"),
        ("circle-radius", ["length", doubled(["to-string", ["id"]], 40)], "circle"),
        ("circle-color", ["to-color", doubled(["to-string", ["id"]], 40), "red"], "circle"),
    ]:
        start = time.monotonic()
        status, _, body = server.get(annotations(property, value, kind))
        # A constant is refused when it is compiled; what differs from feature to feature is drawn without.
        assert status == 200 or status == 400 and b"The constant takes more than" in body, (property, status, body)
        assert time.monotonic() - start < 20, property
        assert server.get(PLACE)[0] == 200, f"the server answers after {property}"


def test_a_constant_past_its_budget_is_refused_with_its_words(serve):
    answer = serve().get(annotations("text-field", doubled("xxxxxxxxxx", 40)))
    assert answer[0] == 400 and b"The constant takes more than 1 MiB" in answer[2], answer


def test_slow_annotations_end_with_the_timeout(serve):
    server = serve("--timeout", "1")
    # Each text is within its budget, and slow to make; there are many of them.
    value = ["length", ["upcase", doubled(["concat", ["to-string", ["id"]], "ß"], 20)]]
    manager = {
        "kind": "circle",
        "options": {"properties": {"circle-radius": value}},
        "annotations": [
            {"geometry": {"type": "Point", "coordinates": [10 + place / 1e4, 50]}} for place in range(40)
        ],
    }
    query = urllib.parse.urlencode([("annotations", json.dumps(manager, separators=(",", ":")))])
    start = time.monotonic()
    server.get(f"{PLACE}?{query}")
    assert time.monotonic() - start < 5
    assert server.get(PLACE)[0] == 200


def test_styles_that_double_texts_are_drawn_without_them(serve, tmp_path):
    style = {
        "version": 8,
        "sources": {
            "g": {"type": "geojson", "data": {
                "type": "Feature", "properties": {"name": "0123456789"},
                "geometry": {"type": "Point", "coordinates": [10, 50]}}}},
        "layers": [
            {"id": "constant", "type": "symbol", "source": "g", "layout": {"text-field": doubled("x", 40)}},
            {"id": "data", "type": "symbol", "source": "g",
             "layout": {"text-field": doubled(["get", "name"], 40)}},
        ],
    }
    path = tmp_path / "bomb.json"
    path.write_text(json.dumps(style))
    server = serve(style=str(path))
    for _ in range(2):
        assert server.get("/styles/bomb/static/10,50,5/64x64.png")[0] == 200

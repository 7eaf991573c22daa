"""Annotations over static pictures of the server."""

import io
import json
import urllib.parse

import PIL.Image

PLACE = "/styles/demo/static/10,50,5/200x150.png"


def colors(answer):
    return {pixel for _, pixel in PIL.Image.open(io.BytesIO(answer[2])).convert("RGB").getcolors(1 << 20)}


def asked(*managers):
    values = [("annotations", each if isinstance(each, str) else json.dumps(each)) for each in managers]
    return f"{PLACE}?{urllib.parse.urlencode(values)}"


def manager(color, lon=10):
    return {
        "kind": "circle",
        "annotations": [
            {
                "geometry": {"type": "Point", "coordinates": [lon, 50]},
                "properties": {"circle-color": color, "circle-radius": 12},
            }
        ],
    }


def test_annotations_are_drawn_over_a_picture(serve):
    server = serve(cache=16)
    plain = server.get(PLACE)
    red = server.get(asked(manager("#ff0000")))
    assert plain[0] == red[0] == 200
    assert (255, 0, 0) in colors(red) and (255, 0, 0) not in colors(plain)
    both = server.get(asked(manager("#ff0000"), [manager("#00ff00", 11)]))
    assert {(255, 0, 0), (0, 255, 0)} <= colors(both)
    assert server.get(asked(manager("#0000ff")))[2] != red[2], "the cache tells them apart"


def test_annotations_that_are_wrong_are_refused_with_their_words(serve):
    server = serve()
    for wrong, words in [
        ("{", "annotations"), ("7", "annotations"), ({"kind": "square"}, "kind"),
        ({"kind": "circle", "options": {"properties": {"circle-color": 7}}}, "circle-color"),
        ([{"kind": "circle"}] * 65, "limit"),
    ]:
        answer = server.get(asked(wrong))
        assert answer[0] == 400, (wrong, answer[2])
        assert words in answer[2].decode(), answer[2]

"""neatline.server: an ASGI application over renderers."""

import json
import pathlib
import re
import threading
import warnings

import pytest

pytest.importorskip("starlette")
pytest.importorskip("httpx")

import neatline  # noqa: E402
from neatline.server import Limits, create_app  # noqa: E402
from starlette.applications import Starlette  # noqa: E402
from starlette.routing import Mount  # noqa: E402
from starlette.testclient import TestClient  # noqa: E402

RED = {"version": 8, "name": "Red", "center": [11.39, 47.27], "zoom": 3, "sources": {}, "layers": [
    {"id": "b", "type": "background", "paint": {"background-color": "#f00"}}]}
BLUE = {**RED, "name": "Blue", "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#00f"}}]}


@pytest.fixture(scope="module")
def client():
    with TestClient(create_app({"red": RED, "blue one": json.dumps(BLUE)}, workers=2)) as client:
        yield client


@pytest.mark.parametrize("path, size", [
    ("/styles/red/2/1/1.png", (256, 256)), ("/styles/red/512/2/1/1.png", (512, 512)), ("/styles/red/256/2/1/1@2x.webp", (512, 512)),
    ("/styles/red/static/11,47,4/30x20.png", (30, 20)), ("/styles/red/static/11,47,4@30,40/30x20@3x.jpg", (90, 60)),
    ("/styles/red/static/5,40,20,55/30x20.jpeg?quality=40", (30, 20)), ("/styles/blue%20one/0/0/0.png", (256, 256)),
])
def test_pictures(client, path, size):
    answer = client.get(path)
    assert answer.status_code == 200 and answer.headers["cache-control"] == "public, max-age=3600"
    assert neatline.decode_image(answer.content).size == size
    assert client.head(path).content == b""


def test_views_count_zooms_as_the_program_does(client):
    with neatline.Renderer(RED) as renderer:
        assert client.get("/styles/red/static/11,47,4/30x20.png").content == renderer.draw(center=(11, 47), zoom=3, bearing=0, pitch=0, size=(30, 20)).encode("png")


BOX = {"type": "Feature", "properties": {"fill": "#00f", "fill-opacity": 1, "stroke-width": 0},
       "geometry": {"type": "Polygon", "coordinates": [[[-10, -10], [10, -10], [10, 10], [-10, 10], [-10, -10]]]}}


def colours(answer, *places):
    assert answer.status_code == 200, answer.text
    with neatline.decode_image(answer.content) as image:
        pixels = image.tobytes()
        return [tuple(pixels[4 * (y * image.size[0] + x):][:3]) for x, y in places]


def test_geojson_is_laid_over_a_picture(client):
    red, blue = (255, 0, 0), (0, 0, 255)
    query = {"geojson": json.dumps(BOX)}
    # 20 of 360 degrees of 2048 pixels: 114 pixels wide.
    assert colours(client.get("/styles/red/static/0,0,3/200x200.png", params=query), (100, 100), (150, 100), (160, 100)) == [blue, blue, red]
    point = {"type": "Point", "coordinates": [0, 0]}
    several = {"geojson": [json.dumps(BOX), json.dumps({"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {}, "geometry": point}]}), json.dumps(point)]}
    assert colours(client.get("/styles/red/static/0,0,3/200x200.png", params=several), (60, 60)) == [blue]
    # Around it, with half of it at each side.
    auto = client.get("/styles/red/static/auto/200x200.png", params={**query, "padding": "0.5"})
    assert colours(auto, (48, 100), (52, 100), (148, 100), (152, 100)) == [red, blue, blue, red]
    assert "geojson" in client.get("/styles/red/static/auto/2x2.png").text


def test_boxes_have_room_around_them_as_the_program_has_it(client):
    with neatline.Renderer(RED) as renderer, neatline.Overlay(BOX) as overlay:
        side = 200 * 0.1 / 1.2
        drawn = renderer.draw(bounds=(-10, -10, 10, 10), padding=side, bearing=0, pitch=0, size=200, overlay=overlay).encode("png")
    assert client.get("/styles/red/static/-10,-10,10,10/200x200.png", params={"geojson": json.dumps(BOX)}).content == drawn


@pytest.mark.parametrize("query, words", [
    ({"geojson": '{"type":"Pot"}'}, "geojson: "), ({"geojson": "[1]"}, "geojson: "), ({"geojson": "x"}, "geojson: "), ({"geojson": "[" * 9000}, "geojson: "),
    ({"geojson": '{"type":"Point","coordinates":[NaN,1]}'}, "geojson: "), ({"padding": "-1"}, "padding"), ({"padding": "nan"}, "padding"),
    ({"attribution": "maybe"}, "attribution"), ({"scalebar": "furlong"}, "scalebar"), ({"path": "1,2|3,4"}, "known here: quality, complete, padding"),
    ({"geojson": '{"type":"FeatureCollection","features":[]}'}, "no GeoJSON with a place"),
])
def test_what_cannot_be_laid_over_a_picture_is_refused(client, query, words):
    answer = client.get("/styles/red/static/auto/2x2.png", params={"geojson": json.dumps(BOX), **query})
    assert answer.status_code == 400 and words in answer.text, answer.text


def test_attribution_and_a_scale_bar_go_with_a_picture(client):
    path = "/styles/red/static/0,0,3/200x200.png"
    assert client.get(path, params={"scalebar": "metric"}).content != client.get(path).content == client.get(path, params={"attribution": "0"}).content


@pytest.mark.parametrize("path, status", [
    ("/", 404), ("/styles/green/0/0/0.png", 404), ("/styles/red/0/0/0.gif", 404), ("/styles/red/0/0/-1.png", 404), ("/styles/red/0/0/0@0x.png", 404),
    ("/styles/red/128/0/0/0.png", 404), ("/styles/red/static/nan,0,0/2x2.png", 404), ("/styles/red/static/1e999,0,0/2x2.png", 404), ("/styles/red/static/0,0/2x2.png", 404),
    ("/styles/red/static/0,9,1,3/2x2.png", 400), ("/styles/red/static/0,0,0@1,2,3/2x2.png", 404), ("/styles/red/static/0,0,0/2.png", 404),
    ("/styles/red/static/0,0,0/٣x٣.png", 404), ("/styles/../x", 404), ("/styles/1024/red.json", 404),
    ("/styles/red/1/2/0.png", 400), ("/styles/red/40/0/0.png", 400), ("/styles/red/static/0,470,0/2x2.png", 400), ("/styles/red/static/0,0,0/0x2.png", 400),
    ("/styles/red/0/0/0.png?marker=1", 400), ("/styles/red/0/0/0.png?quality=5", 400), ("/styles/red/0/0/0.jpg?quality=0", 400),
    ("/styles/red/0/0/0.jpg?quality=5&quality=6", 400), ("/styles/red/0/0/0.png?complete=2", 400), ("/styles.json?x=1", 400),
    ("/styles/red/0/0/0@5x.png", 413), ("/styles/red/static/0,0,0/9000x1.png", 413), ("/styles/red/static/0,0,0/999999999x999999999.png", 413),
])
def test_what_is_refused(client, path, status):
    answer = client.get(path)
    assert answer.status_code == status, answer.text
    assert status == 404 or answer.headers["cache-control"] == "no-store" and answer.text


def test_only_get_and_head(client):
    assert client.post("/styles/red/0/0/0.png").status_code == 405


def test_what_the_client_has_is_not_sent(client):
    for path in ["/styles/red/0/0/0.png", "/styles.json", "/styles/red.json", "/styles/red/style.json"]:
        tag = client.get(path).headers["etag"]
        for words in [tag, "W/" + tag, '"x", ' + tag, "*"]:
            answer = client.get(path, headers={"If-None-Match": words})
            assert answer.status_code == 304 and answer.content == b"" and answer.headers["etag"] == tag
        assert client.get(path, headers={"If-None-Match": '"x"'}).status_code == 200


def test_documents(client):
    assert client.get("/styles.json").json()[1] == {
        "version": 8, "name": "Blue", "id": "blue one", "url": "http://testserver/styles/blue%20one/style.json"}
    assert client.get("/styles/red/style.json").json() == RED
    about, large = client.get("/styles/red.json").json(), client.get("/styles/512/red.json").json()
    assert about["tiles"] == ["http://testserver/styles/red/{z}/{x}/{y}.png"] and about["center"] == [11.39, 47.27, 4]
    assert large["tiles"] == ["http://testserver/styles/red/512/{z}/{x}/{y}.png"] and large["center"][2] == 3
    assert client.get("/health").json()["status"] == "ok"


def test_answers_say_what_they_depend_on_and_who_may_read_them(client):
    for path in ["/styles.json", "/styles/red.json"]:
        one = client.get(path)
        assert one.headers["vary"] == "Host, X-Forwarded-Host, X-Forwarded-Proto"
        assert one.headers["etag"] != client.get(path, headers={"Host": "other.example"}).headers["etag"]
    assert "vary" not in client.get("/styles/red/0/0/0.png").headers
    assert client.get("/styles.json").headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-origin" not in client.get("/health").headers


def test_within_another_application():
    with TestClient(Starlette(routes=[Mount("/maps", create_app(RED))])) as client:
        assert client.get("/maps/styles/style.json").json()["tiles"] == ["http://testserver/maps/styles/style/{z}/{x}/{y}.png"]
        assert client.get("/maps/styles/style/0/0/0.png").status_code == 200


def test_a_picture_that_is_not_complete_says_so(tmp_path):
    style = {**RED, "sources": {"gone": {"type": "vector", "url": f"pmtiles://{tmp_path}/gone.pmtiles"}},
             "layers": RED["layers"] + [{"id": "l", "type": "line", "source": "gone", "source-layer": "x"}]}
    with TestClient(create_app(style)) as client, warnings.catch_warnings():
        warnings.simplefilter("error")
        answer = client.get("/styles/style/0/0/0.png")
        assert answer.status_code == 200 and answer.headers["cache-control"] == "no-store" and int(answer.headers["neatline-missing"]) >= 1
        answer = client.get("/styles/style/0/0/0.png?complete=1")
        assert answer.status_code == 503 and "gone.pmtiles" in answer.text and answer.headers["retry-after"]


def test_pictures_that_wait_are_limited(monkeypatch):
    app = create_app(RED, workers=1, limits=Limits(waiting=1))
    from neatline import server

    begun, go_on = threading.Event(), threading.Event()
    draw = server._Site.draw

    def slow(*arguments):
        begun.set()
        go_on.wait(20)
        return draw(*arguments)

    monkeypatch.setattr(server._Site, "draw", slow)
    with TestClient(app) as client:
        statuses = []
        ask = [threading.Thread(target=lambda n=n: statuses.append(client.get(f"/styles/style/1/0/{n}.png").status_code)) for n in range(2)]
        ask[0].start()
        assert begun.wait(20)
        ask[1].start()
        while client.get("/health").json()["waiting"] < 1:
            pass
        answer = client.get("/styles/style/1/1/1.png")
        assert answer.status_code == 503 and answer.headers["retry-after"] == "1"
        go_on.set()
        for thread in ask:
            thread.join(20)
        assert statuses == [200, 200] and client.get("/styles/style/1/1/1.png").status_code == 200


def test_a_picture_that_has_no_turn_in_time():
    with TestClient(create_app(RED, limits=Limits(seconds=0))) as client:
        assert client.get("/styles/style/0/0/0.png").status_code == 503


def test_what_is_no_application():
    for styles in [{"": RED}, {"a/b": RED}, {"..": RED}]:
        with pytest.raises(neatline.InvalidArgumentError):
            create_app(styles)
    with pytest.raises(neatline.InvalidArgumentError):
        create_app(RED, workers=0)
    with pytest.raises(neatline.NeatlineError):
        create_app("none/style.json")


def test_the_example_of_the_page(monkeypatch):
    root = pathlib.Path(__file__).resolve().parents[3]
    block, = re.findall("```python\n(.*?)```", (root / "docs/server.md").read_text(), re.S)
    monkeypatch.chdir(root)
    names = {}
    exec(block, names)
    with TestClient(names["app"]) as client:
        assert client.get("/styles/demo/1/0/0.png").status_code == 200

"""Before it serves, a server draws a picture of each style that is all files."""

import http.server
import json
import threading
import time

import pytest
from conftest import noise, run, until

PLACE = "/static/0,0,2/64x64.png"


def style_of(path, source, **members):
    path.write_text(json.dumps({
        "version": 8, "center": [0, 0], "zoom": 2, "sources": {"s": source}, **members,
        "layers": [{"id": "l", "type": "raster", "source": "s"}]}))
    return path


def picture_of(path, **members):
    """A style of a picture that lies beside it."""
    (path.parent / "picture.png").write_bytes(noise(16))
    corners = [[-60, 60], [60, 60], [60, -60], [-60, -60]]
    return style_of(path, {"type": "image", "url": "picture.png", "coordinates": corners}, **members)


def test_what_a_style_needs_is_there_before_it_is_served(serve, tmp_path):
    server = serve(style=picture_of(tmp_path / "style.json"))
    (tmp_path / "picture.png").unlink()
    status, headers, _ = server.get(PLACE)
    assert status == 200 and "neatline-missing" not in headers


def test_so_is_a_style_that_is_loaded_anew(serve, tmp_path):
    style = picture_of(tmp_path / "style.json")
    server = serve("--control", tmp_path / "control", style=style)
    picture_of(style, name="another")
    assert run("control", tmp_path / "control", "reload").returncode == 0
    (tmp_path / "picture.png").unlink()
    status, headers, _ = server.get(PLACE)
    assert status == 200 and "neatline-missing" not in headers


@pytest.mark.parametrize("kind", ["tiles", "a source called data", "a description in a file", "large letters", "geojson"])
def test_other_servers_are_asked_for_nothing_before_a_client_asks(serve, tmp_path, kind):
    asked = []

    class Upstream(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            body = b'{"type": "FeatureCollection", "features": []}' if kind == "geojson" else noise(256)
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    upstream = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Upstream)
    threading.Thread(target=upstream.serve_forever, daemon=True).start()
    scheme = "HTTP" if kind == "large letters" else "http"
    tiles = f"{scheme}://127.0.0.1:{upstream.server_port}/{{z}}/{{x}}/{{y}}.png"
    (tmp_path / "tiles.json").write_text(json.dumps({"tilejson": "3.0.0", "tiles": [tiles]}))
    given = {"url": "tiles.json"} if kind == "a description in a file" else {"tiles": [tiles]}
    name = "data" if kind == "a source called data" else "s"
    layer = {"id": "l", "type": "raster", "source": name}
    source = {"type": "raster", "tileSize": 256, **given}
    if kind == "geojson":
        source, layer["type"] = {"type": "geojson", "data": tiles.split("{")[0]}, "fill"
    style = tmp_path / "style.json"
    style.write_text(json.dumps({"version": 8, "center": [0, 0], "zoom": 2, "sources": {name: source}, "layers": [layer]}))
    server = serve(style=style)
    time.sleep(0.3)
    assert asked == []
    assert server.get(PLACE)[0] == 200
    assert until(lambda: asked)
    upstream.shutdown()


def test_a_style_that_lacks_something_is_served_all_the_same(serve, tmp_path):
    style = picture_of(tmp_path / "style.json")
    (tmp_path / "picture.png").unlink()
    server = serve(style=style)
    status, headers, _ = server.get(PLACE)
    assert status == 200 and headers["neatline-missing"] == "1"

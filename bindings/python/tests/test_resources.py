"""Resources that renderers share, over a server that counts what it is asked."""

import http.server
import threading

import neatline
import pytest


class Counting(http.server.ThreadingHTTPServer):
    """Serves a style with one GeoJSON source and one tile; tells apart what was asked for and how."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = []
        self.headers_seen = []
        self.control = "max-age=1000"
        self.is_up = True
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):  # noqa: N802
        server = self.server
        server.asked.append(self.path)
        server.headers_seen.append(dict(self.headers))
        if not server.is_up:
            self.send_error(500)
            return
        if self.headers.get("If-None-Match") == '"1"':
            self.send_response(304)
            self.send_header("Cache-Control", server.control)
            self.end_headers()
            return
        if self.path == "/style.json":
            body = (
                '{"version": 8, "sources": {"s": {"type": "geojson", "data": "%s/square.geojson"}}, "layers": ['
                '{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "#c00"}}]}' % server.url
            )
        else:
            body = (
                '{"type": "Polygon", "coordinates": [[[-90, -60], [90, -60], [90, 60], [-90, 60], [-90, -60]]]}'
            )
        self.send_response(200)
        self.send_header("Cache-Control", server.control)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())


@pytest.fixture
def server():
    server = Counting()
    yield server
    server.shutdown()
    server.server_close()


def draw(server, resources):
    with neatline.Renderer(server.url + "/style.json", resources=resources, retries=0) as renderer:
        return renderer.draw(zoom=0, size=(64, 64)).encode("png")


def test_what_is_fresh_is_asked_for_once(server, tmp_path):
    resources = neatline.Resources(tmp_path / "cache.db", headers={"X-Key": "k"}, user_agent="mine/1")
    first = draw(server, resources)
    assert draw(server, resources) == first
    assert sorted(server.asked) == ["/square.geojson", "/style.json"]
    assert all(seen["X-Key"] == "k" and seen["User-Agent"] == "mine/1" for seen in server.headers_seen)
    # A worker stores what has come.
    resources.flush_cache()
    report = resources.report
    assert report["online"] and report["cache"]["hits"] == 2 and report["cache"]["stored"] == 2
    assert report["cache"]["notices"] == []


def test_without_a_network_the_pictures_are_the_same(server, tmp_path):
    first = draw(server, neatline.Resources(tmp_path / "cache.db"))
    server.shutdown()
    offline = neatline.Resources(tmp_path / "cache.db")
    offline.set_online(False)
    assert draw(server, offline) == first and not offline.report["online"]
    with pytest.raises(neatline.NetworkError):
        neatline.Renderer(server.url + "/other.json", resources=offline)


def test_what_has_expired_is_asked_about(server, tmp_path):
    server.control = "max-age=0"
    resources = neatline.Resources(tmp_path / "cache.db", retries=0)
    first = draw(server, resources)
    assert draw(server, resources) == first and len(server.asked) == 4
    assert resources.report["cache"]["revalidated"] >= 2
    # And used where the server fails.
    server.is_up = False
    assert draw(server, resources) == first
    server.is_up = True
    resources.invalidate_cache()
    resources.pack_cache()
    resources.clear_cache()
    resources.flush_cache()
    assert draw(server, resources) == first
    assert "If-None-Match" not in server.headers_seen[-1]


def test_the_limit_holds(server, tmp_path):
    resources = neatline.Resources(tmp_path / "cache.db", cache_bytes=0)
    draw(server, resources)
    draw(server, resources)
    assert len(server.asked) == 4 and resources.report["cache"]["bytes"] == 0
    resources.set_cache_bytes(1 << 20)
    draw(server, resources)
    draw(server, resources)
    assert len(server.asked) == 6


def test_resources_may_go_before_the_renderer(server, tmp_path):
    resources = neatline.Resources(tmp_path / "cache.db")
    renderer = neatline.Renderer(server.url + "/style.json", resources=resources)
    resources.close()
    assert renderer.draw(zoom=0, size=(64, 64)).is_complete
    renderer.close()


def test_bad_input_is_named(tmp_path):
    with pytest.raises(neatline.FileError, match="nowhere"):
        neatline.Resources("/nowhere/at/all/cache.db")
    other = tmp_path / "other.db"
    import sqlite3

    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE mine (a)")
        database.execute("PRAGMA application_id = 7")
    before = other.read_bytes()
    with pytest.raises(neatline.NeatlineError):
        neatline.Resources(other)
    assert other.read_bytes() == before
    with pytest.raises(neatline.InvalidArgumentError, match="X"):
        neatline.Resources(headers={"X": "a\r\nY: b"})
    with pytest.raises(neatline.InvalidArgumentError):
        neatline.Resources(cache_bytes=-1)
    without = neatline.Resources()
    assert without.report == {"online": True, "cache": None}
    with pytest.raises(neatline.InvalidStateError):
        without.clear_cache()
    noise = tmp_path / "noise.db"
    noise.write_bytes(bytes(range(256)) * 64)
    resources = neatline.Resources(noise)
    assert len(resources.report["cache"]["notices"]) == 1
    assert [path.name for path in tmp_path.glob("noise.db.broken*")]


def test_what_is_sent_goes_to_the_servers_it_is_for(tmp_path):
    with_key = {"headers": {"X-Token": "t-1"}, "query": {"key": "k-1"}}
    server = Counting()
    with neatline.Resources(credentials={server.url: with_key}) as resources:
        resources.load("style", server.url + "/style.json")
    with neatline.Resources(credentials={"http://127.0.0.1:1/": with_key}) as resources:
        resources.load("style", server.url + "/style.json")
    assert server.asked == ["/style.json?key=k-1", "/style.json"]
    assert [seen.get("X-Token") for seen in server.headers_seen] == ["t-1", None]
    server.shutdown()


def test_providers_have_addresses_of_their_own():
    server = Counting()
    table = {
        "base": server.url,
        "token": "k-1",
        "source": "/tiles/{domain}.json",
        "style": "/maps{path}",
        "sprite": "/s{directory}{filename}{extension}",
        "glyphs": "/f{path}",
        "tile": "/t{path}",
    }
    with neatline.Resources(providers={"acme": table, "mapbox": {"base": server.url, "token": "pk"}}) as resources:
        resources.load("style", "acme://styles/a/b")
        resources.load("sprite_json", "acme://sprites/x/y@2x.json")
        resources.load("style", "mapbox://styles/u/v")
    assert server.asked == ["/maps/a/b?key=k-1", "/s/x/y@2x.json?key=k-1", "/styles/v1/u/v?access_token=pk"]
    server.shutdown()


@pytest.mark.parametrize(
    "options",
    [
        {"providers": {"acme": {"base": "https://h"}}},
        {"providers": {"http": {"base": "https://h"}}},
        {"providers": {"acme": {"base": "ftp://h"}}},
        {"credentials": {"tiles.example.com": {}}},
        {"credentials": {"https://h": {"headers": {"a:b": "c"}}}},
        {"credentials": {"https://h": {"cookies": {}}}},
        {"connections": 0},
    ],
)
def test_nonsense_about_servers_is_refused(options):
    with pytest.raises((neatline.InvalidArgumentError, ValueError)):
        neatline.Resources(**options)


def test_loading_by_hand_says_what_there_is_not():
    server = Counting()
    with neatline.Resources(retries=0) as resources:
        assert resources.load("geojson", "data:,abc") == b"abc"
        with pytest.raises(ValueError):
            resources.load("nothing", "data:,abc")
        with pytest.raises(neatline.InvalidArgumentError):
            resources.load("style", "")
        server.is_up = False
        with pytest.raises(neatline.NetworkError):
            resources.load("style", server.url + "/style.json")
        with pytest.raises(neatline.NotFoundError):
            resources.load("style", "/nowhere/style.json")
    server.shutdown()

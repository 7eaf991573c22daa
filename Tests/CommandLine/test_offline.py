"""`neatline offline`, and maps drawn by what it kept."""

import http.server
import json
import pathlib
import re
import signal
import sqlite3
import subprocess
import threading
import time
import urllib.parse

import pytest
from conftest import COMMAND, ROOT, Server, run

DATA = ROOT.parent / "shared/data"


class Site(http.server.ThreadingHTTPServer):
    """Serves pages from a function of the path; counts what it is asked."""

    daemon_threads = True

    def __init__(self, page):
        super().__init__(("127.0.0.1", 0), Handler)
        self.page = page
        self.asked = []
        self.bodies = 0
        self.slow = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):  # noqa: N802
        site = self.server
        site.asked.append(self.path)
        time.sleep(site.slow)
        if self.headers.get("If-None-Match") == '"1"':
            self.send_response(304)
            self.send_header("Cache-Control", "max-age=600")
            self.end_headers()
            return
        body = site.page(urllib.parse.unquote(self.path))
        self.send_response(404 if body is None else 200)
        self.send_header("Content-Length", str(len(body or b"")))
        if body is not None:
            self.send_header("Cache-Control", "max-age=600")
            self.send_header("ETag", '"1"')
            site.bodies += 1
        self.end_headers()
        self.wfile.write(body or b"")


def simple(path):
    if path == "/style.json":
        return json.dumps({
            "version": 8, "sources": {"s": {"type": "vector", "tiles": ["t/{z}/{x}/{y}"], "maxzoom": 4}},
            "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#0c0"}}],
        }).encode()
    return b"" if path.startswith("/t/") else None


@pytest.fixture
def site():
    made = Site(simple)
    yield made
    made.shutdown()
    made.server_close()


def create(site, database, *options):
    return run("offline", "create", database, site.url + "/style.json", *options)


def test_a_region_is_made_listed_loaded_again_and_deleted(site, tmp_path):
    database = tmp_path / "trip.db"
    done = create(site, database, "--bbox", "10,46,12,48", "--zoom", "0-3", "--metadata", "alps")
    assert done.returncode == 0 and done.stdout.startswith(b"region 1: 5 of 5 resources, 4 of 4 tiles"), done
    assert done.stderr == b"" and len(site.asked) == 5
    listed = json.loads(run("offline", "list", database, "--json").stdout)
    assert [(each["region"], each["state"], each["completed"]) for each in listed] == [(1, "complete", 5)]
    assert listed[0]["definition"]["bounds"] == [46, 10, 48, 12]
    assert b"complete" in run("offline", "list", database).stdout
    status = json.loads(run("offline", "status", database, "1", "--json").stdout)
    assert status["state"] == "complete" and status["precise"] and status["requiredTiles"] == 4
    again = json.loads(run("offline", "load", database, "1", "--json").stdout)
    assert again["received"] == 0 and len(site.asked) == 5
    assert run("offline", "invalidate", database, "1").returncode == 0
    assert run("offline", "load", database, "1").returncode == 0
    assert len(site.asked) == 10 and site.bodies == 5
    other = tmp_path / "other.db"
    assert run("offline", "create", other, site.url + "/style.json", "--bbox", "0,0,1,1", "--no-load").stdout == b"1\n"
    assert run("offline", "merge", other, database).stdout == b"1 region\n"
    assert len(json.loads(run("offline", "list", other, "--json").stdout)) == 2
    assert run("offline", "pack", database).returncode == 0
    assert run("offline", "delete", database, "1").returncode == 0
    assert run("offline", "delete", database, "1").returncode == 1


def test_what_a_region_lacks_is_named(site, tmp_path):
    site.page = lambda path: None if path == "/style.json" else b""
    done = create(site, tmp_path / "a.db", "--bbox", "0,0,1,1", "--retries", "0")
    assert done.returncode == 3
    assert b"/style.json: not found" in done.stderr and b"region 1 is not complete" in done.stderr
    site.page = simple
    assert run("offline", "load", tmp_path / "a.db", "1").returncode == 0
    limited = create(
        site, tmp_path / "b.db", "--bbox", "-180,-85,180,85", "--zoom", "2", "--tile-limit", "3", "--limited", site.url
    )
    assert limited.returncode == 3 and b"more than 3 tiles" in limited.stderr


@pytest.mark.parametrize("arguments, words", [
    ([], "goes first"),
    (["crate"], 'did you mean "create"?'),
    (["create", "{db}"], "STYLE is missing"),
    (["create", "{db}", "style.json"], "needs --bbox"),
    (["create", "{db}", "s", "--bbox", "0,0,1,1", "--geometry", "x"], "needs --bbox"),
    (["create", "{db}", "s", "--bbox", "0,0,1"], "WEST,SOUTH,EAST,NORTH"),
    (["create", "{db}", "s", "--bbox", "0,0,1,1", "--zoom", "9-2"], "--zoom"),
    (["create", "{db}", "s", "--bbox", "0,0,1,1", "--tile-limit", "3"], "--limited"),
    (["status", "{db}", "one"], "not the number of a region"),
    (["list", "{db}", "more"], "one word too many"),
])
def test_wrong_arguments_are_named(arguments, words, tmp_path):
    database = tmp_path / "x.db"
    sqlite3.connect(database).close()
    done = run("offline", *[each.format(db=database) for each in arguments])
    assert done.returncode == 2 and words in done.stderr.decode(), done.stderr


def test_databases_that_are_none_are_refused(tmp_path):
    assert run("offline", "list", tmp_path / "nowhere.db").returncode == 1
    assert not (tmp_path / "nowhere.db").exists()
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as made:
        made.execute("CREATE TABLE mine (x)")
    done = run("offline", "list", foreign)
    assert done.returncode == 1 and b"another application" in done.stderr
    bad = tmp_path / "shape.json"
    bad.write_text('{"type": "Point", "coordinates": [0, 100]}')
    done = run("offline", "create", tmp_path / "a.db", "s", "--geometry", bad)
    assert done.returncode == 1 and b"no place" in done.stderr


def test_an_interrupt_keeps_what_came(site, tmp_path):
    site.slow = 0.05
    arguments = [COMMAND, "offline", "create", tmp_path / "a.db", site.url + "/style.json"]
    process = subprocess.Popen(
        [*map(str, arguments), "--bbox", "-180,-85,180,85", "--zoom", "0-4"], stderr=subprocess.PIPE, text=True)
    while len(site.asked) < 120:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    words = process.communicate(timeout=30)[1]
    assert process.returncode == 1 and "goes on from here" in words
    site.slow = 0
    asked = len(site.asked)
    assert run("offline", "load", tmp_path / "a.db", "1").returncode == 0
    assert len(site.asked) - asked <= 342 - asked + 64


def test_offline_and_no_network_are_told_apart(site, tmp_path):
    database = tmp_path / "a.db"
    assert create(site, database, "--bbox", "0,0,1,1", "--zoom", "0").returncode == 0
    asked = len(site.asked)
    style, picture = site.url + "/style.json", tmp_path / "a.png"
    forms = [["--offline", database], ["--resource-cache", database, "--no-network"]]
    for form in forms:
        assert run("render", style, "-o", picture, "--size", "8x8", *form).returncode == 0
    assert len(site.asked) == asked
    both = run("render", style, "-o", picture, "--offline", database, "--resource-cache", database)
    assert both.returncode == 2 and b"one of them" in both.stderr
    assert run("render", style, "-o", picture, "--offline", tmp_path / "none.db").returncode == 1
    assert not (tmp_path / "none.db").exists()
    assert run("render", style, "-o", picture, "--no-network").returncode == 1


def tyrol():
    """OSM Bright with its sprite, glyphs and tiles as a server would have them."""
    style = json.loads((DATA / "styles/osm-bright.json").read_text())
    tiles = sqlite3.connect(DATA / "tiles/innsbruck.mbtiles", check_same_thread=False)
    lock = threading.Lock()
    style["sources"]["openmaptiles"] = {"type": "vector", "url": "tiles.json"}
    style["sprite"] = "sprites/osm-bright/sprite"
    style["glyphs"] = "glyphs/{fontstack}/{range}.pbf"

    def page(path):
        if path == "/style.json":
            return json.dumps(style).encode()
        if path == "/tiles.json":
            return json.dumps({"tiles": ["tiles/{z}/{x}/{y}.pbf"], "minzoom": 0, "maxzoom": 14}).encode()
        if match := re.fullmatch(r"/tiles/(\d+)/(\d+)/(\d+)\.pbf", path):
            z, x, y = map(int, match.groups())
            with lock:
                row = tiles.execute(
                    "SELECT tile_data FROM tiles WHERE zoom_level=? AND tile_column=? AND tile_row=?",
                    (z, x, (1 << z) - 1 - y)).fetchone()
            return row and row[0]
        file = DATA / path[1:]
        return file.read_bytes() if file.is_file() else None

    return page


@pytest.mark.skipif(not (DATA / "styles/osm-bright.json").exists(), reason="no data beside the checkout")
def test_style_tiles_glyphs_and_sprite_give_the_same_pixels_without_a_network(tmp_path):
    site = Site(tyrol())
    try:
        database, style = tmp_path / "tyrol.db", site.url + "/style.json"
        view = ["--center", "11.3945,47.2675", "--zoom", "14", "--size", "640x480"]
        online, offline = tmp_path / "online.png", tmp_path / "offline.png"
        assert run("render", style, "-o", online, *view).returncode == 0
        site.asked.clear()
        done = create(site, database, "--bbox", "11.33,47.23,11.46,47.31", "--zoom", "14")
        assert done.returncode == 0, done.stderr
        assert len(site.asked) == len(set(site.asked))
        asked = len(site.asked)
        assert run("render", style, "-o", offline, *view, "--offline", database, "--strict").returncode in (0, 3)
        assert len(site.asked) == asked
        assert online.read_bytes() == offline.read_bytes()
        server = Server("--offline", database, style=style)
        try:
            status, _, _ = server.get("/static/11.3945,47.2675,14/320x240.png")
            assert status == 200
        finally:
            server.stop()
        assert len(site.asked) == asked
    finally:
        site.shutdown()
        site.server_close()

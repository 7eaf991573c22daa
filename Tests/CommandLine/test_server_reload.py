"""`neatline serve`: styles, archives and configurations that change while they are served."""

import json
import os
import shutil
import signal
import subprocess
import threading

import pytest
import sites
from conftest import LONG, run, until
from test_server import health, slow_reader
from test_server_cache import metrics

RED, GREEN, BLUE = (255, 0, 0), (0, 128, 0), (0, 0, 255)


def replace(path, value):
    """As editors and deployments do it."""
    draft = sites.write(path.parent / (path.name + ".new"), value)
    os.replace(draft, path)


def colour(server, id="map"):
    return sites.colour_of(server.get(f"/styles/{id}/0/0/0.png")[2])


@pytest.fixture
def style(tmp_path):
    return sites.write(tmp_path / "map.json", sites.background("red"))


def test_a_changed_style_is_loaded_by_itself(serve, style, tmp_path):
    server = serve("--tile-cache-folder", tmp_path / "cache", style=style, cache=8)
    tag = server.get("/styles/map/0/0/0.png")[1]["etag"]
    assert colour(server) == RED
    replace(style, sites.background("blue"))
    assert until(lambda: colour(server) == BLUE)
    assert server.get("/styles/map/0/0/0.png", headers={"If-None-Match": tag})[0] == 200
    assert metrics(server)["reloads_total"] == 1


def test_sighup_loads_at_once(serve, style):
    server = serve(style=style)
    for n, (word, shown) in enumerate([("blue", BLUE), ("green", GREEN), ("red", RED)]):
        sites.write(style, sites.background(word))
        server.process.send_signal(signal.SIGHUP)
        assert until(lambda: metrics(server)["reloads_total"] >= n + 1), word
        assert until(lambda: colour(server) == shown), word


def test_a_style_that_is_wrong_leaves_the_old(serve, style):
    server = serve(style=style, stderr=subprocess.PIPE)
    for text in ["{", "[]", '{"version": 8, "sources": 1, "layers": []}', ""]:
        failed = metrics(server)["failed_reloads_total"]
        sites.write(style, text)
        assert until(lambda: metrics(server)["failed_reloads_total"] > failed), text
        assert colour(server) == RED
    count = metrics(server)["failed_reloads_total"]
    style.unlink()
    assert until(lambda: metrics(server)["failed_reloads_total"] > count) and colour(server) == RED
    # It is not tried again and again.
    count = metrics(server)["failed_reloads_total"]
    assert not until(lambda: metrics(server)["failed_reloads_total"] > count, 3)
    sites.write(style, sites.background("blue"))
    assert until(lambda: colour(server) == BLUE)
    server.stop()
    assert "not loaded anew, the old stays" in server.process.stderr.read()


@pytest.fixture
def folder(tmp_path):
    for name in ["red", "blue"]:
        sites.write(tmp_path / f"styles/{name}.json", sites.background(name))
    return sites.write(tmp_path / "config.json", {"options": {"paths": {"styles": "styles"}}, "styles": {"red": {"style": "red.json"}}})


def test_a_changed_configuration_adds_and_removes_styles(serve, folder):
    server = serve("--config", folder, style=None, cache=8)
    config = json.loads(folder.read_text())
    assert colour(server, "red") == RED and server.get("/styles/blue/0/0/0.png")[0] == 404
    replace(folder, {**config, "styles": {"blue": {"style": "blue.json"}}})
    assert until(lambda: server.get("/styles/blue/0/0/0.png")[0] == 200)
    assert server.get("/styles/red/0/0/0.png")[0] == 404 and server.get("/styles/red/style.json")[0] == 404
    replace(folder, '{"styles": {"x": {}}}')
    assert until(lambda: metrics(server)["failed_reloads_total"] == 1) and colour(server, "blue") == BLUE


def test_a_new_style_that_was_wrong_is_loaded_once_it_is_right(serve, folder):
    server = serve("--config", folder, style=None)
    sites.write(folder.parent / "styles/new.json", "{")
    config = json.loads(folder.read_text())
    config["styles"]["new"] = {"style": "new.json"}
    replace(folder, config)
    assert until(lambda: metrics(server)["failed_reloads_total"] == 1)
    replace(folder.parent / "styles/new.json", sites.background("green"))
    assert until(lambda: server.get("/styles/new/0/0/0.png")[0] == 200) and colour(server, "new") == GREEN


def test_a_new_file_in_a_folder_of_styles(serve, tmp_path):
    sites.write(tmp_path / "styles/red.json", sites.background("red"))
    config = sites.write(tmp_path / "config.json", {"options": {"serveAllStyles": True, "paths": {"styles": "styles"}}})
    server = serve("--config", config, style=None)
    sites.write(tmp_path / "styles/blue.json", sites.background("blue"))
    assert until(lambda: server.get("/styles/blue/0/0/0.png")[0] == 200)
    (tmp_path / "styles/red.json").unlink()
    assert until(lambda: server.get("/styles/red/0/0/0.png")[0] == 404)


def test_the_control_socket_says_what_came_of_a_reload(serve, folder):
    path = folder.parent / "control"
    server = serve("--config", folder, "--control", path, style=None)
    assert json.loads(run("control", path, "reload").stdout) == {"styles": 1, "data": 0}
    folder.write_text('{"style": 1}')
    done = run("control", path, "reload")
    assert done.returncode == 1 and b'did you mean "styles"' in done.stderr and colour(server, "red") == RED


def towns(folder, name):
    return sites.archive(folder / "draft.pmtiles", {"name": name})


@pytest.fixture
def drawn(tmp_path):
    """A style over an archive, and the archive."""
    path = tmp_path / "towns.pmtiles"
    os.replace(towns(tmp_path, "First"), path)
    style = sites.background("white")
    style["sources"]["t"] = {"type": "vector", "url": "pmtiles://towns.pmtiles"}
    style["layers"].append({
        "id": "t", "type": "circle", "source": "t", "source-layer": "places",
        "paint": {"circle-radius": 40, "circle-color": ["match", ["get", "name"], "First", "red", "blue"]}})
    return sites.write(tmp_path / "map.json", style), path


SPOT = "/styles/map/static/11.39,47.27,3/16x16.png"


def spot(server):
    return sites.colour_of(server.get(SPOT)[2])


def test_a_replaced_archive_shows_in_tiles_and_pictures(serve, drawn, tmp_path):
    style, archive = drawn
    server = serve("--tile-cache-folder", tmp_path / "cache", style=style, cache=8)
    assert spot(server) == RED and b"First" in server.get("/data/towns/3/4/2.pbf", headers={"Accept-Encoding": ""})[2]
    os.replace(towns(tmp_path, "Second"), archive)
    assert until(lambda: b"Second" in server.get("/data/towns/3/4/2.pbf")[2])
    assert until(lambda: spot(server) == BLUE)


def test_an_archive_that_is_cut_or_deleted_while_it_is_served(serve, drawn, tmp_path):
    style, archive = drawn
    server = serve(style=style, cache=8)
    assert spot(server) == RED and server.get("/data/towns/3/4/2.pbf")[0] == 200
    whole = archive.read_bytes()
    for size in [len(whole) - 40, 200, 127, 60, 1, 0]:
        with open(archive, "r+b") as file:
            file.truncate(size)
        for n in range(3):
            for path in ["/data/towns/3/4/2.pbf", f"/data/towns/{n}/0/0.pbf", "/data/towns.json", "/data/towns/3/4/2.geojson"]:
                status, _, body = server.get(path)
                assert status in (200, 204, 500) and (status != 500 or len(body) > 10), (size, path)
            assert server.get(f"/styles/map/static/11.39,47.27,{n}.{size}/16x16.png")[0] in (200, 500)
        assert server.get("/health")[0] == 200
    archive.unlink()
    status, _, body = server.get("/data/towns/3/4/2.pbf")
    assert status in (404, 500) and b'data "towns"' in body
    assert server.get("/styles/map/0/0/0.png")[0] in (200, 500) and server.get("/data.json")[0] == 200
    archive.write_bytes(whole)
    assert until(lambda: server.get("/data/towns/3/4/2.pbf")[0] == 200) and until(lambda: spot(server) == RED)


def test_an_mbtiles_that_is_cut_while_it_is_served(serve, tmp_path):
    path = towns(tmp_path, "First")
    mbtiles = tmp_path / "towns.mbtiles"
    assert run("convert", path, mbtiles).returncode == 0
    server = serve(style=[mbtiles])
    assert server.get("/data/towns/3/4/2.pbf")[0] == 200
    whole = mbtiles.read_bytes()
    for size in [len(whole) // 2, 4096, 100, 0]:
        mbtiles.write_bytes(whole[:size])
        for n in range(3):
            assert server.get(f"/data/towns/{n}/0/0.pbf")[0] in (200, 204, 500)
    mbtiles.write_bytes(whole)
    assert until(lambda: server.get("/data/towns/3/4/2.pbf")[0] == 200)


# A tile by itself, and one of a block that is drawn as one.
@pytest.mark.parametrize("tile", ["0/0/0", "4/3/3"])
def test_what_waited_while_a_style_was_loaded_is_not_kept_as_the_new(serve, noisy, style, tmp_path, tile):
    server = serve("--workers", 1, "--tile-cache-folder", tmp_path / "cache", style=[noisy, style], cache=8)
    id = [each["id"] for each in json.loads(server.get("/styles.json")[2])][1]
    held = slow_reader(server, LONG)
    assert until(lambda: health(server)["drawing"] == 1)
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(server.get(f"/styles/{id}/{tile}.png")[2]))
    waiting.start()
    assert until(lambda: health(server)["waiting"] == 1)
    replace(style, sites.background("blue"))
    server.process.send_signal(signal.SIGHUP)
    assert until(lambda: metrics(server)["reloads_total"] == 1)
    held.close()
    waiting.join(60)
    assert len(answers) == 1
    for _ in range(2):
        assert sites.colour_of(server.get(f"/styles/{id}/{tile}.png")[2]) == BLUE


def test_requests_while_styles_are_loaded_in_a_loop(serve, style):
    server = serve(style=style, cache=8)
    over = threading.Event()
    faults = []

    def ask():
        while not over.is_set():
            for path in ["/styles/map/0/0/0.png", "/styles/map/style.json", "/styles.json", "/styles/map.json", "/"]:
                status = server.get(path)[0]
                if status != 200:
                    faults.append((path, status))

    clients = [threading.Thread(target=ask) for _ in range(4)]
    for client in clients:
        client.start()
    try:
        for n in range(60):
            replace(style, sites.background("red" if n % 2 else "blue"))
            before = metrics(server)["reloads_total"]
            server.process.send_signal(signal.SIGHUP)
            assert until(lambda: metrics(server)["reloads_total"] > before)
    finally:
        over.set()
        for client in clients:
            client.join()
    assert not faults and until(lambda: colour(server) == RED)
    threads, descriptors = server.threads_and_descriptors
    assert descriptors < 60

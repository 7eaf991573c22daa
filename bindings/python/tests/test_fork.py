"""A renderer that has drawn over HTTP, with its threads waiting, in the children of a fork."""

import http.server
import json
import multiprocessing
import os
import signal
import threading

import pytest

import neatline
from conftest import POINTS, SQUARE

DEADLINE = 10.0


@pytest.fixture
def server():
    """Answers any address with the points, and keeps connections open. In a process of its own, as servers
    are."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            body = json.dumps(POINTS).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    process = os.fork()
    if process == 0:
        listener.serve_forever()
    listener.socket.close()
    yield f"http://127.0.0.1:{listener.server_address[1]}"
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)


@pytest.fixture
def renderer(server):
    style = {
        "version": 8,
        "sources": {
            "points": {"type": "geojson", "data": server + "/points.geojson"},
            "square": {"type": "geojson", "data": SQUARE},
        },
        "layers": [
            {"id": "sea", "type": "background", "paint": {"background-color": "#acf"}},
            {"id": "square", "type": "fill", "source": "square"},
            {
                "id": "points",
                "type": "circle",
                "source": "points",
                "paint": {"circle-radius": ["+", 3, ["get", "rank"]]},
            },
        ],
    }
    return neatline.Renderer(style, timeout=5, threads=4)


def draw(renderer, width=100):
    image = renderer.draw(center=(0, 0), zoom=0, size=(width, 100), deadline=DEADLINE)
    assert not renderer.problems
    return image.tobytes()


def in_child(body):
    """Runs it in a child; what it gives back, as bytes. A child that hangs is ended."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            data = memoryview(body())
            while data:
                data = data[os.write(write, data) :]
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    timer = threading.Timer(30, os.kill, (child, signal.SIGKILL))
    timer.start()
    try:
        data = b""
        while part := os.read(read, 1 << 16):
            data += part
        _, status = os.waitpid(child, 0)
    finally:
        timer.cancel()
        os.close(read)
    assert status == 0, f"the child ended with {status:#x}"
    return data


def test_child_draws_what_the_parent_draws(renderer):
    picture = draw(renderer)
    for _ in range(5):
        assert in_child(lambda: draw(renderer)) == picture
        assert draw(renderer) == picture


def test_child_draws_first(renderer):
    """The parent has made a renderer, and asked no server yet."""
    picture = in_child(lambda: draw(renderer))
    assert draw(renderer) == picture


def test_threads_of_a_child_begin_at_the_same_time(renderer):
    draw(renderer)

    def body():
        pictures = [b""] * 4

        def work(index):
            pictures[index] = draw(renderer)

        threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return b"".join(pictures)

    assert in_child(body) == 4 * draw(renderer)


def test_destroying_in_the_child(renderer):
    picture = draw(renderer)

    def body():
        renderer.close()
        return b"destroyed"

    assert in_child(body) == b"destroyed"
    assert draw(renderer) == picture


def pool_draw(width):
    return draw(pool_draw.renderer, width)


def test_multiprocessing_pool(renderer):
    """As a preforking server does: made and used in the parent, used by workers."""
    pool_draw.renderer = renderer
    expected = [draw(renderer, width) for width in (60, 80, 100, 120)]
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(pool_draw, [60, 80, 100, 120]).get(timeout=60) == expected
    assert draw(renderer, 60) == expected[0]


def test_archive_in_the_child(tmp_path):
    path = tmp_path / "tiles.mbtiles"
    writer = neatline.ArchiveWriter(path)
    writer.add(0, 0, 0, neatline.GeoJSON(POINTS).tile(0, 0, 0).to_mvt())
    writer.finish()
    archive = neatline.Archive(path)
    stored = archive.tile(0, 0, 0)
    for _ in range(3):
        assert in_child(lambda: archive.tile(0, 0, 0)) == stored
    assert archive.tile(0, 0, 0) == stored


def test_writer_of_the_parent_is_refused_in_the_child(tmp_path):
    path = tmp_path / "tiles.mbtiles"
    tile = neatline.GeoJSON(POINTS).tile(0, 0, 0).to_mvt()
    writer = neatline.ArchiveWriter(path)
    writer.add(0, 0, 0, tile)

    def body():
        with pytest.raises(neatline.InvalidStateError, match="forked"):
            writer.add(1, 0, 0, tile)
        writer.close()
        return b"refused"

    assert in_child(body) == b"refused"
    writer.add(1, 1, 1, tile)
    writer.finish()
    archive = neatline.Archive(path)
    assert archive.tile(1, 1, 1) == archive.tile(0, 0, 0)

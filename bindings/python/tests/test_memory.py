"""Limits of memory: of pictures under way, and of packed bodies."""

import gzip
import http.server
import json
import re
import threading

import pytest

import neatline
from conftest import POINTS

TEXT = json.dumps(POINTS).encode()


@pytest.fixture(scope="module")
def server():
    """Answers `/packed` with a gzip file, and `/encoded` with text that was packed for the way."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = gzip.compress(TEXT)
            self.send_response(200)
            if self.path == "/encoded":
                self.send_header("Content-Encoding", "gzip")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=listener.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{listener.server_address[1]}"
    listener.shutdown()


@pytest.mark.filterwarnings("ignore::neatline.MissingWarning")
@pytest.mark.parametrize("path", ["/packed", "/encoded"])
def test_packed_bodies_at_the_limit_and_past_it(server, path):
    style = {
        "version": 8,
        "sources": {"points": {"type": "geojson", "data": server + path}},
        "layers": [{"id": "points", "type": "circle", "source": "points"}],
    }

    def problems(limit):
        renderer = neatline.Renderer(style, unpacked_limit=limit)
        renderer.draw(center=(0, 0), zoom=0, size=(64, 64))
        return renderer.problems

    assert problems(len(TEXT)) == []
    (problem,) = problems(len(TEXT) - 1)
    assert problem.code == neatline.LimitExceededError.status and path in problem.resource
    assert str(len(TEXT) - 1) in problem.message


def test_pictures_at_the_limit_and_past_it(red):
    with pytest.raises(neatline.OutOfMemoryError, match="700x500") as caught:
        neatline.Renderer(red, memory_limit=1).draw(size=(700, 500))
    assert isinstance(caught.value, MemoryError)
    needed = int(re.search(r"needs (\d+) bytes", str(caught.value))[1])
    assert needed > 700 * 500 * 4
    neatline.Renderer(red, memory_limit=needed).draw(size=(700, 500))
    with pytest.raises(neatline.OutOfMemoryError):
        neatline.Renderer(red, memory_limit=needed - 1).draw(size=(700, 500))

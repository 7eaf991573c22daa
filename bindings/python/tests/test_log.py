"""The library's log, for a function and for logging."""

import http.server
import logging
import subprocess
import sys
import threading

import neatline
import pytest

BROKEN = {"version": 8, "sources": {"s": {"type": "geojson", "data": "/nowhere/u.geojson"}}, "layers": [
    {"id": "c", "type": "circle", "source": "s"},
]}


@pytest.fixture(autouse=True)
def nobody_listens_after():
    yield
    neatline.set_log_callback(None)


def draw():
    with pytest.warns(neatline.MissingWarning):
        neatline.render(BROKEN, zoom=0, size=8)


def test_messages_come_with_level_and_category():
    heard = []
    neatline.set_log_callback(heard.append)
    draw()
    neatline.set_log_callback(None)
    assert {(message.level, message.category) for message in heard} == {("info", "request"), ("warning", "source")}
    assert all("/nowhere/u.geojson" in message.text and message.time > 1.6e9 for message in heard)
    count = len(heard)
    draw()
    assert len(heard) == count
    neatline.set_log_callback(heard.append, "error")
    draw()
    neatline.set_log_callback(None)
    assert len(heard) == count


def test_levels_that_do_not_exist_are_refused():
    for level in ("loud", "", None):
        with pytest.raises(neatline.InvalidArgumentError):
            neatline.set_log_callback(print, level)


def test_messages_go_to_logging(caplog):
    neatline.log_to_logging()
    with caplog.at_level(logging.INFO, "neatline"):
        draw()
        neatline.set_log_callback(None)
    assert ("neatline.source", logging.WARNING) in [(each.name, each.levelno) for each in caplog.records]


def test_a_callback_may_call_the_library():
    heard = []

    def handle(message):
        heard.append(neatline.Expression(["+", 1, 2]).evaluate())
        neatline.set_log_callback(None)

    neatline.set_log_callback(handle)
    draw()
    neatline.set_log_callback(None)
    assert heard[0] == 3


def test_what_a_callback_raises_does_no_harm(caplog):
    neatline.set_log_callback(lambda message: 1 / 0)
    draw()
    neatline.set_log_callback(None)
    assert "the log's callback failed" in caplog.text


def test_threads_may_log_at_the_same_time():
    heard = []
    neatline.set_log_callback(heard.append, "warning")

    def work():
        for _ in range(5):
            neatline.Renderer(BROKEN).draw(zoom=0, size=8)

    threads = [threading.Thread(target=work) for _ in range(4)]
    with pytest.warns(neatline.MissingWarning):
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    neatline.set_log_callback(None)
    assert len(heard) == 20


def test_an_interpreter_may_end_with_a_callback_set():
    code = (
        "import neatline, warnings; warnings.simplefilter('ignore');"
        "neatline.set_log_callback(lambda m: print(m.category), 'warning');"
        f"neatline.render({BROKEN!r}, zoom=0, size=8)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (result.returncode, result.stdout, result.stderr) == (0, "source\n", "")


class Failing(http.server.BaseHTTPRequestHandler):
    """Fails once, then answers."""

    asked = 0

    def log_message(self, *_):
        pass

    def do_GET(self):  # noqa: N802
        Failing.asked += 1
        if Failing.asked == 1:
            return self.send_error(503)
        body = b'{"type": "Point", "coordinates": [0, 0]}'
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def test_tries_are_told_without_credentials():
    heard = []
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Failing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://u:s3cret@127.0.0.1:{server.server_port}/p.geojson?token=s3cret&a=1"
        neatline.set_log_callback(heard.append, "debug")
        with neatline.Renderer({**BROKEN, "sources": {"s": {"type": "geojson", "data": url}}}) as renderer:
            assert renderer.draw(zoom=0, size=8).is_complete
        neatline.set_log_callback(None)
        server.shutdown()
    tries = [each for each in heard if each.category == "network"]
    assert len(tries) == 1 and tries[0].level == "info"
    assert f"127.0.0.1:{server.server_port}" in tries[0].text and "asked again in" in tries[0].text
    assert "s3cret" not in repr(heard)


def test_a_cache_that_is_broken_is_told(tmp_path):
    path = tmp_path / "cache.db"
    neatline.Resources(path).close()
    data = bytearray(path.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink(missing_ok=True)
    heard = []
    neatline.set_log_callback(heard.append)
    neatline.Resources(path).close()
    neatline.set_log_callback(None)
    assert [(each.level, each.category) for each in heard] == [("warning", "cache")]
    assert str(path) in heard[0].text

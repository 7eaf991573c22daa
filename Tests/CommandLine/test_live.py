"""Live maps of `neatline serve --live`: WebSockets, what pages say and are shown, limits and ends."""

import io
import json
import os
import random
import signal
import socket
import ssl
import struct
import subprocess
import threading
import time

import pytest
import sites
from conftest import DEMO, Server, run, until
from live import PATH, Live, frame

PIL = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def server():
    """For the tests that leave nothing behind."""
    server = Server("--live", "--live-sessions", 4, "--live-per-address", 4)
    yield server
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def metric(server, name):
    for line in server.get("/metrics")[2].decode().splitlines():
        if line.rpartition(" ")[0] == f"neatline_{name}":
            return float(line.split()[-1])
    return None


def are_gone(server):
    return until(lambda: metric(server, "live_sessions") == 0)


# Beginning


def test_a_map_begins_moves_and_comes_to_rest(server):
    with Live(server) as live:
        assert live.rest()
        assert live.events[0] == {"type": "ready", "version": 1, "style": "demo", "name": "World"}
        assert live.last("style")["attribution"] == ["Natural Earth"]
        assert live.frames[0]["size"] == (400, 300)
        assert live.frames[0]["parts"][0]["box"] == (0, 0, 400, 300)
        assert live.close() == (1000, "")
    assert are_gone(server)


@pytest.mark.parametrize("changes, status, words", [
    ({"drop": ["Upgrade"]}, 426, "this address is a WebSocket's"),
    ({"drop": ["Connection"]}, 426, "this address is a WebSocket's"),
    ({"drop": ["Sec-WebSocket-Version"]}, 426, "not 13"),
    ({"headers": {"Sec-WebSocket-Version": "8"}}, 426, '"8" is not 13'),
    ({"drop": ["Sec-WebSocket-Key"]}, 400, "16 bytes"),
    ({"headers": {"Sec-WebSocket-Key": "short"}}, 400, "16 bytes"),
    ({"headers": {"Sec-WebSocket-Key": "a" * 5000}}, 400, "16 bytes"),
    ({"headers": {"Origin": "http://elsewhere.org"}}, 403, "http://elsewhere.org"),
    ({"headers": {"Origin": "null"}}, 403, "null"),
    ({"path": PATH + "?a=1"}, 400, 'unknown parameter "a"'),
    ({"path": "/styles/none/live/socket"}, 404, "no style"),
    ({"path": "/styles/demo/live/other"}, 404, "nothing here"),
])
def test_what_is_no_greeting_is_refused_by_its_reason(server, changes, status, words):
    with Live(server, **changes) as live:
        assert live.status == status
        body = live.data
        while len(body) < int(live.headers["content-length"]):
            body += live.socket.recv(4096)
        assert words in body.decode()
        if status == 426:
            assert live.headers["upgrade"] == "websocket" and live.headers["sec-websocket-version"] == "13"


def test_other_methods_and_versions_are_refused(server):
    host = f"Host: {server.host}:{server.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    assert server.say(f"HEAD {PATH} HTTP/1.1\r\n{host}".encode()).startswith(b"HTTP/1.1 400")
    assert server.say(f"POST {PATH} HTTP/1.1\r\n{host}".encode()).startswith(b"HTTP/1.1 405")
    assert b" 426 " in server.say(f"GET {PATH} HTTP/1.0\r\n{host}".encode()).split(b"\r\n")[0]


def test_pages_of_this_host_and_those_named_may_ask(serve):
    server = serve("--live", "--live-origin", "https://app.example.org", "--live-origin", "http://other.example.org:81", "--allow-host", "maps.org")
    for origin in [f"http://127.0.0.1:{server.port}", f"https://127.0.0.1:{server.port}", "https://app.example.org", "http://OTHER.example.org:81"]:
        with Live(server, headers={"Origin": origin}, hello=False) as live:
            assert live.status == 101, origin
    with Live(server, headers={"Origin": "http://app.example.org"}) as live:
        assert live.status == 403
    # Behind a proxy that says what it was asked for.
    with Live(server, headers={"Origin": "https://maps.org", "X-Forwarded-Host": "maps.org", "X-Forwarded-Proto": "https"}, hello=False) as live:
        assert live.status == 101


def test_without_the_option_there_is_nothing(serve):
    server = serve()
    with Live(server) as live:
        assert live.status == 404
    assert server.get("/styles/demo/live")[0] == 404
    assert b"live" not in server.get("/styles/demo/")[2]
    assert metric(server, "live_sessions") is None


@pytest.mark.parametrize("arguments, words", [
    (["--live-sessions", "3"], "--live-sessions goes with --live"),
    (["--live-per-address", "3"], "--live-per-address goes with --live"),
    (["--live-origin", "*"], "--live-origin goes with --live"),
    (["--live-idle-timeout", "3"], "--live-idle-timeout goes with --live"),
    (["--live", "--live-sessions", "0"], "not a whole number within 1...1024"),
    (["--live", "--live-idle-timeout", "x"], "not a whole number"),
    (["--live", "--live-origin", "app.example.org"], "neither https://HOST[:PORT] nor *"),
    (["--live", "--live-origin", "https://a/b"], "neither https://HOST[:PORT] nor *"),
    (["--live=1"], "takes no value"),
])
def test_options_that_make_no_sense_end_the_program(arguments, words):
    done = run("serve", DEMO, *arguments, timeout=20)
    assert done.returncode == 2 and words in done.stderr.decode()


def test_pages_link_to_it(server, serve):
    assert b'href="styles/demo/live"' in server.get("/")[2] and b"live" in server.get("/styles/demo/")[2]
    status, headers, page = server.get("/styles/demo/live")
    assert status == 200 and b'<script src="../../viewer/live.js">' in page and b"http:" not in page and b"https:" not in page
    assert f"connect-src 'self' ws://127.0.0.1:{server.port} wss://127.0.0.1:{server.port};" in headers["content-security-policy"]
    assert server.get("/viewer/live.js")[0] == 200
    assert server.get("/styles/demo/live?x=1")[0] == 400
    assert server.get("/styles/demo/live/")[0] == 404


# What pages say


def test_messages_come_in_pieces_lists_and_with_pings_between(server):
    with Live(server, hello=False) as live:
        text = json.dumps({"type": "hello", "version": 1, "width": 300, "height": 200}).encode()
        live.send(frame(1, text[:10], last=False) + frame(9, b"are you there") + frame(0, b"", last=False) + frame(0, text[10:]))
        assert live.take(5) == ("pong", b"are you there")
        assert live.rest() and live.frames[0]["size"] == (300, 200)
        assert {part["format"] for one in live.frames for part in one["parts"]} == {"PNG"}
        heeded = live.say([{"type": "camera", "zoom": 3}, {"type": "camera", "longitude": 20.5}])
        assert live.until(lambda: live.frames[-1]["heeded"] >= heeded - 1 and live.camera["zoom"] == 3 and live.camera["longitude"] == 20.5)


HELLO = {"type": "hello", "version": 1, "width": 300, "height": 200}


@pytest.mark.parametrize("message, words", [
    ("{", "no JSON"),
    ("[" * 5000, "nested deeper"),
    ("12", "a message is an object"),
    ("[1]", "a message is an object"),
    ("{}", "type is missing"),
    ({"type": 3}, "type is missing, or no text"),
    ({"type": "fly"}, '"fly" is not known'),
    ({"type": "shown", "frame": 1}, "the first message is hello"),
    ([HELLO] * 257, "at most 256"),
    ({**HELLO, "version": 2}, "version 2 is not 1"),
    ({**HELLO, "width": 0}, "width 0.0 is no whole number within 1 to 16384"),
    ({**HELLO, "width": 1e9}, "width"),
    ({**HELLO, "width": 20.5}, "width 20.5"),
    ({**HELLO, "width": "wide"}, "width is no number"),
    ({**HELLO, "height": -1}, "height -1"),
    ('{"type":"hello","version":1,"width":NaN,"height":2}', "no JSON"),
    ('{"type":"hello","version":1,"width":1e999,"height":2}', "width"),
    ({**HELLO, "ratio": 0}, "ratio 0.0 is not within 0.1 to 16"),
    ({**HELLO, "ratio": 1e9}, "ratio"),
    ({**HELLO, "formats": "png"}, "formats is no list"),
    ({**HELLO, "formats": ["gif"]}, "another than png, jpeg, webp"),
    ({**HELLO, "formats": ["jpeg"]}, "neither png nor webp"),
    ({**HELLO, "camera": 3}, "camera is no object"),
    ({**HELLO, "camera": {"zoom": "far"}}, "zoom is no number"),
    ({**HELLO, "camera": {"soom": 3}}, '"soom" is not known'),
    ({**HELLO, "colour": 3}, '"colour" is not known'),
    ([HELLO, {"type": "shown", "frame": 7}], "frame 7 is not one that waits"),
    ([HELLO, {"type": "shown", "frame": 0}], "frame"),
    ([HELLO, {"type": "pointer", "phase": "down", "x": 1, "y": 1}], "time is missing"),
    ([HELLO, {"type": "pointer", "phase": "sideways", "x": 1, "y": 1, "time": 1}], "phase is none of down, move, up, cancel"),
    ([HELLO, {"type": "pointer", "phase": "down", "x": 1, "y": 1, "time": 1, "id": 0.5}], "id 0.5"),
    ([HELLO, {"type": "pointer", "phase": "down", "x": 1, "y": 1, "time": 1, "id": 1e300}], "id"),
    ([HELLO, {"type": "pointer", "phase": "down", "x": 1, "y": 1, "time": 1, "modifiers": ["hyper"]}], "another than shift"),
    ([HELLO, {"type": "pointer", "phase": "down", "x": 1, "y": 1, "time": 1, "button": "fourth"}], "button is none of"),
    ([HELLO, {"type": "key", "key": "q", "time": 1}], "key is none of plus, minus"),
    ([HELLO, {"type": "wheel", "x": 1, "y": 1, "delta": 3, "time": 1, "trackpad": 1}], "neither true nor false"),
    ([HELLO, {"type": "camera", "zoom": 3, "duration": -1}], "duration -1"),
    ([HELLO, {"type": "resize", "width": 1}], "height is missing"),
])
def test_what_is_no_message_is_named_and_closes(server, message, words):
    with Live(server, hello=False) as live:
        live.send(frame(1, (message if isinstance(message, str) else json.dumps(message)).encode()))
        code, reason = live.end()
        error = live.last("error")
        assert code == 1008 and error["code"] == "malformed" and error["isLast"]
        assert words in error["message"] and words[:20] in reason
    assert are_gone(server)


@pytest.mark.parametrize("data, code", [
    (frame(2, b"\0\1"), 1003),
    (frame(1, b"\xff\xfe"), 1007),
    (frame(1, b"{}", mask=None), 1002),
    (frame(1, b"{}", reserved=4), 1002),
    (frame(3, b"{}"), 1002),
    (frame(9, b"", last=False), 1002),
    (frame(0, b"{}"), 1002),
    (frame(8, b"\x03"), 1002),
    (frame(8, struct.pack(">H", 1006)), 1002),
    (frame(1, b" " * 65537), 1009),
    (frame(1, b" " * 40000, last=False) + frame(0, b" " * 40000), 1009),
    (frame(1, b"", length=1 << 62)[:14], 1009),
    (frame(1, b"", length=(1 << 64) - 1)[:14], 1002),
])
@pytest.mark.parametrize("greets", [True, False])
def test_what_is_no_websocket_closes_with_its_code(server, data, code, greets):
    with Live(server, hello=greets) as live:
        if greets:
            live.take(5)
        live.send(data)
        assert live.end()[0] == code
        assert live.last("error")["isLast"]
    assert are_gone(server)


@pytest.mark.parametrize("code", [None, 1000, 1001, 3000, 4999])
def test_a_close_is_answered(server, code):
    with Live(server) as live:
        live.take(5)
        live.send(frame(8, b"" if code is None else struct.pack(">H", code)))
        assert live.end() == (1000, "")
        # And then the connection ends.
        assert live.take(5) is None and live.closed


def test_views_past_the_limits_are_refused(serve):
    server = serve("--live", "--max-edge", 1000, "--max-pixels", 500_000, "--max-ratio", 2)
    for size, ratio, words in [((1001, 10), 1, "over the limit of 1000 an edge"), ((400, 300), 4, "a ratio of 4.0 is over the limit of 2.0"), ((800, 800), 1, "over the limit of 500000 in all"), ((600, 10), 2, "an edge")]:
        with Live(server, size=size, ratio=ratio) as live:
            assert live.end()[0] == 1008 and live.last("error")["code"] == "size" and words in live.last("error")["message"]
    with Live(server) as live:
        assert live.rest(), live.events
        live.say({"type": "resize", "width": 16384, "height": 16384, "ratio": 1})
        assert live.until(lambda: live.errors()) and not live.errors()[0]["isLast"]
        # It goes on as it was.
        live.say({"type": "camera", "zoom": 2})
        assert live.until(lambda: live.camera and live.camera["zoom"] == 2) and live.frames[-1]["size"] == (400, 300)


def test_what_the_map_refuses_is_told_and_changes_nothing(server):
    with Live(server, camera={"longitude": 10, "latitude": 20, "zoom": 3}) as live:
        assert live.rest()
        for message in [
            {"type": "pointer", "phase": "down", "x": 1e9, "y": 0, "time": 1}, {"type": "pointer", "phase": "down", "x": 0, "y": 0, "time": 1e300},
            {"type": "camera", "zoom": 99}, {"type": "camera", "latitude": 1e300}, {"type": "camera", "pitch": -5}, {"type": "wheel", "x": 1, "y": 1e9, "delta": 5, "time": 5},
            {"type": "key", "key": "plus", "time": -1e300}, HELLO,
        ]:
            count = len(live.errors())
            live.say(message)
            assert live.until(lambda: len(live.errors()) > count, 5), message
            assert live.errors()[-1]["code"] == "refused" and not live.errors()[-1]["isLast"], message
        # Ten pointers may be down.
        live.say([{"type": "pointer", "id": n, "phase": "down", "x": n, "y": n, "time": 10} for n in range(11)])
        count = len(live.errors())
        assert live.until(lambda: len(live.errors()) > count, 5)
        live.say({"type": "cancel"})
        live.drag((200, 150), (150, 150), at=5000)
        assert live.rest() and live.camera["longitude"] > 10.5 and abs(live.camera["latitude"] - 20) < 1e-6


def test_the_hundredth_refusal_is_the_last(server):
    with Live(server) as live:
        for _ in range(110):
            live.say({"type": "camera", "zoom": 99})
        assert live.end()[0] == 1008
        assert len(live.errors()) == 100 and [error["isLast"] for error in live.errors()] == [False] * 99 + [True]


def test_events_out_of_order_are_survived(server):
    with Live(server, camera={"longitude": 10, "latitude": 20, "zoom": 3}) as live:
        assert live.rest()
        rows = random.Random(3)
        for n in range(400):
            live.say({"type": "pointer", "id": rows.randrange(-2, 3), "phase": rows.choice(["down", "move", "up", "cancel"]), "x": rows.uniform(-500, 900),
                      "y": rows.uniform(-500, 900), "time": rows.choice([n * 16, -5000, 10 ** 12, 0, n * 16.5]), "kind": rows.choice(["touch", "mouse", "pen"]),
                      "button": rows.choice(["primary", "secondary", "middle"]), "modifiers": rows.sample(["shift", "control", "alt", "meta"], rows.randrange(3))})
            if n % 20 == 0:
                live.say({"type": "wheel", "x": 1, "y": 1, "delta": rows.uniform(-1e5, 1e5), "time": -n})
        live.say([{"type": "cancel"}, {"type": "camera", "longitude": 1, "latitude": 2, "zoom": 3, "bearing": 0, "pitch": 0}])
        assert live.until(lambda: live.camera and live.camera["zoom"] == 3 and live.camera["latitude"] == 2)


# What pages are shown


def styled(folder, layers=None):
    """A style without labels, of GeoJSON: what is drawn does not depend on what was drawn before."""
    style = {"version": 8, "center": [10, 20], "zoom": 3, "sources": {"s": {"type": "geojson", "data": str(sites.DEMO_FOLDER / "countries.geojson")}}, "layers": layers or [
        {"id": "b", "type": "background", "paint": {"background-color": "#cde"}}, {"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": ["match", ["%", ["length", ["to-string", ["get", "name"]]], 3], 0, "#eda", 1, "#ade", "#ead"]}},
        {"id": "l", "type": "line", "source": "s", "paint": {"line-color": "#334", "line-width": 1.3}}]}
    return sites.write(folder / "plain.json", style)


def rendered(style, camera, size, ratio, path):
    """What `neatline render` draws."""
    done = run("render", style, "-o", path, "--center", f"{camera['longitude']!r},{camera['latitude']!r}", "--zoom", repr(camera["zoom"]), "--bearing", repr(camera["bearing"]),
               "--pitch", repr(camera["pitch"]), "--size", f"{size[0]}x{size[1]}", "--ratio", ratio)
    assert done.returncode == 0, done.stderr
    return PIL.open(path).convert("RGBA")


@pytest.mark.parametrize("ratio", [1, 2])
def test_what_a_page_puts_together_is_the_rendered_picture(serve, tmp_path, ratio):
    style = styled(tmp_path)
    server = serve("--live", style=style)
    with Live(server, size=(500, 333), ratio=ratio, path="/styles/plain/live/socket") as live:
        assert live.rest() and live.frames[0]["size"] == (500 * ratio, 333 * ratio)
        assert live.picture.tobytes() == rendered(style, live.last("camera") or {"longitude": 10, "latitude": 20, "zoom": 3, "bearing": 0, "pitch": 0}, (500, 333), ratio, tmp_path / "a.png").tobytes()
        count = len(live.frames)
        live.drag((250, 160), (113, 97), steps=25, pause=0.016)
        assert live.rest()
        assert abs(live.camera["zoom"] - 3) < 1e-9 and live.camera["longitude"] > 15
        moving = live.frames[count:]
        assert len(moving) >= 4 and any(part["format"] == "JPEG" for one in moving for part in one["parts"]) and moving[-1]["exact"]
        assert live.picture.tobytes() == rendered(style, live.camera, (500, 333), ratio, tmp_path / "b.png").tobytes()
        # With the second button, and the wheel.
        live.drag((250, 160), (280, 120), steps=10, pause=0.016, at=9000, button="secondary")
        live.say({"type": "wheel", "x": 100, "y": 100, "delta": -150, "time": 20_000})
        assert live.rest() and live.camera["bearing"] > 10 and live.camera["pitch"] > 10 and live.camera["zoom"] > 3.2
        assert live.picture.tobytes() == rendered(style, live.camera, (500, 333), ratio, tmp_path / "c.png").tobytes()


def test_only_what_changed_is_sent_and_nothing_for_nothing(serve, tmp_path):
    point = {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [10, 20]}}
    style = sites.write(tmp_path / "point.json", {"version": 8, "center": [10, 20], "zoom": 3, "sources": {"s": {"type": "geojson", "data": {"type": "FeatureCollection", "features": [point]}}}, "layers": [
        {"id": "b", "type": "background", "paint": {"background-color": "#cde"}}, {"id": "c", "type": "circle", "source": "s", "paint": {"circle-radius": 9}}]})
    server = serve("--live", style=style)
    with Live(server, size=(1000, 700), path="/styles/point/live/socket") as live:
        assert live.rest()
        count = len(live.frames)
        # Three blocks to the right.
        live.drag((500, 350), (692, 350))
        assert live.rest() and live.camera["longitude"] < 10
        assert all(part["exact"] and part["box"][2] * part["box"][3] < 300 * 200 for one in live.frames[count:] for part in one["parts"])
        count = len(live.frames)
        # The same place again, and nothing at all.
        live.say({"type": "camera", "longitude": live.camera["longitude"]})
        live.quiet(1)
        assert len(live.frames) == count


@pytest.mark.parametrize("formats, wanted", [(["png"], {"PNG"}), (["webp"], {"WEBP"}), (["webp", "png"], {"PNG"}), (["webp", "jpeg"], {"WEBP", "JPEG"})])
def test_formats_are_those_the_page_takes(serve, tmp_path, formats, wanted):
    style = styled(tmp_path)
    server = serve("--live", style=style)
    with Live(server, path="/styles/plain/live/socket", formats=formats) as live:
        live.rest()
        live.drag((200, 150), (50, 100), steps=12, pause=0.016)
        assert live.rest()
        assert {part["format"] for one in live.frames for part in one["parts"]} == wanted
        assert live.picture.tobytes() == rendered(style, live.camera, (400, 300), 1, tmp_path / "a.png").tobytes()


def test_pictures_that_let_something_through_are_never_jpegs(serve, tmp_path):
    layers = [{"id": "f", "type": "fill", "source": "s", "paint": {"fill-color": "#a33", "fill-opacity": 0.5}}, {"id": "l", "type": "line", "source": "s"}]
    server = serve("--live", style=styled(tmp_path, layers))
    with Live(server, path="/styles/plain/live/socket") as live:
        live.rest()
        live.drag((200, 150), (50, 100), steps=12, pause=0.016)
        assert live.rest() and {part["format"] for one in live.frames for part in one["parts"]} == {"PNG"}


def test_another_size_and_another_ratio_are_drawn(serve, tmp_path):
    style = styled(tmp_path)
    server = serve("--live", style=style)
    with Live(server, path="/styles/plain/live/socket", camera={"longitude": 11, "latitude": 22, "zoom": 2.5}) as live:
        assert live.rest()
        for size, ratio in [((333, 222), 1), ((200, 100), 2), ((401, 77), 1.5)]:
            live.events = []
            live.say({"type": "resize", "width": size[0], "height": size[1], "ratio": ratio})
            assert live.until(lambda: live.frames[-1]["size"] == (round(size[0] * ratio), round(size[1] * ratio))), live.frames[-1]["size"]
            assert live.quiet(1)
            camera = {"longitude": 11, "latitude": 22, "zoom": 2.5, "bearing": 0, "pitch": 0}
            assert live.picture.tobytes() == rendered(style, camera, size, ratio, tmp_path / "a.png").tobytes()


def test_gestures_and_eases_are_told(server):
    with Live(server, camera={"longitude": 0, "latitude": 0, "zoom": 3}) as live:
        assert live.rest()
        live.drag((200, 150), (100, 150))
        live.say({"type": "key", "key": "plus", "time": 9000})
        assert live.until(lambda: live.last("camera") and live.camera["zoom"] == 4)
        words = [(event["gesture"], event["phase"]) for event in live.events if event["type"] == "gesture"]
        assert words[:2] == [("pan", "began"), ("pan", "ended")] and ("keyboard", "began") in words
        # The finger comes down there.
        assert next(event for event in live.events if event["type"] == "gesture")["x"] == 200
        live.say({"type": "camera", "zoom": 2, "bearing": 30, "duration": 300})
        begin = time.monotonic()
        assert live.until(lambda: live.camera["zoom"] == 2 and live.camera["bearing"] == 30) and time.monotonic() - begin > 0.2
        zooms = [event["zoom"] for event in live.events if event["type"] == "camera"]
        assert any(2 < zoom < 4 for zoom in zooms[-20:])


def test_what_cannot_be_loaded_is_told_without_its_address(serve, tmp_path):
    style = sites.write(tmp_path / "lost.json", {"version": 8, "sources": {"gone": {"type": "vector", "tiles": ["http://127.0.0.1:9/secret/{z}/{x}/{y}.pbf"]}}, "layers": [
        {"id": "b", "type": "background"}, {"id": "l", "type": "line", "source": "gone", "source-layer": "x"}]})
    server = serve("--live", "--retries", 0, style=style, stderr=subprocess.PIPE)
    with Live(server, path="/styles/lost/live/socket") as live:
        assert live.until(lambda: live.last("missing"))
        missing = live.last("missing")
        assert missing["part"] == "tile" and missing["source"] == "gone" and missing["status"] == "network"
        assert "secret" not in json.dumps(live.events)
    assert b"secret" in server.process.stderr.buffer.readline()
    server.process.stderr.close()


# Limits


def test_past_the_limit_a_map_is_refused_until_one_goes(server):
    held = [Live(server, size=(50, 50)) for _ in range(4)]
    try:
        assert all(live.take(5) for live in held)
        with Live(server, hello=False) as live:
            assert live.status == 101
            code, reason = live.end()
            assert code == 1013 and live.last("error")["code"] == "full" and "4 live maps already" in reason
        held.pop().close()
        assert until(lambda: metric(server, "live_sessions") == 3)
        with Live(server) as live:
            assert live.rest()
        assert metric(server, "live_refused_total") >= 1
        assert metric(server, 'live_closings_total{code="1013"}') >= 1
    finally:
        for live in held:
            live.socket.close()
    assert are_gone(server)


def test_one_address_has_no_more_than_its_part(serve):
    server = serve("--live", "--live-per-address", 2)
    with Live(server, source="127.0.0.7") as one, Live(server, source="127.0.0.7") as two, Live(server, source="127.0.0.8") as other:
        assert one.take(5) and two.take(5) and other.rest()
        with Live(server, source="127.0.0.7", hello=False) as third:
            code, reason = third.end()
            assert code == 1013 and "2 live maps of this address already" in reason and third.last("error")["code"] == "full"


def test_a_ratio_that_changes_all_the_time_makes_few_maps(serve, tmp_path):
    server = serve("--live", style=styled(tmp_path))
    with Live(server, path="/styles/plain/live/socket") as live:
        assert live.rest()
        before = server.threads_and_descriptors
        begin = time.monotonic()
        for n in range(20):
            live.say([{"type": "resize", "width": 100 + k, "height": 100, "ratio": 1 + (k % 7 + 1) / 10} for k in range(256)])
        live.say({"type": "resize", "width": 200, "height": 100, "ratio": 2})
        assert live.until(lambda: live.frames[-1]["size"] == (400, 200)) and live.quiet() and time.monotonic() - begin < 10
        assert until(lambda: server.threads_and_descriptors[0] <= before[0] + 1), before


def test_who_says_nothing_is_ended(serve):
    server = serve("--live", "--live-idle-timeout", 700, "--head-timeout", 400)
    with Live(server, hello=False) as live:
        begin = time.monotonic()
        assert live.end()[0] == 1008 and 0.3 < time.monotonic() - begin < 2
        assert live.last("error")["code"] == "slow"
    with Live(server) as live:
        for n in range(4):
            time.sleep(0.3)
            live.say({"type": "wheel", "x": 1, "y": 1, "delta": 1, "time": n})
        begin = time.monotonic()
        code, _ = live.end()
        assert code == 1000 and live.last("error")["code"] == "idle" and 0.4 < time.monotonic() - begin < 2
        # That frames were shown is no input.
    assert are_gone(server)


def test_who_does_not_answer_a_ping_is_gone(serve):
    server = serve("--live", "--idle-timeout", 300)
    with Live(server) as live, Live(server) as other:
        other.answers = False
        other.until(lambda: other.closed, 0.1)
        begin = time.monotonic()
        # As long as it answers it stays, however little it says.
        live.listen(1.5)
        assert not live.closed
        assert other.end(5) and time.monotonic() - begin < 4 and metric(server, 'live_closings_total{code="1006"}') == 1
        assert metric(server, "live_sessions") == 1


def test_a_page_that_shows_nothing_gets_two_frames_and_then_the_newest(serve, tmp_path):
    server = serve("--live", style=styled(tmp_path))
    with Live(server, path="/styles/plain/live/socket") as live:
        assert live.rest()
        live.acknowledges = False
        count = len(live.frames)
        live.drag((200, 150), (100, 110), steps=30, pause=0.016)
        live.quiet(0.5, 3)
        assert len(live.frames) == count + 2
        said = live.said
        live.acknowledges = True
        for head in live.frames[count:]:
            live.paint(head)
        live.shown(live.frames[-1]["number"])
        assert live.rest() and live.frames[count + 2]["heeded"] >= said
        assert live.picture.tobytes() == rendered(tmp_path / "plain.json", live.camera, (400, 300), 1, tmp_path / "a.png").tobytes()


def test_a_page_that_never_shows_anything_is_ended(serve):
    server = serve("--live", "--answer-timeout", 600)
    with Live(server) as live:
        live.acknowledges = False
        assert live.end(10)[0] == 1008 and live.last("error")["code"] == "slow"
    assert are_gone(server)


def test_a_client_that_does_not_read_costs_a_frame_and_is_ended(serve, noisy):
    server = serve("--live", "--answer-timeout", 1500, style=noisy)
    path = "/styles/" + json.loads(server.get("/styles.json")[2])[0]["id"] + "/live/socket"
    with Live(server, size=(2000, 2000), path=path, camera={"longitude": -130, "latitude": -40, "zoom": 3.5}, formats=["png"]) as live:
        begin = time.monotonic()
        for n in range(300):
            try:
                live.say({"type": "camera", "longitude": -130 + n / 100})
            except OSError:
                break
        before = server.resident_bytes
        # Others are served meanwhile.
        with Live(server, path=path) as other:
            assert other.rest()
        assert server.resident_bytes - before < 200 << 20
        assert until(lambda: metric(server, "live_sessions") == 0, 15) and time.monotonic() - begin < 15


def test_a_flood_of_input_is_heeded_to_its_end_and_holds_nobody_else(serve, tmp_path):
    server = serve("--live", style=styled(tmp_path))
    with Live(server, path="/styles/plain/live/socket") as live, Live(server, path="/styles/plain/live/socket") as other:
        assert live.rest() and other.rest()
        live.pointer("down", 200, 150, 1)
        # What the client says to have shown waits behind it, as it does in a browser.
        live.acknowledges = False
        for k in range(500):
            live.say([{"type": "pointer", "id": 1, "phase": "move", "x": 200 + n % 100, "y": 150, "time": 2 + n + 200 * k} for n in range(200)])
        begin = time.monotonic()
        other.say({"type": "camera", "zoom": 4})
        assert other.until(lambda: other.camera and other.camera["zoom"] == 4) and time.monotonic() - begin < 5
        live.pointer("move", 77, 99, 2 + 200 * 500)
        live.say({"type": "cancel"})
        live.quiet()
        live.acknowledges = True
        live.shown(live.frames[-1]["number"])
        assert live.until(lambda: live.frames[-1]["heeded"] >= 100_002 and live.frames[-1]["exact"], 30)


def test_maps_that_end_in_every_way_leave_nothing_behind(serve):
    """NEATLINE_LIVE_CONNECTS says how many."""
    count = int(os.environ.get("NEATLINE_LIVE_CONNECTS", "120"))
    server = serve("--live", "--live-sessions", 4, "--max-per-address", 500)

    def one(n):
        live = Live(server, size=(200, 150), hello=n % 4 != 0)
        if n % 3 == 0 and live.status == 101:
            live.take(0.2)
        if n % 5 == 0:
            live.send(frame(1, b"", length=50000)[:8])
        if n % 5 == 1:
            live.send(os.urandom(200))
        if n % 5 == 2:
            live.send(frame(8))
        if n % 2:
            # As from a process that was killed in the middle: no goodbye at all.
            live.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        live.socket.close()

    for n in range(20):
        one(n)
    assert are_gone(server) and until(lambda: json.loads(server.get("/health")[2])["connections"] == 1)
    things, memory = server.threads_and_descriptors, server.resident_bytes
    for n in range(count):
        one(n)
    assert are_gone(server) and until(lambda: json.loads(server.get("/health")[2])["connections"] == 1)
    assert until(lambda: server.threads_and_descriptors[0] <= things[0] + 1 and server.threads_and_descriptors[1] <= things[1] + 1), (things, server.threads_and_descriptors)
    assert server.resident_bytes - memory < 48 << 20
    with Live(server) as live:
        assert live.rest()


def test_many_at_once_are_served_or_told(serve):
    server = serve("--live", "--live-sessions", 3, "--max-per-address", 500)
    ends = []

    def one():
        with Live(server, size=(100, 100)) as live:
            if live.status != 101:
                return ends.append(live.status)
            live.until(lambda: live.closed is not None or live.frames, 20)
            ends.append(live.closed[0] if isinstance(live.closed, tuple) else "served" if live.frames else live.closed)

    clients = [threading.Thread(target=one) for _ in range(60)]
    [client.start() for client in clients], [client.join() for client in clients]
    # What is past the places for goodbyes is closed without one.
    assert len(ends) == 60 and set(ends) <= {"served", 1013, "gone"} and "served" in ends and 1013 in ends, ends
    assert are_gone(server) and server.process.poll() is None


@pytest.mark.parametrize("greets", [True, False])
def test_bytes_at_random_do_not_end_the_server(server, greets):
    """NEATLINE_FUZZ_LIVE says how many sockets."""
    rows = random.Random(5)
    good = [json.dumps(message).encode() for message in [
        HELLO, {"type": "pointer", "phase": "down", "x": 1, "y": 1, "time": 1}, {"type": "pointer", "phase": "move", "x": 30, "y": 1, "time": 20},
        {"type": "wheel", "x": 1, "y": 1, "delta": 30, "time": 40}, {"type": "key", "key": "plus", "time": 50}, {"type": "camera", "zoom": 2, "duration": 100},
        {"type": "resize", "width": 100, "height": 100, "ratio": 2}, {"type": "shown", "frame": 1}]]
    for _ in range(int(os.environ.get("NEATLINE_FUZZ_LIVE", "40"))):
        with Live(server, size=(64, 64), hello=greets) as live:
            for _ in range(rows.randrange(1, 8)):
                text = bytearray(rows.choice(good))
                for _ in range(rows.randrange(4)):
                    at = rows.randrange(len(text))
                    text[at:at + rows.randrange(2)] = rows.choice([b"", b"9", b"-", b"e9", b"\"", b"{", b"\xff", bytes([rows.randrange(256)])])
                data = bytearray(frame(rows.choice([1, 1, 1, 1, 2, 0, 9]), bytes(text), last=rows.random() > 0.1))
                if rows.random() < 0.2:
                    data[rows.randrange(len(data))] = rows.randrange(256)
                try:
                    live.send(bytes(data))
                except OSError:
                    break
            live.take(0.05)
    assert server.process.poll() is None and are_gone(server)


# Ends and changes


def test_a_stop_says_so_and_ends_in_time(serve):
    server = serve("--live")
    with Live(server) as live, Live(server, hello=False) as other:
        live.rest()
        begin = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert live.end()[0] == 1001 and live.last("error")["code"] == "stopping"
        assert other.end()[0] == 1001
        live.close(), other.close()
        assert server.process.wait(10) == 0 and time.monotonic() - begin < 5


def test_a_stop_does_not_wait_for_those_who_do_not_answer(serve):
    server = serve("--live")
    with Live(server) as live:
        live.rest()
        begin = time.monotonic()
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(10) == 0 and time.monotonic() - begin < 5


def test_a_style_that_changes_is_shown_and_the_camera_stays(serve, tmp_path):
    path = sites.write(tmp_path / "one.json", sites.background("#ff0000"))
    server = serve("--live", style=path)
    with Live(server, path="/styles/one/live/socket") as live:
        assert live.rest() and live.picture.getpixel((5, 5)) == (255, 0, 0, 255)
        live.say({"type": "camera", "longitude": 3, "latitude": 4, "zoom": 5})
        live.quiet()
        sites.write(path, {**sites.background("#0000ff", "Blue"), "center": [50, 50]})
        assert live.until(lambda: live.picture.getpixel((5, 5)) == (0, 0, 255, 255) and live.last("style")["name"] == "Blue", 20)
        assert (live.camera["longitude"], live.camera["latitude"], live.camera["zoom"]) == (3, 4, 5)
        # One that is no style leaves the old.
        sites.write(path, "{")
        server.process.send_signal(signal.SIGHUP)
        live.quiet(1)
        assert live.closed is None and live.picture.getpixel((5, 5)) == (0, 0, 255, 255)


def test_a_style_that_goes_ends_its_maps(serve, tmp_path):
    config = sites.make(tmp_path)
    server = serve("--config", config, "--live", style=None)
    with Live(server, path="/styles/towns/live/socket") as live, Live(server, path="/styles/world/live/socket") as other:
        live.quiet(), other.quiet()
        less = sites.config()
        del less["styles"]["towns"]
        sites.write(config, less)
        server.process.send_signal(signal.SIGHUP)
        assert live.end(20)[0] == 1001 and live.last("error")["code"] == "gone"
        other.quiet()
        assert other.closed is None
        with Live(server, path="/styles/towns/live/socket") as again:
            assert again.status == 404


def test_figures_log_and_health_have_it(serve):
    server = serve("--live", "--access-log", "json")
    with Live(server, headers={"User-Agent": "a page"}) as live:
        live.rest()
        assert metric(server, "live_sessions") == 1 and metric(server, "live_frames_total") == len(live.frames)
        assert metric(server, "live_frame_bytes_total") == sum(one["bytes"] for one in live.frames)
        assert metric(server, "live_received_bytes_total") > 50
        live.close()
    assert are_gone(server)
    assert metric(server, "live_sent_bytes_total") > sum(one["bytes"] for one in live.frames)
    assert metric(server, 'requests_total{route="live",status="101"}') == 1
    line = next(line for line in iter(lambda: json.loads(server.process.stdout.readline()), None) if line["route"] == "live")
    assert line["status"] == 101 and line["agent"] == "a page" and line["bytes"] == metric(server, "live_sent_bytes_total")


@pytest.fixture
def certificate(tmp_path):
    key, chain = tmp_path / "key.pem", tmp_path / "chain.pem"
    done = subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext",
                           "subjectAltName=DNS:localhost", "-keyout", key, "-out", chain], capture_output=True)
    if done.returncode != 0:
        pytest.skip("no openssl here")
    return chain, key


def test_over_tls_it_is_the_same(serve, tmp_path, certificate):
    chain, key = certificate
    style = styled(tmp_path)
    server = serve("--live", "--live-sessions", 1, "--tls-certificate", chain, "--tls-key", key, style=style)
    tls = ssl.create_default_context(cafile=str(chain))
    with Live(server, path="/styles/plain/live/socket", tls=tls, size=(600, 400), headers={"Origin": f"https://127.0.0.1:{server.port}"}) as live:
        assert live.rest()
        live.drag((200, 150), (50, 100), steps=12, pause=0.016)
        assert live.rest()
        assert live.picture.tobytes() == rendered(style, live.camera, (600, 400), 1, tmp_path / "a.png").tobytes()
        with Live(server, path="/styles/plain/live/socket", tls=tls, hello=False) as other:
            assert other.end()[0] == 1013
        assert live.close() == (1000, "")
    for _ in range(10):
        with Live(server, path="/styles/plain/live/socket", tls=tls) as live:
            live.take(1)
            live.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    threads = server.threads_and_descriptors
    assert until(lambda: server.threads_and_descriptors[1] <= 20), threads
    with Live(server, path="/styles/plain/live/socket", tls=tls) as live:
        live.take(5)
        server.process.send_signal(signal.SIGTERM)
        assert live.end()[0] == 1001
    assert server.process.wait(10) == 0

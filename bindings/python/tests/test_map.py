"""Maps, their events, loops of their own and within asyncio."""

import asyncio
import gc
import http.server
import threading
import time
import weakref

import neatline
import pytest

PLAIN = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}
POINT = {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}


class Server(http.server.ThreadingHTTPServer):
    """Answers by path: a body, a status, or nothing at all until it ends."""

    daemon_threads = True

    def __init__(self, answers):
        super().__init__(("127.0.0.1", 0), Handler)
        self.answers = answers
        self.is_over = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, path, user=""):
        return f"http://{user}127.0.0.1:{self.server_address[1]}{path}"

    def stop(self):
        self.is_over.set()
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):  # noqa: N802
        answer = self.server.answers.get(self.path.split("?")[0], 404)
        if answer is None:
            self.server.is_over.wait(30)
            return
        if isinstance(answer, int):
            self.send_error(answer)
            return
        self.send_response(200)
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


@pytest.fixture
def serve():
    servers = []

    def start(answers):
        servers.append(Server(answers))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


def pixels(image):
    return image.tobytes()


@pytest.fixture
def map():
    with neatline.Map(32, threads=1, retries=0) as made:
        yield made


# Listeners


def test_events_come_in_order_with_their_times(map):
    heard = []
    map.on_every(None, heard.append)
    before = time.time()
    map.load_style({**PLAIN, "sources": {"p": POINT}})
    assert map.loop.run(10) is False
    kinds = [(event.kind, event.part, event.source) for event in heard]
    assert kinds == [
        ("style_data_loaded", "style", None),
        ("source_added", None, "p"),
        ("style_data_loaded", "sources", None),
        ("style_loaded", None, None),
        ("render_frame_started", None, None),
        ("render_frame_finished", None, None),
        ("map_loaded", None, None),
        ("map_idle", None, None),
    ]
    assert all(before - 1 <= event.began <= event.ended <= time.time() + 1 for event in heard)
    frame = heard[5]
    assert (frame.is_complete, frame.needs_repaint, frame.is_placement_changed) == (True, False, False)
    assert frame.size is None and frame.error is None
    assert map.is_loaded and map.info["isLoaded"]


def test_on_next_is_called_once_also_where_it_causes_the_same(map):
    heard = []

    def again(event):
        heard.append("first")
        if len(heard) < 10:
            map.set_camera(zoom=2)

    listener = map.on_next("camera_changed", again)
    map.on_next("camera_changed", lambda event: heard.append("second"))
    map.set_camera(zoom=1)
    map.set_camera(zoom=3)
    assert heard == ["first", "second"] and listener.cancelled


def test_cancelling_holds_for_the_same_event(map):
    heard = []

    def first(event):
        heard.append("a")
        later.cancel()
        own.cancel()

    own = map.on_every("camera_changed", first)
    later = map.on_every("camera_changed", lambda event: heard.append("b"))
    map.on_every("camera_changed", lambda event: heard.append("c"))
    map.set_camera(zoom=1)
    map.set_camera(zoom=2)
    assert heard == ["a", "c", "c"]
    with map.on_every("camera_changed", lambda event: heard.append("d")) as listener:
        map.set_camera(zoom=3)
    map.set_camera(zoom=4)
    assert heard == ["a", "c", "c", "c", "d", "c"] and listener.cancelled


def test_kinds_that_do_not_exist_are_named(map):
    with pytest.raises(neatline.InvalidArgumentError, match="camera_change"):
        map.on_every("camera_change", print)
    with pytest.raises(neatline.InvalidArgumentError):
        map.events("idle")


def test_what_a_handler_raises_comes_out_of_the_call(map):
    def fail(event):
        raise KeyError(event.kind)

    map.on_every("camera_changed", fail)
    with pytest.raises(KeyError, match="camera_changed"):
        map.set_camera(zoom=1)
    assert map.camera.zoom == 1
    map.on_every("map_idle", fail)
    map.load_style(PLAIN)
    with pytest.raises(KeyError, match="map_idle"):
        map.loop.run(10)
    assert map.is_loaded
    map.loop.run(1)


def test_a_handler_may_close_its_map():
    for place in range(8):
        map, heard = neatline.Map(16, threads=1), []

        def handle(event):
            heard.append(event.kind)
            if len(heard) == place + 1:
                map.close()

        map.on_every(None, handle)
        loop = map.loop
        load = map.load_style({**PLAIN, "sources": {"p": POINT}})
        loop.run(0.2)
        assert len(heard) == place + 1
        assert load.done and (load.error is None) == ("style_loaded" in heard or place >= 3)
        with pytest.raises(neatline.InvalidStateError):
            map.camera


# What they carry


def test_requests_and_errors_have_their_members(map, serve):
    server = serve({"/s.json": b'{"tiles": []}', "/tiles": 404})
    heard = {"resource_request": [], "map_loading_error": []}
    for kind, events in heard.items():
        map.on_every(kind, events.append)
    style = {
        **PLAIN,
        "sources": {
            "s": {"type": "vector", "url": server.url("/s.json?a=1&access_token=s3cret", "u:s3cret@")},
            "t": {"type": "vector", "url": server.url("/none.json?key=s3cret")},
        },
        "layers": [
            {"id": "s", "type": "fill", "source": "s", "source-layer": "l"},
            {"id": "t", "type": "fill", "source": "t", "source-layer": "l"},
        ],
    }
    map.load_style(style)
    map.loop.run(10)
    requests = {event.source: event for event in heard["resource_request"]}
    found = requests["s"]
    assert found.url == server.url("/s.json?a=1") and found.part == "source" and found.size == 13
    assert (found.priority, found.usage, found.is_final, found.is_cancelled) == ("view", "all", True, False)
    assert found.error is None and found.began <= found.ended
    missing = requests["t"]
    assert isinstance(missing.error, neatline.NotFoundError)
    errors = {event.source: event for event in heard["map_loading_error"]}
    assert errors["t"].part == "source" and isinstance(errors["t"].error, neatline.NotFoundError)
    assert errors["t"].url == server.url("/none.json")
    assert "s3cret" not in repr(heard)


# Completions


def test_completions_are_called_once(map, tmp_path, serve):
    path = tmp_path / "style.json"
    path.write_text('{"version": 8, "sources": {}, "layers": []}')
    server = serve({"/slow": None})
    heard = []

    def completion(name):
        return lambda error: heard.append((name, type(error)))

    first = map.load_style(server.url("/slow"), completion=completion("slow"))
    map.load_style(tmp_path / "none.json", completion=completion("none"))
    assert heard == [("slow", neatline.CancelledError)] and first.done
    map.loop.run(10)
    assert heard[1:] == [("none", neatline.NotFoundError)]
    load = map.load_style(path, completion=completion("file"))
    for wrong, error in (("{", neatline.JSONError), ({"version": 7}, neatline.StyleError)):
        with pytest.raises(error):
            map.load_style(wrong, completion=completion("wrong"))
    assert not load.done
    map.loop.run(10)
    assert heard[2:] == [("file", type(None))] and load.done and load.error is None
    assert map.info["url"] == str(path)
    map.load_style(PLAIN, completion=completion("text"))
    map.close()
    assert heard[3:] == [("text", neatline.CancelledError)]


# asyncio


def test_styles_and_events_are_awaited(tmp_path):
    async def main():
        with neatline.Map(32, threads=1) as map:
            stream = map.events("style_data_loaded", "map_idle")
            assert await map.load_style(PLAIN) is map
            heard = []
            async for event in stream:
                heard.append(event.part or event.kind)
                if event.kind == "map_idle":
                    break
            assert heard == ["style", "sources", "map_idle"]
            with pytest.raises(neatline.NotFoundError):
                await map.load_style(tmp_path / "none.json")
            await map.load_style(PLAIN)
            # Begun between two turns of the loop, when no timer is left.
            await asyncio.sleep(0.02)
            map.set_camera(zoom=3, duration=0.05)
            zooms = []
            with map.events("camera_changed", "map_idle") as moves:
                async for event in moves:
                    if event.kind == "map_idle":
                        break
                    zooms.append(map.camera.zoom)
            assert zooms[-1] == 3 and sorted(zooms) == zooms
            with pytest.raises(neatline.InvalidStateError):
                map.loop.run(1)
            rest = [event async for event in _closing(map)]
            assert [event.kind for event in rest] == ["camera_changed"]

    async def _closing(map):
        stream = map.events("camera_changed")
        map.set_camera(zoom=1)
        map.close()
        async for event in stream:
            yield event

    asyncio.run(asyncio.wait_for(main(), 20))


def test_a_style_from_a_server_is_awaited(serve):
    server = serve({"/style.json": b'{"version": 8, "sources": {}, "layers": []}', "/slow": None})

    async def main():
        with neatline.Map(16, threads=1, retries=0) as map:
            await map.load_style(server.url("/style.json"))
            slow = asyncio.ensure_future(_wait(map, server.url("/slow")))
            await asyncio.sleep(0.05)
            await map.load_style(PLAIN)
            with pytest.raises(neatline.CancelledError):
                await slow

    async def _wait(map, url):
        await map.load_style(url)

    asyncio.run(asyncio.wait_for(main(), 20))


def test_what_a_handler_raises_goes_to_asyncios_handler():
    seen = []

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: seen.append(context))
        with neatline.Map(16, threads=1) as map:
            map.on_next("map_idle", lambda event: 1 / 0)
            await map.load_style(PLAIN)
            await asyncio.sleep(0.1)

    asyncio.run(main())
    assert [type(each["exception"]) for each in seen] == [ZeroDivisionError]


def test_loops_of_asyncio_may_follow_each_other():
    map = neatline.Map(16, threads=1)

    async def load():
        await asyncio.wait_for(map.load_style(PLAIN), 10)

    for _ in range(3):
        asyncio.run(load())
    map.loop.run(10)
    assert map.is_loaded
    map.close()


# Ends


def test_maps_and_streams_go_when_nobody_holds_them():
    map = neatline.Map(16, threads=1)
    map.load_style(PLAIN)
    loop, own = map.loop, weakref.ref(map)
    stream = map.events("camera_changed")
    streams = weakref.ref(stream)
    del stream
    gc.collect()
    assert streams() is None
    map.set_camera(zoom=1)
    del map
    gc.collect()
    assert own() is None
    loop.run(0.1)


def test_maps_share_a_loop():
    loop = neatline.EventLoop()
    maps = [neatline.Map(16, loop=loop, threads=1) for _ in range(3)]
    for map in maps:
        map.load_style(PLAIN)
    loop.run(10)
    assert all(map.is_loaded for map in maps)
    threading.Timer(0.05, loop.wake).start()
    maps[0].set_camera(zoom=5, duration=100)
    start = time.monotonic()
    assert loop.run(30) is True and time.monotonic() - start < 10
    loop.close()
    for map in maps:
        map.close()


# Style and view


def test_the_style_changes_step_by_step(map):
    map.load_style({**PLAIN, "sources": {"p": POINT}})
    map.loop.run(10)
    map.set_transitions(False)
    map.set_paint_property("b", "background-color", "#ff0000")
    map.add_layer({"id": "c", "type": "circle", "source": "p"})
    map.set_paint_property("c", "circle-radius", ["+", 4, 4])
    map.loop.run(10)
    assert map.layer_property("b", "background-color") == "#ff0000"
    assert map.layer_property("c", "circle-radius") == ["+", 4, 4]
    assert pixels(map.draw())[:4] == b"\xff\x00\x00\xff"
    assert [each["layer"] for each in map.query((16, 16))] == ["c"]
    map.set_filter("c", ["==", ["get", "x"], 2])
    map.loop.run(10)
    assert map.query((16, 16)) == []
    map.set_filter("c", None)
    map.set_geojson("p", {"type": "Point", "coordinates": [90, 0]})
    map.move_layer("c", "b")
    map.set_layer_zoom_range("c", 1, 3)
    assert [layer["id"] for layer in map.style["layers"]] == ["c", "b"]
    map.remove_layer("c")
    map.remove_source("p")
    with pytest.raises(neatline.NotFoundError):
        map.remove_source("p")
    map.set_paint_property("b", "background-color", None)
    assert map.layer_property("b", "background-color") is None
    assert map.frame() is not None and map.attribution == []


def test_what_is_not_given_of_the_camera_stays(map):
    map.load_style(PLAIN)
    map.set_camera((10, 20), zoom=3, bearing=45)
    map.set_camera(pitch=30, padding=(1, 2, 3, 4))
    camera = map.camera
    assert camera.center == pytest.approx((10, 20)) and camera.zoom == 3 and camera.bearing == 45
    assert camera.pitch == 30 and camera.padding == (1, 2, 3, 4)
    map.set_camera(bounds=(-10, -10, 10, 10), padding=0, bearing=0, pitch=0)
    assert map.camera.center == pytest.approx((0, 0), abs=1e-6)
    heard = []
    map.on_every("camera_changed", heard.append)
    map.set_size((40, 20))
    assert len(heard) == 1 and map.draw().width == 40
    with pytest.raises(neatline.InvalidArgumentError):
        map.set_camera(zoom=99)
    with pytest.raises(neatline.InvalidArgumentError):
        map.set_camera((0, 0), bounds=(0, 0, 1, 1))


def test_memory_is_given_back_and_pictures_stay(map, blue_square):
    map.load_style(blue_square)
    for zoom in (0, 2, 1):
        map.set_camera(zoom=zoom)
        map.loop.run(10)
    before = pixels(map.draw())
    map.reduce_memory_use()
    assert pixels(map.draw()) == before
    with neatline.Renderer(blue_square) as renderer:
        first = pixels(renderer.draw(zoom=1, size=32))
        renderer.reduce_memory_use()
        assert pixels(renderer.draw(zoom=1, size=32)) == first


def test_how_long_labels_fade_is_said():
    with neatline.Map(size=64) as map:
        assert map.fade_duration == 0.3
        for seconds in (0, 1.5, 60):
            map.fade_duration = seconds
            assert map.fade_duration == seconds
        for seconds in (-0.1, 60.1, float("nan"), float("inf")):
            with pytest.raises(neatline.InvalidArgumentError, match="0 to 60000"):
                map.fade_duration = seconds
        assert map.fade_duration == 60


def test_how_many_zooms_lower_tiles_are_asked_for_first_is_said():
    with neatline.Map(size=64) as map:
        for levels in (0, 4, 10):
            map.set_prefetch_zoom_delta(levels)
        for levels in (-1, 11, 2.5):
            with pytest.raises((neatline.InvalidArgumentError, ValueError, TypeError)):
                map.set_prefetch_zoom_delta(levels)

"""Regions, over a server that counts what it is asked."""

import asyncio
import http.server
import json
import subprocess
import sys
import threading
import time

import neatline
import numpy
import pytest
from neatline import offline


class World(http.server.ThreadingHTTPServer):
    """Serves a style with glyphs, a GeoJSON source and raster tiles."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked = []
        self.refused = ()
        self.slow = 0
        self.picture = neatline.render(
            json.dumps({"version": 8, "sources": {}, "layers": [
                {"id": "b", "type": "background", "paint": {"background-color": "#c00"}}]}), size=8
        ).png()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_address[1]}"

    @property
    def style(self):
        return self.url + "/style.json"


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_GET(self):  # noqa: N802
        world = self.server
        world.asked.append(self.path)
        if world.slow and self.path.startswith("/t/"):
            time.sleep(world.slow)
        if self.path.startswith(world.refused or "?"):
            self.send_error(403)
            return
        if self.headers.get("If-None-Match") == '"1"':
            self.send_response(304)
            self.send_header("Cache-Control", "max-age=600")
            self.end_headers()
            return
        if self.path == "/style.json":
            body = json.dumps({
                "version": 8, "glyphs": "f/{fontstack}/{range}",
                "sources": {"r": {"type": "raster", "tiles": ["t/{z}/{x}/{y}"], "maxzoom": 3},
                            "g": {"type": "geojson", "data": "g.json"}},
                "layers": [{"id": "r", "type": "raster", "source": "r"},
                           {"id": "t", "type": "symbol", "source": "g", "layout": {"text-field": "", "text-font": ["A"]}}],
            }).encode()
        elif self.path == "/g.json":
            body = b'{"type":"FeatureCollection","features":[]}'
        elif self.path.startswith("/t/"):
            body = world.picture
        else:
            body = b""
        self.send_response(200)
        self.send_header("Cache-Control", "max-age=600")
        self.send_header("ETag", '"1"')
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def world():
    server = World()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def resources(tmp_path):
    with neatline.Resources(tmp_path / "cache.db") as made:
        yield made


WORLD = (-180, -85, 180, 85)


def test_a_region_is_loaded_and_drawn_without_a_network(world, resources):
    heard = []
    region = offline.create(resources, world.style, bounds=WORLD, zooms=(0, 2), metadata=b"a\0b")
    assert region.progress.state is offline.State.INACTIVE and region.metadata == b"a\0b"
    progress = region.load(heard.append)
    # The style, GeoJSON, 256 ranges of glyphs, tiles of zooms 0 to 2.
    assert progress.required == progress.completed == 2 + 256 + 21 and progress.completed_tiles == 21
    assert progress.precise and progress.failed == 0 and progress.received > 0
    assert heard[0].state is offline.State.ACTIVE and heard[-1] == progress
    assert len(world.asked) == len(set(world.asked)) == 279
    online = neatline.Renderer(world.style, resources=resources).draw(center=(0, 0), zoom=1, size=64)
    resources.set_online(False)
    with neatline.Renderer(world.style, resources=resources) as renderer:
        image = renderer.draw(center=(0, 0), zoom=1, size=64)
    assert image.png() == online.png() and tuple(numpy.asarray(image)[32, 32]) == (204, 0, 0, 255)
    assert len(world.asked) == 279


def test_what_has_not_changed_is_not_sent_again(world, resources):
    region = offline.create(resources, world.style, bounds=WORLD, zooms=(0, 1), contents=["tiles"])
    region.load()
    count = len(world.asked)
    assert region.load().received == 0 and len(world.asked) == count
    region.invalidate()
    assert region.load().received == 0 and len(world.asked) == 2 * count


def test_regions_are_listed_changed_merged_and_deleted(world, resources, tmp_path):
    region = offline.create(
        resources, world.style, geometry={"type": "Point", "coordinates": [10, 10]}, zooms=(0, None), ideographs=False
    )
    assert region.load().completed_tiles == 4
    assert [each.id for each in offline.regions(resources)] == [region.id]
    assert region.definition["geometry"]["type"] == "Point" and region.fault is None
    region.metadata = b"trip"
    with neatline.Resources(tmp_path / "other.db") as other:
        merged = offline.merge(other, tmp_path / "cache.db")
        assert [each.metadata for each in merged] == [b"trip"]
        assert merged[0].progress.state is offline.State.COMPLETE
    region.delete()
    assert offline.regions(resources) == []
    for call in (region.delete, region.invalidate, region.load, lambda: region.progress, lambda: region.metadata):
        with pytest.raises(neatline.NotFoundError):
            call()


def test_what_is_not_to_be_had_is_named(world, resources):
    world.refused = "/t/1"
    region = offline.create(resources, world.style, bounds=WORLD, zooms=(0, 1), contents=["tiles"])
    told = []
    with pytest.raises(offline.IncompleteError, match="403") as caught:
        region.load(on_error=told.append)
    assert caught.value.progress.failed == 4 and not caught.value.disk_full
    assert len(caught.value.errors) == len(told) == 4 and isinstance(told[0], neatline.NetworkError)
    assert "/t/1/" in str(told[0])
    world.refused = ()
    assert region.load().state is offline.State.COMPLETE
    region.invalidate()
    with pytest.raises(offline.IncompleteError) as caught:
        region.load(quota=1)
    assert caught.value.disk_full


def test_a_tile_limit_ends_a_download(world, resources):
    offline.set_tile_limit(resources, 2, [world.url + "/t"])
    region = offline.create(resources, world.style, bounds=WORLD, zooms=(0, 1), contents=["tiles"])
    with pytest.raises(offline.IncompleteError) as caught:
        region.load()
    assert isinstance(caught.value.errors[-1], offline.TileLimitError)
    offline.set_tile_limit(resources, 0, [])
    assert region.load().state is offline.State.COMPLETE


def test_a_download_is_stopped_and_goes_on(world, resources):
    world.slow = 0.05
    region = offline.create(resources, world.style, bounds=WORLD, zooms=(0, 3), contents=["tiles"])
    heard = []
    with region.download(on_progress=heard.append) as download:
        assert not download.wait(0.1)
        with pytest.raises(neatline.InvalidStateError):
            region.download()
    count = len(heard)
    assert download.closed and heard[-1].state is offline.State.INACTIVE
    time.sleep(0.1)
    assert len(heard) == count
    world.slow = 0
    assert region.load().state is offline.State.COMPLETE

    # From within what it calls.
    region.invalidate()
    started = threading.Event()
    holder = []

    def stop(_):
        started.wait(10)
        holder[0].stop()

    holder.append(region.download(on_progress=stop))
    started.set()
    assert holder[0].wait(20) and holder[0].progress.state is offline.State.INACTIVE


def test_a_download_is_awaited_and_iterated_over(world, resources):
    region = offline.create(resources, world.style, bounds=WORLD, zooms=(0, 2), contents=["tiles"])

    async def main():
        seen = [progress async for progress in region.download()]
        return seen, await region.download()

    seen, last = asyncio.run(main())
    assert seen[-1].state is offline.State.COMPLETE and last.state is offline.State.COMPLETE
    assert [each.completed for each in seen] == sorted(each.completed for each in seen)


def test_nonsense_is_refused(world, resources):
    with pytest.raises(TypeError):
        offline.create(resources, "s")
    with pytest.raises(TypeError):
        offline.create(resources, "s", bounds=WORLD, geometry={})
    for wrong in (
        dict(bounds=(0, 1, 1, 0)), dict(bounds=(0, 0, 1, 91)), dict(bounds=WORLD, zooms=(3, 2)),
        dict(bounds=WORLD, zooms=(-1, 2)), dict(bounds=WORLD, contents=["tile"]),
        dict(bounds=WORLD, pixel_ratio=-1), dict(geometry={"type": "Point", "coordinates": [0, 99]}),
        dict(geometry={"type": "Nothing"}), dict(bounds=(float("nan"), 0, 1, 1)),
    ):
        with pytest.raises((neatline.InvalidArgumentError, neatline.GeoJSONError)):
            offline.create(resources, "s", **wrong)
    with pytest.raises(neatline.InvalidStateError):
        offline.regions(neatline.Resources())
    region = offline.create(resources, world.style, bounds=WORLD)
    with pytest.raises(neatline.InvalidArgumentError):
        region.download(attempts=-1)


def test_the_process_has_a_switch(world, tmp_path):
    # In a process of its own: it holds for all of it.
    program = f"""
import neatline
import numpy
from neatline import offline
offline.set_connected(False)
assert not offline.is_connected()
try:
    neatline.Renderer({world.style!r}, retries=0)
    raise SystemExit("a server was asked")
except neatline.NetworkError:
    pass
offline.set_connected(True)
neatline.Renderer({world.style!r})
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert world.asked == ["/style.json"]


def test_a_program_may_end_in_the_middle(world, tmp_path):
    world.slow = 5
    program = f"""
import neatline
import numpy
from neatline import offline
resources = neatline.Resources({str(tmp_path / 'cache.db')!r})
region = offline.create(resources, {world.style!r}, bounds=(-180, -85, 180, 85), zooms=(0, 3))
download = region.download(on_progress=lambda progress: None)
download.wait(0.3)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr

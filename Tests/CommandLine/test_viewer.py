"""The page at /, in headless Chromium over its own protocol of debugging. Skipped where there is no Chromium."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import urllib.parse
import urllib.request

import pytest
from conftest import DEMO, until

CHROMIUM = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")


class Page:
    """A page of a browser: a WebSocket with as much of the protocol as is needed."""

    def __init__(self, port, url):
        request = urllib.request.Request(f"http://127.0.0.1:{port}/json/new?{urllib.parse.quote(url, safe='')}", method="PUT")
        target = json.load(urllib.request.urlopen(request, timeout=10))
        host, path = target["webSocketDebuggerUrl"].removeprefix("ws://").split("/", 1)
        self.socket = socket.create_connection((host.split(":")[0], int(host.split(":")[1])), 20)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            f"GET /{path} HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        self.buffer = self.buffer.split(b"\r\n\r\n", 1)[1]
        self.number = 0

    def _take(self, count):
        while len(self.buffer) < count:
            part = self.socket.recv(1 << 16)
            assert part, "the browser is gone"
            self.buffer += part
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def _message(self):
        text = b""
        while True:
            first, second = self._take(2)
            size = second & 127
            if size >= 126:
                size = struct.unpack(">H" if size == 126 else ">Q", self._take(2 if size == 126 else 8))[0]
            text += self._take(size)
            if first & 128:
                return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        text = json.dumps({"id": self.number, "method": method, "params": parameters}).encode()
        # Clients mask what they send; a mask of zeros changes nothing.
        size = bytes([128 | len(text)]) if len(text) < 126 else b"\xfe" + struct.pack(">H", len(text))
        self.socket.sendall(b"\x81" + size + bytes(4) + text)
        while True:
            answer = self._message()
            if answer.get("id") == self.number:
                assert "error" not in answer, answer
                return answer["result"]

    def value(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wheel(self, x, y, by):
        self.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=by)

    def drag(self, x0, y0, x1, y1):
        for kind, x, y in [("mousePressed", x0, y0), ("mouseMoved", x1, y1), ("mouseReleased", x1, y1)]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=1, clickCount=1)

    def screenshot(self, path):
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    folder = tmp_path_factory.mktemp("chromium")
    process = subprocess.Popen(
        [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", f"--user-data-dir={folder}", "--no-first-run",
         "--window-size=1000,700", "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if not until(lambda: (folder / "DevToolsActivePort").exists() and "\n" in (folder / "DevToolsActivePort").read_text(), 60):
        process.kill()
        pytest.skip("Chromium does not start here")
    yield int((folder / "DevToolsActivePort").read_text().split("\n")[0])
    process.terminate()
    process.wait(20)


IS_DRAWN = "[...document.querySelectorAll('#map img')].length > 0 && [...document.querySelectorAll('#map img')].every(i => i.complete && i.naturalWidth)"
# The share of a grid of points of the view that a tile which is there covers.
COVERED = """(() => { let hits = 0, all = 0; const boxes = [...document.querySelectorAll('#map img')]
  .filter(i => i.complete && i.naturalWidth && i.style.visibility !== 'hidden').map(i => i.getBoundingClientRect());
  for (let x = 5; x < innerWidth; x += 50) for (let y = 5; y < innerHeight; y += 50) {
    all++; if (boxes.some(b => b.left <= x && x < b.right && b.top <= y && y < b.bottom)) hits++ } return hits / all })()"""


@pytest.fixture
def open_page(browser, serve):
    pages = []

    def start(fragment="", style=DEMO):
        server = serve("--max-per-address", 500, style=style)
        page = Page(browser, f"http://127.0.0.1:{server.port}/{fragment}")
        pages.append(page)
        # Pages behind others do not draw.
        page.call("Page.bringToFront")
        assert until(lambda: page.value("typeof paint === 'function'"))
        assert until(lambda: page.value(IS_DRAWN)), page.value("document.body.innerHTML.slice(0, 2000)")
        return page

    yield start
    for page in pages:
        page.call("Page.close")
        page.socket.close()


def test_the_map_fills_the_page_and_says_where_it_is(open_page, tmp_path):
    page = open_page()
    assert page.value(COVERED) == 1
    # What is pressed and read lies above the tiles.
    for name in ["in", "out", "foot"]:
        assert page.value(f"(b => document.elementFromPoint(b.left + 5, b.top + 5).closest('#{name}') !== null)(document.getElementById('{name}').getBoundingClientRect())")
    assert until(lambda: page.value("location.hash").count("/") == 2)
    assert "Natural Earth" in page.value("document.getElementById('foot').textContent") or until(
        lambda: "Natural Earth" in page.value("document.getElementById('foot').textContent"), 5)
    assert page.value("document.title") == "World"
    if folder := os.environ.get("NEATLINE_SCREENSHOTS"):
        page.screenshot(tmp_path.__class__(folder) / "viewer.png")


def test_the_hash_is_a_place(open_page):
    page = open_page("#5/47.3/11.4")
    assert page.value("[zoom, +lat().toFixed(3), +lon().toFixed(3)].join()") == "5,47.3,11.4"
    page.value("location.hash = '#3/10/20'")
    assert until(lambda: page.value("[zoom, +lat().toFixed(3), +lon().toFixed(3)].join()") == "3,10,20")


def test_buttons_and_keys_zoom(open_page):
    page = open_page("#3/10/20")
    page.value("document.getElementById('in').click()")
    assert until(lambda: page.value("zoom") == 4)
    page.value("document.getElementById('out').click()")
    assert until(lambda: page.value("zoom") == 3)
    page.value("map.focus()")
    for key, test in [("+", "zoom === 4"), ("-", "zoom === 3"), ("ArrowRight", "lon() > 24"), ("ArrowUp", "lat() > 14")]:
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key)
        assert until(lambda test=test: page.value(test)), key


def test_the_old_picture_stays_while_zooming(open_page):
    page = open_page("#3/10/20")
    # From now on no tile comes: what is seen is what was there.
    page.call("Network.enable")
    page.call("Network.setBlockedURLs", urls=["*.png"])
    page.wheel(500, 350, -300)
    assert until(lambda: page.value("zoom") > 3.9)
    assert page.value("new Promise(r => setTimeout(r, 300)).then(() => " + COVERED + ")") == 1
    # And with the network back the new tiles come, though they failed before.
    page.call("Network.setBlockedURLs", urls=[])
    assert until(lambda: page.value(IS_DRAWN + " && [...tiles.values()].every(t => t.level === 5)"), 30)
    assert page.value(COVERED) == 1


def test_zooming_keeps_the_point_under_the_pointer(open_page):
    page = open_page("#4/10/20")
    place = "(() => { const w = 512 * 2 ** zoom; return [x + (700 - innerWidth / 2) / w, y + (200 - innerHeight / 2) / w] })()"
    before = page.value(place)
    page.wheel(700, 200, -300)
    assert until(lambda: page.value("zoom") > 4.9)
    after = page.value(place)
    assert abs(before[0] - after[0]) < 1e-6 and abs(before[1] - after[1]) < 1e-6


def test_the_view_stays_inside_the_world(open_page):
    page = open_page("#2/80/0")
    for _ in range(8):
        page.drag(500, 100, 500, 650)
    assert until(lambda: page.value(IS_DRAWN))
    edge = page.value("y * 512 * 2 ** zoom - innerHeight / 2")
    assert -0.5 <= edge < 1 and page.value(COVERED) == 1
    for _ in range(20):
        page.wheel(500, 350, 600)
    assert until(lambda: page.value("document.getElementById('out').disabled"))
    assert until(lambda: page.value(IS_DRAWN)) and until(lambda: page.value(COVERED) == 1)
    # Round the world to the side there is no end.
    for _ in range(6):
        page.drag(900, 350, 100, 350)
    assert until(lambda: page.value(COVERED) == 1) and page.value("lon() >= -180 && lon() < 180")


def test_attributions_cannot_run_anything(open_page, tmp_path):
    style = tmp_path / "style.json"
    style.write_text(json.dumps({
        "version": 8,
        "sources": {"s": {
            "type": "geojson", "data": {"type": "FeatureCollection", "features": []},
            "attribution": "<b>bold</b> <a href='https://example.org'>link</a> <a href='javascript:fault()'>no</a><img src=x onerror=fault()><script>fault()</script>",
        }},
        "layers": [{"id": "b", "type": "background"}, {"id": "l", "type": "line", "source": "s"}],
    }))
    page = open_page(style=style)
    assert until(lambda: page.value("document.getElementById('credit').textContent") == "bold link no")
    assert page.value("[...document.querySelectorAll('#credit *')].map(e => e.nodeName + (e.getAttribute('href') || '')).join()") == "SPAN,Ahttps://example.org"

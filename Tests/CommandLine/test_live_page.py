"""The page of a live map in headless Chromium, with pointers, fingers, wheel and keys of the browser's own. Skipped where there is no Chromium.

NEATLINE_LIVE_PICTURE=docs/images/live.jpg has the picture of the documentation made anew.
"""

import base64
import functools
import http.server
import io
import json
import os
import pathlib
import threading
import time

import pytest
import sites
from conftest import ROOT, until
from test_live import rendered, styled
from test_viewer import CHROMIUM, Page, browser  # noqa: F401

PIL = pytest.importorskip("PIL.Image")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")

RESTS = "window.live && live.isExact && live.isIdle"


class LivePage(Page):
    """A page with a live map."""

    def __init__(self, port, width=1000, height=700, ratio=1, mobile=False):
        super().__init__(port, "about:blank")
        self.call("Page.bringToFront")
        self.call("Page.enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=mobile)
        if mobile:
            self.call("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        # What the page asks for elsewhere, what its policy stops, and what fails is remembered.
        self.call("Page.addScriptToEvaluateOnNewDocument", source="""window.stopped = [];
          addEventListener('securitypolicyviolation', e => stopped.push(e.violatedDirective + ' ' + e.blockedURI));
          addEventListener('unhandledrejection', e => stopped.push(String(e.reason)));
          addEventListener('error', e => stopped.push(String(e.message || e.target.src)), true)""")

    def open(self, url):
        self.call("Page.navigate", url=url)
        assert until(lambda: self.value(RESTS), 30), self.value("window.live && JSON.stringify([stopped, live.events])")
        return self

    def rests(self, condition="true"):
        return until(lambda: self.value(f"{RESTS} && ({condition})"), 30)

    def end(self):
        try:
            self.call("Page.close")
        except AssertionError:
            # It is on its way to another page.
            pass
        self.socket.close()

    @property
    def camera(self):
        return json.loads(self.value("JSON.stringify(live.camera)"))

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def pull(self, start, end, button="left", steps=12, rest=0.15, **more):
        """A drag with steps of 10 ms between, at the end of which the pointer rests. Its times are told, since the
        browser may be slower, and the drag then no throw."""
        bits = {"left": 1, "right": 2}[button]
        began = time.time()
        self.mouse("mousePressed", *start, button=button, buttons=bits, clickCount=1, timestamp=began, **more)
        for step in range(1, steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(start, end))
            self.mouse("mouseMoved", x, y, button=button, buttons=bits, timestamp=began + step / 100, **more)
            time.sleep(0.01)
        time.sleep(rest)
        ended = began + steps / 100 + rest
        self.mouse("mouseReleased", *end, button=button, buttons=0, clickCount=1, timestamp=ended, **more)

    def touch(self, kind, *points):
        self.call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": index} for index, (x, y) in enumerate(points)])

    def key(self, key, **more):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def gestures(self):
        return json.loads(self.value("JSON.stringify(live.events.filter(e => e.type === 'gesture').map(e => e.gesture + ' ' + e.phase))"))

    def painted(self):
        """The canvas as it is."""
        data = self.value("document.querySelector('canvas').toDataURL('image/png')")
        return PIL.open(io.BytesIO(base64.b64decode(data.split(",")[1]))).convert("RGBA")


@pytest.fixture
def show(browser, serve, tmp_path):  # noqa: F811
    pages = []

    def start(place="#3/20/10", *options, style=None, **more):
        style = style or styled(tmp_path)
        server = serve("--live", *options, style=style)
        page = LivePage(browser, **more)
        pages.append(page)
        page.server = server
        page.style = pathlib.Path(style)
        name = json.loads(server.get("/styles.json")[2])[0]["id"]
        return page.open(f"http://127.0.0.1:{server.port}/styles/{name}/live{place}")

    yield start
    for page in pages:
        page.end()


def test_what_the_canvas_shows_is_the_rendered_picture(show, tmp_path):
    page = show("#3.5/20/10")
    assert page.value("document.title") == "plain" and page.value("stopped.join()") == ""
    assert page.painted().tobytes() == rendered(page.style, page.camera, (1000, 700), 1, tmp_path / "a.png").tobytes()
    page.pull((500, 350), (217, 430))
    assert page.rests("live.camera.longitude > 20")
    assert page.camera["latitude"] > 20 and abs(page.camera["zoom"] - 3.5) < 1e-9
    assert page.painted().tobytes() == rendered(page.style, page.camera, (1000, 700), 1, tmp_path / "b.png").tobytes()
    assert page.gestures() == ["pan began", "pan ended"]
    assert until(lambda: page.value("location.hash").startswith("#3.5/2"))


def test_the_ground_stays_under_the_pointer(show):
    page = show("#4/20/10")
    before = page.camera
    page.pull((500, 350), (600, 350))
    assert page.rests(f"live.camera.longitude < {before['longitude'] - 1}")
    # 100 pixels of a world of 512 * 2^4.
    assert abs(before["longitude"] - page.camera["longitude"] - 100 * 360 / 8192) < 1e-6


def test_a_throw_glides(show):
    page = show("#4/20/10")
    page.pull((500, 350), (700, 350), steps=6, rest=0)
    assert page.rests("live.camera.longitude < 10 - 210 * 360 / 8192")
    assert page.value("live.events.some(e => e.type === 'gesture' && e.gesture === 'pan' && e.willAnimate)")
    assert until(lambda: "pan over" in page.gestures())


def test_the_wheel_zooms_about_the_pointer(show):
    page = show("#3/20/10")
    page.wheel(700, 200, -480)
    assert page.rests("live.camera.zoom > 3.4")
    camera = page.camera
    # What was at (700, 200) is there still.
    assert camera["longitude"] > 10 and camera["latitude"] > 20
    east = lambda camera: camera["longitude"] + 200 * 360 / (512 * 2 ** camera["zoom"])  # noqa: E731
    assert abs(east(camera) - east({"longitude": 10, "zoom": 3})) < 0.01
    page.wheel(700, 200, 480)
    assert page.rests("live.camera.zoom < 3.2")


def test_the_second_button_turns_and_tilts_and_the_arrow_turns_back(show):
    page = show("#4/20/10")
    page.pull((500, 350), (550, 300), button="right")
    assert page.rests("live.camera.bearing > 30 && live.camera.pitch > 20")
    assert abs(page.camera["bearing"] - 40) < 1 and abs(page.camera["pitch"] - 25) < 1
    assert page.value("document.getElementById('north').firstElementChild.style.transform").endswith("rotate(-40deg)")
    assert set(page.gestures()) == {"rotation began", "pitch began", "rotation ended", "pitch ended"}
    page.value("document.getElementById('north').click()")
    assert page.rests("live.camera.bearing === 0 && live.camera.pitch === 0")


def test_keys_and_buttons_move_it(show):
    page = show("#3/20/10")
    for key, more, test in [("+", {}, "live.camera.zoom === 4"), ("-", {}, "live.camera.zoom === 3"), ("ArrowRight", {}, "live.camera.longitude > 15"), ("ArrowUp", {}, "live.camera.latitude > 24"),
                            ("ArrowLeft", {"modifiers": 8}, "Math.abs(live.camera.bearing) === 15"), ("ArrowUp", {"modifiers": 8}, "live.camera.pitch === 10")]:
        page.key(key, **more)
        assert page.rests(test), (key, page.camera)
    # With Control it is the browser's.
    page.key("+", modifiers=2)
    page.value("document.getElementById('in').click()")
    assert page.rests("live.camera.zoom === 4")
    page.value("document.getElementById('out').click()")
    assert page.rests("live.camera.zoom === 3")


def test_a_double_click_and_a_box_zoom(show):
    page = show("#3/20/10")
    for count in (1, 2):
        page.mouse("mousePressed", 600, 350, button="left", buttons=1, clickCount=count)
        page.mouse("mouseReleased", 600, 350, button="left", buttons=0, clickCount=count)
    assert page.rests("live.camera.zoom === 4")
    page.mouse("mousePressed", 400, 250, button="left", buttons=1, clickCount=1, modifiers=8)
    page.mouse("mouseMoved", 500, 300, button="left", buttons=1, modifiers=8)
    page.mouse("mouseMoved", 600, 390, button="left", buttons=1, modifiers=8)
    assert page.value("(() => { const r = document.getElementById('box').getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom].join() })()") == "400,250,600,390"
    page.mouse("mouseReleased", 600, 390, button="left", buttons=0, clickCount=1, modifiers=8)
    assert page.rests("live.camera.zoom > 6") and page.value("document.getElementById('box').hidden")
    assert "boxZoom ended" in page.gestures()


def test_two_fingers_pinch_turn_and_pan(show):
    page = show("#4/20/10", width=400, height=700, ratio=2, mobile=True)
    assert page.value("document.querySelector('canvas').width") == 800
    page.touch("touchStart", (150, 350), (250, 350))
    for step in range(1, 21):
        page.touch("touchMove", (150 - 5 * step, 350), (250 + 5 * step, 350))
        time.sleep(0.01)
    time.sleep(0.15)
    page.touch("touchEnd")
    assert page.rests("live.camera.zoom > 5.3")
    # Three times as far apart.
    assert abs(page.camera["zoom"] - 5.585) < 0.05 and abs(page.camera["longitude"] - 10) < 0.2
    page.touch("touchStart", (100, 350), (300, 350))
    for step in range(1, 21):
        page.touch("touchMove", (100, 350 - 5 * step), (300, 350 + 5 * step))
        time.sleep(0.01)
    time.sleep(0.15)
    page.touch("touchEnd")
    assert page.rests("Math.abs(live.camera.bearing) > 20")
    before = page.camera
    page.touch("touchStart", (200, 350))
    for step in range(1, 11):
        page.touch("touchMove", (200 + 10 * step, 350))
        time.sleep(0.01)
    time.sleep(0.15)
    page.touch("touchEnd")
    assert page.rests(f"Math.abs(live.camera.longitude - {before['longitude']!r}) > 0.1")
    words = page.gestures()
    assert words[0] == "pinch began" and "rotation began" in words and words[-2:] == ["pan began", "pan ended"]


def test_another_window_and_another_sharpness_are_followed(show, tmp_path):
    page = show("#3/20/10")
    for width, height, ratio in [(611, 401, 1), (500, 300, 2)]:
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=ratio, mobile=False)
        assert page.rests(f"document.querySelector('canvas').width === {width * ratio} && document.querySelector('canvas').height === {height * ratio}")
        camera = {"longitude": 10, "latitude": 20, "zoom": 3, "bearing": 0, "pitch": 0}
        assert until(lambda: page.painted().tobytes() == rendered(page.style, camera, (width, height), ratio, tmp_path / "a.png").tobytes(), 10)


def test_a_view_larger_than_the_server_allows_is_less_sharp(show):
    page = show("#3/20/10", "--max-edge", 800, "--max-pixels", 400_000)
    width, height = page.value("[document.querySelector('canvas').width, document.querySelector('canvas').height].join()").split(",")
    assert 700 < int(width) <= 800 and int(width) * int(height) <= 400_000
    page.pull((500, 350), (400, 350))
    assert page.rests("live.camera.longitude > 10")


def test_a_map_without_anybody_rests_and_goes_on(show):
    page = show("#3/20/10", "--live-idle-timeout", 1000)
    page.key("+")
    assert page.rests("live.camera.zoom === 4")
    assert until(lambda: "rests" in page.value("document.getElementById('status').textContent"))
    time.sleep(0.5)
    page.wheel(500, 350, -100)
    # Where it was.
    assert page.rests("live.camera.zoom >= 4") and page.value("document.getElementById('status').hidden")
    page.key("+")
    assert page.rests("live.camera.zoom >= 5")


def test_a_lost_connection_is_taken_up_where_it_was(show, serve):
    page = show("#3/20/10")
    page.key("+")
    assert page.rests("live.camera.zoom === 4")
    port = page.server.port
    page.server.process.kill()
    page.server.process.wait()
    assert until(lambda: "trying again" in page.value("document.getElementById('status').textContent"))
    page.value("live.isExact = live.isIdle = false")
    again = serve("--live", port=port, style=page.style)
    assert again.port == port
    assert page.rests("live.camera.zoom === 4") and until(lambda: page.value("document.getElementById('status').hidden"))
    page.key("-")
    assert page.rests("live.camera.zoom === 3")


def test_past_the_limit_the_page_says_so_and_comes_again(show, browser):  # noqa: F811
    page = show("#3/20/10", "--live-sessions", 1)
    other = LivePage(browser)
    try:
        other.call("Page.navigate", url=page.value("location.href"))
        assert until(lambda: other.value("!!window.live && document.getElementById('status').textContent.includes('1 live maps already; try again later; trying again')"))
        page.call("Page.navigate", url="about:blank")
        # A page that is left gives its map back, though the browser may keep it for the way back.
        assert until(lambda: other.value(RESTS), 30)
        other.call("Page.navigate", url="about:blank")
        # A page that is left at once answers no more: it goes back after it has answered.
        page.value("void setTimeout(() => history.back())")
        assert until(lambda: page.value("location.href") != "about:blank" and page.value(RESTS), 30)
    finally:
        other.end()


def test_the_page_of_the_documentation_shows_a_map_of_another_host(browser, serve, tmp_path):  # noqa: F811
    text = (ROOT / "docs/live-view.md").read_text()
    (tmp_path / "page.html").write_text(text.split("```html\n")[1].split("```")[0])
    host = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=tmp_path))
    threading.Thread(target=host.serve_forever, daemon=True).start()
    style = styled(tmp_path)
    origin = f"http://127.0.0.1:{host.server_port}"
    for options, is_let_in in [(["--live-origin", origin], True), ([], False)]:
        server = serve("--live", *options, style=style)
        page = LivePage(browser)
        try:
            page.call("Page.addScriptToEvaluateOnNewDocument", source="window.said = []; console.log = text => said.push(JSON.parse(text))")
            page.call("Page.navigate", url=f"{origin}/page.html?server=ws://127.0.0.1:{server.port}/styles/plain/live/socket")
            shown = lambda: page.value("(window.said || []).some(m => m.type === 'idle') && document.querySelector('canvas').width")  # noqa: E731
            assert until(lambda: shown() == 600, 30 if is_let_in else 2) == is_let_in
            if is_let_in:
                page.pull((400, 200), (300, 150))
                assert until(lambda: page.value("said.filter(m => m.type === 'gesture' && m.phase === 'ended').length === 1 && said[said.length - 1].type === 'idle'"))
                camera = json.loads(page.value("JSON.stringify(said.filter(m => m.type === 'camera').pop())"))
                assert camera["longitude"] > 18
                assert until(lambda: page.painted().tobytes() == rendered(style, camera, (600, 400), 1, tmp_path / "a.png").tobytes(), 5)
        finally:
            page.end()
    host.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_attributions_cannot_run_anything(show, tmp_path):
    style = json.loads(styled(tmp_path).read_text())
    style["sources"]["s"]["attribution"] = "<b>bold</b> <a href='https://example.org'>link</a> <a href='javascript:fault()'>no</a><img src=x onerror=fault()><script>fault()</script>"
    style["name"] = "<i>A & B</i>"
    page = show(style=sites.write(tmp_path / "marked.json", style))
    assert until(lambda: page.value("document.getElementById('credit').textContent") == "bold link no")
    assert page.value("[...document.querySelectorAll('#credit *')].map(e => e.nodeName + (e.getAttribute('href') || '')).join()") == "SPAN,Ahttps://example.org"
    assert page.value("document.title") == "<i>A & B</i>"
    # What the policy stops is the attribution's own, as it is read.
    assert set(json.loads(page.value("JSON.stringify(stopped)"))) <= {"script-src-attr inline"}


def test_it_can_be_used_without_eyes_or_mouse(show):
    page = show()
    tree = page.call("Accessibility.getFullAXTree")["nodes"]
    names = {(node["role"]["value"], node["name"]["value"]) for node in tree if "role" in node and "name" in node}
    assert ("application", "Live map of plain: arrow keys move it, + and - zoom, with Shift arrows turn and tilt it") in names
    assert {("button", "Zoom in"), ("button", "Zoom out"), ("button", "North up, seen from above")} <= names
    # The menu of the second button stays away, the wheel does not scroll the page.
    assert page.value("(() => { const e = new MouseEvent('contextmenu', { cancelable: true, bubbles: true }); document.querySelector('canvas').dispatchEvent(e); return e.defaultPrevented })()")
    assert page.value("getComputedStyle(map).touchAction") == "none" and page.value("document.activeElement.id") == "map"


def test_the_picture_of_the_documentation(show, tmp_path):
    page = show("#3.4/47/14", style=sites.DEMO_FOLDER / "style.json", width=900, height=520)
    page.pull((450, 300), (420, 240), button="right")
    assert page.rests("live.camera.pitch > 20")
    page.screenshot(tmp_path / "page.png")
    picture = PIL.open(tmp_path / "page.png").convert("RGB")
    assert picture.size == (900, 520) and len(picture.getcolors(1 << 20)) > 500
    if path := os.environ.get("NEATLINE_LIVE_PICTURE"):
        picture.save(path, quality=85, optimize=True)

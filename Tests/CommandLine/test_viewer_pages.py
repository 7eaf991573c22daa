"""The front page and the viewers of styles, in headless Chromium at the widths of desks and telephones."""

import json
import os
import pathlib

import pytest
import sites
from conftest import until
from test_viewer import CHROMIUM, Page, browser  # noqa: F401

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")
LEAFLET = pathlib.Path("/usr/share/javascript/leaflet/leaflet.css")
WIDTHS = [1280, 390]


@pytest.fixture
def show(browser, serve, tmp_path):  # noqa: F811
    """Opens a page of a site at a width; with Leaflet or without."""
    pages = []
    config = sites.make(tmp_path)

    def start(path, width=1280, leaflet=True, change=None):
        if change:
            change(tmp_path)
        environment = {**os.environ, **({} if leaflet else {"NEATLINE_LEAFLET": str(tmp_path)})}
        server = serve("--config", config, "--max-per-address", 500, style=None, env=environment)
        page = Page(browser, "about:blank")
        pages.append(page)
        page.call("Page.bringToFront")
        page.call("Page.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=width < 600)
        # What a page asks for elsewhere, and what its policy stops, is remembered.
        page.call("Page.addScriptToEvaluateOnNewDocument", source="""window.stopped = [];
          addEventListener('securitypolicyviolation', e => stopped.push(e.violatedDirective + ' ' + e.blockedURI));
          addEventListener('error', e => stopped.push(String(e.message || e.target.src)), true)""")
        page.call("Page.navigate", url=f"http://127.0.0.1:{server.port}{path}")
        assert until(lambda: page.value("document.readyState") == "complete" and page.value("location.port") == str(server.port))
        return page

    yield start
    for page in pages:
        page.call("Page.close")
        page.socket.close()


PICTURES_ARE_THERE = "[...document.images].length > 0 && [...document.images].every(i => i.complete && i.naturalWidth)"
FITS = "document.documentElement.scrollWidth <= innerWidth"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_front_page_shows_each_style_and_fits(show, width):
    page = show("/", width)
    page.value("document.images.length && [...document.images].forEach(i => { i.loading = 'eager' })")
    assert until(lambda: page.value(PICTURES_ARE_THERE)) and page.value(FITS) and page.value("stopped.join()") == ""
    assert page.value("document.images.length") == 2
    # Cards lie side by side where there is room.
    tops = page.value("[...document.querySelectorAll('article')].map(a => a.getBoundingClientRect().top).join()").split(",")
    assert (tops[0] == tops[1]) == (width > 700)
    links = page.value("[...document.links].map(a => a.href).join(' ')").split()
    for link in links:
        assert page.value(f"fetch({json.dumps(link)}).then(r => r.status)") == 200, link


@pytest.mark.skipif(not LEAFLET.exists(), reason="no Leaflet here (libjs-leaflet)")
@pytest.mark.parametrize("width", WIDTHS)
def test_the_viewer_of_leaflet(show, width):
    page = show("/styles/world/#4/47/11", width)
    tiles = "document.querySelectorAll('.leaflet-tile-loaded').length"
    assert until(lambda: page.value(f"{tiles} >= 4 && {tiles} === document.querySelectorAll('.leaflet-tile').length"))
    assert page.value(FITS) and page.value("stopped.join()") == ""
    assert until(lambda: page.value("document.querySelector('.leaflet-control-attribution').textContent") == "Leaflet | Natural Earth")
    assert page.value("[map.getZoom(), map.getCenter().lat, map.getCenter().lng].join()") == "4,47,11"
    page.value("document.querySelector('.leaflet-control-zoom-in').click()")
    assert until(lambda: page.value("location.hash").startswith("#5/"))
    page.value("location.hash = '#3/10/20'")
    assert until(lambda: page.value("[map.getZoom(), map.getCenter().lat, map.getCenter().lng].join()") == "3,10,20")


@pytest.mark.parametrize("width", WIDTHS)
def test_the_viewer_without_leaflet(show, width):
    page = show("/styles/world/#4/47/11", width, leaflet=False)
    assert page.value("typeof L") == "undefined"
    assert until(lambda: page.value("document.querySelectorAll('#map img').length > 4 && " + PICTURES_ARE_THERE))
    assert page.value(FITS) and page.value("stopped.join()") == ""
    assert until(lambda: "Natural Earth" in page.value("document.getElementById('foot').textContent"))


HOSTILE = "<b>bold</b> <a href='https://example.org'>link</a> <a href='javascript:fault()'>no</a><img src=x onerror=fault()><script>fault()</script>"


@pytest.mark.skipif(not LEAFLET.exists(), reason="no Leaflet here (libjs-leaflet)")
def test_attributions_cannot_run_anything_in_leaflet(show):
    def change(folder):
        style = json.loads((folder / "styles/world.json").read_text())
        next(iter(style["sources"].values()))["attribution"] = HOSTILE
        sites.write(folder / "styles/world.json", style)

    page = show("/styles/world/", change=change)
    credit = "document.querySelector('.leaflet-control-attribution')"
    assert until(lambda: "bold link no" in page.value(credit + ".textContent"))
    # The flag of Leaflet's own prefix apart, there are words and links.
    names = set(page.value(f"[...{credit}.querySelectorAll('*')].map(e => e.nodeName.toUpperCase() + (e.getAttribute('href') || '')).join()").split(","))
    assert names <= {"A", "Ahttps://leafletjs.com", "Ahttps://example.org", "SPAN"} and "fault" not in page.value("stopped.join()")

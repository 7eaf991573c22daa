"""Every picture tells what it had to do without."""

import http.server
import threading
import warnings

import pytest

import neatline
from conftest import style


@pytest.fixture
def server():
    """Answers from `server.files` by path; 404 for what it does not have, no answer for what is None."""
    stop = threading.Event()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = self.server.files.get(self.path, b"")
            if body is None:
                stop.wait(20)
                return
            self.send_response(200 if self.path in self.server.files else 404)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.files = {}
    server.url = f"http://127.0.0.1:{server.server_port}"
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    stop.set()
    server.shutdown()


def lacking():
    return style(
        {"id": "park", "type": "fill", "source": "square", "paint": {"fill-pattern": "trees"}},
        snow={},
    )


def test_a_picture_names_what_it_lacks_each_time_and_warns_at_the_callers_line():
    renderer = neatline.Renderer(lacking())
    for _ in range(2):
        with pytest.warns(neatline.MissingWarning, match="trees") as caught:
            image = renderer.draw(size=(64, 64))
        assert caught[0].filename == __file__
        assert [(each.kind, each.resource, each.layer) for each in image.missing] == [
            ("image", "trees", "park"),
            ("style", "snow", None),
        ]
        assert image.missing[1].code == neatline.UnsupportedError.status
        assert image.is_complete


def test_one_warning_a_picture_from_each_door():
    renderer = neatline.Renderer(lacking())
    for draw in (
        lambda: renderer.draw_tile(0, 0, 0),
        lambda: renderer.frame(size=(64, 64)),
        lambda: renderer.query((32, 32), size=(64, 64)),
        lambda: neatline.render(lacking(), size=(64, 64)),
    ):
        with pytest.warns(neatline.MissingWarning) as caught:
            draw()
        assert len(caught) == 1
        assert caught[0].filename == __file__
    with pytest.warns(neatline.MissingWarning):
        assert [each.kind for each in renderer.frame(size=(64, 64)).missing] == ["image", "style"]


def test_a_whole_picture_does_not_warn(blue_square):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        image = neatline.render(blue_square, size=(32, 32))
    assert image.missing == [] and image.is_complete
    assert neatline.decode_image(image.png()).missing == []


def test_a_source_that_fails_makes_the_picture_incomplete(server):
    broken = {
        "version": 8,
        "sources": {"s": {"type": "geojson", "data": server.url + "/data.json"}},
        "layers": [{"id": "l", "type": "line", "source": "s"}],
    }
    with pytest.warns(neatline.MissingWarning):
        image = neatline.render(broken, size=(32, 32))
    assert not image.is_complete
    assert image.missing[0].resource == server.url + "/data.json"
    assert image.missing[0].source == "s" and image.missing[0].is_failure


def test_a_tile_that_stalls_is_left_out_at_the_deadline(server):
    server.files["/0/0/0.png"] = None
    stalling = {
        "version": 8,
        "sources": {"s": {"type": "raster", "tiles": [server.url + "/{z}/{x}/{y}.png"], "maxzoom": 0}},
        "layers": [
            {"id": "paper", "type": "background", "paint": {"background-color": "#f00"}},
            {"id": "l", "type": "raster", "source": "s"},
        ],
    }
    with pytest.warns(neatline.MissingWarning):
        image = neatline.render(stalling, size=(32, 32), deadline=0.5)
    assert bytes(image.premultiplied[:4]) == b"\xff\x00\x00\xff"
    assert [(each.kind, each.tile, each.code) for each in image.missing] == [
        ("tile", (0, 0, 0), neatline.DeadlineError.status)
    ]


def test_the_deadline_covers_the_style(server):
    server.files["/style.json"] = None
    with pytest.raises(neatline.DeadlineError):
        neatline.render(server.url + "/style.json", deadline=0.5)


def test_a_style_from_a_server_reads_files_where_the_host_allows_it(server, tmp_path):
    data = tmp_path / "data.json"
    data.write_text('{"type": "Point", "coordinates": [0, 0]}')
    text = (
        '{"version": 8, "sources": {"s": {"type": "geojson", "data": "file://%s"}},'
        ' "layers": [{"id": "l", "type": "circle", "source": "s"}]}' % data
    )
    server.files["/style.json"] = text.encode()
    for given, options in (
        (server.url + "/style.json", {}),
        (text, {"base": server.url + "/style.json"}),
        (text, {"local_files": False}),
    ):
        with pytest.warns(neatline.MissingWarning, match="may not be read"):
            image = neatline.render(given, size=(32, 32), **options)
        assert image.missing[0].code == neatline.UnsupportedError.status
        assert str(data) in image.missing[0].resource
    assert neatline.render(server.url + "/style.json", size=(32, 32), local_files=True).missing == []
    assert neatline.render(text, size=(32, 32)).missing == []


def test_retries_out_of_range_are_refused(red):
    for retries in (101, -1, 2**32 + 5):
        with pytest.raises(neatline.InvalidArgumentError, match="retries"):
            neatline.Renderer(red, retries=retries)
    neatline.Renderer(red, retries=100)

"""HTTP services, interceptors and transforms. A process has one service for good: what needs one runs in a
process of its own."""

import gc
import json
import os
import pathlib
import subprocess
import sys
import textwrap
import threading
import urllib.request
import weakref

import neatline
import pytest
from http_doubles import RED, SQUARE, STYLE
from scripted_server import HANG_UP, Reply

HERE = pathlib.Path(__file__).resolve().parent
PRELUDE = """
import sys, threading, time
import neatline
import pytest
from http_doubles import HOST, RED, Double, StandardLibraryService, draw, page
from neatline import http
"""


def alone(code, *arguments):
    """Runs code in a process of its own, which must end well."""
    done = subprocess.run(
        [sys.executable, "-c", PRELUDE + textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(HERE), *sys.path])},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_service_answers_from_memory():
    alone("""
        service = Double()
        http.set_http_service(service)
        assert draw() == RED
        assert [r.url for r in service.asked] == [HOST + "/style.json", HOST + "/square.geojson"]
        first = service.asked[0]
        assert first.method == "GET" and first.body == b"" and 0 < first.timeout <= 30 and first.id > 0
        assert first.headers["User-Agent"] == "Neatline" and service.cancelled == []
        # Answered already, whoever asks.
        assert not first.respond(200) and not first.fail("late")
        assert not http.HttpRequest("http://x/", id=10**9).respond(200)
    """)


def test_a_service_over_the_standard_library(scripted):
    style = (STYLE % "").replace('"/square', f'"{scripted.url("/square")}').encode()
    scripted.script = {
        "/style.json": Reply.redirect("/moved.json"),
        "/moved.json": Reply(200, {"Cache-Control": "max-age=0"}, style),
        "/square.geojson": Reply.versioned("1", SQUARE.encode(), {"Cache-Control": "max-age=0"}),
    }
    alone(
        """
        import os, tempfile
        http.set_http_service(StandardLibraryService())
        base = sys.argv[1]
        with tempfile.TemporaryDirectory() as folder:
            resources = neatline.Resources(os.path.join(folder, "cache.db"), retries=0, headers={"X-Key": "k"})
            for _ in range(2):
                assert draw(base + "/style.json", resources=resources) == RED
            assert resources.report["cache"]["revalidated"] >= 1
            with pytest.raises(neatline.NotFoundError):
                draw(base + "/none.json", resources=resources)
            with pytest.raises(neatline.NetworkError):
                draw("http://127.0.0.1:1/style.json", resources=resources)
            resources.close()
        """,
        scripted.url(""),
    )
    paths = [asked.path for asked in scripted.asked]
    assert paths == ["/style.json", "/moved.json", "/square.geojson"] * 2 + ["/none.json"]
    assert all(asked.headers["x-key"] == "k" for asked in scripted.asked)


def test_the_second_answer_is_ignored():
    alone("""
        class Twice(Double):
            def give(self, request):
                assert request.respond(*page(request))
                assert not request.respond(200, {}, b"not this")
                assert not request.fail("nor this")
        http.set_http_service(Twice())
        for _ in range(5):
            assert draw() == RED
    """)


def test_late_answers_do_no_harm():
    alone("""
        service = Double(lambda request: None)
        http.set_http_service(service)
        with pytest.raises(neatline.DeadlineError):
            neatline.Renderer(HOST + "/style.json", timeout=0.2, retries=0)
        deadline = time.monotonic() + 10
        while not service.cancelled and time.monotonic() < deadline:
            time.sleep(0.02)
        assert service.cancelled == service.waiting and len(service.waiting) == 1
        assert not service.waiting[0].respond(200, {}, b"{}")
    """)


def test_a_process_ends_while_requests_wait():
    for exits in ("", "sys.exit(0)", "import os; threading.Thread(target=time.sleep, args=(0.2,)).start()"):
        out = alone(f"""
            service = Double(lambda request: None)
            http.set_http_service(service)
            threading.Thread(target=lambda: neatline.Renderer(HOST + "/style.json"), daemon=True).start()
            while not service.waiting:
                time.sleep(0.01)
            print("waiting")
            {exits}
        """)
        assert out == "waiting\n"


def test_failures_have_kinds():
    alone("""
        def answer(request):
            kind = request.url.rsplit("/", 1)[1]
            if kind == "raises":
                raise RuntimeError("a mistake")
            if kind in ("tls", "timeout", "other", "cancelled"):
                raise http.HttpError(f"no luck with {kind}", kind)
            return int(kind), {}, b""
        class Raising(Double):
            def request(self, request):
                self.give(request) if not request.url.endswith("raises") else answer(request)
        http.set_http_service(Raising(answer))
        for kind, error, words in [
            ("tls", neatline.NetworkError, "no luck with tls"), ("timeout", neatline.DeadlineError, "in time"),
            ("other", neatline.NetworkError, "no luck with other"), ("cancelled", neatline.NetworkError, "no luck"),
            ("raises", neatline.NetworkError, "RuntimeError: a mistake"), ("403", neatline.NetworkError, "403"),
            ("404", neatline.NotFoundError, "404"),
        ]:
            with pytest.raises(error, match=words):
                neatline.Renderer(HOST + "/" + kind, retries=0)
        with pytest.raises(ValueError, match="kind"):
            http.HttpError("x", "sunshine")
    """)


def test_answers_that_are_refused_say_why():
    alone("""
        refused = []
        class Wrong(Double):
            def give(self, request):
                what = request.url.rsplit("/", 1)[1]
                answers = {
                    "status": (20, {}, b""), "negative": (-200, {}, b""),
                    "name": (200, {"a b": "c"}, b""), "value": (200, {"a": "b\\r\\nc: d"}, b""),
                    "long": (200, {"a": "x" * (4 << 20)}, b""), "many": (200, [("a", "x" * 1000)] * 3000, b""),
                }
                try:
                    request.respond(*answers[what])
                except neatline.NeatlineError as error:
                    refused.append((what, type(error).__name__))
        http.set_http_service(Wrong())
        for what, words in [("status", "20"), ("negative", "status"), ("name", "a b"), ("value", "control"),
                            ("long", "1048576"), ("many", "1048576")]:
            with pytest.raises(neatline.NetworkError, match=words):
                neatline.Renderer(HOST + "/" + what, retries=0)
        assert refused == [("status", "InvalidArgumentError"), ("negative", "InvalidArgumentError"),
                           ("name", "InvalidArgumentError"), ("value", "InvalidArgumentError"),
                           ("long", "LimitExceededError"), ("many", "LimitExceededError")], refused
    """)


def test_retries_stand_above_the_service():
    alone("""
        def answer(request):
            earlier = sum(each.url == request.url for each in service.asked) - 1
            if earlier == 0 and request.url.endswith("style.json"):
                return 500, {}, b""
            if earlier == 0:
                raise http.HttpError("the line is cut", "connection")
            return page(request)
        service = Double(answer)
        http.set_http_service(service)
        assert draw() == RED and len(service.asked) == 4
    """)


def test_a_service_is_set_once_and_first(scripted):
    alone("""
        first, second = Double(), Double()
        http.set_http_service(first)
        with pytest.raises(neatline.InvalidStateError, match="before"):
            http.set_http_service(second)
        assert draw() == RED and second.asked == []
    """)
    alone(
        """
        with pytest.raises(neatline.NotFoundError):
            neatline.Renderer(sys.argv[1])
        with pytest.raises(neatline.InvalidStateError, match="request"):
            http.set_http_service(Double())
        """,
        scripted.url("/none.json"),
    )


def test_offline_the_service_is_not_asked():
    alone("""
        service = Double()
        http.set_http_service(service)
        resources = neatline.Resources()
        resources.set_online(False)
        with pytest.raises(neatline.NetworkError):
            draw(resources=resources)
        assert service.asked == []
        resources.set_online(True)
        assert draw(resources=resources) == RED
    """)


def test_an_interceptor_sees_and_changes_what_libcurl_sends(scripted):
    scripted.script = {"/a.json": lambda asked: Reply(200 if asked.headers.get("x-key") == "k" else 401)}
    alone(
        """
        seen = []
        class Mine(http.HttpInterceptor):
            def send(self, request):
                seen.append((request.method, request.url.rsplit("/", 1)[1]))
                request.headers["X-Key"] = "k"
                del request.headers["User-Agent"]
                request.url = request.url.replace("wrong", "a")
                if "post" in request.url:
                    request.url, request.method, request.body = request.url.replace("post", "a"), "POST", b"abc"
            def receive(self, request, response):
                seen.append((response.status, request.url.rsplit("/", 1)[1], response.body))
                response.body = b'{"version":8,"sources":{},"layers":[]}'
                response.headers["cache-control"] = "no-store"
        http.set_http_interceptor(Mine())
        neatline.Renderer(sys.argv[1] + "/wrong.json")
        neatline.Renderer(sys.argv[1] + "/post.json")
        assert seen == [("GET", "wrong.json"), (200, "a.json", b""), ("GET", "post.json"), (200, "a.json", b"")]
        http.set_http_interceptor(None)
        with pytest.raises(neatline.NetworkError, match="401"):
            neatline.Renderer(sys.argv[1] + "/a.json")
        """,
        scripted.url(""),
    )
    assert [(asked.method, asked.body) for asked in scripted.asked] == [
        ("GET", b""),
        ("POST", b"abc"),
        ("GET", b""),
    ]


def test_what_an_interceptor_raises_fails_the_request(scripted):
    alone(
        """
        import gc, weakref
        class Mine(http.HttpInterceptor):
            def __init__(self, send=None, receive=None):
                self.send = send or (lambda request: None)
                self.receive = receive or (lambda request, response: None)
        def refuse(*_):
            raise http.HttpError("not today", "other")
        def mistake(*_):
            raise KeyError("oh")
        def wrong(request):
            request.url = "ftp://x/"
        def unknown(request):
            request.method = "PUT"
        def status(request, response):
            response.status = 7
        kept = []
        for mine, words in [(Mine(refuse), "not today"), (Mine(mistake), "KeyError: 'oh'"), (Mine(wrong), "http"),
                            (Mine(unknown), "PUT"), (Mine(receive=refuse), "not today"),
                            (Mine(receive=status), "status 7")]:
            http.set_http_interceptor(mine)
            kept.append(weakref.ref(mine))
            with pytest.raises(neatline.NetworkError, match=words):
                neatline.Renderer(sys.argv[1], retries=0)
        # Those that were replaced are let go of.
        del mine
        http.set_http_interceptor(None)
        gc.collect()
        assert [each() for each in kept] == [None] * len(kept)
        """,
        scripted.url("/a.json"),
    )
    # Four were never sent.
    assert len(scripted.asked) == 2


def test_a_transform_brings_credentials_that_nobody_is_told_of(scripted, tmp_path):
    def protected(answer):
        def check(asked):
            allowed = asked.path.endswith("?token=SECRET") and asked.headers.get("authorization") == "Bearer SECRET"
            return answer if allowed else Reply(401)

        return check

    style = (STYLE % "").replace('"/square', f'"{scripted.url("/square")}').encode()
    fresh = {"Cache-Control": "max-age=1000"}
    scripted.script = {
        "/style.json": protected(Reply(200, fresh, style)),
        "/square.geojson": protected(Reply(200, fresh, SQUARE.encode())),
        "/broken.json": protected(Reply(403)),
    }
    kinds, threads = [], set()

    def transform(kind, url):
        kinds.append(kind)
        threads.add(threading.get_ident())
        return url + "?token=SECRET", {"Authorization": "Bearer SECRET"}

    resources = neatline.Resources(
        tmp_path / "cache.db", headers={"authorization": "none"}, transform=transform, retries=0
    )
    with neatline.Renderer(scripted.url("/style.json"), resources=resources) as renderer:
        assert tuple(renderer.draw(zoom=0, size=(32, 32)).to_numpy()[16, 16]) == RED
        assert renderer.problems == []
    assert kinds == ["style", "geojson"]
    for path, error in [("/broken.json", neatline.NetworkError), ("/none.json", neatline.NotFoundError)]:
        with pytest.raises(error) as raised:
            neatline.Renderer(scripted.url(path), resources=resources)
        assert "SECRET" not in str(raised.value) and path in str(raised.value)
    resources.flush_cache()
    assert b"style.json" in (tmp_path / "cache.db").read_bytes() + (tmp_path / "cache.db-wal").read_bytes()
    for file in tmp_path.iterdir():
        assert b"SECRET" not in file.read_bytes()
    # By the address of the style, without the transform.
    resources.set_transform(None)
    resources.set_online(False)
    neatline.Renderer(scripted.url("/style.json"), resources=resources).close()


def test_a_transform_of_archives_on_servers_is_asked_for_each(scripted, tmp_path):
    archive = tmp_path / "square.pmtiles"
    neatline.tile_geojson({"land": json.loads(SQUARE)}, archive, max_zoom=1)
    data = archive.read_bytes()

    def part(asked):
        if "?token=SECRET" not in asked.path:
            return Reply(401)
        first, last = (int(each) for each in asked.headers["range"][6:].split("-"))
        body = data[first : last + 1]
        return Reply(206, {"Content-Range": f"bytes {first}-{first + len(body) - 1}/{len(data)}"}, body)

    scripted.script = {"/square.pmtiles": part}
    urls = []

    def transform(kind, url):
        urls.append(url)
        return url + "?token=SECRET"

    style = {
        "version": 8,
        "sources": {"s": {"type": "vector", "url": "pmtiles://" + scripted.url("/square.pmtiles")}},
        "layers": [
            {"id": "f", "type": "fill", "source": "s", "source-layer": "land", "paint": {"fill-color": "#c00"}}
        ],
    }
    resources = neatline.Resources(transform=transform, retries=0)
    with neatline.Renderer(style, resources=resources) as renderer:
        image = renderer.draw(zoom=0, size=(32, 32))
        assert tuple(image.to_numpy()[16, 16]) == RED and renderer.problems == []
    assert urls and all("SECRET" not in url for url in urls)
    assert {asked.path for asked in scripted.asked} == {"/square.pmtiles?token=SECRET"}


def test_what_a_transform_raises_or_gives_wrongly_is_the_error(scripted):
    for transform, words in [
        (lambda kind, url: 1 / 0, "ZeroDivisionError"),
        (lambda kind, url: "", "url is empty"),
        (lambda kind, url: (None, {"a b": "c"}), "a b"),
        (lambda kind, url: (None, {"key": "a\nb"}), "control characters"),
        (lambda kind, url: 7, "TypeError"),
    ]:
        resources = neatline.Resources(transform=transform)
        with pytest.raises(neatline.UnsupportedError, match=words):
            neatline.Renderer(scripted.url("/style.json"), resources=resources)
    assert scripted.asked == []


def test_transforms_are_let_go_of():
    class Transform:
        def __call__(self, kind, url):
            return None

    first, second = Transform(), Transform()
    kept = [weakref.ref(first), weakref.ref(second)]
    resources = neatline.Resources(transform=first)
    resources.set_transform(second)
    del first
    gc.collect()
    assert kept[0]() is None and kept[1]() is second
    resources.close()
    del second
    gc.collect()
    assert kept[1]() is None


def test_a_child_of_a_fork_has_the_transform(scripted):
    scripted.script = {"/style.json": lambda asked: Reply(200, {}, b'{"version":8,"sources":{},"layers":[]}')}
    alone(
        """
        import os
        resources = neatline.Resources(transform=lambda kind, url: (None, {"X-Process": str(os.getpid())}))
        neatline.Renderer(sys.argv[1], resources=resources)
        child = os.fork()
        if child == 0:
            try:
                neatline.Renderer(sys.argv[1], resources=resources)
                os._exit(0)
            finally:
                os._exit(1)
        assert os.waitpid(child, 0)[1] == 0
        """,
        scripted.url("/style.json"),
    )
    assert len({asked.headers["x-process"] for asked in scripted.asked}) == 2


# MARK: The server of these tests


def test_the_server_answers_as_it_is_told(scripted):
    scripted.script = {
        "/twice": [Reply(500), Reply(200, {}, b"ok")],
        "/slow": Reply(200, {}, b"abcdef", pause=0.01, drip=2),
        "/cut": Reply(200, {}, b"abc", length=10),
        "/bomb": Reply.bomb(1 << 20),
        "/long": Reply.long_headers(30_000),
        "/busy": Reply.too_many("7"),
        "/gone": HANG_UP,
    }

    def ask(path, method="GET", data=None):
        request = urllib.request.Request(scripted.url(path), data, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, dict(answer.getheaders()), answer.read()

    with pytest.raises(urllib.error.HTTPError, match="500"):
        ask("/twice")
    assert ask("/twice")[2] == b"ok" and scripted.count("/twice") == 2
    assert ask("/slow")[2] == b"abcdef"
    assert ask("/slow", "HEAD")[1:] == ({"Connection": "close", "Content-Length": "6"}, b"")
    with pytest.raises(Exception, match="IncompleteRead"):
        ask("/cut")
    assert len(ask("/bomb")[2]) < 2000
    assert sum(map(len, ask("/long")[1].values())) >= 30_000
    with pytest.raises(urllib.error.HTTPError) as busy:
        ask("/busy")
    assert busy.value.headers["Retry-After"] == "7"
    with pytest.raises(OSError):
        ask("/gone")
    with pytest.raises(urllib.error.HTTPError, match="404"):
        ask("/post", "POST", b"body")
    assert scripted.asked[-1].method == "POST" and scripted.asked[-1].body == b"body"
    assert scripted.most_at_once >= 1

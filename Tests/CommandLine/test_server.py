"""`neatline serve`: its addresses, what it refuses, and how it ends."""

import json
import signal
import socket
import threading
import time

import pytest
from conftest import LONG, POSTER, poster, read_all, until

PNG, JPEG, WEBP = b"\x89PNG", b"\xff\xd8\xff", b"RIFF"
HEAD = b"GET %s HTTP/1.1\r\nHost: here\r\n%s\r\n"


def size_of_png(data):
    return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")


@pytest.mark.parametrize("path, size", [
    ("/2/1/1.png", (256, 256)),
    ("/2/1/1@2x.png", (512, 512)),
    ("/256/2/1/1.png", (256, 256)),
    ("/512/2/1/1.png", (512, 512)),
    ("/static/11,47,4/300x200.png", (300, 200)),
    ("/static/11,47,4/300x200@2x.png", (600, 400)),
    ("/static/11,47,4,30,40/300x200.png", (300, 200)),
    ("/static/11,47,4@30/300x200.png", (300, 200)),
    ("/static/11,47,4@30,40/300x200.png", (300, 200)),
    ("/static/5,40,20,55/300x200.png", (300, 200)),
    ("/static/[5,40,20,55]/300x200.png", (300, 200)),
    ("/static/%5B5,40,20,55%5D/300x200.png", (300, 200)),
])
def test_pictures_have_the_size_of_their_address(server, path, size):
    status, headers, body = server.get(path)
    assert (status, headers["content-type"], size_of_png(body)) == (200, "image/png", size)


def test_the_end_of_the_name_is_the_format(server):
    for end, kind, magic in [("jpg", "jpeg", JPEG), ("jpeg", "jpeg", JPEG), ("webp", "webp", WEBP), ("png", "png", PNG)]:
        for path in [f"/2/1/1.{end}", f"/static/11,47,4/300x200.{end}"]:
            status, headers, body = server.get(path)
            assert (status, headers["content-type"]) == (200, f"image/{kind}") and body.startswith(magic)
    small, large = server.get("/2/1/1.jpg?quality=10")[2], server.get("/2/1/1.jpg?quality=95")[2]
    assert len(small) < len(large)


def test_four_numbers_are_a_box_and_not_a_bearing(server):
    box = server.get("/static/5,40,20,55/300x200.png")[2]
    assert box == server.get("/static/[5,40,20,55]/300x200.png")[2]
    # The middle of the box in Mercator, at the zoom where its height fits.
    assert server.get("/static/11,47,4@30,40/300x200.png")[2] == server.get("/static/11,47,4,30,40/300x200.png")[2]


@pytest.mark.parametrize("path, words", [
    ("/2/1/1.png?marker=1", '"marker"'), ("/2/1/1.png?marker=1", "quality"), ("/2/1/1.jpg?quality=0", "1 to 100"),
    ("/2/1/1.jpg?quality=5&quality=6", "twice"), ("/2/1/1.png?quality=5", "PNG"), ("/?x=1", '"x"'), ("/health?x", '"x"'),
    ("/2/9/9.png", "2/9/9"), ("/static/11,470,4/300x200.png", "470"),
    ("/static/5,55,20,40/300x200.png", "S 55 above N 40"),
])
def test_what_nobody_reads_is_refused_by_name(server, path, words):
    status, _, body = server.get(path)
    assert status == 400 and words in body.decode()


@pytest.mark.parametrize("path", [
    "/nothing", "/2/1/1.gif", "/2/1/1", "/2/1.png", "/-2/1/1.png", "/0x2/1/1.png", "/128/2/1/1.png", "/2/1/1@0x.png", "/2/1/1@1.5x.png",
    "/static/11,47/300x200.png", "/static/11,47,nan/300x200.png", "/static/11,47,4/300.png",
    "/static/11,47,4/99999999999999999999x2.png", "//", "/static//300x200.png",
])
def test_other_addresses_are_not_found(server, path):
    assert server.get(path)[0] == 404


@pytest.mark.parametrize("path", [
    "/static/11,47,4/16384x16384.png", "/static/11,47,4/8193x1.png", "/static/11,47,4/4097x4096.png", "/static/11,47,4/999999999x999999999.png",
    "/static/11,47,4/4096x4096@2x.png", "/2/1/1@5x.png",
])
def test_a_picture_past_the_limits_is_refused_at_once(server, path):
    begin = time.monotonic()
    status, headers, _ = server.get(path)
    assert status == 413 and time.monotonic() - begin < 1
    assert headers["cache-control"] == "no-store"


def test_a_picture_at_the_limits_is_drawn(serve):
    server = serve("--max-pixels", 300 * 200, "--max-edge", 300, "--max-ratio", 2)
    assert server.get("/static/11,47,4/300x200.png")[0] == 200
    assert server.get("/static/11,47,4/150x100@2x.png")[0] == 200
    for path in ["/static/11,47,4/300x201.png", "/static/11,47,4/301x1.png", "/static/11,47,4/10x10@3x.png"]:
        assert server.get(path)[0] == 413


@pytest.mark.parametrize(
    "request_bytes, status", [
    (b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc", 405),
    (b"DELETE /2/1/1.png HTTP/1.1\r\nHost: here\r\n\r\n", 405),
    (b"GET / HTTP/1.1\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    (b"GET / HTTP/2.0\r\nHost: here\r\n\r\n", 505),
    (b"GET /\r\n\r\n", 400),
    (b"GET /%zz HTTP/1.1\r\nHost: here\r\n\r\n", 400),
    (b"GET /%00 HTTP/1.1\r\nHost: here\r\n\r\n", 400),
    (b"GET /%ff HTTP/1.1\r\nHost: here\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: here\r\nno field\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: here\r\nContent-Length: 5\r\n\r\nabcde", 400),
    (b"GET / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
    (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: here\r\n\r\n", 414),
    (b"GET / HTTP/1.1\r\nHost: here\r\n" + b"X: y\r\n" * 3000 + b"\r\n", 431),
    (b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"y" * 20000 + b"\r\n\r\n", 431),
    (b"GET /" + b"a" * 70000, 414),
    (b"GET / HTTP/1.1\r\nHost: here\r\nX: " + b"y" * 70000, 431),
    (b"GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
    (b"GET / HTTP/1.1\r\nHost: here\r\nX-Forwarded-Proto: javascript\r\n\r\n", 400),
], ids=lambda value: value[:24].decode("latin1").split("\r")[0] if isinstance(value, bytes) else str(value))
def test_malformed_requests_get_their_status_and_the_connection_ends(server, request_bytes, status):
    answer = server.say(request_bytes)
    assert answer.startswith(b"HTTP/1.1 %d " % status) and b"Connection: close" in answer
    assert (status == 405) == (b"Allow: GET, HEAD, OPTIONS" in answer)


def test_pages_of_other_origins_may_ask_with_fields_of_their_own(server):
    for path in ["/2/1/1.png", "/nothing"]:
        status, headers, body = server.get(path, method="OPTIONS", headers={
            "Origin": "https://maps.example.org", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"})
        assert (status, body) == (204, b"") and "connection" not in headers
        assert headers["access-control-allow-origin"] == "*" and "GET" in headers["access-control-allow-methods"]
        # The asterisk does not count for this one.
        assert headers["access-control-allow-headers"] == "*, Authorization"
    assert server.get("/2/1/1.png")[1]["access-control-expose-headers"] == "*"
    assert server.say(b"OPTIONS * HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 204 ")


@pytest.mark.parametrize("data", [b"nonsense\r\n\r\n", b"\x16\x03\x01\x02\x00\x01\x00\x01\n\n"])
def test_what_is_no_http_at_all_ends_the_connection(server, data):
    assert server.say(data) == b""
    assert server.get("/health")[0] == 200


def test_connections_are_kept_and_requests_may_follow_each_other(server):
    answer = server.say(HEAD % (b"/health", b"") + HEAD % (b"/2/1/1.png", b"") + HEAD % (b"/health", b"Connection: close\r\n"))
    assert answer.count(b"HTTP/1.1 200 OK") == 3 and answer.count(b"Connection: close") == 1
    assert answer.index(b'{"status"') < answer.index(PNG) < answer.rindex(b'{"status"')
    old = server.say(b"GET /health HTTP/1.0\r\n\r\n")
    assert old.startswith(b"HTTP/1.1 200") and b"Connection: close" in old


def test_head_has_the_length_and_no_body(server):
    status, headers, body = server.get("/2/1/1.png", method="HEAD")
    assert status == 200 and body == b"" and int(headers["content-length"]) == len(server.get("/2/1/1.png")[2])


def test_health_tells_how_the_server_does(server):
    status, headers, body = server.get("/health")
    health = json.loads(body)
    assert status == 200 and headers["cache-control"] == "no-store"
    assert health["status"] == "ok" and health["connections"] >= 1 and health["waiting"] == 0


def test_a_head_that_drips_is_cut_off(serve):
    server = serve("--head-timeout", 500)
    begin = time.monotonic()
    with server.connect() as connection:
        answer = b""
        connection.settimeout(0.1)
        for byte in b"GET / HTTP/1.1\r\nHost: here\r\n" + b"X: yyyyyyyyyyyyyyyyyyyyyyyyyy":
            try:
                connection.sendall(bytes([byte]))
                answer += connection.recv(4096)
            except socket.timeout:
                pass
            except OSError:
                break
            if answer:
                break
    assert answer.startswith(b"HTTP/1.1 408") and 0.4 < time.monotonic() - begin < 3


def test_a_head_in_pieces_is_read_as_one_that_comes_whole(server):
    # Breaks before the first request, and the end of each head across pieces; the second request comes with the end of the first.
    data = b"\r\n\r\n" + HEAD % (b"/health", b"X: y\r\n") + b"\r\n" + HEAD % (b"/2/1/1.png", b"Connection: close\r\n")
    end = data.index(b"\r\n\r\n", 4) + 3
    for pieces in [[data[n:n + 1] for n in range(len(data))], [data[:end], data[end:-1], data[-1:]]]:
        with server.connect() as connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(0.002)
            answer = read_all(connection)
        assert answer.count(b"HTTP/1.1 200 OK") == 2 and answer.index(b'{"status"') < answer.index(PNG)


def test_a_connection_that_says_nothing_is_closed(serve):
    server = serve("--head-timeout", 300, "--idle-timeout", 300)
    with server.connect() as connection:
        assert read_all(connection) == b""
    with server.connect() as connection:
        connection.sendall(HEAD % (b"/health", b""))
        assert read_all(connection).startswith(b"HTTP/1.1 200")


def slow_reader(server, path, source=None):
    """Asks for a picture and takes next to nothing of it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    if source:
        connection.bind((source, 0))
    connection.connect((server.host, server.port))
    connection.sendall(HEAD % (path.encode(), b""))
    return connection


def health(server):
    return json.loads(server.get("/health")[2])


def test_an_answer_that_nobody_takes_is_dropped(serve, noisy):
    server = serve("--answer-timeout", 700, "--idle-timeout", 700, style=noisy)
    readers = [slow_reader(server, POSTER) for _ in range(3)]
    assert until(lambda: health(server)["answerBytes"] > 0)
    assert until(lambda: health(server)["answerBytes"] == 0 and health(server)["connections"] == 1)
    for reader in readers:
        reader.close()


def test_bytes_under_way_are_limited(serve, noisy):
    server = serve("--max-answer-bytes", 200_000, style=noisy)
    status, headers, _ = server.get(POSTER)
    assert status == 503 and int(headers["retry-after"]) >= 1
    assert server.get("/2/1/1.png")[0] == 200


def test_an_address_that_takes_nothing_leaves_room_for_others(serve, noisy):
    size = int(serve(style=noisy).get(POSTER, method="HEAD")[1]["content-length"])
    server = serve("--max-answer-bytes", 3 * size, style=noisy)
    held = slow_reader(server, POSTER, "127.0.1.1")
    assert until(lambda: health(server)["answerBytes"] >= size)
    # Its quarter is full: no more posters for it, and others have theirs.
    status, headers, body = server.get(POSTER, "127.0.1.1")
    assert status == 429 and int(headers["retry-after"]) >= 1 and b"address" in body
    assert server.get("/2/1/1.png", "127.0.1.1")[0] == 200
    assert server.get(POSTER, "127.0.1.2")[0] == 200
    held.close()


def test_small_answers_have_room_of_their_own(serve, noisy):
    size = int(serve(style=noisy).get(POSTER, method="HEAD")[1]["content-length"])
    server = serve("--max-answer-bytes", size + 1000, style=noisy)
    held = slow_reader(server, POSTER, "127.0.1.1")
    assert until(lambda: health(server)["answerBytes"] >= size)
    assert server.get(POSTER, "127.0.1.2")[0] == 503
    assert server.get("/2/1/1.png", "127.0.1.2")[0] == 200
    # Over twice its quarter not even small ones are for the address that holds it all.
    assert server.get("/2/1/1.png", "127.0.1.1")[0] == 429
    held.close()


def test_connections_of_one_address_are_limited(serve):
    server = serve("--max-per-address", 4)
    held = [server.connect("127.0.0.2") for _ in range(4)]
    assert until(lambda: health(server)["connections"] == 5)
    status, headers, _ = server.get("/health", "127.0.0.2")
    assert status == 429 and "retry-after" in headers
    assert server.get("/2/1/1.png", "127.0.0.3")[0] == 200
    held.pop().close()
    assert until(lambda: server.get("/health", "127.0.0.2")[0] == 200)
    for connection in held:
        connection.close()


def test_connections_in_all_are_limited(serve):
    server = serve("--max-connections", 6)
    held = [server.connect(f"127.0.0.{n + 2}") for n in range(6)]
    assert until(lambda: server.get("/health")[0] == 503)
    held.pop().close()
    assert until(lambda: server.get("/health")[0] == 200)
    for connection in held:
        connection.close()


def test_pictures_that_wait_are_limited(serve, noisy):
    server = serve("--workers", 1, "--queue", 2, style=noisy)
    held = [slow_reader(server, POSTER)]
    assert until(lambda: health(server)["drawing"] == 1)
    held += [slow_reader(server, path) for path in [poster(1), "/3/1/1.png"]]
    assert until(lambda: health(server)["waiting"] == 2)
    status, headers, _ = server.get("/2/1/1.png")
    assert status == 503 and "retry-after" in headers
    for connection in held:
        connection.close()
    # Nobody waits for them any more: they are not drawn.
    assert until(lambda: health(server)["waiting"] == 0)
    assert until(lambda: server.get("/2/1/1.png")[0] == 200)


def test_large_pictures_that_wait_are_a_quarter_of_the_queue(serve, noisy):
    server = serve("--workers", 1, "--queue", 8, style=noisy)
    held = [slow_reader(server, POSTER)]
    assert until(lambda: health(server)["drawing"] == 1)
    held += [slow_reader(server, poster(n)) for n in (1, 2)]
    assert until(lambda: health(server)["waiting"] == 2)
    status, headers, _ = server.get(poster(3))
    assert status == 503 and "retry-after" in headers
    assert server.get("/2/1/1.png")[0] == 200
    for connection in held:
        connection.close()


def test_a_picture_whose_turn_does_not_come_is_given_up(serve, noisy):
    server = serve("--workers", 1, "--timeout", 400, style=noisy)
    assert until(lambda: server.get("/static/-130,-40,4/64x64.png?complete=1")[0] == 200)
    held = slow_reader(server, LONG)
    assert until(lambda: health(server)["drawing"] == 1)
    begin = time.monotonic()
    status, headers, body = server.get("/2/1/1.png")
    assert status == 503 and int(headers["retry-after"]) >= 1 and b"turn" in body
    assert 0.3 < time.monotonic() - begin < 0.9
    state = health(server)
    assert state["drawing"] == 1 and state["waiting"] == 0
    held.close()
    assert until(lambda: server.get("/2/1/1.png")[0] == 200)


def test_a_large_picture_has_its_turn_among_many_small_ones(serve):
    server = serve("--workers", 1)
    over = threading.Event()

    def ask(n):
        while not over.is_set():
            # Told apart by their quality, so that they are not one drawing; each takes longer than to ask anew.
            assert server.get(f"/512/0/0/0@2x.jpg?quality={85 + n}")[0] == 200

    small = [threading.Thread(target=ask, args=[n]) for n in range(6)]
    for thread in small:
        thread.start()
    try:
        assert until(lambda: health(server)["waiting"] >= 4)
        begin = time.monotonic()
        assert server.get("/static/11,47,4/1200x1200.png")[0] == 200
        assert 4 < time.monotonic() - begin < 10
    finally:
        over.set()
        for thread in small:
            thread.join()


def test_a_signal_finishes_what_is_under_way(serve, noisy):
    for how in [signal.SIGTERM, signal.SIGINT]:
        server = serve(style=noisy)
        answers = []
        client = threading.Thread(target=lambda: answers.append(server.get(POSTER)))
        client.start()
        assert until(lambda: health(server)["drawing"] == 1)
        with server.connect() as idle:
            # What is not accepted yet when the signal comes is reset at the end: this one is in.
            assert until(lambda: health(server)["connections"] >= 3)
            begin = time.monotonic()
            server.process.send_signal(how)
            assert until(lambda: not can_connect(server), 5)
            assert idle.recv(1) == b""
            assert server.process.wait(40) == 0 and time.monotonic() - begin < 30
        client.join(10)
        assert answers[0][0] == 200 and answers[0][2].startswith(PNG) and answers[0][1]["connection"] == "close"


def can_connect(server):
    try:
        server.connect(timeout=1).close()
        return True
    except OSError:
        return False


def test_a_signal_does_not_wait_for_ever(serve, noisy):
    server = serve("--stop-timeout", 500, style=noisy)
    reader = slow_reader(server, POSTER)
    assert until(lambda: health(server)["answerBytes"] > 0)
    begin = time.monotonic()
    assert server.stop() == 0 and 0.3 < time.monotonic() - begin < 5
    reader.close()


def test_ipv6(serve):
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("no IPv6 here")
    server = serve(host="::1")
    assert server.get("/2/1/1.png")[0] == 200


def test_a_picture_that_is_not_complete_says_so_and_is_not_kept(serve, tmp_path):
    style = tmp_path / "style.json"
    style.write_text(json.dumps({
        "version": 8,
        "sources": {"gone": {"type": "vector", "url": f"pmtiles://{tmp_path}/gone.pmtiles"}},
        "layers": [{"id": "all", "type": "background"}, {"id": "gone", "type": "line", "source": "gone", "source-layer": "x"}],
    }))
    server = serve(style=style)
    status, headers, body = server.get("/2/1/1.png")
    assert status == 200 and body.startswith(PNG)
    assert int(headers["neatline-missing"]) >= 1 and headers["cache-control"] == "no-store"
    status, headers, body = server.get("/2/1/1.png?complete=1")
    assert status == 503 and "retry-after" in headers and "gone.pmtiles" in body.decode()
    assert server.get("/2/1/1.png?complete=2")[0] == 400
    strict = serve("--require-complete", style=style)
    assert strict.get("/2/1/1.png")[0] == 503 and strict.get("/2/1/1.png?complete=0")[0] == 200


def test_a_complete_picture_says_nothing(server):
    headers = server.get("/2/1/1.png?complete=1")[1]
    assert "neatline-missing" not in headers and headers["cache-control"] == "public, max-age=3600"

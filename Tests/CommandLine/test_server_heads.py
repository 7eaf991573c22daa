"""`neatline serve`: heads that RFC 9112 forbids, hosts, forwarded fields, and what answers vary with."""

import re

import pytest
from conftest import Server, read_all
from live import PATH, Live
from test_server_production import certificate, https  # noqa: F401

NEXT = b"GET /SMUGGLED HTTP/1.1\r\nHost: x\r\n\r\n"
LINE = b"GET /health HTTP/1.1\r\n"
HEAD = LINE + b"Host: x\r\n"
HEADS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")

# By what is wrong: all before the body, which is a request for whoever takes the head for another.
FORBIDDEN = {
    "two lengths": HEAD + b"Content-Length: 0\r\nContent-Length: 35\r\n\r\n",
    "two equal lengths": HEAD + b"Content-Length: 0\r\nContent-Length: 0\r\n\r\n",
    "a list of lengths": HEAD + b"Content-Length: 0, 0\r\n\r\n",
    "a length with a sign": HEAD + b"Content-Length: +0\r\n\r\n",
    "a length in hexadecimal": HEAD + b"Content-Length: 0x0\r\n\r\n",
    "no length": HEAD + b"Content-Length:\r\n\r\n",
    "a length past 64 bits": HEAD + b"Content-Length: 99999999999999999999\r\n\r\n",
    "a body": HEAD + b"Content-Length: 35\r\n\r\n",
    "a blank before a colon": HEAD + b"Content-Length : 35\r\n\r\n",
    "a tab before a colon": HEAD + b"Content-Length\t: 35\r\n\r\n",
    "a blank before the colon of an encoding": HEAD + b"Transfer-Encoding : chunked\r\n\r\n",
    "an encoding and a length": HEAD + b"Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n",
    "a length and an encoding": HEAD + b"Content-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "another encoding": HEAD + b"Transfer-Encoding: gzip\r\n\r\n",
    "identity": HEAD + b"Transfer-Encoding: identity\r\n\r\n",
    "two encodings": HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
    "an encoding longer than what is read": HEAD + b"Transfer-Encoding: chunked" + b" " * 3000 + b"\r\n\r\n0\r\n\r\n",
    "a chunk that is no number": HEAD + b"Transfer-Encoding: chunked\r\n\r\n0x5\r\nabcde\r\n0\r\n\r\n",
    "an encoding of HTTP/1.0": b"GET /health HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "NUL in a value": HEAD + b"X: a\0b\r\n\r\n",
    "NUL at the end of the last value": HEAD + b"X: a\0\r\n\r\n",
    "NUL at the end of a value": HEAD + b"X: a\0\r\nY: b\r\n\r\n",
    "NUL in a name": HEAD + b"X\0Y: a\r\n\r\n",
    "NUL in the address": b"GET /health\0 HTTP/1.1\r\nHost: x\r\n\r\n",
    "NUL in the method": b"G\0ET /health HTTP/1.1\r\nHost: x\r\n\r\n",
    "NUL in the version": b"GET /health HTTP/1.1\0\r\nHost: x\r\n\r\n",
    "NUL alone": HEAD + b"\0\r\n\r\n",
    "CR in a value": HEAD + b"X: a\rContent-Length: 35\r\n\r\n",
    "CR in a name": HEAD + b"X\r: a\r\n\r\n",
    "CR before CR LF": HEAD + b"X: a\r\r\n\r\n",
    "CR before a name": HEAD + b"\rX: a\r\n\r\n",
    "CR in the address": b"GET /hea\rlth HTTP/1.1\r\nHost: x\r\n\r\n",
    "CR behind the first line": b"GET /health HTTP/1.1\rHost: x\r\n\r\n",
    "LF alone": b"GET /health HTTP/1.1\nHost: x\n\n",
    "LF behind a field": HEAD + b"X: a\nY: b\r\n\r\n",
    "LF behind the last field": HEAD + b"X: a\n\r\n",
    "LF at the end": HEAD + b"X: a\r\n\n",
    "a folded line": HEAD + b"X: a\r\n b\r\n\r\n",
    "a folded encoding": HEAD + b"Transfer-Encoding:\r\n chunked\r\n\r\n",
    "a folded host": LINE + b"Host:\r\n x\r\n\r\n",
    "a fold at the beginning": LINE + b" X: a\r\nHost: x\r\n\r\n",
    "a blank line that is none": HEAD + b" \r\n\r\n",
    "a field without a name": HEAD + b": a\r\n\r\n",
    "a field without a colon": HEAD + b"Xa\r\n\r\n",
    "a name with brackets": HEAD + b"X(a): b\r\n\r\n",
    "a name that is no ASCII": HEAD + b"X\xc3\xa9: b\r\n\r\n",
    "a control character in a name": HEAD + b"X\x01: b\r\n\r\n",
    "a control character in a value": HEAD + b"X: \x01b\r\n\r\n",
    "DEL in a value": HEAD + b"X: \x7fb\r\n\r\n",
    "no host": LINE + b"\r\n",
    "two hosts": HEAD + b"Host: x\r\n\r\n",
    "two other hosts": HEAD + b"host: y\r\n\r\n",
    "two hosts of HTTP/1.0": b"GET /health HTTP/1.0\r\nHost: x\r\nHost: y\r\n\r\n",
    "another host in the address": b"GET http://y/health HTTP/1.1\r\nHost: x\r\n\r\n",
    "another port in the address": b"GET http://x:81/health HTTP/1.1\r\nHost: x\r\n\r\n",
    "another scheme in the address": b"GET https://x/health HTTP/1.1\r\nHost: x\r\n\r\n",
    "a user in the address": b"GET http://u@x/health HTTP/1.1\r\nHost: x\r\n\r\n",
    "no host in the address": b"GET http:///health HTTP/1.1\r\nHost: x\r\n\r\n",
    "an address without a path": b"GET x:80 HTTP/1.1\r\nHost: x\r\n\r\n",
    "an asterisk": b"GET * HTTP/1.1\r\nHost: x\r\n\r\n",
    "two blanks": b"GET  /health HTTP/1.1\r\nHost: x\r\n\r\n",
    "two blanks before the version": b"GET /health  HTTP/1.1\r\nHost: x\r\n\r\n",
    "a blank behind the version": b"GET /health HTTP/1.1 \r\nHost: x\r\n\r\n",
    "a method that is no token": b"G(T /health HTTP/1.1\r\nHost: x\r\n\r\n",
    "a version in small letters": b"GET /health http/1.1\r\nHost: x\r\n\r\n",
    "a version of two digits": b"GET /health HTTP/1.11\r\nHost: x\r\n\r\n",
    **{f"the host {host!r}": LINE + b"Host: " + host + b"\r\n\r\n" for host in [
        b"", b"x, y", b"a@b", b"a/b", b"a:b", b"a:99999", b"a:1:2", b"::1", b"[::1", b"[zz]", b"[1.2.3.4]", b"a b", b"\xc3\xa9", b"a%00", b":80"]},
    **{f"{part!r} in the address": b"GET /hea" + part + b"lth HTTP/1.1\r\nHost: x\r\n\r\n" for part in [
        b"\x01", b"\x1b", b"\x7f", b"\t", b" ", b"#", b"\xff", b"\xc2\x85"]},
}  # fmt: skip
ALLOWED = [
    HEAD + b"Content-Length: 0\r\n\r\n", HEAD + b"Content-Length: 0 \t\r\n\r\n", LINE + b"Host:x\r\nX:\r\n\r\n", LINE + b"Host: \tx \t \r\n\r\n",
    b"GET http://x/health HTTP/1.1\r\nHost: x:80\r\n\r\n", b"GET HTTP://X/health HTTP/1.1\r\nHost: x\r\n\r\n", b"\r\n" + HEAD + b"\r\n",
    HEAD + b"X: \xc3\xa9\ty\r\n\r\n", LINE + b"Host: [::1]:8080\r\n\r\n", LINE + b"Host: x.\r\n\r\n", LINE + b"Host: x:\r\n\r\n",
    HEAD + b"Cookie: a=b; c=\"d\"\r\nCookie: e\r\n\r\n", HEAD + b"".join(b"X-%d: y\r\n" % n for n in range(150)) + b"\r\n",
]  # fmt: skip


@pytest.fixture(scope="module", params=[[], ["--live"]], ids=["plain", "live"])
def strict(request):
    server = Server("--idle-timeout", 1000, *request.param)
    yield server
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def is_refused(answer):
    return HEADS.findall(answer) == [b"400"] and b"Connection: close" in answer


@pytest.mark.parametrize("request_bytes", FORBIDDEN.values(), ids=FORBIDDEN.keys())
def test_a_forbidden_head_is_refused_once_and_nothing_behind_it_is_read(strict, request_bytes):
    answer = strict.say(request_bytes + NEXT)
    assert is_refused(answer), answer
    # Whatever is asked for, and behind a request that is right.
    for path in [b"/styles.json", b"/2/1/1.png", PATH.encode(), b"/none"]:
        other = request_bytes.replace(b"/health", path)
        assert is_refused(strict.say(other + NEXT)), path
    both = strict.say(HEAD + b"\r\n" + request_bytes + NEXT)
    assert HEADS.findall(both) == [b"200", b"400"], both


@pytest.mark.parametrize("method", [b"HEAD", b"OPTIONS", b"POST", b"PUT", b"X"])
def test_a_forbidden_head_is_refused_whatever_its_method(strict, method):
    for name in ["two lengths", "a blank before a colon", "NUL in a value", "a folded encoding", "LF behind a field", "an encoding and a length", "a chunk that is no number"]:
        answer = strict.say(FORBIDDEN[name].replace(b"GET", method, 1) + NEXT)
        assert HEADS.findall(answer) in ([b"400"], [b"405"] if name == "a chunk that is no number" else [b"400"]), (name, answer)
        assert b"Connection: close" in answer


def test_a_forbidden_head_that_comes_byte_by_byte_is_refused(strict):
    for name in ["two lengths", "NUL in a value", "a folded line", "a length with a sign", "LF at the end"]:
        with strict.connect() as connection:
            try:
                for at in range(len(FORBIDDEN[name])):
                    connection.sendall(FORBIDDEN[name][at:at + 1])
            except ConnectionError:
                pass  # The server has answered already, and reads no more.
            answer = read_all(connection)
        assert is_refused(answer), (name, answer)


def test_a_forbidden_head_is_refused_over_tls(serve, certificate):  # noqa: F811
    server = serve("--tls-certificate", certificate[0], "--tls-key", certificate[1], "--idle-timeout", 1000)
    for name, request in FORBIDDEN.items():
        if name != "another scheme in the address":
            assert is_refused(https(server, certificate, request + NEXT)), name


@pytest.mark.parametrize("request_bytes", ALLOWED, ids=range(len(ALLOWED)))
def test_what_the_rules_allow_is_answered(strict, request_bytes):
    answer = strict.say(request_bytes + HEAD + b"Connection: close\r\n\r\n")
    assert HEADS.findall(answer) == [b"200", b"200"], answer


@pytest.mark.parametrize("line", [b" GET /health HTTP/1.1", b"GET\t/health\tHTTP/1.1", b"GET"])
def test_a_first_line_without_parts_ends_the_connection(strict, line):
    assert strict.say(line + b"\r\nHost: x\r\n\r\n" + NEXT) == b""


def test_one_head_is_sent_where_there_is_no_body_to_wait_for(strict):
    for path in [b"/health", b"/2/1/1.png"]:
        answer = strict.say(b"GET " + path + b" HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n")
        assert HEADS.findall(answer) == [b"200"]


# Hosts


@pytest.mark.parametrize("host, is_allowed", [
    ("127.0.0.1", True), ("127.0.0.1:81", True), ("127.9.9.9", True), ("[::1]:8080", True), ("localhost", True), ("LOCALHOST.:8080", True), ("maps.localhost", True),
    ("maps.example.org", True), ("app.example.org:8443", True), ("192.0.2.7", True),
    ("evil.example", False), ("localhost.evil.example", False), ("evil-localhost", False), ("x.app.example.org", False), ("127.0.0.1.evil.example", False),
    ("192.0.2.1", False), ("[::2]", False), ("2130706433", False), ("0x7f.1", False),
])  # fmt: skip
def test_live_maps_are_opened_by_hosts_that_are_this_server(serve, host, is_allowed):
    server = serve("--live", "--public-url", "https://maps.example.org/tiles", "--allow-host", "app.example.org", "--allow-host", "192.0.2.7")
    for origin in [{"Origin": f"http://{host}"}, {}]:
        with Live(server, headers={"Host": host, **origin}, hello=False) as live:
            assert live.status == (101 if is_allowed else 403)
    status, _, body = server.get("/styles/demo/live", headers={"Host": host})
    assert status == (200 if is_allowed else 403) and (is_allowed or b"--allow-host" in body)
    # What only reads answers by every name.
    assert server.get("/styles.json", headers={"Host": host})[0] == 200


def test_the_address_that_the_server_listens_at_is_its_host(serve):
    server = serve("--live", host="0.0.0.0")
    server.host = "127.0.0.1"
    with Live(server, headers={"Host": "0.0.0.0"}, hello=False) as live:
        assert live.status == 403
    with Live(serve("--live", "--allow-host", "*"), headers={"Host": "any.example"}, hello=False) as live:
        assert live.status == 101


@pytest.mark.parametrize("origins", [[""], ["null"], ["http://{own}", "http://{own}"], ["", "http://{own}"], ["http://{own}" + " " * 3000], ["http://{own}/" + "a" * 3000], ["a" * 3000]])
def test_an_origin_that_is_no_page_of_this_server_is_foreign(strict, origins):
    if strict.get("/styles/demo/live")[0] == 404:
        pytest.skip("without --live")
    own = f"{strict.host}:{strict.port}"
    fields = "".join(f"Origin: {origin.format(own=own)}\r\n" for origin in origins)
    answer = strict.say(
        f"GET {PATH} HTTP/1.1\r\nHost: {own}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n{fields}\r\n".encode())
    assert HEADS.findall(answer) == [b"403"]


@pytest.mark.parametrize("options, words", [
    (["--live", "--allow-host", "a:80"], "--allow-host"), (["--live", "--allow-host", "http://a"], "--allow-host"), (["--allow-host", "a"], "goes with --live"),
    (["--trusted-proxy", "a"], "--trusted-proxy"), (["--trusted-proxy", "10.0.0.1/8"], "--trusted-proxy"), (["--trusted-proxy", "10.0.0.0/33"], "--trusted-proxy"),
    (["--metrics-listen", "9090"], "--metrics-listen"), (["--metrics-listen", "127.0.0.1:99999"], "--metrics-listen"), (["--metrics-listen", "::1:9090"], "--metrics-listen"),
])  # fmt: skip
def test_options_that_are_none_are_refused_by_name(options, words):
    from conftest import DEMO, run

    done = run("serve", DEMO, "--port", 0, *options, timeout=20)
    assert done.returncode == 2 and words in done.stderr.decode()


# Forwarded fields


SPOOFED = {"X-Forwarded-Host": "seen.example", "X-Forwarded-Proto": "https", "Forwarded": "host=seen.example;proto=https"}


@pytest.mark.parametrize("proxies, source, counts", [
    ([], "127.0.0.1", True), ([], "127.0.0.9", True), (["127.0.0.1"], "127.0.0.1", True), (["127.0.0.1"], "127.0.0.2", False), (["127.0.1.0/24"], "127.0.1.77", True),
    (["127.0.1.0/24"], "127.0.2.77", False), (["none"], "127.0.0.1", False), (["10.0.0.0/8", "127.0.0.2/31"], "127.0.0.3", True), (["fd00::/8"], "127.0.0.1", False),
])  # fmt: skip
def test_forwarded_fields_count_from_proxies_that_are_named(serve, proxies, source, counts):
    server = serve(*(word for proxy in proxies for word in ["--trusted-proxy", proxy]))
    for path in ["/styles.json", "/styles/demo.json", "/styles/demo/style.json", "/styles/demo/wmts.xml", "/rendered.json"]:
        status, headers, body = server.get(path, source=source, headers=SPOOFED)
        assert status == 200 and (b"seen.example" in body) == counts, path
        assert "X-Forwarded-Host" in headers["vary"] and "X-Forwarded-Proto" in headers["vary"] and "Host" in headers["vary"]
        # The next client gets its own, and by its own name.
        _, other, own = server.get(path, source="127.0.0.1")
        assert b"seen.example" not in own and (other["etag"] != headers["etag"]) == (own != body)
    # What does not count is not looked at.
    assert server.get("/styles.json", source=source, headers={"X-Forwarded-Host": 'a"b'})[0] == (400 if counts else 200)


def test_forwarded_fields_over_ipv6(serve):
    server = serve(host="::1")
    assert b"https://seen.example" in server.get("/styles.json", headers=SPOOFED)[2].replace(b"\\/", b"/")
    other = serve("--trusted-proxy", "127.0.0.1", host="::1")
    assert b"seen.example" not in other.get("/styles.json", headers=SPOOFED)[2]


def test_a_public_address_varies_with_nothing(serve):
    server = serve("--public-url", "https://maps.example.org")
    for path in ["/styles.json", "/styles/demo.json", "/styles/demo/style.json", "/styles/demo/wmts.xml"]:
        assert "vary" not in server.get(path, headers=SPOOFED)[1], path


# Figures


def test_pages_of_other_origins_do_not_read_how_the_server_does(strict):
    for path in ["/health", "/metrics", "/metrics?x=1"]:
        for method in ["GET", "HEAD", "OPTIONS"]:
            headers = strict.get(path.partition("?")[0] if method == "OPTIONS" else path, method=method, headers={"Origin": "https://a.example"})[1]
            assert not any(name.startswith("access-control") for name in headers)
    assert strict.get("/2/1/1.png")[1]["access-control-allow-origin"] == "*"


def test_metrics_have_an_address_of_their_own(serve):
    server = serve("--metrics-listen", "127.0.0.1:0")
    line = server.process.stdout.readline()
    assert line.startswith("metrics at http://127.0.0.1:")
    port, own = int(line.split(":")[2].split("/")[0]), server.port
    assert server.get("/metrics")[0] == 404 and server.get("/health")[0] == 200
    server.port = port
    status, headers, body = server.get("/metrics")
    assert status == 200 and b'neatline_requests_total{route="other",status="404"} 1' in body
    assert not any(name.startswith("access-control") for name in headers)
    assert server.get("/health")[0] == 200 and server.get("/2/1/1.png")[0] == 404 and server.get("/metrics", method="POST")[0] == 405
    assert is_refused(server.say(FORBIDDEN["two lengths"] + NEXT))
    server.port = own
    assert server.stop() == 0

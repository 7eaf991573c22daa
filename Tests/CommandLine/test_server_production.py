"""`neatline serve` among service managers, log collectors and authorities: TLS, systemd's sockets, logs, metrics."""

import json
import os
import re
import signal
import socket
import ssl
import subprocess
import time

import pytest
import sites
from conftest import COMMAND, DEMO, Server, read_all, run, until

PNG = b"\x89PNG"


# TLS


def certify(folder):
    """Makes a certificate and its key; their paths."""
    done = subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", folder / "key.pem", "-out", folder / "chain.pem"], capture_output=True)
    if done.returncode:
        pytest.skip("no openssl here")
    return folder / "chain.pem", folder / "key.pem"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    return certify(tmp_path_factory.mktemp("tls"))


@pytest.fixture
def secure(serve, certificate):
    return serve("--tls-certificate", certificate[0], "--tls-key", certificate[1], "--head-timeout", 1500)


def trusting(certificate):
    context = ssl.create_default_context(cafile=certificate[0])
    return context


def https(server, certificate, data):
    with trusting(certificate).wrap_socket(server.connect(), server_hostname="127.0.0.1") as connection:
        connection.sendall(data)
        return read_all(connection)


def test_tls(secure, certificate):
    answer = https(secure, certificate, b"GET /styles.json HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /1/0/0.png HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answer.count(b"HTTP/1.1 200 OK") == 2 and PNG in answer
    # The addresses are those of HTTPS.
    assert b'"https:\\/\\/127.0.0.1' in answer or b'"https://127.0.0.1/styles/demo/style.json"' in answer


def test_what_is_no_tls_harms_nobody(secure, certificate):
    for data in [b"GET / HTTP/1.1\r\nHost: a\r\n\r\n", b"\x16\x03\x01\x40\x00\x01" + b"\0" * 5000, os.urandom(4000), b"\x16", b"\x80\x2e\x01\0\x02"]:
        with secure.connect() as connection:
            try:
                connection.sendall(data)
                read_all(connection)
            except OSError:
                pass
    # Who says nothing, or only the beginning, is sent away in time.
    begin = time.monotonic()
    with secure.connect() as silent, secure.connect() as half:
        half.sendall(b"\x16\x03\x01\x02\x00\x01\x00")
        assert read_all(silent) == b"" and len(read_all(half)) < 100
    assert time.monotonic() - begin < 10
    assert https(secure, certificate, b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200")
    # Old versions of the protocol are not spoken.
    context = trusting(certificate)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    with context.wrap_socket(secure.connect(), server_hostname="127.0.0.1") as connection:
        assert connection.version() == "TLSv1.2"


def test_a_certificate_that_cannot_be_used_is_said_at_the_start(certificate, tmp_path):
    junk = sites.write(tmp_path / "junk.pem", "junk")
    for chain, key in [(junk, certificate[1]), (certificate[0], junk), (certificate[0], tmp_path / "none.pem")]:
        done = run("serve", DEMO, "--port", 0, "--tls-certificate", chain, "--tls-key", key, timeout=20)
        assert done.returncode == 1 and (b"certificate" in done.stderr or b"none.pem" in done.stderr)


def greeting(server):
    """The certificate that a new connection is greeted with."""
    return ssl.get_server_certificate(("127.0.0.1", server.port))


def failed_reloads(server, certificate):
    answer = https(server, certificate, b"GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    return int(re.search(rb"neatline_failed_reloads_total (\d+)", answer)[1])


@pytest.fixture
def renewable(serve, tmp_path):
    """A server, the paths of its certificate and key, and two pairs for them: the first is in place."""
    pairs = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        pairs.append(certify(tmp_path / name))
    place = tmp_path / "chain.pem", tmp_path / "key.pem"
    put(pairs[0], place)
    return serve("--tls-certificate", place[0], "--tls-key", place[1], "--workers", 1), place, pairs


def put(pair, place):
    for source, target in zip(pair, place):
        fresh = target.with_suffix(".new")
        fresh.write_bytes(source.read_bytes())
        fresh.rename(target)


@pytest.mark.parametrize("asks", [True, False])
def test_a_renewed_certificate_is_taken_up_and_no_connection_ends(renewable, asks):
    server, place, (first, second) = renewable
    assert greeting(server) == first[0].read_text()
    with trusting(first).wrap_socket(server.connect(), server_hostname="127.0.0.1") as old:
        old.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n")
        assert old.recv(1 << 16).startswith(b"HTTP/1.1 200")
        # The rest of it may come by itself. A request is under way while the certificate changes.
        old.sendall(b"GET /static/0,0,1/3000x3000.webp?quality=100 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        put(second, place)
        if asks:
            server.process.send_signal(signal.SIGHUP)
        assert until(lambda: greeting(server) == second[0].read_text())
        assert b"HTTP/1.1 200" in read_all(old)
    assert https(server, second, b"GET /1/0/0.png HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 200")
    # Who knows the old one alone is not greeted with it any more.
    with pytest.raises(ssl.SSLError):
        https(server, first, b"")


def test_a_certificate_that_does_not_fit_its_key_is_not_taken_up(renewable):
    server, place, (first, second) = renewable
    for chain, key in [(second[0], first[1]), (first[0], second[1]), (None, first[1])]:
        before = failed_reloads(server, first)
        put((chain, key) if chain else (key, key), place)
        server.process.send_signal(signal.SIGHUP)
        assert until(lambda: failed_reloads(server, first) > before)
        assert greeting(server) == first[0].read_text()
    place[0].unlink()
    before = failed_reloads(server, first)
    server.process.send_signal(signal.SIGHUP)
    assert until(lambda: failed_reloads(server, first) > before) and greeting(server) == first[0].read_text()
    put(second, place)
    assert until(lambda: greeting(server) == second[0].read_text())


# Service managers


def activated(listener, *options, notify=None, pid="$$", count=1):
    """A server whose socket 3 is the listener, as systemd starts it."""
    environment = {**os.environ, "LISTEN_FDS": str(count), **({"NOTIFY_SOCKET": notify} if notify else {})}

    def place():
        os.dup2(listener.fileno(), 3)
        os.set_inheritable(3, True)

    return subprocess.Popen(
        ["sh", "-c", f'LISTEN_PID={pid} exec "$0" "$@"', COMMAND, "serve", DEMO, *options], env=environment, pass_fds=[3], preexec_fn=place,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.fixture
def listener():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


def test_the_socket_of_the_service_manager_is_served(listener, tmp_path):
    path = str(tmp_path / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(path)
        manager.settimeout(20)
        # Who came before the server was there is served too.
        early = socket.create_connection(listener.getsockname(), 20)
        early.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        process = activated(listener, notify=path)
        try:
            assert str(listener.getsockname()[1]) in process.stdout.readline()
            assert manager.recv(1000) == b"READY=1"
            assert read_all(early).startswith(b"HTTP/1.1 200")
            process.send_signal(signal.SIGHUP)
            assert manager.recv(1000).startswith(b"RELOADING=1\nMONOTONIC_USEC=") and manager.recv(1000) == b"READY=1"
            process.send_signal(signal.SIGTERM)
            assert manager.recv(1000) == b"STOPPING=1" and process.wait(20) == 0
        finally:
            process.kill()
            process.wait()
        # The socket is the manager's still: the next server has it.
        late = socket.create_connection(listener.getsockname(), 20)
        late.sendall(b"GET /health HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        process = activated(listener)
        try:
            assert read_all(late).startswith(b"HTTP/1.1 200")
        finally:
            process.kill()
            process.wait()


def test_the_socket_of_another_process_is_not_taken(listener):
    process = activated(listener, "--port", "0", pid="1")
    try:
        assert f":{listener.getsockname()[1]}/" not in process.stdout.readline()
    finally:
        process.kill()
        process.wait()


def test_sockets_that_cannot_be_served_are_said(listener, tmp_path):
    process = activated(listener, count=2)
    assert process.wait(20) != 0 and "2 sockets" in process.stderr.read()
    with open(tmp_path / "file", "w") as file:
        process = activated(file)
        assert process.wait(20) != 0 and "socket 3" in process.stderr.read()


def test_a_manager_that_is_not_there_is_no_trouble(serve):
    for path in ["/nowhere/socket", "@nobody-listens-here", "x" * 500, "@", ""]:
        server = serve(env={**os.environ, "NOTIFY_SOCKET": path})
        assert server.get("/health")[0] == 200 and server.stop() == 0


# Logs


COMBINED = re.compile(r'127\.0\.0\.1 - - \[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d \+0000\] "((?:[^"\\]|\\.)*)" (\d{3}) (\d+) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)" (\d+)')


def logged(server, *requests):
    for request in requests:
        server.say(request)
    server.stop()
    return server.process.stdout.read().split("\n")[:-1]


def test_the_access_log_is_the_combined_format(serve):
    server = serve("--access-log", "text")
    first, second, third = logged(
        server, b"GET /1/0/0.png?complete=1 HTTP/1.1\r\nHost: a\r\nUser-Agent: curl/8\r\nReferer: http://a/\r\nConnection: close\r\n\r\n",
        b"POST /x HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", b"HEAD /none HTTP/1.0\r\nHost: a\r\n\r\n")
    parts = COMBINED.fullmatch(first).groups()
    assert parts[0] == "GET /1/0/0.png?complete=1 HTTP/1.1" and parts[1] == "200" and int(parts[2]) > 50 and parts[3:5] == ("http://a/", "curl/8")
    assert COMBINED.fullmatch(second).groups()[:2] == ("POST /x HTTP/1.1", "405")
    assert COMBINED.fullmatch(third).groups()[:3] == ("HEAD /none HTTP/1.0", "404", "0")


HOSTILE = [
    b'GET /a"b\\c%0d%0aX HTTP/1.1\r\nHost: a\r\nUser-Agent: x"y\\z\r\nConnection: close\r\n\r\n',
    b"GET /\x1b[31m HTTP/1.1\r\nHost: a\r\nUser-Agent: \x1b]0;t\x07\xc2\x9b31m\xe2\x80\xae\xe2\x80\xa8x\r\nConnection: close\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\nReferer: \xff\x80\r\nConnection: close\r\n\r\n",
    b'GET / HTTP/1.1" 200 1 "x"\r\nHost: a\r\nConnection: close\r\n\r\n',
    b'X"Y\\ / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
]


def test_no_client_writes_a_line_of_its_own(serve):
    lines = logged(serve("--access-log", "text"), *HOSTILE)
    assert 3 <= len(lines) <= len(HOSTILE)
    for line in lines:
        assert COMBINED.fullmatch(line), line
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e]", line)
    lines = logged(serve("--access-log", "json"), *HOSTILE)
    for line in lines:
        record = json.loads(line)
        assert not re.search("[\x00-\x1f\x7f-\x9f\u2028-\u202e]", line)
        assert {"time", "peer", "method", "target", "route", "status", "bytes", "milliseconds", "referer", "agent"} == set(record)
    assert any(json.loads(line)["agent"] == 'x"y\\z' for line in lines)


def test_the_log_in_json(serve):
    line, = logged(serve("--access-log", "json"), b"GET /styles/demo/1/0/0.png HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    record = json.loads(line)
    assert (record["method"], record["target"], record["route"], record["status"], record["peer"]) == ("GET", "/styles/demo/1/0/0.png", "tile", 200, "127.0.0.1")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", record["time"]) and record["bytes"] > 50 and record["milliseconds"] >= 0


def test_a_log_that_nobody_reads_holds_up_nobody():
    server = Server("--access-log", "json")
    agent = "x" * 2000
    for _ in range(1500):
        assert server.get("/health", headers={"User-Agent": agent})[0] == 200
    assert server.resident_bytes < 400 << 20
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


# Metrics


SAMPLE = re.compile(r'([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-z]+="[^"\\\n]*"(?:,[a-z]+="[^"\\\n]*")*\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\+Inf|NaN)')


def test_metrics_are_prometheus_text(serve):
    server = serve("--access-log", "text", cache=4)
    for path in ["/1/0/0.png", "/1/0/0.png", "/none", "/styles.json", "/static/0,0,1/20x20.png", "/data/x/0/0/0.pbf", "/?x=1"]:
        server.get(path)
    status, headers, body = server.get("/metrics")
    assert status == 200 and headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    kinds, helped, values = {}, set(), {}
    for line in body.decode().splitlines():
        if line.startswith("# HELP "):
            helped.add(line.split()[2])
        elif line.startswith("# TYPE "):
            name, kind = line.split()[2:]
            assert name in helped and name not in kinds and kind in ("counter", "gauge", "histogram")
            kinds[name] = kind
        else:
            name, labels, value = SAMPLE.fullmatch(line).groups()
            family = re.sub("_(bucket|sum|count)$", "", name)
            assert (kinds.get(name) or kinds.get(family)) and (name, labels) not in values
            assert kinds.get(name) != "counter" or name.endswith("_total")
            values[name, labels] = float(value)
    assert body.endswith(b"\n")
    assert values["neatline_requests_total", '{route="tile",status="200"}'] == 2
    assert values["neatline_requests_total", '{route="static",status="200"}'] == 1
    assert sum(value for (name, _), value in values.items() if name == "neatline_requests_total") == 7
    assert values["neatline_cache_hits_total", None] == 1
    for route in ["tile", "static", "other"]:
        buckets = [value for (name, labels), value in values.items() if name == "neatline_request_seconds_bucket" and f'route="{route}"' in labels]
        assert buckets == sorted(buckets) and buckets[-1] == values["neatline_request_seconds_count", f'{{route="{route}"}}']
    assert values["neatline_response_bytes_total", '{route="tile"}'] == 2 * len(server.get("/1/0/0.png")[2])


def test_clients_do_not_make_series(serve):
    server = serve()
    for n in range(200):
        server.get(f"/x{n}/y")
        server.get(f"/styles/x{n}/style.json")
    lines = server.get("/metrics")[2].decode().splitlines()
    assert len(lines) < 250 and not any("x1" in line for line in lines)


def test_one_client_that_leaves_is_counted(serve, noisy):
    from conftest import POSTER
    from test_server import health, slow_reader

    server = serve("--workers", 1, style=noisy)
    reader = slow_reader(server, POSTER)
    assert until(lambda: health(server)["drawing"] == 1)
    reader.close()
    assert until(lambda: b'status="0"' in server.get("/metrics")[2])

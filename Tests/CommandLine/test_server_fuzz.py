"""Mutated requests, and those of the corpus that HTTP forbids. NEATLINE_FUZZ_REQUESTS is the number of mutated
ones, NEATLINE_FUZZ_SEED where the random numbers begin."""

import os
import pathlib
import random
import socket
import threading

import pytest
import sites
from conftest import read_all, until

CORPUS = pathlib.Path(__file__).resolve().parents[1] / "Fuzz/corpus/server"

REQUESTS = int(os.environ.get("NEATLINE_FUZZ_REQUESTS", "3000"))
SEED = int(os.environ.get("NEATLINE_FUZZ_SEED", "1"))
CLIENTS = 8

PATHS = [
    "/", "/health", "/metrics", "/styles.json", "/data.json", "/index.json", "/fonts.json", "/styles/world/style.json", "/styles/world.json", "/styles/512/towns.json",
    "/styles/towns/wmts.xml", "/styles/towns/sprite@2x.png", "/styles/world/sources/cities.geojson", "/styles/world/2/1/1@2x.png", "/styles/towns/512/1/0/0.webp",
    "/styles/world/static/11,47,3@30,40/64x48@2x.png", "/styles/world/static/5,40,20,55/64x48.jpg?quality=40", "/styles/towns/static/raw/0,0,2/32x32.png",
    "/styles/towns/static/auto/64x64.png?path=5,5|6,6", "/data/towns.json", "/data/towns/3/4/2.pbf", "/data/towns/3/4/2.geojson",
    "/fonts/Noto%20Sans%20Regular,Noto%20Sans%20Bold/0-255.pbf", "/viewer/leaflet.js", "/viewer/images/layers.png", "/2/1/1.png", "/static/11,47,4/40x40.png", "/info.json",
]
FIELDS = ["Host: a", "If-None-Match: *", "Range: bytes=0-9", "If-Range: \"x\"", "Accept-Encoding: gzip;q=0", "X-Forwarded-Proto: https", "X-Forwarded-Host: b",
          "Connection: close", "Connection: keep-alive", "Content-Length: 0", "Content-Length: 5", "Transfer-Encoding: chunked", "Expect: 100-continue", "Upgrade: h2c",
          "Content-Length : 5", "Transfer-Encoding : chunked", "X-Forwarded-For: 1.2.3.4", "Forwarded: host=c", "Origin: http://d", "Origin:", "Host : c", "Host: a:99999", "a\0b: c",
          "User-Agent: x", "Host: b", "Connection: Upgrade, HTTP2-Settings", "Content-Length: -1", "Content-Length: 99999999999999999999", " folded"]
BITS = ["..", "%2e%2e", "%2f", "%00", "%", "%ff", "/", "//", "-1", "99999999999999999999", "0x10", "1e9", "1e-999", "nan", "inf", "@2x", "@999999999x", "@0x", ",", ";", "|", "\r", "\n",
        "\t", " ", "\0", "?", "?x=1&x=2", "#", "é", "\u202e", "{z}", "$(id)", "<script>", "'", '"', "a" * 300, "180", "-180", "90.0001", "2147483648", "18446744073709551616"]


def bent(numbers):
    """One request, or several, as bytes."""
    path = numbers.choice(PATHS)
    for _ in range(numbers.choice([0, 0, 1, 1, 2, 4])):
        at = numbers.randrange(len(path) + 1)
        how = numbers.randrange(4)
        if how == 0:
            path = path[:at] + numbers.choice(BITS) + path[at:]
        elif how == 1:
            path = path[:at] + path[at + numbers.randrange(1, 4):]
        elif how == 2:
            parts = path.split("/")
            parts[numbers.randrange(len(parts))] = numbers.choice(BITS)
            path = "/".join(parts)
        else:
            path = path[:at] + chr(numbers.randrange(256)) + path[at:]
    lines = [f"{numbers.choice(['GET'] * 20 + ['HEAD'] * 3 + ['POST', 'OPTIONS', 'get', 'X' * 50, ''])} {path} HTTP/{numbers.choice(['1.1'] * 20 + ['1.0', '0.9', '2.0', '1.', ''])}"]
    lines += ["Host: a"] * (numbers.random() < 0.95) + numbers.sample(FIELDS, numbers.choice([0, 0, 0, 1, 1, 3]))
    data = (numbers.choice(["\r\n"] * 20 + ["\n", "\r"]).join(lines) + numbers.choice(["\r\n\r\n"] * 40 + ["\n\n", "\r\n", "", "\r\n\r\nGET / HTTP/1.1\r\n"])).encode()
    if numbers.random() < 0.15:
        at = numbers.randrange(len(data))
        data = data[:at] + numbers.randbytes(numbers.randrange(1, 9)) + data[at + numbers.randrange(3):]
    return data * numbers.choice([1, 1, 1, 2, 5])


def test_bent_requests_harm_nobody(serve, tmp_path):
    server = serve("--config", sites.make(tmp_path), "--head-timeout", 500, "--idle-timeout", 500, "--max-per-address", 1000, style=None, cache=4)
    server.get("/styles/world/2/1/1.png")
    faults, statuses = [], {}

    def work(seed):
        numbers = random.Random(seed)
        for n in range(REQUESTS // CLIENTS):
            data = bent(numbers)
            try:
                with server.connect(f"127.0.1.{seed % 200 + 1}", timeout=20) as connection:
                    for piece in [data] if numbers.random() < 0.8 else [data[:len(data) // 2], data[len(data) // 2:]]:
                        connection.sendall(piece)
                    if numbers.random() < 0.1:
                        continue
                    if numbers.random() < 0.5:
                        try:
                            connection.shutdown(socket.SHUT_WR)
                        except OSError:
                            pass
                    answer = b""
                    while part := connection.recv(1 << 16):
                        answer += part
            except (ConnectionResetError, BrokenPipeError):
                continue
            except OSError as fault:
                faults.append((seed, n, data, repr(fault)))
                continue
            if answer and not answer.startswith(b"HTTP/1."):
                faults.append((seed, n, data, answer[:100]))
            status = int(answer[9:12]) if answer[9:12].isdigit() else 0
            statuses[status] = statuses.get(status, 0) + 1
            if status >= 500 and status not in (503, 504, 505):
                faults.append((seed, n, data, answer[:300]))

    clients = [threading.Thread(target=work, args=(SEED * 1000 + n,)) for n in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    print(sorted(statuses.items()))
    assert not faults, faults[:3]
    # Deep enough to be drawn, and to be refused for what the address says.
    assert all(statuses.get(status, 0) > REQUESTS // 100 for status in (200, 404, 400))
    assert server.process.poll() is None and server.get("/styles/world/2/1/1.png")[0] == 200
    # Nothing is left of them.
    assert until(lambda: b'"connections":1,' in server.get("/health")[2].replace(b" ", b""))
    assert until(lambda: b'"waiting":0,"drawing":0,"answerBytes":0' in server.get("/health")[2].replace(b" ", b"")), server.get("/health")[2]
    assert server.stop() == 0


@pytest.mark.parametrize("name", sorted(path.name for path in CORPUS.iterdir()))
@pytest.mark.parametrize("pieces", [1, 7])
def test_a_forbidden_request_gets_400_and_nothing_after_it_is_answered(serve, name, pieces):
    """RFC 9112, 2.2, 5.1 and 6.3: the bytes after such a head may be a request for one reader and a body for
    another."""
    server = serve()
    data = (CORPUS / name).read_bytes()
    with server.connect() as connection:
        step = -(-len(data) // pieces)
        for at in range(0, len(data), step):
            try:
                connection.sendall(data[at:at + step])
            except (BrokenPipeError, ConnectionResetError):
                break  # The server has answered already, and reads no more.
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 400 "), answer
    assert answer.count(b"HTTP/1.") == 1 and b"SMUGGLED" not in answer, answer
    assert server.get("/health")[0] == 200

"""`neatline serve` with little memory, with thousands of connections, and with clients that are slow in every way."""

import http.client
import os
import resource
import socket
import threading
import time

import sites
from conftest import COMMAND, Server, read_all, until
from test_server import health

CONNECTIONS = int(os.environ.get("NEATLINE_STRAIN_CONNECTIONS", "2500"))


def test_thousands_of_connections(serve):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < 2 * CONNECTIONS + 200:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2 * CONNECTIONS + 200), hard))
    server = serve("--max-connections", 2 * CONNECTIONS, "--max-per-address", 2 * CONNECTIONS, "--head-timeout", 60_000, "--idle-timeout", 60_000)
    before = server.resident_bytes
    held = []
    try:
        for n in range(CONNECTIONS):
            connection = server.connect(f"127.0.4.{n % 100 + 1}")
            # Some say nothing, some a part of a head, some ask and stay.
            connection.sendall([b"", b"GET /1/0/0.png HTTP/1.1\r\nHo", b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"][n % 3] or b"\r\n")
            held.append(connection)
        assert until(lambda: health(server)["connections"] == CONNECTIONS + 1, 60)
        begin = time.monotonic()
        assert server.get("/2/1/1.png")[0] == 200 and time.monotonic() - begin < 3
        # About 32 KiB of the library's and the books of the server.
        assert server.resident_bytes - before < CONNECTIONS * (96 << 10)
    finally:
        for connection in held:
            connection.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert until(lambda: health(server)["connections"] == 1, 60)


def test_little_memory_refuses_pictures_and_not_service(serve, noisy):
    # Address space for the program and its threads, and for little besides.
    plain = serve(style=noisy)
    with open(f"/proc/{plain.process.pid}/status") as status:
        size = next(int(line.split()[1]) << 10 for line in status if line.startswith("VmPeak:"))
    plain.stop()
    limit = size + (160 << 20)
    server = serve("--max-pixels", 64 << 20, "--workers", 8, style=noisy, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    answers = []

    def ask(n):
        try:
            answers.append(server.get(f"/static/-150,-55,-110,-20/4000x{4000 - n}.png", timeout=120)[0])
        except OSError as fault:
            answers.append(repr(fault))

    clients = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    assert set(answers) <= {200, 503, 413, 429} and server.process.poll() is None, answers
    assert until(lambda: server.get("/2/1/1.png")[0] == 200)


def test_an_answer_is_taken_a_little_at_a_time(serve):
    server = serve()
    with server.connect() as connection:
        connection.sendall(b"GET /styles/demo/sources/countries.geojson HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        data = b""
        while part := connection.recv(1 << 14):
            data += part
            time.sleep(0.001)
    whole = server.get("/styles/demo/sources/countries.geojson")[2]
    assert data.endswith(whole) and len(whole) > 100_000


def test_a_body_that_drips_does_not_hold_the_connection(serve):
    server = serve("--head-timeout", 500, "--answer-timeout", 500, "--idle-timeout", 500)
    with server.connect() as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
        begin = time.monotonic()
        try:
            for _ in range(100):
                connection.sendall(b"x")
                time.sleep(0.05)
        except OSError:
            pass
        assert time.monotonic() - begin < 4
        read_all(connection)
    assert until(lambda: health(server)["connections"] == 1)


def open_things(server):
    """Threads, how often an archive is open, and all other descriptors."""
    folder = f"/proc/{server.process.pid}"
    targets = []
    for name in os.listdir(f"{folder}/fd"):
        try:
            targets.append(os.readlink(f"{folder}/fd/{name}"))
        except FileNotFoundError:
            continue
    archives = [target for target in targets if ".mbtiles" in target or ".pmtiles" in target]
    return {
        "threads": len(os.listdir(f"{folder}/task")),
        # The most that any one of them is open.
        "archives": max(map(archives.count, archives), default=0),
        "others": len(targets) - len(archives),
    }


def test_a_mix_of_requests_leaves_nothing_behind(serve, tmp_path):
    """NEATLINE_SOAK_TILES says how many requests."""
    count = int(os.environ.get("NEATLINE_SOAK_TILES", "4000"))
    server = serve("--config", sites.make(tmp_path), "--tile-cache-folder", tmp_path / "cache", "--tile-cache-disk", 4, style=None, cache=2)
    paths = ["/styles/world/{z}/{x}/{y}.png", "/styles/towns/{z}/{x}/{y}@2x.webp", "/data/towns/{z}/{x}/{y}.pbf", "/data/old/{z}/{x}/{y}.geojson", "/styles/world/style.json",
             "/styles/world.json", "/index.json", "/fonts/Noto%20Sans%20Bold,Noto%20Sans%20Regular/0-255.pbf", "/styles/towns/sprite@2x.png", "/", "/styles/world/wmts.xml",
             "/styles/world/static/{x},{y},{z}.5/60x60.jpg", "/none/{x}", "/metrics", "/styles/world/{z}/{x}/{y}.png?bad=1"]
    faults = []

    def ask(seed, count):
        import random

        numbers = random.Random(seed)
        client = http.client.HTTPConnection(server.host, server.port, timeout=60)
        for _ in range(count):
            z = numbers.randrange(4)
            client.request("GET", numbers.choice(paths).format(z=z, x=numbers.randrange(2 ** z), y=numbers.randrange(2 ** z)))
            answer = client.getresponse()
            answer.read()
            if answer.status not in (200, 204, 400, 404, 410):
                faults.append(answer.status)
        client.close()

    def all_of_them():
        clients = [threading.Thread(target=ask, args=(n, count // 8)) for n in range(4)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()

    all_of_them()
    before, idle = server.resident_bytes, open_things(server)
    all_of_them()
    after = server.resident_bytes
    print(f"{count} requests: {before >> 20} MiB half way, {after >> 20} MiB at the end; {idle} and {open_things(server)}")
    assert not faults and after - before < 40 << 20
    assert until(lambda: all(open_things(server)[kind] <= idle[kind] for kind in ["threads", "others"]))
    # /data and the two styles each open an archive by themselves, with a reader for each thread that may be in
    # it, made when two first meet.
    assert open_things(server)["archives"] <= 3 * os.cpu_count()

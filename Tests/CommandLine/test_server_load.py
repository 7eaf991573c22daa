"""Clients that mean harm do not keep the others from their tiles. NEATLINE_LOAD_TILES says how many tiles the others ask for."""

import http.client
import os
import random
import socket
import threading
import time

from conftest import POSTER
from test_server import health, slow_reader

TILES = int(os.environ.get("NEATLINE_LOAD_TILES", "600"))
SLOW, DRIPPING = 32, 100


def test_slow_and_dripping_clients_do_not_hold_up_the_others(serve, noisy):
    server = serve("--answer-timeout", 60_000, style=noisy)
    over = threading.Event()
    warm = server.get("/0/0/0.png")[0]
    assert warm == 200

    # 32 that ask for a poster and take next to nothing of it, 100 that send a byte every half second; each gang from addresses of its own.
    readers = [slow_reader(server, POSTER, f"127.0.1.{n % 4 + 1}") for n in range(SLOW)]

    def drip():
        connections = [server.connect(f"127.0.2.{n % 4 + 1}") for n in range(DRIPPING)]
        while not over.wait(0.5):
            for index, connection in enumerate(connections):
                try:
                    connection.sendall(b"G")
                except OSError:
                    connection.close()
                    connections[index] = server.connect(f"127.0.2.{index % 4 + 1}")
        for connection in connections:
            connection.close()

    dripping = threading.Thread(target=drip)
    dripping.start()
    times, faults, peak = [], [], 0

    def ask(seed):
        random_number = random.Random(seed)
        client = http.client.HTTPConnection(server.host, server.port, timeout=30)
        for _ in range(TILES // 2):
            z = random_number.randrange(6)
            path = f"/{z}/{random_number.randrange(2 ** z)}/{random_number.randrange(2 ** z)}.png"
            begin = time.monotonic()
            client.request("GET", path)
            answer = client.getresponse()
            body = answer.read()
            times.append(time.monotonic() - begin)
            if answer.status != 200 or not body.startswith(b"\x89PNG"):
                faults.append((path, answer.status))
        client.close()

    others = [threading.Thread(target=ask, args=(seed,)) for seed in range(2)]
    for thread in others:
        thread.start()
    while any(thread.is_alive() for thread in others):
        peak = max(peak, server.resident_bytes)
        time.sleep(0.05)
    state = health(server)
    over.set()
    dripping.join()
    for reader in readers:
        reader.close()
    times.sort()
    median, late = times[len(times) // 2], times[len(times) * 99 // 100]
    print(f"{len(times)} tiles: median {median * 1000:.1f} ms, p99 {late * 1000:.1f} ms, largest {times[-1] * 1000:.1f} ms, {peak >> 20} MiB; {state}")
    assert not faults
    assert state["connections"] > SLOW
    # The poster's 64 MB of pixels a few times over, and the answers that nobody takes.
    assert peak < 900 << 20
    # Half of the processors may be at the posters.
    assert late < float(os.environ.get("NEATLINE_LOAD_P99", "0.1"))


def test_a_flood_of_connections_is_answered_or_closed(serve):
    server = serve("--max-connections", 64, "--max-per-address", 1000)
    flood = []
    for n in range(400):
        connection = socket.socket()
        connection.bind((f"127.0.3.{n % 8 + 1}", 0))
        connection.settimeout(10)
        connection.connect((server.host, server.port))
        flood.append(connection)
    for connection in flood:
        connection.close()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            if server.get("/2/1/1.png")[0] == 200:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise AssertionError("the server did not come back")

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
    alone = Others(serve("--answer-timeout", 60_000, style=noisy))
    alone.ask()
    print(f"\nalone: {alone}")

    server = serve("--answer-timeout", 60_000, style=noisy)
    over = threading.Event()
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
    beside = Others(server)
    beside.ask()
    state = health(server)
    over.set()
    dripping.join()
    for reader in readers:
        reader.close()
    print(f"beside them: {beside}, {beside.late / alone.late:.2f} times; {state}")
    assert not alone.faults and not beside.faults
    assert state["connections"] > SLOW
    # The poster's 64 MB of pixels a few times over, and the answers that nobody takes.
    assert beside.peak < 900 << 20
    # Half of the processors may be at the posters.
    assert beside.late < float(os.environ.get("NEATLINE_LOAD_P99", "0.1"))


class Others:
    """Two clients that ask a server for tiles, and what it takes."""

    def __init__(self, server):
        self.server, self.times, self.faults, self.peak = server, [], [], 0
        assert server.get("/0/0/0.png")[0] == 200

    def _ask(self, seed):
        random_number = random.Random(seed)
        client = http.client.HTTPConnection(self.server.host, self.server.port, timeout=30)
        for _ in range(TILES // 2):
            z = random_number.randrange(6)
            path = f"/{z}/{random_number.randrange(2 ** z)}/{random_number.randrange(2 ** z)}.png"
            begin = time.monotonic()
            client.request("GET", path)
            answer = client.getresponse()
            body = answer.read()
            self.times.append(time.monotonic() - begin)
            if answer.status != 200 or not body.startswith(b"\x89PNG"):
                self.faults.append((path, answer.status))
        client.close()

    def ask(self):
        threads = [threading.Thread(target=self._ask, args=(seed,)) for seed in range(2)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            self.peak = max(self.peak, self.server.resident_bytes)
            time.sleep(0.05)
        self.times.sort()
        self.median = self.times[len(self.times) // 2]
        self.late = self.times[len(self.times) * 99 // 100]

    def __str__(self):
        return (
            f"{len(self.times)} tiles: median {self.median * 1000:.1f} ms, p99 {self.late * 1000:.1f} ms, "
            f"largest {self.times[-1] * 1000:.1f} ms, {self.peak >> 20} MiB")


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

"""A server that has served for long is as it was. NEATLINE_SOAK_TILES says how many tiles it serves (50,000 for docs/reliability.md)."""

import http.client
import os
import random
import threading

from conftest import until

TILES = int(os.environ.get("NEATLINE_SOAK_TILES", "4000"))
CLIENTS = 4


def test_tiles_leave_nothing_behind(serve):
    # A small cache is full after the first tenth; what grows afterwards is left behind.
    server = serve("--cache", 8)

    def ask(seed, count):
        numbers = random.Random(seed)
        client = http.client.HTTPConnection(server.host, server.port, timeout=60)
        for _ in range(count):
            z = numbers.randrange(9)
            client.request("GET", f"/{z}/{numbers.randrange(2 ** z)}/{numbers.randrange(2 ** z)}{numbers.choice(['', '', '@2x'])}.png")
            answer = client.getresponse()
            body = answer.read()
            assert answer.status == 200 and body.startswith(b"\x89PNG")
        client.close()

    def serve_tiles(first_seed, count):
        faults = []

        def work(seed):
            try:
                ask(seed, count // CLIENTS)
            except BaseException as fault:
                faults.append(fault)

        clients = [threading.Thread(target=work, args=(first_seed + n,)) for n in range(CLIENTS)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        assert not faults

    serve_tiles(0, max(TILES // 10, 400))
    before = server.resident_bytes
    idle = server.threads_and_descriptors
    serve_tiles(100, TILES)
    after = server.resident_bytes
    print(f"{TILES} tiles: {before >> 20} MiB before, {after >> 20} MiB after; threads and descriptors {idle} and {server.threads_and_descriptors}")
    # What a run of 400 and one of 50,000 differ by is the allocator's.
    assert after - before < 24 << 20
    assert until(lambda: server.threads_and_descriptors <= idle)
    assert server.stop() == 0

"""A server that has served for long is as it was. NEATLINE_SOAK_TILES says how many tiles it serves (50,000 for docs/reliability.md)."""

import http.client
import os
import random
import threading

from conftest import until

TILES = int(os.environ.get("NEATLINE_SOAK_TILES", "4000"))
CLIENTS = 4


def test_tiles_leave_nothing_behind(serve):
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

    # The same tiles twice: the first time fills the caches, and what the second adds is left behind.
    serve_tiles(0, TILES // 2)
    before = server.resident_bytes
    idle = server.threads_and_descriptors
    serve_tiles(0, TILES // 2)
    after = server.resident_bytes
    print(f"{TILES} tiles: {before >> 20} MiB half way, {after >> 20} MiB at the end; threads and descriptors {idle} and {server.threads_and_descriptors}")
    # Four clients do not meet the workers in the same order twice: what the allocator keeps for each thread differs.
    assert after - before < 40 << 20
    assert until(lambda: server.threads_and_descriptors <= idle)
    assert server.stop() == 0

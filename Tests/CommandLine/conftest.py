"""The `neatline` program under test, and servers of it: NEATLINE_COMMAND, which scripts/test sets to that of the build tree; else that of the release build."""

import base64
import http.client
import json
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import time
import zlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("NEATLINE_COMMAND") or str(ROOT / ".build/release/neatline")
DEMO = str(ROOT / "Examples/demo/style.json")


def run(*arguments, **options):
    """Runs a command to its end."""
    return subprocess.run([COMMAND, *map(str, arguments)], **{"capture_output": True, "timeout": 120, **options})


class Server:
    """A running `neatline serve`."""

    def __init__(self, *options, style=DEMO, host="127.0.0.1", cache=0, port=0, **more):
        """style: a path, a list of them, or None. cache: MiB of answers that are kept; none by default, so that a test's pictures are drawn."""
        styles = [] if style is None else style if isinstance(style, list) else [style]
        arguments = [*styles, "--port", port, "--host", host, "--tile-cache", cache, *options]
        self.process = subprocess.Popen([COMMAND, "serve", *map(str, arguments)], stdout=subprocess.PIPE, text=True, **more)
        line = self.process.stdout.readline()
        assert " at http" in line, line
        self.host = host
        self.port = int(line.rsplit(":", 1)[1].strip().strip("/"))

    def connect(self, source=None, timeout=30):
        """A bare connection. source: the address it comes from; all of 127.0.0.0/8 are this machine."""
        return socket.create_connection((self.host, self.port), timeout, source_address=(source, 0) if source else None)

    def get(self, path, source=None, method="GET", timeout=30, headers={}):
        """(status, headers in small letters, body)."""
        client = http.client.HTTPConnection(self.host, self.port, timeout, source_address=(source, 0) if source else None)
        try:
            client.request(method, path, headers=headers)
            answer = client.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        finally:
            client.close()

    def say(self, data, source=None):
        """All that comes back for these bytes, until the server ends the connection."""
        with self.connect(source) as connection:
            connection.sendall(data)
            return read_all(connection)

    @property
    def resident_bytes(self):
        with open(f"/proc/{self.process.pid}/status") as status:
            return next(int(line.split()[1]) * 1024 for line in status if line.startswith("VmRSS:"))

    @property
    def threads_and_descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/task")), len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def stop(self, how=signal.SIGTERM, timeout=40):
        """Ends the server and returns its exit status."""
        self.process.send_signal(how)
        return self.process.wait(timeout)


def read_all(connection):
    parts = []
    while True:
        try:
            part = connection.recv(1 << 16)
        except ConnectionResetError:
            break
        if not part:
            break
        parts.append(part)
    return b"".join(parts)


def until(condition, seconds=20):
    """Waits for a condition; whether it came true in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False


def noise(edge):
    """A PNG that no compression makes small."""
    rows = random.Random(1)
    pixels = b"".join(b"\0" + rows.randbytes(edge * 3) for _ in range(edge))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", edge, edge, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(pixels, 1)) + chunk(b"IEND", b"")


@pytest.fixture(scope="session")
def noisy(tmp_path_factory):
    """The demo with a part of the Pacific full of noise: pictures of it (POSTER) are far larger than what a socket buffers."""
    style = json.loads(pathlib.Path(DEMO).read_text())
    for source in style["sources"].values():
        if isinstance(source.get("data"), str):
            source["data"] = str(pathlib.Path(DEMO).parent / source["data"])
    image = "data:image/png;base64," + base64.b64encode(noise(1024)).decode()
    style["sources"]["noise"] = {"type": "image", "url": image, "coordinates": [[-150, -20], [-110, -20], [-110, -55], [-150, -55]]}
    style["layers"].append({"id": "noise", "type": "raster", "source": "noise"})
    path = tmp_path_factory.mktemp("noisy") / "style.json"
    path.write_text(json.dumps(style))
    return path


POSTER = "/static/-150,-55,-110,-20/4000x4000.png"


def poster(n):
    """Posters that are no answer for each other."""
    return f"/static/-150,-55,-110,-20/4000x{4000 - n}.png"


# As lossless WebP it takes a worker for seconds.
LONG = "/static/-150,-55,-110,-20/4000x4000.webp?quality=100"


@pytest.fixture
def serve():
    """Starts servers that end with the test."""
    servers = []

    def start(*options, **more):
        servers.append(Server(*options, **more))
        return servers[-1]

    yield start
    for server in servers:
        if server.process.poll() is None:
            server.process.kill()
        server.process.wait()
        server.process.stdout.close()


@pytest.fixture(scope="module")
def server():
    """A server of the demo for all tests of a file."""
    server = Server()
    yield server
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()

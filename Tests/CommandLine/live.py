"""A client of live maps: a WebSocket on a bare socket, so that tests can send what no library would."""

import base64
import hashlib
import io
import json
import os
import select
import socket
import ssl
import struct
import time

PATH = "/styles/demo/live/socket"
FORMATS = {1: "PNG", 2: "JPEG", 3: "WEBP"}


def frame(opcode, payload=b"", last=True, mask=b"\x11\x22\x33\x44", length=None, reserved=0):
    """A frame as clients send it. mask None: without one. length: what is claimed to come."""
    length = len(payload) if length is None else length
    head = bytes([(128 if last else 0) | reserved << 4 | opcode])
    bit = 0 if mask is None else 128
    if length < 126:
        head += bytes([bit | length])
    elif length < 65536:
        head += bytes([bit | 126]) + struct.pack(">H", length)
    else:
        head += bytes([bit | 127]) + struct.pack(">Q", length)
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[index & 3] for index, byte in enumerate(payload))


class Live:
    """A live map. What comes is kept: `events` (JSON), `frames` (heads of frames), the picture as a page has it."""

    def __init__(self, server, size=(400, 300), ratio=1, path=PATH, hello=True, headers={}, source=None, formats=("png", "jpeg", "webp"), camera=None, tls=None, drop=()):
        self.socket = server.connect(source)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if tls:
            self.socket = tls.wrap_socket(self.socket, server_hostname="localhost")
        self.key = base64.b64encode(os.urandom(16)).decode()
        fields = {"Host": f"{server.host}:{server.port}", "Upgrade": "websocket", "Connection": "keep-alive, Upgrade", "Sec-WebSocket-Key": self.key, "Sec-WebSocket-Version": "13"}
        fields.update(headers)
        for name in drop:
            fields.pop(name)
        self.socket.sendall((f"GET {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n").encode())
        self.data = b""
        while b"\r\n\r\n" not in self.data:
            part = self.socket.recv(1 << 16)
            if not part:
                break
            self.data += part
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        lines = head.decode().split("\r\n")
        self.status = int(lines[0].split()[1]) if head else 0
        self.headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines[1:])}
        self.events, self.frames, self.messages = [], [], []
        self.closed = None
        self.picture = None
        self.acknowledges = self.answers = True
        self.said = 0
        if self.status == 101:
            wanted = base64.b64encode(hashlib.sha1((self.key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()
            assert self.headers["sec-websocket-accept"] == wanted
            if hello:
                self.hello(size, ratio, formats, camera)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    # What is said

    def send(self, data):
        self.socket.sendall(data)

    def say(self, message):
        """A message, or several in a list; returns how many there were so far."""
        self.said += len(message) if isinstance(message, list) else 1
        self.send(frame(1, json.dumps(message).encode()))
        return self.said

    def hello(self, size=(400, 300), ratio=1, formats=("png", "jpeg", "webp"), camera=None):
        self.say({"type": "hello", "version": 1, "width": size[0], "height": size[1], "ratio": ratio, "formats": list(formats), **({"camera": camera} if camera else {})})
        self.said = 0

    def pointer(self, phase, x, y, at, id=1, **more):
        return self.say({"type": "pointer", "id": id, "phase": phase, "x": x, "y": y, "time": at, **more})

    def drag(self, start, end, steps=10, at=1000, by=16, pause=0.0, rest=200, **more):
        """Ends with the pointer at rest, so that nothing glides. pause: seconds between two moves, in which it takes what comes."""
        self.pointer("down", *start, at, **more)
        for step in range(1, steps + 1):
            self.listen(pause)
            part = step / steps
            self.pointer("move", start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part, at + by * step)
        return self.pointer("up", *end, at + by * steps + rest)

    # What comes

    def take(self, timeout):
        """The next message: ("text", value), ("frame", head), ("close", code, reason), ("ping"|"pong", bytes); None: nothing came in time, or all is over."""
        end = time.monotonic() + timeout
        while True:
            found = self._parse()
            if found is not None:
                return self._heed(*found)
            left = end - time.monotonic()
            pending = isinstance(self.socket, ssl.SSLSocket) and self.socket.pending()
            if self.closed == "gone" or left < 0 or not (pending or select.select([self.socket], [], [], left)[0]):
                return None
            try:
                part = self.socket.recv(1 << 18)
            except OSError:
                part = b""
            if not part:
                self.closed = self.closed or "gone"
                return None
            self.data += part

    def _parse(self):
        data = self.data
        if len(data) < 2:
            return None
        assert data[1] < 128, "a server's frame with a mask"
        assert data[0] & 0x70 == 0 and data[0] & 128
        size, head = data[1], 2
        if size >= 126:
            width = 2 if size == 126 else 8
            if len(data) < 2 + width:
                return None
            size, head = int.from_bytes(data[2:2 + width], "big"), 2 + width
        if len(data) < head + size:
            return None
        self.data = data[head + size:]
        return data[0] & 15, data[head:head + size]

    def _heed(self, opcode, payload):
        if opcode == 1:
            value = json.loads(payload)
            self.events.append(value)
            return "text", value
        if opcode == 2:
            return "frame", self._show(payload)
        if opcode == 8:
            self.closed = (struct.unpack(">H", payload[:2])[0], payload[2:].decode())
            return "close", *self.closed
        if opcode == 9 and self.answers:
            self.send(frame(10, payload))
        return {9: "ping", 10: "pong"}[opcode], payload

    def _show(self, payload):
        version, flags, count, number, heeded, width, height = struct.unpack("<BBHIIHH", payload[:16])
        assert version == 1 and count > 0
        head = {"number": number, "heeded": heeded, "size": (width, height), "exact": bool(flags & 1), "parts": [], "bytes": len(payload), "at": time.monotonic()}
        at = 16
        for _ in range(count):
            x, y, w, h, kind, flags, zero, size = struct.unpack("<HHHHBBHI", payload[at:at + 16])
            assert zero == 0 and w > 0 and h > 0 and x + w <= width and y + h <= height
            head["parts"].append({"box": (x, y, w, h), "format": FORMATS[kind], "exact": bool(flags & 1), "file": payload[at + 16:at + 16 + size]})
            at += 16 + size
        assert at == len(payload)
        assert number == (self.frames[-1]["number"] if self.frames else 0) + 1
        self.frames.append(head)
        if self.acknowledges:
            self.paint(head)
            try:
                self.shown(number)
            except OSError:  # the server has gone meanwhile: what it said last is still to be read
                pass
        return head

    def shown(self, number):
        self.send(frame(1, json.dumps({"type": "shown", "frame": number}).encode()))

    paints = True

    def paint(self, head):
        if not self.paints:
            return
        from PIL import Image

        if self.picture is None or self.picture.size != head["size"]:
            self.picture = Image.new("RGBA", head["size"])
        for part in head["parts"]:
            piece = Image.open(io.BytesIO(part["file"]))
            assert piece.format == part["format"] and piece.size == part["box"][2:]
            self.picture.paste(piece.convert("RGBA"), part["box"][:2])

    def until(self, condition, timeout=20):
        """Takes what comes until a condition holds; whether it did in time."""
        end = time.monotonic() + timeout
        while not condition():
            left = end - time.monotonic()
            if left < 0 or self.take(left) is None:
                return condition()
        return True

    def listen(self, seconds):
        """Takes what comes for a time."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.take(left) is None and self.closed:
                break

    def quiet(self, seconds=0.5, timeout=20):
        """Takes what comes until nothing comes any more; whether all is exact then."""
        end = time.monotonic() + timeout
        while time.monotonic() < end and self.take(seconds) is not None:
            pass
        return bool(self.frames) and self.frames[-1]["exact"]

    def rest(self, timeout=30):
        """Waits until the map is idle and the picture exact."""
        return self.until(lambda: self.frames and self.frames[-1]["exact"] and self.last("idle") is not None, timeout) and self.quiet()

    def last(self, kind):
        return next((event for event in reversed(self.events) if event["type"] == kind), None)

    def errors(self):
        return [event for event in self.events if event["type"] == "error"]

    @property
    def camera(self):
        return self.last("camera")

    def end(self, timeout=5):
        """What the server ended the socket with: (code, reason), or "gone"."""
        self.until(lambda: self.closed is not None, timeout)
        return self.closed

    def close(self, code=1000):
        self.send(frame(8, struct.pack(">H", code)))
        return self.end()

"""A server on loopback that is told how to answer, and counts what it is asked."""

import contextlib
import gzip
import http.server
import threading
from typing import Callable, Dict, List, NamedTuple, Optional, Sequence, Union


class Asked(NamedTuple):
    """A request: how many of the path came before, and the rest."""

    method: str
    path: str
    headers: Dict[str, str]
    body: bytes
    earlier: int


class Reply(NamedTuple):
    """An answer. length: what Content-Length claims; drip: bytes that are sent each `pause` seconds; raw: sent
    in the place of all of it; pause without drip: before the answer."""

    status: int = 200
    headers: Dict[str, str] = {}
    body: bytes = b""
    length: Optional[int] = None
    pause: float = 0
    drip: int = 0
    raw: Optional[bytes] = None

    @staticmethod
    def redirect(place: str, status: int = 302) -> "Reply":
        return Reply(status, {"Location": place})

    @staticmethod
    def too_many(retry_after: Optional[str] = None) -> "Reply":
        return Reply(429, {} if retry_after is None else {"Retry-After": retry_after})

    @staticmethod
    def bomb(size: int) -> "Reply":
        """Zeros that unpack to `size` bytes."""
        return Reply(200, {"Content-Encoding": "gzip"}, gzip.compress(bytes(size)))

    @staticmethod
    def long_headers(size: int, body: bytes = b"") -> "Reply":
        lines = {f"X-Filler-{n}": "x" * 1000 for n in range((size + 999) // 1000)}
        return Reply(200, lines, body)

    @staticmethod
    def versioned(tag: str, body: bytes, headers: Optional[Dict[str, str]] = None) -> "Rule":
        """304 for whoever has that version."""

        def answer(asked: Asked) -> "Reply":
            all_headers = {**(headers or {}), "ETag": f'"{tag}"'}
            if asked.headers.get("if-none-match") == f'"{tag}"':
                return Reply(304, all_headers)
            return Reply(200, all_headers, body)

        return answer


#: Hangs up without a word.
HANG_UP = Reply(raw=b"")

Rule = Callable[[Asked], Reply]
Script = Union[Reply, Rule, Sequence[Reply]]


class ScriptedServer(http.server.ThreadingHTTPServer):
    """`script`: by path (without the query) a reply, several that follow each other (the last again and again),
    or a function of what is asked; 404 for other paths."""

    daemon_threads = True

    def __init__(self, script: Optional[Dict[str, Script]] = None) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: Dict[str, Script] = dict(script or {})
        self.asked: List[Asked] = []
        self.most_at_once = 0
        self._now = 0
        self._lock = threading.Lock()
        self._is_over = threading.Event()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}{path}"

    def count(self, path: str) -> int:
        with self._lock:
            return sum(each.path == path for each in self.asked)

    def close(self) -> None:
        self._is_over.set()
        self.shutdown()
        self.server_close()

    def handle_error(self, request, client_address) -> None:
        """Clients that go away are what tests do."""

    @contextlib.contextmanager
    def _open(self):
        with self._lock:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
        try:
            yield
        finally:
            with self._lock:
                self._now -= 1

    def _answer(self, method: str, path: str, headers: Dict[str, str], body: bytes) -> Reply:
        with self._lock:
            earlier = sum(each.path == path for each in self.asked)
            asked = Asked(method, path, headers, body, earlier)
            self.asked.append(asked)
        rule = self.script.get(path.split("?")[0], Reply(404))
        if isinstance(rule, Reply):
            return rule
        return rule(asked) if callable(rule) else rule[min(earlier, len(rule) - 1)]

    def _wait(self, seconds: float) -> None:
        self._is_over.wait(seconds)


class _Handler(http.server.BaseHTTPRequestHandler):
    server: ScriptedServer

    def log_message(self, *_) -> None:
        pass

    def _handle(self) -> None:
        with self.server._open():
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self._send(self.server._answer(self.command, self.path, headers, body))

    do_GET = do_HEAD = do_POST = _handle  # noqa: N815

    def _send(self, reply: Reply) -> None:
        self.close_connection = True
        if not reply.drip:
            self.server._wait(reply.pause)
        if reply.raw is not None:
            self.wfile.write(reply.raw)
            return
        # Not by send_header, which keeps the lines in a list and is slow for megabytes.
        head = [f"HTTP/1.1 {reply.status} X", "Connection: close"]
        if reply.status not in (204, 304):
            head.append(f"Content-Length: {len(reply.body) if reply.length is None else reply.length}")
        head += [f"{name}: {value}" for name, value in reply.headers.items()]
        self.wfile.write(("\r\n".join(head) + "\r\n\r\n").encode("latin-1"))
        if self.command == "HEAD":
            return
        for start in range(0, len(reply.body), reply.drip or max(len(reply.body), 1)):
            if reply.drip:
                self.server._wait(reply.pause)
            self.wfile.write(reply.body[start : start + (reply.drip or len(reply.body))])
            self.wfile.flush()

"""The loop that maps live on: alone, or within asyncio."""

from __future__ import annotations

import asyncio
from typing import Any, List, Optional

from ._library import Handle, lib
from ._values import instance, milliseconds
from .errors import InvalidStateError


class EventLoop(Handle):
    """A libuv loop with its worker threads, timers and network: what maps live on. It belongs to the thread that
    made it, but for `wake`.

    Within asyncio it needs nothing: a coroutine that awaits something of a map has the running loop of asyncio
    watch this one, until `detach` or `close`. Elsewhere call `run`, or `poll` when `fd` becomes readable or
    `wait` seconds have passed.

    What a handler of an event raises is raised by the call that it was told in: `run`, `poll`, or a function of
    the map; within asyncio it goes to that loop's exception handler.
    """

    _destroy = "neat_loop_destroy"

    def __init__(self) -> None:
        super().__init__(self._make(lib.neat_loop_create))
        self._raised: List[BaseException] = []
        self._host: Optional[asyncio.AbstractEventLoop] = None
        self._timer: Optional[asyncio.TimerHandle] = None
        self._fd = -1

    def run(self, timeout: Optional[float] = None) -> bool:
        """Runs until nothing is under way, or until `timeout` seconds have passed, or `wake`. Returns whether
        work is left. Raises InvalidStateError while asyncio watches it."""
        if self._host is not None and self._host.is_running():
            raise InvalidStateError("asyncio runs the loop")
        is_busy = bool(lib.neat_loop_run(self._pointer, milliseconds(timeout, "timeout")))
        self._raise()
        return is_busy

    def poll(self) -> bool:
        """Handles what is ready, without waiting. Returns whether work is left."""
        is_busy = bool(lib.neat_loop_poll(self._pointer))
        self._raise()
        return is_busy

    def wake(self) -> None:
        """Makes `run` return, or the next one. Any thread."""
        lib.neat_loop_wake(self._pointer)

    @property
    def fd(self) -> int:
        """The descriptor that becomes readable when `poll` has work to do."""
        return lib.neat_loop_backend_fd(self._pointer)

    @property
    def wait(self) -> Optional[float]:
        """How many seconds to wait on the descriptor at most before `poll`; None: without end."""
        wait = lib.neat_loop_backend_timeout_ms(self._pointer)
        return None if wait < 0 else wait / 1000

    # asyncio

    def attach(self, host: Optional[asyncio.AbstractEventLoop] = None) -> None:
        """Has a loop of asyncio run this one: `host`, or the running one. One that watches it already goes on;
        another one is replaced."""
        if host is not None:
            instance(host, asyncio.AbstractEventLoop, "host")
        host = host or asyncio.get_running_loop()
        if host is self._host:
            return
        self.detach()
        self._fd = self.fd
        host.add_reader(self._fd, self._turn)
        self._host = host
        self._timer = host.call_later(0, self._turn)

    def detach(self) -> None:
        """Has asyncio run it no more."""
        host, self._host = self._host, None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if host is not None and not host.is_closed():
            host.remove_reader(self._fd)

    def close(self) -> None:
        """Ends it. The maps on it must be closed before, or end with it."""
        self.detach()
        super().close()

    def _turn(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._host is None or self.closed:
            return
        lib.neat_loop_poll(self._pointer)
        # A handler may have closed it.
        host = self._host
        if host is not None and not self.closed:
            wait = self.wait
            self._timer = None if wait is None else host.call_later(wait, self._turn)
        raised, self._raised = self._raised, []
        for error in raised:
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise error
            if host is not None:
                host.call_exception_handler({"message": "a handler of a map's event failed", "exception": error})

    # What handlers raise

    def _keep(self, error: BaseException) -> None:
        self._raised.append(error)

    def _raise(self) -> None:
        """Raises what a handler raised first."""
        if self._raised:
            first, self._raised = self._raised[0], []
            raise first

    def __exit__(self, *exception: Any) -> None:
        self.close()

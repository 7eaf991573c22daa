"""What the library has to say, for a function or for Python's logging."""

from __future__ import annotations

import atexit
import logging
from typing import Any, Callable, NamedTuple, Optional, Union

from . import _abi
from ._library import check, lib
from ._values import is_callable, member


class LogMessage(NamedTuple):
    """A message of the library's log.

    level: "debug", "info", "warning" or "error". category: "style", "sprite", "source", "tile", "glyphs",
    "request", "network", "cache" or "map"; later versions may have others. text: one line, without credentials.
    time: seconds since 1970.
    """

    level: str
    category: str
    text: str
    time: float


_handler: Optional[Callable[[LogMessage], Any]] = None


def _tell(_context: Any, message: Any) -> None:
    handler = _handler
    if handler is None:
        return
    try:
        told = message.contents
        handler(
            LogMessage(
                _abi.LogLevel(told.level).name.lower(),
                told.category.decode(),
                told.text.decode("utf-8", "replace"),
                told.time_us / 1e6,
            )
        )
    except Exception:  # nothing may pass through the library
        logging.getLogger("neatline").exception("the log's callback failed")


# One for the process: it must not go while the library may call it.
_callback = _abi.LogCallback(_tell)


def set_log_callback(handler: Optional[Callable[[LogMessage], Any]], level: str = "info") -> None:
    """Has messages of all maps, renderers and caches of the process, of a level and above, told to `handler`, in
    place of the one before; None: to nobody, as at the start.

    level: "debug" (each request with its answer), "info" (failures that may pass), "warning" (what a map or
    picture lacks) or "error". The handler is called with one message after the other, on a thread of the
    library's own, and may call anything. What it raises goes to the logger "neatline". Any thread.
    """
    global _handler
    lowest = member(_abi.LogLevel, "level", level)
    if handler is not None:
        is_callable(handler, "handler")
    if handler is None:
        # What waits is told to the one before.
        check(lib.neat_set_log_callback(lowest, _abi.LogCallback(), None))
        _handler = None
        return
    if _handler is not None:
        check(lib.neat_set_log_callback(lowest, _abi.LogCallback(), None))
    _handler = handler
    check(lib.neat_set_log_callback(lowest, _callback, None))


def log_to_logging(logger: Union[str, logging.Logger] = "neatline", level: str = "info") -> None:
    """Has the library's messages written to a logger of Python's `logging`, or its child of the message's
    category (`neatline.cache`)."""
    parent = logging.getLogger(logger) if isinstance(logger, str) else logger
    is_callable(getattr(parent, "getChild", None), "logger.getChild")

    def write(message: LogMessage) -> None:
        child = parent.getChild(message.category)
        child.log(getattr(logging, message.level.upper()), "%s", message.text)

    set_log_callback(write, level)


# At the end of the interpreter no thread may call into it any more.
atexit.register(set_log_callback, None)

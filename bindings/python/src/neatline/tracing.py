"""Where time goes, as a file of Chrome's trace format."""

from __future__ import annotations

import contextlib
import os
from typing import Iterator, Union

from ._library import check, lib
from ._values import path_bytes


@contextlib.contextmanager
def trace(path: Union[str, "os.PathLike[str]"]) -> Iterator[None]:
    """Writes where time goes, within a `with` block and of the whole process, to a file in Chrome's trace format,
    which ui.perfetto.dev and chrome://tracing show: turns and frames of maps, reading, cutting and laying out
    tiles, drawing, requests, encoding pictures. The file is emptied first; it takes 1 GiB at most. Raises
    FileError where it cannot be written, InvalidStateError where a trace is under way."""
    name = path_bytes(path, "path")
    check(lib.neat_trace_start(name, len(name)))
    try:
        yield
    finally:
        check(lib.neat_trace_stop())

"""Memory of processes that do nothing but draw.

A picture takes and frees buffers of megabytes. glibc gives such back to the system each time and takes them
anew, zeroed page by page, which is up to a fifth of the time that drawing takes; under Dask, whose workers
are started with MALLOC_TRIM_THRESHOLD_=65536, two fifths. A process that draws one picture after the other
keeps them instead.
"""

from __future__ import annotations

import ctypes
import os
import socket

# Of <malloc.h>.
_M_TRIM_THRESHOLD, _M_MMAP_THRESHOLD = -1, -3
# The most that glibc takes for the second; what is larger is mapped each time.
KEPT_BLOCK = 32 << 20
KEPT_IN_ALL = 256 << 20


def keep_freed_memory() -> bool:
    """Has the C library keep up to 256 MiB of freed memory, in blocks of up to 32 MiB. False where it is not
    glibc."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    mallopt.argtypes, mallopt.restype = [ctypes.c_int, ctypes.c_int], ctypes.c_int
    return bool(mallopt(_M_MMAP_THRESHOLD, KEPT_BLOCK) and mallopt(_M_TRIM_THRESHOLD, KEPT_IN_ALL))


def process_name() -> str:
    """The name of this process among those of all machines."""
    return f"{socket.gethostname()}:{os.getpid()}"

"""Memory of the library as arrays: numpy's where numpy is there, memoryviews where not. Views keep their
owner alive and are read-only."""

from __future__ import annotations

from ctypes import c_double, c_float, c_int32, c_uint8, c_uint32, c_uint64
from typing import Any

try:
    import numpy
except ImportError:
    numpy = None  # type: ignore[assignment]

FORMATS = {"B": c_uint8, "i": c_int32, "I": c_uint32, "Q": c_uint64, "d": c_double, "f": c_float}


def view(address: Any, count: int, kind: str, owner: object, columns: int = 1) -> Any:
    """`count` numbers at an address, in rows of `columns` where that is not 1. No copy is made."""
    if not address:
        count = 0
    array = (FORMATS[kind] * count).from_address(address) if count else (FORMATS[kind] * 0)()
    array._owner = owner
    if numpy is not None:
        result = numpy.frombuffer(array, dtype=kind) if count else numpy.empty(0, dtype=kind)
        result.flags.writeable = False
        return result if columns == 1 else result.reshape(-1, columns)
    plain = memoryview(array).cast("B")
    if columns == 1 or not count:
        return plain.cast(kind).toreadonly()
    return plain.cast(kind, shape=[count // columns, columns]).toreadonly()


def numbers(values: Any, kind: str) -> Any:
    """A ctypes array of results as an array."""
    if numpy is not None:
        return numpy.frombuffer(values, dtype=kind)
    return memoryview(values).cast("B").cast(kind)

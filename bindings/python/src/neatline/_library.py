"""The loaded library, and the few things that every call needs: status to exception, buffer to bytes, handle to object."""

from __future__ import annotations

import json
import os
import pathlib
from ctypes import CDLL, byref, c_void_p, string_at
from typing import Any, Optional, Union

from . import _abi
from .errors import error_of

Bytes = Union[bytes, bytearray, memoryview]


def _load() -> CDLL:
    path = os.environ.get("NEATLINE_LIBRARY") or str(pathlib.Path(__file__).with_name("libneatline.so"))
    try:
        library = _abi.bind(CDLL(path))
    except OSError as error:
        raise ImportError(f"neatline's library cannot be loaded: {error}") from error
    found = library.neat_abi_version()
    if found != _abi.ABI_VERSION:
        raise ImportError(f"{path} has ABI version {found}, this package needs {_abi.ABI_VERSION}")
    return library


lib = _load()


def version() -> str:
    """The library's version, such as "0.1.0"."""
    return lib.neat_version().decode()


def abi_version() -> int:
    """The version of the C interface that the library was built with."""
    return lib.neat_abi_version()


def check(status: int) -> None:
    """Raises the exception of a status that is not success, with the words of the thread's last error."""
    if status:
        raise error_of(status, lib.neat_last_error().decode("utf-8", "replace"))


def as_bytes(data: Bytes) -> bytes:
    """The bytes of a bytes-like object, without a copy where it is `bytes`."""
    return data if isinstance(data, bytes) else bytes(data)


def as_json(value: Any) -> bytes:
    """JSON text: text and bytes as they are, anything else written out."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def take_buffer(function, *arguments) -> bytes:
    """Calls a function whose last parameter is a buffer, and takes the bytes out of it."""
    buffer = c_void_p()
    check(function(*arguments, byref(buffer)))
    try:
        return string_at(lib.neat_buffer_data(buffer), lib.neat_buffer_size(buffer))
    finally:
        lib.neat_buffer_destroy(buffer)


def take_json(function, *arguments) -> Any:
    return json.loads(take_buffer(function, *arguments))


class Handle:
    """An object of the library: freed with the last reference to it."""

    _destroy = ""

    def __init__(self, pointer: Optional[c_void_p]) -> None:
        self._pointer = pointer
        self._free = getattr(lib, self._destroy)

    def __copy__(self) -> "Handle":
        raise TypeError(f"a {type(self).__name__} cannot be copied")

    def __deepcopy__(self, memo: Any) -> "Handle":
        raise TypeError(f"a {type(self).__name__} cannot be copied")

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be pickled")

    @staticmethod
    def _make(function, *arguments) -> c_void_p:
        """Calls a function whose last parameter is a new handle."""
        pointer = c_void_p()
        check(function(*arguments, byref(pointer)))
        return pointer

    def __del__(self) -> None:
        pointer = getattr(self, "_pointer", None)
        if pointer:
            self._free(pointer)
            self._pointer = None

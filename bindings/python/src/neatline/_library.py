"""The loaded library, and the few things that every call needs: status to exception, buffer to bytes, handle
to object."""

from __future__ import annotations

import json
import os
import pathlib
from ctypes import CDLL, byref, c_void_p, string_at
from typing import Any, Optional, TypeVar, Union

from . import _abi
from .errors import InvalidStateError, error_of

Bytes = Union[bytes, bytearray, memoryview]
Self = TypeVar("Self")


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


def as_bytes(data: Bytes, name: str = "data") -> bytes:
    """The bytes of a bytes-like object, without a copy where it is `bytes`. Raises TypeError for another value:
    `bytes` would read a number as a count of zeros."""
    if isinstance(data, bytes):
        return data
    try:
        return bytes(data) if hasattr(data, "__bytes__") else bytes(memoryview(data))
    except TypeError:
        raise TypeError(f"{name} must be bytes-like, not a {type(data).__name__}") from None


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


class Reference:
    """A handle's share in an object of the library, which is freed with the last share: handles have one, and
    so have arrays over the object's memory and calls under way. So a handle can be closed at any time."""

    def __init__(self, pointer: c_void_p, free: Any, source: Any = None) -> None:
        self._as_parameter_ = pointer
        self._free = free
        # Memory of the caller's that the object reads from.
        self._source = source

    def __del__(self) -> None:
        self._free(self._as_parameter_)


class Handle:
    """An object of the library: freed with the last reference to it, or at the end of a `with` block, or by
    `close`."""

    _destroy = ""
    _reference: Optional[Reference] = None

    def __init__(self, pointer: c_void_p, source: Any = None) -> None:
        # What a caller gives by mistake would be taken for an address.
        if not isinstance(pointer, c_void_p):
            name, given = type(self).__name__, type(pointer).__name__
            raise TypeError(f"{name} is not made of {given}: functions of the package return it")
        self._reference = Reference(pointer, getattr(lib, self._destroy), source)

    @property
    def _pointer(self) -> Reference:
        """What functions of the library take; a call keeps it. Raises InvalidStateError after `close`."""
        if self._reference is None:
            raise InvalidStateError(f"the {type(self).__name__} is closed")
        return self._reference

    def close(self) -> None:
        """Lets go of the library's object now; arrays over its memory and calls under way keep it until they
        end. May be called again."""
        self._reference = None

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._reference is None

    def __enter__(self: Self) -> Self:
        self._pointer
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

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


def pointer_of(handle: Any, kind: str, name: str) -> Reference:
    """What functions of the library take of a handle that a caller gave. The library cannot tell one object from
    another, so that a handle of another class would be read as what it is not.

    kind: the name of its class. name: of the parameter. Raises TypeError, and InvalidStateError where it is closed.
    """
    if not isinstance(handle, Handle) or all(each.__name__ != kind for each in type(handle).__mro__):
        raise TypeError(f"{name} is a {type(handle).__name__}, not a neatline.{kind}")
    return handle._pointer

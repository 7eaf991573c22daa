"""Objects behind the contexts that the library hands to callbacks.

The callbacks are functions of a module, which stay for good: what belongs to one use of them is found by a
number, and let go of when the library says that it has no more use for it.
"""

from __future__ import annotations

import itertools
from ctypes import string_at
from typing import Any, Dict, Optional

from . import _abi
from ._library import check, lib
from ._values import utf8
from .errors import NeatlineError

_numbers = itertools.count(1)
_contexts: Dict[int, Any] = {}


def add(value: Any) -> int:
    """The number that stands for an object from now on."""
    number = next(_numbers)
    _contexts[number] = value
    return number


def get(number: Optional[int]) -> Any:
    return _contexts.get(number or 0)


@_abi.DestroyCallback
def drop(number: Optional[int]) -> None:
    """Lets go of an object."""
    _contexts.pop(number or 0, None)


def text(address: Optional[int], size: int) -> str:
    """Text of the library's."""
    return string_at(address, size).decode("utf-8", "replace") if size else ""


def words(error: BaseException) -> str:
    """An exception as the words of a failure."""
    return str(error) if isinstance(error, NeatlineError) else f"{type(error).__name__}: {error}"


@_abi.TransformCallback
def change_resource(context: Optional[int], kind: int, url: Optional[int], size: int, target: int) -> None:
    """Calls the transform of a Resources, and hands on what it wants. What it raises refuses the resource."""
    try:
        transform = get(context)
        if transform is None:
            return
        try:
            name = _abi.ResourceKind(kind).name.lower()
        except ValueError:
            name = "unknown"
        answer = transform(name, text(url, size))
        if answer is None:
            return
        wanted, headers = (answer, {}) if isinstance(answer, str) else answer
        if wanted is not None:
            data = utf8(wanted, "the URL")
            check(lib.neat_transform_set_url(target, data, len(data)))
        for header, value in dict(headers or {}).items():
            name_data, value_data = utf8(header, "a header's name"), utf8(value, "a header's value")
            check(
                lib.neat_transform_add_header(target, name_data, len(name_data), value_data, len(value_data))
            )
    except BaseException as error:
        message = words(error).encode("utf-8", "replace")
        lib.neat_transform_refuse(target, message, len(message))

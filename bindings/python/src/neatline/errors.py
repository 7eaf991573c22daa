"""One exception class a status of the library, all of them below NeatlineError."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Type

from ._abi import Status


class NeatlineError(Exception):
    """What the library reports. The text names the resource, layer, property or byte at fault."""

    status: Status = Status.OK


class InvalidArgumentError(NeatlineError, ValueError):
    """A value outside what the function takes."""

    status = Status.INVALID_ARGUMENT


class UnknownNameError(InvalidArgumentError, KeyError):
    """A name that a table does not have; a KeyError as well, as Python's lookups raise."""

    __str__ = Exception.__str__


class OutOfMemoryError(NeatlineError, MemoryError):
    """No memory was left."""

    status = Status.OUT_OF_MEMORY


class LimitExceededError(NeatlineError):
    """The input is larger or deeper than a documented limit."""

    status = Status.LIMIT_EXCEEDED


class NotFoundError(NeatlineError, LookupError):
    """The file, tile or resource is not there."""

    status = Status.NOT_FOUND


class UnsupportedError(NeatlineError):
    """The input is right and this build cannot handle it."""

    status = Status.UNSUPPORTED


class JSONError(NeatlineError, ValueError):
    """Text that is not JSON."""

    status = Status.JSON


class StyleError(NeatlineError, ValueError):
    """A style that is none."""

    status = Status.STYLE


class ExpressionError(NeatlineError, ValueError):
    """An expression that does not compile or that fails when it is evaluated.

    `errors` holds the places at fault: dictionaries of "key" (such as "[1][2]") and "error".
    """

    status = Status.EXPRESSION

    def __init__(self, text: str) -> None:
        self.errors: List[Dict[str, Any]] = []
        start = text.find("[{")
        if start >= 0:
            try:
                self.errors = json.loads(text[start:])
            except ValueError:
                pass
        super().__init__("; ".join(f"{e['key']}: {e['error']}".lstrip(": ") for e in self.errors) or text)


class TileError(NeatlineError, ValueError):
    """A vector tile that cannot be read."""

    status = Status.TILE


class ArchiveError(NeatlineError, ValueError):
    """An MBTiles or PMTiles archive that cannot be read."""

    status = Status.ARCHIVE


class FontError(NeatlineError, ValueError):
    """A font or glyph range that cannot be read."""

    status = Status.FONT


class ImageError(NeatlineError, ValueError):
    """A picture that cannot be read."""

    status = Status.IMAGE


class GeoJSONError(NeatlineError, ValueError):
    """GeoJSON that is none."""

    status = Status.GEOJSON


class FileError(NeatlineError, OSError):
    """A file that cannot be read or written."""

    status = Status.IO


class NetworkError(NeatlineError, ConnectionError):
    """A server that cannot be reached or does not answer well."""

    status = Status.NETWORK


class DeadlineError(NeatlineError, TimeoutError):
    """The time given was not enough."""

    status = Status.TIMEOUT


class CancelledError(NeatlineError):
    """The work was called off."""

    status = Status.CANCELLED


class InvalidStateError(NeatlineError):
    """The object is not in a state for the call."""

    status = Status.STATE


def _classes() -> Dict[int, Type[NeatlineError]]:
    return {int(each.status): each for each in NeatlineError.__subclasses__()}


def error_of(status: int, message: str) -> NeatlineError:
    """The exception for a status."""
    return _classes().get(status, NeatlineError)(message)

"""What pictures had to do without."""

from __future__ import annotations

import sys
import threading
import warnings
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

from ._library import take_json


class MissingWarning(UserWarning):
    """A picture, frame or answer lacks something: `missing` of the picture or frame has what."""


class Missing(NamedTuple):
    """Something that a picture had to do without.

    kind: "sprite", "source", "tile", "source-layer", "glyphs", "characters", "image", "style" or "archive".
    resource: an address, a name, a property.
    code: a number of neat_status, as of NeatlineError.status.
    is_failure: whether it was meant to be had; false for what the data does not have, for what cannot be read
    within a tile, and for what is not supported.
    source: the id of a source. tile: (z, x, y). layer: the id of the layer that wants it.
    script: of characters: ISO 15924, such as "Arab". sample: some of the characters.
    """

    kind: str
    resource: str
    message: str
    code: int
    is_failure: bool
    source: Optional[str] = None
    tile: Optional[Tuple[int, int, int]] = None
    layer: Optional[str] = None
    script: Optional[str] = None
    sample: Optional[str] = None

    def __str__(self) -> str:
        tile = " {}/{}/{}".format(*self.tile) if self.tile else ""
        layer = f" (layer {self.layer})" if self.layer else ""
        sample = f" ({self.sample})" if self.sample else ""
        return f"{self.resource}{tile}{layer}: {self.message}{sample}"


def _read(report: Dict[str, Any]) -> List[Missing]:
    return [
        Missing(
            each["kind"],
            each["resource"],
            each["message"],
            each["code"],
            each["failure"],
            each.get("source"),
            tuple(each["tile"]) if "tile" in each else None,
            each.get("layer"),
            each.get("script"),
            each.get("sample"),
        )
        for each in report["missing"]
    ]


def missing_of(count: int, function: Any, pointer: Any) -> List[Missing]:
    """The entries of a handle's report, of which there are `count`."""
    return _read(take_json(function, pointer)) if count else []


_thread = threading.local()


@contextmanager
def silence() -> Iterator[None]:
    """This thread's pictures are not warned about: for those who report what is missing in their own way.
    Filters of `warnings` are the process's, and no thread may change them for itself."""
    before = getattr(_thread, "is_silent", False)
    _thread.is_silent = True
    try:
        yield
    finally:
        _thread.is_silent = before


def warn(missing: List[Missing], count: int) -> None:
    """Warns once about all that is missing, in the name of the line that called into this package."""
    if count == 0 or getattr(_thread, "is_silent", False):
        return
    first = "; ".join(str(each) for each in missing[:3])
    more = f"; and {count - 3} more" if count > 3 else ""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        level, frame = level + 1, frame.f_back
    warnings.warn(f"missing: {first}{more}", MissingWarning, stacklevel=level)


def warn_of_answer(report: Dict[str, Any]) -> None:
    """The same for the report of a query."""
    warn(_read(report), len(report["missing"]) + report["omitted"])

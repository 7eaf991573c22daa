"""An earlier pyramid, whose tiles are taken over where what they are drawn from is what it was.

Beside a finished archive stands `TARGET.inputs`: one line of JSON, then rows of 24 bytes in the order of the
curve, each the first number of a block and the hash of what it was drawn from.
"""

from __future__ import annotations

import json
import mmap
import os
from typing import Any, Dict, List, Optional, Tuple

from .._values import path_str
from ..archive import Archive
from ..errors import ArchiveError, NotFoundError
from .draw import Drawn
from .errors import ChangedError
from .plan import Plan
from .shards import Block
from .store import absolute
from .targets.archive import archive_about

ROW = 24
HEAD_LIMIT = 4096
_opened: Dict[Tuple[Any, ...], "Previous"] = {}


def inputs_name(target: str) -> str:
    """Where the hashes of a finished archive are."""
    return target + ".inputs"


def inputs_head(plan: Plan) -> bytes:
    """The first line of a file of hashes."""
    head = {
        "neatline-inputs": 1,
        "plan": plan.id,
        "drawing": plan.drawing,
        "metatile": plan.metatile,
        "skip_empty": plan.skip_empty,
    }
    return json.dumps(head).encode() + b"\n"


class Previous:
    """The tiles of an earlier pyramid by what they were drawn from. Threads may use it at the same time."""

    def __init__(self, path: str) -> None:
        self._archive = Archive(path)
        try:
            with open(inputs_name(path), "rb") as file:
                self._rows: Any = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except FileNotFoundError:
            raise NotFoundError(
                f"{inputs_name(path)} is not there: only pyramids of plans with track_changes have it"
            ) from None
        except (OSError, ValueError) as error:
            raise ArchiveError(f"{inputs_name(path)}: {error}") from None
        end = self._rows.find(b"\n", 0, HEAD_LIMIT)
        try:
            head = json.loads(self._rows[: max(end, 0)])
            if head["neatline-inputs"] != 1:
                raise ValueError
            self.drawing, self.metatile = str(head["drawing"]), int(head["metatile"])
            self._skips = bool(head["skip_empty"])
            made_by = str(head["plan"])
        except (ValueError, KeyError, TypeError):
            raise ArchiveError(f"{inputs_name(path)} does not hold hashes of tiles") from None
        # A run that ended between the two files leaves those of two plans.
        if archive_about(path)[0].get("neatline:plan") != made_by:
            raise ChangedError(f"{inputs_name(path)} is not of the same run as {path}: render it anew")
        self._start = end + 1
        if (len(self._rows) - self._start) % ROW:
            raise ArchiveError(f"{inputs_name(path)} is cut off")
        self._count = (len(self._rows) - self._start) // ROW

    @staticmethod
    def open(target: str, plan: Plan) -> Optional["Previous"]:
        """The earlier pyramid of a path, opened once a process; None where the plan draws all tiles in
        another way than it did. Raises ChangedError where the plan has no hashes to compare."""
        if not plan.track_changes:
            raise ChangedError("the plan has track_changes off: nothing says which tiles changed")
        path = absolute(path_str(target, "previous"))
        try:
            state = os.stat(path)
            key = (path, state.st_size, state.st_mtime_ns, os.getpid())
        except OSError:
            raise NotFoundError(f"{path} is not there") from None
        if key not in _opened:
            _opened.clear()
            _opened[key] = Previous(path)
        found = _opened[key]
        return found if (found.drawing, found.metatile) == (plan.drawing, plan.metatile) else None

    def mark_of(self, first: int) -> Optional[bytes]:
        """The hash of the block whose first number this is."""
        low, high = 0, self._count
        while low < high:
            middle = (low + high) // 2
            at = self._start + middle * ROW
            number = int.from_bytes(self._rows[at : at + 8], "little")
            if number == first:
                return self._rows[at + 8 : at + ROW]
            if number < first:
                low = middle + 1
            else:
                high = middle
        return None

    def tiles(self, block: Block, mark: bytes) -> Optional[List[Drawn]]:
        """The tiles of a block, None where they have to be drawn."""
        if self.mark_of(block.first) != mark:
            return None
        found = []
        for x, y in block.tiles:
            data = self._archive.tile(block.z, x, y)
            if data is None and not self._skips:
                return None
            found.append(Drawn(block.z, x, y, data, False))
        return found

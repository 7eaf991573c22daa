"""What can go wrong with pyramids beyond what the library reports."""

from __future__ import annotations

from typing import Optional

from ..errors import ArchiveError, InvalidStateError, NotFoundError


class ChangedError(InvalidStateError):
    """The style, what it draws from, or the library is not what the plan was made with."""


class PartError(ArchiveError):
    """A part that is missing, damaged, or not what its shard has to be. `shard` is its number."""

    def __init__(self, message: str, shard: Optional[int] = None) -> None:
        super().__init__(message)
        self.shard = shard


class IncompleteError(NotFoundError):
    """A tile lacks something that it needs: a source's tile, a glyph range, an image."""

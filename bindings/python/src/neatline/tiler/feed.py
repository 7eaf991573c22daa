"""Pieces of inputs on their way into a tiler."""

from __future__ import annotations

from typing import Any, Dict, List

from ..errors import NeatlineError
from . import inputs
from .plan import Source
from .vector import Note, VectorTiler


def add(tiler: VectorTiler, source: Source, part: int) -> List[Note]:
    """Adds what a piece holds, as one part; returns what did not become properties as it was, each thing
    once. Errors name the file, and where the piece begins in it."""
    piece, notes = source.piece, Notes()
    try:
        for layer, data in inputs.read(piece):
            if piece.is_arrow:
                found = tiler.add_arrow(data, layer=layer, part=part, geometry=piece.geometry, id=source.id)
                notes.add(layer, piece.address, found)
            else:
                tiler.add_geojson(data, layer=layer, part=part, is_last=False)
        if not piece.is_arrow:
            tiler.add_geojson(b"", layer=piece.layer, part=part)
    except NeatlineError as error:
        text = str(error)
        if piece.address in text:
            raise
        place = piece.address
        if piece.first_row:
            place += f", from row {piece.first_row} on"
        elif not piece.is_arrow and piece.start:
            place += f", from byte {piece.start} on"
        raise type(error)(f"{place}: {text}") from error
    return notes.list()


class Notes:
    """What did not become properties as it was, added up by layer, file, column and reason."""

    def __init__(self) -> None:
        self._counts: Dict[Any, int] = {}

    def add(self, layer: str, address: str, notes: List[Note]) -> None:
        """Adds what the library said of a batch."""
        for each in notes:
            key = (layer, address, each["column"], each["reason"])
            self._counts[key] = self._counts.get(key, 0) + each["count"]

    def merge(self, notes: List[Note]) -> None:
        """Adds what `list` gave."""
        for each in notes:
            self.add(each["layer"], each["address"], [each])

    def list(self) -> List[Note]:
        """{"layer", "address", "column", "reason", "count"} of each; count 0 for a whole column."""
        return [
            {"layer": layer, "address": address, "column": column, "reason": reason, "count": count}
            for (layer, address, column, reason), count in self._counts.items()
        ]

"""MBTiles and PMTiles archives."""

from __future__ import annotations

import os
from typing import Any, Dict, Optional, Union

from ._library import Handle, lib, take_buffer, take_json
from .errors import NotFoundError
from .tile import Tile, decode_tile


class Archive(Handle):
    """An archive of tiles: the path of an MBTiles or PMTiles file, or a PMTiles archive as bytes. Threads may use it at the same time.

    Raises ArchiveError, FileError, NotFoundError.
    """

    _destroy = "neat_archive_destroy"

    def __init__(self, source: Union[str, "os.PathLike[str]", bytes]) -> None:
        if isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            super().__init__(self._make(lib.neat_archive_parse, data, len(data)))
        else:
            path = os.fsencode(source)
            super().__init__(self._make(lib.neat_archive_open, path, len(path)))

    @property
    def info(self) -> Dict[str, Any]:
        """TileJSON made from the archive; "header" has what only the archive knows."""
        return take_json(lib.neat_archive_info, self._pointer)

    def tile(self, z: int, x: int, y: int) -> Optional[bytes]:
        """The bytes of the XYZ tile as they are stored, or None where the archive has none."""
        try:
            return take_buffer(lib.neat_archive_tile, self._pointer, z, x, y)
        except NotFoundError:
            return None

    def decode(self, z: int, x: int, y: int) -> Optional[Tile]:
        """The XYZ tile, or None where the archive has none."""
        data = self.tile(z, x, y)
        return None if data is None else decode_tile(data)

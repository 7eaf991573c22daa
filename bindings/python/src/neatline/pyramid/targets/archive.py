"""PMTiles and MBTiles."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, Dict, Optional, Tuple

from ...archive import ArchiveWriter
from ..plan import Plan
from ..store import Failure
from .base import Target, about


class ArchiveTarget(Target):
    """An archive. A local one that was interrupted is continued behind the last shard that is on the disk.

    plain: MBTiles without a view, one row a tile."""

    options = ("plain",)

    def __init__(
        self,
        plan: Plan,
        address: str,
        kind: str,
        overwrite: bool,
        storage: Optional[Dict[str, Any]],
        *,
        plain: bool = False,
    ) -> None:
        super().__init__(plan, address, kind, overwrite, storage)
        self._folder = tempfile.mkdtemp(prefix="neatline-pyramid-") if self.remote is not None else None
        path = self.place if self._folder is None else os.path.join(self._folder, "out")
        if self._folder is None:
            with Failure(self.address):
                os.makedirs(os.path.dirname(path), exist_ok=True)
        self._path = path
        self._writer = ArchiveWriter(
            path,
            archive=kind,
            format=plan.format,
            plain=plain or None,
            max_tiles=max(plan.tiles, 1),
            overwrite=overwrite,
            job=plan.id + (" plain" if plain else ""),
        )

    @property
    def first_shard(self) -> int:
        return self._writer.cursor or 0

    def add(self, z: int, x: int, y: int, data: bytes) -> None:
        self._writer.add(z, x, y, data)

    def checkpoint(self, shard: int) -> None:
        self._writer.checkpoint(shard)

    def finish(self) -> None:
        self._writer.finish(about(self.plan))
        self._writer.close()
        if self._folder is not None:
            with Failure(self.address):
                self.remote.put_file(self._path, self.place)
        self._clean()

    def abort(self) -> None:
        # What came so far stays as PATH.partial, which the next attempt continues.
        self._writer.close()
        self._clean()

    def _clean(self) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def archive_about(path: str) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """What an archive says about itself, and what the library says of its header."""
    import gzip
    import json

    from ...archive import Archive

    with Archive(path) as archive:
        info = archive.info
    header = info.get("header", {})
    if header.get("archive") != "pmtiles":
        return header, header
    # The library tells of the metadata what TileJSON has; the rest is read here.
    with open(path, "rb") as file:
        head = file.read(127)
        file.seek(int.from_bytes(head[24:32], "little"))
        packed = file.read(int.from_bytes(head[32:40], "little"))
    try:
        metadata = json.loads(gzip.decompress(packed) if head[97] == 2 else packed)
    except (OSError, ValueError, EOFError):
        metadata = {}
    return metadata if isinstance(metadata, dict) else {}, header

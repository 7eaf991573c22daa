"""MBTiles and PMTiles archives."""

from __future__ import annotations

import os
from ctypes import byref, c_uint64
from typing import Any, Callable, Dict, List, Optional, Sequence, Union

from . import _abi
from ._library import Handle, as_json, check, lib, take_buffer, take_json
from .errors import CancelledError, NotFoundError
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


class ArchiveWriter(Handle):
    """A PMTiles or MBTiles archive that is filled tile by tile. For one thread at a time.

    Until `finish` the file has the name PATH.partial. `options`: any of archive ("pmtiles", "mbtiles"), format (of the tiles: "pbf", "png" …),
    plain, maxTiles, overwrite, and job, a text that names the job: the partial file of the same job is continued, and `cursor` says from where.

    Raises FileError, InvalidArgumentError, InvalidStateError while another writer has the path, LimitExceededError.
    """

    _destroy = "neat_archive_writer_destroy"

    def __init__(self, path: Union[str, "os.PathLike[str]"], **options: Any) -> None:
        name, text = os.fsencode(path), as_json(options)
        super().__init__(self._make(lib.neat_archive_writer_create, name, len(name), text, len(text)))

    def add(self, z: int, x: int, y: int, data: bytes) -> None:
        """Adds the XYZ tile, in any order; equal contents are stored once. Vector tiles that are not packed by gzip are."""
        data = bytes(data)
        check(lib.neat_archive_writer_add(self._pointer, z, x, y, data, len(data)))

    def checkpoint(self, cursor: int) -> None:
        """Brings what was added to the disk; cursor is the caller's own number of how far it is."""
        check(lib.neat_archive_writer_checkpoint(self._pointer, cursor))

    @property
    def cursor(self) -> Optional[int]:
        """The number of the checkpoint that is continued from, or None where the archive begins anew."""
        cursor = c_uint64()
        try:
            check(lib.neat_archive_writer_cursor(self._pointer, byref(cursor)))
        except NotFoundError:
            return None
        return cursor.value

    def finish(self, tilejson: Optional[Dict[str, Any]] = None) -> None:
        """Completes the archive and gives it its name. tilejson: name, attribution, bounds, center, vector_layers and others."""
        text = as_json(tilejson or {})
        check(lib.neat_archive_writer_finish(self._pointer, text, len(text)))


Progress = Callable[[int, int, int], Optional[bool]]


def _job(function, first: bytes, target: Union[str, "os.PathLike[str]"], options: Dict[str, Any], progress: Optional[Progress]) -> Dict[str, Any]:
    """Runs a job; what `progress` raises ends it and is raised here."""
    raised: List[BaseException] = []

    def report(_context: Any, state: Any) -> int:
        try:
            now = state.contents
            return 1 if progress(now.done_tiles, now.total_tiles, now.bytes) is False else 0
        except BaseException as error:  # noqa: B036  nothing may pass through the library
            raised.append(error)
            return 1

    callback = _abi.ArchiveProgressCallback(report) if progress else _abi.ArchiveProgressCallback()
    path, text = os.fsencode(target), as_json({name: value for name, value in options.items() if value is not None})
    try:
        return take_json(function, first, len(first), path, len(path), text, len(text), callback, None)
    except CancelledError:
        if raised:
            raise raised[0]
        raise


def copy_archive(
    source: Union[str, "os.PathLike[str]"],
    target: Union[str, "os.PathLike[str]"],
    *,
    bbox: Optional[Sequence[float]] = None,
    minzoom: Optional[int] = None,
    maxzoom: Optional[int] = None,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Dict[str, Any]:
    """Copies an archive (a file, or the address of PMTiles on a server), or what of it lies in bbox (west, south, east, north) and the zooms.

    progress(done, total, bytes) may return False to end the copy with CancelledError; the same call continues it. options: archive, plain,
    resume, maxTiles, overwrite (True: a target that is there already is replaced; else InvalidStateError names it), verify (True: every tile is
    decoded, and one that is damaged fails the copy). Returns {"tiles", "contents", "bytes", "resumedTiles", …}.
    """
    options.update(bbox=None if bbox is None else list(bbox), minzoom=minzoom, maxzoom=maxzoom)
    return _job(lib.neat_archive_copy, os.fsencode(source), target, options, progress)


def tile_geojson(
    layers: Dict[str, Union[str, "os.PathLike[str]"]],
    target: Union[str, "os.PathLike[str]"],
    *,
    minzoom: int = 0,
    maxzoom: int = 14,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Dict[str, Any]:
    """Cuts GeoJSON files into an archive of vector tiles, one layer each by its name.

    options: buffer, tolerance, extent, lineMetrics, generateId, promoteId, metadata, archive, plain, resume, maxTiles, overwrite.
    """
    sources = as_json([{"name": name, "url": os.fspath(url)} for name, url in layers.items()])
    options.update(minzoom=minzoom, maxzoom=maxzoom)
    return _job(lib.neat_archive_tile_geojson, sources, target, options, progress)

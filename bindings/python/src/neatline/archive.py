"""MBTiles and PMTiles archives."""

from __future__ import annotations

import contextlib
import os
import tempfile
from ctypes import byref, c_uint64
from typing import Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from . import _abi
from ._library import Handle, as_bytes, check, lib, take_buffer, take_json
from ._values import as_geojson, as_json, given, is_callable, mapping, path_bytes, several, whole
from .errors import CancelledError, NotFoundError
from .tile import Tile, decode_tile


class Archive(Handle):
    """An archive of tiles: the path of an MBTiles or PMTiles file, or a PMTiles archive as bytes. Threads may
    use it at the same time.

    Raises ArchiveError, FileError, NotFoundError.
    """

    _destroy = "neat_archive_destroy"

    def __init__(self, source: Union[str, "os.PathLike[str]", bytes]) -> None:
        if isinstance(source, (bytes, bytearray, memoryview)):
            data = bytes(source)
            super().__init__(self._make(lib.neat_archive_parse, data, len(data)))
        else:
            path = path_bytes(source, "source")
            super().__init__(self._make(lib.neat_archive_open, path, len(path)))

    @property
    def info(self) -> Dict[str, Any]:
        """TileJSON made from the archive; "header" has what only the archive knows."""
        return take_json(lib.neat_archive_info, self._pointer)

    def tile(self, z: int, x: int, y: int) -> Optional[bytes]:
        """The bytes of the XYZ tile as they are stored, or None where the archive has none."""
        try:
            return take_buffer(
                lib.neat_archive_tile, self._pointer, whole(z, "z"), whole(x, "x"), whole(y, "y")
            )
        except NotFoundError:
            return None

    def decode(self, z: int, x: int, y: int) -> Optional[Tile]:
        """The XYZ tile, or None where the archive has none."""
        data = self.tile(z, x, y)
        return None if data is None else decode_tile(data)


class ArchiveWriter(Handle):
    """A PMTiles or MBTiles archive that is filled tile by tile. For one thread at a time.

    Until `finish` the file has the name PATH.partial.

    archive: "pmtiles" or "mbtiles", else by the path's end. format: of the tiles, "pbf", "mlt", "png", "jpg",
    "webp" or "avif". plain: MBTiles without a view, one row a tile. max_tiles: rows of MBTiles, or entries of
    PMTiles. overwrite: a file that is there already is replaced; else InvalidStateError names it. job: a text
    that names the job: the partial file of the same job is continued, unless resume is False, and `cursor`
    says from where.

    Raises FileError, InvalidArgumentError, InvalidStateError while another writer has the path,
    LimitExceededError.
    """

    _destroy = "neat_archive_writer_destroy"

    def __init__(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        archive: Optional[str] = None,
        format: Optional[str] = None,
        plain: Optional[bool] = None,
        max_tiles: Optional[int] = None,
        overwrite: Optional[bool] = None,
        resume: Optional[bool] = None,
        job: Optional[str] = None,
    ) -> None:
        name = path_bytes(path, "path")
        text = given(
            archive=archive,
            format=format,
            plain=plain,
            max_tiles=max_tiles,
            overwrite=overwrite,
            resume=resume,
            job=job,
        )
        super().__init__(self._make(lib.neat_archive_writer_create, name, len(name), text, len(text)))

    def add(self, z: int, x: int, y: int, data: bytes) -> None:
        """Adds the XYZ tile, in any order; equal contents are stored once. Vector tiles that are not packed
        by gzip are."""
        data = as_bytes(data)
        check(
            lib.neat_archive_writer_add(
                self._pointer, whole(z, "z"), whole(x, "x"), whole(y, "y"), data, len(data)
            )
        )

    def checkpoint(self, cursor: int) -> None:
        """Brings what was added to the disk; cursor is the caller's own number of how far it is."""
        check(lib.neat_archive_writer_checkpoint(self._pointer, whole(cursor, "cursor", 0, 2**64 - 1)))

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
        """Completes the archive and gives it its name. tilejson: name, attribution, bounds, center,
        vector_layers and others."""
        text = as_json(tilejson or {})
        check(lib.neat_archive_writer_finish(self._pointer, text, len(text)))


Progress = Callable[[int, int, int], Optional[bool]]


def run_job(function: Any, *arguments: Any, progress: Optional[Progress]) -> Dict[str, Any]:
    """Runs a job of the library, whose last parameters are callback, context and report; what `progress`
    raises ends it and is raised here."""
    if progress is not None:
        is_callable(progress, "progress")
    raised: List[BaseException] = []

    def report(_context: Any, state: Any) -> int:
        try:
            now = state.contents
            return 1 if progress(now.done_tiles, now.total_tiles, now.bytes) is False else 0
        except BaseException as error:  # noqa: B036  nothing may pass through the library
            raised.append(error)
            return 1

    callback = _abi.ArchiveProgressCallback(report) if progress else _abi.ArchiveProgressCallback()
    try:
        return take_json(function, *arguments, callback, None)
    except CancelledError:
        if raised:
            raise raised[0]
        raise


def _job(
    function: Any,
    first: bytes,
    target: Union[str, "os.PathLike[str]"],
    text: bytes,
    progress: Optional[Progress],
) -> Dict[str, Any]:
    """Runs a job from sources to a target."""
    path = path_bytes(target, "target")
    return run_job(function, first, len(first), path, len(path), text, len(text), progress=progress)


def copy_archive(
    source: Union[str, "os.PathLike[str]"],
    target: Union[str, "os.PathLike[str]"],
    *,
    bbox: Optional[Sequence[float]] = None,
    min_zoom: Optional[int] = None,
    max_zoom: Optional[int] = None,
    progress: Optional[Progress] = None,
    archive: Optional[str] = None,
    plain: Optional[bool] = None,
    resume: Optional[bool] = None,
    max_tiles: Optional[int] = None,
    overwrite: Optional[bool] = None,
    verify: Optional[bool] = None,
) -> Dict[str, Any]:
    """Copies an archive (a file, or the address of PMTiles on a server), or what of it lies in bbox (west,
    south, east, north) and the zooms.

    progress(done, total, bytes) may return False to end the copy with CancelledError; the same call continues
    it, unless resume is False. archive, plain, max_tiles, overwrite: as for ArchiveWriter. verify: every tile
    is decoded, and one that cannot be fails the copy; those of which not all can be read are copied and
    counted. Returns {"tiles", "contents", "bytes", "resumedTiles", …}, with verify "faultyTiles", and
    "firstFault" where there are any.
    """
    options = given(
        bbox=None if bbox is None else several(bbox, "bbox"),
        minzoom=min_zoom,
        maxzoom=max_zoom,
        archive=archive,
        plain=plain,
        resume=resume,
        max_tiles=max_tiles,
        overwrite=overwrite,
        verify=verify,
    )
    return _job(lib.neat_archive_copy, path_bytes(source, "source"), target, options, progress)


def tile_geojson(
    layers: Mapping[str, Any],
    target: Union[str, "os.PathLike[str]"],
    *,
    min_zoom: int = 0,
    max_zoom: int = 14,
    progress: Optional[Progress] = None,
    buffer: Optional[float] = None,
    tolerance: Optional[float] = None,
    extent: Optional[int] = None,
    line_metrics: Optional[bool] = None,
    generate_id: Optional[bool] = None,
    promote_id: Optional[str] = None,
    include: Optional[Sequence[str]] = None,
    exclude: Optional[Sequence[str]] = None,
    filters: Optional[Mapping[str, Any]] = None,
    drop_rate: Optional[float] = None,
    base_zoom: Optional[int] = None,
    drop: Optional[str] = None,
    coalesce: Optional[str] = None,
    max_tile_bytes: Optional[int] = None,
    max_tile_features: Optional[int] = None,
    memory: Optional[int] = None,
    threads: Optional[int] = None,
    metadata: Optional[Mapping[str, Any]] = None,
    archive: Optional[str] = None,
    plain: Optional[bool] = None,
    resume: Optional[bool] = None,
    max_tiles: Optional[int] = None,
    overwrite: Optional[bool] = None,
) -> Dict[str, Any]:
    """Cuts GeoJSON into an archive of vector tiles, one layer each by its name. Memory does not grow with the
    documents.

    layers: of each layer the path or address of its GeoJSON, several of them in a list, or what GeoJSON takes
    as data (dictionaries, GeoDataFrames …). filters: by layer, a filter of the style specification, which may
    read the zoom. metadata: name, attribution, description and the like. The other options are those of
    tiler.VectorTiler and of ArchiveWriter.

    Returns {"tiles", "contents", "bytes", "features", "droppedFeatures", "coalescedFeatures",
    "oversizedTiles" (past the limits: all where neither drop nor coalesce is given, else those that it could
    not mend), "largestTileBytes", …}. Raises GeoJSONError with file, line and column, InvalidArgumentError
    and ExpressionError naming the option or filter, NotFoundError, FileError, LimitExceededError.
    """
    with contextlib.ExitStack() as stack:
        sources = as_json(
            [
                {"name": name, "url": _address(each, stack)}
                for name, data in mapping(layers, "layers").items()
                for each in (data if _is_files(data) else [data])
            ]
        )
        options = given(
            minzoom=min_zoom,
            maxzoom=max_zoom,
            buffer=buffer,
            tolerance=tolerance,
            extent=extent,
            line_metrics=line_metrics,
            generate_id=generate_id,
            promote_id=promote_id,
            include=include,
            exclude=exclude,
            filters=filters,
            drop_rate=drop_rate,
            base_zoom=base_zoom,
            drop=drop,
            coalesce=coalesce,
            max_tile_bytes=max_tile_bytes,
            max_tile_features=max_tile_features,
            memory=memory,
            threads=threads,
            metadata=metadata,
            archive=archive,
            plain=plain,
            resume=resume,
            max_tiles=max_tiles,
            overwrite=overwrite,
        )
        return _job(lib.neat_archive_tile_geojson, sources, target, options, progress)


def _is_files(data: Any) -> bool:
    """Whether data is a list of paths or addresses, and not one of features."""
    return (
        isinstance(data, (list, tuple))
        and len(data) > 0
        and all(isinstance(each, (str, os.PathLike)) for each in data)
    )


def _address(data: Any, stack: contextlib.ExitStack) -> str:
    """Where GeoJSON is: its own path or address, or that of a file for the time of the stack."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    file = stack.enter_context(tempfile.NamedTemporaryFile(suffix=".geojson"))
    file.write(as_geojson(data))
    file.flush()
    return file.name

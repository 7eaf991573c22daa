"""The tiler itself: features in, vector tiles out."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from .._library import Bytes, Handle, as_bytes, check, lib, take_json
from .._values import as_json, given, mapping, path_bytes, path_text, several, utf8, whole
from ..archive import Progress, run_job
from ..errors import InvalidArgumentError
from .pieces import MissingPackageError

# Parts of a layer at most, and the end of the range that is all tiles.
MAX_PARTS = 1 << 20
LAST = 2**64 - 1
# What the library says of columns: {"column", "reason", "count"}.
Note = Dict[str, Any]

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


class VectorTiler(Handle):
    """Features on their way to vector tiles, of any amount: add features, then `write`; or add and `save` in
    many processes, then `load` and write ranges of tiles in many processes. The tiles are the same in any
    case. For one thread at a time; the work itself is done by several. Belongs to the process that made it.

    layers: their names, or a mapping from name to a filter of the style specification (None: all features),
    which may read the zoom. min_zoom, max_zoom: 0 to 24. buffer (64), tolerance (3, of simplification; 0
    keeps every point), extent (4096, 1 to 65536): in the units of a tile, of which extent make an edge.
    line_metrics: for line-gradient. generate_id: features are numbered within their part. promote_id: the
    property that becomes the id.

    include: the properties that tiles have; exclude: those that they lack; not both. drop_rate: 1 to 16; each
    zoom below base_zoom (else max_zoom) has one of so many points of the next deeper one. drop, coalesce:
    "densest" (nearest to others along the Hilbert curve), "fraction" (by a hash) or "smallest": the features
    that go, or whose geometry goes to the one before them on the curve, where tiles have more than
    max_tile_bytes (500000, packed; 1024 at least) or max_tile_features (200000); one threshold for a whole
    zoom. max_tiles: tiles that the features of one batch may lie in, and that an archive may have
    (16777216).

    memory: bytes of cut features that are held (268435456, at least 1048576); the rest lies in nameless files
    in `folder` (else the working folder). threads: 0 for one a processor.

    Raises InvalidArgumentError and ExpressionError, naming what is wrong.
    """

    _destroy = "neat_tiler_destroy"

    def __init__(
        self,
        layers: Union[Sequence[str], Mapping[str, Any]],
        *,
        min_zoom: int = 0,
        max_zoom: int = 14,
        buffer: Optional[float] = None,
        tolerance: Optional[float] = None,
        extent: Optional[int] = None,
        line_metrics: Optional[bool] = None,
        generate_id: Optional[bool] = None,
        promote_id: Optional[str] = None,
        include: Optional[Sequence[str]] = None,
        exclude: Optional[Sequence[str]] = None,
        drop_rate: Optional[float] = None,
        base_zoom: Optional[int] = None,
        drop: Optional[str] = None,
        coalesce: Optional[str] = None,
        max_tile_bytes: Optional[int] = None,
        max_tile_features: Optional[int] = None,
        max_tiles: Optional[int] = None,
        memory: Optional[int] = None,
        threads: Optional[int] = None,
        folder: Optional[Union[str, "os.PathLike[str]"]] = None,
    ) -> None:
        if isinstance(layers, str):
            raise TypeError(
                "layers is a text: a list of names, or a mapping from names to filters, is needed"
            )
        listed = [utf8(each, "layers").decode() for each in several(layers, "layers")]
        filters = layers if isinstance(layers, Mapping) else dict.fromkeys(listed)
        if len(filters) != len(listed):
            twice = next(name for name in listed if listed.count(name) > 1)
            raise InvalidArgumentError(f'two layers are named "{twice}"')
        names = as_json(
            [{"name": name, **({} if each is None else {"filter": each})} for name, each in filters.items()]
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
            drop_rate=drop_rate,
            base_zoom=base_zoom,
            drop=drop,
            coalesce=coalesce,
            max_tile_bytes=max_tile_bytes,
            max_tile_features=max_tile_features,
            max_tiles=max_tiles,
            memory=memory,
            threads=threads,
            folder=None if folder is None else path_text(folder, "folder").decode(),
        )
        super().__init__(self._make(lib.neat_tiler_create, names, len(names), options, len(options)))

    def add_geojson(self, data: Bytes, *, layer: str, part: int = 0, is_last: bool = True) -> None:
        """Adds the next bytes of a GeoJSON text, one document or one a line, plain, gzip or zlib, cut
        anywhere. is_last: nothing of this text follows; until then no other may begin.

        part: 0 to 1048575; features of lower parts of a layer stand before those of higher ones, and within a
        part they stand as they came. Raises GeoJSONError with line and column, InvalidArgumentError for a
        layer that there is not, InvalidStateError; after an error the tiler takes no more.
        """
        name, text = utf8(layer, "layer"), as_bytes(data)
        check(
            lib.neat_tiler_add_geojson(
                self._pointer,
                name,
                len(name),
                whole(part, "part", 0, MAX_PARTS - 1),
                text,
                len(text),
                1 if is_last else 0,
            )
        )

    def add_arrow(
        self,
        batch: Any,
        *,
        layer: str,
        part: int = 0,
        geometry: Optional[str] = None,
        id: Optional[str] = None,
    ) -> List[Dict[str, Any]]:
        """Adds a record batch: a pyarrow.RecordBatch or whatever else has `__arrow_c_array__`. What has
        `__arrow_c_stream__` instead (tables, GeoDataFrame.to_arrow()) is added batch by batch, by pyarrow.

        geometry: its column, of WKB or of a GeoArrow type, in degrees of longitude and latitude; else the one
        that is marked so, the only binary one, or "geometry". id: the column whose values become the ids. The
        others become properties. layer, part: as for `add_geojson`.

        Returns what did not become properties as it was: {"column", "reason", "count"}, count 0 for a whole
        column. Raises GeoJSONError naming row and column of a damaged geometry, UnsupportedError for other
        coordinate systems and encodings, InvalidArgumentError for a column or layer that there is not.
        """
        if not hasattr(batch, "__arrow_c_array__"):
            notes: List[Note] = []
            for each in _batches(batch):
                notes += self.add_arrow(each, layer=layer, part=part, geometry=geometry, id=id)
            return notes
        # The capsules own the structures, and release them when they go.
        schema, array = batch.__arrow_c_array__()
        name, options = utf8(layer, "layer"), given(geometry=geometry, id=id)
        return take_json(
            lib.neat_tiler_add_arrow,
            self._pointer,
            name,
            len(name),
            whole(part, "part", 0, MAX_PARTS - 1),
            _capsule_pointer(schema, b"arrow_schema"),
            _capsule_pointer(array, b"arrow_array"),
            options,
            len(options),
        )

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes everything that was added as one file, for `load`. It has its name when it is whole and on
        the disk. Raises FileError."""
        name = path_bytes(path, "path")
        check(lib.neat_tiler_save(self._pointer, name, len(name)))

    def load(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Adds what another tiler of the same layers and options saved. The file stays open.

        Raises NotFoundError, FileError, ArchiveError where it is damaged or cut off (or later, when what is
        damaged is read), and InvalidStateError where it was made with other layers or options.
        """
        name = path_bytes(path, "path")
        check(lib.neat_tiler_load(self._pointer, name, len(name)))

    def ranges(self, count: int) -> List[Tuple[int, int]]:
        """Divides the tiles into at most `count` ranges with about as much work each: numbers of tiles as
        PMTiles counts them, from, to before, in order and without gaps."""
        found = take_json(lib.neat_tiler_ranges, self._pointer, whole(count, "count", 1))
        return [(first, end) for first, end in found["ranges"]]

    def thresholds(self, first: int = 0, end: int = LAST) -> List[float]:
        """What the tiles of a range need so that they are within the limits, a threshold for each zoom: of
        several ranges, the highest of each zoom is what `write` takes. All 0 without drop and coalesce."""
        return take_json(lib.neat_tiler_thresholds, self._pointer, *_range(first, end))

    def describe(self, metadata: Optional[Mapping[str, Any]] = None) -> Dict[str, Any]:
        """TileJSON of the tiles, with "vector_layers", "bounds" and "center". metadata: members that are
        taken over, such as name and attribution."""
        text = b"" if metadata is None else as_json(mapping(metadata, "metadata"))
        return take_json(lib.neat_tiler_describe, self._pointer, text, len(text))

    def write(
        self,
        target: Union[str, "os.PathLike[str]"],
        *,
        first: int = 0,
        end: int = LAST,
        thresholds: Optional[Sequence[float]] = None,
        metadata: Optional[Mapping[str, Any]] = None,
        archive: Optional[str] = None,
        plain: Optional[bool] = None,
        max_tiles: Optional[int] = None,
        overwrite: Optional[bool] = None,
        progress: Optional[Progress] = None,
    ) -> Dict[str, Any]:
        """Writes the tiles from number `first` to before `end` into an archive. May be called again.

        thresholds: of all ranges together, where this one is not all; else they are found for the range.
        archive, plain, max_tiles, overwrite: as for ArchiveWriter. progress(done, 0, bytes) may return False
        to end the work with CancelledError. Returns what `tile_geojson` returns. Raises InvalidStateError for
        a target that is there already, FileError, ArchiveError for a damaged file of `load`, naming it.
        """
        path = path_bytes(target, "target")
        options = given(
            archive=archive,
            plain=plain,
            max_tiles=max_tiles,
            overwrite=overwrite,
            thresholds=None if thresholds is None else several(thresholds, "thresholds"),
            metadata=None if metadata is None else mapping(metadata, "metadata"),
        )
        return run_job(
            lib.neat_tiler_write,
            self._pointer,
            path,
            len(path),
            *_range(first, end),
            options,
            len(options),
            progress=progress,
        )


def _range(first: int, end: int) -> Tuple[int, int]:
    return whole(first, "first", 0, LAST), whole(end, "end", 0, LAST)


def _batches(source: Any) -> Any:
    if not hasattr(source, "__arrow_c_stream__"):
        raise TypeError(
            f"{type(source).__name__} is no record batch: it has neither __arrow_c_array__ nor "
            "__arrow_c_stream__"
        )
    try:
        import pyarrow
    except ImportError:
        raise MissingPackageError(
            f"{type(source).__name__} as record batches needs pyarrow: pip install neatline[vector]"
        ) from None
    return pyarrow.RecordBatchReader.from_stream(source)

"""FlatGeobuf, GeoPackage, shapefiles and whatever else OGR reads, as record batches."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import Any, Iterator, List, Optional, Sequence, Tuple

from ..errors import (
    FileError,
    InvalidArgumentError,
    InvalidStateError,
    NeatlineError,
    NotFoundError,
    UnsupportedError,
)
from ..pyramid.addresses import local_path
from ..pyramid.store import is_remote
from . import crs as systems
from .parquet import one_line, with_geometry
from .pieces import PIECE_BYTES, MissingPackageError, Piece, batch_rows, full_address, opened, size_of

# Pieces of a layer at most: passing over the rows before a piece takes about as long as reading them.
MOST_PIECES = 16


@contextmanager
def _driver(address: str) -> Iterator[Any]:
    try:
        import pyarrow
        import pyogrio
    except ImportError as error:
        raise MissingPackageError(
            f"{address} needs {error.name or 'pyogrio'}: pip install neatline[vector]"
        ) from None
    try:
        yield pyogrio
    except (pyarrow.ArrowException, OSError, RuntimeError) as error:
        # RuntimeError: all that pyogrio has of its own.
        if isinstance(error, NeatlineError):
            raise
        raise FileError(f"{address}: {one_line(error)}") from error


def _source(address: str) -> str:
    """What OGR calls the file."""
    if is_remote(address):
        return address
    path = local_path(address)
    return f"/vsigzip/{path}" if path.endswith(".gz") else path


def layers(address: str) -> List[str]:
    """The layers with geometry. Raises FileError where there are none."""
    with _driver(address) as driver:
        found = [str(name) for name, kind in driver.list_layers(_source(address)) if kind is not None]
    if not found:
        raise FileError(f"{address}: no layer with geometry")
    return found


def splits(
    address: str,
    *,
    layer: str,
    source_layer: Optional[str] = None,
    columns: Optional[Sequence[str]] = None,
    crs: Optional[str] = None,
    piece_bytes: int = PIECE_BYTES,
) -> List[Piece]:
    """Runs of rows of one layer; a single piece where the number of rows is not known."""
    with _driver(address) as driver:
        info = driver.read_info(_source(address), layer=source_layer)
    names = [str(name) for name in info["fields"]]
    for name in columns or ():
        if name not in names:
            raise InvalidArgumentError(
                f'{address}: there is no column "{name}"; there are {", ".join(names)}'
            )
    system = crs if crs is not None else info["crs"]
    if system is None:
        raise UnsupportedError(f"{address}: the file names no coordinate system; crs= says what it is")
    size = _size(address)
    rows = max(0, int(info["features"]))
    count = 1
    if rows and size and info["capabilities"].get("fast_feature_count"):
        count = max(1, min(size // piece_bytes, rows, MOST_PIECES))
    # GDAL's own columns of FlatGeobuf (3.12 too) have wrong offsets behind a feature without geometry. Files
    # with an index have no such features.
    is_flat = info["driver"] == "FlatGeobuf"
    by_feature = is_flat and not info["capabilities"].get("random_read")
    crs_needed = systems.needed(system, address)
    bounds = [rows * index // count for index in range(count)]
    # The last piece goes to the end, whatever the file's header says.
    return [
        Piece(
            address=full_address(address),
            layer=layer,
            format="ogr",
            columns=None if columns is None else tuple(columns),
            crs=crs_needed,
            start=first,
            end=end,
            first_row=first,
            rows=batch_rows(size or 0, rows) if rows else 4096,
            size=size,
            source_layer=source_layer,
            by_feature=by_feature,
            least=(rows if end is None else end) - first if is_flat else 0,
            encoding="wkb",
        )
        for first, end in zip(bounds, [*bounds[1:], None])
    ]


def _size(address: str) -> Optional[int]:
    """Bytes of a local file; None for folders and what is not here."""
    if is_remote(address):
        return None
    try:
        with opened(address) as file:
            return size_of(file)
    except (FileError, NotFoundError):
        return None


@contextmanager
def _batches_by_feature(driver: Any, is_wanted: bool) -> Iterator[None]:
    name = "OGR_FLATGEOBUF_STREAM_BASE_IMPL"
    before = driver.get_gdal_config_option(name)
    if is_wanted:
        driver.set_gdal_config_options({name: True})
    try:
        yield
    finally:
        if is_wanted:
            driver.set_gdal_config_options({name: before})


def read(piece: Piece) -> Iterator[Any]:
    """The record batches of a piece, with coordinates in degrees."""
    transform = None if piece.crs is None else systems.transformer(piece.crs)
    left = None if piece.end is None else piece.end - piece.start
    if left == 0:
        return
    count = 0
    if piece.size is not None and piece.size != _size(piece.address):
        raise InvalidStateError(f"{piece.address}: the file has changed since it was split")
    with _driver(piece.address) as driver, _batches_by_feature(driver, piece.by_feature):
        with driver.open_arrow(
            _source(piece.address),
            layer=piece.source_layer,
            columns=None if piece.columns is None else list(piece.columns),
            skip_features=piece.start,
            batch_size=piece.rows if left is None else min(piece.rows, left),
            use_pyarrow=True,
        ) as (meta, reader):
            geometry = meta["geometry_name"] or "wkb_geometry"
            placed = replace(piece, geometry=geometry)
            for batch in reader:
                if left is not None:
                    batch = batch.slice(0, left)
                    left -= batch.num_rows
                count += batch.num_rows
                if batch.num_rows:
                    yield with_geometry(batch, placed, transform)
                if left == 0:
                    return
    # By features, OGR ends in silence where it cannot go on.
    if count < piece.least:
        raise FileError(
            f"{piece.address}: the file is damaged: {count} of {piece.least} rows from row {piece.start} on"
        )

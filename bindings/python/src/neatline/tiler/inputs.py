"""Vector data from files and object stores, a piece at a time and with bounded memory.

`splits` cuts an input into pieces that any process can read; `read` gives what a piece holds, as pairs of the
vector layer and either a pyarrow.RecordBatch (GeoParquet, FlatGeobuf, and what else OGR reads) or bytes of
GeoJSON text. Coordinates come in degrees of longitude and latitude: others are transformed where pyproj and
shapely are installed, and refused by name where not.

What an input is, its content says, not its name: Parquet, GeoJSON (one document, newline-delimited, or a
sequence of RFC 8142; plain or gzip); all else goes to OGR. A folder with files of Parquet is one input.

Parquet needs pyarrow, OGR pyarrow and pyogrio: pip install neatline[vector]. Parquet and GeoJSON take the
addresses of fsspec (s3://, gs://, memory://, https:// …; pip install neatline[cloud]), OGR those of GDAL.
"""

from __future__ import annotations

import os
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple, Union

from ..errors import FileError, InvalidArgumentError, NotFoundError
from ..pyramid.addresses import local_path
from ..pyramid.store import Failure, is_remote, open_remote
from . import geojson, ogr, parquet
from .pieces import PIECE_BYTES, MissingPackageError, Piece, layer_name

__all__ = ["MissingPackageError", "Piece", "read", "splits"]


def splits(
    address: Union[str, "os.PathLike[str]"],
    *,
    layer: Optional[str] = None,
    source_layer: Optional[str] = None,
    geometry: Optional[str] = None,
    columns: Optional[Sequence[str]] = None,
    crs: Optional[str] = None,
    options: Optional[Dict[str, Any]] = None,
    piece_bytes: int = PIECE_BYTES,
) -> List[Piece]:
    """Cuts an input into pieces, in the order of its rows.

    layer: what tiles call the layer; else the file's name without its ending, or, of a file with several
    layers, the name of each. source_layer: the one layer of such a file that is read. geometry: the geometry
    column of Parquet, where it is not the primary one. columns: the properties that are read; else all. crs:
    what the coordinates are in, whatever the file says. options: fsspec's for the address. piece_bytes: what
    a piece aims at in bytes; a row group, and a record of GeoJSON, stay whole.

    Raises NotFoundError, FileError with the file's name for what is damaged, InvalidArgumentError for a
    column or a layer that the file lacks, UnsupportedError for coordinates that cannot be brought to degrees,
    and MissingPackageError with what to install.
    """
    address = os.fspath(address)
    if piece_bytes < 1:
        raise InvalidArgumentError(f"piece_bytes is {piece_bytes}, and has to be 1 at least")
    common: Dict[str, Any] = {"columns": columns, "crs": crs, "piece_bytes": piece_bytes}
    name = layer if layer is not None else layer_name(address)
    files = _parquet_files(address, options)
    if files is not None:
        return [
            piece
            for file in files
            for piece in parquet.splits(file, layer=name, geometry=geometry, options=options, **common)
        ]
    raw, text = _head(address, options)
    if raw[:4] == parquet.MAGIC:
        _refuse(address, "Parquet", source_layer=source_layer)
        return parquet.splits(address, layer=name, geometry=geometry, options=options, **common)
    if geojson.looks_like(text):
        other = crs or geojson.other_system(text)
        if other is None and columns is None:
            _refuse(address, "GeoJSON", source_layer=source_layer, geometry=geometry)
            return geojson.splits(address, layer=name, options=options, piece_bytes=piece_bytes)
        # OGR leaves columns out, and says what the coordinates are in.
        common["crs"] = other or "OGC:CRS84"
    _refuse(address, "OGR", geometry=geometry)
    return _of_ogr(address, layer, source_layer, common)


def _of_ogr(
    address: str, layer: Optional[str], source_layer: Optional[str], common: Dict[str, Any]
) -> List[Piece]:
    found = ogr.layers(address)
    if source_layer is not None:
        if source_layer not in found:
            raise InvalidArgumentError(
                f'{address}: there is no layer "{source_layer}" with geometry; there are {", ".join(found)}'
            )
        found = [source_layer]
        own = layer_name(source_layer)
    else:
        own = layer_name(address)
    return [
        piece
        for each in found
        for piece in ogr.splits(
            address,
            layer=layer if layer is not None else each if len(found) > 1 else own,
            source_layer=each,
            **common,
        )
    ]


def _refuse(address: str, format: str, **arguments: Any) -> None:
    for name, value in arguments.items():
        if value is not None:
            raise InvalidArgumentError(f"{address}: {format} has no use for {name}=")


def _head(address: str, options: Optional[Dict[str, Any]]) -> Tuple[bytes, bytes]:
    """The first bytes of an input and of its text; nothing where only OGR knows how to open it."""
    if not is_remote(address) and os.path.isdir(local_path(address)):
        return b"", b""
    raw, text = geojson.head_of(address, options)
    if not raw:
        raise FileError(f"{address}: the file is empty")
    return raw, text


def _parquet_files(address: str, options: Optional[Dict[str, Any]]) -> Optional[List[str]]:
    """The files of a folder of Parquet, by name; None for what is no such folder."""
    if is_remote(address):
        if not address.endswith("/"):
            return None
        with Failure(address):
            system, place = open_remote(address, options)
            found = [system.unstrip_protocol(name) for name in system.find(place)]
    else:
        folder = local_path(address)
        if not os.path.isdir(folder):
            return None
        found = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names]
    # Names that begin with a dot or an underscore are bookkeeping, as everywhere.
    files = sorted(
        name
        for name in found
        if name.endswith((".parquet", ".geoparquet")) and os.path.basename(name)[:1] not in (".", "_")
    )
    if not files and is_remote(address):
        raise NotFoundError(f"{address} has no files of Parquet")
    return files or None


def read(piece: Piece) -> Iterator[Tuple[str, Any]]:
    """What a piece holds: (layer, pyarrow.RecordBatch) or, of GeoJSON, (layer, bytes), in order.

    Batches hold BATCH_BYTES or so, blocks of text geojson.BLOCK bytes at most. Raises what `splits` raises,
    and InvalidStateError for a file that has changed since.
    """
    source = {"parquet": parquet.read, "ogr": ogr.read, "geojson": geojson.read}[piece.format]
    for each in source(piece):
        yield piece.layer, each

"""GeoParquet, row groups one by one."""

from __future__ import annotations

import json
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

from ..errors import FileError, InvalidArgumentError, NeatlineError, UnsupportedError
from . import crs as systems
from .pieces import (
    PIECE_BYTES,
    MissingPackageError,
    Piece,
    batch_rows,
    check_size,
    full_address,
    opened,
    size_of,
)

MAGIC = b"PAR1"
_NATIVE = ("point", "linestring", "polygon", "multipoint", "multilinestring", "multipolygon")
_WKB = (b"geoarrow.wkb", b"ogc.wkb")


@contextmanager
def _reader(address: str, file: Any) -> Iterator[Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise MissingPackageError(f"{address} needs pyarrow: pip install neatline[vector]") from None
    try:
        # Column chunks are read as they are used, not as wholes.
        with pyarrow.parquet.ParquetFile(file, buffer_size=1 << 20, pre_buffer=False) as reader:
            yield reader
    except (pyarrow.ArrowException, OSError) as error:
        if isinstance(error, NeatlineError):
            raise
        raise FileError(f"{address}: {one_line(error)}") from error


def one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300]


class _Geometry:
    """The geometry column of a file: its name, encoding and coordinate system, and columns that only serve
    to find rows."""

    def __init__(self, reader: Any, address: str, name: Optional[str], crs: Optional[str]) -> None:
        self.schema = reader.schema_arrow
        self.indexes: Tuple[str, ...] = ()
        self.encoding: Optional[str] = None
        metadata = (self.schema.metadata or {}).get(b"geo")
        if metadata is None:
            self._find(address, name)
            system = crs
            if system is None and (marked := _extension(self.schema.field(self.name))) is not None:
                system = marked[1].get("crs")
        else:
            system = self._read(metadata, address, name)
            system = crs if crs is not None else system
        if system is None:
            raise UnsupportedError(
                f'{address}: the coordinate system of "{self.name}" is not known; crs= says what it is'
            )
        self.crs = systems.needed(system, address)
        if self.crs is not None and self.encoding != "wkb":
            raise UnsupportedError(
                f"{address}: coordinates in {systems.short(self.crs)} are transformed in WKB only, and "
                f'"{self.name}" is of GeoArrow\'s encoding {self.encoding}'
            )

    def _read(self, metadata: bytes, address: str, name: Optional[str]) -> Any:
        """What GeoParquet's own metadata says; returns the coordinate system."""
        try:
            geo = json.loads(metadata)
            columns = geo["columns"]
            self.name = name if name is not None else geo["primary_column"]
            known = self.name in columns
            column = columns.get(self.name, {})
            self.encoding = str(column.get("encoding", "WKB")).lower()
            # The boxes of features are there to find rows.
            for each in columns.values():
                box = each.get("covering", {}).get("bbox", {})
                self.indexes += tuple({str(path[0]) for path in box.values()})
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise FileError(f'{address}: the metadata "geo" is damaged: {error!r}') from None
        if self.name not in self.schema.names:
            if name is None:
                raise FileError(f'{address}: the metadata "geo" names "{self.name}", which is no column')
            raise InvalidArgumentError(f'{address}: there is no column "{name}"')
        if not known:
            raise InvalidArgumentError(f'{address}: "{self.name}" is no geometry')
        if self.encoding not in ("wkb", *_NATIVE):
            raise UnsupportedError(f"{address}: geometry as {self.encoding} is not read")
        # Without a member "crs" it is CRS84; null: nobody knows.
        return column.get("crs", "OGC:CRS84")

    def _find(self, address: str, name: Optional[str]) -> None:
        """A file without GeoParquet's metadata: by name, or by what columns say of themselves."""
        marked = [field.name for field in self.schema if _extension(field) is not None]
        if name is not None and name not in self.schema.names:
            raise InvalidArgumentError(f'{address}: there is no column "{name}"')
        if name is None and len(marked) != 1:
            raise UnsupportedError(
                f'{address}: not GeoParquet, as it has no metadata "geo"; geometry= names the column of WKB'
            )
        self.name = name if name is not None else marked[0]
        self.encoding = "wkb"


def _extension(field: Any) -> Optional[Tuple[bytes, Dict[str, Any]]]:
    """The name and the metadata of a WKB column that says what it is."""
    extension = getattr(field.type, "extension_name", None)
    name = extension.encode() if extension else (field.metadata or {}).get(b"ARROW:extension:name")
    if name not in _WKB:
        return None
    text = (field.metadata or {}).get(b"ARROW:extension:metadata", b"{}")
    if extension:
        text = field.type.__arrow_ext_serialize__() or b"{}"
    try:
        metadata = json.loads(text)
    except ValueError:
        metadata = {}
    return name, metadata if isinstance(metadata, dict) else {}


def splits(
    address: str,
    *,
    layer: str,
    geometry: Optional[str] = None,
    columns: Optional[Sequence[str]] = None,
    crs: Optional[str] = None,
    options: Optional[Dict[str, Any]] = None,
    piece_bytes: int = PIECE_BYTES,
) -> List[Piece]:
    """Runs of row groups of some piece_bytes; at least one row group each."""
    with opened(address, options) as file:
        size = size_of(file)
        with _reader(address, file) as reader:
            found = _Geometry(reader, address, geometry, crs)
            wanted = _projection(found, address, columns)
            metadata = reader.metadata
            pieces: List[Piece] = []
            start = row = first_row = byte_count = 0
            for group in range(metadata.num_row_groups):
                part = metadata.row_group(group)
                row += part.num_rows
                byte_count += part.total_byte_size
                if byte_count < piece_bytes and group + 1 < metadata.num_row_groups:
                    continue
                pieces.append(
                    Piece(
                        address=full_address(address),
                        layer=layer,
                        format="parquet",
                        geometry=found.name,
                        columns=wanted,
                        crs=found.crs,
                        encoding=found.encoding,
                        start=start,
                        end=group + 1,
                        first_row=first_row,
                        rows=batch_rows(byte_count, row - first_row),
                        size=size,
                        options=options,
                    )
                )
                start, first_row, byte_count = group + 1, row, 0
    return pieces


def _projection(found: _Geometry, address: str, columns: Optional[Sequence[str]]) -> Tuple[str, ...]:
    names = found.schema.names
    if columns is None:
        return tuple(name for name in names if name != found.name and name not in found.indexes)
    for name in columns:
        if name not in names:
            raise InvalidArgumentError(
                f'{address}: there is no column "{name}"; there are {", ".join(names)}'
            )
    return tuple(name for name in columns if name != found.name)


def read(piece: Piece) -> Iterator[Any]:
    """The record batches of a piece, with coordinates in degrees."""
    with opened(piece.address, piece.options) as file:
        check_size(piece, file)
        with _reader(piece.address, file) as reader:
            transform = None if piece.crs is None else systems.transformer(piece.crs)
            for batch in reader.iter_batches(
                batch_size=piece.rows,
                row_groups=range(piece.start, piece.end),
                columns=[piece.geometry, *(piece.columns or ())],
            ):
                yield with_geometry(batch, piece, transform)


def with_geometry(batch: Any, piece: Piece, transform: Any) -> Any:
    """The batch with its geometry marked as what it is, and in degrees."""
    import pyarrow

    index = batch.schema.get_field_index(piece.geometry)
    values = batch.column(index)
    if isinstance(values, pyarrow.ExtensionArray):
        values = values.storage
    if transform is not None:
        values = systems.transformed(values, transform, piece.address)
    field = pyarrow.field(
        piece.geometry,
        values.type,
        metadata={"ARROW:extension:name": f"geoarrow.{piece.encoding or 'wkb'}"},
    )
    return batch.set_column(index, field, values)

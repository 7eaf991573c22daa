"""Pieces of inputs: what one worker reads, in an order that does not depend on how many there are."""

from __future__ import annotations

import posixpath
import re
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Dict, Iterator, Optional, Tuple

from ..errors import InvalidStateError, UnsupportedError
from ..pyramid.addresses import local_path
from ..pyramid.store import Failure, absolute, is_remote, open_remote

# What a piece aims at, in bytes of its file.
PIECE_BYTES = 64 << 20
# Rows of a record batch at most; fewer where rows are large, so that a batch is of BATCH_BYTES or so.
BATCH_ROWS = 65_536
BATCH_BYTES = 32 << 20


class MissingPackageError(UnsupportedError, ImportError):
    """A package that an input needs is not installed; the text says what to install."""


@dataclass(frozen=True)
class Piece:
    """A part of an input, small enough to hand to another process by pickle."""

    address: str
    # The vector layer that its features are for.
    layer: str
    # "parquet", "ogr" or "geojson".
    format: str
    # The geometry column of record batches; None: the library finds it.
    geometry: Optional[str] = None
    # Property columns that are read; None: all.
    columns: Optional[Tuple[str, ...]] = None
    # What the coordinates are in, as pyproj takes it; None: degrees of longitude and latitude.
    crs: Optional[str] = None
    # Row groups of Parquet, rows of OGR (the end None: to the last), bytes of GeoJSON: from, to before.
    start: int = 0
    end: Optional[int] = None
    # What messages call its first row.
    first_row: int = 0
    # Rows of a batch at most.
    rows: int = BATCH_ROWS
    # Bytes of the file when it was split; None: not known.
    size: Optional[int] = None
    # The layer of the file, for OGR.
    source_layer: Optional[str] = None
    # OGR makes batches of features, and not the driver of columns.
    by_feature: bool = False
    # Rows that have to come, where the file says how many it has; else it is damaged.
    least: int = 0
    # How geometry is written, where the file says so and the column does not: "wkb", "point", …
    encoding: Optional[str] = None
    # fsspec's options for the address.
    options: Optional[Dict[str, Any]] = None

    @property
    def is_arrow(self) -> bool:
        """Whether reading gives record batches; else bytes of GeoJSON text."""
        return self.format != "geojson"


def batch_rows(byte_count: int, rows: int) -> int:
    """Rows of a batch, where so many rows have so many bytes."""
    return max(64, min(BATCH_ROWS, BATCH_BYTES * max(1, rows) // max(1, byte_count)))


def layer_name(address: str) -> str:
    """The name of a file without folders and endings: what tiles call its layer."""
    name = posixpath.basename(address.split("?")[0].rstrip("/"))
    return posixpath.splitext(re.sub(r"\.(gz|zip)$", "", name))[0] or "layer"


@contextmanager
def opened(address: str, options: Optional[Dict[str, Any]] = None) -> Iterator[Any]:
    """A file by path or address, for reading bytes. Raises NotFoundError, FileError, ImportError."""
    with Failure(address):
        if is_remote(address):
            system, path = open_remote(address, options)
            with system.open(path, "rb") as file:
                yield file
        else:
            with open(local_path(address), "rb") as file:
                yield file


def size_of(file: Any) -> int:
    """Bytes of a file that is open; it is at its beginning afterwards."""
    size = file.seek(0, 2)
    file.seek(0)
    return size


def check_size(piece: Piece, file: Any) -> None:
    """Raises InvalidStateError where the file is not the one that was split."""
    size = size_of(file)
    if piece.size is not None and size != piece.size:
        raise InvalidStateError(f"{piece.address}: the file has changed since it was split")


def full_address(address: str) -> str:
    """An address that means the same from another folder."""
    return address if is_remote(address) else absolute(address)

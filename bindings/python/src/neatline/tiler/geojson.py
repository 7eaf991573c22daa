"""GeoJSON text: newline-delimited by ranges of bytes, documents and gzip as one piece."""

from __future__ import annotations

import json
import re
import zlib
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ..errors import FileError
from .crs import DEGREES
from .pieces import PIECE_BYTES, Piece, check_size, full_address, opened, size_of

BLOCK = 1 << 20
# Bytes of the beginning that tell what a text is.
HEAD = 1 << 16
_CRS = re.compile(
    rb'"crs"\s*:\s*\{\s*"type"\s*:\s*"name"\s*,\s*"properties"\s*:\s*\{\s*"name"\s*:\s*"([^"\\]{1,200})"'
)
_URN = re.compile(r"^urn:(?:x-)?ogc:def:crs:([A-Za-z]+):[^:]*:(\w+)$")


def is_packed(head: bytes) -> bool:
    """Whether a file begins as gzip does."""
    return head[:2] == b"\x1f\x8b"


def looks_like(head: bytes) -> bool:
    """Whether a text may be GeoJSON: its first character is a brace or a record separator."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"\x1e")


def other_system(head: bytes) -> Optional[str]:
    """The coordinate system that a document of before RFC 7946 names, where that is not degrees."""
    match = _CRS.search(head)
    if match is None:
        return None
    name = match.group(1).decode("utf-8", "replace")
    urn = _URN.match(name)
    short = f"{urn.group(1)}:{urn.group(2)}" if urn else name
    return None if short.upper() in DEGREES else short


def _delimiter(head: bytes) -> Optional[bytes]:
    """What stands between records: a line's end, or the separator of RFC 8142; None for one document."""
    text = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if text[:1] == b"\x1e":
        return b"\x1e"
    line, newline, _ = text.partition(b"\n")
    if not newline:
        return None
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return None
    is_record = isinstance(record, dict) and record.get("type") not in (None, "FeatureCollection")
    return b"\n" if is_record else None


def splits(
    address: str, *, layer: str, options: Optional[Dict[str, Any]] = None, piece_bytes: int = PIECE_BYTES
) -> List[Piece]:
    """Ranges of bytes that begin and end between records, or one piece."""
    with opened(address, options) as file:
        size = size_of(file)
        head = file.read(HEAD)
        bounds = [0]
        delimiter = None if is_packed(head) else _delimiter(head)
        if delimiter is not None:
            for place in range(piece_bytes, size, max(1, piece_bytes)):
                if place <= bounds[-1]:
                    continue
                bound = _next_record(file, place, delimiter)
                if bounds[-1] < bound < size:
                    bounds.append(bound)
    return [
        Piece(
            address=full_address(address),
            layer=layer,
            format="geojson",
            start=start,
            end=end,
            size=size,
            options=options,
        )
        for start, end in zip(bounds, [*bounds[1:], size])
    ]


def _next_record(file: Any, place: int, delimiter: bytes) -> int:
    """Where the next record after a place begins; the file's end where there is none."""
    # A record that begins at the place itself has its delimiter before it, or, of RFC 8142, there.
    at = place - 1 if delimiter == b"\n" else place
    file.seek(at)
    while block := file.read(HEAD):
        found = block.find(delimiter)
        if found >= 0:
            return at + found + (1 if delimiter == b"\n" else 0)
        at += len(block)
    return at


def read(piece: Piece) -> Iterator[bytes]:
    """The text of a piece in blocks of BLOCK bytes at most, unpacked."""
    with opened(piece.address, piece.options) as file:
        check_size(piece, file)
        if is_packed(file.read(2)):
            file.seek(0)
            yield from _unpacked(piece.address, file)
            return
        file.seek(piece.start)
        left = (piece.end if piece.end is not None else 1 << 62) - piece.start
        while left > 0:
            block = file.read(min(BLOCK, left))
            if not block:
                raise FileError(f"{piece.address}: the file ended {left} bytes early")
            left -= len(block)
            yield block


def _unpacked(address: str, file: Any) -> Iterator[bytes]:
    """What gzip holds, member after member."""
    member = zlib.decompressobj(31)
    packed = b""
    has_begun = False
    while True:
        if not packed:
            packed = file.read(BLOCK)
            if not packed:
                break
        if member.eof:
            # Zeros behind the last member are padding.
            packed = packed.lstrip(b"\0")
            if not packed:
                continue
            member = zlib.decompressobj(31)
        try:
            block = member.decompress(packed, BLOCK)
        except zlib.error as error:
            raise FileError(f"{address}: gzip is damaged: {error}") from None
        has_begun = True
        packed = member.unused_data if member.eof else member.unconsumed_tail
        if block:
            yield block
    # What the last bytes left inside.
    if has_begun and not member.eof:
        while block := member.decompress(b"", BLOCK):
            yield block
        if not member.eof:
            raise FileError(f"{address}: gzip ends early")


def head_of(address: str, options: Optional[Dict[str, Any]] = None) -> Tuple[bytes, bytes]:
    """The first bytes of a file as they are, and of its text."""
    with opened(address, options) as file:
        raw = file.read(HEAD)
    if not is_packed(raw):
        return raw, raw
    try:
        return raw, zlib.decompressobj(31).decompress(raw, HEAD)
    except zlib.error as error:
        raise FileError(f"{address}: gzip is damaged: {error}") from None

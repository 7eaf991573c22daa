"""Parts: the tiles of a range of numbers, as a PMTiles archive, with a record of what it has to be."""

from __future__ import annotations

import gzip
import hashlib
import io
import mmap
import os
import zlib
from typing import Any, Dict, Iterator, List, Tuple

from ..pyramid.errors import PartError
from ..pyramid.hilbert import tiles_of

HEADER = 127
# A directory is read as a whole; of a part with 16,777,216 entries it has some 100 MB.
DIRECTORY_LIMIT = 1 << 30


def checksum(path: str) -> Tuple[int, str]:
    """Bytes and SHA-256 of a file."""
    digest, size = hashlib.sha256(), 0
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
            size += len(block)
    return size, digest.hexdigest()


class Part:
    """A part that was looked through: its bytes have the checksum of its record, and its tiles are of its
    range. Raises PartError where anything of it does not fit."""

    def __init__(self, path: str, index: int, record: Dict[str, Any]) -> None:
        self._name, self._index, self._record = os.path.basename(path), index, record
        try:
            size, sha256 = checksum(path)
        except OSError as error:
            raise self._refuse(str(error.strerror or error)) from None
        if (size, sha256) != (record["bytes"], record["sha256"]):
            raise self._refuse("its size or checksum is not that of its record")
        try:
            with open(path, "rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            self._entries = list(self._read())
        except (ValueError, IndexError, OSError, EOFError, zlib.error) as error:
            raise self._refuse(f"its directory is damaged: {error}") from None
        self.tiles = sum(run for _, run, _, _ in self._entries)
        if self.tiles != record["tiles"]:
            raise self._refuse(f"holds {self.tiles} tiles, its record says {record['tiles']}")

    def close(self) -> None:
        """Lets go of the file."""
        self._bytes.close()

    def tiles_from(self, first: int) -> Iterator[Tuple[int, int, int, bytes]]:
        """The tiles from a number on, in the order of their numbers."""
        entries = [
            (max(number, first), run - max(0, first - number), offset, length)
            for number, run, offset, length in self._entries
            if number + run > first
        ]
        places = tiles_of(number + at for number, run, _, _ in entries for at in range(run))
        for _, run, offset, length in entries:
            data = self._bytes[offset : offset + length]
            for _ in range(run):
                yield (*next(places), data)

    def _refuse(self, why: str) -> PartError:
        return PartError(f"{self._name}: {why}", self._index)

    def _read(self) -> Iterator[Tuple[int, int, int, int]]:
        """Number, run, offset in the file and length of all entries. Raises ValueError."""
        data = self._bytes
        if len(data) < HEADER or data[:8] != b"PMTiles\x03":
            raise ValueError("not PMTiles")

        def number(at: int) -> int:
            return int.from_bytes(data[at : at + 8], "little")

        packed = data[97] == 2
        leaves, tiles, tile_bytes = number(40), number(56), number(64)
        last = self._record["first"] - 1
        waiting = [(number(8), number(16))]
        while waiting:
            offset, length = waiting.pop()
            below: List[Tuple[int, int]] = []
            for tile, run, start, size in _directory(bytes(data[offset : offset + length]), packed):
                if run == 0:
                    below.append((leaves + start, size))
                    continue
                if tile <= last or tile + run > self._record["end"]:
                    raise ValueError(f"tile {tile} is not of the range or out of order")
                if size == 0 or start + size > tile_bytes or tiles + start + size > len(data):
                    raise ValueError(f"tile {tile} lies outside the file")
                last = tile + run - 1
                yield tile, run, tiles + start, size
            waiting += reversed(below)


def _directory(data: bytes, packed: bool) -> List[Tuple[int, int, int, int]]:
    """Number, run, offset and length of a directory's entries."""
    if packed:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            data = file.read(DIRECTORY_LIMIT)
    at = 0

    def varint() -> int:
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError("a number of more than 64 bits")

    count = varint()
    if count > len(data):
        raise ValueError(f"{count} entries in {len(data)} bytes")
    tile, tiles = 0, []
    for _ in range(count):
        tile += varint()
        tiles.append(tile)
    runs = [varint() for _ in range(count)]
    lengths = [varint() for _ in range(count)]
    offsets: List[int] = []
    for index in range(count):
        value = varint()
        if value == 0 and index == 0:
            raise ValueError("the first entry has no place")
        offsets.append(value - 1 if value else offsets[-1] + lengths[index - 1])
    return list(zip(tiles, runs, offsets, lengths))

"""How a pyramid falls into shards: runs of the Hilbert curve with about as many tiles each.

The quadtree of every zoom is walked in the order of the curve. A square without tiles is left out, one with
few enough is taken as a whole, any other is quartered; what is taken is packed until a shard is full. So the
work grows with the number of shards, not with that of tiles: a box counts the tiles of any square at once.
A block (a metatile) is never cut.
"""

from __future__ import annotations

from typing import Iterator, List, NamedTuple, Tuple

from ..errors import LimitExceededError
from .hilbert import WORLD, Square, first_id, quarters
from .region import Region

# Shards of a plan.
SHARD_LIMIT = 4_000_000


class Shard(NamedTuple):
    """A run of tiles: the numbers `first` to before `end`, of which the region holds `tiles`."""

    index: int
    first: int
    end: int
    tiles: int


class Block(NamedTuple):
    """The tiles of a zoom that are drawn as one picture: a square of `edge` tiles an edge, the first at x, y.

    first: the lowest number of its square. tiles: those within region and shard, in the order of the curve,
    each (x, y)."""

    z: int
    x: int
    y: int
    edge: int
    first: int
    tiles: List[Tuple[int, int]]


def block_zooms(z: int, metatile: int) -> int:
    """How many zooms below its own square the tiles of a block are."""
    return min(z, metatile.bit_length() - 1)


def count_tiles(region: Region, min_zoom: int, max_zoom: int) -> int:
    """The tiles of a region, counted and not listed."""
    return sum(region.count(z, 0, 0, 1 << z) for z in range(min_zoom, max_zoom + 1))


def make_shards(region: Region, min_zoom: int, max_zoom: int, metatile: int, shard_size: int) -> List[Shard]:
    """All shards. Raises LimitExceededError where there would be more than 4 million."""
    total = count_tiles(region, min_zoom, max_zoom)
    if total > SHARD_LIMIT * shard_size:
        raise LimitExceededError(
            f"{total:,} tiles in shards of {shard_size:,} would be more than {SHARD_LIMIT:,} shards"
        )
    shards: List[Shard] = []
    first = end = tiles = 0
    for low, high, count in _pieces(region, min_zoom, max_zoom, metatile, shard_size):
        if tiles and tiles + count > shard_size:
            shards.append(Shard(len(shards), first, end, tiles))
            tiles = 0
        if tiles == 0:
            first = low
        end, tiles = high, tiles + count
    shards.append(Shard(len(shards), first, end, tiles))
    return shards


def _pieces(
    region: Region, min_zoom: int, max_zoom: int, metatile: int, shard_size: int
) -> Iterator[Tuple[int, int, int]]:
    """Squares that are not cut: numbers from, to before, and how many tiles."""
    for z in range(min_zoom, max_zoom + 1):
        deepest, base = z - block_zooms(z, metatile), first_id(z)
        stack = [WORLD]
        while stack:
            square = stack.pop()
            k, x, y, at, _ = square
            down = z - k
            count = region.count(z, x << down, y << down, 1 << down)
            if count == 0:
                continue
            if count <= shard_size or k == deepest:
                yield base + (at << 2 * down), base + (at + 1 << 2 * down), count
            else:
                stack.extend(reversed(list(quarters(square))))


def blocks_of(region: Region, shard: Shard, min_zoom: int, max_zoom: int, metatile: int) -> Iterator[Block]:
    """The blocks of a shard in the order of the curve."""
    for z in range(min_zoom, max_zoom + 1):
        base, total = first_id(z), 1 << 2 * z
        low, high = max(shard.first - base, 0), min(shard.end - base, total)
        if low >= high:
            continue
        size = block_zooms(z, metatile)
        stack = [(WORLD, False)]
        while stack:
            square, is_full = stack.pop()
            k, x, y, at, _ = square
            down = z - k
            if at + 1 << 2 * down <= low or at << 2 * down >= high:
                continue
            if not is_full:
                count = region.count(z, x << down, y << down, 1 << down)
                if count == 0:
                    continue
                # What lies in a square that the region fills is not counted again.
                is_full = count == 1 << 2 * down
            if down == size:
                tiles = list(_tiles(region, square, z, is_full))
                yield Block(z, x << down, y << down, 1 << down, base + (at << 2 * down), tiles)
            else:
                stack.extend((each, is_full) for each in reversed(list(quarters(square))))


def _tiles(region: Region, square: Square, z: int, is_full: bool) -> Iterator[Tuple[int, int]]:
    """The tiles of a square in the order of the curve."""
    stack = [square]
    while stack:
        here = stack.pop()
        k, x, y, _, _ = here
        down = z - k
        if not is_full and region.count(z, x << down, y << down, 1 << down) == 0:
            continue
        if down == 0:
            yield x, y
        else:
            stack.extend(reversed(list(quarters(here))))

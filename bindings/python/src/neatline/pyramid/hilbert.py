"""Numbers of tiles along the Hilbert curve, as PMTiles has them.

All tiles of the zooms below come first, then those of a zoom in the order of its curve. The curve visits the
four quadrants of a square one after the other, so the 4^k tiles below any tile, k zooms down, have numbers in
a row: a block of the quadtree is an interval of numbers.

Within a square the quadrants come in the order (0,0), (0,1), (1,1), (1,0), seen through the square's own
symmetry. That is one of four: as it is, x and y swapped, both counted from the other side, or both of these.
So a state of two bits (1: swapped, 2: flipped) is all that has to be known on the way down.
"""

from __future__ import annotations

from typing import Iterable, Iterator, List, Tuple

MAX_ZOOM = 24

# For each state: of the four quadrants in their order, (x, y, the quadrant's own state).
_QUADRANTS: List[List[Tuple[int, int, int]]] = []
for _state in range(4):
    _row = []
    for _x, _y, _turn in ((0, 0, 1), (0, 1, 0), (1, 1, 0), (1, 0, 3)):
        if _state & 1:
            _x, _y = _y, _x
        if _state & 2:
            _x, _y = 1 - _x, 1 - _y
        _row.append((_x, _y, _state ^ _turn))
    _QUADRANTS.append(_row)


def first_id(z: int) -> int:
    """The number of a zoom's first tile; tiles of lower zooms have lower numbers."""
    return ((1 << 2 * z) - 1) // 3


def tile_id(z: int, x: int, y: int) -> int:
    """The number of the tile z/x/y."""
    at, state = 0, 0
    for bit in range(z - 1, -1, -1):
        here = (x >> bit & 1, y >> bit & 1)
        for index, (qx, qy, turned) in enumerate(_QUADRANTS[state]):
            if (qx, qy) == here:
                at, state = at << 2 | index, turned
                break
    return first_id(z) + at


def tile_of(number: int) -> Tuple[int, int, int]:
    """The tile z, x, y of a number."""
    z = (3 * number + 1).bit_length() - 1 >> 1
    at = number - first_id(z)
    x = y = state = 0
    for bit in range(z - 1, -1, -1):
        qx, qy, state = _QUADRANTS[state][at >> 2 * bit & 3]
        x, y = x << 1 | qx, y << 1 | qy
    return z, x, y


# Of four zooms at once: for each state and number of two hexadecimal digits, (x, y, the square's own state).
_STEPS: List[List[Tuple[int, int, int]]] = []
for _state in range(4):
    _row = []
    for _number in range(256):
        _x = _y = 0
        _now = _state
        for _shift in (6, 4, 2, 0):
            _qx, _qy, _now = _QUADRANTS[_now][_number >> _shift & 3]
            _x, _y = _x << 1 | _qx, _y << 1 | _qy
        _row.append((_x, _y, _now))
    _STEPS.append(_row)


def tiles_of(numbers: Iterable[int]) -> Iterator[Tuple[int, int, int]]:
    """The tiles z, x, y of numbers, fast where they come in order."""
    low, high, z = 0, 0, -1
    block, at_x, at_y, row = -1, 0, 0, _STEPS[0]
    for number in numbers:
        if not low <= number < high:
            z = (3 * number + 1).bit_length() - 1 >> 1
            low, high = first_id(z), first_id(z + 1)
            block = -1
        if z < 4:
            yield tile_of(number)
            continue
        at = number - low
        if at >> 8 != block:
            block = at >> 8
            at_x = at_y = state = 0
            for bit in range(z - 5, -1, -1):
                qx, qy, state = _QUADRANTS[state][block >> 2 * bit & 3]
                at_x, at_y = at_x << 1 | qx, at_y << 1 | qy
            row = _STEPS[state]
        x, y, _ = row[at & 255]
        yield z, at_x << 4 | x, at_y << 4 | y


# A square of the quadtree: its zoom, x, y, its number along the curve of its zoom, its state.
Square = Tuple[int, int, int, int, int]
WORLD: Square = (0, 0, 0, 0, 0)


def quarters(square: Square) -> Iterator[Square]:
    """The four squares of a square, in the order of the curve."""
    z, x, y, at, state = square
    for index, (qx, qy, turned) in enumerate(_QUADRANTS[state]):
        yield z + 1, x << 1 | qx, y << 1 | qy, at << 2 | index, turned

"""What rasters of a pyramid have in common: the rectangle of a zoom's tiles in metres of Web Mercator, and
pictures as arrays."""

from __future__ import annotations

from typing import Any, NamedTuple, Tuple

from ...errors import LimitExceededError
from ...image import decode_image
from ..plan import Plan
from ..region import span

# Half the edge of the Web Mercator square, metres.
HALF = 20037508.342789244
# Pixels an edge of a raster.
EDGE_LIMIT = (1 << 31) - 1


class Extent(NamedTuple):
    """The pixels of a zoom that a raster shows: width and height, the first tile's column and row, and
    metres: a pixel's, and of the upper left corner."""

    zoom: int
    width: int
    height: int
    column: int
    row: int
    metres: float
    left: float
    top: float

    @property
    def transform(self) -> Tuple[float, ...]:
        """As GDAL and rasterio have it: a, b, c, d, e, f."""
        return (self.metres, 0.0, self.left, 0.0, -self.metres, self.top)


def extent_of(plan: Plan, zoom: int) -> Extent:
    """The rectangle of a zoom's tiles. Past the 180th meridian it goes on to the east."""
    column, columns, row, rows = span(plan.area, zoom)
    width, height = columns * plan.pixels, rows * plan.pixels
    if max(width, height) > EDGE_LIMIT:
        raise LimitExceededError(
            f"zoom {zoom} is {width:,} x {height:,} pixels, the limit of a raster's edge is {EDGE_LIMIT:,}"
        )
    tile = 2 * HALF / (1 << zoom)
    return Extent(
        zoom, width, height, column, row, tile / plan.pixels, column * tile - HALF, HALF - row * tile
    )


def offset_in(plan: Plan, extent: Extent, x: int, y: int) -> Tuple[int, int]:
    """Where a tile's first pixel is in an extent: column and row."""
    return (x - extent.column) % (1 << extent.zoom) * plan.pixels, (y - extent.row) * plan.pixels


def pixels_of(data: bytes) -> Any:
    """A picture as (height, width, 4) of uint8, colours not multiplied by alpha."""
    return decode_image(data).to_numpy()

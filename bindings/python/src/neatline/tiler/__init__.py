"""Vector tiles of large data, on one machine or on a cluster.

    >>> from neatline import tiler
    >>> tiler.tile([("roads", "roads.parquet"), "towns.geojson"], "map.pmtiles", max_zoom=12)

`tile` reads GeoJSON, GeoParquet and what OGR reads, piece by piece, and makes an archive of vector tiles, in
this process, in several, or over Dask, Ray and any other executor. `VectorTiler` is what is below: features
in, tiles out, in steps that can run anywhere: docs/vector-tiles.md.
"""

from ..pyramid.errors import ChangedError, PartError
from ..pyramid.executors import RayExecutor
from .pieces import MissingPackageError
from .plan import Input
from .run import Report, tile
from .vector import VectorTiler

__all__ = [
    "ChangedError",
    "Input",
    "MissingPackageError",
    "PartError",
    "RayExecutor",
    "Report",
    "VectorTiler",
    "tile",
]

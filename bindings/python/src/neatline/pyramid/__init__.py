"""Pyramids of map tiles, on one machine or on a cluster.

    >>> from neatline import pyramid
    >>> plan = pyramid.plan("style.json", bounds=(9.4, 46.9, 9.7, 47.3), max_zoom=14)
    >>> pyramid.render(plan, "tiles.pmtiles")

A plan says what the tiles are and cuts them into shards; a shard becomes a part in a folder; the parts become
an archive, a folder of files, a GeoTIFF or a Zarr group. Each step can run on its own, on any machine that
reaches the folder: docs/pyramids.md.
"""

from .errors import ChangedError, IncompleteError, PartError
from .executors import RayExecutor
from .merge import CancelledByCaller, Summary, merge
from .parts import Record, render_shard
from .plan import Plan, plan
from .run import missing_shards, prepare_folder, render
from .shards import Block, Shard
from .verify import Fault, Verification, verify

__all__ = [
    "Block",
    "CancelledByCaller",
    "ChangedError",
    "Fault",
    "IncompleteError",
    "PartError",
    "Plan",
    "RayExecutor",
    "Record",
    "Shard",
    "Summary",
    "Verification",
    "merge",
    "missing_shards",
    "plan",
    "prepare_folder",
    "render",
    "render_shard",
    "verify",
]

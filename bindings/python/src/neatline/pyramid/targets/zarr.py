"""A Zarr group: an array (rows, columns, RGBA) of bytes a zoom, a chunk a tile, with the group's
"multiscales" naming them from the deepest zoom on. Every array knows its coordinate system and affine
transform."""

from __future__ import annotations

from typing import Any, Dict, Optional

from ..plan import Plan
from ..store import Failure
from .base import Target, about
from .raster import Extent, extent_of, offset_in, pixels_of


class ZarrTarget(Target):
    """Chunks of tiles that are left out are not written and read as transparent."""

    @classmethod
    def check(cls) -> None:  # type: ignore[override]
        try:
            import numpy  # noqa: F401
            import zarr
            import zarr.storage
        except ImportError:
            raise ImportError("a Zarr group needs zarr and numpy: pip install neatline[zarr]") from None
        if not hasattr(zarr, "create_group"):
            raise ImportError(
                f"a Zarr group needs zarr 3, this is {zarr.__version__}: pip install neatline[zarr]"
            )

    def __init__(
        self, plan: Plan, address: str, kind: str, overwrite: bool, storage: Optional[Dict[str, Any]]
    ) -> None:
        self.check()
        import zarr

        super().__init__(plan, address.rstrip("/"), kind, overwrite, storage)
        with Failure(self.address):
            if self._is_there():
                self._remove()
            store = self.place
            if self.remote is not None:
                store = zarr.storage.FsspecStore.from_url(self.address, storage_options=storage)
            self._group = zarr.create_group(store=store, overwrite=True)
        self._arrays: Dict[int, Any] = {}
        self._extents: Dict[int, Extent] = {}

    def _remove(self) -> None:
        import os
        import shutil

        if self.remote is not None:
            self.remote.rm(self.place, recursive=True)
        elif os.path.isdir(self.place) and not os.path.islink(self.place):
            shutil.rmtree(self.place)
        else:
            os.unlink(self.place)

    def add(self, z: int, x: int, y: int, data: bytes) -> None:
        if z not in self._arrays:
            self._begin(z)
        extent, edge = self._extents[z], self.plan.pixels
        left, top = offset_in(self.plan, extent, x, y)
        with Failure(self.address):
            self._arrays[z][top : top + edge, left : left + edge, :] = pixels_of(data)

    def _begin(self, z: int) -> None:
        extent, edge = extent_of(self.plan, z), self.plan.pixels
        with Failure(self.address):
            self._arrays[z] = self._group.create_array(
                str(z),
                shape=(extent.height, extent.width, 4),
                chunks=(edge, edge, 4),
                dtype="uint8",
                fill_value=0,
                dimension_names=("y", "x", "band"),
                attributes={
                    "zoom": z,
                    "crs": "EPSG:3857",
                    "transform": list(extent.transform),
                    "bands": ["red", "green", "blue", "alpha"],
                },
            )
        self._extents[z] = extent

    def finish(self) -> None:
        plan = self.plan
        for z in range(plan.min_zoom, plan.max_zoom + 1):
            if z not in self._arrays:
                self._begin(z)
        levels = [
            {"path": str(z), "crs": "EPSG:3857", "pixelsPerTile": plan.pixels, "zoom": z}
            for z in range(plan.max_zoom, plan.min_zoom - 1, -1)
        ]
        with Failure(self.address):
            # Last: a group without it is not whole.
            self._group.attrs.update(
                {
                    **about(plan),
                    "multiscales": [
                        {"tile_matrix_set": "WebMercatorQuad", "datasets": levels, "type": "rendered"}
                    ],
                }
            )

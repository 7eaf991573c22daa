"""A cloud-optimised GeoTIFF: the deepest zoom as the picture, lower zooms, as they were drawn, as its
overviews. Written by rasterio (GDAL).

Each zoom is first a tiled TIFF of its own beside the target. A virtual dataset names the lower ones as
overviews of the deepest, and GDAL's COG driver copies it all into its order. An overview has to show the very
ground of the picture, half as many pixels a zoom: that ground begins at a tile of the deepest zoom, which is
a whole pixel of as many zooms above as a tile's edge can be halved.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, Dict, List, Optional
from xml.sax.saxutils import escape

from ...errors import FileError, InvalidArgumentError
from ..plan import Plan
from ..store import Failure
from .base import LocalFile, Target, about
from .raster import Extent, extent_of, pixels_of

COMPRESSIONS = ("DEFLATE", "LZW", "ZSTD", "WEBP", "JPEG", "NONE")
BLOCK = 512


class CogTarget(Target):
    """compression: DEFLATE, LZW, ZSTD, WEBP, JPEG or NONE, as far as GDAL was built with it. A plan of
    format jpg has three bands, others have alpha as their fourth."""

    options = ("compression",)

    @classmethod
    def check(cls, *, compression: str = "DEFLATE") -> None:  # type: ignore[override]
        try:
            import numpy  # noqa: F401
            import rasterio.shutil
            import rasterio.windows  # noqa: F401
        except ImportError:
            raise ImportError("a GeoTIFF needs rasterio and numpy: pip install neatline[cog]") from None
        if compression.upper() not in COMPRESSIONS:
            raise InvalidArgumentError(f"compression {compression!r} is none of {', '.join(COMPRESSIONS)}")

    def __init__(
        self,
        plan: Plan,
        address: str,
        kind: str,
        overwrite: bool,
        storage: Optional[Dict[str, Any]],
        *,
        compression: str = "DEFLATE",
    ) -> None:
        self.check(compression=compression)
        import rasterio

        super().__init__(plan, address, kind, overwrite, storage)
        self._rasterio, self._compression = rasterio, compression.upper()
        self._bands = 3 if plan.format == "jpg" else 4
        self._file = LocalFile(self, ".tif")
        self._levels: Dict[int, Any] = {}
        with Failure(self.address):
            self._work = tempfile.mkdtemp(prefix=".neatline-cog-", dir=os.path.dirname(self._file.path))
        self._extents = self._overviews(extent_of(plan, plan.max_zoom))

    def _overviews(self, deepest: Extent) -> Dict[int, Extent]:
        """The picture and those zooms that can be its overviews, by zoom."""
        plan, found = self.plan, {deepest.zoom: deepest}
        left, top = deepest.column * plan.pixels, deepest.row * plan.pixels
        for zoom in range(deepest.zoom - 1, plan.min_zoom - 1, -1):
            half = 1 << deepest.zoom - zoom
            last = found[zoom + 1]
            if left % half or top % half or max(last.width, last.height) <= BLOCK:
                break
            found[zoom] = deepest._replace(
                zoom=zoom, width=-(-deepest.width // half), height=-(-deepest.height // half),
                column=left // half, row=top // half, metres=deepest.metres * half,
            )  # fmt: skip
        return found

    def _level(self, extent: Extent) -> Any:
        if extent.zoom not in self._levels:
            from rasterio.enums import ColorInterp
            from rasterio.transform import Affine

            bands = (ColorInterp.red, ColorInterp.green, ColorInterp.blue, ColorInterp.alpha)[: self._bands]
            level = self._rasterio.open(
                self._path(extent.zoom), "w", driver="GTiff", width=extent.width, height=extent.height,
                count=self._bands, dtype="uint8", crs="EPSG:3857", transform=Affine(*extent.transform),
                tiled=True, blockxsize=256, blockysize=256, compress="LZW", interleave="pixel",
                sparse_ok=True, bigtiff="IF_SAFER", photometric="RGB",
            )  # fmt: skip
            level.colorinterp = bands
            self._levels[extent.zoom] = level
        return self._levels[extent.zoom]

    def _path(self, zoom: int) -> str:
        return os.path.join(self._work, f"{zoom}.tif")

    def add(self, z: int, x: int, y: int, data: bytes) -> None:
        extent = self._extents.get(z)
        if extent is None:
            return
        edge, deepest = self.plan.pixels, z == self.plan.max_zoom
        world = edge << z
        # For the picture column and row count tiles, for its overviews pixels.
        left = x * edge - (extent.column * edge if deepest else extent.column)
        top = y * edge - (extent.row * edge if deepest else extent.row)
        # A tile of a lower zoom may reach past each side of the picture, and across the 180th meridian.
        for start in (left, left + world):
            first, end = max(start, 0), min(start + edge, extent.width)
            low, high = max(top, 0), min(top + edge, extent.height)
            if first >= end or low >= high:
                continue
            pixels = pixels_of(data)[low - top : high - top, first - start : end - start, : self._bands]
            with self._failure():
                self._level(extent).write(
                    pixels.transpose(2, 0, 1),
                    window=self._rasterio.windows.Window(first, low, end - first, high - low),
                )

    def _failure(self) -> "_RasterFailure":
        return _RasterFailure(self._rasterio, self.address)

    def finish(self) -> None:
        with self._failure():
            self._level(self._extents[self.plan.max_zoom])
            for level in self._levels.values():
                level.close()
            picture = os.path.join(self._work, "all.vrt")
            with open(picture, "w", encoding="utf-8") as file:
                file.write(self._virtual())
            options: Dict[str, Any] = {
                "COMPRESS": self._compression,
                "BLOCKSIZE": BLOCK,
                "BIGTIFF": "IF_SAFER",
            }
            if self._compression in ("DEFLATE", "LZW", "ZSTD"):
                options["PREDICTOR"] = "STANDARD"
            options["OVERVIEWS"] = "FORCE_USE_EXISTING" if len(self._levels) > 1 else "NONE"
            self._rasterio.shutil.copy(picture, self._file.path, driver="COG", **options)
        self._file.publish()
        shutil.rmtree(self._work, ignore_errors=True)

    def _virtual(self) -> str:
        """The virtual dataset of all zooms."""
        plan, deepest = self.plan, self._extents[self.plan.max_zoom]
        t = deepest.transform
        lines: List[str] = [
            f'<VRTDataset rasterXSize="{deepest.width}" rasterYSize="{deepest.height}">',
            "<SRS>EPSG:3857</SRS>",
            f"<GeoTransform>{t[2]!r}, {t[0]!r}, 0.0, {t[5]!r}, 0.0, {t[4]!r}</GeoTransform>",
            "<Metadata>",
        ]
        for key, value in about(plan).items():
            if isinstance(value, str):
                key = "NEATLINE_PLAN" if key == "neatline:plan" else key.upper()
                lines.append(f'<MDI key="{escape(key)}">{escape(value)}</MDI>')
        lines.append("</Metadata>")
        names = ("Red", "Green", "Blue", "Alpha")
        for band in range(1, self._bands + 1):
            lines.append(f'<VRTRasterBand dataType="Byte" band="{band}">')
            lines.append(f"<ColorInterp>{names[band - 1]}</ColorInterp>")
            for zoom in sorted(self._levels, reverse=True)[1:]:
                lines.append(
                    f'<Overview><SourceFilename relativeToVRT="1">{zoom}.tif</SourceFilename>'
                    f"<SourceBand>{band}</SourceBand></Overview>"
                )
            lines.append(
                f'<SimpleSource><SourceFilename relativeToVRT="1">{plan.max_zoom}.tif</SourceFilename>'
                f"<SourceBand>{band}</SourceBand></SimpleSource></VRTRasterBand>"
            )
        return "\n".join(lines + ["</VRTDataset>"])

    def abort(self) -> None:
        for level in self._levels.values():
            try:
                level.close()
            except Exception:  # noqa: BLE001  what failed is told already
                pass
        shutil.rmtree(self._work, ignore_errors=True)
        self._file.remove()


class _RasterFailure:
    """Turns what rasterio raises into FileError."""

    def __init__(self, rasterio: Any, address: str) -> None:
        self._errors, self._address = (rasterio.errors.RasterioError, OSError), address

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, self._errors) and not isinstance(error, FileError):
            raise FileError(f"{self._address}: {error}") from error

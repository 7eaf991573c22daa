"""Coordinate systems of inputs: which are degrees of longitude and latitude, and the way there for others."""

from __future__ import annotations

import json
from typing import Any, Optional

from ..errors import FileError, UnsupportedError
from .pieces import MissingPackageError

# Degrees on WGS 84; files give longitude first whatever the order of the definition's axes.
DEGREES = ("OGC:CRS84", "OGC:CRS84H", "EPSG:4326", "EPSG:4979")


def text_of(crs: Any) -> str:
    """A coordinate system as text for pyproj: "AUTHORITY:CODE" where it has one, else PROJJSON or what it
    was."""
    if isinstance(crs, dict):
        identity = crs.get("id")
        if isinstance(identity, dict) and "authority" in identity and "code" in identity:
            return f"{identity['authority']}:{identity['code']}"
        return json.dumps(crs)
    return str(crs)


def needed(crs: Any, address: str) -> Optional[str]:
    """The coordinate system to transform from; None where coordinates are degrees already. Raises
    UnsupportedError for one that cannot be transformed from, with its name."""
    text = text_of(crs)
    if text.upper() in DEGREES:
        return None
    try:
        import pyproj
        import shapely  # noqa: F401
    except ImportError:
        raise MissingPackageError(
            f"{address}: coordinates are in {short(text)}, not in degrees of longitude and latitude "
            "(OGC:CRS84); to have them transformed: pip install pyproj shapely"
        ) from None
    try:
        system = pyproj.CRS.from_user_input(text)
        if system.equals(pyproj.CRS.from_user_input("OGC:CRS84"), ignore_axis_order=True):
            return None
        transformer(text)
    except pyproj.exceptions.ProjError as error:
        raise UnsupportedError(f"{address}: there is no way from {short(text)} to degrees: {error}") from None
    return text


def short(text: str) -> str:
    """A coordinate system in a few words."""
    if text.startswith("{"):
        try:
            return str(json.loads(text).get("name", "a system without a name"))
        except ValueError:
            pass
    words = " ".join(text.split())
    if "[" in words[:40] and '"' in words:
        return words.split('"')[1]
    return words[:80]


def transformer(text: str) -> Any:
    """From a coordinate system to longitude and latitude."""
    import pyproj

    return pyproj.Transformer.from_crs(text, "OGC:CRS84", always_xy=True)


def transformed(wkb: Any, transform: Any, address: str) -> Any:
    """An array of WKB (pyarrow's) in other coordinates; what cannot be transformed becomes infinite, which
    the library refuses with the row."""
    import numpy
    import pyarrow
    import shapely

    def move(points: Any) -> Any:
        return numpy.stack(transform.transform(points[:, 0], points[:, 1]), axis=1)

    try:
        shapes = shapely.from_wkb(wkb.to_numpy(zero_copy_only=False))
    except shapely.errors.ShapelyError as error:
        raise FileError(f"{address}: a geometry is damaged: {error}") from None
    return pyarrow.array(shapely.to_wkb(shapely.transform(shapes, move)), type=pyarrow.binary())

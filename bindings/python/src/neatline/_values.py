"""What Python has, as the library takes it: JSON of numpy, pandas and geometry objects, whole numbers of any
kind, times."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import operator
import os
from typing import Any, Iterable, Iterator, Mapping, Optional, Tuple

from .errors import InvalidArgumentError


def as_json(value: Any) -> bytes:
    """JSON text: text and bytes as they are, anything else written out.

    numpy's numbers and arrays, dates, paths, pandas' missing values and objects with `__geo_interface__`
    (shapely, geopandas, fiona) may be anywhere inside. Raises InvalidArgumentError for NaN and infinities,
    which JSON does not have, naming their place and feature.
    """
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    try:
        return json.dumps(
            value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain
        ).encode()
    except ValueError as error:
        for place, number in _not_finite(value, ()):
            raise InvalidArgumentError(
                f"{_words(value, place)} is {number}, which JSON does not have; None is for what is missing"
            ) from None
        raise InvalidArgumentError(str(error)) from None


def as_value(value: Any) -> bytes:
    """JSON of a value, a string as one; nothing for None, which removes."""
    return b"" if value is None else as_json(value) if not isinstance(value, str) else as_json([value])[1:-1]


def as_geojson(value: Any) -> bytes:
    """GeoJSON text: of a document, an object with `__geo_interface__`, or several features, geometries or
    such objects in a list; files by os.PathLike."""
    if isinstance(value, (str, bytes, bytearray, memoryview, Mapping)):
        return as_json(value)
    if isinstance(value, os.PathLike):
        with open(value, "rb") as file:
            return file.read()
    if hasattr(value, "__geo_interface__"):
        return as_json(_geometry(value))
    try:
        items = list(value)
    except TypeError:
        raise TypeError(
            f"{type(value).__name__} is no GeoJSON: a document, an object with __geo_interface__, "
            "or a list of these is"
        ) from None
    return as_json({"type": "FeatureCollection", "features": [_feature(item) for item in items]})


def whole(value: Any, name: str, low: int = 0, high: int = 0xFFFFFFFF) -> int:
    """A whole number, numpy's too. Raises InvalidArgumentError past its range, where ctypes would cut it."""
    number = operator.index(value)
    if not low <= number <= high:
        raise InvalidArgumentError(f"{name} {number} is not within {low} to {high}")
    return number


def milliseconds(seconds: Optional[float]) -> int:
    """A time as the library takes it: 0 for none or without end."""
    if seconds is None or seconds == math.inf:
        return 0
    if not seconds >= 0:
        raise InvalidArgumentError(f"{seconds} seconds are no time to wait")
    return max(1, min(int(seconds * 1000), 0xFFFFFFFF))


def given(**options: Any) -> bytes:
    """JSON of the options that are not None, under the names of the C header: `line_metrics` is
    lineMetrics."""
    named = {}
    for name, value in options.items():
        if value is not None:
            first, *others = name.split("_")
            named[first + "".join(part.capitalize() for part in others)] = value
    return as_json(named)


def _plain(value: Any) -> Any:
    """What json does not write by itself."""
    if hasattr(value, "__geo_interface__"):
        return _geometry(value)
    if type(value).__name__ in ("NAType", "NaTType"):
        return None
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, decimal.Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return list(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a {type(value).__name__} is not JSON")


def _geometry(value: Any) -> Any:
    """The GeoJSON of an object, in longitudes and latitudes where it knows its coordinate system and can
    leave it."""
    system = getattr(value, "crs", None)
    if system is not None and hasattr(value, "to_crs") and getattr(system, "to_epsg", lambda: None)() != 4326:
        value = value.to_crs(4326)
    return value.__geo_interface__


def _feature(item: Any) -> Any:
    found = item if isinstance(item, Mapping) else getattr(item, "__geo_interface__", None)
    if not isinstance(found, Mapping):
        raise TypeError(f"{type(item).__name__} is neither a feature nor a geometry")
    return (
        found if found.get("type") == "Feature" else {"type": "Feature", "properties": {}, "geometry": found}
    )


def _not_finite(value: Any, place: Tuple[Any, ...]) -> Iterator[Tuple[Tuple[Any, ...], float]]:
    """The places of numbers that JSON does not have."""
    if isinstance(value, float):
        if not math.isfinite(value):
            yield place, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _not_finite(each, (*place, key))
    elif isinstance(value, (list, tuple)):
        for index, each in enumerate(value):
            yield from _not_finite(each, (*place, index))
    elif not isinstance(value, (str, int, type(None))):
        yield from _not_finite(_plain(value), place)


def _words(value: Any, place: Tuple[Any, ...]) -> str:
    """A place as text, with the id of the feature that it lies in."""
    text, identifier = "", None
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
        if not isinstance(value, (dict, list, tuple)):
            value = _plain(value)
        value = value[step]
        if isinstance(value, dict) and value.get("type") == "Feature":
            identifier = value.get("id")
    return (text or "the value") + (f" (feature {identifier!r})" if identifier is not None else "")


def bits_of(numbers: Any, what: str, names: Iterable[str]) -> int:
    """The sum of names' bits, as the library has them."""
    if isinstance(names, str):
        raise InvalidArgumentError(f"{what} is a list of names, not {names!r}")
    bits = 0
    for name in names:
        bits |= named(numbers, what, name)
    return bits


def named(numbers: Any, what: str, name: str) -> int:
    """The number of a name, as the library has it."""
    for each in numbers:
        if each.name.lower() == name:
            return int(each)
    known = ", ".join(each.name.lower() for each in numbers)
    raise InvalidArgumentError(f"{what} {name!r} is none of {known}")

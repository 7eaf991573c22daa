"""What Python has, as the library takes it: JSON of numpy, pandas and geometry objects, whole numbers of any
kind, times."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import operator
import os
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Tuple

from .errors import InvalidArgumentError, UnknownNameError


def as_json(value: Any) -> bytes:
    """JSON text: text and bytes as they are, anything else written out.

    numpy's numbers and arrays, dates, paths, pandas' missing values and objects with `__geo_interface__`
    (shapely, geopandas, fiona) may be anywhere inside. Raises InvalidArgumentError for NaN and infinities,
    which JSON does not have, naming their place and feature.
    """
    if isinstance(value, str):
        return utf8(value, "the JSON text")
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    try:
        return json.dumps(
            value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=_plain
        ).encode()
    except UnicodeEncodeError as error:
        raise InvalidArgumentError(f"the text {shown(error.object[error.start : error.end])} is not Unicode") from None
    except RecursionError:
        raise InvalidArgumentError("the value is nested too deeply to be JSON") from None
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


def shown(value: Any) -> str:
    """A value as messages have it: one line of ASCII, cut where it is long."""
    try:
        found = ascii(value)
    except Exception:  # a huge integer, or a broken __repr__
        found = f"a value of type {type(value).__name__}"
    return found if len(found) <= 80 else f"{found[:77]}..."


def utf8(value: Any, name: str) -> bytes:
    """Text as UTF-8. Raises TypeError for a value that is not a str, InvalidArgumentError for a lone surrogate."""
    if not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {shown(value)}")
    try:
        return value.encode()
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"{name} must be Unicode text without lone surrogates, not {shown(value)}") from None


def path_text(value: Any, name: str) -> bytes:
    """A path or URL as UTF-8. Raises as `utf8`."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name} must be a str or os.PathLike, not {shown(value)}")
    return utf8(os.fsdecode(os.fspath(value)), name)


def path_bytes(value: Any, name: str) -> bytes:
    """A path of the file system, as bytes of its encoding, which may be any bytes but 0."""
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise TypeError(f"{name} must be a str or os.PathLike, not {shown(value)}")
    try:
        return os.fsencode(value)
    except UnicodeEncodeError:
        raise InvalidArgumentError(f"{name} must be a path, not {shown(value)}") from None


def path_str(value: Any, name: str) -> str:
    """A path as text, in which bytes that are not UTF-8 are surrogates, as Python has them. Raises as `path_bytes`."""
    return os.fsdecode(path_bytes(value, name))


def real(value: Any, name: str) -> float:
    """A number as a double, NaN and infinities too. Raises TypeError for a value that is not a number,
    InvalidArgumentError for an integer past the range of a double."""
    if type(value) is float:
        return value
    try:
        if isinstance(value, (str, bytes, bytearray)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {shown(value)}") from None
    except OverflowError:
        raise InvalidArgumentError(f"{name} must be a finite number, not {shown(value)}") from None


def finite(value: Any, name: str) -> float:
    """A number that is neither NaN nor infinite. Raises as `real`."""
    if type(value) is float and math.isfinite(value):
        return value
    number = real(value, name)
    if not math.isfinite(number):
        raise InvalidArgumentError(f"{name} must be a finite number, not {number}")
    return number


def several(value: Any, name: str) -> List[Any]:
    """The members of an iterable. Raises TypeError for a value that is not iterable."""
    try:
        return list(value)
    except TypeError:
        raise TypeError(f"{name} must be a sequence, not {shown(value)}") from None


def reals(value: Any, name: str, count: int) -> List[float]:
    """A number of numbers."""
    found = several(value, name)
    if len(found) != count:
        raise InvalidArgumentError(f"{name} has {len(found)} numbers: {count} are needed")
    return [real(each, name) for each in found]


def sides_of(value: Any, name: str) -> List[float]:
    """A padding: one number for all sides, or the four of top, left, bottom and right."""
    if type(value) is int or not hasattr(value, "__len__"):
        return [real(value, name)] * 4
    found = several(value, name)
    if len(found) != 4:
        raise InvalidArgumentError(f"{name} has {len(found)} numbers: one, or top, left, bottom and right")
    return [real(each, name) for each in found]


def mapping(value: Any, name: str) -> Mapping[Any, Any]:
    """A mapping. Raises TypeError for another value."""
    if not isinstance(value, Mapping):
        raise TypeError(f"{name} must be a mapping, not {shown(value)}")
    return value


def instance(value: Any, kind: Any, name: str) -> Any:
    """An instance of a class, which is given as the class, as several, or by its name where its module cannot be
    imported. Raises TypeError for another value."""
    is_one = (
        any(each.__name__ == kind for each in type(value).__mro__)
        if isinstance(kind, str)
        else isinstance(value, kind)
    )
    if not is_one:
        kinds = kind if isinstance(kind, tuple) else (kind,)
        wanted = " or ".join(each if isinstance(each, str) else each.__name__ for each in kinds)
        raise TypeError(f"{name} must be a {wanted}, not {shown(value)}")
    return value


def is_callable(value: Any, name: str) -> Any:
    """Something that can be called. Raises TypeError for another value."""
    if not callable(value):
        raise TypeError(f"{name} must be callable, not {shown(value)}")
    return value


def member(numbers: Any, what: str, name: Any) -> Any:
    """The member of an enumeration by its name, in any case. Raises InvalidArgumentError for another name."""
    found = getattr(numbers, "__members__").get(name.upper()) if isinstance(name, str) else None
    if found is None:
        known = ", ".join(each.name.lower() for each in numbers)
        raise InvalidArgumentError(f"{what} {shown(name)} is none of {known}")
    return found


def chosen(table: Mapping[Any, Any], what: str, name: Any) -> Any:
    """The entry of a table by its name. Raises InvalidArgumentError for another name."""
    try:
        return table[name]
    except (KeyError, TypeError):
        known = ", ".join(str(each) for each in table)
        raise UnknownNameError(f"{what} {shown(name)} is none of {known}") from None


def parsed_geojson(value: Any, name: str) -> Any:
    """A document of `as_geojson` as Python's objects. Raises InvalidArgumentError for text that is not JSON."""
    try:
        return json.loads(as_geojson(value))
    except InvalidArgumentError:
        raise
    except ValueError as error:
        raise InvalidArgumentError(f"{name} is not GeoJSON: {error}") from None
    except RecursionError:
        raise InvalidArgumentError(f"{name} is nested too deeply to be GeoJSON") from None


def whole(value: Any, name: str, low: int = 0, high: int = 0xFFFFFFFF) -> int:
    """A whole number, numpy's too. Raises TypeError for a value that is not a whole number,
    InvalidArgumentError past its range, where ctypes would cut it."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {shown(value)}") from None
    if not low <= number <= high:
        raise InvalidArgumentError(f"{name} {shown(number)} is not within {low} to {high}")
    return number


def milliseconds(seconds: Optional[float], name: str = "the time") -> int:
    """A time as the library takes it: 0 for none or without end."""
    if seconds is None:
        return 0
    seconds = real(seconds, name)
    if seconds == math.inf:
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
    for name in several(names, what):
        bits |= named(numbers, what, name)
    return bits


def named(numbers: Any, what: str, name: str) -> int:
    """The number of a name, as the library has it."""
    for each in numbers:
        if each.name.lower() == name:
            return int(each)
    known = ", ".join(each.name.lower() for each in numbers)
    raise InvalidArgumentError(f"{what} {shown(name)} is none of {known}")

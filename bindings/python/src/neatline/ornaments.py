"""What a map or a picture says about itself in its corners."""

from __future__ import annotations

import re
from ctypes import c_char_p, c_void_p, cast, sizeof
from dataclasses import dataclass
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _abi
from ._library import pointer_of
from ._values import as_json, instance, real, several, shown
from .errors import InvalidArgumentError
from .image import Image


@dataclass(frozen=True)
class ScaleBar:
    """How long a part of the map is, at the latitude of its centre: at most half of the map's width.

    position: "top_left", "top_right", "bottom_left" or "bottom_right". margins: (x, y), logical pixels from the
    edges, 0 to 4096. visibility: "adaptive" (unless half of the width is longer than its longest row), "visible" or
    "hidden". units: "metric", "imperial" or "nautical".
    """

    position: str = "top_left"
    margins: Sequence[float] = (8, 8)
    visibility: str = "adaptive"
    units: str = "metric"


@dataclass(frozen=True)
class Compass:
    """Where north is; in a map, a tap on it turns it to the north.

    position, margins: as of ScaleBar. visibility: "adaptive" (where the map is turned, coming and going within 0.3
    seconds), "visible" or "hidden". image: in the place of the engine's own, its top to the north, at most 2048 pixels
    an edge; image_ratio: its pixels that make a logical pixel, above 0 to 16.
    """

    position: str = "top_right"
    margins: Sequence[float] = (8, 8)
    visibility: str = "adaptive"
    image: Optional[Image] = None
    image_ratio: float = 1


@dataclass(frozen=True)
class Attribution:
    """Whom the data is owed to, as plain text.

    position, margins: as of ScaleBar. visibility: "adaptive" (as "visible"), "visible" or "hidden". text: in the place
    of what the sources say. compact: a button with an i in its place; where somebody taps it (Map.ornament_at), the
    host tells the text.
    """

    position: str = "bottom_right"
    margins: Sequence[float] = (8, 8)
    visibility: str = "visible"
    text: Optional[str] = None
    compact: bool = False


@dataclass(frozen=True)
class Logo:
    """A picture of one's own, at most 2048 pixels an edge.

    image_ratio: its pixels that make a logical pixel, above 0 to 16. position, margins: as of ScaleBar. visibility:
    "adaptive" (as "visible"), "visible" or "hidden".
    """

    image: Image
    position: str = "bottom_left"
    margins: Sequence[float] = (8, 8)
    visibility: str = "visible"
    image_ratio: float = 1


@dataclass(frozen=True)
class Ornaments:
    """What stands in the corners of a map or a picture: those that are None are not there.

    Of several in a corner the attribution has it, then logo, scale bar and compass; whatever would lie over another
    moves past it, away from the top or the bottom, and is not there where no room is left for it.
    """

    scale_bar: Optional[ScaleBar] = None
    compass: Optional[Compass] = None
    attribution: Optional[Attribution] = None
    logo: Optional[Logo] = None


class OrnamentPlace(NamedTuple):
    """Where an ornament stands: its name as a member of Ornaments, its edges and size in logical pixels right of and
    below the view's top left corner, and how far it has come in, above 0 to 1."""

    ornament: str
    x: float
    y: float
    width: float
    height: float
    opacity: float


class AttributionLink(NamedTuple):
    """A stretch of an attribution without its HTML, and where it leads: an address of http, https or mailto, or
    None."""

    text: str
    href: Optional[str]


_NAMES = [None, "scale_bar", "compass", "attribution", "logo"]


def ornaments_of(given: Optional[Ornaments]) -> Tuple[_abi.Ornaments, Any]:
    """The library's structure, and what must be held while it is used."""
    result = _abi.Ornaments(struct_size=sizeof(_abi.Ornaments))
    if given is None:
        return result, None
    if not isinstance(given, Ornaments):
        raise InvalidArgumentError(f"{shown(given)} is not neatline.Ornaments")
    text = as_json({_camel(name): _members(getattr(given, name)) for name in _NAMES if name is not None})
    result.json, result.json_size = cast(c_char_p(text), c_void_p), len(text)
    held = [text]
    for name in ("logo", "compass"):
        ornament = getattr(given, name)
        if ornament is None or ornament.image is None:
            continue
        pointer = pointer_of(ornament.image, "Image", f"{name}.image")
        setattr(result, name, pointer._as_parameter_)
        setattr(result, f"{name}_pixel_ratio", real(ornament.image_ratio, "image_ratio"))
        held.append(pointer)
    return result, held


def _members(ornament: Any) -> Optional[Dict[str, Any]]:
    """An ornament as the library's JSON has it."""
    if ornament is None:
        return None
    instance(ornament, (ScaleBar, Compass, Attribution, Logo), "an ornament")
    if not isinstance(ornament.position, str):
        raise TypeError(f"position must be a str, not {shown(ornament.position)}")
    members = {
        "position": _camel(ornament.position),
        "margins": several(ornament.margins, "margins"),
        "visibility": ornament.visibility,
    }
    for name in ("units", "text", "compact"):
        if hasattr(ornament, name):
            members[name] = getattr(ornament, name)
    return members


def _camel(name: str) -> str:
    return re.sub("_[a-z]", lambda found: found[0][1].upper(), name)


def places_of(found: List[Dict[str, Any]]) -> List[OrnamentPlace]:
    """Places as the library tells them."""
    names = {_camel(name): name for name in _NAMES if name is not None}
    return [OrnamentPlace(**{**each, "ornament": names[each["ornament"]]}) for each in found]


def name_of(number: int) -> Optional[str]:
    """An ornament by its number in the library."""
    return _NAMES[number] if number < len(_NAMES) else None


def links_of(found: List[Dict[str, str]]) -> List[AttributionLink]:
    """Links as the library tells them."""
    return [AttributionLink(each["text"], each.get("href")) for each in found]

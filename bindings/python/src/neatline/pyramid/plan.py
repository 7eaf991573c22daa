"""Plans: everything that decides what the tiles of a pyramid are, as a value that can be written down."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
from dataclasses import dataclass, field
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from .._library import version
from .._values import as_json, mapping, path_str, real, several, shown, utf8, whole
from ..errors import InvalidArgumentError, InvalidStateError, JSONError, LimitExceededError
from ..renderer import Renderer
from . import region as regions
from .errors import ChangedError
from .hilbert import MAX_ZOOM
from .region import Region
from .shards import Shard, count_tiles, make_shards
from .sources import Resource, StyleInput, StyleText, read_style, resources, signature

FORMAT = 1
SIZES = (128, 256, 512, 1024, 2048)
METATILES = (1, 2, 4, 8, 16)
FORMATS = ("png", "jpg", "webp")
# Device pixels an edge of a picture, as the library has it.
PICTURE_LIMIT = 16384
# Logical pixels around a tile whose labels are placed with its own, as the library has it.
LABEL_MARGIN = 512
# Bytes of a plan as text.
TEXT_LIMIT = 256 << 20


@dataclass(frozen=True)
class Plan:
    """What a pyramid is: style, region, zooms, and how its tiles are drawn. `plan` makes one.

    style: the address of the style, or None where `style_text` holds it. resources: what the style draws
    from, with fingerprints. region: the tiles, in units of zoom 30. tiles, shards: how many there are.
    drawing: a hash of all that every tile depends on, which is all but the data. tilejson: what a finished
    pyramid says about itself. id: a hash of all the other members. The other members are the arguments of
    `plan`.
    """

    style: Optional[str]
    style_text: Optional[str]
    base: str
    resources: Tuple[Resource, ...]
    region: Dict[str, Any]
    min_zoom: int
    max_zoom: int
    size: int
    ratio: float
    format: str
    quality: Optional[int]
    small: bool
    metatile: int
    shard_size: int
    skip_empty: bool
    allow_incomplete: bool
    track_changes: bool
    check: str
    fonts: Tuple[str, ...]
    system_fonts: bool
    timeout: float
    tiles: int
    shards: int
    drawing: str
    tilejson: Dict[str, Any]
    library: str
    version: int = FORMAT
    id: str = ""
    _kept: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def pixels(self) -> int:
        """Device pixels an edge of a tile."""
        return round(self.size * self.ratio)

    @property
    def area(self) -> Region:
        """The region that the tiles cover."""
        if "area" not in self._kept:
            self._kept["area"] = regions.from_json(self.region)
        return self._kept["area"]

    def all_shards(self) -> List[Shard]:
        """The shards in the order of the curve. Raises InvalidStateError where this package finds others than
        the one that made the plan."""
        if "shards" not in self._kept:
            found = make_shards(self.area, self.min_zoom, self.max_zoom, self.metatile, self.shard_size)
            if len(found) != self.shards or sum(each.tiles for each in found) != self.tiles:
                raise InvalidStateError(
                    f"the plan says {self.tiles:,} tiles in {self.shards:,} shards, and there are "
                    f"{sum(each.tiles for each in found):,} in {len(found):,}"
                )
            self._kept["shards"] = found
        return self._kept["shards"]

    def shard(self, index: int) -> Shard:
        """One shard. Raises InvalidArgumentError past the last."""
        number = whole(index, "shard", 0, 2**63)
        if number >= self.shards:
            raise InvalidArgumentError(f"shard {number} is not within 0 to {self.shards - 1}")
        return self.all_shards()[number]

    def to_json(self) -> str:
        """The plan as text."""
        members = self._members()
        members["id"] = self.id
        return json.dumps(members, ensure_ascii=False, indent=1, sort_keys=True, allow_nan=False)

    @classmethod
    def from_json(cls, text: Union[str, bytes]) -> "Plan":
        """Reads a plan. Raises JSONError, InvalidArgumentError naming the member that is wrong, and
        InvalidArgumentError where the plan was changed by hand."""
        if not isinstance(text, (str, bytes)):
            raise TypeError(f"text must be a str or bytes, not {shown(text)}")
        if len(text) > TEXT_LIMIT:
            raise LimitExceededError(f"a plan of {len(text):,} bytes is past the limit of {TEXT_LIMIT:,}")
        try:
            members = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise JSONError(f"the plan is not JSON: {error}") from None
        return _checked(cls, members)

    @classmethod
    def load(cls, path: Union[str, "os.PathLike[str]"]) -> "Plan":
        """Reads the plan of a file or an address."""
        from .store import read_address

        return cls.from_json(read_address(path_str(path, "path")))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the plan to a file or an address; one that is there is replaced."""
        from .store import write_address

        write_address(path_str(path, "path"), self.to_json().encode() + b"\n")

    def read_style(self) -> StyleText:
        """The style, after a look whether it and what it draws from are what they were. Raises
        ChangedError."""
        if self.library != version():
            raise ChangedError(
                f"the plan was made with version {self.library} of the library, this is {version()}"
            )
        style = read_style(self.style_text if self.style is None else self.style, self.base, self.timeout)
        found = resources(style, self.fonts, self.check, self.timeout)
        before = {(each.kind, each.address): each.fingerprint for each in self.resources}
        for each in found:
            if before.pop((each.kind, each.address), None) != each.fingerprint:
                raise ChangedError(f"the {each.kind} {each.address} is not what it was: make the plan anew")
        for kind, address in before:
            raise ChangedError(f"the {kind} {address} is not there any more: make the plan anew")
        return style

    def signature(self) -> Tuple[Any, ...]:
        """Sizes and times of local files that the plan depends on."""
        return signature(self.resources)

    def _members(self) -> Dict[str, Any]:
        members = {
            each.name: getattr(self, each.name)
            for each in dataclasses.fields(self)
            if each.name not in ("id", "_kept")
        }
        members["resources"] = [each.to_json() for each in self.resources]
        members["fonts"] = list(self.fonts)
        return members

    def _with_id(self) -> "Plan":
        return dataclasses.replace(self, id=_digest(self._members())[:32], _kept=self._kept)

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_kept": {}}

    def __hash__(self) -> int:
        return hash(self.id)


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def plan(
    style: StyleInput,
    *,
    bounds: Optional[Sequence[float]] = None,
    geometry: Any = None,
    min_zoom: int = 0,
    max_zoom: int = 14,
    size: int = 256,
    ratio: float = 1,
    format: str = "png",
    quality: Optional[int] = None,
    small: bool = False,
    metatile: int = 1,
    shard_size: int = 1024,
    skip_empty: bool = False,
    allow_incomplete: bool = False,
    track_changes: Optional[bool] = None,
    check: str = "fast",
    fonts: Iterable[Union[str, "os.PathLike[str]"]] = (),
    system_fonts: bool = True,
    base: str = "",
    timeout: float = 30.0,
    tilejson: Optional[Mapping[str, Any]] = None,
) -> Plan:
    """Plans a pyramid. Nothing is drawn, and tiles are counted without being listed.

    style: a path, an address, JSON text or a dictionary, with `base` for relative addresses of the last two.
    bounds: (west, south, east, north) in degrees, west > east across the 180th meridian; or geometry: GeoJSON
    or an object with `__geo_interface__`, whose tiles are those that it touches; neither: the world.
    min_zoom to max_zoom: 0 to 24. size: logical pixels an edge, 128 to 2048, a power of two; ratio: device
    pixels a logical pixel, 0.5 to 4. format: "png", "jpg" or "webp"; quality as for Image.encode; small: PNG
    as small as it gets, which takes 20 times as long. metatile: tiles an edge that are drawn as one picture,
    1 to 16, a power of two. shard_size: tiles a shard at most, 1 to 1048576 (a metatile is never cut).
    skip_empty: tiles of one colour are left out; else each colour is stored once. allow_incomplete: tiles
    that lack something are kept and reported; else they fail their shard. track_changes: hashes of what tiles
    are drawn from are kept, so that a later run can leave alone what did not change; None: where all sources
    are archives, files or GeoJSON. check: how fingerprints of what the style draws from are made, "fast",
    "full" (every byte) or "none". fonts, system_fonts: as for Renderer. timeout: seconds a request. tilejson:
    name, attribution, description and others.

    Raises InvalidArgumentError, LimitExceededError (4 million shards, 16384 pixels a picture), and what
    Renderer raises for the style.
    """
    _check_picture(size, ratio, metatile, format, quality, small)
    low, high = whole(min_zoom, "min_zoom", 0, MAX_ZOOM), whole(max_zoom, "max_zoom", 0, MAX_ZOOM)
    if low > high:
        raise InvalidArgumentError(f"min_zoom {low} is above max_zoom {high}")
    shard_size = whole(shard_size, "shard_size", 1, 1 << 20)
    if bounds is not None and geometry is not None:
        raise InvalidArgumentError("either bounds or geometry, not both")
    area: Region
    if geometry is not None:
        area = regions.shape(geometry)
        area.prepare(high)
    else:
        area = regions.box((-180, -90, 180, 90) if bounds is None else bounds)
    font_paths = tuple(os.path.abspath(path_str(path, "fonts")) for path in several(fonts, "fonts"))
    timeout = real(timeout, "timeout")
    utf8(base, "base")
    said = {} if tilejson is None else dict(mapping(tilejson, "tilejson"))
    # Raises for members that JSON does not have.
    as_json(said)
    text = read_style(style, base, timeout)
    document = text.json
    found = resources(text, font_paths, check, timeout)
    with Renderer(
        text.text.decode(),
        base=text.base,
        fonts=font_paths,
        threads=1,
        timeout=timeout,
        system_fonts=system_fonts,
    ) as renderer:
        attribution = renderer.attribution(timeout)
        name = renderer.info.get("name")
    shards = make_shards(area, low, high, metatile, shard_size)
    from .inputs import can_track

    tracked = can_track(document, text.base, timeout)
    if track_changes and not tracked:
        raise InvalidArgumentError(
            "track_changes needs sources that are archives, files or GeoJSON: "
            "tiles of a server are not read twice"
        )
    about = _about(area, bounds, low, high, format, name, attribution, said)
    members: Dict[str, Any] = dict(
        style=text.address,
        style_text=None if text.address is not None else text.text.decode(),
        base=base,
        resources=tuple(found),
        region=area.to_json(),
        min_zoom=low,
        max_zoom=high,
        size=size,
        ratio=float(ratio),
        format=format,
        quality=quality,
        small=bool(small),
        metatile=metatile,
        shard_size=shard_size,
        skip_empty=bool(skip_empty),
        allow_incomplete=bool(allow_incomplete),
        track_changes=tracked if track_changes is None else bool(track_changes),
        check=check,
        fonts=font_paths,
        system_fonts=bool(system_fonts),
        timeout=float(timeout),
        tiles=sum(each.tiles for each in shards),
        shards=len(shards),
        drawing="",
        tilejson=about,
        library=version(),
    )
    members["drawing"] = _drawing(document, members)
    return Plan(**members, _kept={"area": area, "shards": shards})._with_id()


def _check_picture(size: Any, ratio: Any, metatile: Any, format: Any, quality: Any, small: Any) -> None:
    if size not in SIZES or isinstance(size, bool):
        raise InvalidArgumentError(f"size {size!r} is none of {', '.join(map(str, SIZES))}")
    if not isinstance(ratio, (int, float)) or isinstance(ratio, bool) or not 0.5 <= ratio <= 4:
        raise InvalidArgumentError(f"ratio {ratio!r} is not within 0.5 to 4")
    if size * ratio != round(size * ratio):
        raise InvalidArgumentError(f"size {size} at ratio {ratio} is not a whole number of pixels")
    if metatile not in METATILES or isinstance(metatile, bool):
        raise InvalidArgumentError(f"metatile {metatile!r} is none of {', '.join(map(str, METATILES))}")
    if metatile > 1 and (size * metatile + 2 * LABEL_MARGIN) * ratio > PICTURE_LIMIT:
        raise LimitExceededError(
            f"a metatile of {metatile}x{metatile} tiles with its margin is past {PICTURE_LIMIT} pixels"
        )
    if format not in FORMATS:
        raise InvalidArgumentError(f"format {format!r} is none of {', '.join(FORMATS)}")
    if quality is not None:
        whole(quality, "quality", 1, 100)
        if format == "png":
            raise InvalidArgumentError("PNG takes no quality")
    if small and format != "png":
        raise InvalidArgumentError("small is for PNG")


def _about(
    area: Region,
    bounds: Optional[Sequence[float]],
    low: int,
    high: int,
    format: str,
    name: Any,
    attribution: List[str],
    given: Dict[str, Any],
) -> Dict[str, Any]:
    """TileJSON of the whole: bounds within -180 to 180 as it asks for, and the middle even across the
    180th meridian."""
    if isinstance(area, regions.Box):
        west, south, east, north = map(float, bounds or (-180, -90, 180, 90))
        south, north = max(south, -regions.MAX_LATITUDE), min(north, regions.MAX_LATITUDE)
        east += 360 if east < west else 0
    else:
        first, columns, top, rows = regions.span(area, high)
        count = 1 << high
        west, east = first / count * 360 - 180, (first + columns) / count * 360 - 180
        north, south = _latitude(top / count), _latitude((top + rows) / count)
    middle, crosses = (west + east) / 2, east > 180
    box = [-180.0 if crosses else west, south, 180.0 if crosses else east, north]
    about: Dict[str, Any] = {
        "name": name or "pyramid",
        "bounds": [round(each, 7) for each in box],
        "center": [round(middle - 360 if middle > 180 else middle, 7), round((south + north) / 2, 7), low],
        "format": format,
    }
    if attribution:
        about["attribution"] = ", ".join(attribution)
    try:
        # In the order that a plan's text has: archives hold members in the order that they are given in.
        return json.loads(json.dumps({**about, **given}, allow_nan=False, sort_keys=True))
    except (TypeError, ValueError) as error:
        raise InvalidArgumentError(f"tilejson: {error}") from None


def _latitude(y: float) -> float:
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * y))))


def _drawing(document: Dict[str, Any], members: Dict[str, Any]) -> str:
    """A hash of what all tiles depend on: the style without the addresses of its data, what it draws from
    besides, and how."""
    plain = dict(document)
    tiled = ("vector", "raster", "raster-dem", "geojson")
    plain["sources"] = {
        name: {
            key: value
            for key, value in source.items()
            if key not in ("url", "data", "tiles") or source.get("type") not in tiled
        }
        for name, source in document.get("sources", {}).items()
    }
    # A view of its own is for other pictures.
    for key in ("center", "zoom", "bearing", "pitch", "name"):
        plain.pop(key, None)
    other = [each.to_json() for each in members["resources"] if not each.is_data and each.kind != "style"]
    how = [
        members[key]
        for key in (
            "size",
            "ratio",
            "format",
            "quality",
            "small",
            "metatile",
            "skip_empty",
            "system_fonts",
            "library",
        )
    ]
    return _digest([plain, other, how])[:32]


def _checked(cls: Any, members: Any) -> Plan:
    """A plan out of what JSON gave."""
    kinds = {
        "style": (str, type(None)), "style_text": (str, type(None)), "base": str, "resources": list,
        "region": dict, "min_zoom": int, "max_zoom": int, "size": int, "ratio": (int, float), "format": str,
        "quality": (int, type(None)), "small": bool, "metatile": int, "shard_size": int, "skip_empty": bool,
        "allow_incomplete": bool, "track_changes": bool, "check": str, "fonts": list, "system_fonts": bool,
        "timeout": (int, float), "tiles": int, "shards": int, "drawing": str, "tilejson": dict,
        "library": str, "version": int, "id": str,
    }  # fmt: skip
    if not isinstance(members, dict):
        raise InvalidArgumentError("the plan is not an object")
    if members.get("version") != FORMAT:
        raise InvalidArgumentError(
            f"the plan has version {members.get('version')!r}, this package reads {FORMAT}"
        )
    for name in sorted(set(members) ^ set(kinds)):
        raise InvalidArgumentError(
            f"the plan {'lacks' if name in kinds else 'has an unknown member'} {name!r}"
        )
    for name, kind in kinds.items():
        value = members[name]
        if not isinstance(value, kind) or isinstance(value, bool) and kind is not bool:
            raise InvalidArgumentError(f"the plan's {name} is {value!r}"[:200])
    if (members["style"] is None) == (members["style_text"] is None):
        raise InvalidArgumentError("the plan has not one of style and style_text")
    try:
        members["resources"] = tuple(
            Resource(str(kind), str(address), str(mark), bool(is_data))
            for kind, address, mark, is_data in members["resources"]
        )
    except (TypeError, ValueError):
        raise InvalidArgumentError("the plan's resources are none") from None
    members["fonts"] = tuple(map(str, members["fonts"]))
    _check_picture(
        members["size"],
        members["ratio"],
        members["metatile"],
        members["format"],
        members["quality"],
        members["small"],
    )
    low = whole(members["min_zoom"], "min_zoom", 0, MAX_ZOOM)
    if low > whole(members["max_zoom"], "max_zoom", 0, MAX_ZOOM):
        raise InvalidArgumentError(f"min_zoom {low} is above max_zoom {members['max_zoom']}")
    whole(members["shard_size"], "shard_size", 1, 1 << 20)
    area = regions.from_json(members["region"])
    given = members.pop("id")
    made = cls(**members, _kept={"area": area})._with_id()
    if made.id != given:
        raise InvalidArgumentError(
            "the plan was changed after it was made: its id is not that of its contents"
        )
    if isinstance(area, regions.Box) and count_tiles(area, low, made.max_zoom) != made.tiles:
        raise InvalidArgumentError(f"the plan says {made.tiles:,} tiles, and its region has others")
    return made

"""View annotations: rectangles that a host draws over a map, each bound to a place."""

from __future__ import annotations

import dataclasses
import re
import uuid
import weakref
from ctypes import byref, c_size_t, c_uint64, sizeof
from typing import TYPE_CHECKING, Any, Dict, Iterable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Union

from . import _abi, _arrays
from ._library import check, lib, take_json
from ._values import _geometry, as_json, instance, real, reals, several, utf8, whole
from .camera import View, _set_padding
from .errors import InvalidArgumentError, InvalidStateError, NotFoundError
from .renderer import Padding

if TYPE_CHECKING:
    from .map import Map

STATES = tuple(each.name.lower() for each in _abi.ViewAnnotationState)


@dataclasses.dataclass
class ViewAnnotation:
    """A rectangle that the host draws, and where the map has it.

    geometry: a GeoJSON Point, an object with `__geo_interface__`, or (longitude, latitude). width, height: logical
    pixels, 0 to 16384; hidden while one of them is 0. id: text of 1 to 256 bytes; made where it is not given. anchor:
    what of it stands at the place: "center", "left", "right", "top", "bottom", "top_left", "top_right", "bottom_left"
    or "bottom_right". offset_x, offset_y: logical pixels that it stands further right, and further up. allow_overlap:
    whether it is shown also where others stand that come before it. visible: False hides it, and it takes no room.
    selected: whether it comes before those that are not, and is drawn above them. hides_labels: whether icons and texts
    of the map that may not overlap others make room for it while it is shown. associated_feature_id: it is hidden
    unless a feature of that id is seen; also the id of an annotation of a manager."""

    geometry: Any
    width: float = 0
    height: float = 0
    id: str = dataclasses.field(default_factory=lambda: uuid.uuid4().hex)
    anchor: str = "center"
    offset_x: float = 0
    offset_y: float = 0
    allow_overlap: bool = False
    visible: bool = True
    selected: bool = False
    associated_feature_id: Optional[str] = None
    hides_labels: bool = False


class ViewAnnotationPlacement(NamedTuple):
    """Where a view annotation stands in a frame. x, y: its upper left corner in logical pixels right of and below the
    view's, also where it would stand if it were not hidden; None where its place is behind the eye, or too far to be
    drawn. state: "shown", "off" (by its host, without a size, before its first frame), "feature_hidden", "outside" (of
    the view) or "covered" (by others). frame_change, visibility_change: the numbers of the changes in which it was last
    shown elsewhere than before, and came into sight or went out of it; 0 for never."""

    id: str
    x: Optional[float]
    y: Optional[float]
    width: float
    height: float
    state: str
    is_selected: bool
    frame_change: int
    visibility_change: int

    @property
    def is_shown(self) -> bool:
        """Whether it is shown."""
        return self.state == "shown"


class ViewAnnotationManager:
    """The view annotations of a map: `Map.view_annotations`. They outlast styles. Each frame finds out where they
    stand; what is seen of them and is not as it was comes as the event "view_annotations_changed". Belongs to the map's
    thread."""

    def __init__(self, map: "Map") -> None:
        self._weak = weakref.ref(instance(map, "Map", "map"))
        self._ids: Dict[int, str] = {}

    @property
    def _map(self) -> "Map":
        map = self._weak()
        if map is None:
            raise InvalidStateError("the map is gone")
        return map

    # Adding and changing

    def add(self, annotations: Union[ViewAnnotation, Iterable[ViewAnnotation]]) -> None:
        """Adds one or several, one after the other. Raises InvalidArgumentError for an id or a feature that another one
        has, a geometry that is no point and values past their range; LimitExceededError for more than 10,000."""
        for each in [annotations] if isinstance(annotations, ViewAnnotation) else several(annotations, "annotations"):
            if not isinstance(each, ViewAnnotation):
                raise InvalidArgumentError(f"{type(each).__name__} is no ViewAnnotation")
            options = {name: getattr(each, name) for name in _NAMES}
            number = c_uint64()
            self._map._do(lib.neat_map_add_view_annotation, utf8(each.id, "id"), _options(options), byref(number))
            self._ids[number.value] = each.id

    def update(self, id: str, **changes: Any) -> None:
        """Changes what is named of one, by the names of ViewAnnotation: `update("a", selected=True)`; None brings a
        member back to what it is where nobody says. Raises NotFoundError, and as `add`; nothing is changed then."""
        for name in changes:
            if name not in _NAMES:
                raise InvalidArgumentError(f'a view annotation has no "{name}" that can be changed')
        self._map._do(lib.neat_map_update_view_annotation, utf8(id, "id"), _options(changes))

    def remove(self, ids: Union[str, Iterable[str]]) -> None:
        """Removes one or several by their ids, one after the other. Raises NotFoundError."""
        for id in [ids] if isinstance(ids, str) else several(ids, "ids"):
            self._map._do(lib.neat_map_remove_view_annotation, utf8(id, "id"))
            self._ids = {number: known for number, known in self._ids.items() if known != id}

    def clear(self) -> None:
        """Removes all."""
        self._map._do(lib.neat_map_remove_view_annotations)
        self._ids = {}

    # What is there

    def __getitem__(self, id: str) -> ViewAnnotation:
        name = utf8(id, "id")
        return _annotation(take_json(lib.neat_map_view_annotation, self._map._pointer, name, len(name)))

    def __contains__(self, id: object) -> bool:
        try:
            self[str(id)]
        except NotFoundError:
            return False
        return True

    def __iter__(self) -> Iterator[ViewAnnotation]:
        return iter([_annotation(each) for each in take_json(lib.neat_map_view_annotations, self._map._pointer)])

    def __len__(self) -> int:
        return self._placements()[0]

    def __bool__(self) -> bool:
        """Without any it is there too."""
        return True

    # Frames

    @property
    def change(self) -> int:
        """The number of the last change of what is seen of them; 0 before the first."""
        change = c_uint64()
        count = c_size_t()
        check(lib.neat_map_view_annotation_placements(self._map._pointer, None, 0, byref(count), byref(change)))
        return change.value

    @property
    def placements(self) -> List[ViewAnnotationPlacement]:
        """Where they stand in the last frame, those that are to be drawn above others later."""
        count, found = self._placements()
        return [
            ViewAnnotationPlacement(
                self._id(each.number),
                None if each.x_px != each.x_px else each.x_px,
                None if each.y_px != each.y_px else each.y_px,
                each.width_px,
                each.height_px,
                STATES[each.state],
                bool(each.is_selected),
                each.frame_change,
                each.visibility_change,
            )
            for each in found[:count]
        ]

    @property
    def placement_array(self) -> Any:
        """The same as an array of one's own: numpy's with the fields number, x_px, y_px, width_px, height_px, state,
        is_selected, frame_change and visibility_change of the C header's structure (x_px and y_px NaN where there is no
        place, state the place in ViewAnnotationPlacement's list of states), without numpy a ctypes array. `id_of` has
        the id of a number."""
        count, found = self._placements()
        if _arrays.numpy is None:
            return found
        kind = _arrays.numpy.dtype(_abi.ViewAnnotationPlacement)
        return _arrays.numpy.frombuffer(found, dtype=kind) if count else _arrays.numpy.empty(0, dtype=kind)

    def id_of(self, number: int) -> str:
        """The id of a number of placement_array. Raises NotFoundError."""
        try:
            return self._id(whole(number, "number", 0, 2**64 - 1))
        except KeyError:
            raise NotFoundError(f"no view annotation has the number {number}") from None

    def fit(
        self,
        ids: Optional[Iterable[str]] = None,
        *,
        padding: Padding = 0,
        max_zoom: float = 22,
        offset: Sequence[float] = (0, 0),
    ) -> View:
        """The view from which they are seen as a whole, with their places, as close as they fit, at the bearing, pitch
        and roll of the map: `map.set_camera(**map.view_annotations.fit().camera)`. ids None: all that are visible but
        for what is in their way. padding, offset: as of View.fit. Raises NotFoundError, and InvalidArgumentError for
        none and where there is no room."""
        map = self._map
        camera = map._camera()
        most = real(max_zoom, "max_zoom")
        options = _abi.FitOptions(struct_size=sizeof(_abi.FitOptions), has_max_zoom=1, max_zoom=most)
        _set_padding(options, padding)
        options.offset_x_px, options.offset_y_px = reals(offset, "offset", 2)
        map._do(
            lib.neat_map_fit_view_annotations,
            b"" if ids is None else as_json([ids] if isinstance(ids, str) else several(ids, "ids")),
            byref(options),
            byref(camera),
        )
        return map.view._moved(camera)

    def _placements(self) -> Any:
        """How many there are, and the library's structures."""
        count = c_size_t()
        pointer = self._map._pointer
        check(lib.neat_map_view_annotation_placements(pointer, None, 0, byref(count), None))
        found = (_abi.ViewAnnotationPlacement * count.value)()
        check(lib.neat_map_view_annotation_placements(pointer, found, count.value, byref(count), None))
        return count.value, found

    def _id(self, number: int) -> str:
        if number not in self._ids:
            # Added by others, through the library.
            found = take_json(lib.neat_map_view_annotations, self._map._pointer)
            self._ids = {each["number"]: each["id"] for each in found}
        return self._ids[number]


_NAMES = {
    "geometry": "geometry", "width": "width", "height": "height", "anchor": "anchor", "offset_x": "offsetX",
    "offset_y": "offsetY", "allow_overlap": "allowOverlap", "visible": "visible", "selected": "selected",
    "associated_feature_id": "associatedFeatureId", "hides_labels": "hidesLabels",
}


def _options(given: Mapping[str, Any]) -> bytes:
    """Options as the library takes them."""
    options: Dict[str, Any] = {}
    for name, value in given.items():
        if name == "geometry":
            value = _point(value)
        elif name == "anchor" and isinstance(value, str):
            value = re.sub("_[a-z]", lambda found: found[0][1].upper(), value)
        options[_NAMES[name]] = value
    return as_json(options)


def _point(geometry: Any) -> Any:
    if hasattr(geometry, "__geo_interface__"):
        return _geometry(geometry)
    if geometry is None or isinstance(geometry, Mapping):
        return geometry
    try:
        longitude, latitude = geometry
        return {"type": "Point", "coordinates": [real(longitude, "longitude"), real(latitude, "latitude")]}
    except (TypeError, ValueError):
        raise InvalidArgumentError(
            f"{type(geometry).__name__} is no place: a pair, a GeoJSON Point, or an object with __geo_interface__ is"
        ) from None


def _annotation(json: Mapping[str, Any]) -> ViewAnnotation:
    names = {camel: name for name, camel in _NAMES.items()}
    members = {names[name]: value for name, value in json.items() if name in names}
    members["anchor"] = re.sub("[A-Z]", lambda found: "_" + found[0].lower(), members["anchor"])
    return ViewAnnotation(id=json["id"], **members)

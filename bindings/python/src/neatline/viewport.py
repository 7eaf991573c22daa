"""What keeps the camera of a map: a state, or a transition on its way to one."""

from __future__ import annotations

import weakref
from ctypes import byref, c_void_p, sizeof
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, List, NamedTuple, Optional, Sequence, Union

from . import _abi, _callbacks
from ._library import Handle, check, lib, pointer_of
from ._values import as_json, instance, is_callable, parsed_geojson, real, several, sides_of, whole
from ._waiting import Waiting
from .animation import change_of
from .errors import CancelledError, NotFoundError

if TYPE_CHECKING:
    from .map import Map

_KINDS = {int(each): each.name.lower() for each in _abi.ViewportKind}
REASONS = {int(each): each.name.lower() for each in _abi.ViewportReason}


class ViewportStatus(NamedTuple):
    """What keeps a camera. kind: "idle", "state" or "transition" (on its way to the state). state, transition: their
    numbers, ViewportState.id and ViewportTransition.id; None where there is none."""

    kind: str = "idle"
    state: Optional[int] = None
    transition: Optional[int] = None


def status_of(found: _abi.ViewportStatus) -> ViewportStatus:
    """The library's structure as a status."""
    return ViewportStatus(_KINDS[found.kind], found.state_id or None, found.transition_id or None)


class ViewportState(Handle):
    """Something that keeps a camera: what Viewport.follow_puck, Viewport.overview and Viewport.state make."""

    _destroy = "neat_viewport_state_destroy"

    def __init__(self, pointer: Any, map: "Map", context: Optional[int] = None) -> None:
        super().__init__(pointer, instance(map, "Map", "map").loop._pointer)
        self._loop = map.loop
        if context is not None:
            # The map may call it for as long as it lives.
            map._contexts.append(context)

    @property
    def id(self) -> int:
        """Its number among the map's states and transitions, which events name."""
        return lib.neat_viewport_state_id(self._pointer)

    @property
    def camera(self) -> Optional[Dict[str, Any]]:
        """Where it wants the camera, as set_camera takes it; None while it cannot know."""
        found = _abi.CameraChange(struct_size=sizeof(_abi.CameraChange))
        try:
            check(lib.neat_viewport_state_camera(self._pointer, byref(found)))
        except NotFoundError:
            return None
        field, result = _abi.CameraField, {}
        if found.fields & field.CENTER:
            result["center"] = (found.lon_deg, found.lat_deg)
        for bit, name, value in (
            (field.ZOOM, "zoom", found.zoom),
            (field.BEARING, "bearing", found.bearing_deg),
            (field.PITCH, "pitch", found.pitch_deg),
        ):
            if found.fields & bit:
                result[name] = value
        if found.fields & field.PADDING:
            result["padding"] = (
                found.padding_top_px, found.padding_left_px, found.padding_bottom_px, found.padding_right_px,
            )
        return result

    def set_camera(self, **camera: Any) -> None:
        """Says where a state of the host's own wants the camera, at once where it is there: center, zoom, bearing,
        pitch, padding, as in Map.set_camera. Raises StateError for a state of the map's."""
        change = change_of(**camera)
        status = lib.neat_viewport_state_set_camera(self._pointer, byref(change))
        self._loop._raise()
        check(status)

    def set_options(self, **options: Any) -> None:
        """Changes what a state of the map's does, at once where it is there, by the names with which it was made; what
        is not named is as before it is said. Raises InvalidArgumentError, and changes nothing."""
        text = as_json(_overview(**options) if "geometry" in options else _follow(**options))
        status = lib.neat_viewport_state_set_options(self._pointer, text, len(text))
        self._loop._raise()
        check(status)


class ViewportTransition(Handle):
    """A way to a state: what Viewport.default_transition, Viewport.immediate_transition and Viewport.transition make."""

    _destroy = "neat_viewport_transition_destroy"

    def __init__(self, pointer: Any, map: "Map", context: Optional[int] = None) -> None:
        super().__init__(pointer, instance(map, "Map", "map").loop._pointer)
        if context is not None:
            map._contexts.append(context)

    @property
    def id(self) -> int:
        """Its number among the map's states and transitions, which events name."""
        return lib.neat_viewport_transition_id(self._pointer)


class ViewportRun:
    """A run of a transition of the host's own: it moves the camera to the state, and then calls `finish`."""

    def __init__(self, map: "Map", number: int, state: int) -> None:
        self._map = weakref.ref(instance(map, "Map", "map"))
        self._number = whole(number, "number", 0, 2**64 - 1)
        self.state = state
        """The number of the state."""
        self.cancelled = False
        """Whether something has taken its place: it moves the camera no more."""

    def finish(self, success: bool = True) -> None:
        """The state is there, or will not be. Nothing where something else has taken its place."""
        map = self._map()
        if map is not None:
            map._do(lib.neat_map_viewport_finish, self._number, int(bool(success)))


class Way(Waiting):
    """A way to a state. `await` it for whether it was gone to its end, or look at `done` and `success`."""

    def __init__(self, loop: Any, completion: Optional[Callable[[bool], Any]]) -> None:
        super().__init__(loop, completion)
        self.success: Optional[bool] = None
        """Whether the state is there; False where something else took its place or it came to nothing."""

    def _end(self, success: bool) -> None:
        self.success = success
        self._end_with(success)

    def __await__(self) -> Generator[Any, None, bool]:
        yield from self._wait()
        return bool(self.success)


class Viewport:
    """What keeps a map's camera: `Map.viewport`. Belongs to the map's thread."""

    def __init__(self, map: "Map") -> None:
        self._of = weakref.ref(instance(map, "Map", "map"))
        self._idles = True

    @property
    def _map(self) -> "Map":
        map = self._of()
        if map is None:
            raise CancelledError("the map is gone")
        return map

    @property
    def status(self) -> ViewportStatus:
        """What keeps the camera."""
        found = _abi.ViewportStatus()
        self._map._do(lib.neat_map_viewport_status, byref(found))
        return status_of(found)

    @property
    def idles_upon_gestures(self) -> bool:
        """Whether a gesture that moves the camera leads to idle; True before it is said."""
        return self._idles

    @idles_upon_gestures.setter
    def idles_upon_gestures(self, idles: bool) -> None:
        self._map._do(lib.neat_map_set_viewport_idles, int(bool(idles)))
        self._idles = bool(idles)

    # States

    def follow_puck(
        self,
        *,
        zoom: Optional[float] = 16.35,
        pitch: Optional[float] = 45,
        bearing: Union[str, float, None] = "heading",
        padding: Union[float, Sequence[float], None] = 0,
    ) -> ViewportState:
        """A state that follows the puck. bearing: "heading", "course" or degrees. What is None stays as it is. Raises
        InvalidArgumentError for values out of their range."""
        text = as_json(_follow(zoom, pitch, bearing, padding))
        return self._state(lib.neat_map_make_follow_puck_state, text, len(text))

    def overview(
        self,
        geometry: Any,
        *,
        geometry_padding: Union[float, Sequence[float]] = 0,
        padding: Union[float, Sequence[float], None] = None,
        bearing: Optional[float] = 0,
        pitch: Optional[float] = 0,
        max_zoom: Optional[float] = None,
        offset: Sequence[float] = (0, 0),
        animation_duration: float = 1,
    ) -> ViewportState:
        """A state that shows a geometry as large as it fits: GeoJSON, an object with `__geo_interface__`, or a list of
        these. geometry_padding: logical pixels kept free around it; padding: the camera's own, None: as it is. bearing,
        pitch: None: as they are. animation_duration: seconds of the easing where the state is there, and where its
        options change."""
        text = as_json(
            _overview(
                geometry, geometry_padding, padding, bearing, pitch, max_zoom, offset, animation_duration
            )
        )
        return self._state(lib.neat_map_make_overview_state, text, len(text))

    def state(
        self, changed: Optional[Callable[[bool], Any]] = None, *, moves_itself: bool = False
    ) -> ViewportState:
        """A state of the host's own, which says with ViewportState.set_camera where it wants the camera. changed:
        called with True where it is there from now on, with False where it is left. moves_itself: the host moves the
        camera meanwhile; what it says is then only the aim of transitions."""
        if changed is None:
            return self._state(lib.neat_map_make_viewport_state, int(bool(moves_itself)), _no_state, None)
        context = _callbacks.add((self._map.loop, is_callable(changed, "changed")))
        return self._state(
            lib.neat_map_make_viewport_state, int(bool(moves_itself)), _state_changed, context, context=context
        )

    def _state(self, function: Any, *arguments: Any, context: Optional[int] = None) -> ViewportState:
        out = c_void_p()
        check(function(self._map._pointer, *arguments, byref(out)))
        return ViewportState(out, self._map, context)

    # Transitions

    def default_transition(self, max_duration: float = 3.5) -> ViewportTransition:
        """A transition in which each value of the camera goes by itself: down, the way along the ground leads and the
        zoom follows; up, the zoom leads. max_duration: seconds of all together."""
        out = c_void_p()
        longest = real(max_duration, "max_duration") * 1000
        check(lib.neat_map_make_default_transition(self._map._pointer, longest, byref(out)))
        return ViewportTransition(out, self._map)

    def immediate_transition(self) -> ViewportTransition:
        """A transition that is there at once."""
        out = c_void_p()
        check(lib.neat_map_make_immediate_transition(self._map._pointer, byref(out)))
        return ViewportTransition(out, self._map)

    def transition(self, run: Callable[[ViewportRun], Any]) -> ViewportTransition:
        """A transition of the host's own. run: called with each run of it, which it finishes."""
        map, out = self._map, c_void_p()
        context = _callbacks.add((map.loop, weakref.ref(map), is_callable(run, "run"), {}))
        check(lib.neat_map_make_viewport_transition(map._pointer, _run, _cancelled, context, byref(out)))
        return ViewportTransition(out, map, context)

    # Going

    def go(
        self,
        state: ViewportState,
        transition: Optional[ViewportTransition] = None,
        completion: Optional[Callable[[bool], Any]] = None,
    ) -> Way:
        """Goes to a state, by a transition or the default one. completion: called once with whether it got there: at
        once with True where the state is there, and with False where it is on its way, and then nothing else happens. A
        state that has no camera yet, as of a puck without a location, is waited for. What it gives may be awaited."""
        map = self._map
        pointer = (
            None if transition is None else pointer_of(transition, "ViewportTransition", "transition")
        )
        goal = pointer_of(state, "ViewportState", "state")
        way = Way(map.loop, completion)
        context = _callbacks.add((map.loop, way))
        status = lib.neat_map_viewport_go(map._pointer, goal, pointer, _gone, context)
        if status:
            _callbacks.drop(context)
        map.loop._raise()
        check(status)
        return way

    def idle(self) -> None:
        """Nothing keeps the camera any more; it stays where it is."""
        self._map._do(lib.neat_map_viewport_idle)


def _sides(padding: Union[float, Sequence[float], None]) -> Optional[List[float]]:
    if padding is None:
        return None
    return sides_of(padding, "padding")


def _follow(
    zoom: Optional[float] = 16.35,
    pitch: Optional[float] = 45,
    bearing: Union[str, float, None] = "heading",
    padding: Union[float, Sequence[float], None] = 0,
) -> Dict[str, Any]:
    return {"zoom": zoom, "pitch": pitch, "bearing": bearing, "padding": _sides(padding)}


def _overview(
    geometry: Any,
    geometry_padding: Union[float, Sequence[float]] = 0,
    padding: Union[float, Sequence[float], None] = None,
    bearing: Optional[float] = 0,
    pitch: Optional[float] = 0,
    max_zoom: Optional[float] = None,
    offset: Sequence[float] = (0, 0),
    animation_duration: float = 1,
) -> Dict[str, Any]:
    return {
        "geometry": parsed_geojson(geometry, "geometry"),
        "geometryPadding": _sides(geometry_padding),
        "padding": _sides(padding),
        "bearing": bearing,
        "pitch": pitch,
        "maxZoom": max_zoom,
        "offset": several(offset, "offset"),
        "animationDuration": real(animation_duration, "animation_duration") * 1000,
    }


# The library calls these, whatever maps there are; a number says for which.

_no_state = _abi.ViewportStateCallback()


@_abi.ViewportStateCallback
def _state_changed(context: Optional[int], is_current: int) -> None:
    found = _callbacks.get(context)
    # A map that is closed within a callback may still call.
    if found is None:
        return
    loop, changed = found
    try:
        changed(bool(is_current))
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        loop._keep(error)


@_abi.ViewportRunCallback
def _run(context: Optional[int], number: int, state: int) -> None:
    found = _callbacks.get(context)
    # A map that is closed within a callback may still call.
    if found is None:
        return
    loop, of, run, runs = found
    map = of()
    if map is None:
        return
    for old in [each for each in runs if runs[each].cancelled or each < number]:
        del runs[old]
    runs[number] = ViewportRun(map, number, state)
    try:
        run(runs[number])
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        loop._keep(error)


@_abi.ViewportCancelCallback
def _cancelled(context: Optional[int], number: int) -> None:
    found = _callbacks.get(context)
    # A map that is closed within a callback may still call.
    if found is None:
        return
    loop, of, run, runs = found
    if number in runs:
        runs.pop(number).cancelled = True


@_abi.ViewportCallback
def _gone(context: Optional[int], is_success: int) -> None:
    loop, way = _callbacks.get(context)
    _callbacks.drop(context)
    try:
        way._end(bool(is_success))
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        loop._keep(error)

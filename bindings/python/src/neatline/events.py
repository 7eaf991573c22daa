"""Events of maps: what they carry, who listens, and how they are awaited."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import weakref
from typing import Any, AsyncIterator, Callable, Deque, FrozenSet, List, Optional, Tuple

from . import _abi
from ._values import instance, is_callable, several, shown
from .errors import InvalidArgumentError, NeatlineError, error_of
from .location import ACCURACIES, Heading, Location, heading_of, location_of
from .viewport import REASONS, ViewportStatus, status_of

KINDS = tuple(kind.name.lower() for kind in _abi.EventType)


@dataclasses.dataclass(frozen=True)
class Event:
    """Something that happened to a map. Members that an event of its kind does not have are None.

    kind: "style_data_loaded", "style_loaded", "source_data_loaded", "source_added", "source_removed",
    "style_image_missing", "style_image_remove_unused", "render_frame_started", "render_frame_finished",
    "camera_changed", "map_loaded", "map_idle", "map_loading_error", "resource_request", "gesture_began",
    "gesture_ended", "gesture_ended_animating", "animation_began", "animation_ended", "frame_due",
    "annotation_tapped", "annotation_long_pressed", "annotation_selected", "annotation_deselected",
    "annotation_drag_began", "annotation_drag_changed", "annotation_drag_ended",
    "view_annotations_changed", "location_changed", "heading_changed", "puck_moved", "accuracy_authorization_changed",
    "location_failed" or "viewport_status_changed".
    began, ended: seconds since 1970. What takes no time has the same in both.

    part: of style_data_loaded "style", "sprite" or "sources"; of source_data_loaded "metadata" or "tile"; of
    map_loading_error "style", "sprite", "source", "tile", "glyphs" or "cache"; of resource_request what the
    resource is for: "style", "source", "tile", "glyphs", "sprite-image", "sprite-json", "image", "geojson" or "font".
    source: the id of a source. tile: (z, x, y). image: the name of an image.
    data: of source_data_loaded and map_loading_error the id that the data was given with Map.load_geojson.
    url: the address, without credentials, of a map_loading_error or resource_request. error: why it cannot be
    had.
    is_complete, needs_repaint, is_placement_changed: of render_frame_finished, whether nothing that the frame
    shows is still to come, whether another is due, whether other labels stand than in the one before.
    origin: of resource_request who answered: "none", "network", "cache", "file", "archive" or "data".
    priority: "view", "margin", "prefetch" or "offline". usage: whom it may ask: "all", "cache" or "network".
    size: bytes of the answer. etag; expires: seconds since 1970. is_not_modified: whether the server said that
    the cache's copy still holds. is_cancelled. is_final: whether no other answer follows.
    gesture: of gestures "pan", "pinch", "rotation", "pitch", "doubleTapToZoomIn", "doubleTouchToZoomOut",
    "quickZoom", "singleTap", "wheel", "keyboard" or "boxZoom". point: of gesture_began where the pointer came
    down, (x, y) in logical pixels. will_animate: of gesture_ended, whether the camera goes on by itself.
    animator: of animations its number, Animator.id. owner: who made it. position: of animation_ended where it
    ended: "start" (it was reversed), "current" (it was stopped) or "end".
    manager: of annotations the id of their manager; annotation: its id, None for a cluster; cluster: its number, for
    AnnotationManager.cluster; point: where the pointer is, None for a selection by a call; place: (longitude, latitude)
    under it, None above the horizon.
    location: of location_changed what was given, of puck_moved what is shown. heading: of heading_changed. accuracy: of
    accuracy_authorization_changed "full" or "reduced". error: of location_failed. status, status_before: of
    viewport_status_changed. reason: "idle_requested", "transition_started", "transition_succeeded",
    "transition_failed" or "user_interaction".
    change: of view_annotations_changed its number: see ViewAnnotationPlacement.
    """

    kind: str
    began: float
    ended: float
    part: Optional[str] = None
    source: Optional[str] = None
    tile: Optional[Tuple[int, int, int]] = None
    data: Optional[str] = None
    image: Optional[str] = None
    url: Optional[str] = None
    error: Optional[NeatlineError] = None
    is_complete: Optional[bool] = None
    needs_repaint: Optional[bool] = None
    is_placement_changed: Optional[bool] = None
    origin: Optional[str] = None
    priority: Optional[str] = None
    usage: Optional[str] = None
    size: Optional[int] = None
    etag: Optional[str] = None
    expires: Optional[int] = None
    is_not_modified: Optional[bool] = None
    is_cancelled: Optional[bool] = None
    is_final: Optional[bool] = None
    gesture: Optional[str] = None
    point: Optional[Tuple[float, float]] = None
    will_animate: Optional[bool] = None
    animator: Optional[int] = None
    owner: Optional[str] = None
    position: Optional[str] = None
    manager: Optional[str] = None
    annotation: Optional[str] = None
    cluster: Optional[int] = None
    place: Optional[Tuple[float, float]] = None
    location: Optional[Location] = None
    heading: Optional[Heading] = None
    accuracy: Optional[str] = None
    status: Optional[ViewportStatus] = None
    status_before: Optional[ViewportStatus] = None
    reason: Optional[str] = None
    change: Optional[int] = None


def _of_place(told: _abi.Event, kind: _abi.EventType) -> Optional[dict]:
    """What an event of a location, of the viewport or of view annotations carries; None for others."""
    if kind in (_abi.EventType.LOCATION_CHANGED, _abi.EventType.PUCK_MOVED):
        return {"location": location_of(told.location.contents)}
    if kind == _abi.EventType.HEADING_CHANGED:
        return {"heading": heading_of(told.heading.contents)}
    if kind == _abi.EventType.ACCURACY_AUTHORIZATION_CHANGED:
        return {"accuracy": ACCURACIES[told.accuracy_authorization]}
    if kind == _abi.EventType.LOCATION_FAILED:
        return {"error": error_of(told.status, _text(told.message))}
    if kind == _abi.EventType.VIEW_ANNOTATIONS_CHANGED:
        return {"change": told.view_annotation_change}
    if kind == _abi.EventType.VIEWPORT_STATUS_CHANGED:
        return {
            "status": status_of(told.viewport_to),
            "status_before": status_of(told.viewport_from),
            "reason": REASONS[told.viewport_reason],
        }
    return None


def event_of(told: _abi.Event) -> Optional[Event]:
    """The library's structure as an event; None for a kind that this version does not know."""
    try:
        kind = _abi.EventType(told.type)
    except ValueError:
        return None
    subject = _text(told.subject)
    if kind in _OF_GESTURES:
        gesture: dict = {"gesture": _text(told.kind)}
        if kind == _abi.EventType.GESTURE_BEGAN:
            gesture["point"] = (told.x_px, told.y_px)
        elif kind == _abi.EventType.GESTURE_ENDED:
            gesture["will_animate"] = bool(told.will_animate)
        return Event(kind.name.lower(), told.began_us / 1e6, told.ended_us / 1e6, **gesture)
    if kind in _OF_ANIMATIONS:
        animation: dict = {"animator": told.animator_id, "owner": subject}
        if kind == _abi.EventType.ANIMATION_ENDED:
            animation["position"] = _abi.AnimationPosition(told.position).name.lower()
        return Event(kind.name.lower(), told.began_us / 1e6, told.ended_us / 1e6, **animation)
    if kind.name.startswith("ANNOTATION_"):
        id = _text(told.annotation_id)
        target: dict = {"manager": subject, "annotation": id or None, "cluster": None if id else told.cluster_id}
        if told.x_px != -1:
            target["point"] = (told.x_px, told.y_px)
        if told.has_place:
            target["place"] = (told.lon_deg, told.lat_deg)
        return Event(kind.name.lower(), told.began_us / 1e6, told.ended_us / 1e6, **target)
    place = _of_place(told, kind)
    if place is not None:
        return Event(kind.name.lower(), told.began_us / 1e6, told.ended_us / 1e6, **place)
    members: dict = {"part": _text(told.kind) or None}
    if kind in (_abi.EventType.SOURCE_DATA_LOADED, _abi.EventType.MAP_LOADING_ERROR):
        members["data"] = _text(told.data_id) or None
    if told.has_tile:
        members["tile"] = (told.tile_z, told.tile_x, told.tile_y)
    if kind in _OF_SOURCES:
        members["source"] = subject
    elif kind in _OF_IMAGES:
        members["image"] = subject
    elif kind == _abi.EventType.RENDER_FRAME_FINISHED:
        members.update(
            is_complete=bool(told.is_complete),
            needs_repaint=bool(told.needs_repaint),
            is_placement_changed=bool(told.is_placement_changed),
        )
    elif kind in (_abi.EventType.MAP_LOADING_ERROR, _abi.EventType.RESOURCE_REQUEST):
        members.update(url=subject, source=_text(told.source) or None)
        if told.status:
            members["error"] = error_of(told.status, _text(told.message))
    if kind == _abi.EventType.RESOURCE_REQUEST:
        members.update(
            origin=_abi.RequestOrigin(told.origin).name.lower(),
            priority=_abi.RequestPriority(told.priority).name.lower(),
            usage=_abi.RequestUsage(told.usage).name.lower(),
            size=told.response_size,
            etag=_text(told.etag) or None,
            expires=told.expires_s or None,
            is_not_modified=bool(told.is_not_modified),
            is_cancelled=bool(told.is_cancelled),
            is_final=bool(told.is_final),
        )
    return Event(kind.name.lower(), told.began_us / 1e6, told.ended_us / 1e6, **members)


_OF_ANIMATIONS = (_abi.EventType.ANIMATION_BEGAN, _abi.EventType.ANIMATION_ENDED)
_OF_SOURCES = (
    _abi.EventType.SOURCE_DATA_LOADED, _abi.EventType.SOURCE_ADDED, _abi.EventType.SOURCE_REMOVED,
)
_OF_GESTURES = (
    _abi.EventType.GESTURE_BEGAN, _abi.EventType.GESTURE_ENDED, _abi.EventType.GESTURE_ENDED_ANIMATING,
)
_OF_IMAGES = (_abi.EventType.STYLE_IMAGE_MISSING, _abi.EventType.STYLE_IMAGE_REMOVE_UNUSED)


def _text(text: Optional[bytes]) -> str:
    return (text or b"").decode("utf-8", "replace")


class Listener:
    """Who listens to events of a map, until `cancel`, or the end of a `with` block."""

    def __init__(
        self,
        owner: "Listeners",
        kinds: Optional[FrozenSet[str]],
        is_once: bool,
        handler: Callable[[Event], Any],
        end: Callable[[], None],
    ) -> None:
        self._owner = instance(owner, Listeners, "owner")
        self._kinds = kinds
        self._is_once = is_once
        self._handler = handler
        self._end = end
        self._is_over = False

    def cancel(self) -> None:
        """Ends it: the handler is not called any more, also not with the event of the moment. May be called
        again."""
        self._is_over = True
        self._owner.remove(self)

    @property
    def cancelled(self) -> bool:
        """Whether it was cancelled, or has heard all that it was to hear."""
        return self._is_over

    def __enter__(self) -> "Listener":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.cancel()


class Listeners:
    """All who listen to one map. A listener may add and cancel listeners while it is told."""

    def __init__(self) -> None:
        self._all: List[Listener] = []

    def add(
        self,
        kinds: Tuple[str, ...],
        handler: Callable[[Event], Any],
        *,
        is_once: bool = False,
        end: Callable[[], None] = lambda: None,
    ) -> Listener:
        is_callable(handler, "handler")
        for kind in kinds:
            if kind not in KINDS:
                raise InvalidArgumentError(f"{shown(kind)} is no kind of event: {', '.join(KINDS)} are")
        listener = Listener(self, frozenset(kinds) or None, is_once, handler, end)
        self._all.append(listener)
        return listener

    def remove(self, listener: Listener) -> None:
        self._all = [each for each in self._all if each is not listener]

    def wants(self, kind: str) -> bool:
        return any(each._kinds is None or kind in each._kinds for each in self._all)

    def tell(self, event: Event, failed: Callable[[BaseException], None]) -> None:
        """Tells those who listened when it happened, but for those who were cancelled since; who listens once
        is told once, also where its own handler makes the same happen."""
        for listener in list(self._all):
            if listener._is_over or listener._kinds is not None and event.kind not in listener._kinds:
                continue
            if listener._is_once:
                listener.cancel()
            try:
                listener._handler(event)
            except BaseException as error:  # noqa: B036  nothing may pass through the library
                failed(error)

    def end(self) -> None:
        """The map ends."""
        ended, self._all = self._all, []
        for listener in ended:
            listener._is_over = True
            listener._end()


class EventStream(AsyncIterator[Event]):
    """Events as they come, for `async for`; it ends with the map. They wait, in order, until they are asked
    for. `close`, or the end of a `with` block, ends it before."""

    def __init__(self, listeners: Listeners, kinds: Tuple[str, ...]) -> None:
        instance(listeners, Listeners, "listeners")
        kinds = tuple(several(kinds, "kinds"))
        self._waiting: Deque[Event] = collections.deque()
        self._is_over = False
        self._signal: Optional["asyncio.Future[None]"] = None
        # A stream that nobody holds any more collects nothing.
        own = weakref.ref(self)

        def take(event: Event) -> None:
            stream = own()
            if stream is None:
                listener.cancel()
            else:
                stream._take(event)

        def end() -> None:
            stream = own()
            if stream is not None:
                stream.close()

        listener = self._listener = listeners.add(kinds, take, end=end)

    def _take(self, event: Event) -> None:
        self._waiting.append(event)
        self._wake()

    def _wake(self) -> None:
        if self._signal is not None and not self._signal.done():
            self._signal.set_result(None)

    def close(self) -> None:
        """Ends it; what waits can still be read."""
        self._is_over = True
        self._listener.cancel()
        self._wake()

    def __enter__(self) -> "EventStream":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def __aiter__(self) -> "EventStream":
        return self

    async def __anext__(self) -> Event:
        while not self._waiting:
            if self._is_over:
                raise StopAsyncIteration
            if self._signal is None or self._signal.done():
                self._signal = asyncio.get_running_loop().create_future()
            # Several may wait for the same.
            await asyncio.shield(self._signal)
        return self._waiting.popleft()

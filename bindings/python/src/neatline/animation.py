"""What moves the camera of a map: easings, flights, and animators that are started by hand."""

from __future__ import annotations

import asyncio
from ctypes import addressof, byref, c_void_p, create_string_buffer, sizeof
from typing import TYPE_CHECKING, Any, Callable, Generator, Mapping, Optional, Sequence, Union

from . import _abi, _callbacks
from ._library import Handle, check, lib
from ._values import instance, is_callable, mapping, real, several, shown, sides_of, utf8
from .camera import _pair
from .errors import InvalidArgumentError

if TYPE_CHECKING:
    from .map import Map

Curve = Union[str, Sequence[float], float]

_CURVES = {
    "ease": _abi.Curve.EASE,
    "linear": _abi.Curve.LINEAR,
    "ease_in": _abi.Curve.EASE_IN,
    "ease_out": _abi.Curve.EASE_OUT,
    "ease_in_out": _abi.Curve.EASE_IN_OUT,
}
_POSITIONS = {int(each): each.name.lower() for each in _abi.AnimationPosition}
_STATES = {int(each): each.name.lower() for each in _abi.AnimatorState}


class Animator(Handle):
    """A camera on its way: what Map.ease_to, Map.fly_to and Map.make_animator give. It belongs to the thread of
    its map. One of make_animator that nobody holds any more stops at once; easings and flights go on. `await` it
    for where it ended: "start" (it was reversed), "current" (it was stopped, or the map was closed) or "end"."""

    _destroy = "neat_animator_destroy"

    def __init__(self, pointer: Any, map: "Map") -> None:
        super().__init__(pointer, instance(map, "Map", "map").loop._pointer)
        self._loop = map.loop

    def start(self, delay: float = 0) -> "Animator":
        """Starts it, after some seconds. Raises StateError where it was started, has ended, or its map was
        closed."""
        check(lib.neat_animator_start(self._pointer, real(delay, "delay") * 1000))
        return self

    def pause(self) -> None:
        """Lets it stay where it is. Raises StateError where it has ended."""
        check(lib.neat_animator_pause(self._pointer))

    def resume(self) -> None:
        """Lets it go on after a pause. Raises StateError where it has ended."""
        check(lib.neat_animator_resume(self._pointer))

    def reverse(self) -> None:
        """Lets it run back to where it came from, or forth again. Raises StateError where it has ended."""
        check(lib.neat_animator_reverse(self._pointer))

    def stop(self) -> None:
        """Ends it where it is; nothing where it has ended."""
        check(lib.neat_animator_stop(self._pointer))

    @property
    def state(self) -> str:
        """What it does: "inactive", "active", "paused" or "finished"."""
        return _STATES[self._info().state]

    @property
    def fraction_complete(self) -> float:
        """How much of its time is over, 0 to 1; it falls while it runs back."""
        return self._info().fraction_complete

    @property
    def is_reversed(self) -> bool:
        """Whether it runs back."""
        return bool(self._info().is_reversed)

    @property
    def id(self) -> int:
        """Its number among the map's animators, which events name."""
        return self._info().id

    @property
    def position(self) -> Optional[str]:
        """Where it ended; None until it has."""
        info = self._info()
        return _POSITIONS[info.position] if _STATES[info.state] == "finished" else None

    def when_ended(self, completion: Callable[[str], Any]) -> None:
        """Has somebody told where it ends, once; where it has ended already, in a later turn of the loop. An
        exception that it raises is raised by the loop."""
        _wait(self._loop, completion, lambda *args: lib.neat_animator_when_ended(self._pointer, *args))

    def __await__(self) -> Generator[Any, None, str]:
        position = self.position
        if position is None:
            self._loop.attach()
            future: "asyncio.Future[str]" = asyncio.get_running_loop().create_future()
            self.when_ended(lambda end: None if future.done() else future.set_result(end))
            position = yield from future
        return position

    def _info(self) -> _abi.AnimatorInfo:
        info = _abi.AnimatorInfo(struct_size=sizeof(_abi.AnimatorInfo))
        check(lib.neat_animator_describe(self._pointer, byref(info)))
        return info


def begin(
    map: "Map",
    function: Any,
    change: _abi.CameraChange,
    animation: _abi.Animation,
    course: _abi.CameraCourse,
    completion: Optional[Callable[[str], Any]],
) -> Animator:
    """Starts an easing or a flight."""
    out = c_void_p()
    _wait(
        map.loop,
        completion,
        lambda callback, context: function(
            map._pointer, byref(change), byref(course), byref(animation), callback, context, byref(out)
        ),
    )
    return Animator(out, map)


def make(
    map: "Map", start: Optional[Mapping[str, Any]], end: Mapping[str, Any], animation: _abi.Animation
) -> Animator:
    """An animator that is started by hand."""
    first = None if start is None else byref(change_of(**mapping(start, "start")))
    out = c_void_p()
    last = change_of(**mapping(end, "to"))
    check(lib.neat_map_make_animator(map._pointer, first, byref(last), byref(animation), byref(out)))
    return Animator(out, map)


def animation_of(duration: Optional[float], curve: Curve, owner: str) -> _abi.Animation:
    """How a camera goes: seconds, and the curve by name, as four numbers of a cubic Bezier curve, or as the
    damping ratio of a spring."""
    animation = _abi.Animation(struct_size=sizeof(_abi.Animation))
    if duration is not None:
        animation.has_duration, animation.duration_ms = 1, real(duration, "duration") * 1000
    if isinstance(curve, str):
        if curve not in _CURVES:
            raise InvalidArgumentError(f'curve {shown(curve)} is none of {", ".join(_CURVES)}')
        animation.curve = int(_CURVES[curve])
    elif isinstance(curve, (int, float)):
        animation.curve, animation.damping_ratio = int(_abi.Curve.SPRING), real(curve, "curve")
    else:
        points = several(curve, "curve")
        if len(points) != 4:
            raise InvalidArgumentError(f"curve has {len(points)} numbers: a cubic Bezier curve has 4")
        animation.curve = int(_abi.Curve.BEZIER)
        animation.x1, animation.y1, animation.x2, animation.y2 = (real(each, "curve") for each in points)
    name = utf8(owner, "owner")
    # Kept as long as the structure, which points to it.
    animation._name = create_string_buffer(name, max(len(name), 1))
    animation.owner, animation.owner_size = addressof(animation._name), len(name)
    return animation


def change_of(
    center: Optional[Sequence[float]] = None,
    zoom: Optional[float] = None,
    bearing: Optional[float] = None,
    pitch: Optional[float] = None,
    roll: Optional[float] = None,
    padding: Any = None,
    anchor: Optional[Sequence[float]] = None,
) -> _abi.CameraChange:
    """Some of a camera's values; what is None stays as it is."""
    change = _abi.CameraChange(struct_size=sizeof(_abi.CameraChange))
    field = _abi.CameraField
    if center is not None:
        change.fields |= field.CENTER
        change.lon_deg, change.lat_deg = _pair(center, "center")
    values = (
        (field.ZOOM, "zoom", zoom),
        (field.BEARING, "bearing_deg", bearing),
        (field.PITCH, "pitch_deg", pitch),
        (field.ROLL, "roll_deg", roll),
    )
    for bit, name, value in values:
        if value is not None:
            change.fields |= bit
            setattr(change, name, real(value, name.split("_")[0]))
    if padding is not None:
        change.fields |= field.PADDING
        sides = sides_of(padding, "padding")
        change.padding_top_px, change.padding_left_px, change.padding_bottom_px, change.padding_right_px = sides
    if anchor is not None:
        change.fields |= field.ANCHOR
        change.anchor_x_px, change.anchor_y_px = _pair(anchor, "anchor")
    return change


# Completions: the library calls one function, and a number says for whom.


@_abi.AnimationCallback
def _ended(context: Optional[int], position: int) -> None:
    loop, completion = _callbacks.get(context)
    _callbacks.drop(context)
    try:
        completion(_POSITIONS[position])
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        loop._keep(error)


_nobody = _abi.AnimationCallback()


def _wait(loop: Any, completion: Optional[Callable[[str], Any]], begin: Callable[[Any, Any], int]) -> None:
    if completion is None:
        return check(begin(_nobody, None))
    context = _callbacks.add((loop, is_callable(completion, "completion")))
    status = begin(_ended, context)
    if status:
        _callbacks.drop(context)
    check(status)

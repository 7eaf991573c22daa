"""Which place is seen where, and where a camera goes: no style and no pictures."""

from __future__ import annotations

import math
from ctypes import byref, c_double, c_uint8, c_uint32, c_void_p, pointer, sizeof
from typing import Any, Callable, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _abi
from ._library import check, lib
from ._values import chosen, instance, parsed_geojson, real, reals, several, sides_of, whole
from .errors import InvalidArgumentError

Pair = Tuple[float, float]
Padding = Union[float, Sequence[float]]

_PROJECTIONS = {"mercator": _abi.Projection.MERCATOR, "globe": _abi.Projection.GLOBE}
_MODES = {
    "height": _abi.ConstrainMode.HEIGHT,
    "width_and_height": _abi.ConstrainMode.WIDTH_AND_HEIGHT,
    "screen": _abi.ConstrainMode.SCREEN,
    "none": _abi.ConstrainMode.NONE,
}


class Limits(NamedTuple):
    """Where a camera may be.

    mode: "height" (the view does not go past the world's northern and southern edge; bounds hold the centre),
    "width_and_height" (nor past its eastern and western one), "screen" (the whole view stays within the
    bounds, or within the world) or "none" (bounds hold the centre, and nothing else is held). bounds: (west,
    south, east, north) in degrees; None: the world. repeats: whether worlds stand side by side."""

    mode: str = "height"
    bounds: Optional[Sequence[float]] = None
    min_zoom: float = 0
    max_zoom: float = 22
    min_pitch: float = 0
    max_pitch: float = 85
    repeats: bool = True


class Eye(NamedTuple):
    """Where a view is seen from. position: (x, y, z) in Mercator units: the world is 1 wide, x to the east, y to the
    south, z up. orientation: a unit quaternion (x, y, z, w); (0, 0, 0, 1) looks straight down, with north at the
    top."""

    position: Sequence[float]
    orientation: Sequence[float] = (0.0, 0.0, 0.0, 1.0)

    def looking_at(self, place: Sequence[float], altitude: float = 0) -> "Eye":
        """The same eye, turned to a place, some metres above the ground. Raises InvalidArgumentError for what is no
        place, and for one that is not below the eye."""
        free = self._c()
        longitude, latitude = reals(place, "place", 2)
        check(lib.neat_free_camera_look_at(byref(free), longitude, latitude, real(altitude, "altitude")))
        return Eye(tuple(self.position), (free.qx, free.qy, free.qz, free.qw))

    def _c(self) -> _abi.FreeCamera:
        x, y, z = reals(self.position, "position", 3)
        qx, qy, qz, qw = reals(self.orientation, "orientation", 4)
        return _abi.FreeCamera(struct_size=sizeof(_abi.FreeCamera), x=x, y=y, z=z, qx=qx, qy=qy, qz=qz, qw=qw)


def fit_bounds(
    camera: _abi.Camera,
    size: _abi.Size,
    bounds: Sequence[float],
    said: Callable[..., int],
    handle: c_void_p,
) -> None:
    """Moves a camera so that it shows a box as large as it fits, on what `said` says of a map or renderer."""
    box = reals(bounds, "bounds", 4)
    options = _abi.FitOptions(struct_size=sizeof(_abi.FitOptions))

    def fitted(start: _abi.Camera, projection: int) -> Tuple[_abi.Camera, int]:
        """The camera, and what is shown at its zoom."""
        moved, kind = _abi.Camera.from_buffer_copy(start), c_uint32()
        options.projection = projection
        check(lib.neat_camera_fit_bounds_with(byref(moved), byref(size), byref(options), *box))
        check(said(handle, moved.zoom, byref(kind)))
        return moved, kind.value

    plane, kind = fitted(camera, _abi.Projection.MERCATOR)
    if kind == _abi.Projection.GLOBE:
        globe, kind = fitted(camera, _abi.Projection.GLOBE)
        if kind == _abi.Projection.GLOBE:
            plane = globe
    camera.lon_deg, camera.lat_deg, camera.zoom = plane.lon_deg, plane.lat_deg, plane.zoom


class View(NamedTuple):
    """A camera over a picture: which place is seen where.

    center: longitude and latitude in degrees. bearing: degrees clockwise from north; pitch: degrees from
    straight down; roll: degrees about the line of sight. size: logical pixels, one number or width and
    height. padding: logical pixels kept free along the edges, one number or (top, left, bottom, right).
    ratio: device pixels per logical pixel. projection: "mercator" or "globe", in views of maps and renderers
    what their style says for the zoom (between zoom 11 and 12, where the globe goes over into the plane, what
    is nearer). north: where north is at a bearing of 0, degrees clockwise from the top (`Map.orientation`).

    All points are logical pixels right of and below the top left corner, all places are (longitude, latitude)
    in degrees. Functions raise InvalidArgumentError for what no view, place or point may be, naming it."""

    center: Sequence[float] = (0.0, 0.0)
    zoom: float = 0
    bearing: float = 0
    pitch: float = 0
    roll: float = 0
    size: Union[int, Sequence[int]] = 512
    padding: Union[float, Sequence[float]] = 0
    ratio: float = 1
    projection: str = "mercator"
    north: float = 0

    # What is seen where

    def point(self, place: Sequence[float]) -> Pair:
        """Where a place is seen; (-1, -1) where it is not."""
        return self.points([place])[0]

    def points(self, places: Sequence[Sequence[float]]) -> List[Pair]:
        """Where places are seen, each as `point`."""
        points, visible = self._project(places)
        return [point if seen else (-1.0, -1.0) for point, seen in zip(points, visible)]

    def projected(self, places: Sequence[Sequence[float]]) -> List[Optional[Pair]]:
        """Where places are on the screen, or would be if that were larger; None behind the eye. Those on the
        far side of the globe are projected through it."""
        return [None if math.isnan(point[0]) else point for point in self._project(places)[0]]

    def place(self, point: Sequence[float]) -> Optional[Pair]:
        """The place under a point, which may be beside the view; None at the horizon and above. Beside the
        globe it is the nearest of its edge. Longitudes of the plane go on past 180."""
        return self.places([point])[0]

    def places(self, points: Sequence[Sequence[float]]) -> List[Optional[Pair]]:
        """The places under points, each as `place`."""
        return [None if math.isnan(place[0]) else place for place in self._unproject(points)[0]]

    def on_surface(self, point: Sequence[float]) -> bool:
        """Whether the map is drawn at a point: it is neither the sky nor beside the globe."""
        return self._unproject([point])[1][0]

    @property
    def bounds(self) -> Tuple[float, float, float, float]:
        """The box of degrees that is shown: (west, south, east, north), longitudes within -180 to 180; west
        is greater than east where it crosses the 180th meridian."""
        return self._bounds(1)

    @property
    def unwrapped_bounds(self) -> Tuple[float, float, float, float]:
        """`bounds` with longitudes that go on past 180, so that west is less than east."""
        return self._bounds(0)

    # Where it goes

    @property
    def camera(self) -> dict:
        """Keywords for Renderer.draw, Renderer.frame and Map.set_camera: center, zoom, bearing, pitch, roll
        and padding."""
        names = ("center", "zoom", "bearing", "pitch", "roll", "padding")
        return {name: getattr(self, name) for name in names}

    def fit(
        self,
        target: Any,
        *,
        padding: Padding = 0,
        max_zoom: float = 22,
        offset: Sequence[float] = (0, 0),
    ) -> "View":
        """The view that shows all of the target as large as it fits, at the bearing, pitch and roll of this
        one, on what this one is laid onto (`projection`). On a globe what is hidden counts as if it lay at its edge.

        target: (west, south, east, north), west above east across the 180th meridian; a list of places, or
        GeoJSON in any form that a source takes. padding: kept free beside the view's own. offset: where the
        middle goes, in logical pixels to the east and south. Raises InvalidArgumentError for a target without
        places and for paddings that leave no room."""
        camera, size = self._c()
        most = real(max_zoom, "max_zoom")
        options = _abi.FitOptions(struct_size=sizeof(_abi.FitOptions), has_max_zoom=1, max_zoom=most)
        _set_padding(options, padding)
        options.offset_x_px, options.offset_y_px = reals(offset, "offset", 2)
        options.projection = self._kind()
        if _is_list(target) and len(target) == 4 and all(_is_number(each) for each in target):
            box = reals(target, "target", 4)
            check(lib.neat_camera_fit_bounds_with(byref(camera), byref(size), byref(options), *box))
        else:
            places = list(_places(target))
            check(
                lib.neat_camera_fit_points(
                    byref(camera), byref(size), byref(options), _numbers(places), len(places)
                )
            )
        return self._moved(camera)

    @property
    def eye(self) -> "Eye":
        """Where the view is seen from."""
        camera, size = self._c()
        free = _abi.FreeCamera(struct_size=sizeof(_abi.FreeCamera))
        check(lib.neat_camera_to_free(byref(camera), byref(size), byref(free)))
        return Eye((free.x, free.y, free.z), (free.qx, free.qy, free.qz, free.qw))

    def seen_from(self, eye: "Eye") -> "View":
        """The view from an eye; padding and size stay. Raises InvalidArgumentError for an eye below the ground, one
        that looks past a pitch of 85, and where the view would be past its range."""
        camera, size = self._c()
        free = instance(eye, Eye, "eye")._c()
        check(lib.neat_camera_from_free(byref(camera), byref(size), byref(free)))
        return self._moved(camera)

    def within(self, limits: Limits) -> "View":
        """The view at the nearest of where it may be. On the globe bounds hold the centre and nothing else is
        held; min_zoom is that at the equator, and elsewhere the zoom at which the globe is as large."""
        camera, size = self._c()
        check(lib.neat_camera_constrain(byref(camera), byref(size), self._kind(), byref(_limits(limits))))
        return self._moved(camera)

    def ease(
        self,
        to: "View",
        t: float,
        *,
        around: Optional[Sequence[float]] = None,
        offset: Sequence[float] = (0, 0),
        limits: Optional[Limits] = None,
    ) -> "View":
        """The view on a straight way from this one to another: t is 0 here and 1 there. Bearing, roll and
        longitude go the shorter way around. around: a place that stays where it is seen, from which the
        centre follows. offset: where the centre goes, in logical pixels right of and below the middle of
        what the padding leaves. On a globe (this view's projection) the centre goes along a line of constant
        bearing, and the globe's size changes evenly."""
        course = course_of(around, offset)
        (start, size), (end, _), out = self._c(), instance(to, View, "to")._c(), _camera()
        check(
            lib.neat_camera_ease(
                byref(start),
                byref(end),
                byref(size),
                self._kind(),
                byref(course),
                _pointer(limits),
                real(t, "t"),
                byref(out),
            )
        )
        return self._moved(out)

    def fly(
        self,
        to: "View",
        t: float,
        *,
        curve: float = 1.42,
        min_zoom: Optional[float] = None,
        offset: Sequence[float] = (0, 0),
        limits: Optional[Limits] = None,
    ) -> "View":
        """The view on an arc from this one to another, out, over and in (van Wijk and Nuij, 2003): t is 0
        here and 1 there. curve: how far out it goes. min_zoom: the zoom of its top, in the place of the
        curve. Else as `ease`."""
        return self._fly(to, t, flight_of(curve, min_zoom, offset), limits)[0]

    def flight_time(
        self,
        to: "View",
        *,
        speed: float = 1.2,
        screen_speed: Optional[float] = None,
        curve: float = 1.42,
        min_zoom: Optional[float] = None,
        limits: Optional[Limits] = None,
    ) -> float:
        """Seconds that a flight takes. speed: screens along the arc in a second; screen_speed: the same in
        screens of the view as they go by, which counts first."""
        course = flight_of(curve, min_zoom, (0, 0), speed, screen_speed)
        return self._fly(to, 1, course, limits)[1] / 1000

    # The library's structures

    def _c(self) -> Tuple[_abi.Camera, _abi.Size]:
        try:
            width, height = self.size if hasattr(self.size, "__len__") else (self.size, self.size)
            size = _abi.Size(
                struct_size=sizeof(_abi.Size),
                width_px=whole(width, "width"),
                height_px=whole(height, "height"),
                pixel_ratio=self.ratio,
            )
            camera = _camera()
            camera.lon_deg, camera.lat_deg = self.center
            camera.zoom, camera.bearing_deg = self.zoom, self.bearing
            camera.pitch_deg, camera.roll_deg = self.pitch, self.roll
            camera.north_deg = self.north
            _set_padding(camera, self.padding)
            return camera, size
        except (TypeError, ValueError, OverflowError):
            self._refuse()
            raise

    def _refuse(self) -> None:
        """Raises for the first member that is wrong. Views are laid out in loops, so that members are looked at one
        by one only where that failed."""
        reals(self.center, "center", 2)
        for name in ("zoom", "bearing", "pitch", "roll", "ratio", "north"):
            real(getattr(self, name), name)
        sides_of(self.padding, "padding")
        if hasattr(self.size, "__len__"):
            reals(self.size, "size", 2)

    def _moved(self, camera: _abi.Camera) -> "View":
        return self._replace(
            center=(camera.lon_deg, camera.lat_deg),
            zoom=camera.zoom,
            bearing=camera.bearing_deg,
            pitch=camera.pitch_deg,
            roll=camera.roll_deg,
            padding=(
                camera.padding_top_px,
                camera.padding_left_px,
                camera.padding_bottom_px,
                camera.padding_right_px,
            ),
        )

    def _laid(self, said: Callable[..., int], handle: c_void_p) -> "View":
        """The same on what a map's or renderer's pictures of the zoom are laid onto."""
        kind = c_uint32()
        check(said(handle, self.zoom, byref(kind)))
        return self._replace(projection=_abi.Projection(kind.value).name.lower())

    def _kind(self) -> int:
        return int(_named(_PROJECTIONS, self.projection, "projection"))

    def _project(self, places: Sequence[Sequence[float]]) -> Tuple[List[Pair], List[bool]]:
        places = places if hasattr(places, "__len__") else several(places, "places")
        (camera, size), count = self._c(), len(places)
        out, visible = (c_double * (2 * count))(), (c_uint8 * count)()
        check(
            lib.neat_camera_project(
                byref(camera), byref(size), self._kind(), _numbers(places), count, out, visible
            )
        )
        return list(zip(out[::2], out[1::2])), [each != 0 for each in visible]

    def _unproject(self, points: Sequence[Sequence[float]]) -> Tuple[List[Pair], List[bool]]:
        points = points if hasattr(points, "__len__") else several(points, "points")
        (camera, size), count = self._c(), len(points)
        out, surface = (c_double * (2 * count))(), (c_uint8 * count)()
        check(
            lib.neat_camera_unproject(
                byref(camera), byref(size), self._kind(), _numbers(points), count, out, surface
            )
        )
        return list(zip(out[::2], out[1::2])), [each != 0 for each in surface]

    def _bounds(self, wrap: int) -> Tuple[float, float, float, float]:
        (camera, size), out = self._c(), (c_double * 4)()
        check(lib.neat_camera_view_bounds(byref(camera), byref(size), self._kind(), wrap, out))
        return out[0], out[1], out[2], out[3]

    def _fly(
        self, to: "View", t: float, course: _abi.CameraCourse, limits: Optional[Limits]
    ) -> Tuple["View", float]:
        (start, size), (end, _), out, time = self._c(), instance(to, View, "to")._c(), _camera(), c_double()
        check(
            lib.neat_camera_fly(
                byref(start),
                byref(end),
                byref(size),
                self._kind(),
                byref(course),
                _pointer(limits),
                real(t, "t"),
                byref(out),
                byref(time),
            )
        )
        return self._moved(out), time.value


def _camera() -> _abi.Camera:
    return _abi.Camera(struct_size=sizeof(_abi.Camera))


def _set_padding(structure: Any, padding: Padding) -> None:
    try:
        top, left, bottom, right = padding if hasattr(padding, "__len__") else (padding,) * 4
        structure.padding_top_px, structure.padding_left_px = top, left
        structure.padding_bottom_px, structure.padding_right_px = bottom, right
    except (TypeError, ValueError, OverflowError):
        sides_of(padding, "padding")
        raise


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) or not hasattr(value, "__len__") and hasattr(value, "__float__")


def _is_list(value: Any) -> bool:
    """Lists, tuples, arrays: neither text nor what is GeoJSON."""
    if isinstance(value, (str, bytes, bytearray, memoryview, Mapping)):
        return False
    return hasattr(value, "__len__") and not hasattr(value, "__geo_interface__")


def _numbers(pairs: Sequence[Sequence[float]]) -> Any:
    flat: List[float] = []
    try:
        for pair in pairs:
            x, y = pair
            flat += (float(x), float(y))
    except (TypeError, ValueError, OverflowError):
        for pair in pairs:
            reals(pair, "a place or point", 2)
        raise
    return (c_double * len(flat))(*flat)


def _places(target: Any) -> Iterator[Sequence[float]]:
    """The places of a list, or of GeoJSON."""
    if _is_list(target) and all(_is_list(each) for each in target):
        for place in target:
            yield place[0], place[1]
        return
    waiting = [parsed_geojson(target, "the target")]
    while waiting:
        value = waiting.pop()
        if isinstance(value, Mapping):
            names = ("features", "geometry", "geometries", "coordinates")
            waiting += (value[name] for name in names if name in value)
        elif isinstance(value, list):
            if value and not isinstance(value[0], (list, Mapping)):
                if len(value) < 2 or not all(_is_number(each) for each in value[:2]):
                    raise InvalidArgumentError(f"the target has {value!r} for a position")
                yield value[0], value[1]
            else:
                waiting += value


def _named(table: Mapping[str, Any], name: str, what: str) -> Any:
    return chosen(table, what, name)


def _limits(limits: Limits) -> _abi.CameraLimits:
    instance(limits, Limits, "limits")
    result = _abi.CameraLimits(
        struct_size=sizeof(_abi.CameraLimits),
        mode=int(_named(_MODES, limits.mode, "mode")),
        has_bounds=int(limits.bounds is not None),
        has_max_zoom=1,
        has_max_pitch=1,
        is_one_world=int(not limits.repeats),
        min_zoom=real(limits.min_zoom, "min_zoom"),
        max_zoom=real(limits.max_zoom, "max_zoom"),
        min_pitch_deg=real(limits.min_pitch, "min_pitch"),
        max_pitch_deg=real(limits.max_pitch, "max_pitch"),
    )
    if limits.bounds is not None:
        result.west_deg, result.south_deg, result.east_deg, result.north_deg = reals(limits.bounds, "bounds", 4)
    return result


def limits_of(limits: _abi.CameraLimits) -> Limits:
    names = {int(number): name for name, number in _MODES.items()}
    bounds = (limits.west_deg, limits.south_deg, limits.east_deg, limits.north_deg)
    return Limits(
        mode=names[limits.mode],
        bounds=bounds if limits.has_bounds else None,
        min_zoom=limits.min_zoom,
        max_zoom=limits.max_zoom,
        min_pitch=limits.min_pitch_deg,
        max_pitch=limits.max_pitch_deg,
        repeats=not limits.is_one_world,
    )


def _pointer(limits: Optional[Limits]) -> Any:
    return None if limits is None else pointer(_limits(limits))


def course_of(around: Optional[Sequence[float]], offset: Sequence[float]) -> _abi.CameraCourse:
    """The way of an easing."""
    course = _abi.CameraCourse(struct_size=sizeof(_abi.CameraCourse))
    if around is not None:
        course.has_around = 1
        course.around_lon_deg, course.around_lat_deg = _pair(around, "around")
    course.offset_x_px, course.offset_y_px = _pair(offset, "offset")
    return course


def flight_of(
    curve: float,
    min_zoom: Optional[float],
    offset: Sequence[float],
    speed: float = 1.2,
    screen_speed: Optional[float] = None,
    max_duration: Optional[float] = None,
) -> _abi.CameraCourse:
    """The way of a flight."""
    course = course_of(None, offset)
    course.curve = _not_zero(curve, "curve")
    if min_zoom is not None:
        course.has_min_zoom, course.min_zoom = 1, real(min_zoom, "min_zoom")
    course.speed = _not_zero(speed, "speed")
    course.screen_speed = 0 if screen_speed is None else _not_zero(screen_speed, "screen_speed")
    course.max_duration_ms = 0 if max_duration is None else _not_zero(max_duration, "max_duration") * 1000
    return course


def _pair(values: Sequence[float], name: str) -> Tuple[float, float]:
    found = several(values, name)
    if len(found) != 2:
        raise InvalidArgumentError(f"{name} has {len(found)} numbers: two are needed")
    return real(found[0], name), real(found[1], name)


def _not_zero(value: float, name: str) -> float:
    """0 is C's word for the default; from Python it is a number out of range, and is refused as one."""
    number = real(value, name)
    return number if number != 0 else -1.0

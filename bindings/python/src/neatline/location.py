"""Where the user is: providers, recordings, and the puck that stands there."""

from __future__ import annotations

import dataclasses
import os
import weakref
from ctypes import byref, c_double, c_uint32, sizeof
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Iterator, List, Optional, Sequence, Tuple, Union

from . import _abi, _callbacks
from ._library import Bytes, Handle, as_bytes, check, lib, pointer_of, take_json
from ._values import as_json, instance, real, reals, several, utf8, whole
from ._waiting import Waiting
from .errors import CancelledError, InvalidArgumentError, NeatlineError, NotFoundError, error_of

if TYPE_CHECKING:
    from .image import Image
    from .map import Map

_BITS = {
    "altitude": (_abi.LocationField.ALTITUDE, "altitude_m"),
    "horizontal_accuracy": (_abi.LocationField.HORIZONTAL_ACCURACY, "horizontal_accuracy_m"),
    "course": (_abi.LocationField.COURSE, "course_deg"),
    "course_accuracy": (_abi.LocationField.COURSE_ACCURACY, "course_accuracy_deg"),
    "speed": (_abi.LocationField.SPEED, "speed_mps"),
    "heading": (_abi.LocationField.HEADING, "heading_deg"),
}
ACCURACIES = {int(each): each.name.lower() for each in _abi.AccuracyAuthorization}


@dataclasses.dataclass(frozen=True)
class Location:
    """Where somebody is. What is None is not known.

    place: (longitude, latitude) in degrees. altitude: metres above the sea. horizontal_accuracy: metres around the
    place within which it may be in truth. course: where it is going, degrees clockwise from north; course_accuracy:
    degrees. speed: metres a second. time: seconds since 1970; told and kept, and never computed with. heading: where
    the device points, of what a puck shows and of recordings."""

    place: Sequence[float]
    altitude: Optional[float] = None
    horizontal_accuracy: Optional[float] = None
    course: Optional[float] = None
    course_accuracy: Optional[float] = None
    speed: Optional[float] = None
    time: Optional[float] = None
    heading: Optional[float] = None

    def _c(self) -> _abi.Location:
        longitude, latitude = reals(self.place, "place", 2)
        result = _abi.Location(struct_size=sizeof(_abi.Location), lon_deg=longitude, lat_deg=latitude)
        for name, (bit, member) in _BITS.items():
            value = getattr(self, name)
            if value is not None:
                result.fields |= bit
                setattr(result, member, real(value, name))
        if self.time is not None:
            result.fields |= _abi.LocationField.TIME
            result.time_us = _microseconds(self.time)
        return result


@dataclasses.dataclass(frozen=True)
class Heading:
    """Where a device points. direction: degrees clockwise from true north. accuracy: degrees. time: seconds since
    1970."""

    direction: float
    accuracy: Optional[float] = None
    time: Optional[float] = None

    def _c(self) -> _abi.Heading:
        result = _abi.Heading(struct_size=sizeof(_abi.Heading), direction_deg=real(self.direction, "direction"))
        if self.accuracy is not None:
            result.has_accuracy, result.accuracy_deg = 1, real(self.accuracy, "accuracy")
        if self.time is not None:
            result.has_time, result.time_us = 1, _microseconds(self.time)
        return result


def location_of(found: _abi.Location) -> Location:
    """The library's structure as a location."""
    known = {name: getattr(found, member) for name, (bit, member) in _BITS.items() if found.fields & bit}
    if found.fields & _abi.LocationField.TIME:
        known["time"] = found.time_us / 1e6
    return Location((found.lon_deg, found.lat_deg), **known)


def heading_of(found: _abi.Heading) -> Heading:
    """The library's structure as a heading."""
    return Heading(
        found.direction_deg,
        found.accuracy_deg if found.has_accuracy else None,
        found.time_us / 1e6 if found.has_time else None,
    )


def _microseconds(seconds: float) -> int:
    known = real(seconds, "time")
    number = round(known * 1e6) if abs(known) < 9e12 else None
    if number is None:
        raise InvalidArgumentError(f"time {seconds} is no time of a location")
    return number


@dataclasses.dataclass(frozen=True)
class Pulsing:
    """A circle that grows and fades around a puck, over and over. radius: logical pixels, 0 to 10000, or "accuracy":
    as large as the accuracy ring. period: seconds, 0.1 to 60."""

    color: str = "rgb(74,144,226)"
    radius: Union[float, str] = 30
    period: float = 3


@dataclasses.dataclass(frozen=True)
class Puck:
    """How a flat puck looks. top, bearing, shadow: its pictures from above, up where the puck points; None: a blue dot,
    nothing (an arrow where shows_bearing is true) and a white disc with a shadow. image_ratio: pixels of theirs to a
    logical one. scale: their size, 0 to 100, or an expression of the zoom. opacity: of all of it. pulsing: None: no
    circle pulses. shows_accuracy_ring: whether a ring shows the horizontal accuracy, in the colours that follow."""

    top: Optional["Image"] = None
    bearing: Optional["Image"] = None
    shadow: Optional["Image"] = None
    image_ratio: float = 1
    scale: Any = 1
    opacity: float = 1
    shows_bearing: bool = False
    shows_accuracy_ring: bool = False
    accuracy_ring_color: str = "rgba(137,207,240,0.3)"
    accuracy_ring_border_color: str = "rgba(137,207,240,0.3)"
    pulsing: Optional[Pulsing] = None

    def _options(self) -> Dict[str, Any]:
        if self.pulsing is not None:
            instance(self.pulsing, Pulsing, "pulsing")
        pulsing = None if self.pulsing is None else {
            "color": self.pulsing.color, "radius": self.pulsing.radius,
            "period": real(self.pulsing.period, "period") * 1000,
        }
        return {
            "scale": self.scale,
            "opacity": self.opacity,
            "showsBearing": self.shows_bearing,
            "showsAccuracyRing": self.shows_accuracy_ring,
            "accuracyRingColor": self.accuracy_ring_color,
            "accuracyRingBorderColor": self.accuracy_ring_border_color,
            "pulsing": pulsing,
        }


@dataclasses.dataclass(frozen=True)
class PuckModel:
    """A model of triangles that stands where the user is. data: glTF 2.0 with positions, normals and base colours, the
    bytes of a .glb or of a .gltf whose buffers are data: URLs, or a path (os.PathLike). scale: 0 to 100, or an expression
    of the zoom; scale_mode: its unit is a logical pixel ("viewport") or a metre ("map"). rotation: degrees about x, y and
    z by which it is turned before it takes the bearing. opacity: 0 to 1."""

    data: Union[Bytes, "os.PathLike[str]"]
    scale: Any = 1
    scale_mode: str = "viewport"
    rotation: Sequence[float] = (0, 0, 0)
    opacity: float = 1

    def _options(self) -> Dict[str, Any]:
        return {
            "modelScale": self.scale,
            "modelScaleMode": self.scale_mode,
            "modelRotation": several(self.rotation, "rotation"),
            "opacity": self.opacity,
        }

    def _bytes(self) -> bytes:
        if isinstance(self.data, os.PathLike):
            with open(self.data, "rb") as file:
                return file.read()
        return as_bytes(self.data)


class LocationProvider:
    """Where a map's locations come from: `map.location.override(provider)`. Derive from it, and hand what is found to
    `send`, `send_heading` and `fail`, on the map's thread."""

    _manager: Optional["weakref.ReferenceType[LocationManager]"] = None

    def update(self, locations: bool, headings: bool) -> None:
        """What is wanted from now on. Called where it changes; both are False at the end."""

    def request_full_accuracy(self, purpose_key: str) -> None:
        """The user is to be asked for full accuracy for a while; the key says what for."""

    @property
    def manager(self) -> Optional["LocationManager"]:
        """Whose provider it is."""
        return None if self._manager is None else self._manager()

    def send(self, location: Location) -> None:
        """Says where the user is. Raises InvalidArgumentError for what is no location; nothing where it is no map's
        provider."""
        if self.manager is not None:
            self.manager.push(location)

    def send_heading(self, heading: Heading) -> None:
        """Says where the device points."""
        if self.manager is not None:
            self.manager.push_heading(heading)

    def fail(self, error: NeatlineError) -> None:
        """Says that nobody could tell where the user is."""
        if self.manager is not None:
            self.manager.fail(error)

    def set_accuracy(self, accuracy: str) -> None:
        """Says how exactly the user lets the host know: "full" or "reduced"."""
        if self.manager is not None:
            self.manager.accuracy = accuracy


class Track(Handle):
    """A recording of locations: GPX 1.0 and 1.1, or sentences of NMEA 0183. For any thread.

    data: the recording's bytes or text, or a path (os.PathLike). format: "gpx", "nmea" or None: the data tells. Course
    and speed that it does not have are those from location to location. Raises InvalidArgumentError, naming the line,
    for what is no such recording and for one without a location, LimitExceededError past 64 MiB and 500,000
    locations. `len(track)`, `track[index]` and iterating give (seconds after the first, Location)."""

    _destroy = "neat_track_destroy"

    def __init__(self, data: Union[Bytes, str, "os.PathLike[str]"], format: Optional[str] = None) -> None:
        if isinstance(data, os.PathLike):
            with open(data, "rb") as file:
                data = file.read()
        content = utf8(data, "data") if isinstance(data, str) else as_bytes(data)
        name = b"" if format is None else utf8(format, "format")
        super().__init__(self._make(lib.neat_track_create, content, len(content), name, len(name)))

    def __len__(self) -> int:
        return lib.neat_track_count(self._pointer)

    def __getitem__(self, index: int) -> Tuple[float, Location]:
        count = len(self)
        index = whole(index, "index", -(2**63), 2**63 - 1)
        if not -count <= index < count:
            raise IndexError(f"location {index} of a track with {count}")
        found, time = _abi.Location(struct_size=sizeof(_abi.Location)), c_double()
        check(lib.neat_track_location(self._pointer, index % count, byref(found), byref(time)))
        return time.value / 1000, location_of(found)

    def __iter__(self) -> Iterator[Tuple[float, Location]]:
        return (self[index] for index in range(len(self)))

    @property
    def duration(self) -> float:
        """Seconds from the first location to the last."""
        return self._info["durationMS"] / 1000

    @property
    def format(self) -> str:
        """How it was written: "gpx" or "nmea"."""
        return self._info["format"]

    @property
    def problems(self) -> List[Tuple[int, str]]:
        """The first 100 lines that were left out: (line, why)."""
        return [(each["line"], each["message"]) for each in self._info["problems"]]

    @property
    def problem_count(self) -> int:
        """How many were left out."""
        return self._info["problemCount"]

    @property
    def _info(self) -> Dict[str, Any]:
        return take_json(lib.neat_track_info, self._pointer)


class Replay(Waiting):
    """A recording on its way. `await` it for its end, or look at `done` and `error` while the loop runs."""

    def __init__(self, map: "Map", completion: Optional[Callable[[Optional[NeatlineError]], Any]]) -> None:
        super().__init__(instance(map, "Map", "map").loop, completion)
        self.error: Optional[NeatlineError] = None
        """CancelledError where it was ended before its time."""

    def _end(self, error: Optional[NeatlineError]) -> None:
        self.error = error
        self._end_with(error)

    def __await__(self) -> Generator[Any, None, None]:
        yield from self._wait()
        if self.error is not None:
            raise self.error


class LocationManager:
    """The user's location on a map: `Map.location`. Belongs to the map's thread."""

    def __init__(self, map: "Map") -> None:
        self._of = weakref.ref(instance(map, "Map", "map"))
        self._provider: Optional[LocationProvider] = None
        self._context: Optional[int] = None
        self._puck: Union[Puck, PuckModel, None] = None

    @property
    def _map(self) -> "Map":
        map = self._of()
        if map is None:
            raise CancelledError("the map is gone")
        return map

    # What is shown

    @property
    def puck(self) -> Union[Puck, PuckModel, None]:
        """What stands where the user is; None: nothing."""
        return self._puck

    @puck.setter
    def puck(self, puck: Union[Puck, PuckModel, None]) -> None:
        if puck is not None:
            instance(puck, (Puck, PuckModel), "puck")
        if puck is None:
            self.set_options(puck=None)
        else:
            before = self._puck
            self.set_options(puck=puck._options())
            try:
                self._set_images(puck)
            except NeatlineError:
                self.puck = before
                raise
        self._puck = puck

    def _set_images(self, puck: Union[Puck, PuckModel]) -> None:
        model = puck._bytes() if isinstance(puck, PuckModel) else b""
        if isinstance(puck, PuckModel) and not model:
            raise InvalidArgumentError("the puck's model is empty")
        self._map._do(lib.neat_map_set_puck_model, model)
        if isinstance(puck, PuckModel):
            return
        kind = _abi.PuckImage
        for number, image in ((kind.SHADOW, puck.shadow), (kind.BEARING, puck.bearing), (kind.TOP, puck.top)):
            pointer = None if image is None else pointer_of(image, "Image", "puck")
            self._map._do(lib.neat_map_set_puck_image, int(number), pointer, real(puck.image_ratio, "image_ratio"))

    @property
    def puck_bearing(self) -> Optional[str]:
        """What turns the puck: "heading" (before it is said), "course" or None: nothing does."""
        options = self._options
        return options["puckBearing"] if options["puckBearingEnabled"] else None

    @puck_bearing.setter
    def puck_bearing(self, source: Optional[str]) -> None:
        named = {} if source is None else {"puckBearing": source}
        self.set_options(puckBearingEnabled=source is not None, **named)

    @property
    def updates(self) -> str:
        """When a provider is to give locations: "needed" (before it is said), while there is a puck or a view follows
        it, or "always"."""
        return self._options["updates"]

    @updates.setter
    def updates(self, updates: str) -> None:
        self.set_options(updates=updates)

    @property
    def _options(self) -> Dict[str, Any]:
        return take_json(lib.neat_map_location_options, self._map._pointer)

    def set_options(self, **options: Any) -> None:
        """Sets members of the library's options by their own names: see neat_map_set_location_options. What is not
        named stays."""
        self._map._do(lib.neat_map_set_location_options, as_json(options))

    # What is known

    @property
    def latest(self) -> Optional[Location]:
        """The last location that was given."""
        return self._location(lib.neat_map_latest_location)

    @property
    def shown(self) -> Optional[Location]:
        """What the puck shows at the moment, on its way from one location to the next."""
        return self._location(lib.neat_map_shown_location)

    def _location(self, function: Any) -> Optional[Location]:
        found = _abi.Location(struct_size=sizeof(_abi.Location))
        try:
            self._map._do(function, byref(found))
        except NotFoundError:
            return None
        return location_of(found)

    @property
    def heading(self) -> Optional[Heading]:
        """The last heading that was given."""
        found = _abi.Heading(struct_size=sizeof(_abi.Heading))
        try:
            self._map._do(lib.neat_map_latest_heading, byref(found))
        except NotFoundError:
            return None
        return heading_of(found)

    @property
    def accuracy(self) -> str:
        """How exactly the user lets the host know where they are: "full" or "reduced", where a ring stands alone."""
        found = c_uint32()
        self._map._do(lib.neat_map_accuracy_authorization, byref(found))
        return ACCURACIES[found.value]

    @accuracy.setter
    def accuracy(self, accuracy: str) -> None:
        for number, name in ACCURACIES.items():
            if name == accuracy:
                return self._map._do(lib.neat_map_set_accuracy_authorization, number)
        raise InvalidArgumentError(f"accuracy {accuracy!r} is none of {', '.join(ACCURACIES.values())}")

    def push(self, location: Union[Location, Sequence[float]]) -> None:
        """Says where the user is: a Location, or (longitude, latitude). The puck is there within 1.1 s of the frames'
        clock; the first location is shown at once. Raises InvalidArgumentError for what is no location."""
        given = location if isinstance(location, Location) else Location(location)
        # What a puck shows is given back as well; a heading goes by itself.
        place = dataclasses.replace(given, heading=None)._c()
        self._map._do(lib.neat_map_push_location, byref(place))

    def push_heading(self, heading: Union[Heading, float]) -> None:
        """Says where the device points: a Heading, or degrees. Shown within 0.3 s."""
        given = heading if isinstance(heading, Heading) else Heading(heading)
        direction = given._c()
        self._map._do(lib.neat_map_push_heading, byref(direction))

    def fail(self, error: NeatlineError) -> None:
        """Says that nobody could tell where the user is."""
        self._map._do(lib.neat_map_fail_location, _status(error), str(error).encode("utf-8", "replace"))

    def forget(self) -> None:
        """Forgets location and heading: the puck goes."""
        self._map._do(lib.neat_map_forget_location)

    # Where it comes from

    @property
    def provider(self) -> Optional[LocationProvider]:
        """Where locations come from; None: the host pushes them."""
        return self._provider

    def override(self, provider: Optional[LocationProvider]) -> None:
        """Has locations come from a provider; the one before is told that nothing is wanted any more."""
        if provider is not None:
            instance(provider, LocationProvider, "provider")
        map = self._map
        old, self._provider = self._context, provider
        if provider is None:
            map._do(lib.neat_map_set_location_provider, None)
            self._context = None
        else:
            provider._manager = weakref.ref(self)
            self._context = _callbacks.add((map.loop, provider))
            callbacks = _abi.LocationProvider(
                struct_size=sizeof(_abi.LocationProvider), context=self._context, update=_updated,
                request_full_accuracy=_requested,
            )
            map._contexts.append(self._context)
            map._do(lib.neat_map_set_location_provider, byref(callbacks))
        if old is not None:
            map._contexts.remove(old)
            _callbacks.drop(old)

    def request_full_accuracy(self, purpose_key: str) -> None:
        """Has the provider ask the user for full accuracy for a while. Raises StateError where there is none."""
        self._map._do(lib.neat_map_request_full_accuracy, utf8(purpose_key, "purpose_key"))

    def replay(
        self,
        track: Track,
        speed: float = 1,
        completion: Optional[Callable[[Optional[NeatlineError]], Any]] = None,
    ) -> Replay:
        """Gives the map the locations of a recording at their times, speed times (0.001 to 10000) as fast as they were
        recorded, by the clock of the map's frames, in the place of a provider and of another replay. completion: called
        once, with None at the end, with CancelledError where it was ended before. It may be awaited."""
        map, recording = self._map, pointer_of(track, "Track", "track")
        replay = Replay(map, completion)
        context = _callbacks.add((map.loop, replay))
        status = lib.neat_map_replay(map._pointer, recording, real(speed, "speed"), _replayed, context)
        if status:
            _callbacks.drop(context)
        map.loop._raise()
        check(status)
        return replay

    def stop_replay(self) -> None:
        """Ends a replay where it is; nothing where there is none."""
        self._map._do(lib.neat_map_stop_replay)


def _status(error: NeatlineError) -> int:
    """The number of an exception's class."""
    for number in range(1, 32):
        if type(error_of(number, "")) is type(error):
            return number
    return int(_abi.Status.IO)


# The library calls these, whatever maps there are; a number says for which.


@_abi.LocationUpdateCallback
def _updated(context: Optional[int], locations: int, headings: int) -> None:
    found = _callbacks.get(context)
    # A map that is closed within a callback may still call.
    if found is None:
        return
    loop, provider = found
    try:
        provider.update(bool(locations), bool(headings))
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        loop._keep(error)


@_abi.FullAccuracyCallback
def _requested(context: Optional[int], key: bytes) -> None:
    found = _callbacks.get(context)
    # A map that is closed within a callback may still call.
    if found is None:
        return
    loop, provider = found
    try:
        provider.request_full_accuracy(key.decode("utf-8", "replace"))
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        loop._keep(error)


@_abi.ReplayCallback
def _replayed(context: Optional[int], status: int) -> None:
    loop, replay = _callbacks.get(context)
    _callbacks.drop(context)
    try:
        replay._end(CancelledError("the replay was ended before its time") if status else None)
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        loop._keep(error)

"""Maps that load, change and animate over time."""

from __future__ import annotations

import itertools
import os
import re
import time as clock
import uuid
import weakref
from ctypes import byref, c_double, c_uint32, sizeof
from typing import (
    Any, Callable, Dict, Generator, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Type, Union,
)

from . import _abi, _callbacks
from ._library import Handle, check, lib, pointer_of, take_json
from ._options import options_of
from ._values import (
    as_geojson, as_json, as_value, bits_of, instance, milliseconds, named, path_text, real, reals, several, utf8, whole,
)
from ._waiting import Waiting
from .animation import Animator, Curve, animation_of, begin, change_of, make
from .annotations import AnnotationManager, options_of as annotation_options, targets_of, type_of
from .camera import Limits, View, _limits, course_of, fit_bounds, flight_of, limits_of
from .custom import CustomSource, CustomView, add_layer, add_source
from .errors import CancelledError, InvalidArgumentError, NeatlineError, NotFoundError, error_of
from .events import Event, EventStream, Listener, Listeners, event_of
from .frame import Frame
from .image import Image
from .location import LocationManager
from .loop import EventLoop
from .ornaments import (
    AttributionLink, OrnamentPlace, Ornaments, links_of, name_of, ornaments_of, places_of,
)
from .queries import MapQueries
from .renderer import Padding, Size, Style
from .resources import Resources
from .style_changes import StyleChanges
from .view_annotations import ViewAnnotationManager
from .viewport import Viewport


class CameraState(NamedTuple):
    """Where a map is seen from: centre as (longitude, latitude) in degrees, zoom, bearing, pitch and roll in
    degrees, padding as (top, left, bottom, right) in logical pixels."""

    center: Any
    zoom: float
    bearing: float
    pitch: float
    roll: float
    padding: Any


class StyleLoad(Waiting):
    """A style on its way. `await` it, or look at `done` and `error` while the loop runs."""

    def __init__(self, map: "Map", completion: Optional[Callable[[Optional[NeatlineError]], Any]]) -> None:
        # The library holds it until it ends: the map may go before.
        self._map = weakref.ref(instance(map, "Map", "map"))
        super().__init__(instance(map, "Map", "map").loop, completion)
        self.error: Optional[NeatlineError] = None
        """Why the style is not there; CancelledError where another one took its place or the map was closed."""

    def _end(self, error: Optional[NeatlineError]) -> None:
        self.error = error
        self._end_with(error)

    def __await__(self) -> Generator[Any, None, "Map"]:
        yield from self._wait()
        map = self._map()
        if self.error is not None:
            raise self.error
        if map is None:
            raise CancelledError("the map is gone")
        return map


# The library calls these two, whatever maps there are; a number says for which.
_numbers = itertools.count(1)
_maps: "weakref.WeakValueDictionary[int, Map]" = weakref.WeakValueDictionary()
_loads: Dict[int, StyleLoad] = {}


def _heard(context: Optional[int], told: Any) -> None:
    map = _maps.get(context or 0)
    if map is None or not map._listeners.wants(_KIND_NAMES.get(told.contents.type, "")):
        return
    event = event_of(told.contents)
    if event is not None:
        map._listeners.tell(event, map.loop._keep)


def _ended(context: Optional[int], status: int, message: bytes) -> None:
    load = _loads.pop(context or 0, None)
    if load is None:
        return
    try:
        load._end(error_of(status, message.decode("utf-8", "replace")) if status else None)
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        load._loop._keep(error)


_KIND_NAMES = {int(kind): kind.name.lower() for kind in _abi.EventType}
_event_callback = _abi.EventCallback(_heard)
_style_callback = _abi.StyleCallback(_ended)


class Map(Handle, MapQueries, StyleChanges):
    """A map that loads, changes and animates over time. It belongs to the thread of its loop.

    size: logical pixels, (width, height) or one number for a square. ratio: device pixels a logical pixel.
    loop: an EventLoop; None: one of its own, `loop`. pacing: who says when frames are: "loop", or "host", which
    calls `begin_frame`. The other options are those of Renderer.
    """

    _destroy = "neat_map_destroy"

    def __init__(
        self,
        size: Size = 512,
        ratio: float = 1,
        *,
        loop: Optional[EventLoop] = None,
        pacing: str = "loop",
        fonts: Iterable[Union[str, "os.PathLike[str]"]] = (),
        threads: int = 0,
        cache_bytes: int = 0,
        timeout: float = 30.0,
        retries: int = 3,
        memory_limit: int = 0,
        unpacked_limit: int = 0,
        local_files: Optional[bool] = None,
        system_fonts: bool = True,
        resources: Optional[Resources] = None,
        glyphs: str = "where_needed",
        cross_source_collisions: bool = True,
        language: Optional[str] = None,
        smooth_edges: bool = True,
        spread_letters: bool = True,
        evaluation_bytes: int = 0,
        evaluation_steps: int = 0,
        expression_bytes: int = 0,
        expression_steps: int = 0,
    ) -> None:
        options, _held = options_of(
            fonts, threads, cache_bytes, timeout, retries, memory_limit, unpacked_limit, local_files,
            system_fonts, resources, glyphs, cross_source_collisions, language, smooth_edges,
            spread_letters, evaluation_bytes, evaluation_steps, expression_bytes, expression_steps,
        )
        self.loop = EventLoop() if loop is None else loop
        # What is closed or no loop is told before anything of the map is there.
        pointer_of(self.loop, "EventLoop", "loop")
        self._listeners = Listeners()
        self._view = _view(size, ratio)
        self._ornaments: Optional[Ornaments] = None
        self._viewport_mode = "default"
        self._orientation = "upwards"
        # Of callbacks that the library may call until the map has ended.
        self._contexts: List[int] = []
        self.location = LocationManager(self)
        """Where the user is, and what stands there."""
        self.viewport = Viewport(self)
        """What keeps the camera."""
        self.view_annotations = ViewAnnotationManager(self)
        """Rectangles that the host draws over the map."""
        number = next(_numbers)
        pointer = self._make(
            lib.neat_map_create, self.loop._pointer, byref(self._view), byref(options), _event_callback, number
        )
        # The map ends before its loop.
        super().__init__(pointer, self.loop._pointer)
        _maps[number] = self
        if pacing != "loop":
            check(lib.neat_map_set_frame_pacing(self._pointer, named(_abi.FramePacing, "pacing", pacing)))

    def close(self) -> None:
        """Ends the map: its requests are cancelled, there are no more events, and who waits for a style hears
        that it is cancelled. May be called again, and from a handler."""
        if self._reference is not None:
            super().close()
            self._listeners.end()
            for context in self._contexts:
                _callbacks.drop(context)
            self._contexts = []
            self.loop._raise()

    def _do(self, function: Any, *arguments: Any) -> None:
        """Calls a function of the map; texts and bytes become pointer and size."""
        plain: List[Any] = []
        for argument in arguments:
            if isinstance(argument, str):
                argument = utf8(argument, "the text")
            if isinstance(argument, bytes):
                plain += [argument, len(argument)]
            else:
                plain.append(argument)
        status = function(self._pointer, *plain)
        # What a handler raised comes from within the library's call, which went on.
        self.loop._raise()
        check(status)

    # Events

    def on_next(self, kind: str, handler: Callable[[Event], Any]) -> Listener:
        """Calls once, at the next event of a kind (see Event.kind), unless it is cancelled before."""
        return self._listeners.add((kind,), handler, is_once=True)

    def on_every(self, kind: Optional[str], handler: Callable[[Event], Any]) -> Listener:
        """Calls at every event of a kind, None for all kinds, until it is cancelled."""
        return self._listeners.add(() if kind is None else (kind,), handler)

    def events(self, *kinds: str) -> EventStream:
        """Events of some kinds from now on, without any of all, for `async for` within asyncio; it ends with the
        map."""
        stream = EventStream(self._listeners, kinds)
        try:
            self.loop.attach()
        except RuntimeError:  # no loop runs: whoever reads it later has to see to this one
            pass
        return stream

    # Style

    def load_style(
        self,
        style: Style,
        *,
        base: str = "",
        completion: Optional[Callable[[Optional[NeatlineError]], Any]] = None,
    ) -> StyleLoad:
        """Starts to load a style in place of the one there is: a path, a file:// or http(s):// address, JSON as
        text, or a dictionary. Returns at once what can be awaited.

        base: where relative addresses of a style given as text or dictionary start. completion: called once, with
        None just before style_loaded, or with why the style is not there: CancelledError where another one takes
        its place, or the map is closed. A sprite, source or tile that fails is an event and does not make the
        style fail. Raises JSONError or StyleError for text that is no style; the map then keeps the one it has.
        """
        load = StyleLoad(self, completion)
        number = next(_numbers)
        _loads[number] = load
        try:
            if isinstance(style, Mapping) or isinstance(style, str) and style.lstrip().startswith("{"):
                text, start = as_json(style), utf8(base, "base")
                status = lib.neat_map_set_style_then(
                    self._pointer, text, len(text), start, len(start), _style_callback, number
                )
            else:
                url = path_text(style, "style")
                status = lib.neat_map_load_style_then(self._pointer, url, len(url), _style_callback, number)
            check(status)
        except BaseException:
            _loads.pop(number, None)
            raise
        self.loop._raise()
        return load

    def update_style(self, style: Union[str, Mapping[str, Any]]) -> None:
        """Goes over to another style step by step: what does not change keeps its tiles."""
        self._do(lib.neat_map_update_style, as_json(style))

    @property
    def style(self) -> Dict[str, Any]:
        """The style as it is now. Raises InvalidStateError before there is one."""
        return take_json(lib.neat_map_style_json, self._pointer)

    @property
    def info(self) -> Dict[str, Any]:
        """The style in short: name, camera, attribution, layers, sources, url, isLoaded."""
        return take_json(lib.neat_map_info, self._pointer)

    @property
    def attribution(self) -> List[str]:
        """Whom the data is owed to, of what is loaded."""
        return take_json(lib.neat_map_attribution, self._pointer)

    @property
    def attribution_links(self) -> List[AttributionLink]:
        """What attribution says, without its HTML, and where its links lead, each once."""
        return links_of(take_json(lib.neat_map_attribution_links, self._pointer))

    @property
    def is_loaded(self) -> bool:
        """Whether style, sources, tiles, glyphs and images of the view are there."""
        return bool(lib.neat_map_is_loaded(self._pointer))

    def set_paint_property(self, layer: str, name: str, value: Any) -> None:
        """Sets a paint property, over the time of its transition; None removes it."""
        self._do(lib.neat_map_set_paint_property, utf8(layer, "layer"), utf8(name, "name"), as_value(value))

    def set_layout_property(self, layer: str, name: str, value: Any) -> None:
        """Sets a layout property; None removes it."""
        self._do(lib.neat_map_set_layout_property, utf8(layer, "layer"), utf8(name, "name"), as_value(value))

    def set_filter(self, layer: str, filter: Any) -> None:
        """Sets the filter of a layer; None removes it."""
        self._do(lib.neat_map_set_filter, utf8(layer, "layer"), as_value(filter))

    def set_layer_zoom_range(self, layer: str, min: float, max: float) -> None:
        """Sets the zooms at which a layer is drawn, each 0 to 24."""
        self._do(lib.neat_map_set_layer_zoom_range, utf8(layer, "layer"), real(min, "min"), real(max, "max"))

    def set_style_property(self, name: str, value: Any) -> None:
        """Sets light, sky, fog, terrain, projection, glyphs, sprite, state or transition; None removes it."""
        self._do(lib.neat_map_set_style_property, utf8(name, "name"), as_value(value))

    def set_transitions(self, enabled: bool) -> None:
        """Sets whether changed paint properties take the time of their transitions."""
        self._do(lib.neat_map_set_transitions, int(bool(enabled)))

    @property
    def fade_duration(self) -> float:
        """Seconds that labels take to come and go while the map is drawn, and patterns and dashes to go over to those
        of another whole zoom: 0 to 60; 0.3 as long as nothing else is said. With 0 labels are there or not, and are
        placed anew with every frame, and raster tiles and patterns are there at once, whatever their layer's
        raster-fade-duration. Labels and patterns that fade when it is set are there or gone. Raises
        InvalidArgumentError."""
        duration = c_double()
        self._do(lib.neat_map_fade_duration, byref(duration))
        return duration.value / 1000

    @fade_duration.setter
    def fade_duration(self, seconds: float) -> None:
        self._do(lib.neat_map_set_fade_duration, real(seconds, "seconds") * 1000)

    def layer_property(self, layer: str, name: str) -> Any:
        """A layer's property as it was set; None where it is not."""
        layer_id, key = utf8(layer, "layer"), utf8(name, "name")
        return take_json(lib.neat_map_property, self._pointer, layer_id, len(layer_id), key, len(key))

    def add_layer(self, layer: Mapping[str, Any], before: str = "") -> None:
        """Adds a layer below another one, or on top."""
        self._do(lib.neat_map_add_layer, as_json(layer), utf8(before, "before"))

    def move_layer(self, layer: str, before: str = "") -> None:
        """Moves a layer below another one, or to the top."""
        self._do(lib.neat_map_move_layer, utf8(layer, "layer"), utf8(before, "before"))

    def remove_layer(self, layer: str) -> None:
        """Removes a layer; its source stays."""
        self._do(lib.neat_map_remove_layer, utf8(layer, "layer"))

    def add_source(self, id: str, source: Mapping[str, Any]) -> None:
        """Adds a source, as the style's `sources` has them."""
        self._do(lib.neat_map_add_source, utf8(id, "id"), as_json(source))

    def remove_source(self, id: str) -> None:
        """Removes a source that no layer uses."""
        self._do(lib.neat_map_remove_source, utf8(id, "id"))

    def set_geojson(self, source: str, data: Any) -> None:
        """Replaces the data of a GeoJSON source: a document, an object with `__geo_interface__`, or a list of
        features."""
        self._do(lib.neat_map_set_geojson, utf8(source, "source"), as_geojson(data))

    def update_geojson(self, source: str, diff: Mapping[str, Any]) -> None:
        """Changes the data of a GeoJSON source by the ids of its features: removeAll, remove, add, update."""
        self._do(lib.neat_map_update_geojson, utf8(source, "source"), as_json(diff))

    def add_persistent_image(self, name: str, image: Image, ratio: float = 1, sdf: bool = False) -> None:
        """Adds an image that every later style has too; also before there is one. `remove_image` removes it for good."""
        picture = pointer_of(image, "Image", "image")
        self._do(
            lib.neat_map_add_persistent_image, utf8(name, "name"), picture, real(ratio, "ratio"), int(bool(sdf))
        )

    def remove_image(self, name: str) -> None:
        """Removes an image that was added."""
        self._do(lib.neat_map_remove_image, utf8(name, "name"))

    def add_persistent_layer(self, layer: Mapping[str, Any], position: Any = None) -> None:
        """Adds a layer that every later style has too; also before there is one. Its source may be an object, which
        comes with it. position: {"above": id}, {"below": id}, {"at": number from the lowest}; None: on top.
        `remove_layer` removes it for good."""
        self._do(lib.neat_map_add_persistent_layer, as_json(layer), as_json(position))

    @property
    def persistent_layers(self) -> List[str]:
        """The ids of the layers that every later style has."""
        return take_json(lib.neat_map_persistent_layers, self._pointer)

    # What the application draws, and gives

    def add_custom_layer(
        self,
        id: str,
        host: Union[Callable[[CustomView], Any], Any],
        position: Any = None,
        *,
        persistent: bool = False,
    ) -> None:
        """Adds a layer that the application draws, of type "custom": it is shown, hidden, moved and removed as any
        other, and hit by no query. host: a function, or an object with `render` and perhaps `initialize` and
        `deinitialize`. render(view) is called on the map's thread once for each picture and frame that the layer is
        visible in, between what lies below and above it; initialize() once before the first, deinitialize() once when
        the layer has gone. What they raise is a problem of the map and part of the picture's report, and the rest is
        drawn all the same. position: as of `add_persistent_layer`. persistent: later styles have it too; else it goes
        with its style. Raises InvalidArgumentError for an id that is empty or taken, NotFoundError for a position that
        the style does not have, InvalidStateError before there is a style."""
        add_layer(self, id, host, position, persistent)

    def trigger_repaint(self) -> None:
        """Makes another frame due: something that the map cannot see has changed, as what a custom layer draws."""
        self._do(lib.neat_map_trigger_repaint)

    def add_custom_source(
        self,
        id: str,
        function: Optional[Callable[[int, int, int], Any]] = None,
        *,
        min_zoom: int = 0,
        max_zoom: int = 18,
        tile_size: float = 512,
        buffer: float = 128,
        tolerance: float = 0.375,
        wrap: bool = False,
        clip: bool = False,
        workers: int = 4,
    ) -> CustomSource:
        """Adds a source whose tiles a function gives: function(z, x, y) is called once for each tile that a view needs,
        and returns GeoJSON in any form that `set_geojson` takes, None where there is nothing, or a future of it. It runs
        on threads of the source's own, or, with workers=0, on the map's; a coroutine function runs within asyncio. What
        it raises is a problem that names the tile. None: whoever knows the tiles gives them with
        `CustomSource.set_tile`. Layers draw from it as from a GeoJSON source; as long as a tile is not given the map is
        loading. It goes with its style.

        min_zoom, max_zoom   zooms that have tiles, 0 to 24; those of deeper ones are cut out of max_zoom's
        tile_size            units along a tile's edge that buffer and tolerance count in
        buffer               how far a tile's geometry is used past its edge, where clip is set
        tolerance            how far simplified lines may be off
        wrap                 whether what lies past the antimeridian is brought back into the world
        clip                 whether geometry is cut to its tile and the buffer; else to the tile and its neighbours

        Raises InvalidArgumentError for an id that is empty or taken and for options out of their range,
        InvalidStateError before there is a style."""
        options = {
            "minZoom": min_zoom, "maxZoom": max_zoom, "tileSize": tile_size, "buffer": buffer,
            "tolerance": tolerance, "wrap": bool(wrap), "clip": bool(clip),
        }
        return add_source(self, id, function, workers, options)

    # Annotations

    def make_annotations(
        self, kind: Union[str, Type[Any]], id: Optional[str] = None, **options: Any
    ) -> AnnotationManager[Any]:
        """Makes a manager of annotations: "point", "polyline", "polygon" or "circle", or their class. One of that id
        goes, with what it had. options: layer_position ({"above": id}, {"below": id}, {"at": number from the lowest}),
        min_zoom, max_zoom, tolerance (logical pixels around a tap, 4), selection ("single", "multiple", "none": what a
        tap does), cluster (True, or radius, maxZoom, minPoints, circleRadius, colors, textColor, textSize, textField,
        textFont, properties), source (maxzoom, buffer, tolerance, lineMetrics), and any property of the layer, a
        constant or an expression: icon_allow_overlap=False. Raises InvalidArgumentError where the style has a source or
        layer of that id, StyleError for values that the layer cannot have, NotFoundError for a position that it does
        not have."""
        return AnnotationManager(
            self, uuid.uuid4().hex if id is None else id, type_of(kind), annotation_options(options)
        )

    def annotations_at(
        self, point: Sequence[float], tolerance: Optional[float] = None
    ) -> List[Dict[str, Any]]:
        """The annotations and clusters within some logical pixels of a point, topmost first: {"manager", "id"} or
        {"manager", "cluster"}. tolerance None: each manager's own."""
        return targets_of(self, point, tolerance)

    def set_feature_state(self, target: Mapping[str, Any], state: Mapping[str, Any]) -> None:
        """Merges members into the state of a feature. target: source, sourceLayer, id."""
        self._do(lib.neat_map_set_feature_state, as_json(target), as_json(state))

    def remove_feature_state(self, target: Mapping[str, Any], key: str = "") -> None:
        """Removes a member of a feature's state, or all of it."""
        self._do(lib.neat_map_remove_feature_state, as_json(target), utf8(key, "key"))

    # View

    @property
    def viewport_mode(self) -> str:
        """Which way up pictures are: "default", or "flipped_y", whose first row is the lower one, for textures that
        begin at the bottom. Points, gestures and frames for a GPU stay as they are. Setting it raises
        InvalidArgumentError for other names."""
        return self._viewport_mode

    @viewport_mode.setter
    def viewport_mode(self, mode: str) -> None:
        self._do(lib.neat_map_set_viewport_mode, named(_abi.ViewportMode, "viewport_mode", mode))
        self._viewport_mode = mode

    @property
    def debug_options(self) -> List[str]:
        """What pictures show of how they are made; nothing before it is said. Any of

        - "tile_borders": the edges of tiles, in red, of one source that layers draw from.
        - "parse_status": in the corner of each of these tiles its name, z/x/y, and how many kB it came in.
        - "timestamps": when the data of these tiles came, in UTC.
        - "collision": what labels are placed by, boxes and circles; blue where they stand, red where they had no
          room, faint where another version of the label counts.
        - "overdraw": in the place of the map an eighth of white for each step that touches a pixel.
        - "padding": the camera's padding, and a cross in the middle of what it leaves.

        Frames for a GPU have it as a picture above all else, but for overdraw. Setting it raises
        InvalidArgumentError for other names, and changes nothing then."""
        bits = lib.neat_map_debug_options(self._pointer)
        return [each.name.lower() for each in _abi.Debug if bits & each]

    @debug_options.setter
    def debug_options(self, names: Iterable[str]) -> None:
        self._do(lib.neat_map_set_debug_options, bits_of(_abi.Debug, "debug_options", names))

    @property
    def orientation(self) -> str:
        """Where north is on the screen at a bearing of 0: "upwards", "rightwards", "downwards" or "leftwards", for
        screens that are turned. Setting it turns the map; the bearing stays. Raises InvalidArgumentError for other
        names."""
        return self._orientation

    @orientation.setter
    def orientation(self, orientation: str) -> None:
        self._do(lib.neat_map_set_orientation, named(_abi.Orientation, "orientation", orientation))
        self._orientation = orientation

    def set_size(self, size: Size, ratio: float = 1) -> None:
        """Changes the size of the view: a change of the camera."""
        view = _view(size, ratio)
        self._do(lib.neat_map_set_size, byref(view))
        self._view = view

    @property
    def camera(self) -> CameraState:
        """The camera as it is now, within an animation too."""
        camera = self._camera()
        return CameraState(
            (camera.lon_deg, camera.lat_deg),
            camera.zoom,
            camera.bearing_deg,
            camera.pitch_deg,
            camera.roll_deg,
            (camera.padding_top_px, camera.padding_left_px, camera.padding_bottom_px, camera.padding_right_px),
        )

    @property
    def view(self) -> View:
        """Which place is seen where now, and other views from there:
        `map.set_camera(**map.view.fit(places).camera)` shows all places."""
        size = self._view
        camera = self._camera()
        view = View(size=(size.width_px, size.height_px), ratio=size.pixel_ratio or 1, north=camera.north_deg)
        return view._moved(camera)._laid(lib.neat_map_projection, self._pointer)

    def set_camera(
        self,
        center: Optional[Sequence[float]] = None,
        zoom: Optional[float] = None,
        bearing: Optional[float] = None,
        pitch: Optional[float] = None,
        *,
        roll: Optional[float] = None,
        padding: Optional[Padding] = None,
        anchor: Optional[Sequence[float]] = None,
        bounds: Optional[Sequence[float]] = None,
        duration: float = 0,
    ) -> None:
        """Moves the camera: what is not given stays. anchor: (x, y) in logical pixels; the place there stays
        there. bounds: (west, south, east, north), shown as large as they fit, in the place of center and zoom.
        duration: seconds that it takes; 0: at once. Ends an easing, a flight and a glide."""
        if bounds is not None and (center is not None or zoom is not None):
            raise InvalidArgumentError("bounds stand in the place of center and zoom")
        change = change_of(center, zoom, bearing, pitch, roll, padding, anchor)
        if bounds is not None:
            camera = self._camera()
            for name in ("bearing_deg", "pitch_deg", "roll_deg"):
                if getattr(_abi.CameraField, name[:-4].upper()) & change.fields:
                    setattr(camera, name, getattr(change, name))
            if _abi.CameraField.PADDING & change.fields:
                for name in ("padding_top_px", "padding_left_px", "padding_bottom_px", "padding_right_px"):
                    setattr(camera, name, getattr(change, name))
            fit_bounds(camera, self._view, bounds, lib.neat_map_projection, self._pointer)
            change.fields |= _abi.CameraField.CENTER | _abi.CameraField.ZOOM
            change.lon_deg, change.lat_deg, change.zoom = camera.lon_deg, camera.lat_deg, camera.zoom
        if real(duration, "duration") != 0:
            course = course_of(None, (0, 0))
            begin(self, lib.neat_map_ease, change, animation_of(duration, "ease", "unspecified"), course, None)
            self.loop._raise()
        else:
            self._do(lib.neat_map_change_camera, byref(change))

    # Animations

    def ease_to(
        self,
        *,
        duration: float = 0.5,
        curve: Curve = "ease",
        owner: str = "unspecified",
        around: Optional[Sequence[float]] = None,
        offset: Sequence[float] = (0, 0),
        completion: Optional[Callable[[str], Any]] = None,
        **camera: Any,
    ) -> Animator:
        """Moves the camera in a straight way; the easing, flight or glide under way ends. camera: center, zoom,
        bearing, pitch, roll, padding, anchor, as in set_camera; what is not given stays. duration: seconds.
        curve: "ease", "linear", "ease_in", "ease_out", "ease_in_out", four numbers of a cubic Bezier curve, or
        the damping ratio of a spring, 0.1 to 1. owner: who moves it, for events and `animators`. around: a place
        that stays where it is seen, from which the centre follows. offset: where the centre goes, in logical
        pixels right of and below the middle of what the padding leaves. completion: called with where it ended:
        "end", or "current" where something else took over. Raises InvalidArgumentError for what no camera may
        be."""
        course = course_of(around, offset)
        return self._begin(lib.neat_map_ease, camera, course, duration, curve, owner, completion)

    def fly_to(
        self,
        *,
        duration: Optional[float] = None,
        curve: Curve = "ease",
        owner: str = "unspecified",
        offset: Sequence[float] = (0, 0),
        arc: float = 1.42,
        min_zoom: Optional[float] = None,
        speed: float = 1.2,
        screen_speed: Optional[float] = None,
        max_duration: Optional[float] = None,
        completion: Optional[Callable[[str], Any]] = None,
        **camera: Any,
    ) -> Animator:
        """Moves the camera along an arc, out, over and in, after van Wijk and Nuij (2003). duration: seconds;
        None: as long as it takes at `speed` screens along the arc in a second, or at `screen_speed` screens of the
        view as they go by, which counts first; none where that is more than `max_duration` seconds. arc: how far
        out it goes, 0.01 to 100; min_zoom: the zoom of its top, in the place of that. Else as ease_to."""
        course = flight_of(arc, min_zoom, offset, speed, screen_speed, max_duration)
        return self._begin(lib.neat_map_fly, camera, course, duration, curve, owner, completion)

    def make_animator(
        self,
        to: Mapping[str, Any],
        *,
        start: Optional[Mapping[str, Any]] = None,
        duration: float = 0.5,
        curve: Curve = "ease_in_out",
        owner: str = "unspecified",
    ) -> Animator:
        """An animator of some of the camera's values, which moves when it is started. to: where they go: center,
        zoom, bearing, pitch, padding, anchor; start: where they begin, which applies at once; what it has not
        begins where the camera is. Animators of different values run side by side. Hold it: one that nobody
        holds stops. Raises InvalidArgumentError for values past their range, LimitExceededError where the map
        has 1,000."""
        return make(self, start, to, animation_of(duration, curve, owner))

    def cancel_animations(self) -> None:
        """Ends all that moves the camera by itself, the glide of a gesture too. The camera stays."""
        self._do(lib.neat_map_cancel_animations)

    @property
    def animators(self) -> List[Dict[str, Any]]:
        """What moves the camera, or may, in the order in which it was made: id (0 for the glide of a gesture),
        owner, state, and but for the glide fraction_complete and is_reversed."""
        found = take_json(lib.neat_map_animators, self._pointer)
        return [
            {re.sub("[A-Z]", lambda part: "_" + part[0].lower(), name): each[name] for name in each} for each in found
        ]

    def _begin(
        self,
        function: Any,
        camera: Mapping[str, Any],
        course: _abi.CameraCourse,
        duration: Optional[float],
        curve: Curve,
        owner: str,
        completion: Optional[Callable[[str], Any]],
    ) -> Animator:
        change, animation = change_of(**camera), animation_of(duration, curve, owner)
        animator = begin(self, function, change, animation, course, completion)
        self.loop._raise()
        return animator

    @property
    def limits(self) -> Limits:
        """Where the camera may be, whatever moves it."""
        limits = _abi.CameraLimits(struct_size=sizeof(_abi.CameraLimits))
        check(lib.neat_map_camera_limits(self._pointer, byref(limits)))
        return limits_of(limits)

    def set_limits(self, limits: Limits) -> None:
        """Sets where the camera may be, and moves it there at once. Raises InvalidArgumentError for limits past
        their range, and changes nothing."""
        self._do(lib.neat_map_set_camera_limits, byref(_limits(limits)))

    # Frames

    @property
    def is_frame_due(self) -> bool:
        """Whether something moves, or is not what was drawn last."""
        return bool(lib.neat_map_frame_due(self._pointer))

    def begin_frame(self, time: Optional[float] = None) -> None:
        """Begins a frame of a map that the host paces: animators, glides, transitions and labels go to a time,
        and events come within the call; `draw` or `frame` then draws it. time: seconds of the clock of the
        gestures; None: time.monotonic(). The same input and times give the same pictures. Raises StateError
        where the loop paces frames."""
        self._do(lib.neat_map_begin_frame, _milliseconds(time))

    def _camera(self) -> _abi.Camera:
        camera = _abi.Camera(struct_size=sizeof(_abi.Camera))
        check(lib.neat_map_camera(self._pointer, byref(camera)))
        return camera

    # Gestures

    def pointer(
        self,
        phase: str,
        x: float,
        y: float,
        *,
        id: int = 0,
        time: Optional[float] = None,
        kind: str = "touch",
        button: str = "primary",
        modifiers: Iterable[str] = (),
    ) -> None:
        """Hands over what a pointer did: the map moves its camera. phase: "down", "move", "up" or "cancel". x, y:
        logical pixels from the top left corner. id: tells pointers apart that are down at once, 10 at most. time:
        seconds of a clock that does not stop; None: time.monotonic(). kind: "touch" or "mouse". button: "primary",
        "secondary" or "middle". modifiers: of "shift", "control", "alt" and "meta". The last three are those of
        "down". Raises InvalidArgumentError for numbers and names that are none, LimitExceededError for an
        eleventh pointer: none is down any more then."""
        pointer = _abi.Pointer(
            struct_size=sizeof(_abi.Pointer),
            phase=named(_abi.PointerPhase, "phase", phase),
            id=whole(id, "id", -(2**63), 2**63 - 1),
            x_px=real(x, "x"),
            y_px=real(y, "y"),
            time_ms=_milliseconds(time),
            kind=named(_abi.PointerKind, "kind", kind),
            button=named(_abi.PointerButton, "button", button),
            modifiers=_modifiers(modifiers),
        )
        self._do(lib.neat_map_pointer, byref(pointer))

    def wheel(
        self, x: float, y: float, delta: float, *, time: Optional[float] = None, trackpad: bool = False
    ) -> None:
        """Hands over a turn of the wheel. delta: pixels, as browsers count (a notch is about 100); below 0 zooms
        in. trackpad: it runs out by itself. time: as in pointer."""
        wheel = _abi.Wheel(
            struct_size=sizeof(_abi.Wheel),
            is_trackpad=int(bool(trackpad)),
            x_px=real(x, "x"),
            y_px=real(y, "y"),
            delta_px=real(delta, "delta"),
            time_ms=_milliseconds(time),
        )
        self._do(lib.neat_map_wheel, byref(wheel))

    def key(self, key: str, *, modifiers: Iterable[str] = (), time: Optional[float] = None) -> None:
        """Hands over a key that went down, or that repeats itself: "+", "-", "left", "right", "up" or "down".
        modifiers, time: as in pointer; with others than "shift" the key does nothing."""
        name = {"+": "plus", "-": "minus"}.get(key, key) if isinstance(key, str) else key
        number = named(_abi.Key, "key", name)
        self._do(lib.neat_map_key, number, _modifiers(modifiers), _milliseconds(time))

    def cancel_gestures(self) -> None:
        """Ends the gestures under way and what goes on after them; the camera stays."""
        self._do(lib.neat_map_cancel_gestures)

    @property
    def gesture_options(self) -> Dict[str, Any]:
        """What gestures do, by name: pan_enabled, pan_mode, pan_deceleration_factor, focal_point and others."""
        options = take_json(lib.neat_map_gesture_options, self._pointer)
        return {re.sub("[A-Z]", lambda found: "_" + found[0].lower(), name): options[name] for name in options}

    def set_gesture_options(self, **options: Any) -> None:
        """Changes what gestures do, by the names of gesture_options; what is not named stays. Raises
        InvalidArgumentError for unknown names and values out of their range, and changes nothing."""
        named = {re.sub("_[a-z]", lambda found: found[0][1].upper(), name): options[name] for name in options}
        self._do(lib.neat_map_set_gesture_options, as_json(named))

    # Ornaments

    @property
    def ornaments(self) -> Optional[Ornaments]:
        """What stands in the map's corners, drawn over each of its pictures; None, as it is before it is said:
        nothing. Setting it raises InvalidArgumentError for names, margins and pixel ratios out of their range and for
        images without pixels, LimitExceededError for images past 2048 pixels an edge, and changes nothing then."""
        return self._ornaments

    @ornaments.setter
    def ornaments(self, ornaments: Optional[Ornaments]) -> None:
        structure, _held = ornaments_of(ornaments)
        self._do(lib.neat_map_set_ornaments, byref(structure))
        self._ornaments = ornaments

    @property
    def ornament_places(self) -> List[OrnamentPlace]:
        """Where the ornaments that are seen stand as the camera is, the topmost last. Raises InvalidStateError before
        there is a style."""
        return places_of(take_json(lib.neat_map_ornament_places, self._pointer))

    def ornament_at(self, x: float, y: float) -> Optional[str]:
        """The ornament that is seen at a point in logical pixels, as a member of Ornaments is called; None: none. Who
        has something to do for the attribution or the logo asks before it hands a tap to pointer."""
        number = c_uint32()
        self._do(lib.neat_map_ornament_at, real(x, "x"), real(y, "y"), byref(number))
        return name_of(number.value)

    # Pictures

    def draw(self) -> Image:
        """Draws the view with what is there now, without waiting."""
        image = Image(self._make(lib.neat_map_draw, self._pointer))
        # What a handler of view_annotations_changed raised.
        self.loop._raise()
        return image

    def frame(self) -> Frame:
        """The view with what is there now, as draw commands for a GPU."""
        frame = Frame(self._make(lib.neat_map_frame, self._pointer))
        self.loop._raise()
        return frame

    def elevation(self, place: Sequence[float]) -> Optional[float]:
        """Metres above the sea at a place, by what is loaded of the source of the style's terrain, or of its first
        raster-dem source where it has no terrain; None where nothing is."""
        longitude, latitude = reals(place, "place", 2)
        metres = c_double()
        try:
            self._do(lib.neat_map_elevation, longitude, latitude, byref(metres))
        except NotFoundError:
            return None
        return metres.value

    @property
    def statistics(self) -> Dict[str, Any]:
        """How the map is doing: frames (count; lastMS, medianMS and longestMS of the last 120), turns, requests under
        way, animators, and what memory goes to: tiles by source, layouts, images (count, bytes), glyphBytes,
        residentBytes of the process."""
        return take_json(lib.neat_map_statistics, self._pointer)

    def set_prefetch_zoom_delta(self, levels: int) -> None:
        """How many zooms below those of the view tiles are asked for first, which stand in until the view's own
        come: 0 (none) to 10; 4 before it is said."""
        self._do(lib.neat_map_set_prefetch_zoom_delta, whole(levels, "levels", 0, 10))

    def set_center_elevation(self, metres: Optional[float]) -> None:
        """How high the camera's centre lies, in metres above the sea, -100,000 to 100,000; None: on the ground,
        which is what a map does by itself."""
        self._do(lib.neat_map_set_center_elevation, float("nan") if metres is None else real(metres, "metres"))

    def set_terrain_skirts(self, enabled: bool) -> None:
        """Whether skirts hang down from the edges of the terrain's tiles, as a map begins, so that nothing shows
        between tiles of different zooms; not for styles without an opaque background, through which they are
        seen."""
        self._do(lib.neat_map_set_terrain_skirts, 1 if enabled else 0)

    def reduce_memory_use(self) -> None:
        """Gives memory back: drops decoded tiles, layouts and textures that the view does not need. The next
        picture is the same; what is dropped is loaded again when it is needed."""
        self._do(lib.neat_map_reduce_memory_use)


def _view(size: Size, ratio: float) -> _abi.Size:
    width, height = several(size, "size") if hasattr(size, "__len__") else (size, size)
    return _abi.Size(
        struct_size=sizeof(_abi.Size),
        width_px=whole(width, "width"),
        height_px=whole(height, "height"),
        pixel_ratio=real(ratio, "ratio"),
    )


def _modifiers(names: Iterable[str]) -> int:
    bits = 0
    for name in (names,) if isinstance(names, str) else several(names, "modifiers"):
        bits |= named(_abi.Modifier, "modifier", name)
    return bits


def _milliseconds(seconds: Optional[float]) -> float:
    """A time of a clock that does not stop; None: now."""
    return (clock.monotonic() if seconds is None else real(seconds, "time")) * 1000

"""Layers that an application draws itself, and sources whose tiles it gives."""

from __future__ import annotations

import asyncio
import atexit
import gc
import inspect
import threading
import time
import weakref
from concurrent.futures import Future, ThreadPoolExecutor
from ctypes import byref, c_uint8, c_uint32, c_uint64, memmove, py_object, pythonapi, sizeof, string_at
from typing import TYPE_CHECKING, Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple

from . import _abi, _arrays, _callbacks
from ._library import check, lib
from ._values import as_geojson, as_json, instance, real, reals, several, shown, utf8, whole
from .errors import InvalidArgumentError, LimitExceededError, NeatlineError, NotFoundError, InvalidStateError

if TYPE_CHECKING:
    from .map import Map

__all__ = ["CustomSource", "CustomView"]

# Maps that call what is in this module. They end before it does.
_maps: "weakref.WeakSet[Map]" = weakref.WeakSet()


@atexit.register
def _close_maps() -> None:
    for map in list(_maps):
        try:
            map.close()
        except Exception:
            pass  # what a handler raises at the end of all
    if _maps or _callbacks._contexts:
        # Exceptions that somebody keeps have the calls that they came from, and these their map.
        gc.collect()


_UNITS = {"mercator": _abi.CustomUnits.MERCATOR, "degrees": _abi.CustomUnits.DEGREES}
_FACES = {"both": _abi.CustomFaces.BOTH, "front": _abi.CustomFaces.FRONT}


class _Camera(NamedTuple):
    center: Tuple[float, float]
    zoom: float
    bearing: float
    pitch: float
    roll: float
    field_of_view: float


class CustomView:
    """The picture or frame that a layer of the application's is drawn in, for the time of its `render`.

    width, height: device pixels. ratio: device pixels a logical pixel. camera: center (longitude, latitude), zoom,
    bearing, pitch, roll, field_of_view (degrees). matrix: 16 numbers, column by column, which take Mercator's world (x
    and y from 0 in the north-west to 1 in the south-east, heights in the same units) to clip space, with y up.
    is_frame: whether a frame for a GPU is drawn, which has no pixels.
    """

    def __init__(self, raw: _abi.CustomView) -> None:
        instance(raw, _abi.CustomView, "raw")
        self.width: int = raw.width_px
        self.height: int = raw.height_px
        self.ratio: float = raw.pixel_ratio
        camera = raw.camera.contents
        self.camera = _Camera(
            (camera.lon_deg, camera.lat_deg), camera.zoom, camera.bearing_deg, camera.pitch_deg, camera.roll_deg,
            camera.fov_deg,
        )
        self.matrix: List[float] = list(raw.matrix)
        self.is_frame: bool = raw.surface == _abi.CustomSurface.FRAME
        self._raw: Optional[_abi.CustomView] = raw
        self._pixels: Any = None
        self._memory: Optional[bytearray] = None

    @property
    def pixels(self) -> Any:
        """The picture as far as it is drawn, height x width x 4 bytes: red, green, blue and alpha, premultiplied; a
        numpy array, without numpy a bytearray. What stands there when `render` returns is the picture. Raises
        InvalidStateError for a frame, and after the call."""
        if self._raw is None or self.is_frame:
            raise InvalidStateError("a frame has no pixels" if self.is_frame else "the layer is not being drawn")
        if self._pixels is None:
            count = self.height * self._raw.stride
            memory = bytearray(string_at(self._raw.pixels, count))
            self._memory, self._pixels = memory, memory
            if _arrays.numpy is not None:
                shape = (self.height, self.width, 4)
                self._pixels = _arrays.numpy.frombuffer(memory, dtype="uint8").reshape(shape)
        return self._pixels

    def draw_triangles(self, vertices: Any, indices: Any, colors: Any, *, units: str = "degrees") -> None:
        """Draws triangles, three indices each, the later over the earlier: on pixels with smooth edges, in a frame as a
        command of its own.

        vertices   (x, y) or (x, y, z) each: longitude, latitude and metres, or, with units "mercator", Mercator's world
        colors     premultiplied (red, green, blue, alpha), 0 to 1: one each, or one for all

        Raises InvalidArgumentError for an index past the vertices and for numbers that are not finite,
        InvalidStateError after the call."""
        made, order = self._triangles(vertices, indices, colors, units)
        self._draw(
            lambda raw: lib.neat_custom_draw_triangles(
                raw.target, int(_UNITS[units]), made, len(made), order, len(order)
            )
        )

    def draw_solid(
        self, vertices: Any, indices: Any, colors: Any, *, units: str = "degrees", faces: str = "both"
    ) -> None:
        """Draws triangles that stand in the scene: the nearest shows, and by their depth they hide, and are hidden by,
        extrusions, the ground of a terrain, the globe, and what other custom layers draw this way. On a globe their
        corners lie on it.

        faces      "both", or "front": those whose corners run counterclockwise where they are seen

        The rest, and what it raises, as `draw_triangles`."""
        if not isinstance(faces, str) or faces not in _FACES:
            raise InvalidArgumentError(f'faces {shown(faces)} is none of {", ".join(_FACES)}')
        made, order = self._triangles(vertices, indices, colors, units)
        self._draw(
            lambda raw: lib.neat_custom_draw_solid(
                raw.target, int(_UNITS[units]), int(_FACES[faces]), made, len(made), order, len(order)
            )
        )

    def _triangles(self, vertices: Any, indices: Any, colors: Any, units: str) -> Tuple[Any, Any]:
        """What is to be drawn as the library takes it."""
        if self._raw is None:
            raise InvalidStateError("the layer is not being drawn")
        if not isinstance(units, str) or units not in _UNITS:
            raise InvalidArgumentError(f'units {shown(units)} is none of {", ".join(_UNITS)}')
        corners = [[real(each, "vertices") for each in vertex] for vertex in several(vertices, "vertices")]
        paints = several(colors, "colors")
        if len(paints) == 4 and not hasattr(paints[0], "__len__"):
            paints = [paints] * len(corners)
        if len(paints) != len(corners):
            raise InvalidArgumentError(f"{len(paints)} colors for {len(corners)} vertices")
        made = (_abi.CustomVertex * len(corners))()
        for place, corner, paint in zip(made, corners, paints):
            if len(corner) not in (2, 3) or len(paint) != 4:
                raise InvalidArgumentError("a vertex has two or three numbers, a color four")
            place.x, place.y = corner[0], corner[1]
            place.z = corner[2] if len(corner) == 3 else 0.0
            place.color[:] = [real(each, "colors") for each in paint]
        flat = _flat(indices)
        return made, (c_uint32 * len(flat))(*[whole(index, "index") for index in flat])

    def _draw(self, draw: Callable[[_abi.CustomView], int]) -> None:
        raw = self._raw
        if raw is None:
            raise InvalidStateError("the layer is not being drawn")
        # What was written comes first, and what is drawn is seen.
        self._write()
        check(draw(raw))
        if self._pixels is not None:
            memmove(self._address(), raw.pixels, self.height * raw.stride)

    def _address(self) -> Any:
        """Where the pixels are that were handed out."""
        count = self.height * self.width * 4
        if self._memory is None or len(self._memory) != count:
            raise InvalidArgumentError(f"{len(self._memory or b'')} bytes of a picture that has {count}")
        return (c_uint8 * count).from_buffer(self._memory)

    def _write(self) -> None:
        if self._raw is not None and self._pixels is not None:
            memmove(self._raw.pixels, self._address(), self.height * self._raw.stride)

    def _end(self) -> None:
        try:
            self._write()
        finally:
            self._raw = None


def _flat(indices: Any) -> List[Any]:
    flat: List[Any] = []
    for index in several(indices, "indices"):
        flat += list(index) if hasattr(index, "__len__") else [index]
    return flat


class _Layer:
    """What is called for a layer: a function, or an object with `render` and perhaps the two others."""

    def __init__(self, map: "Map", host: Any) -> None:
        self.loop = map.loop
        self.initialize = getattr(host, "initialize", None)
        self.render: Callable[[CustomView], Any] = getattr(host, "render", host)
        self.deinitialize = getattr(host, "deinitialize", None)
        if not callable(self.render):
            raise InvalidArgumentError(f"{type(host).__name__} is no function and has no render")


def add_layer(map: "Map", id: str, host: Any, position: Any, is_persistent: bool) -> None:
    """Adds a layer that `host` draws."""
    name = utf8(id, "id")
    place = b"" if position is None else as_json(position)
    context = _callbacks.add(_Layer(map, host))
    layer = _abi.CustomLayer(
        struct_size=sizeof(_abi.CustomLayer), is_persistent=int(bool(is_persistent)), context=context,
        initialize=_initialized, render=_rendered, deinitialize=_deinitialized, destroy=_dropped,
    )
    _maps.add(map)
    status = lib.neat_map_add_custom_layer(map._pointer, name, len(name), place, len(place), byref(layer))
    if status:
        _callbacks.drop(context)
    map.loop._raise()
    check(status)


class CustomSource:
    """A source whose tiles a function gives: `Map.add_custom_source`. The functions that give tiles are for any thread;
    those that say that something is other data now for the map's."""

    def __init__(self, map: "Map", id: str, function: Optional[Callable[..., Any]], workers: int) -> None:
        self._map, self.id = instance(map, "Map", "map"), id
        self._number = 0
        self._function = function
        self._workers = workers
        self._pool: Optional[ThreadPoolExecutor] = None
        self._lock = threading.Lock()
        self._running: Dict[Tuple[int, int, int], Any] = {}
        self._is_over = False

    def set_tile(self, z: int, x: int, y: int, data: Any) -> None:
        """Gives a tile, whether it was asked for or not: GeoJSON in any form that `Map.set_geojson` takes; None: there
        is nothing. The last one counts. Raises NotFoundError where the source has gone, InvalidArgumentError for a tile
        outside of its zooms, LimitExceededError past 64 MiB and where too much waits for the map."""
        text = b"" if data is None else as_geojson(data)
        z, x, y = (whole(number, "tile") for number in (z, x, y))
        check(lib.neat_set_custom_geometry_tile_data(self._number, z, x, y, text, len(text)))

    def fail_tile(self, z: int, x: int, y: int, error: object) -> None:
        """Says that a tile cannot be had, and why: an exception, or words. Raises as `set_tile`."""
        code = error.status if isinstance(error, NeatlineError) and error.status else _abi.Status.TILE
        said = _callbacks.words(error) if isinstance(error, BaseException) else str(error)
        words = said.encode("utf-8", "replace")[:4096]
        z, x, y = (whole(number, "tile") for number in (z, x, y))
        check(lib.neat_fail_custom_geometry_tile(self._number, z, x, y, int(code), words, len(words)))

    def invalidate(self, z: int, x: int, y: int) -> None:
        """Says that a tile is other data now: it is asked for anew where the view needs it, and shown as it is until
        then. Raises NotFoundError, and InvalidArgumentError for a tile outside of the source's zooms."""
        z, x, y = (whole(number, "tile") for number in (z, x, y))
        self._map._do(lib.neat_map_invalidate_custom_geometry_tile, self.id, z, x, y)

    def invalidate_region(self, bounds: Sequence[float]) -> None:
        """Says the same of all tiles that a box (west, south, east, north in degrees) meets; east may be past 180.
        Raises NotFoundError, and InvalidArgumentError for what is no region."""
        west, south, east, north = reals(bounds, "bounds", 4)
        self._map._do(lib.neat_map_invalidate_custom_geometry_region, self.id, west, south, east, north)

    # What the library calls

    def _fetch(self, tile: Tuple[int, int, int]) -> None:
        if self._function is None:
            return
        if inspect.iscoroutinefunction(self._function):
            host = self._map.loop._host
            if host is None or not host.is_running():
                raise InvalidStateError("a coroutine gives tiles within asyncio only")
            self._follow(tile, host.create_task(self._function(*tile)))
        elif self._workers == 0:
            self._take(tile, self._function(*tile))
        else:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._workers, thread_name_prefix=f"neatline-{self.id}")
            future = self._pool.submit(self._work, tile)
            with self._lock:
                self._running[tile] = future
            future.add_done_callback(lambda done: self._forget(tile, done))

    def _work(self, tile: Tuple[int, int, int]) -> None:
        try:
            self._take(tile, self._function(*tile), may_wait=True)  # type: ignore[misc]
        except BaseException as error:  # noqa: B036  whatever it is, the map is to hear of it
            self._refuse(tile, error)

    def _take(self, tile: Tuple[int, int, int], answer: Any, may_wait: bool = False) -> None:
        """Takes what a function returned: data, or something that will have it."""
        if hasattr(answer, "add_done_callback"):
            self._follow(tile, answer)
        elif inspect.isawaitable(answer):
            raise InvalidStateError("a function that returns an awaitable is to be a coroutine function")
        else:
            self._give(tile, answer, may_wait)

    def _follow(self, tile: Tuple[int, int, int], future: Any) -> None:
        with self._lock:
            self._running[tile] = future

        def ended(done: Any) -> None:
            with self._lock:
                is_asked = self._running.get(tile) is done
            self._forget(tile, done)
            if done.cancelled():
                # A tile that left the view, or is asked for anew, is no failure.
                if is_asked:
                    self._refuse(tile, asyncio.CancelledError("it was cancelled"))
                return
            error = done.exception()
            if error is not None:
                return self._refuse(tile, error)
            try:
                self._give(tile, done.result())
            except BaseException as fault:  # noqa: B036  as above
                self._refuse(tile, fault)

        future.add_done_callback(ended)

    def _give(self, tile: Tuple[int, int, int], data: Any, may_wait: bool = False) -> None:
        text = b"" if data is None else as_geojson(data)
        while not self._is_over:
            try:
                return self.set_tile(*tile, text)
            except NotFoundError:
                return
            except LimitExceededError:
                # The map takes what waits sooner or later; what is too large it never takes.
                if not may_wait or len(text) > 64 << 20 or not threading.main_thread().is_alive():
                    raise
                time.sleep(0.01)

    def _refuse(self, tile: Tuple[int, int, int], error: BaseException) -> None:
        try:
            if not self._is_over:
                self.fail_tile(*tile, error)
        except NeatlineError:
            pass  # nobody is there to hear of it

    def _forget(self, tile: Tuple[int, int, int], future: Any) -> None:
        with self._lock:
            if self._running.get(tile) is future:
                del self._running[tile]

    def _cancel(self, tile: Tuple[int, int, int]) -> None:
        with self._lock:
            future = self._running.pop(tile, None)
        if future is not None:
            future.cancel()

    def _end(self) -> None:
        self._is_over = True
        with self._lock:
            running, self._running = list(self._running.values()), {}
        for future in running:
            future.cancel()
        if self._pool is not None:
            self._pool.shutdown(wait=False)


def add_source(
    map: "Map", id: str, function: Optional[Callable[..., Any]], workers: int, options: Dict[str, Any]
) -> CustomSource:
    """Adds a source whose tiles `function` gives."""
    if function is not None and not callable(function):
        raise InvalidArgumentError(f"{type(function).__name__} is no function")
    utf8(id, "id")
    source = CustomSource(map, id, function, whole(workers, "workers", 0, 64))
    name, text, number = utf8(id, "id"), as_json(options), c_uint64()
    context = _callbacks.add((map.loop, source))
    given = _abi.CustomGeometrySource(
        struct_size=sizeof(_abi.CustomGeometrySource), context=context, fetch_tile=_fetched,
        cancel_tile=_cancelled, destroy=_ended,
    )
    _maps.add(map)
    status = lib.neat_map_add_custom_geometry_source(
        map._pointer, name, len(name), text, len(text), byref(given), byref(number)
    )
    if status:
        _callbacks.drop(context)
    source._number = number.value
    map.loop._raise()
    check(status)
    return source


# The library calls these, whatever maps there are; a number says for which.


def _run(context: Optional[int], message: int, size: int, body: Callable[[_Layer], Any]) -> int:
    """Runs a function of a layer's; what it raises goes to the library in words."""
    layer = _callbacks.get(context)
    if layer is None:
        return int(_abi.Status.STATE)
    try:
        body(layer)
        return int(_abi.Status.OK)
    except (KeyboardInterrupt, SystemExit) as error:
        layer.loop._keep(error)
        return int(_abi.Status.CANCELLED)
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        words = _callbacks.words(error).encode("utf-8", "replace")[: size - 1]
        memmove(message, words, len(words))
        known = isinstance(error, NeatlineError) and error.status
        return int(error.status if known else _abi.Status.STATE)  # type: ignore[union-attr]


@_abi.CustomInitializeCallback
def _initialized(context: Optional[int], message: int, size: int) -> int:
    return _run(context, message, size, lambda layer: layer.initialize and layer.initialize())


@_abi.CustomRenderCallback
def _rendered(context: Optional[int], raw: Any, message: int, size: int) -> int:
    def draw(layer: _Layer) -> None:
        view = CustomView(raw.contents)
        try:
            layer.render(view)
        finally:
            view._end()

    return _run(context, message, size, draw)


def _found(context: Optional[int]) -> Any:
    """What a context stands for; None where the interpreter ends, and has let go of its modules."""
    return None if _callbacks is None else _callbacks.get(context)  # type: ignore[redundant-expr]


@_abi.CustomDeinitializeCallback
def _deinitialized(context: Optional[int]) -> None:
    layer = _found and _found(context)
    if layer is None or layer.deinitialize is None:
        return
    try:
        layer.deinitialize()
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        layer.loop._keep(error)


@_abi.FetchTileCallback
def _fetched(context: Optional[int], number: int, z: int, x: int, y: int) -> None:
    found = _callbacks.get(context)
    if found is None:
        return
    loop, source = found
    source._number = number
    try:
        source._fetch((z, x, y))
    except (KeyboardInterrupt, SystemExit) as error:
        loop._keep(error)
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        source._refuse((z, x, y), error)


@_abi.CancelTileCallback
def _cancelled(context: Optional[int], number: int, z: int, x: int, y: int) -> None:
    found = _found and _found(context)
    if found is not None:
        found[1]._cancel((z, x, y))


@_abi.DestroyCallback
def _ended(context: Optional[int]) -> None:
    found = _found and _found(context)
    if found is not None:
        _callbacks.drop(context)
        found[1]._end()


@_abi.DestroyCallback
def _dropped(context: Optional[int]) -> None:
    if _found and _found(context) is not None:
        _callbacks.drop(context)


# A map that outlives this module calls them still.
for _function in (_initialized, _rendered, _deinitialized, _fetched, _cancelled, _ended, _dropped):
    pythonapi.Py_IncRef(py_object(_function))

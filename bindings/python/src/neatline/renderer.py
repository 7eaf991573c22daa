"""Drawing styles."""

from __future__ import annotations

import os
import time
from ctypes import byref, c_char_p, c_void_p, cast, pointer, sizeof
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _abi
from ._library import Handle, check, lib, pointer_of, take_json
from ._options import options_of
from ._values import (
    as_json, bits_of, finite, given, milliseconds, path_text, real, reals, several, shown, sides_of, utf8, whole,
)
from .camera import Padding, View, fit_bounds
from .errors import InvalidArgumentError
from .frame import Frame
from .image import Image
from .ornaments import AttributionLink, Ornaments, links_of, ornaments_of
from .overlay import SCALE_BARS, Overlay
from .report import warn, warn_of_answer
from .resources import Resources

Style = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Size = Union[int, Sequence[int]]


class Problem(NamedTuple):
    """What a picture had to do without."""

    resource: str
    message: str
    code: int


class Renderer(Handle):
    """Draws pictures of one style. Threads may use one renderer at the same time.

    style: a path, a file:// or http(s):// address, style JSON as text, or a dictionary.
    base: where relative addresses of a style given as text or dictionary start.
    fonts: font files (TTF, OTF) for text without a glyph server.
    threads: how many threads one picture may use; 0 for as many as there are processors, which the pictures
    drawn at the same time share.
    cache_bytes: what decoded tiles and layouts may take; 0 for 64 MiB.
    memory_limit: bytes that may be held by pictures under way and all that is kept (docs/concepts/limits.md);
    0 for three quarters of what the process may have. unpacked_limit: bytes that the packed body of one response may unpack to; 0 for 256 MiB.
    local_files: whether the style may read files and archives of this machine; None: where it came from a
    file or from text, not from a server. system_fonts: whether the fonts of the system draw what `fonts`
    lack. timeout: seconds that one request may take in all.
    retries: attempts after a failure that may pass; 0 for none.
    resources: what is shared with other renderers; its timeout, retries and unpacked_limit count then.
    glyphs: which text is drawn from font files: "where_needed" (what no glyph server draws), "none",
    "ideographs" (those and hangul, which no glyph server is asked for, and what none draws) or "all".
    cross_source_collisions: whether labels of one source keep clear of those of others.
    language: that labels are put in ("ja", "pt_BR"), where the data has it; None: as the style has them.
    smooth_edges: whether the edges of extrusions and models are smooth; else a pixel belongs to what is in
    its middle.
    spread_letters: whether letters of labels along lines that a sharp bend lays on each other are moved apart.
    evaluation_bytes, evaluation_steps: what one evaluation of an expression may take; 0 for 16 MiB and
    4,000,000. expression_bytes, expression_steps: what the expressions of one image may take together; 0 for
    256 MiB and 500,000,000. Past them a property has its default, and the image's report says so.

    Raises StyleError, JSONError, FileError, NetworkError and others below NeatlineError where the style
    cannot be had.
    """

    _destroy = "neat_renderer_destroy"

    def __init__(
        self,
        style: Style,
        *,
        base: str = "",
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
        if isinstance(style, Mapping) or isinstance(style, str) and style.lstrip().startswith("{"):
            text, start = as_json(style), utf8(base, "base")
            pointer = self._make(lib.neat_renderer_create, text, len(text), start, len(start), byref(options))
        else:
            url = path_text(style, "style")
            pointer = self._make(lib.neat_renderer_load, url, len(url), byref(options))
        super().__init__(pointer)

    @property
    def info(self) -> Dict[str, Any]:
        """The style's name, camera, attribution (as far as it is known), layers and sources."""
        return take_json(lib.neat_renderer_info, self._pointer)

    def attribution(self, deadline: Optional[float] = None) -> List[str]:
        """Whom the data is owed to: texts (often HTML) of the style's sources, and of the TileJSON and
        archives that they name.

        What is not loaded yet is; deadline: seconds to wait for it, None for no end.
        """
        return take_json(lib.neat_renderer_attribution, self._pointer, milliseconds(deadline, "deadline"))

    def attribution_links(self, deadline: Optional[float] = None) -> List[AttributionLink]:
        """What attribution says, without its HTML, and where its links lead, each once."""
        return links_of(
            take_json(lib.neat_renderer_attribution_links, self._pointer, milliseconds(deadline, "deadline"))
        )

    @property
    def problems(self) -> List[Problem]:
        """What went wrong so far without failing a picture: tiles, glyphs, images that could not be had."""
        found = take_json(lib.neat_renderer_problems, self._pointer)
        return [Problem(each.get("resource", ""), each["message"], each.get("code", 0)) for each in found]

    def reduce_memory_use(self) -> None:
        """Gives memory back: drops decoded tiles, layouts and textures, but for what pictures under way need.
        They are loaded again when the next picture needs them, which is the same."""
        check(lib.neat_renderer_reduce_memory_use(self._pointer))

    def draw(
        self,
        center: Optional[Sequence[float]] = None,
        zoom: Optional[float] = None,
        bearing: Optional[float] = None,
        pitch: Optional[float] = None,
        size: Size = 512,
        ratio: float = 1,
        deadline: Optional[float] = None,
        *,
        roll: Optional[float] = None,
        bounds: Optional[Sequence[float]] = None,
        padding: Padding = 0,
        overlay: Optional[Overlay] = None,
        attribution: Union[bool, str] = False,
        scale_bar: Optional[str] = None,
        ornaments: Optional[Ornaments] = None,
        label_margin: int = 0,
        debug: Iterable[str] = (),
    ) -> Image:
        """Draws a view. What is not given is the style's own. Warns (MissingWarning) where the picture lacks
        something: see its `missing`.

        center: (longitude, latitude) in degrees. zoom: -2 to 25.5. bearing: degrees clockwise from north.
        pitch: degrees, 0 to 85. roll: degrees about the line of sight. size: logical pixels, (width, height) or
        one number for a square. ratio: device pixels a logical pixel, 0.1 to 16. deadline: seconds to wait for tiles; None for no end.
        bounds: (west, south, east, north) in degrees, shown as large as they fit, in the place of center and
        zoom; west > east crosses the 180th meridian. padding: logical pixels kept free along the edges: one
        number, or (top, left, bottom, right).
        overlay: is drawn with the map; `bounds=overlay.bounds` shows all of it. attribution: of the sources, or a
        text, at the bottom right. scale_bar: "metric", "imperial" or "nautical", at the bottom left. ornaments: all
        that stands in the corners, in the place of both.
        label_margin: logical pixels around the picture, up to 4096, whose labels are placed with its own, for
        pictures that are cut into tiles.
        debug: what the picture shows of how it is made, any of "tile_borders", "parse_status", "timestamps",
        "collision", "overdraw" and "padding": see Map.debug_options.
        """
        camera, view = self._view(center, zoom, bearing, pitch, roll, size, ratio, bounds, padding)
        if not (scale_bar is None or isinstance(scale_bar, str)) or scale_bar not in SCALE_BARS:
            raise InvalidArgumentError(f"scale_bar {shown(scale_bar)} is not metric, imperial or nautical")
        # Kept for the call: a structure holds the bare address.
        held = pointer_of(overlay, "Overlay", "overlay") if overlay is not None else None
        options = _abi.PictureOptions(
            struct_size=sizeof(_abi.PictureOptions),
            deadline_ms=milliseconds(deadline, "deadline"),
            overlay=held._as_parameter_ if held is not None else None,
            has_attribution=int(attribution is not False),
            scale_bar=SCALE_BARS[scale_bar],
            label_margin_px=whole(label_margin, "label_margin"),
            debug=bits_of(_abi.Debug, "debug", debug),
        )
        corners, _held = ornaments_of(ornaments)
        if ornaments is not None:
            options.ornaments = pointer(corners)
        if isinstance(attribution, str):
            text = utf8(attribution, "attribution")
            options.attribution, options.attribution_size = cast(c_char_p(text), c_void_p), len(text)
        image = Image(
            self._make(
                lib.neat_renderer_draw_with, self._pointer, byref(camera), byref(view), byref(options)
            )
        )
        return _told(image)

    def draw_tile(
        self, z: int, x: int, y: int, size: int = 512, ratio: float = 1, deadline: Optional[float] = None
    ) -> Image:
        """Draws the XYZ tile z/x/y of `size` logical pixels an edge. Warns as draw."""
        numbers = whole(z, "z"), whole(x, "x"), whole(y, "y"), whole(size, "size", 1)
        image = Image(
            self._make(
                lib.neat_renderer_draw_tile, self._pointer, *numbers, real(ratio, "ratio"),
                milliseconds(deadline, "deadline"),
            )
        )
        return _told(image)

    def draw_tiles(
        self,
        z: int,
        x: int,
        y: int,
        count: int,
        size: int = 512,
        ratio: float = 1,
        deadline: Optional[float] = None,
    ) -> List[Image]:
        """Draws a square of tiles, `count` an edge, as one picture and cuts it: cheaper than each alone, as all
        share one margin for labels.

        z/x/y is the north-western tile; they come row by row from there, each with what the whole picture
        lacks in `missing`. count: 1 to 64. Warns as draw. Raises InvalidArgumentError where size * ratio is
        not whole.
        """
        images = self._tiles(z, x, y, whole(count, "count", 1, 64), whole(size, "size", 1), ratio, deadline)
        _told(images[0])
        return images

    def _tiles(
        self, z: int, x: int, y: int, count: int, size: int, ratio: float, deadline: Optional[float]
    ) -> List[Image]:
        pointers = (c_void_p * count**2)()
        check(
            lib.neat_renderer_draw_tiles(
                self._pointer, whole(z, "z"), whole(x, "x"), whole(y, "y"), count, size, real(ratio, "ratio"),
                milliseconds(deadline, "deadline"), pointers,
            )
        )
        return [Image(c_void_p(pointer)) for pointer in pointers]

    def frame(
        self,
        center: Optional[Sequence[float]] = None,
        zoom: Optional[float] = None,
        bearing: Optional[float] = None,
        pitch: Optional[float] = None,
        size: Size = 512,
        ratio: float = 1,
        deadline: Optional[float] = None,
        *,
        roll: Optional[float] = None,
        bounds: Optional[Sequence[float]] = None,
        padding: Padding = 0,
    ) -> Frame:
        """A view as draw commands for a GPU: parameters and warnings as for draw."""
        camera, view = self._view(center, zoom, bearing, pitch, roll, size, ratio, bounds, padding)
        frame = Frame(
            self._make(
                lib.neat_renderer_frame, self._pointer, byref(camera), byref(view), milliseconds(deadline, "deadline")
            )
        )
        return _told(frame)

    def query(
        self,
        box: Sequence[float],
        center: Optional[Sequence[float]] = None,
        zoom: Optional[float] = None,
        bearing: Optional[float] = None,
        pitch: Optional[float] = None,
        size: Size = 512,
        ratio: float = 1,
        layers: Optional[Sequence[str]] = None,
        filter: Any = None,
        *,
        roll: Optional[float] = None,
        bounds: Optional[Sequence[float]] = None,
        padding: Padding = 0,
    ) -> List[Dict[str, Any]]:
        """The features drawn at a point (x, y) or in a box (x0, y0, x1, y1) of device pixels of a view,
        topmost first, as GeoJSON."""
        edges = several(box, "box")
        x0, y0, x1, y1 = reals(edges if len(edges) == 4 else (*edges, *edges), "box", 4)
        camera, view = self._view(center, zoom, bearing, pitch, roll, size, ratio, bounds, padding)
        options = given(report=True, layers=None if layers is None else several(layers, "layers"), filter=filter)
        answer = take_json(
            lib.neat_renderer_query,
            self._pointer,
            byref(camera),
            byref(view),
            x0,
            y0,
            x1,
            y1,
            options,
            len(options),
        )
        warn_of_answer(answer["report"])
        return answer["features"]

    def view(
        self,
        center: Optional[Sequence[float]] = None,
        zoom: Optional[float] = None,
        bearing: Optional[float] = None,
        pitch: Optional[float] = None,
        size: Size = 512,
        ratio: float = 1,
        *,
        roll: Optional[float] = None,
        bounds: Optional[Sequence[float]] = None,
        padding: Padding = 0,
    ) -> View:
        """Which place a picture of these shows where, and other views from there: what is not given is the
        style's, as in `draw`. `renderer.draw(**view.camera, size=view.size)` draws a view."""
        camera, view = self._view(center, zoom, bearing, pitch, roll, size, ratio, bounds, padding)
        if camera.use_style:
            own = self.info
            camera.lon_deg, camera.lat_deg = own["center"]
            camera.zoom, camera.bearing_deg = own["zoom"], own["bearing"]
            camera.pitch_deg, camera.roll_deg = own["pitch"], own["roll"]
        view = View(size=(view.width_px, view.height_px), ratio=ratio)._moved(camera)
        return view._laid(lib.neat_renderer_projection, self._pointer)

    def _view(
        self,
        center: Optional[Sequence[float]],
        zoom: Optional[float],
        bearing: Optional[float],
        pitch: Optional[float],
        roll: Optional[float],
        size: Size,
        ratio: float,
        bounds: Optional[Sequence[float]],
        padding: Padding,
    ) -> Tuple[_abi.Camera, _abi.Size]:
        if bounds is not None and (center is not None or zoom is not None):
            raise InvalidArgumentError("bounds stand in the place of center and zoom")
        width, height = several(size, "size") if hasattr(size, "__len__") else (size, size)
        view = _abi.Size(
            struct_size=sizeof(_abi.Size),
            width_px=whole(width, "width"),
            height_px=whole(height, "height"),
            pixel_ratio=real(ratio, "ratio"),
        )
        camera = _abi.Camera(struct_size=sizeof(_abi.Camera))
        sides = sides_of(padding, "padding")
        if (
            center is None
            and zoom is None
            and bearing is None
            and pitch is None
            and roll is None
            and bounds is None
            and not any(sides)
        ):
            camera.use_style = 1
            return camera, view
        own = self.info
        camera.lon_deg, camera.lat_deg = reals(center, "center", 2) if center is not None else own["center"]
        camera.zoom = finite(zoom, "zoom") if zoom is not None else own["zoom"]
        camera.bearing_deg = finite(bearing, "bearing") if bearing is not None else own["bearing"]
        # The style's pitch and roll are for the style's view.
        camera.pitch_deg = finite(pitch, "pitch") if pitch is not None else 0 if bounds is not None else own["pitch"]
        camera.roll_deg = finite(roll, "roll") if roll is not None else 0 if bounds is not None else own["roll"]
        camera.padding_top_px, camera.padding_left_px, camera.padding_bottom_px, camera.padding_right_px = (
            sides
        )
        if bounds is not None:
            fit_bounds(camera, view, bounds, lib.neat_renderer_projection, self._pointer)
        return camera, view


def _told(picture: Any) -> Any:
    """The picture or frame, after a warning where it lacks something."""
    warn(picture.missing, picture._missing_count)
    return picture


def render(
    style: Style,
    center: Optional[Sequence[float]] = None,
    zoom: Optional[float] = None,
    bearing: Optional[float] = None,
    pitch: Optional[float] = None,
    size: Size = 512,
    ratio: float = 1,
    deadline: Optional[float] = None,
    *,
    roll: Optional[float] = None,
    bounds: Optional[Sequence[float]] = None,
    padding: Padding = 0,
    overlay: Optional[Overlay] = None,
    attribution: Union[bool, str] = False,
    scale_bar: Optional[str] = None,
    ornaments: Optional[Ornaments] = None,
    debug: Iterable[str] = (),
    base: str = "",
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
    language: Optional[str] = None,
    smooth_edges: bool = True,
    spread_letters: bool = True,
    evaluation_bytes: int = 0,
    evaluation_steps: int = 0,
    expression_bytes: int = 0,
    expression_steps: int = 0,
) -> Image:
    """Draws one picture of a style: see Renderer.draw for the view and Renderer for style and options.
    deadline: seconds for all, the style included.

    To draw many pictures of one style keep a Renderer: it keeps what it loaded.
    """
    start = time.monotonic()
    if deadline is not None:
        deadline = real(deadline, "deadline")
    with Renderer(
        style,
        base=base,
        fonts=fonts,
        threads=threads,
        cache_bytes=cache_bytes,
        timeout=timeout if deadline is None else min(deadline, real(timeout, "timeout")),
        retries=retries,
        memory_limit=memory_limit,
        unpacked_limit=unpacked_limit,
        local_files=local_files,
        system_fonts=system_fonts,
        resources=resources,
        language=language,
        smooth_edges=smooth_edges,
        spread_letters=spread_letters,
        evaluation_bytes=evaluation_bytes,
        evaluation_steps=evaluation_steps,
        expression_bytes=expression_bytes,
        expression_steps=expression_steps,
    ) as renderer:
        left = None if deadline is None else max(deadline - (time.monotonic() - start), 0.001)
        return renderer.draw(
            center,
            zoom,
            bearing,
            pitch,
            size,
            ratio,
            left,
            roll=roll,
            bounds=bounds,
            padding=padding,
            overlay=overlay,
            attribution=attribution,
            scale_bar=scale_bar,
            ornaments=ornaments,
            debug=debug,
        )

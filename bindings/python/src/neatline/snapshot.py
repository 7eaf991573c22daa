"""Pictures of a map that nobody sees."""

from __future__ import annotations

import time as clock
from typing import Any, Callable, Generator, List, NamedTuple, Optional, Sequence, Tuple

from . import _arrays
from ._library import pointer_of
from ._values import chosen, finite, instance, is_callable, real, reals, whole
from ._waiting import Waiting
from .camera import View
from .errors import CancelledError, DeadlineError, InvalidStateError, NeatlineError
from .image import Image, _of_pixels
from .map import CameraState, Map, StyleLoad
from .ornaments import Ornaments
from .renderer import Size, Style

# Which part of an image's width and height is left of and above its anchor.
_ANCHORS = {
    "center": (0.5, 0.5),
    "left": (0, 0.5),
    "right": (1, 0.5),
    "top": (0.5, 0),
    "bottom": (0.5, 1),
    "top_left": (0, 0),
    "top_right": (1, 0),
    "bottom_left": (0, 1),
    "bottom_right": (1, 1),
}


class Snapshot(NamedTuple):
    """A finished picture of a map, and what is where in it. image: the picture; its `missing` tells what the map had
    to do without, as `missing` does where an overlay was drawn. camera: where it was seen from. view: which place is
    where: `snapshot.view.point(place)`, `snapshot.view.place(point)`, in logical pixels. attribution: whom its data
    is owed to."""

    image: Image
    camera: CameraState
    view: View
    attribution: List[str]
    missing: List[Any]


class SnapshotOverlay:
    """What a host draws with, before or after a map: while its function runs. Needs numpy."""

    def __init__(self, width: int, height: int, view: View) -> None:
        instance(view, View, "view")
        numpy = _arrays.numpy
        if numpy is None:
            raise ImportError("drawing over snapshots needs numpy: pip install neatline[numpy]")
        width, height = whole(width, "width", 1, 65535), whole(height, "height", 1, 65535)
        self.pixels = numpy.zeros((height, width, 4), numpy.uint8)
        """An array (height, width, 4) of uint8 to be changed: device pixels, colours multiplied by alpha."""
        self.ratio = view.ratio
        """Device pixels a logical pixel."""
        self._view = view

    def point(self, place: Sequence[float]) -> Tuple[float, float]:
        """Where a place is, in logical pixels; (-1, -1) where it is not."""
        return self._view.point(place)

    def place(self, point: Sequence[float]) -> Optional[Tuple[float, float]]:
        """The place at a point in logical pixels; None at the horizon and above."""
        return self._view.place(point)

    def paste(self, image: Image, at: Sequence[float], anchor: str = "center") -> None:
        """Lays an image over what is there, a pixel of it on a device pixel. at: a point in logical pixels. anchor:
        which part of the image is there, "center", "top_left" … What is past the picture is left out."""
        dx, dy = chosen(_ANCHORS, "anchor", anchor)
        x, y = (finite(each, "at") for each in reals(at, "at", 2))
        pointer_of(image, "Image", "image")
        left, top = round(x * self.ratio - dx * image.width), round(y * self.ratio - dy * image.height)
        self._lay(image, left, top)

    def _lay(self, image: Image, left: int, top: int) -> None:
        numpy = _arrays.numpy
        height, width = self.pixels.shape[:2]
        x0, y0 = max(0, left), max(0, top)
        x1, y1 = min(width, left + image.width), min(height, top + image.height)
        if x0 >= x1 or y0 >= y1:
            return
        source = numpy.frombuffer(image.premultiplied, dtype=numpy.uint8).reshape(image.height, image.width, 4)
        source = source[y0 - top : y1 - top, x0 - left : x1 - left].astype(numpy.uint32)
        below = self.pixels[y0:y1, x0:x1].astype(numpy.uint32)
        both = source + (below * (255 - source[..., 3:]) + 127) // 255
        self.pixels[y0:y1, x0:x1] = numpy.minimum(both, 255).astype(numpy.uint8)

    def _image(self) -> Image:
        height, width = self.pixels.shape[:2]
        return _of_pixels(width, height, self.pixels.tobytes())


#: Draws with what it is given.
Drawer = Callable[[SnapshotOverlay], Any]
#: Takes the snapshot and None, or None and why there is none.
Completion = Callable[[Optional[Snapshot], Optional[BaseException]], Any]


class SnapshotRun(Waiting):
    """A snapshot on its way. `await` it, or look at `done`, `snapshot` and `error` while the loop runs."""

    def __init__(
        self,
        snapshotter: "Snapshotter",
        completion: Optional[Completion],
        underlay: Optional[Drawer],
        overlay: Optional[Drawer],
    ) -> None:
        super().__init__(
            instance(snapshotter, Snapshotter, "snapshotter").map.loop,
            None if completion is None else lambda _: completion(self.snapshot, self.error),
        )
        self._snapshotter = snapshotter
        self._underlay = underlay
        self._overlay = overlay
        self.snapshot: Optional[Snapshot] = None
        """The snapshot, once it is there."""
        self.error: Optional[BaseException] = None
        """Why there is none; CancelledError where it was cancelled."""

    def cancel(self) -> None:
        """Ends it, unless it is over."""
        if self._snapshotter._run is self:
            self._snapshotter.cancel()

    def __await__(self) -> Generator[Any, None, Snapshot]:
        yield from self._wait()
        if self.error is not None:
            raise self.error
        assert self.snapshot is not None
        return self.snapshot


class Snapshotter:
    """Makes pictures of a map that nobody sees: a style, a camera, a picture when all is there that it needs. Without
    an overlay they have the pixels of `Renderer.draw`. It belongs to the thread of its loop.

    size: logical pixels, (width, height) or one number for a square. ratio: device pixels a logical pixel. ornaments:
    what stands in the picture's corners. The other options are those of Map, `loop` among them.
    """

    def __init__(
        self, size: Size = 512, ratio: float = 1, *, ornaments: Optional[Ornaments] = None, **options: Any
    ) -> None:
        self.map = Map(size, ratio, **options)
        """The map that the pictures are of: its style, images and events."""
        # What a picture shows does not depend on when it is taken.
        self.map.fade_duration = 0
        self.map.set_transitions(False)
        if ornaments is not None:
            self.map.ornaments = ornaments
        self.map.on_every("map_idle", lambda _: self._take())
        self._run: Optional[SnapshotRun] = None
        self._load: Optional[StyleLoad] = None

    def load_style(
        self, style: Style, *, base: str = "", completion: Optional[Callable[[Optional[NeatlineError]], Any]] = None
    ) -> StyleLoad:
        """Starts to load a style, as Map.load_style."""
        if completion is not None:
            is_callable(completion, "completion")

        def ended(error: Optional[NeatlineError]) -> None:
            if error is not None and not isinstance(error, CancelledError):
                self._end(None, error)
            if completion is not None:
                completion(error)

        self._load = self.map.load_style(style, base=base, completion=ended)
        return self._load

    def set_camera(self, *arguments: Any, **camera: Any) -> None:
        """Moves the camera, as Map.set_camera; until then it is the style's."""
        self.map.set_camera(*arguments, **camera)

    def start(
        self,
        completion: Optional[Completion] = None,
        *,
        underlay: Optional[Drawer] = None,
        overlay: Optional[Drawer] = None,
    ) -> SnapshotRun:
        """Begins a picture, in the place of the one under way, which is cancelled. It is taken when all is there that
        it needs, or cannot be had, which `Snapshot.missing` tells. completion: called once, with the snapshot and
        None, or with None and why there is none: the style cannot be had or read, or CancelledError.

        underlay: draws first, and is seen where the map lets something through; overlay: draws over the map and its
        ornaments; both are given a SnapshotOverlay. What they raise is why there is no snapshot. Raises
        InvalidStateError before a style was loaded or set."""
        for each, name in ((completion, "completion"), (underlay, "underlay"), (overlay, "overlay")):
            if each is not None:
                is_callable(each, name)
        load = self._load
        if load is None and not self._has_style:
            raise InvalidStateError("the snapshotter has no style yet")
        run, earlier = SnapshotRun(self, completion, underlay, overlay), self._run
        self._run = run
        if earlier is not None:
            earlier.error = CancelledError("another snapshot was started")
            earlier._end_with(None)
        # That may have begun another one, or ended this one.
        if self._run is not run:
            return run
        if load is not None and load is self._load and load.done and load.error is not None and not self._has_style:
            self._end(None, load.error)
        else:
            try:
                # A picture stands still: no tiles that stand in for others. An idle map looks again, and is idle again.
                self.map.set_prefetch_zoom_delta(0)
            except BaseException:
                self._run = None
                raise
        return run

    @property
    def _has_style(self) -> bool:
        """Whether the map has a style, whoever loaded it."""
        try:
            return bool(self.map.info)
        except InvalidStateError:
            return False

    def take(
        self,
        timeout: Optional[float] = None,
        *,
        underlay: Optional[Drawer] = None,
        overlay: Optional[Drawer] = None,
    ) -> Snapshot:
        """Makes a picture, and runs the loop until it is there. timeout: seconds; None: as long as requests may take.
        Raises DeadlineError, and why there is none."""
        if timeout is not None:
            timeout = real(timeout, "timeout")
        run = self.start(underlay=underlay, overlay=overlay)
        end = None if timeout is None else clock.monotonic() + timeout
        while not run.done:
            left = None if end is None else end - clock.monotonic()
            if left is not None and left <= 0 or not self.map.loop.run(left) and not run.done:
                run.cancel()
                raise DeadlineError(f"the snapshot is not there after {timeout} s")
        if run.error is not None:
            raise run.error
        assert run.snapshot is not None
        return run.snapshot

    def cancel(self) -> None:
        """Ends the picture under way: who waits hears CancelledError. Nothing where there is none."""
        self._end(None, CancelledError("the snapshot was cancelled"))

    def close(self) -> None:
        """Ends it: a picture under way is cancelled. May be called again."""
        self.cancel()
        self.map.close()

    def __enter__(self) -> "Snapshotter":
        return self

    def __exit__(self, *exception: Any) -> None:
        self.close()

    def _end(self, snapshot: Optional[Snapshot], error: Optional[BaseException]) -> None:
        run, self._run = self._run, None
        if run is not None:
            run.snapshot, run.error = snapshot, error
            run._end_with(None)

    def _take(self) -> None:
        run = self._run
        # Another handler may have changed something: then the map is idle again later.
        if run is None or not self.map.is_loaded:
            return
        try:
            snapshot = self._draw(run)
        except Exception as error:  # it is why there is no snapshot
            if self._run is run:
                self._end(None, error)
            return
        # A drawer may have ended it.
        if self._run is run:
            self._end(snapshot, None)

    def _draw(self, run: SnapshotRun) -> Snapshot:
        camera, view = self.map.camera, self.map.view
        picture = image = self.map.draw()
        if run._underlay is not None or run._overlay is not None:
            overlay = SnapshotOverlay(picture.width, picture.height, view)
            if run._underlay is not None:
                run._underlay(overlay)
            overlay._lay(picture, 0, 0)
            if run._overlay is not None:
                run._overlay(overlay)
            image = overlay._image()
        return Snapshot(image, camera, view, self.map.attribution, picture.missing)

"""Maps without a network: regions, which are styles with all that they name and the tiles of an area and a
range of zooms, kept in the cache of resources.

    >>> resources = neatline.Resources("trip.db")
    >>> style = "https://example.org/style.json"
    >>> region = neatline.offline.create(resources, style, bounds=(10, 46, 13, 48), zooms=(0, 12))
    >>> region.load()
    >>> resources.set_online(False)     # maps with these resources are drawn all the same
"""

from __future__ import annotations

import asyncio
import atexit
import dataclasses
import enum
import json
import os
import threading
import weakref
from ctypes import byref, c_int64, sizeof
from typing import Any, AsyncIterator, Callable, Dict, Generator, List, Optional, Sequence, Tuple, Union

from . import _abi
from ._library import Bytes, Handle, as_bytes, check, lib, pointer_of, take_buffer, take_json
from ._values import as_json, given, instance, milliseconds, parsed_geojson, path_text, real, reals, several, whole
from .errors import NeatlineError, error_of
from .resources import Resources

__all__ = [
    "Download",
    "IncompleteError",
    "Progress",
    "Region",
    "State",
    "TileLimitError",
    "create",
    "is_connected",
    "merge",
    "regions",
    "set_connected",
    "set_tile_limit",
]


class State(enum.Enum):
    """What becomes of a region."""

    INACTIVE = 0
    ACTIVE = 1
    COMPLETE = 2


@dataclasses.dataclass(frozen=True)
class Progress:
    """How far a region is. Counts of resources have the tiles among them; those required are what is known of
    the style and its sources, and final where `precise`. bytes and tile_bytes are of what is there, as it is
    stored; received are bytes that servers sent in this download; failed are resources that are not to be
    had."""

    state: State
    required: int
    required_tiles: int
    completed: int
    completed_tiles: int
    bytes: int
    tile_bytes: int
    failed: int
    received: int
    precise: bool


class IncompleteError(NeatlineError):
    """A region lacks something after its download. `progress` says how much, `errors` what, 100 of them at
    most; `disk_full` whether the disk or the quota has no room."""

    def __init__(self, region: int, progress: Progress, errors: List[NeatlineError], disk_full: bool) -> None:
        what = f": {errors[-1]}" if errors else ""
        super().__init__(f"region {region} is not complete{what}")
        self.progress = progress
        self.errors = errors
        self.disk_full = disk_full


class TileLimitError(NeatlineError):
    """The tiles of a provider that asks for a limit would be more than that."""


def _progress(given: _abi.OfflineProgress) -> Progress:
    return Progress(
        state=State(given.state),
        required=given.required_count,
        required_tiles=given.required_tile_count,
        completed=given.completed_count,
        completed_tiles=given.completed_tile_count,
        bytes=given.byte_count,
        tile_bytes=given.tile_byte_count,
        failed=given.failed_count,
        received=given.received_byte_count,
        precise=bool(given.is_precise),
    )


def _read_progress(function: Any, *arguments: Any) -> Progress:
    found = _abi.OfflineProgress(struct_size=sizeof(_abi.OfflineProgress))
    check(function(*arguments, byref(found)))
    return _progress(found)


# The threads of the library cannot call into Python once it ends.
_under_way: "weakref.WeakSet[Download]" = weakref.WeakSet()


@atexit.register
def _stop_all() -> None:
    for download in list(_under_way):
        download.stop()


class Download(Handle):
    """A region's download under way; made by `Region.download`. Any thread. It ends with all that can be
    had, at a limit, or by `stop`, by `close` and at the end of a `with` block.

    It can be awaited, for the last progress, and iterated over with `async for`, for each progress."""

    _destroy = "neat_offline_download_destroy"

    def __init__(
        self,
        region: "Region",
        options: bytes,
        on_progress: Optional[Callable[[Progress], Any]],
        on_error: Optional[Callable[[NeatlineError], Any]],
    ) -> None:
        self.region = instance(region, Region, "region")
        self.errors: List[NeatlineError] = []
        self.disk_full = False
        self._watchers: List[Callable[[Progress], None]] = []
        self._lock = threading.Lock()
        heard = weakref.ref(self)

        @_abi.OfflineCallback
        def hear(_: Any, event: Any) -> None:
            self = heard()
            if self is not None:
                self._hear(event.contents, on_progress, on_error)

        super().__init__(
            self._make(
                lib.neat_offline_download_create,
                region.resources._pointer, region.id, options, len(options), hear, None,
            ),
            source=hear,
        )
        _under_way.add(self)

    def _hear(self, event: _abi.OfflineEvent, on_progress: Any, on_error: Any) -> None:
        if event.type == _abi.OfflineEventType.PROGRESS:
            progress = _progress(event.progress.contents)
            with self._lock:
                watchers = list(self._watchers)
            for watcher in watchers:
                watcher(progress)
            if on_progress is not None:
                on_progress(progress)
            return
        if event.type == _abi.OfflineEventType.TILE_LIMIT:
            error: NeatlineError = TileLimitError(f"more than {event.tile_limit} tiles of limited providers")
        elif event.type == _abi.OfflineEventType.ERROR:
            place = f"{event.resource.decode()}: " if event.resource else ""
            error = error_of(event.status, place + event.message.decode("utf-8", "replace"))
            self.disk_full = self.disk_full or bool(event.is_disk_full)
        else:
            return
        # The last ones: what ended it is among them.
        self.errors.append(error)
        del self.errors[:-100]
        if on_error is not None:
            on_error(error)

    @property
    def progress(self) -> Progress:
        """How far it is, or was at its end."""
        return _read_progress(lib.neat_offline_download_progress, self._pointer)

    def wait(self, timeout: Optional[float] = None) -> bool:
        """Waits until it has ended, `timeout` seconds at most; whether it has ended. Not from within what it
        calls."""
        if timeout is not None:
            return bool(lib.neat_offline_download_wait(self._pointer, milliseconds(timeout, "timeout") or 1))
        # In pieces, so that an interrupt is heard.
        while not lib.neat_offline_download_wait(self._pointer, 200):
            pass
        return True

    def stop(self) -> None:
        """Ends it: what came is kept, and nothing is called after this returns."""
        if not self.closed:
            lib.neat_offline_download_stop(self._pointer)
            self._tell_end()

    def close(self) -> None:
        """Ends it, as `stop`, and lets go of it."""
        self.stop()
        super().close()

    def _tell_end(self) -> None:
        # Stopped from within what it calls, it says nothing more.
        with self._lock:
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher(self.progress)

    def __await__(self) -> Generator[Any, None, Progress]:
        return self._finish().__await__()

    async def _finish(self) -> Progress:
        async for progress in self:
            last = progress
        return last

    async def __aiter__(self) -> AsyncIterator[Progress]:
        loop = asyncio.get_running_loop()
        queue: "asyncio.Queue[Progress]" = asyncio.Queue()

        def watch(progress: Progress) -> None:
            try:
                loop.call_soon_threadsafe(queue.put_nowait, progress)
            except RuntimeError:  # the loop is closed: nobody waits
                pass

        with self._lock:
            self._watchers.append(watch)
        try:
            progress = self.progress
            yield progress
            while progress.state is State.ACTIVE:
                progress = await queue.get()
                yield progress
        finally:
            with self._lock:
                self._watchers.remove(watch)


class Region:
    """A region of resources' cache. id: its number. definition: what it is to have, as MapLibre Native stores
    it; None where that cannot be read, and `fault` says why."""

    def __init__(
        self, resources: Resources, id: int, definition: Optional[Dict[str, Any]], fault: Optional[str] = None
    ) -> None:
        self.resources = instance(resources, Resources, "resources")
        self.id = whole(id, "id", -(2**63), 2**63 - 1)
        self.definition = definition
        self.fault = fault

    def __repr__(self) -> str:
        return f"Region({self.id}, {json.dumps(self.definition)})"

    @property
    def progress(self) -> Progress:
        """How far it is; of one that is not being downloaded, by what is stored. Raises NotFoundError."""
        return _read_progress(lib.neat_offline_status, self.resources._pointer, self.id)

    @property
    def metadata(self) -> bytes:
        """Bytes of the user's own, 16 MiB at most."""
        return take_buffer(lib.neat_offline_metadata, self.resources._pointer, self.id)

    @metadata.setter
    def metadata(self, value: Bytes) -> None:
        data = as_bytes(value)
        check(lib.neat_offline_set_metadata(self.resources._pointer, self.id, data, len(data)))

    def download(
        self,
        *,
        on_progress: Optional[Callable[[Progress], Any]] = None,
        on_error: Optional[Callable[[NeatlineError], Any]] = None,
        attempts: int = 4,
        accept_expired: bool = False,
        network: bool = True,
        bytes_per_second: Optional[int] = None,
        quota: Optional[int] = None,
    ) -> Download:
        """Begins to download it. What is there and fresh is not asked for, what has expired is asked about;
        what was interrupted goes on.

        on_progress, on_error: called on a thread of the library's own. attempts: tries of each resource
        where failures may pass, 0: until it is there. accept_expired: what has expired is taken as it is.
        network: False takes only what is there already. bytes_per_second: a mean that requests are held
        back for. quota: bytes of the database at most. Raises NotFoundError; InvalidStateError where it is
        being downloaded already."""
        options = given(
            attempts=whole(attempts, "attempts", 0, 1_000_000),
            accept_expired=bool(accept_expired),
            allows_network=bool(network),
            average_bytes_per_second=None
            if bytes_per_second is None
            else whole(bytes_per_second, "bytes_per_second", 1, 1 << 50),
            quota_bytes=None if quota is None else whole(quota, "quota", 1, 1 << 50),
        )
        return Download(self, options, on_progress, on_error)

    def load(self, on_progress: Optional[Callable[[Progress], Any]] = None, **options: Any) -> Progress:
        """Downloads it and waits; `options` as of `download`. Raises IncompleteError where it lacks something
        then. An interrupt ends it, and the next load goes on."""
        with self.download(on_progress=on_progress, **options) as download:
            download.wait()
            progress = download.progress
        if progress.state is not State.COMPLETE:
            raise IncompleteError(self.id, progress, download.errors, download.disk_full)
        return progress

    def invalidate(self) -> None:
        """Has all of it asked about with the next download; it stays meanwhile. Raises NotFoundError."""
        check(lib.neat_offline_invalidate(self.resources._pointer, self.id))

    def delete(self) -> None:
        """Ends its download and deletes it. What other regions need stays. Raises NotFoundError."""
        check(lib.neat_offline_delete(self.resources._pointer, self.id))


def _listed(resources: Resources, found: Sequence[Dict[str, Any]]) -> List[Region]:
    return [Region(resources, each["id"], each["definition"], each.get("fault")) for each in found]


def regions(resources: Resources) -> List[Region]:
    """All regions, in the order of their numbers. Raises InvalidStateError where there is no cache."""
    return _listed(resources, take_json(lib.neat_offline_list, pointer_of(resources, "Resources", "resources")))


def create(
    resources: Resources,
    style: Union[str, "os.PathLike[str]"],
    *,
    bounds: Optional[Tuple[float, float, float, float]] = None,
    geometry: Any = None,
    zooms: Tuple[float, Optional[float]] = (0, None),
    pixel_ratio: float = 1,
    ideographs: bool = True,
    contents: Optional[Sequence[str]] = None,
    metadata: Bytes = b"",
) -> Region:
    """Makes a region, which has nothing yet.

    bounds: west, south, east, north in degrees; west greater than east crosses the 180th meridian.
    geometry: in their place, a GeoJSON geometry or an object with `__geo_interface__`; the tiles that it
    touches. zooms: the least and the greatest of the camera, None: to the deepest of each source.
    pixel_ratio: above 1, tiles with {ratio} in their address are those of @2x. ideographs: False leaves out
    the glyphs of Chinese, Japanese and Korean ideographs. contents: of "sprites", "glyphs" and "tiles",
    None for all.

    Raises InvalidArgumentError and GeoJSONError for what is wrong with it."""
    least, greatest = several(zooms, "zooms")
    definition: Dict[str, Any] = {
        "style_url": path_text(style, "style").decode(),
        "min_zoom": real(least, "zooms"),
        "pixel_ratio": real(pixel_ratio, "pixel_ratio"),
        "include_ideographs": bool(ideographs),
    }
    if greatest is not None:
        definition["max_zoom"] = real(greatest, "zooms")
    if contents is not None:
        definition["neatline_contents"] = several(contents, "contents")
    if (bounds is None) == (geometry is None):
        raise TypeError("one of bounds and geometry is needed")
    if bounds is not None:
        west, south, east, north = reals(bounds, "bounds", 4)
        definition["bounds"] = [south, west, north, east]
    else:
        shape = parsed_geojson(geometry, "geometry")
        definition["geometry"] = shape.get("geometry", shape) if isinstance(shape, dict) else shape
    text = as_json(definition)
    data = as_bytes(metadata, "metadata")
    region = c_int64()
    held = pointer_of(resources, "Resources", "resources")
    check(lib.neat_offline_create(held, text, len(text), data, len(data), byref(region)))
    for found in regions(resources):
        if found.id == region.value:
            return found
    return Region(resources, region.value, None, "deleted meanwhile")


def merge(resources: Resources, path: Union[str, "os.PathLike[str]"]) -> List[Region]:
    """Takes over the regions of another database, which is only read and may have an older schema: all of
    them or none. Those that came, or were here already. Raises NotFoundError, InvalidStateError for a newer
    schema, ArchiveError for what is no such database or damaged, LimitExceededError past the tile limit."""
    name = path_text(path, "path")
    held = pointer_of(resources, "Resources", "resources")
    return _listed(resources, take_json(lib.neat_offline_merge, held, name, len(name)))


def set_tile_limit(resources: Resources, count: int, templates: Sequence[str]) -> None:
    """Limits the tiles that all regions may have of providers whose tile addresses begin with one of
    `templates`; none: there is no limit, as at first. Holds as long as the resources."""
    text = as_json(several(templates, "templates"))
    limit = whole(count, "count", 0, 2**63 - 1)
    check(lib.neat_offline_set_tile_limit(pointer_of(resources, "Resources", "resources"), limit, text, len(text)))


def set_connected(is_connected: bool) -> None:
    """Says for the whole process whether there is a network: where not, requests fail as far as caches cannot
    answer them, and no socket is opened."""
    lib.neat_network_set_connected(int(bool(is_connected)))


def is_connected() -> bool:
    """Whether `set_connected` says that there is a network."""
    return bool(lib.neat_network_is_connected())

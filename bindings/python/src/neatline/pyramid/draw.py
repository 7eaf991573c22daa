"""Drawing the blocks of a plan, with what a process keeps for it: the renderer and what it has loaded.

The style and what it draws from are looked at before the first tile of a shard: a whole look when the plan is
first met, and later where a file's size or time is another.
"""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from typing import Iterator, List, NamedTuple, Optional, Tuple

from ..image import Image
from ..renderer import Renderer
from ..report import Missing
from .errors import IncompleteError
from .inputs import Inputs
from .plan import Plan
from .shards import Block

# What decoded tiles and layouts may take in a process that draws a pyramid.
CACHE_BYTES = 256 << 20
# Plans whose renderers a process keeps.
KEPT_PLANS = 2
# Things that a tile lacks, as a part's record lists them.
MISSING_LIMIT = 20


class Drawn(NamedTuple):
    """A tile. data: the picture's file, None for one that is left out. is_uniform: one colour."""

    z: int
    x: int
    y: int
    data: Optional[bytes]
    is_uniform: bool


class Painter:
    """Draws the tiles of one plan. Threads may use it at the same time."""

    def __init__(self, plan: Plan, threads: int, cache_bytes: int) -> None:
        self.plan = plan
        self._lock = threading.Lock()
        self._signature = plan.signature()
        style = plan.read_style()
        self.renderer = Renderer(
            style.text.decode(),
            base=style.base,
            fonts=plan.fonts,
            threads=threads,
            cache_bytes=cache_bytes,
            timeout=plan.timeout,
            system_fonts=plan.system_fonts,
        )
        self.inputs = Inputs(plan, style) if plan.track_changes else None
        self._uniform: "OrderedDict[bytes, bytes]" = OrderedDict()

    def check(self) -> None:
        """Looks again at what the plan draws from, where a file is another. Raises ChangedError."""
        now = self.plan.signature()
        with self._lock:
            if now == self._signature:
                return
        self.plan.read_style()
        with self._lock:
            self._signature = now

    def draw(self, block: Block, report: "Report") -> Iterator[Drawn]:
        """The tiles of a block. Raises IncompleteError, unless the plan allows it."""
        # Not `draw_tiles`, which warns of what is missing: the part's record tells.
        plan = self.plan
        images = self.renderer._tiles(
            block.z, block.x, block.y, block.edge, plan.size, plan.ratio, plan.timeout
        )
        self._look(images[0], block, report)
        for x, y in block.tiles:
            image = images[(y - block.y) * block.edge + x - block.x]
            yield self._tile(image, block.z, x, y)

    def _look(self, image: Image, block: Block, report: "Report") -> None:
        if not image._missing_count:
            return
        missing = image.missing
        if not image.is_complete and not self.plan.allow_incomplete:
            first = next((each for each in missing if each.is_failure), missing[0])
            raise IncompleteError(
                f"tile {block.z}/{block.x}/{block.y} is not complete: {first} "
                "(a plan with allow_incomplete keeps such tiles and counts them)"
            )
        report.add(missing, len(block.tiles) if not image.is_complete else 0)

    def _tile(self, image: Image, z: int, x: int, y: int) -> Drawn:
        pixels = image.premultiplied
        edge, color, middle = self.plan.pixels, bytes(pixels[:4]), len(pixels) // 8 * 4
        # Most tiles that are not of one colour show it in three pixels.
        few = pixels[-4:] == color and pixels[middle : middle + 4] == color
        if few and bytes(pixels) == color * edge**2:
            if self.plan.skip_empty:
                return Drawn(z, x, y, None, True)
            data = self._uniform.get(color)
            if data is None:
                data = self._encoded(image)
                with self._lock:
                    self._uniform[color] = data
                    if len(self._uniform) > 256:
                        self._uniform.popitem(last=False)
            return Drawn(z, x, y, data, True)
        return Drawn(z, x, y, self._encoded(image), False)

    def _encoded(self, image: Image) -> bytes:
        plan = self.plan
        return image.png(small=True) if plan.small else image.encode(plan.format, quality=plan.quality)


class Report:
    """What the pictures of a shard lacked."""

    def __init__(self) -> None:
        self.count = 0
        self.incomplete = 0
        self.samples: List[str] = []

    def add(self, missing: List[Missing], incomplete: int) -> None:
        """Counts what one picture lacked; each thing is listed once."""
        self.count += len(missing)
        self.incomplete += incomplete
        for each in map(str, missing):
            if len(self.samples) >= MISSING_LIMIT:
                return
            if each not in self.samples:
                self.samples.append(each)


_painters: "OrderedDict[Tuple[str, int, int], Painter]" = OrderedDict()
_guard = threading.Lock()


def painter_of(plan: Plan, threads: int = 1, cache_bytes: int = 0) -> Painter:
    """The process's painter of a plan. Raises ChangedError where the plan is not valid any more."""
    key = (plan.id, threads, cache_bytes or CACHE_BYTES)
    with _guard:
        painter = _painters.get(key)
        if painter is None:
            painter = Painter(plan, threads, cache_bytes or CACHE_BYTES)
            _painters[key] = painter
            while len(_painters) > KEPT_PLANS:
                _painters.popitem(last=False)
            return painter
        _painters.move_to_end(key)
    painter.check()
    return painter


def forget_painters() -> None:
    """Lets go of what the process keeps for plans."""
    with _guard:
        _painters.clear()


def _after_fork() -> None:
    # Another thread of the parent may have held the lock; renderers start again in a child by themselves, and
    # one of its own is cheaper than the doubt.
    global _guard
    _guard = threading.Lock()
    _painters.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

"""Views as draw commands for a GPU of one's own: docs/frames.md has how they are drawn."""

from __future__ import annotations

from ctypes import byref, c_uint8, c_uint16, c_uint32, c_void_p, sizeof, string_at
from typing import Any, List, NamedTuple, Optional

from . import _abi, _arrays
from ._library import Handle, check, lib
from ._values import instance, whole
from .report import Missing, missing_of

_ELEMENTS = {
    _abi.FrameLayout.INDEX16: c_uint16,
    _abi.FrameLayout.INDEX32: c_uint32,
    _abi.FrameLayout.FILL: _abi.FrameFillVertex,
    _abi.FrameLayout.FILL_PAINT: _abi.FrameFillPaint,
    _abi.FrameLayout.LINE: _abi.FrameLineVertex,
    _abi.FrameLayout.LINE_PAINT: _abi.FrameLinePaint,
    _abi.FrameLayout.CIRCLE: _abi.FrameCircleVertex,
    _abi.FrameLayout.CIRCLE_PAINT: _abi.FrameCirclePaint,
    _abi.FrameLayout.EXTRUSION: _abi.FrameExtrusionVertex,
    _abi.FrameLayout.EXTRUSION_PAINT: _abi.FrameExtrusionPaint,
    _abi.FrameLayout.PICTURE: _abi.FramePictureVertex,
    _abi.FrameLayout.SYMBOL: _abi.FrameSymbolVertex,
    _abi.FrameLayout.CUSTOM: _abi.FrameCustomVertex,
}


class FrameBuffer(NamedTuple):
    """Vertices, their paint, or indices: the same id means the same bytes, in other frames too.

    layout     "fill", "line_paint", "index16" and so on
    elements   a numpy array, with the fields of the C header's structure; without numpy a ctypes array.
    Read-only; keeps the frame.
    """

    id: int
    layout: str
    stride: int
    elements: Any


class FrameTexture(NamedTuple):
    """A picture for the GPU: the same id means the same texels, in other frames too.

    format     "rgba8" (premultiplied) or "r8"
    texels     uint8, rows from the top; read-only, keeps the frame
    """

    id: int
    format: str
    width: int
    height: int
    texels: Any


class Frame(Handle):
    """A view as draw commands in their order, over buffers and textures. Threads may read it at the same
    time."""

    _destroy = "neat_frame_destroy"

    def __init__(self, pointer: c_void_p) -> None:
        super().__init__(pointer)
        info = _abi.FrameInfo(struct_size=sizeof(_abi.FrameInfo))
        check(lib.neat_frame_describe(pointer, byref(info)))
        self.width: int = info.width_px
        self.height: int = info.height_px
        self.ratio: float = info.pixel_ratio
        self.is_complete: bool = info.is_complete != 0
        self.command_count: int = info.command_count
        self.buffer_count: int = info.buffer_count
        self.texture_count: int = info.texture_count

    @property
    def missing(self) -> List[Missing]:
        """What the frame has to do without, at most 1000 things."""
        return missing_of(self._missing_count, lib.neat_frame_report, self._pointer)

    @property
    def _missing_count(self) -> int:
        return lib.neat_frame_missing_count(self._pointer)

    def command(self, index: int) -> "FrameCommand":
        """The command at an index, 0 to below command_count, in drawing order."""
        raw = _abi.FrameCommand(struct_size=sizeof(_abi.FrameCommand))
        check(lib.neat_frame_command_at(self._pointer, whole(index, "command", 0, 2**63 - 1), byref(raw)))
        return FrameCommand(self, raw)

    def buffer(self, index: int) -> FrameBuffer:
        """The buffer at an index, 0 to below buffer_count. Its elements are a view of the frame's memory."""
        raw = _abi.FrameBuffer(struct_size=sizeof(_abi.FrameBuffer))
        check(lib.neat_frame_buffer_at(self._pointer, whole(index, "buffer", 0, 2**63 - 1), byref(raw)))
        layout = _abi.FrameLayout(raw.layout)
        kind = _ELEMENTS[layout]
        elements = (kind * raw.count).from_address(raw.data) if raw.count else (kind * 0)()
        elements._owner = self._pointer
        if _arrays.numpy is not None:
            elements = (
                _arrays.numpy.frombuffer(elements, dtype=_arrays.numpy.dtype(kind))
                if raw.count
                else _arrays.numpy.empty(0, dtype=kind)
            )
            elements.flags.writeable = False
        return FrameBuffer(raw.id, layout.name.lower(), raw.stride, elements)

    def texture(self, index: int) -> FrameTexture:
        """The texture at an index, 0 to below texture_count."""
        raw = _abi.FrameTexture(struct_size=sizeof(_abi.FrameTexture))
        check(lib.neat_frame_texture_at(self._pointer, whole(index, "texture", 0, 2**63 - 1), byref(raw)))
        format = _abi.FrameFormat(raw.format)
        count = raw.width_px * raw.height_px * (4 if format == _abi.FrameFormat.RGBA8 else 1)
        return FrameTexture(
            raw.id,
            format.name.lower(),
            raw.width_px,
            raw.height_px,
            _arrays.view(raw.pixels, count, "B", self._pointer),
        )

    @property
    def commands(self) -> List["FrameCommand"]:
        """The commands in drawing order."""
        return [self.command(index) for index in range(self.command_count)]

    def __repr__(self) -> str:
        return f"<neatline.Frame {self.width} x {self.height}: {self.command_count} commands>"


class FrameCommand:
    """A draw command.

    frame    what it belongs to; kept
    raw      the C header's structure (neat_frame_command): matrix, clip, ranges, colours and the rest
    kind     "fill", "fill_outline", "line" and so on
    layer    the layer's id
    """

    def __init__(self, frame: Frame, raw: _abi.FrameCommand) -> None:
        self.frame = instance(frame, Frame, "frame")
        self.raw = instance(raw, _abi.FrameCommand, "raw")
        self.kind: str = _abi.FrameKind(raw.kind).name.lower()
        self.layer: str = (
            string_at(raw.layer, raw.layer_size).decode("utf-8", "replace") if raw.layer_size else ""
        )

    @property
    def vertices(self) -> Any:
        """The command's vertices; None where it has none."""
        return self._elements(self.raw.vertex_buffer, self.raw.vertex_offset, self.raw.vertex_count)

    @property
    def paint(self) -> Any:
        """The paint of the vertices; None where all properties stand in the command."""
        return self._elements(self.raw.paint_buffer, self.raw.vertex_offset, self.raw.vertex_count)

    @property
    def indices(self) -> Any:
        """Three a triangle, two a line, counted from the command's first vertex; None where it has none."""
        return self._elements(self.raw.index_buffer, self.raw.index_offset, self.raw.index_count)

    @property
    def reason(self) -> Optional[str]:
        """What is not drawn, and why, of kind "unsupported"."""
        return self.raw.reason.decode() if self.raw.reason else None

    def _elements(self, buffer: int, first: int, count: int) -> Any:
        return None if buffer < 0 else self.frame.buffer(buffer).elements[first : first + count]

    def __repr__(self) -> str:
        return f"<neatline.FrameCommand {self.kind} of {self.layer!r}>"

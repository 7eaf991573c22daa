"""Pictures."""

from __future__ import annotations

import os
from ctypes import c_uint8
from typing import TYPE_CHECKING, Any, List, Optional, Tuple, Union

from . import _abi, _arrays
from ._files import write_whole
from ._library import Bytes, Handle, as_bytes, lib, take_buffer
from ._values import path_bytes, shown, whole
from .errors import InvalidArgumentError, OutOfMemoryError
from .report import Missing, missing_of

if TYPE_CHECKING:
    import numpy
    import PIL.Image


_FORMATS = {
    "png": _abi.ImageFormat.PNG,
    "jpeg": _abi.ImageFormat.JPEG,
    "jpg": _abi.ImageFormat.JPEG,
    "webp": _abi.ImageFormat.WEBP,
}


class Image(Handle):
    """A picture of 8-bit RGBA. `numpy.asarray(image)` and `image.to_pil()` give it to numpy and Pillow;
    notebooks show it."""

    _destroy = "neat_image_destroy"

    @property
    def width(self) -> int:
        """Device pixels."""
        return lib.neat_image_width_px(self._pointer)

    @property
    def height(self) -> int:
        """Device pixels."""
        return lib.neat_image_height_px(self._pointer)

    @property
    def size(self) -> Tuple[int, int]:
        """(width, height)."""
        return (self.width, self.height)

    @property
    def missing(self) -> List[Missing]:
        """What the picture had to do without, at most 1000 things; empty for pictures that were not drawn."""
        return missing_of(self._missing_count, lib.neat_image_report, self._pointer)

    @property
    def _missing_count(self) -> int:
        return lib.neat_image_missing_count(self._pointer)

    @property
    def is_complete(self) -> bool:
        """Whether nothing that the picture needed failed."""
        return bool(lib.neat_image_is_complete(self._pointer))

    @property
    def premultiplied(self) -> memoryview:
        """The library's own pixels, a read-only view: rows from the top, R, G, B, A a byte each, colours
        multiplied by alpha."""
        count = self.width * self.height * 4
        address = lib.neat_image_pixels(self._pointer)
        if not address:
            raise OutOfMemoryError(f"no memory for the pixels of a tile of {self.width}x{self.height}")
        array = (c_uint8 * count).from_address(address)
        array._owner = self._pointer
        return memoryview(array).cast("B").toreadonly()

    @property
    def is_opaque(self) -> bool:
        """Whether no pixel lets anything through."""
        alpha = bytes(self.premultiplied[3::4])
        return alpha.count(255) == len(alpha)

    def to_numpy(self) -> "numpy.ndarray":
        """An array (height, width, 4) of uint8, colours not multiplied by alpha.

        For an opaque picture a read-only view of the library's memory, else a copy.
        """
        if _arrays.numpy is None:
            raise ImportError("Image.to_numpy needs numpy: pip install neatline[numpy]")
        numpy = _arrays.numpy
        pixels = numpy.frombuffer(self.premultiplied, dtype=numpy.uint8).reshape(self.height, self.width, 4)
        if self.is_opaque:
            return pixels
        alpha = pixels[:, :, 3:].astype(numpy.uint16)
        colors = (pixels[:, :, :3].astype(numpy.uint16) * 255 + alpha // 2) // numpy.maximum(alpha, 1)
        return numpy.concatenate([numpy.minimum(colors, 255).astype(numpy.uint8), pixels[:, :, 3:]], axis=2)

    def tobytes(self) -> bytes:
        """Rows from the top, R, G, B, A a byte each, colours not multiplied by alpha. Needs numpy where the
        picture lets something through."""
        if self.is_opaque:
            return bytes(self.premultiplied)
        return self.to_numpy().tobytes()

    def __array__(self, dtype: Any = None, copy: Any = None) -> "numpy.ndarray":
        array = self.to_numpy()
        if dtype is not None and array.dtype != dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def to_pil(self) -> "PIL.Image.Image":
        """A Pillow image of mode RGBA."""
        try:
            import PIL.Image
        except ImportError:
            raise ImportError("Image.to_pil needs Pillow: pip install neatline[pil]") from None
        return PIL.Image.frombuffer(
            "RGBa", self.size, bytes(self.premultiplied), "raw", "RGBa", 0, 1
        ).convert("RGBA")

    def png(self, small: bool = False) -> bytes:
        """A PNG file: written quickly, or as small as it gets.

        Where the last two pictures of a renderer became files that are written quickly, it compresses the next one as
        it draws it; one that then becomes no file was compressed in vain, and the next ones are drawn alone."""
        mode = _abi.PngMode.SMALL if small else _abi.PngMode.FAST
        return take_buffer(lib.neat_image_encode_png, self._pointer, mode)

    def encode(self, format: str = "png", *, quality: Optional[int] = None) -> bytes:
        """A file of a format: "png", "jpeg" (or "jpg") or "webp".

        quality: 1 to 100, None for the usual (JPEG 85, WebP 80); WebP of quality 100 keeps every pixel as it
        is, PNG takes none. JPEG has no alpha: what lets something through is laid over white. Raises
        InvalidArgumentError, and LimitExceededError past 65500 pixels an edge for JPEG, 16383 for WebP.
        """
        if not isinstance(format, str):
            raise TypeError(f"format must be a str, not {shown(format)}")
        kind = _FORMATS.get(format.lower())
        if kind is None:
            raise InvalidArgumentError(f"{shown(format)} is none of the formats png, jpeg, webp")
        number = 0 if quality is None else whole(quality, "quality", 1, 100)
        return take_buffer(lib.neat_image_encode, self._pointer, kind, number)

    def save(self, path: Union[str, "os.PathLike[str]"], *, quality: Optional[int] = None) -> None:
        """Writes the picture as what the name's end says: .png, .jpg, .jpeg or .webp; quality as for encode.

        Where it fails nothing is left of the file, and one that was there stays as it was. Raises
        InvalidArgumentError for other names, and OSError; `to_pil().save(path)` writes whatever Pillow can.
        """
        path_bytes(path, "path")
        ending = os.path.splitext(os.fsdecode(path))[1].lower()
        if ending not in (".png", ".jpg", ".jpeg", ".webp"):
            raise InvalidArgumentError(
                f"{os.fsdecode(path)}: the name ends neither in .png nor .jpg, .jpeg or .webp"
            )
        content = (
            self.png(small=True)
            if ending == ".png" and quality is None
            else self.encode(ending[1:], quality=quality)
        )
        write_whole(path, content)

    def _repr_png_(self) -> bytes:
        return self.png()

    def __reduce__(self) -> Any:
        """Pictures are pickled by their pixels; what they lack is not."""
        return _of_pixels, (self.width, self.height, bytes(self.premultiplied))

    def __repr__(self) -> str:
        return f"<neatline.Image {self.width}x{self.height}>"


def _of_pixels(width: int, height: int, pixels: bytes) -> Image:
    return Image(Handle._make(lib.neat_image_create, width, height, pixels))


def decode_image(data: Bytes, *, pixel_limit: int = 1 << 26) -> Image:
    """Reads PNG, JPEG or WebP, told apart by content. Raises ImageError, and LimitExceededError for a picture
    of more than `pixel_limit` pixels (width times height) before memory for them is taken."""
    content = as_bytes(data)
    limit = whole(pixel_limit, "pixel_limit", 1, 1 << 26)
    return Image(Handle._make(lib.neat_image_decode_limited, content, len(content), limit))

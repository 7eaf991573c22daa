"""Glyphs: ranges of glyph servers, font files, and shaping."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, Mapping, Union

from ._library import Bytes, Handle, as_bytes, check, lib, take_buffer, take_json
from ._values import as_json, path_bytes, several, utf8, whole


class Fonts(Handle):
    """Glyphs by font stack: glyph ranges (PBF) and font files (TTF, OTF, TTC). One thread at a time.

    files: paths of font files. Raises FontError for a file that is no font.
    """

    _destroy = "neat_fonts_destroy"

    def __init__(self, files: Iterable[Union[str, "os.PathLike[str]"]] = ()) -> None:
        super().__init__(self._make(lib.neat_fonts_create))
        for path in several(files, "files"):
            with open(path_bytes(path, "files"), "rb") as file:
                self.add_file(file.read())

    def add_file(self, data: Bytes) -> None:
        """Adds a font file; it serves the stacks that name it first, and every stack after those."""
        data = as_bytes(data)
        check(lib.neat_fonts_add_file(self._pointer, data, len(data)))

    def add_range(self, data: Bytes, stack: str) -> None:
        """Adds a glyph range (PBF) of a font stack."""
        data, name = as_bytes(data), utf8(stack, "stack")
        check(lib.neat_fonts_add_range(self._pointer, name, len(name), data, len(data)))

    @property
    def names(self) -> List[str]:
        """The names of the font files, such as "Noto Sans Bold"."""
        return take_json(lib.neat_fonts_names, self._pointer)

    def range(self, first: int, stack: str) -> bytes:
        """The glyph range (PBF) of the 256 characters from `first` on, a multiple of 256, as glyph servers answer
        with it: of the ranges that were added for this stack, else drawn from the font files. Characters that none
        has are left out. Raises InvalidArgumentError for another `first`."""
        name = utf8(stack, "stack")
        return take_buffer(lib.neat_fonts_range, self._pointer, name, len(name), whole(first, "first"))

    def shape(self, request: Union[str, Mapping[str, Any]]) -> Dict[str, Any]:
        """Shapes text: {"sections": [{"text", "fontStack", "scale", "image"}], "maxWidth", "lineHeight", …} as
        neat_fonts_shape in neatline.h has it. The result has lines of positioned glyphs and the box."""
        text = as_json(request)
        return take_json(lib.neat_fonts_shape, self._pointer, text, len(text))

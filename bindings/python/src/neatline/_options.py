"""Options that renderers and maps have in common."""

from __future__ import annotations

import os
from ctypes import c_char_p, c_void_p, cast, sizeof
from typing import Any, Iterable, Optional, Tuple, Union

from . import _abi
from ._library import pointer_of
from ._values import chosen, milliseconds, named, path_text, several, utf8, whole
from .resources import Resources


_LOCAL_FILES = {None: _abi.LocalFiles.DEFAULT, True: _abi.LocalFiles.ALLOW, False: _abi.LocalFiles.DENY}


def options_of(
    fonts: Iterable[Union[str, "os.PathLike[str]"]],
    threads: int,
    cache_bytes: int,
    timeout: float,
    retries: int,
    memory_limit: int,
    unpacked_limit: int,
    local_files: Optional[bool],
    system_fonts: bool,
    resources: Optional[Resources],
    glyphs: str,
    cross_source_collisions: bool,
    language: Optional[str] = None,
    smooth_edges: bool = True,
    spread_letters: bool = True,
    evaluation_bytes: int = 0,
    evaluation_steps: int = 0,
    expression_bytes: int = 0,
    expression_steps: int = 0,
) -> Tuple[_abi.Options, Any]:
    """The library's structure, and what must be held while it is used."""
    attempts = whole(retries, "retries", 0, 100)
    paths = b"\n".join(path_text(path, "fonts") for path in several(fonts, "fonts"))
    # Held until the library has its own share of it.
    shared = None if resources is None else pointer_of(resources, "Resources", "resources")
    spoken = b"" if language is None else utf8(language, "language")
    options = _abi.Options(
        struct_size=sizeof(_abi.Options),
        thread_count=whole(threads, "threads", 0, 256),
        cache_bytes=whole(cache_bytes, "cache_bytes", 0, 2**63 - 1),
        timeout_ms=milliseconds(timeout, "timeout"),
        retry_count=attempts if attempts > 0 else 0xFFFFFFFF,
        font_paths=cast(c_char_p(paths), c_void_p),
        font_paths_size=len(paths),
        memory_limit_bytes=whole(memory_limit, "memory_limit", 0, 2**63 - 1),
        unpacked_limit_bytes=whole(unpacked_limit, "unpacked_limit", 0, 2**63 - 1),
        local_files=chosen(_LOCAL_FILES, "local_files", local_files),
        no_system_fonts=0 if system_fonts else 1,
        resources=None if shared is None else shared._as_parameter_,
        glyphs_rasterization=named(_abi.GlyphsRasterization, "glyphs", glyphs),
        no_cross_source_collisions=0 if cross_source_collisions else 1,
        no_smooth_edges=0 if smooth_edges else 1,
        no_spread_letters=0 if spread_letters else 1,
        language=cast(c_char_p(spoken), c_void_p),
        language_size=len(spoken),
        evaluation_bytes=whole(evaluation_bytes, "evaluation_bytes", 0, 2**63 - 1),
        evaluation_steps=whole(evaluation_steps, "evaluation_steps", 0, 2**63 - 1),
        expression_bytes=whole(expression_bytes, "expression_bytes", 0, 2**63 - 1),
        expression_steps=whole(expression_steps, "expression_steps", 0, 2**63 - 1),
    )
    return options, (paths, shared, spoken)

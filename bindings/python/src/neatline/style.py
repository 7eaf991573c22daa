"""Validation and migration of styles."""

from __future__ import annotations

import os
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Union

from ._library import lib, take_json
from ._values import as_json, path_bytes, several, utf8


class Issue(NamedTuple):
    """What is wrong in a style: the 1-based line (None where it has none), the words, "error" or
    "warning"."""

    line: Optional[int]
    message: str
    severity: str = "error"


def validate(style: Union[str, bytes, "os.PathLike[str]", Mapping[str, Any]]) -> List[Issue]:
    """Validates a style against the specification; an empty list for a valid one.

    style: a path, JSON text, or a dictionary. Raises JSONError for text that is not JSON.
    """
    text = _style_text(style)
    found = take_json(lib.neat_style_validate, text, len(text))
    return [Issue(each.get("line"), each["message"], each.get("severity", "error")) for each in found]


def migrate(style: Union[str, bytes, "os.PathLike[str]", Mapping[str, Any]]) -> Dict[str, Any]:
    """The style with expressions in the place of legacy filters, legacy functions and texts with {name}
    tokens; all else as it is.

    style: a path, JSON text, or a dictionary. Raises JSONError for text that is not JSON, StyleError for JSON
    that is no object.
    """
    text = _style_text(style)
    return take_json(lib.neat_style_migrate, text, len(text))


def localize_labels(
    style: Union[str, bytes, "os.PathLike[str]", Mapping[str, Any]],
    language: str,
    layers: Optional[Iterable[str]] = None,
) -> Dict[str, Any]:
    """The style with the names in its labels in a language ("ja", "zh-Hant", "pt_BR"), where the data has them; all
    else as it is.

    style: a path, JSON text, or a dictionary. layers: the ids of the layers; None: all. Raises InvalidArgumentError for
    what is no language.
    """
    text, name = _style_text(style), utf8(language, "language")
    ids = b"" if layers is None else as_json(several(layers, "layers"))
    return take_json(lib.neat_style_localize_labels, text, len(text), name, len(name), ids, len(ids))


def _style_text(style: Union[str, bytes, "os.PathLike[str]", Mapping[str, Any]]) -> bytes:
    if isinstance(style, os.PathLike) or isinstance(style, str) and not style.lstrip()[:1] in ("{", "["):
        with open(path_bytes(style, "style"), "rb") as file:
            return file.read()
    return as_json(style)

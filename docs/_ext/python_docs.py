"""Docstrings of the Python package for the reference.

They are plain text that reads well in help(): "name: words." for a parameter or field. Here these become
fields, so that the page has them one under the other.
"""

import inspect
import re
from typing import Any, List, Set


def names_of(value: Any) -> Set[str]:
    """The parameters of a function or class."""
    try:
        return set(inspect.signature(value).parameters)
    except (TypeError, ValueError):
        return set()


def fields(paragraph: str, names: Set[str]) -> List[str]:
    """A paragraph's lines, with "name: words" as fields."""
    choice = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    # "a (1), b (2), c: words" of several at once stays as it is.
    pattern = re.compile(rf"(?:^|(?<=[.;] )|(?<=\n))(?P<name>{choice})(?P<note> \([^)]*\))?: ", re.S)
    found = list(pattern.finditer(paragraph))
    if not found:
        return paragraph.split("\n")
    lines = re.sub(";$", ".", paragraph[:found[0].start()].rstrip()).split("\n") if found[0].start() else []
    if lines:
        lines.append("")
    for match, following in zip(found, [*found[1:], None]):
        words = paragraph[match.end():following.start() if following else len(paragraph)]
        lines.append(f":param {match['name']}: {' '.join(words.split())}")
    return lines


def parameters(app, kind: str, name: str, value: Any, options: Any, lines: List[str]) -> None:
    """autodoc-process-docstring."""
    names = names_of(value)
    if not names:
        return
    paragraphs = "\n".join(lines).strip("\n").split("\n\n")
    told: List[str] = []
    rest: List[str] = []
    for paragraph in paragraphs:
        for line in [*fields(paragraph, names), ""]:
            (told if line.startswith(":param") else rest).append(line)
    lines[:] = [*rest, *told, ""]


def skip(app, kind: str, name: str, value: Any, skipped: bool, options: Any) -> Any:
    """autodoc-skip-member: the fields of named tuples, which the class says itself."""
    if type(value).__name__ == "_tuplegetter":
        return True
    return None

"""The public types of the Swift modules with the first sentence of their comments: an index that needs no
build."""

import os
import pathlib
import re
from typing import Dict, List, Tuple

DECLARATION = re.compile(
    r"(?P<comment>(?:^ *///.*\n)+)(?:^ *@\w+.*\n)*^(?P<indent> *)public (?:final |indirect )?"
    r"(?P<kind>struct|class|enum|protocol|actor|typealias) (?P<name>\w+)", re.M)
TITLES = {
    "Map": "Maps, renderers, archives", "Layers": "Layers and sources (generated from the specification)",
    "Expressions": "Expressions", "Style": "Styles", "Document": "Styles as a whole", "JSON": "JSON", "Shapes": "Shapes", "Tiles": "Tiles",
    "Support": "Support", "": "Others",
}


def sentence(comment: str) -> str:
    """The first sentence of a comment."""
    words = " ".join(line.strip().lstrip("/").strip() for line in comment.strip().splitlines())
    return re.split(r"(?<=[.:]) (?=[A-Z`])", words)[0].replace("|", "\\|")


def page(root: pathlib.Path) -> str:
    """Tables by the folders of the module."""
    groups: Dict[str, List[Tuple[str, str, str]]] = {}
    folder = root / "Sources/Neatline"
    for path in sorted(folder.rglob("*.swift")):
        place = path.relative_to(folder).parts
        group = place[0] if len(place) > 1 else ""
        for found in DECLARATION.finditer(path.read_text(encoding="utf-8")):
            if not found["indent"]:
                groups.setdefault(group, []).append((found["name"], found["kind"],
                                                     sentence(found["comment"])))
    lines: List[str] = []
    if os.environ.get("NEATLINE_DOCS_SWIFT"):
        lines += [
            "Every public declaration with its documentation, by DocC: "
            "<a href=\"../swift/documentation/neatline/index.html\">the module Neatline</a>.", ""]
    for group in sorted(groups, key=lambda name: (name == "", name)):
        lines += [f"## {TITLES.get(group, group or 'Others')}", "", "| | | |", "| --- | --- | --- |"]
        lines += [f"| `{name}` | {kind} | {words} |" for name, kind, words in sorted(groups[group])]
        lines.append("")
    return "\n".join(lines)

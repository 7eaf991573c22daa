"""The pages of style support: what the specification has, and what Neatline makes of it.

Nothing is said by hand. The properties are those of the generated tables (GeneratedSpecs.swift). One that
the renderer reports as undrawn is in its list (Undrawn, FrameBuilder+ReportStyle.swift). One that no floor
from the layout on ever reads has no effect. The cases that differ are those of the list of known failures.
"""

import json
import pathlib
import re
from typing import Dict, List, NamedTuple, Set

FLOORS = ("NeatText", "NeatPlacement", "NeatRaster", "NeatCamera", "NeatLayout", "NeatMap", "NeatLive")
SPEC = re.compile(
    r'\s*\.(?P<name>\w+), \.(?P<group>\w+), "(?P<text>[^"]+)", \.(?P<kind>\w+),\s*'
    r"ReferenceSpec\((?P<spec>.*)", re.S)
TITLES = {
    "background": "background", "fill": "fill", "line": "line", "symbol": "symbol", "circle": "circle",
    "heatmap": "heatmap", "fillExtrusion": "fill-extrusion", "raster": "raster", "hillshade": "hillshade",
    "colorRelief": "color-relief", "skyLayer": "sky (a layer, of other engines of the family)",
    "light": "light (a root member)", "sky": "sky (a root member)",
    "fog": "fog (a root member, of other engines of the family)",
    "projection":
        "projection (a root member): `mercator`, `globe`, `vertical-perspective`; others are the plane, and reported",
}
BY = {"zoom": "zoom", "feature": "feature", "featureState": "state", "globalState": "globals"}


class Property(NamedTuple):
    """A property of the specification."""

    name: str
    group: str
    text: str
    kind: str
    spec: str

    @property
    def values(self) -> str:
        """What it may be: a type with its range, or the words."""
        words = re.search(r"values: \[([^\]]*)\]", self.spec)
        if words:
            return ", ".join(f"`{word}`" for word in re.findall(r'"([^"]+)"', words[1]))
        kind = re.match(r"\.(\w+)", self.spec)[1]
        low, high = (re.search(rf"{end}: (-?[\d.]+)", self.spec) for end in ("minimum", "maximum"))
        kind = re.sub(r"(?<!^)([A-Z])", lambda letter: " " + letter[1].lower(), kind)
        if low and high:
            return f"{kind}, {low[1]} to {high[1]}"
        return f"{kind}, {low[1]} or more" if low else kind

    @property
    def default(self) -> str:
        """The default as JSON; empty where there is none."""
        found = re.search(r'default: "((?:[^"\\]|\\.)*)"', self.spec)
        if not found:
            return ""
        text = json.loads(f'"{found[1]}"')
        return "a ramp of colours" if len(text) > 40 else f"`{text}`"

    @property
    def by(self) -> str:
        """What its expression may depend on."""
        found = re.search(r"parameters: \[([^\]]*)\]", self.spec)
        names = re.findall(r"\.(\w+)", found[1]) if found else []
        return ", ".join(BY.get(name, re.sub("([A-Z])", r" \1", name).lower()) for name in names)


def properties(root: pathlib.Path) -> List[Property]:
    """All properties, in the order of the tables."""
    text = (root / "Sources/NeatStyle/Properties/GeneratedSpecs.swift").read_text()
    found = []
    for part in text.split("PropertySpec(\n")[1:]:
        match = SPEC.match(part)
        if match is None:
            raise ValueError(f"a property that cannot be read: {part[:200]}")
        found.append(Property(**match.groupdict()))
    return found


def undrawn(root: pathlib.Path) -> Set[str]:
    """Members of the root that the renderer reports as not drawn."""
    text = (root / "Sources/NeatMap/Report/FrameBuilder+ReportStyle.swift").read_text()
    block = re.search(r"enum Undrawn \{(.*?)\n\}", text, re.S)[1]
    return set(re.findall(r'"(\w+)"', re.search(r"static let members = \[(.*?)\]", block, re.S)[1]))


def read_names(root: pathlib.Path) -> Set[str]:
    """The names of members that the floors which lay out and draw read."""
    names: Set[str] = set()
    for floor in FLOORS:
        for path in sorted((root / "Sources" / floor).rglob("*.swift")):
            if path.name != "FrameBuilder+ReportStyle.swift":
                names.update(re.findall(r"\.([a-z]\w+)\b", path.read_text()))
    return names


def failures(root: pathlib.Path) -> Dict[str, List[str]]:
    """Cases of the render suite that differ, by the property that they are named for."""
    found: Dict[str, List[str]] = {}
    for line in (root / "Tests/Conformance/known-failures/render.txt").read_text().splitlines():
        case, _, reason = line.partition("\t")
        name, _, _ = case.partition("/")
        found.setdefault(name, []).append(f"`{case}`: {reason}")
    return found


def page(root: pathlib.Path) -> str:
    """The tables of all layer types, as Markdown."""
    known, told, read, differing = properties(root), undrawn(root), read_names(root), failures(root)
    groups: Dict[str, List[Property]] = {}
    for each in known:
        groups.setdefault(each.group, []).append(each)
    lines: List[str] = []
    counts = {"yes": 0, "**no effect**": 0}
    for group, title in TITLES.items():
        # Names that several types share stand with the first that has them.
        rows = groups.get(group, [])
        lines += [f"## {title}", "", "| property | values | default | by | drawn |",
                  "| --- | --- | --- | --- | --- |"]
        cases: List[str] = []
        for each in rows:
            shown = "yes" if each.name in read else "**no effect**"
            counts[shown] += 1
            cases += differing.get(each.text, [])
            count = len(differing.get(each.text, []))
            note = f"; {count} cases differ" if count > 1 else "; 1 case differs" if count else ""
            lines.append(
                f"| `{each.text}` | {each.values} | {each.default} | {each.by} | {shown}{note} |")
        lines.append("")
        if cases:
            lines += ["```{dropdown} Cases of the render suite that differ", "",
                      *(f"- {case}" for case in cases), "```", ""]
    summary = (
        f"Of {len(known)} properties {counts['yes']} are drawn, and {counts['**no effect**']} are kept and have no "
        "effect.")
    members = ", ".join(f"`{name}`" for name in sorted(told))
    lines += [
        "## Root members that are not drawn", "",
        f"`font-faces`, a `projection` that is none of the specification's, and of other engines of the family "
        f"{members}: each is kept, and a picture's [report](/reports.md) names it.", ""]
    return summary + "\n\n" + "\n".join(lines)

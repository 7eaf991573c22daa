"""The C reference: a page for each section of include/neatline.h, from doxygen's XML by breathe."""

import pathlib
from typing import Dict, List
from xml.etree import ElementTree

from c_header import sections

# In the order of the pages; a section that is missing here is an error, so that none is left out.
ORDER = [
    "versions", "status", "the-log", "buffers", "images", "styles", "drawing-on-servers", "cameras", "http-service",
    "offline",
    "the-run-loop",
    "maps-for-applications", "gestures", "ornaments", "a-moving-camera", "annotations",
    "view-annotations",
    "the-user-s-location", "the-viewport", "custom-layers-and-sources",
    "frames-for-a-host-s-own-gpu", "tiles", "archives",
    "arrow-s-c-data-interface", "writing-archives", "expressions", "meshes", "collision", "geojson-and-clusters", "shapes", "text", "declarations", "earlier-names",
]


def members(xml: pathlib.Path, group: str) -> List[str]:
    """Directives for what a group has, in the header's order."""
    root = ElementTree.parse(xml / f"group__{group}.xml").getroot()
    found = []
    for inner in root.iter("innerclass"):
        compound = ElementTree.parse(xml / f"{inner.get('refid')}.xml").getroot().find("compounddef")
        line = int(compound.find("location").get("line"))
        # A union within a structure is shown with it.
        if "." not in inner.text and "@" not in inner.text:
            found.append((line, f"doxygen{compound.get('kind')}", inner.text, [":members:"]))
    structures = {name for _, _, name, _ in found}
    kinds = {each.findtext("name"): each for each in root.iter("memberdef") if each.get("kind") == "enum"}
    for member in root.iter("memberdef"):
        kind, name = member.get("kind"), member.findtext("name")
        if kind == "typedef" and (name in kinds or name in structures):
            continue
        found.append((int(member.find("location").get("line")), f"doxygen{kind}", name, []))
    return [
        "\n".join([f"```{{{directive}}} {name}", *options, "```", ""])
        for _, directive, name, options in sorted(found)
    ]


def pages(root: pathlib.Path, xml: pathlib.Path) -> Dict[str, str]:
    """The pages by their paths below docs/_generated."""
    found = {each.name: each for each in sections((root / "include/neatline.h").read_text(encoding="utf-8"))}
    unknown = set(found) ^ set(ORDER)
    if unknown:
        raise ValueError(f"sections of the header and of docs/_ext/c_pages.py differ: {unknown}")
    result = {}
    for name in ORDER:
        words = f"{found[name].words}\n" if found[name].words else ""
        result[f"c/{name}.md"] = "\n".join([f"# {found[name].title}", "", words, *members(xml, name)])
    links = "\n".join(f"/_generated/c/{name}" for name in ORDER)
    result["include/c-sections.md"] = f"```{{toctree}}\n:maxdepth: 1\n\n{links}\n```\n"
    return result

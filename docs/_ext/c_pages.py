"""The C reference: a page for each section of include/neatline.h, from doxygen's XML by breathe."""

import pathlib
from typing import Dict

from c_header import sections

# In the order of the pages; a section that is missing here is an error, so that none is left out.
ORDER = [
    "versions", "status", "buffers", "images", "styles", "drawing-on-servers", "the-run-loop",
    "maps-for-applications", "frames-for-a-host-s-own-gpu", "tiles", "archives", "writing-archives",
    "expressions", "meshes", "collision", "geojson-and-clusters", "text", "declarations", "earlier-names",
]


def pages(root: pathlib.Path) -> Dict[str, str]:
    """The pages by their paths below docs/_generated."""
    found = {each.name: each for each in sections((root / "include/neatline.h").read_text(encoding="utf-8"))}
    unknown = set(found) ^ set(ORDER)
    if unknown:
        raise ValueError(f"sections of the header that docs/_ext/c_pages.py does not know, or the other way: {unknown}")
    result = {}
    for name in ORDER:
        words = f"\n{found[name].words}\n" if found[name].words else ""
        result[f"c/{name}.md"] = (
            f"# {found[name].title}\n{words}\n"
            f"```{{doxygengroup}} {name}\n:content-only:\n:members:\n:undoc-members:\n```\n")
    links = "\n".join(f"/_generated/c/{name}" for name in ORDER)
    result["include/c-sections.md"] = f"```{{toctree}}\n:maxdepth: 1\n\n{links}\n```\n"
    return result

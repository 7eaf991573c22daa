#!/usr/bin/env python3
"""include/neatline.h for doxygen: its sections become groups, so that each is a page of the reference.

As doxygen's INPUT_FILTER, prints the header with groups. `sections` lists them for the pages.
"""

import re
import sys
from typing import List, NamedTuple

SECTION = re.compile(r"/\* -{20,} (?P<title>[^\n*]+?)\s*(?:\*/|\n(?P<words>.*?)\*/)", re.S)
# Members that share a declaration and so a comment, as doxygen gives it to the first of them only.
MEMBERS = re.compile(
    r"(?P<comment>  /\*\*(?:(?!\*/).)*\*/)\n  (?P<type>(?:const )?\w+ )"
    r"(?P<first>\*?[\w\[\]]+)(?P<more>(?:, \*?[\w\[\]]+)+);", re.S)


class Section(NamedTuple):
    """A section of the header: the name of its group, its headline, and what its comment says."""

    name: str
    title: str
    words: str


def section_of(match: "re.Match[str]") -> Section:
    """The section that a headline of the header begins."""
    title = match["title"].strip()
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in (match["words"] or "").splitlines()]
    name = re.sub(r"[^a-z]+", "-", title.lower()).strip("-")
    return Section(name, title[0].upper() + title[1:], "\n".join(lines).strip())


def sections(header: str) -> List[Section]:
    """The sections in the header's order."""
    return [section_of(match) for match in SECTION.finditer(header)]


def apart(match: "re.Match[str]") -> str:
    """The members of a declaration, each in one of its own under the same comment."""
    names = (match["first"] + match["more"]).split(", ")
    return "\n".join(f"{match['comment']}\n  {match['type']}{name};" for name in names)


def with_groups(header: str) -> str:
    """The header with each section as a group of doxygen's."""
    opened = False

    def group(match: "re.Match[str]") -> str:
        nonlocal opened
        section = section_of(match)
        end = "/** @} */\n" if opened else ""
        opened = True
        return f"{end}/** @defgroup {section.name} {section.title}\n *  @{{ */"

    text = SECTION.sub(group, header)
    # The end of `extern "C"` closes the last one.
    head, tail = text.rsplit("#ifdef __cplusplus\n}", 1)
    text = f"{head}/** @}} */\n#ifdef __cplusplus\n}}{tail}"
    text = MEMBERS.sub(apart, text)
    # "#if" in a comment would be a link of doxygen's.
    return re.sub(r"(?<=for )#if", "\\\\#if", text)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(with_groups(file.read()))

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


# An entry of a list in a comment: a name in quotation marks, two spaces, words; deeper lines go on with it.
ENTRY = re.compile(r'^ \*\s{4,}(?P<names>"\w+"(?:, "\w+")*)\s{2,}(?P<words>\S.*)$')
DEEPER = re.compile(r"^ \*\s{8,}(?P<words>\S.*)$")


def with_lists(header: str) -> str:
    """The lists of JSON members in comments as lists of doxygen's."""
    lines, within = [], False
    for line in header.split("\n"):
        entry, deeper = ENTRY.match(line), DEEPER.match(line)
        if entry:
            line, within = f" *  - {entry['names']}: {entry['words']}", True
        elif within and deeper:
            line = f" *    {deeper['words']}"
        else:
            if within:
                lines.append(" *")
            within = False
        lines.append(line)
    return "\n".join(lines)


def with_links(header: str) -> str:
    """Names of the interface in comments as links."""
    code = re.sub(r"/\*.*?\*/", "", header, flags=re.S)
    names = set(re.findall(r"\b(?:neat_[a-z0-9_]+|NEAT_[A-Z0-9_]+)\b", code))
    names -= {"NEAT_API", "NEAT_BUILDING", "NEAT_DEPRECATED", "NEAT_MUST_USE", "NEAT_STATIC"}
    # Breathe has no place to link to for the name of an enum itself.
    names -= set(re.findall(r"typedef enum (\w+)", code))

    def comment(match: "re.Match[str]") -> str:
        return re.sub(
            r"(?<![\w\\])(neat_[a-z0-9_]+|NEAT_[A-Z0-9_]+)\b(?!\.[a-z]\w*\()",
            lambda name: f'\\ref {name[0]} "{name[0]}"' if name[0] in names else name[0], match[0])

    return re.sub(r"/\*\*.*?\*/", comment, header, flags=re.S)


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
    text = re.sub(r"( \*(\w+);\n)(  size_t \2_size;)", r"\1  /** Its bytes. */\n\3", text)
    # "#if" in a comment would be a link of doxygen's.
    return re.sub(r"(?<=for )#if", "\\\\#if", text)


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as file:
        sys.stdout.write(with_groups(with_links(with_lists(file.read()))))

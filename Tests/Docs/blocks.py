"""The code blocks of the documentation's pages, and what is said about each in a comment before it.

    <!-- not run: REASON -->          is only read
    <!-- file: NAME -->               is written to this file, for blocks that come later
    <!-- needs: COMMAND OPTION -->    runs where the program has that option
    <!-- does not compile -->         every line of it fails to compile (Swift)
"""

import pathlib
import re
from typing import Dict, Iterator, List, NamedTuple

ROOT = pathlib.Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^(?P<indent> *)(?P<ticks>`{3,}|~{3,}|:{3,})(?P<info>.*)$")
REMARK = re.compile(r"^ *<!-- (?P<key>not run|file|needs|does not compile)(?:: (?P<value>.*?))? -->$")
# Words after the ticks of a directive of MyST, whose body is no code.
DIRECTIVE = re.compile(r"^\{(?P<name>[\w-]+)\}")


class Block(NamedTuple):
    """A fenced block: the number of its first line of code, from 1."""

    page: pathlib.Path
    line: int
    language: str
    code: str
    remarks: Dict[str, str]

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page: pathlib.Path) -> Iterator[Block]:
    """All fenced blocks of a page in their order."""
    lines = page.read_text(encoding="utf-8").splitlines()
    remarks: Dict[str, str] = {}
    number = 0
    while number < len(lines):
        remark = REMARK.match(lines[number])
        fence = FENCE.match(lines[number])
        if remark:
            remarks[remark["key"]] = remark["value"] or ""
        elif fence and not fence["ticks"].startswith(":"):
            end = number + 1
            while end < len(lines) and lines[end].strip() != fence["ticks"]:
                end += 1
            body = [line[len(fence["indent"]):] for line in lines[number + 1:end]]
            if not DIRECTIVE.match(fence["info"]):
                yield Block(page, number + 2, fence["info"].strip(), "\n".join(body) + "\n", remarks)
            remarks, number = {}, end
        elif lines[number].strip():
            remarks = {}
        number += 1


def pages() -> List[pathlib.Path]:
    """Every page: those of docs/, and those that have their place elsewhere."""
    found = [page for page in (ROOT / "docs").rglob("*.md") if "_generated" not in page.parts]
    return sorted([*found, ROOT / "README.md", ROOT / "bindings/python/README.md", ROOT / "SECURITY.md"])


def indented(page: pathlib.Path) -> List[int]:
    """Lines of code without a fence: four spaces after an empty line, outside lists and fences."""
    found, fenced, listed, previous = [], "", False, ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if fence and (not fenced or line.strip() == fenced):
            fenced = "" if fenced else fence["ticks"]
        elif not fenced:
            if re.match(r"^ *([-*]|\d+\.) ", line):
                listed = True
            elif line and not line.startswith(" "):
                listed = False
            if line.startswith("    ") and not previous.strip() and not listed:
                found.append(number)
        previous = line
    return found

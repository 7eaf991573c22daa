"""Pictures that the code of a page makes, shown on that page.

A remark `<!-- shows: NAME -->` after the code becomes the picture NAME. The page's blocks are run as the tests run
them (Tests/Docs), in a folder of their own, as far as the last picture.
"""

import pathlib
import re
import shutil
import sys
import tempfile
from typing import List

SHOWS = re.compile(r"^<!-- shows: (?P<name>[\w.-]+) -->$", re.M)


def draw(root: pathlib.Path, page: pathlib.Path, out: pathlib.Path) -> List[str]:
    """Runs a page and copies its pictures to `out`; their names."""
    sys.path.insert(0, str(root / "Tests/Docs"))
    from blocks import blocks
    from session import Session

    text = page.read_text(encoding="utf-8")
    found = list(SHOWS.finditer(text))
    if not found:
        return []
    last = text[:found[-1].start()].count("\n")
    with tempfile.TemporaryDirectory() as folder:
        session = Session(pathlib.Path(folder))
        try:
            for block in blocks(page):
                if block.line > last:
                    break
                if {"not run", "needs"} & set(block.remarks):
                    continue
                if "file" in block.remarks:
                    session.write(block, block.remarks["file"])
                if block.language == "python":
                    session.python(block)
                elif block.language == "bash":
                    session.shell(block.code, block)
                elif block.language == "console":
                    session.console(block)
            for match in found:
                shutil.copyfile(session.here / match["name"], out / f"{page.stem}-{match['name']}")
        finally:
            session.close()
    return [match["name"] for match in found]


def with_pictures(text: str, page: pathlib.Path) -> str:
    """A page's text with its pictures in the place of the remarks."""
    return SHOWS.sub(
        lambda match: (
            f"```{{image}} /_generated/shown/{page.stem}-{match['name']}\n:alt: What the code draws\n"
            ":class: gallery-picture\n```"), text)

"""The command line's reference: what `neatline help` prints."""

import os
import re
import subprocess
from typing import List


def program() -> str:
    """The program, by NEATLINE_PROGRAM or in PATH."""
    return os.environ.get("NEATLINE_PROGRAM", "neatline")


def help_of(*arguments: str) -> str:
    """What `neatline help` prints."""
    done = subprocess.run([program(), "help", *arguments], capture_output=True, text=True, timeout=30)
    if done.returncode != 0:
        raise RuntimeError(f"neatline help {' '.join(arguments)}: {done.stderr}")
    return done.stdout.rstrip()


def commands(text: str) -> List[str]:
    """The commands that the program lists."""
    return re.findall(r"^  ([a-z]+) {2,}", text, re.M)


def page() -> str:
    """All commands, as Markdown."""
    text = help_of()
    lines = ["```text", text, "```", ""]
    for name in commands(text):
        words = help_of(name)
        headline, _, rest = words.partition("\n")
        lines += [f"## neatline {name}", "", headline.partition(": ")[2].capitalize() + ".", "", "```text",
                  rest.strip("\n"), "```", ""]
    return "\n".join(lines)

"""`python -m neatline pyramid …`: the commands that are Python's."""

from __future__ import annotations

import sys
from typing import List, Optional


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command and returns the exit status: 0 done, 1 failed, 2 wrong arguments."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["pyramid"]:
        from .pyramid.cli import main as pyramid

        return pyramid(given[1:])
    if given in (["--help"], ["-h"]):
        print(
            "python -m neatline pyramid plan|render|shard|merge|verify …\n\n"
            "The program neatline has the rest."
        )
        return 0
    what = f'unknown command "{given[0]}"' if given else "no command"
    print(f"error: {what}; there is: python -m neatline pyramid", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())

"""`python -m neatline pyramid …`, `python -m neatline tile …`: the commands that are Python's."""

from __future__ import annotations

import sys
from typing import List, Optional


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command and returns the exit status: 0 done, 1 failed, 2 wrong arguments."""
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == ["pyramid"]:
        from .pyramid.cli import main as pyramid

        return pyramid(given[1:])
    if given[:1] == ["tile"]:
        from .tiler.cli import main as tile

        return tile(given[1:])
    if given in (["--help"], ["-h"]):
        print(
            "python -m neatline pyramid plan|render|shard|merge|verify …\n"
            "python -m neatline tile INPUT... OUT.pmtiles|OUT.mbtiles …\n\n"
            "The program neatline has the rest."
        )
        return 0
    what = f'unknown command "{given[0]}"' if given else "no command"
    print(f"error: {what}; there are: python -m neatline pyramid, and tile", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())

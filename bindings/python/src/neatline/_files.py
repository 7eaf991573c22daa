"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import stat
from typing import Optional, Tuple, Union


def write_whole(path: Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"], data: bytes) -> None:
    """Writes a file beside its place and moves it there. Where that fails nothing is left of it, and a file that
    was there stays as it was. A symbolic link is followed; a pipe or a device is written into.

    Raises OSError.
    """
    name = os.fsdecode(path)
    mode: Optional[int] = None
    try:
        mode = os.stat(name).st_mode
    except FileNotFoundError:
        pass
    if mode is not None and not stat.S_ISREG(mode):
        with open(name, "wb") as file:
            file.write(data)
        return
    place = os.path.realpath(name)
    draft, descriptor = _draft(place)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            # What may be read by whom stays as it was.
            if mode is not None:
                os.fchmod(file.fileno(), stat.S_IMODE(mode))
        os.replace(draft, place)
    except BaseException:
        os.unlink(draft)
        raise


def _draft(place: str) -> Tuple[str, int]:
    """A new file beside a place. Other threads may be writing to the same place."""
    attempt = 0
    while True:
        draft = f"{place}.{os.getpid()}-{attempt}.part"
        try:
            return draft, os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
        except FileExistsError:
            attempt += 1
            if attempt == 100:
                raise

"""Files of a folder that is not this machine's, fetched once for all that a process does with them."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
from typing import Callable, Dict, List, Optional, Sequence, Tuple

from ..pyramid.store import Failure, Folder

# Seconds that files are kept after the last use; a worker that lives on would fill its disk.
IDLE_SECONDS = 120.0


class Fetched:
    """The files of one job, in a temporary folder. Any thread. Those of a folder of this machine stay where
    they are."""

    _all: Dict[Tuple[str, str, int], "Fetched"] = {}
    _guard = threading.Lock()

    def __init__(self, store: Folder) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._folder: Optional[str] = None
        self._users = 0
        self._timer: Optional[threading.Timer] = None

    @classmethod
    def of(cls, store: Folder, plan: str) -> "Fetched":
        """What this process has of a job."""
        if store.is_local:
            return cls(store)
        with cls._guard:
            # A process that was forked has none of its parent's: that one removes them.
            return cls._all.setdefault((store.address, plan, os.getpid()), cls(store))

    def paths(self, names: Sequence[str], seals: Sequence[str], seal_of: Callable[[str], str]) -> List[str]:
        """The paths of files, after those that are not here were fetched. `release` lets go of them."""
        if self._store.is_local:
            return [self._store.path(name) for name in names]
        with self._lock:
            self._users += 1
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            try:
                if self._folder is None:
                    self._folder = tempfile.mkdtemp(prefix="neatline-tiler-")
                return [self._path(name, seal, seal_of) for name, seal in zip(names, seals)]
            except BaseException:
                self._let_go()
                raise

    def _path(self, name: str, seal: str, seal_of: Callable[[str], str]) -> str:
        assert self._folder is not None
        path = os.path.join(self._folder, name)
        if not os.path.exists(path) or seal_of(path) != seal:
            with Failure(self._store.path(name)):
                self._store.fetch(name, path)
        return path

    def release(self, bad: Optional[str] = None) -> None:
        """Ends one use. bad: a file that is to be fetched anew."""
        if self._store.is_local:
            return
        with self._lock:
            if bad is not None:
                self._unlink(bad)
            self._let_go()

    def forget(self, name: str) -> None:
        """Has a file fetched anew by who asks for it next: another one of that name was made."""
        if not self._store.is_local:
            with self._lock:
                self._unlink(name)

    def _unlink(self, name: str) -> None:
        # Others that have it open read on in the file that is gone.
        if self._folder is not None:
            try:
                os.unlink(os.path.join(self._folder, name))
            except OSError:
                pass

    def _let_go(self) -> None:
        self._users -= 1
        if self._users == 0:
            self._timer = threading.Timer(IDLE_SECONDS, self.remove)
            self._timer.daemon = True
            self._timer.start()

    def remove(self) -> None:
        """Removes the files, unless they are in use."""
        with self._lock:
            if self._users == 0 and self._folder is not None:
                shutil.rmtree(self._folder, ignore_errors=True)
                self._folder = None


def _at_exit() -> None:
    pid = os.getpid()
    for (_, _, owner), each in list(Fetched._all.items()):
        if owner == pid:
            each.remove()


atexit.register(_at_exit)

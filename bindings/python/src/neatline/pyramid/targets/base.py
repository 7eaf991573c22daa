"""What all targets have in common."""

from __future__ import annotations

import os
import tempfile
from typing import Any, Dict, Optional, Tuple

from ...errors import InvalidStateError
from ..plan import Plan
from ..store import Failure, absolute, is_remote, open_remote, remove_quietly, temporary_name


class Target:
    """A pyramid under way: tiles come in the order of the curve, then `finish`, or `abort` where something
    failed."""

    options: Tuple[str, ...] = ()

    def __init__(
        self, plan: Plan, address: str, kind: str, overwrite: bool, storage: Optional[Dict[str, Any]]
    ) -> None:
        self.plan, self.address, self.kind, self.overwrite = plan, address, kind, overwrite
        self.remote: Any = None
        self.place = address if is_remote(address) else absolute(address)
        if is_remote(address):
            self.remote, self.place = open_remote(address, storage)
        if not overwrite and self._is_there():
            raise InvalidStateError(f"{address} is there already: overwrite=True replaces it")

    def _is_there(self) -> bool:
        with Failure(self.address):
            if self.remote is not None:
                return bool(self.remote.exists(self.place))
            return os.path.lexists(self.place)

    @classmethod
    def check(cls, **options: Any) -> None:
        """Raises what beginning one with these options would raise, as far as it needs no plan and no place."""

    @property
    def first_shard(self) -> int:
        """The shard that an earlier attempt left off before."""
        return 0

    def add(self, z: int, x: int, y: int, data: bytes) -> None:
        """Takes one tile."""
        raise NotImplementedError

    def checkpoint(self, shard: int) -> None:
        """All shards before this one came."""

    def finish(self) -> None:
        """Completes the target under its name."""
        raise NotImplementedError

    def abort(self) -> None:
        """Leaves nothing that could be taken for a whole pyramid."""


def about(plan: Plan) -> Dict[str, Any]:
    """What a pyramid says about itself, with the plan that it is of."""
    return {**plan.tilejson, "neatline:plan": plan.id}


class LocalFile:
    """A file that is written on this machine and then put where its address says."""

    def __init__(self, target: Target, ending: str) -> None:
        self._target = target
        folder, name = os.path.split(target.place)
        if target.remote is not None:
            folder = tempfile.mkdtemp(prefix="neatline-pyramid-")
        self._folder = folder if target.remote is not None else None
        if target.remote is None:
            with Failure(folder):
                os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, temporary_name(name) + ending)

    def publish(self) -> None:
        """Gives the file its name."""
        target = self._target
        with Failure(target.address):
            if target.remote is None:
                os.replace(self.path, target.place)
            else:
                target.remote.put_file(self.path, target.place)
                self.remove()

    def remove(self) -> None:
        """Removes what is left of it."""
        remove_quietly(self.path)
        if self._folder is not None:
            try:
                os.rmdir(self._folder)
            except OSError:
                pass

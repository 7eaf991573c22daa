"""A folder of files, `z/x/y.png`, with `tilejson.json` beside, which is written last."""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Optional, Set

from ..._files import write_whole
from ...errors import InvalidStateError
from ..plan import Plan
from ..store import Folder
from .base import Target, about


class TreeTarget(Target):
    """Files of tiles. One that is there is another pyramid's, unless its tilejson.json is this plan's or
    absent."""

    def __init__(
        self, plan: Plan, address: str, kind: str, overwrite: bool, storage: Optional[Dict[str, Any]]
    ) -> None:
        super().__init__(plan, address.rstrip("/"), kind, True, storage)
        self._folder = Folder(self.address, storage)
        if not overwrite and self._folder.size("tilejson.json") is not None:
            raise InvalidStateError(f"{address} holds a pyramid already: overwrite=True replaces it")
        # While files are replaced the folder is not whole.
        self._folder.remove("tilejson.json")
        self._made: Set[str] = set()

    def add(self, z: int, x: int, y: int, data: bytes) -> None:
        name = f"{z}/{x}/{y}.{self.plan.format}"
        path = self._folder.path(name)
        parent = os.path.dirname(path)
        if self.remote is not None:
            if parent not in self._made:
                self.remote.makedirs(parent, exist_ok=True)
                self._made.add(parent)
            self.remote.pipe_file(path, data)
            return
        self._write_local(parent, path, data)

    def _write_local(self, parent: str, path: str, data: bytes) -> None:
        from ..store import Failure

        with Failure(path):
            if parent not in self._made:
                os.makedirs(parent, exist_ok=True)
                self._made.add(parent)
            # Not synced one by one: tilejson.json says when all are there.
            write_whole(path, data)

    def finish(self) -> None:
        plan = self.plan
        text = {
            "tilejson": "3.0.0",
            "tiles": [f"{{z}}/{{x}}/{{y}}.{plan.format}"],
            "minzoom": plan.min_zoom,
            "maxzoom": plan.max_zoom,
            "tileSize": plan.size,
            **about(plan),
        }
        if self.remote is None:
            os.sync()
        self._folder.write("tilejson.json", json.dumps(text, indent=1, ensure_ascii=False).encode() + b"\n")

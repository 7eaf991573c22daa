"""What is on its way, and is awaited for its end."""

from __future__ import annotations

import asyncio
from typing import Any, Callable, Generator, List, Optional

from ._values import is_callable


class Waiting:
    """Something that ends while a loop runs, once."""

    def __init__(self, loop: Any, completion: Optional[Callable[[Any], Any]]) -> None:
        self._loop = loop
        self._completion = None if completion is None else is_callable(completion, "completion")
        self._waiting: List["asyncio.Future[None]"] = []
        self.done = False
        """Whether it is over."""

    def _end_with(self, result: Any) -> None:
        """It is over: wakes those who wait, and calls the completion."""
        self.done = True
        for future in self._waiting:
            if not future.done():
                future.set_result(None)
        if self._completion is not None:
            self._completion(result)

    def _wait(self) -> Generator[Any, None, None]:
        """For `__await__`: until it is over."""
        if not self.done:
            self._loop.attach()
            future = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            yield from future

"""Tasks handed out to an executor, some ahead of what is being done, with further attempts for what fails.

No worker is believed: what a task has to leave behind is looked at when it is said to be done.
"""

from __future__ import annotations

import queue
from collections import deque
from concurrent.futures import CancelledError as FutureCancelled
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from typing import Any, Callable, Deque, Iterable, Optional, Set, Tuple, Type, TypeVar

Task = TypeVar("Task")
# A function that a worker can import, and its arguments.
Call = Tuple[Callable[..., Any], Tuple[Any, ...]]
Final = Tuple[Type[BaseException], ...]

# What another attempt cannot mend, whatever the task is.
FINAL: Final = (BrokenProcessPool, KeyboardInterrupt, ImportError, MemoryError)


def attempts(work: Callable[[], Any], retries: int, final: Final) -> Any:
    """Does work here, again as often as it may fail. final: what is raised at once."""
    for attempt in range(retries + 1):
        try:
            return work()
        except final:
            raise
        except Exception:
            if attempt == retries:
                raise
    return None


def hand_out(
    pool: Any,
    tasks: Iterable[Task],
    call: Callable[[Task], Call],
    look: Callable[[Task, Any], None],
    *,
    retries: int,
    in_flight: int,
    final: Final,
    done: Optional[Callable[[Task], None]] = None,
    mend: Optional[Callable[[Task, Exception], bool]] = None,
) -> None:
    """Has tasks done by an executor, so many at once.

    call: what a worker runs for a task. look(task, result): raises where what the task has to leave behind is
    not there. retries: attempts after a task failed, unless with one of `final`. mend(task, error): whether
    what the task needs was at fault, and was put right; such an attempt does not count. done: called with
    each task that is done, in any order.
    """
    waiting: Deque[Tuple[Task, int]] = deque((each, 0) for each in tasks)
    ended: "queue.SimpleQueue[Tuple[Future[Any], Task, int]]" = queue.SimpleQueue()
    running: Set[Any] = set()
    if getattr(pool, "replaces_workers", False):
        final = tuple(each for each in final if each is not BrokenProcessPool)
    try:
        while waiting or running:
            while waiting and len(running) < in_flight:
                task, attempt = waiting.popleft()
                function, arguments = call(task)
                future = pool.submit(function, *arguments)
                running.add(future)
                future.add_done_callback(lambda f, task=task, attempt=attempt: ended.put((f, task, attempt)))
            future, task, attempt = ended.get()
            running.discard(future)
            try:
                look(task, future.result())
            except (*final, FutureCancelled):
                raise
            except Exception as error:
                if mend is not None and mend(task, error):
                    waiting.append((task, attempt))
                    continue
                if attempt >= retries:
                    raise
                waiting.append((task, attempt + 1))
                continue
            if done is not None:
                done(task)
    finally:
        for future in running:
            future.cancel()

"""Executors: whatever runs functions elsewhere and gives futures back."""

from __future__ import annotations

import concurrent.futures
from typing import Any, Callable


def as_executor(executor: Any) -> Any:
    """An executor of `concurrent.futures`: one as it is, or that of a Dask client. Raises TypeError."""
    if hasattr(executor, "get_executor"):
        # Dask may think that the same call need not be made twice, and a part that was lost has to be.
        return executor.get_executor(pure=False)
    if not callable(getattr(executor, "submit", None)):
        raise TypeError(
            f"{type(executor).__name__} is no executor: one of concurrent.futures, a Dask client, "
            "or neatline.pyramid.RayExecutor() is"
        )
    return executor


class RayExecutor(concurrent.futures.Executor):
    """Runs functions as Ray's tasks. options: of `ray.remote`, such as num_cpus and resources; a task whose
    worker dies is tried again by Ray (max_retries)."""

    def __init__(self, **options: Any) -> None:
        try:
            import ray
        except ImportError:
            raise ImportError("RayExecutor needs Ray: pip install neatline[ray]") from None
        self._ray = ray
        self._call = ray.remote(**{"num_cpus": 1, **options})(_call)

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> "concurrent.futures.Future[Any]":
        """Runs fn(*args, **kwargs) as a task."""
        return self._call.remote(fn, args, kwargs).future()


def _call(fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return fn(*args, **kwargs)

"""Executors: whatever runs functions elsewhere and gives futures back."""

from __future__ import annotations

import concurrent.futures
import multiprocessing
import os
from typing import Any, Callable, Optional


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

    @property
    def cores(self) -> float:
        """The processors of the cluster."""
        return self._ray.cluster_resources().get("CPU", 1)

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> "concurrent.futures.Future[Any]":
        """Runs a function with its arguments as a task."""
        return self._call.remote(fn, args, kwargs).future()


def _call(fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return fn(*args, **kwargs)


class Processes(concurrent.futures.Executor):
    """So many processes of this machine. Where one is killed, others are started in the place of all, and
    what they were at fails with BrokenProcessPool; so it can be handed out again."""

    replaces_workers = True

    def __init__(self, workers: int) -> None:
        self._max_workers = workers
        self._pool: Optional[concurrent.futures.ProcessPoolExecutor] = None

    def submit(
        self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> "concurrent.futures.Future[Any]":
        """Runs fn(*args, **kwargs) in a process."""
        for _ in range(2):
            if self._pool is None:
                # Started anew rather than forked: nothing of this process is under way in them.
                self._pool = concurrent.futures.ProcessPoolExecutor(
                    self._max_workers, mp_context=multiprocessing.get_context("spawn")
                )
            try:
                return self._pool.submit(fn, *args, **kwargs)
            except concurrent.futures.BrokenExecutor:
                self._pool.shutdown(wait=False)
                self._pool = None
        raise concurrent.futures.BrokenExecutor("processes end as soon as they are started")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Lets the processes end."""
        if self._pool is not None:
            self._pool.shutdown(wait=wait, cancel_futures=cancel_futures)
            self._pool = None


def width_of(executor: Any) -> int:
    """How many tasks an executor runs at once, as far as it tells; else the processors of this machine."""
    if hasattr(executor, "ncores"):
        # A Dask client.
        return max(1, sum(executor.ncores().values()))
    client = getattr(executor, "_client", None)
    if client is not None and hasattr(client, "ncores"):
        return max(1, sum(client.ncores().values()))
    count = getattr(executor, "_max_workers", None)
    if isinstance(executor, RayExecutor):
        count = int(executor.cores)
    return max(1, count or os.cpu_count() or 1)

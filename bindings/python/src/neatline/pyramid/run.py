"""A pyramid from plan to target, over any executor.

The folder of parts is the only state: whoever is killed, the same call goes on with the parts that are there.
The client hands out shards, some ahead of what is being drawn, and believes no worker: a part counts when its
record is in the folder and fits.
"""

from __future__ import annotations

import os
import time
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

from .._values import instance, is_callable, path_str, whole
from ..errors import InvalidStateError, NotFoundError
from .draw import painter_of
from .errors import ChangedError, IncompleteError, PartError
from .executors import as_executor
from .handout import FINAL, attempts, hand_out
from .memory import keep_freed_memory, process_name
from .merge import CancelledByCaller, Progress, Summary, merge
from .parts import Record, is_there, open_folder, part_name, render_shard
from .plan import Plan
from .previous import Previous
from .shards import Shard
from .store import Folder, absolute, is_remote
from .targets import check_target, kind_of

PLAN_NAME = "plan.json"
# Shards that are handed out and not done.
IN_FLIGHT = 256
# A file that a killed worker left is removed when it has not grown for so long.
STALE_SECONDS = 3600.0


def render(
    plan: Plan,
    target: Union[str, "os.PathLike[str]"],
    executor: Any = None,
    *,
    folder: Optional[Union[str, "os.PathLike[str]"]] = None,
    previous: Optional[Union[str, "os.PathLike[str]"]] = None,
    kind: Optional[str] = None,
    overwrite: bool = False,
    keep_parts: bool = False,
    retries: int = 2,
    in_flight: int = IN_FLIGHT,
    threads: int = 1,
    cache_bytes: int = 0,
    storage_options: Optional[Dict[str, Any]] = None,
    progress: Optional[Progress] = None,
    **options: Any,
) -> Summary:
    """Draws all shards and puts them together. What is there already from an earlier call is not drawn again.

    target, kind, overwrite, storage_options, options: as for `merge`. executor: of `concurrent.futures`, a
    Dask client, or RayExecutor; None draws one shard after the other here. folder: where parts go, which
    every worker must reach by the same path or address; else TARGET.parts. previous: an earlier archive whose
    tiles are taken over where what they are drawn from did not change; it may be the target. keep_parts: the
    folder is left as it is; else its parts are removed in the end. retries: attempts after a shard failed,
    unless for what another attempt cannot mend. in_flight: shards that are handed out at once. threads,
    cache_bytes: as for `render_shard`. progress(shards done, tiles done, shards, tiles) is called while
    shards are drawn; False ends the work.

    Raises ChangedError where the style, its data or the library are not the plan's, InvalidStateError where
    the target is there already or the folder has another plan's parts, and what a shard failed with. Parts
    that are done stay.
    """
    plan = instance(plan, Plan, "plan")
    address = path_str(target, "target")
    _refuse_target(address, kind, overwrite)
    check_target(address, kind, options)
    earlier = absolute(path_str(previous, "previous")) if previous is not None else None
    if earlier is not None:
        Previous.open(earlier, plan)
    store = open_folder(folder if folder is not None else default_folder(address), storage_options)
    _claim(plan, store)
    job = _Job(plan, store, earlier, threads, cache_bytes, storage_options)
    todo = _missing(plan, store)
    retries = whole(retries, "retries")
    done = _Progress(plan, todo, None if progress is None else is_callable(progress, "progress"))
    if executor is None:
        painter_of(plan, threads, cache_bytes)
        for shard in todo:
            attempts(lambda shard=shard: job.draw(shard), retries, _FINAL)
            done.add(shard)
        repair: Callable[[Shard], Any] = job.draw
    else:
        pool = as_executor(executor)
        _hand_out(job, pool, todo, retries, max(whole(in_flight, "in_flight"), 1), done)

        def repair(shard: Shard) -> Any:
            _hand_out(job, pool, [shard], retries, 1, None)

    summary = merge(
        plan,
        store,
        address,
        kind=kind,
        overwrite=overwrite,
        storage_options=storage_options,
        repair=repair,
        **options,
    )
    if not keep_parts:
        _tidy(plan, store)
    return summary


def default_folder(target: str) -> str:
    """Where the parts of a target go."""
    return target.rstrip("/") + ".parts"


def prepare_folder(
    plan: Plan, folder: Union[str, "os.PathLike[str]"], storage_options: Optional[Dict[str, Any]] = None
) -> None:
    """Makes a folder for the parts of a plan, and puts the plan there. Raises InvalidStateError where it has
    another plan's."""
    _claim(instance(plan, Plan, "plan"), open_folder(folder, storage_options))


def missing_shards(
    plan: Plan, folder: Union[str, "os.PathLike[str]"], storage_options: Optional[Dict[str, Any]] = None
) -> List[int]:
    """The numbers of the shards whose parts are not there, or look damaged without their tiles being read."""
    return [each.index for each in _missing(instance(plan, Plan, "plan"), open_folder(folder, storage_options))]


def _refuse_target(address: str, kind: Optional[str], overwrite: bool) -> None:
    """What is known before the first tile is drawn to fail after the last."""
    found = kind_of(address, kind)
    if is_remote(address):
        return
    path = absolute(address)
    if not overwrite and (
        os.path.exists(os.path.join(path, "tilejson.json")) if found == "folder" else os.path.lexists(path)
    ):
        raise InvalidStateError(f"{address} is there already: overwrite=True replaces it")


def _claim(plan: Plan, store: Folder) -> None:
    store.make()
    try:
        held = Plan.from_json(store.read(PLAN_NAME)).id
    except NotFoundError:
        store.write(PLAN_NAME, plan.to_json().encode() + b"\n")
        return
    except (ValueError, InvalidStateError) as error:
        raise InvalidStateError(f"{store.path(PLAN_NAME)} is not a plan: {error}") from None
    if held == plan.id:
        return
    if not any(name.startswith("part-") for name, _ in store.names()):
        # A plan that was made anew before anything was drawn.
        store.write(PLAN_NAME, plan.to_json().encode() + b"\n")
    else:
        raise ChangedError(
            f"{store.address} has parts of plan {held}, this is {plan.id}: the style, its data or an option "
            "is another. Remove the folder, or name another one"
        )


def _missing(plan: Plan, store: Folder) -> List[Shard]:
    sizes = dict(store.names())
    return [
        each
        for each in plan.all_shards()
        if part_name(each.index, "json") not in sizes or not is_there(plan, store, each, sizes)
    ]


class _Job:
    """What is the same for all shards of a run."""

    def __init__(
        self, plan: Plan, store: Folder, previous: Optional[str], threads: int, cache_bytes: int, options: Any
    ) -> None:
        self.plan, self.store, self.previous = plan, store, previous
        self.threads, self.cache_bytes, self.options = threads, cache_bytes, options

    def draw(self, shard: Shard) -> Record:
        """Draws a shard here."""
        return render_shard(
            self.plan,
            shard,
            self.store,
            threads=self.threads,
            cache_bytes=self.cache_bytes,
            previous=self.previous,
        )

    def arguments(self, shard: Shard) -> Tuple[Any, ...]:
        """What a worker needs to draw a shard: small, as there may be many. The plan is in the folder."""
        address = (
            self.store.address if is_remote(self.store.address) else os.path.abspath(self.store.path(""))
        )
        return (
            address, self.options, self.plan.id, tuple(shard), self.threads, self.cache_bytes, self.previous,
            process_name(),
        )  # fmt: skip


_plans: Dict[str, Plan] = {}


def draw_elsewhere(
    folder: str,
    options: Any,
    plan_id: str,
    shard: Tuple[int, ...],
    threads: int,
    cache_bytes: int,
    previous: Optional[str],
    client: str,
) -> Dict[str, Any]:
    """What a worker runs: draws a shard of the plan in a folder."""
    if client != process_name():
        # A process that an executor keeps for work, not the caller's own.
        keep_freed_memory()
    store = Folder(folder, options)
    plan = _plans.get(plan_id)
    if plan is None:
        plan = Plan.from_json(store.read(PLAN_NAME))
        if plan.id != plan_id:
            raise ChangedError(f"{folder} has parts of plan {plan.id}, not of {plan_id}")
        _plans.clear()
        _plans[plan_id] = plan
    record = render_shard(
        plan, Shard(*shard), store, threads=threads, cache_bytes=cache_bytes, previous=previous
    )
    return record._asdict()


# What another attempt cannot mend.
_FINAL = (ChangedError, IncompleteError, *FINAL)


def _hand_out(
    job: _Job, pool: Any, todo: List[Shard], retries: int, in_flight: int, done: Optional["_Progress"]
) -> None:
    """Has shards drawn by an executor, so many at once; each is looked at when it is said to be done."""

    def look(shard: Shard, _result: Any) -> None:
        if not is_there(job.plan, job.store, shard):
            raise PartError(
                f"the worker of shard {shard.index} says that it is done, and there is no such part",
                shard.index,
            )

    hand_out(
        pool,
        todo,
        lambda shard: (draw_elsewhere, job.arguments(shard)),
        look,
        retries=retries,
        in_flight=in_flight,
        final=_FINAL,
        done=None if done is None else done.add,
    )


class _Progress:
    def __init__(self, plan: Plan, todo: List[Shard], report: Optional[Progress]) -> None:
        self._plan, self._report = plan, report
        self._shards = plan.shards - len(todo)
        self._tiles = plan.tiles - sum(each.tiles for each in todo)
        self._tell()

    def add(self, shard: Shard) -> None:
        """One shard more is done."""
        self._shards += 1
        self._tiles += shard.tiles
        self._tell()

    def _tell(self) -> None:
        if self._report is None:
            return
        if self._report(self._shards, self._tiles, self._plan.shards, self._plan.tiles) is False:
            raise CancelledByCaller("the work was called off; the parts that are done stay")


def _tidy(plan: Plan, store: Folder) -> None:
    """Removes the plan's parts, what killed workers left of them, and the folder where nothing else is in
    it."""
    names = [name for name, _ in store.names()]
    for name in names:
        if name.startswith("part-") or name.startswith(".part-") and _is_stale(store, name):
            store.remove(name)
    store.remove(PLAN_NAME)
    if store.is_local:
        try:
            os.rmdir(store.path(""))
        except OSError:
            # Somebody else's files, or a worker that is still at it.
            pass


def _is_stale(store: Folder, name: str) -> bool:
    if not store.is_local:
        return True
    try:
        return time.time() - os.path.getmtime(store.path(name)) > STALE_SECONDS
    except OSError:
        return False

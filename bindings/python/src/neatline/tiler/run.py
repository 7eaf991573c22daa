"""Vector data to an archive of tiles, in one process or over any executor.

In one process the pieces of the inputs go through one tiler, one after the other. Over an executor there are
three steps, with a folder that all workers reach between them:

    cut     each piece becomes a run: its features, cut to all their tiles, sorted, as one file
    measure (where features are dropped or coalesced) the thresholds of each range of tiles
    write   each range of tiles becomes a part, of all runs

and then the client puts the parts together, in their order. Features have the number of their piece and their
place in it, whoever cuts them, so the tiles are the same, and so is the archive, byte for byte.

The folder is the only state: whoever is killed, the same call goes on with what is there. A worker's word is
not taken for it: what is said to be done is looked at.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import tempfile
import time
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .._values import is_callable, path_str, several, utf8, whole
from ..archive import ArchiveWriter
from ..errors import (
    CancelledError,
    ExpressionError,
    GeoJSONError,
    InvalidArgumentError,
    InvalidStateError,
    LimitExceededError,
    NotFoundError,
    UnsupportedError,
)
from ..pyramid.errors import ChangedError, PartError
from ..pyramid.executors import Processes, as_executor, width_of
from ..pyramid.handout import FINAL, attempts, hand_out
from ..pyramid.store import Folder, absolute, is_remote
from . import feed, work
from .parts import Part
from .pieces import PIECE_BYTES
from .plan import AnyInput, Plan, Source
from .vector import Note
from .work import Range

# Tasks that are handed out and not done.
IN_FLIGHT = 256
# Ranges of tiles for each worker, so that none waits long for the last.
RANGES_PER_WORKER = 4
# Times that a run or a part that is damaged is made again.
REPAIRS = 2
# Seconds between two checkpoints of a target, and after which a file that a killed worker left is removed.
CHECKPOINT_SECONDS = 10.0
STALE_SECONDS = 3600.0
# What another attempt cannot mend.
_FINAL = (
    ChangedError,
    InvalidArgumentError,
    GeoJSONError,
    ExpressionError,
    UnsupportedError,
    LimitExceededError,
    CancelledError,
    *FINAL,
)

# Told of the step ("cut", "measure", "write" or "merge"), of what of it is done, and of all (0: not known);
# False ends the work.
Progress = Callable[[str, int, int], Optional[bool]]


class Report(NamedTuple):
    """What was made. contents, bytes: of tiles that differ; features: of the inputs, that pass their filters;
    dropped, coalesced: pieces of features in tiles that went, or whose geometry went to others, because of
    limits; oversized: tiles past the limits, all where neither drop nor coalesce is given, else those that
    these could not mend; largest_tile_bytes: packed; notes: what did not become properties as it was,
    {"layer", "address", "column", "reason", "count"}, count 0 for a whole column. runs, parts: of this job;
    cut, written: how many of them were made by this call; repaired: how many were found damaged and made
    again."""

    target: str
    tiles: int
    contents: int
    bytes: int
    features: int
    dropped: int
    coalesced: int
    oversized: int
    largest_tile_bytes: int
    notes: List[Dict[str, Any]]
    runs: int
    cut: int
    parts: int
    written: int
    repaired: int


def tile(
    inputs: Iterable[AnyInput],
    target: Union[str, "os.PathLike[str]"],
    *,
    min_zoom: int = 0,
    max_zoom: int = 14,
    buffer: Optional[float] = None,
    tolerance: Optional[float] = None,
    extent: Optional[int] = None,
    line_metrics: Optional[bool] = None,
    generate_id: Optional[bool] = None,
    promote_id: Optional[str] = None,
    include: Optional[Sequence[str]] = None,
    exclude: Optional[Sequence[str]] = None,
    filters: Optional[Mapping[str, Any]] = None,
    drop_rate: Optional[float] = None,
    base_zoom: Optional[int] = None,
    drop: Optional[str] = None,
    coalesce: Optional[str] = None,
    max_tile_bytes: Optional[int] = None,
    max_tile_features: Optional[int] = None,
    max_tiles: Optional[int] = None,
    metadata: Optional[Mapping[str, Any]] = None,
    archive: Optional[str] = None,
    plain: bool = False,
    overwrite: bool = False,
    memory: Optional[int] = None,
    threads: Optional[int] = None,
    executor: Any = None,
    workers: Optional[int] = None,
    folder: Optional[Union[str, "os.PathLike[str]"]] = None,
    keep_parts: bool = False,
    restart: bool = False,
    retries: int = 2,
    in_flight: int = IN_FLIGHT,
    piece_bytes: int = PIECE_BYTES,
    storage_options: Optional[Dict[str, Any]] = None,
    progress: Optional[Progress] = None,
) -> Report:
    """Makes vector tiles of files: GeoJSON, GeoParquet, and what OGR reads (FlatGeobuf, GeoPackage …).

    inputs: addresses, pairs of layer and address, or Input objects. Several may share a layer; their features
    stand in it in the order of the inputs. target: a path or fsspec's address, .pmtiles or .mbtiles unless
    archive says which. filters: by layer, a filter of the style specification. metadata: name, attribution,
    description and the like. min_zoom … max_tiles, memory, threads: as for VectorTiler; memory is each
    worker's own, and threads are 1 a worker, without an executor one a processor. plain: MBTiles with one row
    a tile. overwrite: a target that is there is replaced.

    executor: of `concurrent.futures`, a Dask client, or RayExecutor; else workers: so many processes here.
    With neither all is done in this process, in bounded memory. folder: where runs and parts go, a path or an
    address that every worker reaches; else TARGET.parts. With a folder and no executor the same steps are
    done here, and can be continued. What of the same job is there already is not made again. restart: what
    is there is removed first, of whatever job it is. keep_parts: the folder is left as it is; else its runs
    and parts are removed in the end. retries: attempts after a task
    failed, unless for what another attempt cannot mend. in_flight: tasks that are handed out at once.
    piece_bytes: of an input, that a run is made of. generate_id: each file is one piece, and is numbered from
    0. storage_options: fsspec's for folder and target. progress(step, done, all): see Progress.

    Raises what `inputs.splits` raises; InvalidArgumentError and ExpressionError for options and filters;
    GeoJSONError with file and place; ChangedError where the folder is of another job, or an input changed
    meanwhile; InvalidStateError where the target is there already; PartError where runs or parts are damaged
    again and again; CancelledError; and what a task failed with. What is done in the folder stays.
    """
    address = path_str(target, "target")
    kind = _kind(address, archive)
    _refuse_target(address, overwrite, storage_options)
    if executor is not None and workers is not None:
        raise InvalidArgumentError("either executor or workers, not both")
    if workers is not None and whole(workers, "workers", -(2**63), 2**63) < 1:
        raise InvalidArgumentError(f"workers is {workers}, and has to be 1 at least")
    retries, in_flight = whole(retries, "retries"), whole(in_flight, "in_flight")
    piece_bytes = whole(piece_bytes, "piece_bytes", 1, 2**63 - 1)
    if progress is not None:
        is_callable(progress, "progress")
    plan = Plan(
        inputs,
        filters=filters,
        metadata=metadata,
        piece_bytes=piece_bytes,
        cut=dict(
            min_zoom=min_zoom,
            max_zoom=max_zoom,
            buffer=buffer,
            tolerance=tolerance,
            extent=extent,
            line_metrics=line_metrics,
            generate_id=generate_id,
            promote_id=promote_id,
            include=_names(include),
            exclude=_names(exclude),
            drop_rate=drop_rate,
            base_zoom=base_zoom,
            drop=drop,
            coalesce=coalesce,
            max_tile_bytes=max_tile_bytes,
            max_tile_features=max_tile_features,
            max_tiles=max_tiles,
        ),
    )
    own = Processes(workers) if workers is not None and workers > 1 else None
    pool = own if own is not None else None if executor is None else as_executor(executor)
    out = _Target(address, kind, plain, overwrite, max_tiles, storage_options)
    tell = _Teller(progress)
    if pool is None and folder is None:
        return _here(plan, out, memory, threads, tell)
    try:
        place = path_str(folder, "folder") if folder is not None else address.rstrip("/") + ".parts"
        job = _Job(plan, Folder(place, storage_options), storage_options, pool, retries, max(in_flight, 1))
        if restart:
            job.restart()
        # Beside others, a worker has one thread.
        job.settings = plan.settings(memory, threads if threads is not None else 0 if pool is None else 1)
        width = 1 if pool is None else width_of(executor if own is None else own)
        report = job.run(out, width, tell)
    finally:
        out.close()
        if own is not None:
            own.shutdown(cancel_futures=True)
    if not keep_parts:
        job.tidy()
    return report


def _names(names: Any) -> Any:
    """Names in an order of their own: it does not matter which they were given in."""
    if names is None or isinstance(names, str):
        return names
    return sorted({utf8(each, "a property's name").decode() for each in several(names, "include or exclude")})


def _kind(address: str, archive: Optional[str]) -> str:
    if archive is not None:
        if archive not in ("pmtiles", "mbtiles"):
            raise InvalidArgumentError(f'archive is {archive!r}, and has to be "pmtiles" or "mbtiles"')
        return archive
    for each in ("pmtiles", "mbtiles"):
        if address.lower().endswith("." + each):
            return each
    raise InvalidArgumentError(
        f"{address} ends in neither .pmtiles nor .mbtiles; archive= says which it is to be"
    )


def _split(address: str) -> Tuple[str, str]:
    parent, _, name = address.rpartition("/")
    return parent, name


def _refuse_target(address: str, overwrite: bool, options: Optional[Dict[str, Any]]) -> None:
    """What is known before the first feature is read to fail after the last."""
    if is_remote(address):
        parent, name = _split(address)
        there = Folder(parent, options).size(name) is not None
    else:
        there = os.path.lexists(absolute(address))
        if there and not os.path.isfile(absolute(address)):
            raise InvalidArgumentError(f"{address} is no file")
    if there and not overwrite:
        raise InvalidStateError(f"{address} is there already: overwrite=True replaces it")


class _Teller:
    """Tells how far a step is; may call the work off."""

    def __init__(self, progress: Optional[Progress]) -> None:
        self._progress = progress

    def __call__(self, step: str, done: int, total: int) -> None:
        if self._progress is not None and self._progress(step, done, total) is False:
            raise CancelledError("the work was called off; what is done in the folder stays")


class _Target:
    """The archive that is made: by path, or, for an address, of a temporary file."""

    def __init__(
        self,
        address: str,
        kind: str,
        plain: bool,
        overwrite: bool,
        max_tiles: Optional[int],
        options: Optional[Dict[str, Any]],
    ) -> None:
        self.address, self._storage = address, options
        self._temporary = tempfile.mkdtemp(prefix="neatline-tiler-") if is_remote(address) else None
        self.path = absolute(address) if self._temporary is None else os.path.join(self._temporary, "out")
        self.options = dict(archive=kind, plain=plain or None, overwrite=overwrite, max_tiles=max_tiles)
        self.folder = os.path.dirname(self.path)
        os.makedirs(self.folder, exist_ok=True)

    def publish(self) -> Tuple[int, int]:
        """Puts a finished archive where it belongs; returns its contents and their bytes."""
        counts = _contents(self.path, str(self.options["archive"]))
        if self._temporary is not None:
            parent, name = _split(self.address)
            Folder(parent, self._storage).take(self.path, name)
        self.close()
        return counts

    def close(self) -> None:
        """Removes what is temporary."""
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)


def _contents(path: str, kind: str) -> Tuple[int, int]:
    """Contents that differ, and their bytes."""
    if kind == "pmtiles":
        with open(path, "rb") as file:
            head = file.read(127)
        return int.from_bytes(head[88:96], "little"), int.from_bytes(head[64:72], "little")
    connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        kinds = dict(connection.execute("SELECT name, type FROM sqlite_master"))
        table = "tiles_data" if kinds.get("tiles") == "view" else "tiles"
        count, size = connection.execute(
            f"SELECT count(*), coalesce(sum(length(tile_data)), 0) FROM {table}"
        ).fetchone()
    finally:
        connection.close()
    return count, size


def _here(plan: Plan, out: _Target, memory: Optional[int], threads: Optional[int], tell: _Teller) -> Report:
    """All in this process, by one tiler."""
    notes, total = feed.Notes(), len(plan.sources)
    try:
        with plan.settings(memory, threads or 0).tiler(out.folder) as tiler:
            for part, source in enumerate(plan.sources):
                tell("cut", part, total)
                notes.merge(feed.add(tiler, source, part))
            tell("cut", total, total)
            plan.check_files()
            made = tiler.write(
                out.path,
                metadata=plan.metadata,
                progress=lambda done, _all, _bytes: tell("write", done, 0),
                **out.options,
            )
        out.publish()
    finally:
        out.close()
    return _report(plan, out, [made], made["contents"], made["bytes"], notes.list())


def _report(
    plan: Plan,
    out: _Target,
    made: List[Dict[str, Any]],
    contents: int,
    size: int,
    notes: List[Note],
    **counts: int,
) -> Report:
    def total(name: str) -> int:
        return sum(int(each.get(name, 0)) for each in made)

    return Report(
        target=out.address,
        tiles=total("tiles"),
        contents=contents,
        bytes=size,
        # Each range knows of all.
        features=max((int(each.get("features", 0)) for each in made), default=0),
        dropped=total("droppedFeatures"),
        coalesced=total("coalescedFeatures"),
        oversized=total("oversizedTiles"),
        largest_tile_bytes=max((int(each.get("largestTileBytes", 0)) for each in made), default=0),
        notes=notes,
        **{"runs": 0, "cut": 0, "parts": 0, "written": 0, "repaired": 0, **counts},
    )


class _Job:
    """A job over a folder: the steps, what each leaves behind, and what is done where that is damaged."""

    def __init__(
        self, plan: Plan, store: Folder, options: Any, pool: Any, retries: int, in_flight: int
    ) -> None:
        self.plan, self.store, self.id = plan, store, plan.id
        self._options, self._pool = options, pool
        self._retries, self._in_flight = retries, in_flight
        self._address = store.address if not store.is_local else store.path("").rstrip("/")
        self.settings: Any = None
        self._records: List[Optional[Dict[str, Any]]] = [None] * len(plan.sources)
        # When each run was made again, and how often.
        self._mended: Dict[int, Tuple[float, int]] = {}
        self._started: Dict[Any, float] = {}
        self._repaired = 0
        self._is_new = False

    def run(self, out: _Target, width: int, tell: _Teller) -> Report:
        """All steps, as far as they are not done."""
        try:
            self._claim()
            cut = self._cut(tell)
            self.plan.check_files()
            self._seal()
            if work.ranges_record(self.store, self.id) is None:
                self._survey(width * RANGES_PER_WORKER)
            found = work.ranges_record(self.store, self.id)
            assert found is not None
            ranges, tilejson = found
            thresholds = self._measure(ranges, tell)
            written = self._write(ranges, thresholds, tell)
            made = self._merge(out, ranges, thresholds, tilejson, tell)
            contents, size = out.publish()
        finally:
            out.close()
        notes = feed.Notes()
        for record in self._records:
            notes.merge(record["notes"] if record is not None else [])
        return _report(
            self.plan, out, made, contents, size, notes.list(),
            runs=len(self.plan.sources), cut=cut, parts=len(ranges), written=written, repaired=self._repaired,
        )  # fmt: skip

    # ------------------------------------------------------------ the folder

    def _claim(self) -> None:
        self.store.make()
        try:
            held = self.store.read(work.PLAN_NAME)
        except NotFoundError:
            held = None
        if held is not None and any(work.files_of(self.store)):
            self.plan.refuse(held, self.store.path(work.PLAN_NAME))
            return
        # None, or one that was made anew before anything was cut.
        self.store.write(work.PLAN_NAME, self.plan.to_json())

    def restart(self) -> None:
        """Removes what jobs of the tiler left. Raises ChangedError for a folder of something else."""
        self._is_new = True
        if not any(work.files_of(self.store)):
            return
        try:
            held = json.loads(self.store.read(work.PLAN_NAME))
            is_own = "neatline-tiler" in held
        except (NotFoundError, ValueError, TypeError, RecursionError):
            is_own = False
        if not is_own:
            raise ChangedError(
                f"{self.store.address} has files, and no plan of the tiler: name another folder"
            )
        self.tidy()

    def tidy(self) -> None:
        """Removes what the job left, and the folder where nothing else is in it."""
        for name in list(work.files_of(self.store)):
            if not name.startswith(".") or self._is_stale(name):
                self.store.remove(name)
        self.store.remove(work.PLAN_NAME)
        if self.store.is_local:
            try:
                os.rmdir(self.store.path(""))
            except OSError:
                # Somebody else's files, or a worker that is still at it.
                pass

    def _is_stale(self, name: str) -> bool:
        if not self.store.is_local:
            return True
        try:
            return time.time() - os.path.getmtime(self.store.path(name)) > STALE_SECONDS
        except OSError:
            return False

    # ------------------------------------------------------------ tasks

    def _do(
        self,
        tasks: Sequence[Any],
        call: Callable[[Any], Tuple[Callable[..., Any], Tuple[Any, ...]]],
        look: Callable[[Any], None],
        done: Optional[Callable[[Any], None]] = None,
    ) -> None:
        """Has tasks done, here or by the executor; where a run is damaged that one needs, it is cut again."""
        if self._pool is not None:

            def begin(task: Any) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
                self._started[task] = time.monotonic()
                return call(task)

            hand_out(
                self._pool,
                tasks,
                begin,
                lambda task, _result: look(task),
                retries=self._retries,
                in_flight=self._in_flight,
                final=_FINAL,
                done=done,
                mend=self._mend,
            )
            return
        for task in tasks:

            def attempt(task: Any = task) -> None:
                while True:
                    self._started[task] = time.monotonic()
                    function, arguments = call(task)
                    try:
                        function(*arguments)
                        look(task)
                        return
                    except work.RunError as error:
                        if not self._mend(task, error):
                            raise

            attempts(attempt, self._retries, _FINAL)
            if done is not None:
                done(task)

    def _mend(self, task: Any, error: Exception) -> bool:
        """Cuts a run again that a task found damaged. False where that was not at fault, or came too
        often."""
        index = error.shard if isinstance(error, work.RunError) else None
        if index is None or not 0 <= index < len(self._records):
            return False
        when, times = self._mended.get(index, (0.0, 0))
        if when > self._started.get(task, 0.0):
            # Another task found it first, and this one had begun before.
            return True
        if times >= REPAIRS:
            return False
        for ending in ("json", "run"):
            self.store.remove(work.run_name(index, ending))
        self._cut_these([index])
        self._seal()
        # A task of this process may have fetched the damaged one just before.
        work.Fetched.of(self.store, self.id).forget(work.run_name(index, "run"))
        self._repaired += 1
        self._mended[index] = (time.monotonic(), times + 1)
        return True

    # ------------------------------------------------------------ steps

    def _cut(self, tell: _Teller) -> int:
        """Cuts the pieces whose runs are not there; returns how many."""
        for index in range(len(self._records)):
            self._records[index] = work.run_record(self.store, self.id, index)
        todo = [index for index, record in enumerate(self._records) if record is None]
        total, left = len(self._records), len(todo)
        tell("cut", total - left, total)

        def done(_index: int) -> None:
            nonlocal left
            left -= 1
            tell("cut", total - left, total)

        self._cut_these(todo, done)
        return len(todo)

    def _cut_these(self, todo: List[int], done: Optional[Callable[[int], None]] = None) -> None:
        def call(index: int) -> Tuple[Callable[..., Any], Tuple[Any, ...]]:
            source: Source = self.plan.sources[index]
            return work.cut, (self._address, self._options, self.settings, index, source)

        def look(index: int) -> None:
            record = work.run_record(self.store, self.id, index)
            if record is None:
                raise PartError(
                    f"the worker of {work.run_name(index)} says that it is done, and there is none",
                    index,
                )
            self._records[index] = record

        self._do(todo, call, look, done)

    def _seal(self) -> None:
        """Writes down which runs there are."""
        seals = [record["seal"] for record in self._records if record is not None]
        assert len(seals) == len(self._records)
        held = work.read_record(self.store, work.RUNS_NAME, self.id)
        if held is None or held.get("seals") != seals:
            work.write_record(self.store, work.RUNS_NAME, self.id, seals=seals)

    def _survey(self, count: int) -> None:
        task = Range(-1, 0, 0)

        def look(_task: Range) -> None:
            if work.ranges_record(self.store, self.id) is None:
                raise PartError(f"{self.store.path(work.RANGES_NAME)} is not there, or no list of ranges")

        arguments = (self._address, self._options, self.settings, count, self.plan.metadata)
        self._do([task], lambda _task: (work.survey, arguments), look)

    def _measure(self, ranges: List[Range], tell: _Teller) -> List[float]:
        """The thresholds of all ranges together, by zoom."""
        if "drop" not in self.plan.cut and "coalesce" not in self.plan.cut:
            return []
        todo = [each for each in ranges if work.needed(self.store, self.id, each) is None]
        left = len(todo)
        tell("measure", len(ranges) - left, len(ranges))

        def look(task: Range) -> None:
            if work.needed(self.store, self.id, task) is None:
                raise PartError(
                    f"{work.need_name(task.index)} is not there, or no list of thresholds", task.index
                )

        def done(_task: Range) -> None:
            nonlocal left
            left -= 1
            tell("measure", len(ranges) - left, len(ranges))

        arguments = (self._address, self._options, self.settings)
        self._do(todo, lambda task: (work.measure, (*arguments, task)), look, done)
        found = []
        for each in ranges:
            thresholds = work.needed(self.store, self.id, each)
            if thresholds is None:
                raise PartError(f"{self.store.path(work.need_name(each.index))} is gone", each.index)
            found.append(thresholds)
        return [max(each) for each in zip(*found)]

    def _write(self, ranges: List[Range], thresholds: List[float], tell: _Teller) -> int:
        """Writes the parts that are not there; returns how many."""
        todo = [each for each in ranges if work.part_record(self.store, self.id, each, thresholds) is None]
        total, left = len(ranges), len(todo)
        tell("write", total - left, total)

        def done(_task: Range) -> None:
            nonlocal left
            left -= 1
            tell("write", total - left, total)

        self._write_these(todo, thresholds, done)
        return len(todo)

    def _write_these(
        self, todo: List[Range], thresholds: List[float], done: Optional[Callable[[Range], None]] = None
    ) -> None:
        def look(task: Range) -> None:
            if work.part_record(self.store, self.id, task, thresholds) is None:
                raise PartError(
                    f"the worker of {work.part_name(task.index)} says that it is done, and there is none",
                    task.index,
                )

        arguments = (self._address, self._options, self.settings)
        self._do(todo, lambda task: (work.write, (*arguments, task, thresholds)), look, done)

    # ------------------------------------------------------------ putting together

    def _merge(
        self,
        out: _Target,
        ranges: List[Range],
        thresholds: List[float],
        tilejson: Dict[str, Any],
        tell: _Teller,
    ) -> List[Dict[str, Any]]:
        """Puts the parts into the target; returns what their writers told. One that was interrupted is
        continued behind the last part that is on the disk: the cursor is the number of the next tile, which
        is the same whatever the ranges are."""
        made = []
        options = {name: value for name, value in out.options.items() if value is not None}
        resume = False if self._is_new else None
        with ArchiveWriter(
            out.path, format="pbf", job=f"tiler {self.id}", resume=resume, **options
        ) as writer:
            begin, saved = writer.cursor or 0, time.monotonic()
            for task in ranges:
                tell("merge", task.index, len(ranges))
                part, record = self._whole(task, thresholds)
                made.append(record["report"])
                try:
                    for z, x, y, data in part.tiles_from(begin):
                        writer.add(z, x, y, data)
                finally:
                    part.close()
                if time.monotonic() - saved > CHECKPOINT_SECONDS:
                    writer.checkpoint(task.end)
                    saved = time.monotonic()
            tell("merge", len(ranges), len(ranges))
            writer.finish(tilejson)
        return made

    def _whole(self, task: Range, thresholds: List[float]) -> Tuple[Part, Dict[str, Any]]:
        """A part that was looked through, after having been written again as often as needed."""
        tries = 0
        while True:
            try:
                return self._look_through(task, thresholds)
            except PartError:
                if tries >= REPAIRS:
                    raise
                tries += 1
                self._repaired += 1
                for ending in ("json", "pmtiles"):
                    self.store.remove(work.part_name(task.index, ending))
                self._write_these([task], thresholds)

    def _look_through(self, task: Range, thresholds: List[float]) -> Tuple[Part, Dict[str, Any]]:
        name = work.part_name(task.index)
        record = work.part_record(self.store, self.id, task, thresholds)
        if record is None:
            raise PartError(f"{self.store.path(name)} is not there, or not of its size", task.index)
        if self.store.is_local:
            return Part(self.store.path(name), task.index, record), record
        with tempfile.TemporaryDirectory(prefix="neatline-tiler-") as folder:
            path = os.path.join(folder, name)
            self.store.fetch(name, path)
            # What is open stays readable when the folder is gone.
            return Part(path, task.index, record), record

"""What workers do, over a folder that all of them reach.

    plan.json           what the job is
    run-00012.run       the cut features of piece 12, and run-00012.json, its record
    runs.json           the seals of all runs, and ranges.json: the ranges of tiles, and their TileJSON
    need-00003.json     the thresholds of range 3, where features are dropped or coalesced
    part-00003.pmtiles  the tiles of range 3, and part-00003.json, its record

A file has its name when it is whole, and records are written last. A run is known by its seal: a hash of its
length and of its end, which holds a hash of the index, which holds those of all blocks.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from .._library import version
from ..errors import ArchiveError, FileError, NotFoundError
from ..pyramid.errors import ChangedError, PartError
from ..pyramid.memory import process_name
from ..pyramid.store import Folder, remove_quietly, temporary_name
from . import feed
from .fetch import Fetched
from .parts import checksum
from .plan import Settings, Source
from .vector import VectorTiler

RECORD_FORMAT = 1
RECORD_LIMIT = 64 << 20
PLAN_NAME, RUNS_NAME, RANGES_NAME = "plan.json", "runs.json", "ranges.json"
# Bytes at the end of a run that tell it from all others (see RunFile.swift).
RUN_END = 40


class RunError(PartError):
    """A run that is missing, damaged, or not the one that was made. `shard` is its number."""


class Range(NamedTuple):
    """Numbers of tiles, from, to before, and the number of the range."""

    index: int
    first: int
    end: int


def run_name(index: int, ending: str = "run") -> str:
    """A file of a run."""
    return f"run-{index:05d}.{ending}"


def part_name(index: int, ending: str = "pmtiles") -> str:
    """A file of a part."""
    return f"part-{index:05d}.{ending}"


def need_name(index: int) -> str:
    """The thresholds of a range."""
    return f"need-{index:05d}.json"


def write_record(store: Folder, name: str, plan: str, **members: Any) -> None:
    """Writes what is known of a file of a job."""
    record = {"neatline-tiler": RECORD_FORMAT, "plan": plan, "library": version(), **members}
    store.write(name, json.dumps(record, indent=1).encode() + b"\n")


def read_record(store: Folder, name: str, plan: str, **wanted: Any) -> Optional[Dict[str, Any]]:
    """A record of this job with these members; None where there is none, or another."""
    try:
        if (store.size(name) or 0) > RECORD_LIMIT:
            return None
        record = json.loads(store.read(name))
        wanted = {"neatline-tiler": RECORD_FORMAT, "plan": plan, "library": version(), **wanted}
        return record if all(record[key] == value for key, value in wanted.items()) else None
    except (NotFoundError, FileError, ValueError, KeyError, TypeError, RecursionError):
        return None


def _workspace(store: Folder) -> str:
    """A folder of this machine for what is being made."""
    return store.path("") if store.is_local else tempfile.gettempdir()


def seal_of(path: str) -> str:
    """What a run is known by."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        file.seek(max(0, size - RUN_END))
        return hashlib.sha256(b"%d " % size + file.read()).hexdigest()[:24]


# ---------------------------------------------------------------- cutting


def cut(folder: str, options: Any, settings: Settings, index: int, source: Source) -> None:
    """Cuts a piece into its run."""
    store, start = Folder(folder, options), time.perf_counter()
    place = os.path.join(_workspace(store), temporary_name(run_name(index)))
    try:
        with settings.tiler(_workspace(store)) as tiler:
            notes = feed.add(tiler, source, index)
            tiler.save(place)
        seal, size = seal_of(place), os.path.getsize(place)
        store.take(place, run_name(index))
    finally:
        remove_quietly(place)
        remove_quietly(place + ".part")
    write_record(
        store,
        run_name(index, "json"),
        settings.plan,
        run=index,
        bytes=size,
        seal=seal,
        notes=notes,
        seconds=round(time.perf_counter() - start, 6),
        worker=process_name(),
    )


def run_record(store: Folder, plan: str, index: int) -> Optional[Dict[str, Any]]:
    """The record of a run that is there and looks whole; None where it does not. Its blocks are compared with
    their hashes when they are read."""
    record = read_record(store, run_name(index, "json"), plan, run=index)
    if record is None or not isinstance(record.get("seal"), str):
        return None
    try:
        if store.size(run_name(index)) != record["bytes"]:
            return None
        if store.is_local and seal_of(store.path(run_name(index))) != record["seal"]:
            return None
    except (FileError, OSError):
        return None
    return record


# ---------------------------------------------------------------- ranges


def _loaded(store: Folder, settings: Settings, paths: Sequence[str], seals: Sequence[str]) -> VectorTiler:
    tiler = settings.tiler(_workspace(store))
    try:
        for index, (path, seal) in enumerate(zip(paths, seals)):
            try:
                if seal_of(path) != seal:
                    raise RunError(f"{path} is not the run that was made", index)
                tiler.load(path)
            except (ArchiveError, NotFoundError, OSError) as error:
                raise RunError(str(error), index) from None
    except BaseException:
        tiler.close()
        raise
    return tiler


class _Runs:
    """All runs in a tiler. Where one turns out to be damaged, RunError has its number."""

    def __init__(self, store: Folder, settings: Settings) -> None:
        record = read_record(store, RUNS_NAME, settings.plan)
        if record is None:
            raise ChangedError(f"{store.path(RUNS_NAME)} is not that of the job")
        self._store, self._settings, self._seals = store, settings, record["seals"]

    def __enter__(self) -> VectorTiler:
        names = [run_name(index) for index in range(len(self._seals))]
        self._fetched = Fetched.of(self._store, self._settings.plan)
        try:
            self._paths = self._fetched.paths(names, self._seals, seal_of)
        except (NotFoundError, FileError) as error:
            lost = next((index for index, name in enumerate(names) if name in str(error)), None)
            raise RunError(str(error), lost) from None
        try:
            self._tiler = _loaded(self._store, self._settings, self._paths, self._seals)
        except RunError as error:
            self._fetched.release(names[error.shard or 0])
            raise
        return self._tiler

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._tiler.close()
        bad = None
        if isinstance(error, ArchiveError):
            bad = next((index for index, path in enumerate(self._paths) if path in str(error)), None)
        self._fetched.release(None if bad is None else run_name(bad))
        if bad is not None:
            raise RunError(str(error), bad) from None


def survey(folder: str, options: Any, settings: Settings, count: int, metadata: Dict[str, Any]) -> None:
    """Divides the tiles of all runs into ranges, and describes them."""
    store = Folder(folder, options)
    with _Runs(store, settings) as tiler:
        write_record(
            store,
            RANGES_NAME,
            settings.plan,
            ranges=tiler.ranges(count),
            tilejson=tiler.describe(metadata),
        )


def ranges_record(store: Folder, plan: str) -> Optional[Tuple[List[Range], Dict[str, Any]]]:
    """The ranges and the TileJSON, where they are there."""
    record = read_record(store, RANGES_NAME, plan)
    try:
        if record is None or not isinstance(record["tilejson"], dict):
            return None
        found = [Range(index, int(a), int(b)) for index, (a, b) in enumerate(record["ranges"])]
    except (KeyError, TypeError, ValueError):
        return None
    # Without gaps, or tiles would be missing.
    bounds = [(each.first, each.end) for each in found]
    whole = bounds and bounds[0][0] == 0 and bounds[-1][1] == 2**64 - 1
    if not whole or any(a[1] != b[0] for a, b in zip(bounds, bounds[1:])):
        return None
    return found, record["tilejson"]


def measure(folder: str, options: Any, settings: Settings, task: Range) -> None:
    """Finds what the tiles of a range need so that they are within the limits."""
    store = Folder(folder, options)
    with _Runs(store, settings) as tiler:
        needed = tiler.thresholds(task.first, task.end)
    write_record(
        store, need_name(task.index), settings.plan, first=task.first, end=task.end, thresholds=needed
    )


def needed(store: Folder, plan: str, task: Range) -> Optional[List[float]]:
    """What `measure` found, where it is there."""
    record = read_record(store, need_name(task.index), plan, first=task.first, end=task.end)
    found = None if record is None else record.get("thresholds")
    if not isinstance(found, list) or not all(isinstance(each, (int, float)) for each in found):
        return None
    return found


# ---------------------------------------------------------------- writing


def write(folder: str, options: Any, settings: Settings, task: Range, thresholds: List[float]) -> None:
    """Writes the tiles of a range into its part."""
    store, start = Folder(folder, options), time.perf_counter()
    place = os.path.join(_workspace(store), temporary_name(part_name(task.index)))
    try:
        with _Runs(store, settings) as tiler:
            report = tiler.write(
                place, first=task.first, end=task.end, thresholds=thresholds, archive="pmtiles"
            )
        size, sha256 = checksum(place)
        store.take(place, part_name(task.index))
    finally:
        for ending in ("", ".partial", ".partial.journal", ".partial.sorted"):
            remove_quietly(place + ending)
    write_record(
        store,
        part_name(task.index, "json"),
        settings.plan,
        first=task.first,
        end=task.end,
        thresholds=thresholds,
        bytes=size,
        sha256=sha256,
        tiles=report["tiles"],
        report=report,
        seconds=round(time.perf_counter() - start, 6),
        worker=process_name(),
    )


def part_record(store: Folder, plan: str, task: Range, thresholds: List[float]) -> Optional[Dict[str, Any]]:
    """The record of a part that is there and looks whole, without its tiles being read."""
    record = read_record(
        store,
        part_name(task.index, "json"),
        plan,
        first=task.first,
        end=task.end,
        thresholds=thresholds,
    )
    numbers = ("bytes", "tiles")
    if record is None or not isinstance(record.get("report"), dict):
        return None
    if not isinstance(record.get("sha256"), str) or not all(
        type(record.get(each)) is int for each in numbers
    ):
        return None
    return record if store.size(part_name(task.index)) == record["bytes"] else None


def files_of(store: Folder) -> Iterator[str]:
    """What jobs leave in a folder, finished or not."""
    for name, _ in store.names():
        if name.lstrip(".").startswith(("run-", "part-", "need-")) or name in (RUNS_NAME, RANGES_NAME):
            yield name

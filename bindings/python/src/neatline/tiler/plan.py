"""What a job of the tiler is: its inputs and their pieces, its options, and by what it is known again."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from typing import Any, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from .._library import version
from .._values import as_json, mapping, several
from ..errors import InvalidArgumentError, LimitExceededError
from ..pyramid.addresses import local_path
from ..pyramid.errors import ChangedError
from ..pyramid.store import is_remote, open_remote
from . import inputs as sources
from .pieces import PIECE_BYTES, Piece, layer_name
from .vector import MAX_PARTS, VectorTiler

PLAN_FORMAT = 1


@dataclass(frozen=True)
class Input:
    """A file, or a folder of Parquet, that features come from.

    address: a path, an address of fsspec, or, for what OGR reads, of GDAL. layer: what tiles call its layer;
    else the file's name without its ending, or of a file with several layers the name of each. source_layer:
    the one layer of such a file that is read. columns: the properties that are read; else all. geometry: the
    geometry column of Parquet. crs: what the coordinates are in, whatever the file says. id: the column whose
    values become the ids (of GeoJSON: promote_id). filter: of the style specification, for its layer.
    options: fsspec's for the address.
    """

    address: Union[str, "os.PathLike[str]"]
    layer: Optional[str] = None
    source_layer: Optional[str] = None
    columns: Optional[Sequence[str]] = None
    geometry: Optional[str] = None
    crs: Optional[str] = None
    id: Optional[str] = None
    filter: Any = None
    options: Optional[Dict[str, Any]] = None


# What `tile` takes for an input.
AnyInput = Union[str, "os.PathLike[str]", Tuple[str, Union[str, "os.PathLike[str]"]], Input]


class Source(NamedTuple):
    """A piece, with the column of its ids. Its place in the list is the part that its features are."""

    piece: Piece
    id: Optional[str]


class Settings(NamedTuple):
    """What workers need to know of a job, small enough to go with each task. cut: options of VectorTiler."""

    plan: str
    layers: Dict[str, Any]
    cut: Dict[str, Any]
    memory: Optional[int]
    threads: int

    def tiler(self, folder: str) -> VectorTiler:
        """A tiler of the job. folder: of this machine, for what finds no room in memory."""
        return VectorTiler(
            self.layers, memory=self.memory, threads=self.threads, folder=folder or ".", **self.cut
        )


def as_input(value: AnyInput) -> Input:
    """An address, a pair of layer and address, or an Input, as an Input. Raises TypeError."""
    if isinstance(value, Input):
        return value
    if isinstance(value, (str, os.PathLike)):
        return Input(value)
    if isinstance(value, (tuple, list)) and len(value) == 2 and isinstance(value[0], str):
        return Input(value[1], layer=value[0])
    raise TypeError(
        f"{value!r} is no input: an address, a pair of a layer's name and an address, or tiler.Input() is"
    )


def layers_of(inputs: Iterable[AnyInput]) -> List[str]:
    """The names of the layers that inputs make. Raises what `inputs.splits` raises."""
    return list(Plan(inputs, filters=None, metadata=None, cut={}, piece_bytes=1 << 62).layers)


class Plan:
    """A job: its pieces in order, its layers with their filters, and what it is known by. Raises what
    `inputs.splits` raises, and InvalidArgumentError where layers, filters or options do not fit."""

    def __init__(
        self,
        inputs: Iterable[AnyInput],
        *,
        filters: Optional[Mapping[str, Any]],
        metadata: Optional[Mapping[str, Any]],
        cut: Dict[str, Any],
        piece_bytes: int = PIECE_BYTES,
    ) -> None:
        if isinstance(inputs, (str, bytes, os.PathLike, Input)):
            raise TypeError("inputs is a single input: a list of them is needed")
        given = [as_input(each) for each in several(inputs, "inputs")]
        if not given:
            raise InvalidArgumentError("there are no inputs")
        if cut.get("generate_id"):
            # Numbers run through a whole file.
            piece_bytes = 1 << 62
        self.cut = {name: value for name, value in cut.items() if value is not None}
        self.metadata = dict(mapping(metadata, "metadata")) if metadata is not None else {}
        self.sources: List[Source] = []
        self.layers: Dict[str, Any] = {}
        self._files: Dict[str, Any] = {}
        own: Dict[str, Any] = {}
        for each in given:
            names = self._add(each, piece_bytes)
            if each.filter is not None:
                for name in names:
                    if own.setdefault(name, each.filter) != each.filter:
                        raise InvalidArgumentError(f'the layer "{name}" has two filters')
        for name, wanted in ({} if filters is None else mapping(filters, "filters")).items():
            if name not in self.layers:
                raise InvalidArgumentError(
                    f'a filter of the layer "{name}", which there is not; there are {", ".join(self.layers)}'
                )
            if name in own:
                raise InvalidArgumentError(f'the layer "{name}" has two filters')
            own[name] = wanted
        for name, wanted in own.items():
            # Of any kind that JSON can tell, so that it is the same in all processes.
            self.layers[name] = json.loads(as_json(wanted))
        if len(self.sources) > MAX_PARTS:
            raise LimitExceededError(
                f"the inputs are {len(self.sources):,} pieces, the limit is {MAX_PARTS:,}: "
                "piece_bytes makes them larger"
            )
        # Whatever is wrong with layers, filters and options is found before the first feature is read.
        VectorTiler(self.layers, **self.cut).close()

    def _add(self, given: Input, piece_bytes: int) -> List[str]:
        address = os.fspath(given.address)
        columns = None if given.columns is None else list(given.columns)
        if columns is not None and given.id is not None and given.id not in columns:
            columns.append(given.id)
        pieces = sources.splits(
            address,
            layer=given.layer,
            source_layer=given.source_layer,
            geometry=given.geometry,
            columns=columns,
            crs=given.crs,
            options=given.options,
            piece_bytes=piece_bytes,
        )
        names = list(dict.fromkeys(each.layer for each in pieces))
        # A file without rows has its layer all the same.
        names = names or [given.layer if given.layer is not None else layer_name(address)]
        for name in names:
            self.layers.setdefault(name, None)
        for piece in pieces:
            if given.id is not None and not piece.is_arrow:
                raise InvalidArgumentError(f"{address}: GeoJSON has no use for id=; promote_id has")
            self.sources.append(Source(piece, given.id))
            if piece.address not in self._files:
                self._files[piece.address] = _state(piece)
        return names

    def members(self) -> Dict[str, Any]:
        """Everything that decides the tiles, as JSON has it. Options of file systems are left out: they may
        hold secrets."""
        return json.loads(
            as_json(
                {
                    "neatline-tiler": PLAN_FORMAT,
                    "library": version(),
                    "files": self._files,
                    "layers": self.layers,
                    "options": self.cut,
                    "metadata": self.metadata,
                    "pieces": [
                        {**_told(each.piece), "id": each.id} for each in self.sources
                    ],
                }
            )
        )  # fmt: skip

    @property
    def id(self) -> str:
        """What the job is known by."""
        return _digest(self.members())

    def to_json(self) -> bytes:
        """The plan's file."""
        members = self.members()
        return json.dumps({"id": _digest(members), **members}, indent=1).encode() + b"\n"

    def settings(self, memory: Optional[int], threads: int) -> Settings:
        """What workers are told."""
        return Settings(self.id, self.layers, self.cut, memory, threads)

    def refuse(self, held: bytes, place: str) -> None:
        """Raises ChangedError where a plan's file is not of this job, saying what is another."""
        try:
            other = json.loads(held)
            kept = other.pop("id")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise ChangedError(f"{place} is not a plan: remove the folder, or name another one") from None
        mine = self.members()
        if kept == _digest(mine) and other == mine:
            return
        raise ChangedError(
            f"{place} is of another job: {_difference(other, mine)}. Remove the folder, or name another one"
        )

    def check_files(self) -> None:
        """Raises ChangedError where an input is not what it was when the job was planned."""
        for each in {each.piece.address: each.piece for each in self.sources}.values():
            if _state(each) != self._files[each.address]:
                raise ChangedError(f"{each.address} has changed since the work began")


def _digest(members: Any) -> str:
    return hashlib.sha256(json.dumps(members, sort_keys=True).encode()).hexdigest()[:16]


def _told(piece: Piece) -> Dict[str, Any]:
    return asdict(replace(piece, options=None))


def _state(piece: Piece) -> Any:
    """What tells that a file is another: sizes and times, or what a file system has of the kind."""
    address = piece.address
    if is_remote(address):
        try:
            system, place = open_remote(address, piece.options)
            return [piece.size, str(system.ukey(place))]
        except Exception:  # noqa: BLE001  GDAL's own addresses, and systems that do not know
            return [piece.size]
    path = local_path(address)
    stem, ending = os.path.splitext(path)
    paths = [path]
    if ending.lower() == ".shp":
        paths += [stem + each for each in (".dbf", ".shx", ".prj", ".cpg")]
    elif os.path.isdir(path):
        paths += sorted(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)
    found = []
    for each in paths:
        try:
            about = os.stat(each)
        except OSError:
            continue
        found.append([about.st_size, about.st_mtime_ns])
    return found


def _difference(held: Dict[str, Any], mine: Dict[str, Any]) -> str:
    """What is another, in a few words."""
    try:
        if held["library"] != mine["library"]:
            return f"made with version {held['library']} of the library, this is {mine['library']}"
        for address in {**held["files"], **mine["files"]}:
            if address not in mine["files"]:
                return f"it has {address}"
            if address not in held["files"]:
                return f"it lacks {address}"
            if held["files"][address] != mine["files"][address]:
                return f"{address} has changed"
        for group in ("options", "layers", "metadata"):
            for name in sorted({**held[group], **mine[group]}):
                if held[group].get(name) != mine[group].get(name):
                    what = f'{group[:-1]} "{name}"' if group == "layers" else name
                    return f"{what} is {held[group].get(name)!r} there and {mine[group].get(name)!r} here"
    except (KeyError, TypeError, AttributeError):
        return "its plan is damaged"
    return "the inputs are cut into other pieces"

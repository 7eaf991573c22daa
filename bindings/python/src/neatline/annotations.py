"""Annotations: points, lines, areas and circles that an application shows on a map, and that people tap and drag."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Generic, Iterable, Iterator, List, Mapping, Optional, Sequence, Type, Union

from . import _abi
from ._annotation_base import Annotation, T
from ._annotation_types import CircleAnnotation, PointAnnotation, PolygonAnnotation, PolylineAnnotation
from ._library import lib, take_json
from ._values import as_json, instance, real, reals, several, shown, utf8, whole
from .errors import InvalidArgumentError, NotFoundError

if TYPE_CHECKING:
    from .map import Map

__all__ = [
    "Annotation", "AnnotationManager", "CircleAnnotation", "PointAnnotation", "PolygonAnnotation", "PolylineAnnotation",
]
_KINDS: Dict[str, Type[Any]] = {
    each._kind: each for each in (PointAnnotation, PolylineAnnotation, PolygonAnnotation, CircleAnnotation)
}


class AnnotationManager(Generic[T]):
    """Annotations of one kind, in a source and a layer of the manager's id, which every style of the map has:
    `Map.make_annotations`. What happens to them comes as events: "annotation_tapped", "annotation_long_pressed",
    "annotation_selected", "annotation_deselected", "annotation_drag_began", "annotation_drag_changed",
    "annotation_drag_ended". Belongs to the map's thread.

    It holds what the map has: `manager["id"]` is the annotation as it stands now, dragged or selected, and changing
    that does nothing until it is handed to `update`."""

    def __init__(self, map: "Map", id: str, type: Type[T], options: Mapping[str, Any]) -> None:
        instance(map, "Map", "map")
        self._map, self.id, self.type = map, id, type_of(type)
        kind = getattr(_abi.AnnotationKind, type._kind.upper())
        map._do(lib.neat_map_make_annotations, utf8(id, "id"), int(kind), as_json(options))

    def set(self, annotations: Iterable[T]) -> None:
        """Sets all annotations. Raises InvalidArgumentError or StyleError, naming the annotation and what is wrong, and
        changes nothing then."""
        self._change(_abi.AnnotationChange.SET, [self._json(each) for each in several(annotations, "annotations")])

    def add(self, annotations: Union[T, Iterable[T]]) -> None:
        """Adds one or several; one whose id is there takes its place. Raises as `set`."""
        self._change(_abi.AnnotationChange.ADD, [self._json(each) for each in _several(annotations)])

    def update(self, annotations: Union[T, Iterable[T]]) -> None:
        """Changes one or several that are there. Raises NotFoundError, and as `set`."""
        changed = [instance(each, Annotation, "annotations") for each in _several(annotations)]
        for each in changed:
            # Raises where it is not there.
            self[each.id]
        self.add(changed)

    def change(self, id: str, geometry: Any = None, **properties: Any) -> None:
        """Changes what is named of one: its geometry, and properties of the layer; None takes a property away. Raises
        NotFoundError, and as `set`."""
        json: Dict[str, Any] = {
            "id": id, "properties": {name.replace("_", "-"): value for name, value in properties.items()},
        }
        if geometry is not None:
            json["geometry"] = self.type(geometry)._json()["geometry"]
        self._change(_abi.AnnotationChange.UPDATE, [json])

    def remove(self, ids: Union[str, Iterable[str]]) -> None:
        """Removes one or several by their ids. Raises NotFoundError where one is not there, and removes none then."""
        self._change(_abi.AnnotationChange.REMOVE, [ids] if isinstance(ids, str) else several(ids, "ids"))

    def set_options(self, **options: Any) -> None:
        """Sets all options anew: see `Map.make_annotations`."""
        self._map._do(lib.neat_map_set_annotation_options, self.id, as_json(options_of(options)))

    def select(self, id: str, is_selected: bool = True) -> None:
        """Selects an annotation, or not any more. Raises NotFoundError."""
        self._map._do(lib.neat_map_select_annotation, self.id, utf8(id, "id"), int(bool(is_selected)))

    @property
    def selected(self) -> List[T]:
        """Those that are selected."""
        return [each for each in self if each.is_selected]

    def cluster(self, cluster: int, limit: Optional[int] = None, offset: int = 0) -> List[T]:
        """The annotations of a cluster, from the one at `offset` on, `limit` at most. Raises NotFoundError for one that
        is not there any more."""
        ids = self._take(
            lib.neat_map_annotation_cluster, whole(cluster, "cluster", 0, 2**64 - 1),
            (1 << 62) if limit is None else whole(limit, "limit", 0, 1 << 62), whole(offset, "offset", 0, 1 << 62),
        )
        return [self[id] for id in ids]

    def close(self) -> None:
        """Removes the manager with its annotations. Raises NotFoundError where it is not there any more."""
        self._map._do(lib.neat_map_remove_annotations, self.id)

    def __getitem__(self, id: str) -> T:
        return self.type._of(self._take(lib.neat_map_annotation, utf8(id, "id")))

    def __contains__(self, id: object) -> bool:
        try:
            self[str(id)]
        except NotFoundError:
            return False
        return True

    def __iter__(self) -> Iterator[T]:
        found = self._take(lib.neat_map_annotations)
        return iter([self.type._of(each) for each in found])

    def __bool__(self) -> bool:
        """A manager without annotations is one too."""
        return True

    def __len__(self) -> int:
        for each in take_json(lib.neat_map_annotation_managers, self._map._pointer):
            if each["id"] == self.id:
                return each["count"]
        return 0

    def _take(self, function: Any, *arguments: Any) -> Any:
        plain: List[Any] = []
        for argument in (self.id, *arguments):
            if isinstance(argument, str):
                argument = utf8(argument, "id")
            if isinstance(argument, bytes):
                plain += [argument, len(argument)]
            else:
                plain.append(argument)
        return take_json(function, self._map._pointer, *plain)

    def _json(self, annotation: T) -> Dict[str, Any]:
        if not isinstance(annotation, self.type):
            raise InvalidArgumentError(f"{type(annotation).__name__} is no {self.type.__name__}")
        return annotation._json()

    def _change(self, change: _abi.AnnotationChange, json: Sequence[Any]) -> None:
        self._map._do(lib.neat_map_change_annotations, self.id, int(change), as_json(json))


def managers_of(annotations: Iterable[Any]) -> List[Any]:
    """What an overlay has of annotations: a manager for each run of one kind, and managers as they are."""
    managers: List[Any] = []
    last: Any = None
    for each in several(annotations, "annotations"):
        if not isinstance(each, Annotation):
            last = None
            if not isinstance(each, Mapping):
                raise InvalidArgumentError(f"{type(each).__name__} is no annotation, and no manager of some")
            held = each.get("annotations")
            # What is no list is refused by the library, in its words.
            managers.append(
                each if not isinstance(held, (list, tuple))
                else {**each, "annotations": [one._json() if isinstance(one, Annotation) else one for one in held]}
            )
            continue
        if type(each) is not last:
            last = type(each)
            managers.append({"kind": each._kind, "annotations": []})
        managers[-1]["annotations"].append(each._json())
    return managers


def _several(annotations: Any) -> Iterable[Any]:
    return [annotations] if isinstance(annotations, Annotation) else several(annotations, "annotations")


_NAMES = {
    "layer_position": "layerPosition", "min_zoom": "minZoom", "max_zoom": "maxZoom", "tolerance": "tolerance",
    "selection": "selection", "cluster": "cluster", "source": "source",
}


def options_of(given: Mapping[str, Any]) -> Dict[str, Any]:
    """Options of a manager as the library takes them: what has no name of its own is a property of the layer."""
    options: Dict[str, Any] = {"properties": {}}
    for name, value in given.items():
        if name in _NAMES:
            options[_NAMES[name]] = value
        else:
            options["properties"][name.replace("_", "-")] = value
    return options


def type_of(kind: Union[str, Type[Any]]) -> Type[Any]:
    """The class of a kind."""
    if isinstance(kind, str):
        if kind not in _KINDS:
            raise InvalidArgumentError(f'kind "{kind}" is none of {", ".join(_KINDS)}')
        return _KINDS[kind]
    if kind not in _KINDS.values():
        raise InvalidArgumentError(f"{shown(kind)} is no class of annotations")
    return kind


def targets_of(map: "Map", point: Sequence[float], tolerance: Optional[float]) -> List[Dict[str, Any]]:
    """What is hit at a point."""
    x, y = reals(point, "point", 2)
    return take_json(
        lib.neat_map_annotations_at, map._pointer, x, y,
        -1.0 if tolerance is None else real(tolerance, "tolerance")
    )

"""What a map is asked: features that it draws or that its sources hold, states of features, clusters."""

from __future__ import annotations

import itertools
import json
import weakref
from ctypes import byref, c_uint64, string_at
from typing import Any, Callable, Dict, Generator, Generic, List, Mapping, Optional, Sequence, TypeVar

from . import _abi
from ._library import check, lib, take_json
from ._callbacks import words
from ._values import as_json, mapping, real, reals, several, whole
from ._waiting import Waiting
from .errors import InvalidArgumentError, NeatlineError, error_of

Answer = TypeVar("Answer")


class Question(Waiting, Generic[Answer]):
    """A question that a worker answers while the loop goes on. `await` it, or look at `done`, `result` and `error`
    while the loop runs."""

    def __init__(self, loop: Any, completion: Optional[Callable[["Question[Answer]"], Any]]) -> None:
        super().__init__(loop, completion)
        self.result: Optional[Answer] = None
        """The answer, once it is there."""
        self.error: Optional[NeatlineError] = None
        """Why there is none; CancelledError where the map was closed, or the question cancelled."""
        self._cancel: Callable[[], None] = lambda: None

    def cancel(self) -> None:
        """Does without the answer: who waits hears CancelledError. One that was answered is left alone."""
        if not self.done:
            self._cancel()

    def _end(self, result: Any, error: Optional[NeatlineError]) -> None:
        self.result, self.error = result, error
        self._end_with(self)

    def __await__(self) -> Generator[Any, None, Answer]:
        yield from self._wait()
        if self.error is not None:
            raise self.error
        return self.result  # type: ignore[return-value]


_numbers = itertools.count(1)
_asked: Dict[int, Question] = {}


@_abi.AnswerCallback
def _answered(context: Optional[int], status: int, message: bytes, answer: Optional[int], size: int) -> None:
    question = _asked.pop(context or 0, None)
    if question is None:
        return
    try:
        if status:
            question._end(None, error_of(status, message.decode("utf-8", "replace")))
        else:
            question._end(json.loads(string_at(answer, size)), None)
    except BaseException as error:  # noqa: B036  nothing may pass through the library
        if not question.done:
            # The answer cannot be read: who waits hears so.
            question._end(None, NeatlineError(words(error)))
        else:
            question._loop._keep(error)


class MapQueries:
    """What a Map is asked; its methods are a Map's."""

    _pointer: Any
    loop: Any

    def ask(self, question: Mapping[str, Any]) -> Any:
        """Answers a question at once: {"ask": "rendered-features" | "source-features" | "feature-state" |
        "cluster-children" | "cluster-leaves" | "cluster-expansion-zoom", …} with the members that neat_map_ask has.
        Raises InvalidArgumentError for other members and values, NotFoundError for what is not there,
        InvalidStateError before there is a style."""
        text = as_json(question)
        return take_json(lib.neat_map_ask, self._pointer, text, len(text))

    def ask_later(
        self, question: Mapping[str, Any], completion: Optional[Callable[[Question], Any]] = None
    ) -> Question:
        """As ask, by a worker while the loop goes on; by the camera of now. Returns at once what can be
        awaited. completion: called once, with it. Raises LimitExceededError where 1,000 questions are under way."""
        asked: Question = Question(self.loop, completion)
        number, text = next(_numbers), as_json(question)
        known = c_uint64()
        _asked[number] = asked
        # A question does not keep its map.
        reference = weakref.ref(self)
        try:
            check(lib.neat_map_ask_then(self._pointer, text, len(text), _answered, number, byref(known)))
        except BaseException:
            _asked.pop(number, None)
            raise

        def cancel() -> None:
            # The map may be closed by now, which has told it.
            map = reference()
            if _asked.pop(number, None) is not None:
                if map is not None and not map.closed:
                    check(lib.neat_map_cancel_question(map._pointer, known.value))
                asked._end(None, error_of(int(_abi.Status.CANCELLED), "the question was cancelled"))

        asked._cancel = cancel
        return asked

    def query(
        self,
        box: Optional[Sequence[float]] = None,
        layers: Optional[Sequence[str]] = None,
        filter: Any = None,
        *,
        polygon: Optional[Sequence[Sequence[float]]] = None,
        limit: Optional[int] = None,
    ) -> List[Dict[str, Any]]:
        """The features drawn at a point (x, y), in a box (x0, y0, x1, y1) or in a polygon of 3 to 1,000 points, all of
        device pixels, or in the whole view, topmost first, as GeoJSON."""
        return self.ask(_rendered(box, layers, filter, polygon, limit))

    def query_later(
        self,
        box: Optional[Sequence[float]] = None,
        layers: Optional[Sequence[str]] = None,
        filter: Any = None,
        *,
        polygon: Optional[Sequence[Sequence[float]]] = None,
        limit: Optional[int] = None,
        completion: Optional[Callable[[Question], Any]] = None,
    ) -> "Question[List[Dict[str, Any]]]":
        """As query, by a worker while the loop goes on: await it."""
        return self.ask_later(_rendered(box, layers, filter, polygon, limit), completion)

    def query_source(
        self,
        source: str,
        layers: Optional[Sequence[str]] = None,
        filter: Any = None,
        *,
        limit: Optional[int] = None,
    ) -> List[Dict[str, Any]]:
        """The features of a source in the tiles of the view that are loaded, drawn or not, as GeoJSON. layers: of its
        tiles; None: all. One that lies in several tiles comes once for each, with that tile's part of its geometry. A
        source that no visible layer uses loads no tiles. What cannot be read of a tile is told of once by a
        map_loading_error; ask, with "report": True in the question, says what the view lacks of the source."""
        return self.ask(_given("source-features", source=source, sourceLayers=_listed(layers), filter=filter, limit=limit))

    def feature_state(self, target: Mapping[str, Any]) -> Dict[str, Any]:
        """The state that was given to a feature; empty where it has none. target: source, sourceLayer, id."""
        return self.ask({**mapping(target, "target"), "ask": "feature-state"})

    def cluster_children(self, source: str, cluster: int) -> List[Dict[str, Any]]:
        """What a cluster of a source falls apart into at the next deeper zoom, as GeoJSON. Raises NotFoundError for a
        cluster that is not there (any more), InvalidStateError before the source's clusters are made."""
        return self.ask(_given("cluster-children", source=source, cluster=whole(cluster, "cluster", 0, 2**63)))

    def cluster_leaves(self, source: str, cluster: int, limit: int = 10, offset: int = 0) -> List[Dict[str, Any]]:
        """The points of a cluster of a source, at most `limit` after the first `offset`, as GeoJSON."""
        return self.ask(
            _given(
                "cluster-leaves", source=source, cluster=whole(cluster, "cluster", 0, 2**63),
                limit=whole(limit, "limit", 1, 2**40), offset=whole(offset, "offset", 0, 2**40),
            )
        )

    def cluster_expansion_zoom(self, source: str, cluster: int) -> int:
        """The zoom at which a cluster of a source falls apart."""
        return self.ask(_given("cluster-expansion-zoom", source=source, cluster=whole(cluster, "cluster", 0, 2**63)))


def _given(ask: str, **members: Any) -> Dict[str, Any]:
    return {"ask": ask, **{name: value for name, value in members.items() if value is not None}}


def _listed(names: Optional[Sequence[str]]) -> Optional[List[str]]:
    return None if names is None else several(names, "layers")


def _rendered(
    box: Optional[Sequence[float]],
    layers: Optional[Sequence[str]],
    filter: Any,
    polygon: Optional[Sequence[Sequence[float]]],
    limit: Optional[int],
) -> Dict[str, Any]:
    place: Dict[str, Any] = {}
    if box is not None and polygon is not None:
        raise InvalidArgumentError("a query has a box or a polygon, not both")
    if polygon is not None:
        place["polygon"] = [reals(each, "polygon", 2) for each in several(polygon, "polygon")]
    elif box is not None:
        edges = several(box, "box")
        if len(edges) not in (2, 4):
            raise InvalidArgumentError(f"box: (x, y) or (x0, y0, x1, y1), not {len(edges)} numbers")
        x0, y0, x1, y1 = (real(each, "box") for each in (edges if len(edges) == 4 else edges * 2))
        if x0 > x1 or y0 > y1:
            raise InvalidArgumentError(f"the box {x0}, {y0}, {x1}, {y1} is not ordered")
        place["box"] = [[x0, y0], [x1, y1]]
    return {**_given("rendered-features", layers=_listed(layers), filter=filter, limit=limit), **place}

"""Style expressions, legacy functions and filters."""

from __future__ import annotations

from ctypes import byref, c_double, c_float, c_size_t, c_uint8, c_uint32, sizeof
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from . import _arrays
from ._abi import ExpressionBudget, FormatKind
from ._library import Handle, check, lib, pointer_of, take_buffer, take_json
from ._values import as_json, as_value, real, several, utf8, whole
from .tile import Layer, Tile, layer_index


def _set_budget(
    pointer: Any, evaluation_bytes: int, evaluation_steps: int, call_bytes: int, call_steps: int
) -> None:
    most = 2**63 - 1
    budget = ExpressionBudget(
        struct_size=sizeof(ExpressionBudget),
        evaluation_bytes=whole(evaluation_bytes, "evaluation_bytes", 0, most),
        evaluation_steps=whole(evaluation_steps, "evaluation_steps", 0, most),
        call_bytes=whole(call_bytes, "call_bytes", 0, most),
        call_steps=whole(call_steps, "call_steps", 0, most),
    )
    check(lib.neat_expression_set_budget(pointer, byref(budget)))


class Expression(Handle):
    """A compiled expression. Threads may use it at the same time.

    json: the expression as a list, a legacy function as a dictionary, a constant, or JSON text.
    property: the name of the property that it is for, such as "line-width", or a property specification; None
    for any type. Raises ExpressionError, whose `errors` name the places at fault.
    """

    _destroy = "neat_expression_destroy"

    def __init__(self, json: Any, property: Union[str, Mapping[str, Any], None] = None) -> None:
        text = (
            as_json(json)
            if not isinstance(json, str) or json.lstrip()[:1] in ("[", "{", '"')
            else as_value(json)
        )
        spec = as_value(property)
        super().__init__(self._make(lib.neat_expression_compile, text, len(text), spec or None, len(spec)))

    @property
    def info(self) -> Dict[str, Any]:
        """isFeatureConstant, isZoomConstant, type."""
        return take_json(lib.neat_expression_info, self._pointer)

    def set_budget(
        self,
        *,
        evaluation_bytes: int = 0,
        evaluation_steps: int = 0,
        call_bytes: int = 0,
        call_steps: int = 0,
    ) -> None:
        """Bounds evaluations from now on: the bytes and steps of each, and of all that one call makes over a
        layer; 0 for the defaults of 16 MiB, 4,000,000, 256 MiB and 500,000,000."""
        _set_budget(self._pointer, evaluation_bytes, evaluation_steps, call_bytes, call_steps)

    def evaluate(
        self,
        feature: Optional[Mapping[str, Any]] = None,
        *,
        zoom: Optional[float] = None,
        heatmap_density: Optional[float] = None,
        line_progress: Optional[float] = None,
        elevation: Optional[float] = None,
        sky_radial_progress: Optional[float] = None,
        accumulated: Any = None,
        available_images: Optional[Sequence[str]] = None,
        canonical_id: Optional[Mapping[str, int]] = None,
        global_state: Optional[Mapping[str, Any]] = None,
    ) -> Any:
        """The value for one feature: a dictionary with any of "id", "properties", "geometry", "type",
        "state", or an object with `__geo_interface__`.

        canonical_id: the tile that `within` and `distance` see the geometry in, {"z", "x", "y"}.
        Raises ExpressionError where the evaluation fails.
        """
        inputs = {
            "zoom": zoom,
            "heatmapDensity": heatmap_density,
            "lineProgress": line_progress,
            "elevation": elevation,
            "skyRadialProgress": sky_radial_progress,
            "accumulated": accumulated,
            "availableImages": available_images,
            "canonicalID": canonical_id,
            "globalState": global_state,
        }
        settings = as_json({name: value for name, value in inputs.items() if value is not None})
        data = as_json(feature) if feature is not None else b""
        return take_json(
            lib.neat_expression_evaluate, self._pointer, settings, len(settings), data or None, len(data)
        )

    def evaluate_layer(self, tile: Tile, layer: Union[str, int, Layer], zoom: float = 0) -> Any:
        """The numbers for all features of a tile's layer: float64, NaN where the expression has none."""
        index = layer_index(tile, layer)
        values = (c_double * len(Layer(tile, index)))()
        check(
            lib.neat_expression_evaluate_layer(
                self._pointer, pointer_of(tile, "Tile", "tile"), index, real(zoom, "zoom"), values, len(values)
            )
        )
        return _arrays.numbers(values, "d")

    def evaluate_layer_colors(self, tile: Tile, layer: Union[str, int, Layer], zoom: float = 0) -> Any:
        """The colours for all features of a tile's layer: float32, four for each feature: red, green, blue,
        alpha in 0...1, not premultiplied; NaN where the expression has none. With numpy in rows of four."""
        index = layer_index(tile, layer)
        values = (c_float * (4 * len(Layer(tile, index))))()
        check(
            lib.neat_expression_evaluate_layer_colors(
                self._pointer, pointer_of(tile, "Tile", "tile"), index, real(zoom, "zoom"), values, len(values)
            )
        )
        colors = _arrays.numbers(values, "f")
        return colors.reshape(-1, 4) if hasattr(colors, "reshape") else colors

    def evaluate_layer_booleans(self, tile: Tile, layer: Union[str, int, Layer], zoom: float = 0) -> Any:
        """The booleans for all features of a tile's layer: uint8, 0 or 1, and 255 where the expression has
        none."""
        index = layer_index(tile, layer)
        values = (c_uint8 * len(Layer(tile, index)))()
        check(
            lib.neat_expression_evaluate_layer_booleans(
                self._pointer, pointer_of(tile, "Tile", "tile"), index, real(zoom, "zoom"), values, len(values)
            )
        )
        return _arrays.numbers(values, "B")

    def evaluate_layer_strings(self, tile: Tile, layer: Union[str, int, Layer], zoom: float = 0) -> List[str]:
        """The strings for all features of a tile's layer, the text of formatted text and the names of images
        too; empty where the expression has none."""
        index = layer_index(tile, layer)
        starts = (c_uint32 * (len(Layer(tile, index)) + 1))()
        text = take_buffer(
            lib.neat_expression_evaluate_layer_strings,
            self._pointer,
            pointer_of(tile, "Tile", "tile"),
            index,
            real(zoom, "zoom"),
            starts,
            len(starts),
        )
        return [text[start:end].decode() for start, end in zip(starts, starts[1:])]

    def evaluate_zooms(self, zooms: Sequence[float]) -> Any:
        """The numbers at some zooms, without a feature: float64, NaN where the expression has none."""
        zooms = [real(each, "zooms") for each in several(zooms, "zooms")]
        inputs = (c_double * len(zooms))(*zooms)
        values = (c_double * len(zooms))()
        check(lib.neat_expression_evaluate_zooms(self._pointer, inputs, len(values), values))
        return _arrays.numbers(values, "d")


class Filter(Handle):
    """A compiled filter, legacy or expression. Threads may use it at the same time."""

    _destroy = "neat_expression_destroy"

    def __init__(self, json: Any) -> None:
        text = as_json(json)
        super().__init__(self._make(lib.neat_filter_compile, text, len(text)))

    def set_budget(
        self,
        *,
        evaluation_bytes: int = 0,
        evaluation_steps: int = 0,
        call_bytes: int = 0,
        call_steps: int = 0,
    ) -> None:
        """Bounds evaluations from now on, as `Expression.set_budget` does. A feature for which the filter goes
        past it does not pass."""
        _set_budget(self._pointer, evaluation_bytes, evaluation_steps, call_bytes, call_steps)

    def matches(self, feature: Mapping[str, Any], *, zoom: float = 0) -> bool:
        """Whether a feature passes."""
        settings, data = as_json({"zoom": zoom}), as_json(feature)
        return take_json(
            lib.neat_expression_evaluate, self._pointer, settings, len(settings), data, len(data)
        )

    def select(self, tile: Tile, layer: Union[str, int, Layer], zoom: float = 0) -> Any:
        """The numbers of the features of a tile's layer that pass, in order: uint32."""
        index = layer_index(tile, layer)
        indices, count = (c_uint32 * len(Layer(tile, index)))(), c_size_t()
        check(
            lib.neat_filter_layer(
                self._pointer, pointer_of(tile, "Tile", "tile"), index, real(zoom, "zoom"), indices, len(indices),
                byref(count),
            )
        )
        return _arrays.numbers(indices, "I")[: count.value]


def format_expression(format: str, *arguments: Any, predicate: bool = False) -> Any:
    """The style expression that a format string of the older iOS SDKs stands for: a list, or the constant
    that it is.

    format: the string of an NSExpression, such as "mgl_step:from:stops:($zoomLevel, 1, %@)", or with
    predicate=True of an NSPredicate, such as "name CONTAINS 'x' AND rank < %d". docs/format-strings.md has
    every form. arguments: the values for the placeholders: None, booleans, numbers, strings, lists, and
    dictionaries (stops may have numbers for keys). {"$expression": ...} is a style expression, {"$color":
    ...} a colour: CSS text, or red, green, blue and alpha in 0...1.

    Raises, with the byte of the format string: ExpressionError (not readable, or operands of the wrong type
    or number), UnsupportedError (a form that style expressions have nothing for), InvalidArgumentError (a
    placeholder and its argument do not fit, or the argument is NaN or infinite), LimitExceededError.

    >>> neatline.format_expression("%K > 5", "rank", predicate=True)
    ['>', ['get', 'rank'], 5]
    """
    text, values = utf8(format, "format"), as_json(list(arguments))
    kind = FormatKind.PREDICATE if predicate else FormatKind.EXPRESSION
    return take_json(lib.neat_expression_from_format, text, len(text), values, len(values), kind)


def legacy_expression(function: Any, property: Union[str, Mapping[str, Any], None] = None) -> Any:
    """The expression of a legacy function such as {"base": 1.5, "stops": [[5, 1], [10, 4]]}; what is none
    comes back as it is.

    function: a dictionary, or text with {tokens}.
    property: the name of the property that the function is for, or its specification; its type and default
    decide what the function does. Raises ExpressionError for a faulty function, InvalidArgumentError for an
    unknown property.

    >>> neatline.legacy_expression({"stops": [[5, 1], [10, 4]]}, "line-width")
    ['interpolate', ['linear'], ['zoom'], 5, 1, 10, 4]
    """
    text = as_json([function])[1:-1]
    spec = as_value(property)
    return take_json(lib.neat_expression_from_legacy, text, len(text), spec or None, len(spec))


def legacy_filter(filter: Any) -> Any:
    """The expression that lets the same features through as a legacy filter; an expression comes back as it
    is.

    >>> neatline.legacy_filter(["in", "class", "primary", "secondary"])
    ['match', ['get', 'class'], ['primary', 'secondary'], True, False]
    """
    text = as_json(filter)
    return take_json(lib.neat_filter_from_legacy, text, len(text))

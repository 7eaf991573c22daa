"""Changes of the style of a map beyond single properties: sources, data, images, steps together, languages."""

from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

from . import _abi
from ._library import lib, pointer_of, take_json
from ._values import as_geojson, as_json, as_value, mapping, parsed_geojson, real, reals, several, utf8
from .errors import InvalidArgumentError
from .image import Image


def _step(step: Any) -> Dict[str, Any]:
    """A step that is given as a sequence: its command, then its arguments."""
    found = several(step, "a step")
    if not found:
        raise InvalidArgumentError("a step must have a command")
    return {"command": found[0], "args": found[1:]}


class StyleChanges:
    """What changes the style of a Map; its methods are a Map's."""

    _pointer: Any
    _do: Any
    _make: Any

    @property
    def layers(self) -> List[str]:
        """The ids of the style's layers, the lowest first. Raises InvalidStateError before there is a style."""
        return [layer["id"] for layer in take_json(lib.neat_map_info, self._pointer)["layers"]]

    @property
    def sources(self) -> List[str]:
        """The ids of the style's sources. Raises InvalidStateError before there is a style."""
        return [source["id"] for source in take_json(lib.neat_map_info, self._pointer)["sources"]]

    def source(self, id: str) -> Dict[str, Any]:
        """A source as it stands in the style. Raises NotFoundError."""
        name = utf8(id, "id")
        return take_json(lib.neat_map_source, self._pointer, name, len(name))

    def set_source_property(self, source: str, name: str, value: Any) -> None:
        """Sets a member of a source: data, url, tiles, maxzoom, cluster, coordinates; None removes it. The source
        begins anew, but an image source whose coordinates alone change keeps its picture. Raises NotFoundError,
        StyleError for values that the specification forbids."""
        self._do(lib.neat_map_set_source_property, utf8(source, "source"), utf8(name, "name"), as_value(value))

    def load_geojson(self, source: str, data: Any, data_id: str = "") -> None:
        """Has a worker read data, which then takes the place of that of a GeoJSON source, while the loop goes on. The
        event source_data_loaded tells with data_id that it is there, map_loading_error why not. Raises NotFoundError
        and InvalidArgumentError where there is no such GeoJSON source."""
        self._do(
            lib.neat_map_load_geojson, utf8(source, "source"), int(_abi.DataChange.REPLACE), as_geojson(data),
            utf8(data_id, "data_id"),
        )

    def load_geojson_update(self, source: str, diff: Mapping[str, Any], data_id: str = "") -> None:
        """As load_geojson, for a change by the ids of features: removeAll, remove, add, update."""
        self._do(
            lib.neat_map_load_geojson, utf8(source, "source"), int(_abi.DataChange.UPDATE), as_json(diff),
            utf8(data_id, "data_id"),
        )

    def add_features(self, source: str, features: Any, data_id: str = "") -> None:
        """Adds features to those of a GeoJSON source, in place of those of the same id, as load_geojson does: a
        collection, or what load_geojson takes."""
        document = mapping(parsed_geojson(features, "features"), "features")
        kind = document.get("type")
        found = document.get("features", []) if kind == "FeatureCollection" else [document]
        self.load_geojson_update(source, {"add": found}, data_id)

    def remove_features(self, source: str, ids: Iterable[Union[int, str]], data_id: str = "") -> None:
        """Removes features of a GeoJSON source by their ids, as load_geojson does; those that are not there are left
        out."""
        self.load_geojson_update(source, {"remove": several(ids, "ids")}, data_id)

    def update_image_source(self, source: str, image: Image) -> None:
        """Gives an image source another picture, whatever its url says. Raises NotFoundError, InvalidArgumentError for
        a source of another type."""
        self._do(lib.neat_map_update_image_source, utf8(source, "source"), pointer_of(image, "Image", "image"))

    def change_style(self, steps: Iterable[Union[Mapping[str, Any], Sequence[Any]]]) -> None:
        """Changes the style by several steps at once: all of them, or none where one fails; the message has its number,
        from 0 on. steps: ("setPaintProperty", layer, name, value), ("addLayer", layer, before) …, or {"command",
        "args"}, as style tools write them. Tiles are laid out anew once. Raises as the single changes do."""
        written = [
            step if isinstance(step, Mapping) else _step(step) for step in several(steps, "steps")
        ]
        self._do(lib.neat_map_change_style, as_json(written))

    @property
    def imports(self) -> List[Dict[str, Any]]:
        """The style, then those that it takes in: id ("" for the style itself, "a/b" for the import b of the import a),
        url, isLoaded, config (the values of what it leaves open), schema. Empty for a style that takes in none and has
        no schema. Raises InvalidStateError before there is a style."""
        return take_json(lib.neat_map_imports, self._pointer)

    def set_import_config(self, id: str, key: str, value: Any) -> None:
        """Sets what a style that is taken in leaves open, "" for the map's own: a value or an expression; None goes back
        to what the import says, or the schema. What was changed of the style since it was loaded stays. Raises
        NotFoundError, InvalidArgumentError for what the schema does not take."""
        self._do(lib.neat_map_set_import_config, utf8(id, "id"), utf8(key, "key"), as_value(value))

    def localize_labels(self, language: str, layers: Optional[Iterable[str]] = None) -> None:
        """Puts the names in the labels of symbol layers in a language ("ja", "zh-Hant", "pt_BR"), where the data has
        them. layers: only in these. Raises InvalidArgumentError for what is no language."""
        ids = b"" if layers is None else as_json(several(layers, "layers"))
        self._do(lib.neat_map_localize_labels, utf8(language, "language"), ids)

    def add_image(
        self,
        name: str,
        image: Image,
        ratio: float = 1,
        sdf: bool = False,
        *,
        stretch_x: Optional[Sequence[Tuple[float, float]]] = None,
        stretch_y: Optional[Sequence[Tuple[float, float]]] = None,
        content: Optional[Sequence[float]] = None,
        text_fit_width: Optional[str] = None,
        text_fit_height: Optional[str] = None,
        persistent: bool = False,
    ) -> None:
        """Adds an image that layers can name, or replaces it. stretch_x, stretch_y: parts that stretch with
        icon-text-fit, (from, to) in pixels of the image; None: all of it. content: (left, top, right, bottom) where the
        text stands. text_fit_width, text_fit_height: "stretchOrShrink", "stretchOnly", "proportional". persistent:
        every later style has it too; also before there is one. Raises InvalidArgumentError for parts that are not
        within the image."""
        said: Dict[str, Any] = {"pixelRatio": real(ratio, "ratio"), "sdf": bool(sdf), "persistent": bool(persistent)}
        for key, stretches in (("stretchX", stretch_x), ("stretchY", stretch_y)):
            if stretches is not None:
                said[key] = [reals(each, key, 2) for each in several(stretches, key)]
        if content is not None:
            said["content"] = [real(side, "content") for side in several(content, "content")]
        for key, fit in (("textFitWidth", text_fit_width), ("textFitHeight", text_fit_height)):
            if fit is not None:
                said[key] = fit
        self._do(lib.neat_map_add_image_with, utf8(name, "name"), pointer_of(image, "Image", "image"), as_json(said))

    def image(self, name: str) -> Image:
        """The pixels of an image that layers can name, of a sprite or added. Raises NotFoundError."""
        text = utf8(name, "name")
        return Image(self._make(lib.neat_map_image, self._pointer, text, len(text)))

    @property
    def images(self) -> List[Dict[str, Any]]:
        """The images that layers can name now: name, width, height, pixelRatio, sdf, and what they have of stretchX,
        stretchY, content, textFitWidth, textFitHeight."""
        return take_json(lib.neat_map_images, self._pointer)

"""What one picture shows over its map."""

from __future__ import annotations

from ctypes import byref, c_double
from typing import Any, Mapping, Optional, Sequence, Tuple

from ._library import Handle, check, lib, pointer_of
from ._values import as_geojson, as_json, mapping, real, several, utf8
from .annotations import managers_of
from .image import Image

#: Names of scale bars, by their numbers in the library.
SCALE_BARS = {None: 0, "metric": 1, "imperial": 2, "nautical": 3}


class Overlay(Handle):
    """Sources, layers and images that a style does not have. Threads may draw with it at the same time, once its
    images are added.

    data: GeoJSON in any form that neatline.GeoJSON takes, drawn as simplestyle-spec says (the properties stroke,
    stroke-width, stroke-opacity, fill, fill-opacity, marker-color, marker-size). Or sources and layers as styles have
    them, on top or below the style's layer `before`: `sources` may hold objects with `__geo_interface__` as data.
    annotations: PointAnnotation and its kin, drawn by a manager for each run of one kind; or managers,
    {"kind", "id", "options", "annotations"}, 64 at most. images: by name, as add_image takes them.

    Raises JSONError and InvalidArgumentError; sources and layers are checked when they are drawn. At most 64 MiB of
    JSON, 256 layers and 1024 images (LimitExceededError).
    """

    _destroy = "neat_overlay_destroy"

    def __init__(
        self,
        data: Any = None,
        *,
        sources: Optional[Mapping[str, Any]] = None,
        layers: Optional[Sequence[Any]] = None,
        before: Optional[str] = None,
        annotations: Optional[Sequence[Any]] = None,
        images: Optional[Mapping[str, Image]] = None,
    ) -> None:
        if data is not None and any(each is not None for each in (sources, layers, before, annotations)):
            raise TypeError("an overlay is of data, or of sources, layers and annotations")
        if data is not None:
            json = as_geojson(data)
        else:
            members = {"sources": sources or {}, "layers": several(layers, "layers") if layers is not None else []}
            if before is not None:
                members["before"] = before
            if annotations is not None:
                members["annotations"] = managers_of(annotations)
            json = as_json(members)
        super().__init__(self._make(lib.neat_overlay_create, json, len(json)))
        for name, image in (mapping(images, "images") if images is not None else {}).items():
            self.add_image(name, image)

    def add_image(self, name: str, image: Image, ratio: float = 1, sdf: bool = False) -> None:
        """Adds an image that the layers can name, or replaces the one of this name. ratio: pixels a logical pixel,
        above 0 to 16. sdf: its alpha is a signed distance field, which icon-color colours."""
        text, held = utf8(name, "name"), pointer_of(image, "Image", "image")
        check(lib.neat_overlay_add_image(self._pointer, text, len(text), held, real(ratio, "ratio"), int(bool(sdf))))

    @property
    def bounds(self) -> Tuple[float, float, float, float]:
        """(west, south, east, north) in degrees around the GeoJSON that it holds itself; west > east across the
        180th meridian. Raises NotFoundError where there is no place in it."""
        box = [c_double() for _ in range(4)]
        check(lib.neat_overlay_bounds(self._pointer, *(byref(side) for side in box)))
        return tuple(side.value for side in box)  # type: ignore[return-value]

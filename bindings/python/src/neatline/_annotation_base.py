"""What annotations of all kinds have."""

from __future__ import annotations

import dataclasses
import uuid
from typing import Any, ClassVar, Dict, Mapping, Type, TypeVar

from ._values import _geometry, real
from .errors import InvalidArgumentError

T = TypeVar("T", bound="Annotation")


@dataclasses.dataclass
class Annotation:
    """Something that an application shows on a map. geometry: a GeoJSON geometry, an object with
    `__geo_interface__`, or for points and circles a (longitude, latitude). id: text of 1 to 256 bytes; made where it is
    not given. user_info: anything that JSON has, kept with it."""

    _kind: ClassVar[str] = ""

    geometry: Any
    id: str = dataclasses.field(default_factory=lambda: uuid.uuid4().hex)
    user_info: Any = None
    is_draggable: bool = False
    is_selected: bool = False

    def _json(self) -> Dict[str, Any]:
        geometry = self.geometry
        if hasattr(geometry, "__geo_interface__"):
            geometry = _geometry(geometry)
        elif not isinstance(geometry, Mapping):
            try:
                longitude, latitude = geometry
            except (TypeError, ValueError):
                raise InvalidArgumentError(
                    f"{type(geometry).__name__} is no geometry: GeoJSON, an object with __geo_interface__, or a pair is"
                ) from None
            geometry = {"type": "Point", "coordinates": [real(longitude, "longitude"), real(latitude, "latitude")]}
        properties = {}
        for field in dataclasses.fields(self)[_BASE:]:
            value = getattr(self, field.name)
            if value is not None:
                properties[field.name.replace("_", "-")] = value
        json: Dict[str, Any] = {"id": self.id, "geometry": geometry, "properties": properties}
        if self.user_info is not None:
            json["userInfo"] = self.user_info
        if self.is_draggable:
            json["isDraggable"] = True
        if self.is_selected:
            json["isSelected"] = True
        return json

    @classmethod
    def _of(cls: Type[T], json: Mapping[str, Any]) -> T:
        properties = {name.replace("-", "_"): value for name, value in json.get("properties", {}).items()}
        return cls(
            geometry=json["geometry"],
            id=json["id"],
            user_info=json.get("userInfo"),
            is_draggable=json.get("isDraggable", False),
            is_selected=json.get("isSelected", False),
            **properties,
        )


_BASE = len(dataclasses.fields(Annotation))

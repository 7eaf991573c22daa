"""Vector tiles as columns."""

from __future__ import annotations

import json
from ctypes import byref, c_size_t, c_void_p, sizeof, string_at
from typing import Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Union

from . import _abi, _arrays
from ._library import Bytes, Handle, as_bytes, check, lib, pointer_of, take_buffer, take_json
from ._values import chosen, instance, member, shown, utf8, whole
from .errors import NeatlineError

#: Bytes of text that `Tile.to_geojson` makes at most, unless its caller says otherwise.
GEOJSON_LIMIT = 256 << 20

_FORMATS = {each.name.lower(): each for each in _abi.TileFormat}

GEOMETRY_NAMES = ("unknown", "point", "line", "polygon")


class Feature(NamedTuple):
    """One feature: id or None; "point", "line", "polygon" or "unknown"; properties; parts, each an array (N,
    2) of tile units."""

    id: Optional[int]
    type: str
    properties: Dict[str, Any]
    parts: List[Any]


class Layer:
    """One layer of a tile as columns: read-only numpy arrays (memoryviews without numpy) over the library's
    memory.

    types           uint8 a feature: 0 unknown, 1 point, 2 line, 3 polygon
    part_starts     uint32, features + 1: feature f has the parts part_starts[f] to part_starts[f + 1]
    point_starts    uint32, parts + 1: part p has the points point_starts[p] to point_starts[p + 1]
    points          int32 (N, 2): x and y in tile units, y downwards. Rings come without their closing point;
    outer rings have positive area ids, has_ids    uint64 and uint8 a feature; both are None where no feature
    has an id tag_starts      uint32, features + 1: feature f has the tags tag_starts[f] to tag_starts[f + 1]
    tags            uint32 (N, 2): the numbers of a key and of a value
    """

    def __init__(self, tile: "Tile", index: int) -> None:
        raw = _abi.TileLayer(struct_size=sizeof(_abi.TileLayer))
        number = whole(index, "index", 0, 2**63 - 1)
        check(lib.neat_tile_layer_at(pointer_of(tile, "Tile", "tile"), number, byref(raw)))
        self.tile = tile
        self.index = index
        self.name: str = (
            string_at(raw.name, raw.name_size).decode("utf-8", "replace") if raw.name_size else ""
        )
        self.version: int = raw.version
        self.extent: int = raw.extent
        self._count: int = raw.feature_count
        self._key_count: int = raw.key_count
        self._value_count: int = raw.value_count
        self._keys: Optional[List[str]] = None
        self._values: Optional[List[Any]] = None
        self.types = _arrays.view(raw.types, raw.feature_count, "B", tile._pointer)
        self.part_starts = _arrays.view(raw.part_starts, raw.feature_count + 1, "I", tile._pointer)
        self.point_starts = _arrays.view(raw.point_starts, raw.part_count + 1, "I", tile._pointer)
        self.points = _arrays.view(raw.points, raw.point_count * 2, "i", tile._pointer, columns=2)
        self.ids = _arrays.view(raw.ids, raw.feature_count, "Q", tile._pointer) if raw.ids else None
        self.has_ids = (
            _arrays.view(raw.has_ids, raw.feature_count, "B", tile._pointer) if raw.has_ids else None
        )
        self.tag_starts = _arrays.view(raw.tag_starts, raw.feature_count + 1, "I", tile._pointer)
        self.tags = _arrays.view(raw.tags, raw.tag_count * 2, "I", tile._pointer, columns=2)

    def __len__(self) -> int:
        return self._count

    @property
    def keys(self) -> List[str]:
        """The names of properties."""
        if self._keys is None:
            text, size = c_void_p(), c_size_t()
            keys = []
            for key in range(self._key_count):
                check(lib.neat_tile_key_at(self.tile._pointer, self.index, key, byref(text), byref(size)))
                keys.append(string_at(text, size.value).decode("utf-8", "replace") if size.value else "")
            self._keys = keys
        return self._keys

    @property
    def values(self) -> List[Any]:
        """The different values of properties."""
        if self._values is None:
            raw = _abi.Value()
            values = []
            for index in range(self._value_count):
                check(lib.neat_tile_value_at(self.tile._pointer, self.index, index, byref(raw)))
                values.append(_value(raw))
            self._values = values
        return self._values

    def properties(self, feature: int) -> Dict[str, Any]:
        """The properties of one feature."""
        feature = self._checked(feature)
        keys, values, tags = self.keys, self.values, self.tags
        return {
            keys[int(tags[tag, 0])]: values[int(tags[tag, 1])]
            for tag in range(int(self.tag_starts[feature]), int(self.tag_starts[feature + 1]))
        }

    def __getitem__(self, feature: int) -> Feature:
        feature = self._checked(feature)
        has_id = self.ids is not None and (self.has_ids is None or self.has_ids[feature])
        points = self.points
        if _arrays.numpy is None:
            points = points.tolist()
        parts = [
            points[int(self.point_starts[part]) : int(self.point_starts[part + 1])]
            for part in range(int(self.part_starts[feature]), int(self.part_starts[feature + 1]))
        ]
        number = int(self.ids[feature]) if has_id else None
        return Feature(number, GEOMETRY_NAMES[int(self.types[feature])], self.properties(feature), parts)

    def __iter__(self) -> Iterator[Feature]:
        return (self[feature] for feature in range(self._count))

    def _checked(self, feature: int) -> int:
        if type(feature) is not int:
            feature = whole(feature, "feature", -(2**63), 2**63 - 1)
        index = feature + self._count if feature < 0 else feature
        if not 0 <= index < self._count:
            raise IndexError(f"feature {shown(feature)} of layer {self.name!r}, which has {self._count}")
        return index

    def __repr__(self) -> str:
        counts = f"{self._count} features, {len(self.points)} points"
        return f"<neatline.Layer {self.name!r}: {counts}, extent {self.extent}>"


def _value(raw: _abi.Value) -> Any:
    kind, data = raw.type, getattr(raw, "as")
    if kind == _abi.ValueType.BOOL:
        return data.int_value != 0
    if kind == _abi.ValueType.INT:
        return data.int_value
    if kind == _abi.ValueType.UINT:
        return data.uint_value
    if kind == _abi.ValueType.DOUBLE:
        return data.double_value
    if kind in (_abi.ValueType.STRING, _abi.ValueType.JSON):
        text = string_at(data.text, raw.text_size).decode("utf-8", "replace") if raw.text_size else ""
        return json.loads(text) if kind == _abi.ValueType.JSON else text
    return None


class LayerInfo(NamedTuple):
    """What is known of a layer without decoding it. feature_count: features as they stand in the tile,
    whether they can be read or not."""

    name: str
    version: int
    extent: int
    feature_count: int
    key_count: int
    value_count: int


class TileFault(NamedTuple):
    """What cannot be read of a layer, and is left out. layer: its name, None where it has none that can be
    read. count: how many faults it has; message: why nothing of it is there, else the first of them; offset: its
    byte in the unpacked tile, or None."""

    layer: Optional[str]
    count: int
    message: str
    offset: Optional[int]


class _TextStream(Handle):
    """Text that the library writes in pieces."""

    _destroy = "neat_text_stream_destroy"

    def pieces(self) -> Iterator[bytes]:
        with self:
            while True:
                piece = c_void_p()
                check(lib.neat_text_stream_next(self._pointer, byref(piece)))
                if not piece:
                    return
                try:
                    yield string_at(lib.neat_buffer_data(piece), lib.neat_buffer_size(piece))
                finally:
                    lib.neat_buffer_destroy(piece)


class Tile(Handle, Mapping[str, Layer]):
    """A tile: a mapping from layers' names to layers, which one that is opened decodes when they are asked
    for. Threads may read it at the same time."""

    _destroy = "neat_tile_destroy"

    def __init__(self, pointer: c_void_p, source: Optional[bytes] = None) -> None:
        # source: what a tile that is opened reads from.
        super().__init__(pointer, source)
        # Layers refer to their tile, so the tile must not keep them: it would outlive its last user until the
        # next garbage collection.
        self._names: Dict[str, int] = {}
        for index in range(lib.neat_tile_layer_count(pointer)):
            try:
                self._names.setdefault(self.info(index).name, index)
            except NeatlineError:
                # A broken layer of a tile that is opened: told to who reads it by its number.
                if source is None:
                    raise

    def info(self, layer: Union[str, int, Layer]) -> LayerInfo:
        """What is known of a layer, given by name, number or itself, without decoding it."""
        raw = _abi.TileLayerInfo(struct_size=sizeof(_abi.TileLayerInfo))
        check(lib.neat_tile_layer_info_at(self._pointer, layer_index(self, layer), byref(raw)))
        name = string_at(raw.name, raw.name_size).decode("utf-8", "replace") if raw.name_size else ""
        return LayerInfo(name, raw.version, raw.extent, raw.feature_count, raw.key_count, raw.value_count)

    def property_values(self, layer: Union[str, int, Layer], key: str) -> List[Any]:
        """One property of all features of a layer, None where one has none. Of a tile that is opened no
        geometry is decoded."""
        index = layer_index(self, layer)
        count = self.info(index).feature_count
        values = (_abi.Value * max(count, 1))()
        text = utf8(key, "key")
        check(lib.neat_tile_property(self._pointer, index, text, len(text), values, count))
        return [_value(values[feature]) for feature in range(count)]

    @property
    def layers(self) -> List[Layer]:
        """The layers in the tile's order, those of the same name included."""
        return [Layer(self, index) for index in range(lib.neat_tile_layer_count(self._pointer))]

    def faults(self) -> List[TileFault]:
        """What is left out of the tile because it cannot be read, where that is recovered from: features, and
        whole layers, in the tile's order, of the first 32 layers that have any. A tile that is only opened is
        decoded for it. Raises TileError."""
        found = take_json(lib.neat_tile_faults, self._pointer)
        return [TileFault(f.get("layer"), f["count"], f["message"], f.get("offset")) for f in found]

    def __getitem__(self, name: str) -> Layer:
        return Layer(self, self._names[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    def to_geojson(
        self, z: Optional[int] = None, x: int = 0, y: int = 0, *, limit: int = GEOJSON_LIMIT
    ) -> Dict[str, Any]:
        """Feature collections by layer; coordinates in tile units, or in degrees where the tile's z, x and y
        are given. Features share the values of their layer, and so the text can be many times as long as the
        tile: raises LimitExceededError for more than `limit` bytes of it."""
        return json.loads(b"".join(self.geojson_pieces(z, x, y, limit=limit)))

    def geojson_pieces(
        self, z: Optional[int] = None, x: int = 0, y: int = 0, *, collection: bool = False,
        limit: Optional[int] = None,
    ) -> Iterator[bytes]:
        """The text of to_geojson in pieces of about 64 KiB, so that a text of any length can be written to a
        file or a socket. With collection, one feature collection whose features have their layer's name as the
        property "layer". Raises LimitExceededError where the text has more than `limit` bytes, before the
        first piece or behind some."""
        number = -1 if z is None else whole(z, "z", 0, 30)
        form = _abi.TileJsonForm.COLLECTION if collection else _abi.TileJsonForm.LAYERS
        most = 0 if limit is None else whole(limit, "limit", 1, 2**64 - 1)
        stream = _TextStream(Handle._make(
            lib.neat_tile_stream_json, self._pointer, number, whole(x, "x"), whole(y, "y"), form, most),
            # The text is made of the bytes that a tile which is opened reads from.
            self._pointer)
        return stream.pieces()

    def to_mvt(self) -> bytes:
        """The tile as Mapbox Vector Tile 2.1, not compressed."""
        return take_buffer(lib.neat_tile_encode_mvt, self._pointer)

    def __repr__(self) -> str:
        return f"<neatline.Tile {', '.join(self._names)}>"


def decode_tile(data: Bytes, format: str = "auto", strict: bool = False) -> Tile:
    """Decodes a vector tile, compressed by gzip or zlib or not.

    format: "auto", "mvt" or "mlt". strict: what the specification forbids fails; else what a map can recover
    is recovered. Raises TileError.
    """
    content = as_bytes(data)
    return Tile(Handle._make(lib.neat_tile_decode, content, len(content), _format(format), int(bool(strict))))


def open_tile(data: Bytes, format: str = "auto") -> Tile:
    """Opens a Mapbox Vector Tile, compressed by gzip or zlib or not, without decoding it.

    Names and counts of its layers are there at once (`Tile.info`), single properties are read without
    geometry (`Tile.property_values`), and a layer is decoded when it is first asked for. What is wrong with a
    layer is raised where it is read. `bytes` are not copied. A MapLibre tile is decoded. Raises TileError.
    """
    content = as_bytes(data)
    return Tile(Handle._make(lib.neat_tile_open_borrow, content, len(content), _format(format)), content)


def _format(name: str) -> int:
    known = _FORMATS.get(name) if isinstance(name, str) else None
    return member(_abi.TileFormat, "format", name) if known is None else known


def layer_index(tile: Tile, layer: Union[str, int, Layer]) -> int:
    """The number of a layer given by name, number or itself."""
    if isinstance(layer, Layer):
        return layer.index
    if isinstance(layer, str):
        return chosen(instance(tile, Tile, "tile")._names, "layer", layer)
    return whole(layer, "layer", 0, 2**63 - 1)

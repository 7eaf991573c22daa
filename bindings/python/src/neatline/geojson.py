"""GeoJSON cut into tiles and clustered."""

from __future__ import annotations

from ctypes import byref, c_uint32
from typing import Any, Dict, List, Optional

from ._library import Bytes, Handle, as_bytes, as_json, check, lib, take_json
from .errors import NotFoundError
from .tile import Tile


class GeoJSON(Handle):
    """GeoJSON that is cut into tiles on demand. Threads may use it at the same time.

    data: a dictionary, JSON text, or several documents on lines of their own. options: maxzoom, buffer, tolerance, extent, lineMetrics, generateId, promoteId and, for clusters, cluster,
    clusterRadius, clusterMinPoints, clusterMaxZoom, clusterProperties, as in the style specification. Raises GeoJSONError.
    """

    _destroy = "neat_geojson_destroy"

    def __init__(self, data: Any, **options: Any) -> None:
        text, wishes = as_json(data), as_json(options) if options else b""
        super().__init__(self._make(lib.neat_geojson_parse, text, len(text), wishes or None, len(wishes)))

    def __len__(self) -> int:
        return lib.neat_geojson_feature_count(self._pointer)

    def update(self, diff: Dict[str, Any]) -> None:
        """Changes the data by the ids of its features: removeAll, remove (ids), add (features) and update, as GeoJSONSourceDiff of MapLibre GL JS.

        Tiles got before stay as they are. Raises InvalidArgumentError where a feature has no id, naming it.
        """
        text = as_json(diff)
        check(lib.neat_geojson_update(self._pointer, text, len(text)))

    def tile(self, z: int, x: int, y: int) -> Optional[Tile]:
        """The XYZ tile, or None where it is empty."""
        try:
            return Tile(self._make(lib.neat_geojson_tile, self._pointer, z, x, y))
        except NotFoundError:
            return None

    def clusters(self, west: float, south: float, east: float, north: float, zoom: int) -> List[Dict[str, Any]]:
        """Clusters and single points in a box of degrees, as GeoJSON features. Raises InvalidStateError without the option cluster."""
        return take_json(lib.neat_geojson_clusters, self._pointer, west, south, east, north, zoom)

    def children(self, cluster: int) -> List[Dict[str, Any]]:
        """What a cluster falls into one zoom level on."""
        return take_json(lib.neat_geojson_cluster_children, self._pointer, cluster)

    def leaves(self, cluster: int, limit: int = 10, offset: int = 0) -> List[Dict[str, Any]]:
        """The points of a cluster."""
        return take_json(lib.neat_geojson_cluster_leaves, self._pointer, cluster, limit, offset)

    def expansion_zoom(self, cluster: int) -> int:
        """The zoom at which a cluster falls apart."""
        zoom = c_uint32()
        check(lib.neat_geojson_cluster_expansion_zoom(self._pointer, cluster, byref(zoom)))
        return zoom.value


class GeoJSONReader(Handle):
    """GeoJSON that comes in pieces, without ever being in memory as a whole. Not for two threads at once. options: those of GeoJSON."""

    _destroy = "neat_geojson_reader_destroy"

    def __init__(self, **options: Any) -> None:
        wishes = as_json(options) if options else b""
        super().__init__(self._make(lib.neat_geojson_reader_create, wishes or None, len(wishes)))

    def append(self, data: Bytes) -> None:
        """The next bytes, cut anywhere. Raises GeoJSONError with line and column in the whole text, then and from then on."""
        text = as_bytes(data)
        check(lib.neat_geojson_reader_append(self._pointer, text, len(text)))

    def finish(self) -> GeoJSON:
        """The document, when all of it came; the reader takes no more afterwards."""
        result = GeoJSON.__new__(GeoJSON)
        Handle.__init__(result, self._make(lib.neat_geojson_reader_finish, self._pointer))
        return result

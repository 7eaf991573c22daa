"""GeoJSON cut into tiles and clustered."""

from __future__ import annotations

from ctypes import byref, c_uint32
from typing import Any, Dict, List, Mapping, Optional

from ._library import Bytes, Handle, as_bytes, check, lib, take_json
from ._values import as_geojson, as_json, given, real, whole
from .errors import NotFoundError
from .tile import Tile


class GeoJSON(Handle):
    """GeoJSON that is cut into tiles on demand. Threads may use it at the same time.

    data: a dictionary, JSON text, several documents on lines of their own, a file as os.PathLike, an object
    with `__geo_interface__` (a GeoDataFrame, a shapely geometry), or a list of features and such objects.
    GeoDataFrames come in longitudes and latitudes, whatever their coordinate system.

    max_zoom (14), buffer (64), tolerance (3), extent (4096, with clusters 512): of the tiles. line_metrics,
    generate_id, promote_id; index_max_zoom (5), index_max_points (100000): what is cut at once. cluster:
    points near each other become one, within cluster_radius (40 pixels), of cluster_min_points (2) at least,
    from min_zoom (0) to cluster_max_zoom (16), with cluster_properties, as in the style specification.

    Raises GeoJSONError; InvalidArgumentError where a number is not finite, naming the feature.
    """

    _destroy = "neat_geojson_destroy"

    def __init__(
        self,
        data: Any,
        *,
        max_zoom: Optional[int] = None,
        buffer: Optional[float] = None,
        tolerance: Optional[float] = None,
        extent: Optional[int] = None,
        line_metrics: Optional[bool] = None,
        generate_id: Optional[bool] = None,
        promote_id: Optional[str] = None,
        index_max_zoom: Optional[int] = None,
        index_max_points: Optional[int] = None,
        cluster: Optional[bool] = None,
        min_zoom: Optional[int] = None,
        cluster_radius: Optional[float] = None,
        cluster_min_points: Optional[int] = None,
        cluster_max_zoom: Optional[float] = None,
        cluster_properties: Optional[Mapping[str, Any]] = None,
    ) -> None:
        text = as_geojson(data)
        wishes = given(
            maxzoom=max_zoom,
            buffer=buffer,
            tolerance=tolerance,
            extent=extent,
            line_metrics=line_metrics,
            generate_id=generate_id,
            promote_id=promote_id,
            index_max_zoom=index_max_zoom,
            index_max_points=index_max_points,
            cluster=cluster,
            minzoom=min_zoom,
            cluster_radius=cluster_radius,
            cluster_min_points=cluster_min_points,
            cluster_max_zoom=cluster_max_zoom,
            cluster_properties=cluster_properties,
        )
        super().__init__(self._make(lib.neat_geojson_parse, text, len(text), wishes, len(wishes)))

    def __len__(self) -> int:
        return lib.neat_geojson_feature_count(self._pointer)

    def update(self, diff: Dict[str, Any]) -> None:
        """Changes the data by the ids of its features: removeAll, remove (ids), add (features) and update, as
        GeoJSONSourceDiff of MapLibre GL JS.

        Tiles got before stay as they are. Raises InvalidArgumentError where a feature has no id, naming it.
        """
        text = as_json(diff)
        check(lib.neat_geojson_update(self._pointer, text, len(text)))

    def tile(self, z: int, x: int, y: int) -> Optional[Tile]:
        """The XYZ tile, or None where it is empty."""
        try:
            return Tile(
                self._make(lib.neat_geojson_tile, self._pointer, whole(z, "z"), whole(x, "x"), whole(y, "y"))
            )
        except NotFoundError:
            return None

    def clusters(
        self, west: float, south: float, east: float, north: float, zoom: int
    ) -> List[Dict[str, Any]]:
        """Clusters and single points in a box of degrees, as GeoJSON features. Raises InvalidStateError
        without the option cluster."""
        return take_json(
            lib.neat_geojson_clusters, self._pointer, real(west, "west"), real(south, "south"),
            real(east, "east"), real(north, "north"), whole(zoom, "zoom")
        )

    def children(self, cluster: int) -> List[Dict[str, Any]]:
        """What a cluster falls into one zoom level on."""
        return take_json(lib.neat_geojson_cluster_children, self._pointer, _identifier(cluster))

    def leaves(self, cluster: int, limit: int = 10, offset: int = 0) -> List[Dict[str, Any]]:
        """The points of a cluster."""
        return take_json(
            lib.neat_geojson_cluster_leaves,
            self._pointer,
            _identifier(cluster),
            whole(limit, "limit"),
            whole(offset, "offset"),
        )

    def expansion_zoom(self, cluster: int) -> int:
        """The zoom at which a cluster falls apart."""
        zoom = c_uint32()
        check(lib.neat_geojson_cluster_expansion_zoom(self._pointer, _identifier(cluster), byref(zoom)))
        return zoom.value


def _identifier(cluster: Any) -> int:
    return whole(cluster, "cluster", 0, 2**64 - 1)


class GeoJSONReader(Handle):
    """GeoJSON that comes in pieces, without ever being in memory as a whole. Not for two threads at once. The
    options are those of GeoJSON."""

    _destroy = "neat_geojson_reader_destroy"

    def __init__(
        self,
        *,
        max_zoom: Optional[int] = None,
        buffer: Optional[float] = None,
        tolerance: Optional[float] = None,
        extent: Optional[int] = None,
        line_metrics: Optional[bool] = None,
        generate_id: Optional[bool] = None,
        promote_id: Optional[str] = None,
        index_max_zoom: Optional[int] = None,
        index_max_points: Optional[int] = None,
        cluster: Optional[bool] = None,
        min_zoom: Optional[int] = None,
        cluster_radius: Optional[float] = None,
        cluster_min_points: Optional[int] = None,
        cluster_max_zoom: Optional[float] = None,
        cluster_properties: Optional[Mapping[str, Any]] = None,
    ) -> None:
        wishes = given(
            maxzoom=max_zoom,
            buffer=buffer,
            tolerance=tolerance,
            extent=extent,
            line_metrics=line_metrics,
            generate_id=generate_id,
            promote_id=promote_id,
            index_max_zoom=index_max_zoom,
            index_max_points=index_max_points,
            cluster=cluster,
            minzoom=min_zoom,
            cluster_radius=cluster_radius,
            cluster_min_points=cluster_min_points,
            cluster_max_zoom=cluster_max_zoom,
            cluster_properties=cluster_properties,
        )
        super().__init__(self._make(lib.neat_geojson_reader_create, wishes, len(wishes)))

    def append(self, data: Bytes) -> None:
        """The next bytes, cut anywhere. Raises GeoJSONError with line and column in the whole text, then and
        from then on."""
        text = as_bytes(data)
        check(lib.neat_geojson_reader_append(self._pointer, text, len(text)))

    def finish(self) -> GeoJSON:
        """The document, when all of it came; the reader takes no more afterwards."""
        result = GeoJSON.__new__(GeoJSON)
        Handle.__init__(result, self._make(lib.neat_geojson_reader_finish, self._pointer))
        return result

"""Neatline: draw MapLibre styles on the CPU, read vector tiles, run style expressions.

    >>> import neatline
    >>> neatline.render("style.json", zoom=3).save("map.png")
"""

from . import http, offline, shapes
from ._library import abi_version, version
from .animation import Animator
from .annotations import (
    Annotation,
    AnnotationManager,
    CircleAnnotation,
    PointAnnotation,
    PolygonAnnotation,
    PolylineAnnotation,
)
from .custom import CustomSource, CustomView
from .archive import Archive, ArchiveWriter, copy_archive, tile_geojson
from .camera import Eye, Limits, View
from .errors import (
    ArchiveError,
    CancelledError,
    DeadlineError,
    ExpressionError,
    FileError,
    FontError,
    GeoJSONError,
    ImageError,
    InvalidArgumentError,
    InvalidStateError,
    JSONError,
    LimitExceededError,
    NeatlineError,
    NetworkError,
    NotFoundError,
    OutOfMemoryError,
    StyleError,
    TileError,
    UnsupportedError,
)
from .events import Event, EventStream, Listener
from .expression import Expression, Filter, format_expression, legacy_expression, legacy_filter
from .fonts import Fonts
from .frame import Frame, FrameBuffer, FrameCommand, FrameTexture
from .geojson import GeoJSON, GeoJSONReader
from .image import Image, decode_image
from .location import (
    Heading,
    Location,
    LocationManager,
    LocationProvider,
    Puck,
    PuckModel,
    Pulsing,
    Replay,
    Track,
)
from .log import LogMessage, log_to_logging, set_log_callback
from .loop import EventLoop
from .map import CameraState, Map, StyleLoad
from .ornaments import Attribution, AttributionLink, Compass, Logo, OrnamentPlace, Ornaments, ScaleBar
from .overlay import Overlay
from .renderer import Problem, Renderer, render
from .resources import Resources
from .report import Missing, MissingWarning
from .queries import Question
from .snapshot import Snapshot, SnapshotOverlay, SnapshotRun, Snapshotter
from .style import Issue, localize_labels, migrate, validate
from .tracing import trace
from .tile import Feature, Layer, LayerInfo, Tile, TileFault, decode_tile, open_tile
from .view_annotations import ViewAnnotation, ViewAnnotationManager, ViewAnnotationPlacement
from .viewport import Viewport, ViewportRun, ViewportState, ViewportStatus, ViewportTransition, Way

__version__ = version()

__all__ = [
    "Animator",
    "Annotation",
    "AnnotationManager",
    "CircleAnnotation",
    "PointAnnotation",
    "PolygonAnnotation",
    "PolylineAnnotation",
    "CustomSource",
    "CustomView",
    "Archive",
    "ArchiveError",
    "ArchiveWriter",
    "Attribution",
    "AttributionLink",
    "CameraState",
    "CancelledError",
    "Compass",
    "DeadlineError",
    "Event",
    "EventLoop",
    "EventStream",
    "Expression",
    "ExpressionError",
    "Eye",
    "Feature",
    "FileError",
    "Filter",
    "FontError",
    "Fonts",
    "Frame",
    "FrameBuffer",
    "FrameCommand",
    "FrameTexture",
    "GeoJSON",
    "GeoJSONError",
    "GeoJSONReader",
    "Heading",
    "Image",
    "ImageError",
    "InvalidArgumentError",
    "InvalidStateError",
    "Issue",
    "JSONError",
    "Layer",
    "LayerInfo",
    "LimitExceededError",
    "Limits",
    "Listener",
    "Location",
    "LocationManager",
    "LocationProvider",
    "LogMessage",
    "Logo",
    "Map",
    "Missing",
    "MissingWarning",
    "NeatlineError",
    "NetworkError",
    "NotFoundError",
    "OrnamentPlace",
    "Ornaments",
    "OutOfMemoryError",
    "Overlay",
    "Problem",
    "Puck",
    "PuckModel",
    "Pulsing",
    "Question",
    "Renderer",
    "Replay",
    "Resources",
    "ScaleBar",
    "Snapshot",
    "SnapshotOverlay",
    "SnapshotRun",
    "Snapshotter",
    "StyleError",
    "StyleLoad",
    "Tile",
    "TileError",
    "TileFault",
    "Track",
    "UnsupportedError",
    "View",
    "ViewAnnotation",
    "ViewAnnotationManager",
    "ViewAnnotationPlacement",
    "Viewport",
    "ViewportRun",
    "ViewportState",
    "ViewportStatus",
    "ViewportTransition",
    "Way",
    "abi_version",
    "copy_archive",
    "decode_image",
    "decode_tile",
    "format_expression",
    "legacy_expression",
    "legacy_filter",
    "log_to_logging",
    "localize_labels",
    "migrate",
    "open_tile",
    "render",
    "set_log_callback",
    "tile_geojson",
    "trace",
    "validate",
    "version",
]

"""Data that several tests share."""

import json
import pathlib

import pytest

import neatline
from scripted_server import ScriptedServer

ROOT = pathlib.Path(__file__).resolve().parents[3]
DEMO = ROOT / "Examples/demo/style.json"

POINTS = {
    "type": "FeatureCollection",
    "features": [
        {
            "type": "Feature",
            "id": n,
            "properties": {"name": f"p{n}", "rank": n, "odd": n % 2 == 1, "share": n / 4},
            "geometry": {"type": "Point", "coordinates": [n * 10 - 20, 5]},
        }
        for n in range(5)
    ],
}
SQUARE = {
    "type": "Feature",
    "properties": {"kind": "land"},
    "geometry": {
        "type": "Polygon",
        "coordinates": [[[-40, -40], [40, -40], [40, 40], [-40, 40], [-40, -40]]],
    },
}


def style(*layers, **members):
    """A style over the square above."""
    return {
        "version": 8,
        "sources": {"square": {"type": "geojson", "data": SQUARE}},
        "layers": list(layers),
        **members,
    }


@pytest.fixture
def demo():
    return DEMO


@pytest.fixture
def red():
    return style({"id": "all", "type": "background", "paint": {"background-color": "#f00"}})


@pytest.fixture
def blue_square():
    return style(
        {"id": "all", "type": "background", "paint": {"background-color": "#fff"}},
        {
            "id": "square",
            "type": "fill",
            "source": "square",
            "paint": {"fill-color": "#00f", "fill-antialias": False},
        },
    )


@pytest.fixture
def points():
    """The five points as a tile, 0/0/0."""
    tile = neatline.GeoJSON(POINTS).tile(0, 0, 0)
    assert tile is not None
    return tile


@pytest.fixture
def points_text():
    return json.dumps(POINTS)


@pytest.fixture
def scripted():
    """A server on loopback; its `script` says how it answers."""
    server = ScriptedServer()
    yield server
    server.close()

"""How high places are, by elevation tiles that are loaded."""

import math
import pathlib

import neatline
import numpy as np
import PIL.Image
import pytest

PLAIN = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background"}]}
DEM = pathlib.Path(__file__).parents[4] / "shared/data/dem/innsbruck-terrain-rgb.mbtiles"


@pytest.fixture
def map():
    with neatline.Map(256, threads=1, retries=0) as made:
        yield made


def slope(folder):
    """A tile of the world in terrarium encoding: as many metres as there are pixels to the west."""
    pixels = np.zeros((256, 256, 3), np.uint8)
    pixels[..., 0], pixels[..., 1] = 128, np.arange(256)
    path = folder / "0/0/0.png"
    path.parent.mkdir(parents=True)
    PIL.Image.fromarray(pixels).save(path)
    tiles = (folder / "{z}/{x}/{y}.png").as_uri().replace("%7B", "{").replace("%7D", "}")
    return {"type": "raster-dem", "tiles": [tiles], "encoding": "terrarium", "maxzoom": 0, "tileSize": 256}


def show(map, source, center=(0, 0), zoom=0, **root):
    map.set_camera(center, zoom=zoom)
    layers = [{"id": "a", "type": "hillshade", "source": "dem"}]
    map.load_style({"version": 8, "sources": {"dem": source}, "layers": layers, **root})
    map.loop.run()


def test_the_elevation_of_places(map, tmp_path):
    with pytest.raises(neatline.InvalidStateError):
        map.elevation((0, 0))
    source = slope(tmp_path)
    show(map, source)
    # Pixels stand for their middles.
    for longitude in (-170, -90, 0, 45.5, 179):
        assert map.elevation((longitude, 10)) == pytest.approx((longitude + 180) / 360 * 256 - 0.5, abs=0.01)
        assert map.elevation((longitude + 360, -60)) == map.elevation((longitude, 10))
    assert map.elevation((0, 90)) == map.elevation((0, 0))
    show(map, source, terrain={"source": "dem", "exaggeration": 2})
    assert map.elevation((0, 0)) == pytest.approx(255, abs=0.01)
    map.load_style(PLAIN)
    map.loop.run()
    assert map.elevation((0, 0)) is None
    for place in ((0, 91), (math.nan, 0), (math.inf, 0)):
        with pytest.raises(neatline.InvalidArgumentError):
            map.elevation(place)


@pytest.mark.skipif(not DEM.exists(), reason=f"{DEM} is not there")
def test_the_elevation_of_a_town_and_its_mountain(map):
    source = {"type": "raster-dem", "url": f"mbtiles://{DEM}", "encoding": "mapbox", "tileSize": 256}
    show(map, source, (11.39, 47.27), 10)
    assert 560 < map.elevation((11.393, 47.268)) < 600
    assert 2100 < map.elevation((11.381, 47.3125)) < 2350

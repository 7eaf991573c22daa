"""A small world for the tests of pyramids: squares in a grid as vector tiles, with labels of none."""

import json
import pathlib

import neatline
from neatline import pyramid


def squares(step=20, skip=()):
    """Squares of every few degrees, each with a number of its own."""
    features = []
    for number, (lon, lat) in enumerate(
        (lon, lat) for lon in range(-180, 180, step) for lat in range(-80, 80, step)
    ):
        if number in skip:
            continue
        ring = [
            [lon + 1, lat + 1],
            [lon + step // 2, lat + 1],
            [lon + step // 2, lat + step // 3],
            [lon + 1, lat + 1],
        ]
        features.append(
            {
                "type": "Feature",
                "properties": {"n": number % 7},
                "geometry": {"type": "Polygon", "coordinates": [ring]},
            }
        )
    return {"type": "FeatureCollection", "features": features}


def make_style(folder, max_zoom=4, skip=()):
    """Writes `style.json` and the `land.pmtiles` that it draws, and returns the style's path."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    neatline.tile_geojson(
        {"land": squares(skip=skip)}, folder / "land.pmtiles", max_zoom=max_zoom, overwrite=True
    )
    style = {
        "version": 8,
        "name": "Squares",
        "sources": {"land": {"type": "vector", "url": "pmtiles://land.pmtiles", "attribution": "us"}},
        "layers": [
            {"id": "sea", "type": "background", "paint": {"background-color": "#9cf"}},
            {
                "id": "land",
                "type": "fill",
                "source": "land",
                "source-layer": "land",
                "paint": {
                    "fill-color": ["interpolate", ["linear"], ["get", "n"], 0, "#0a0", 6, "#a50"],
                    "fill-antialias": True,
                },
            },
            {
                "id": "edges",
                "type": "line",
                "source": "land",
                "source-layer": "land",
                "paint": {"line-width": 2},
            },
        ],
    }
    (folder / "style.json").write_text(json.dumps(style))
    return folder / "style.json"


def sequential(plan, target):
    """A plain loop over the tiles of a plan, in the order of their numbers."""
    from neatline.pyramid import hilbert

    numbers = sorted(
        hilbert.tile_id(z, x, y)
        for z in range(plan.min_zoom, plan.max_zoom + 1)
        for x in range(1 << z)
        for y in range(1 << z)
        if plan.area.count(z, x, y, 1)
    )
    assert len(numbers) == plan.tiles
    writer = neatline.ArchiveWriter(target, format=plan.format)
    with neatline.Renderer(plan.style, threads=1) as renderer:
        for z, x, y in map(hilbert.tile_of, numbers):
            image = renderer.draw_tile(z, x, y, plan.size, plan.ratio)
            writer.add(z, x, y, image.encode(plan.format, quality=plan.quality))
    writer.finish({**plan.tilejson, "neatline:plan": plan.id})
    return pathlib.Path(target).read_bytes()


def small_plan(folder, **options):
    """A plan of few tiles in several shards."""
    return pyramid.plan(make_style(folder), **{"max_zoom": 3, "shard_size": 16, **options})

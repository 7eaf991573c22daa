"""Features for the tests of the tiler: points, lines and polygons all over the world, the same each time."""

import json
import random


def feature(number, rng):
    """One of them, each third of a kind."""
    x, y = round(rng.uniform(-175, 170), 6), round(rng.uniform(-80, 80), 6)
    kind = number % 3
    if kind == 0:
        geometry = {"type": "Point", "coordinates": [x, y]}
    elif kind == 1:
        geometry = {"type": "LineString", "coordinates": [[x, y], [x + 2, y + 1], [x + 3, y]]}
    else:
        geometry = {"type": "Polygon", "coordinates": [[[x, y], [x + 1, y], [x + 1, y + 1], [x, y]]]}
    properties = {"n": number, "name": f"name {number % 11}"}
    if number % 5 == 0:
        properties["share"] = number / 2
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def features(count, seed=1):
    rng = random.Random(seed)
    return [feature(number, rng) for number in range(count)]


def write_lines(path, count, seed=1):
    """GeoJSON, a feature a line."""
    path.write_text("".join(json.dumps(each) + "\n" for each in features(count, seed)))
    return path


def crowd(path, count=12_000, seed=3):
    """Points, most of them in a few places: enough for several ranges of tiles, and for tiles past limits."""
    rng = random.Random(seed)
    lines = []
    for number in range(count):
        x, y = rng.choice([(10, 50), (-70, 0), (100, -30), (0, 0)])
        place = [round(rng.gauss(x, 15), 6), round(max(-80, min(80, rng.gauss(y, 12))), 6)]
        lines.append(
            json.dumps(
                {
                    "type": "Feature",
                    "properties": {"n": number, "name": f"place {number % 97}"},
                    "geometry": {"type": "Point", "coordinates": place},
                }
            )
        )
    path.write_text("\n".join(lines))
    return path

"""Reading, changing and writing tiles, GeoJSON and archives takes n log n at most."""

import json
import random
import struct
from ctypes import byref, c_size_t, c_void_p

import pytest

import neatline
from growth import Cases
from neatline._library import check, lib

CASES = Cases()


def text_of(function, *arguments):
    """The bytes of what a function writes, without reading them."""
    out = c_void_p()
    check(function(*arguments, byref(out)))
    lib.neat_buffer_destroy(out)


def collection(features):
    return json.dumps({"type": "FeatureCollection", "features": list(features)}).encode()


def point(i, **properties):
    return {"type": "Feature", "id": i, "properties": properties,
            "geometry": {"type": "Point", "coordinates": [i * 7919 % 3400 / 10 - 170, i * 104729 % 1600 / 10 - 80]}}


def ring(n, x=0.0, y=0.0, size=10.0):
    places = [[x + size * random.Random(i).random(), y + size * i / n] for i in range(n // 2)]
    return [[x - size, y], *places, [x - size, y + size], [x - size, y]]


def shape(type, coordinates, **properties):
    return {"type": "Feature", "id": 1, "properties": properties, "geometry": {"type": type, "coordinates": coordinates}}


# ---------------------------------------------------------------- GeoJSON, by what there is much of

DOCUMENTS = {
    "points": (4000, lambda n: collection(point(i, a=i, b="x") for i in range(n))),
    "names_of_properties": (8000, lambda n: collection([point(1, **{f"k{i}": i for i in range(n)})])),
    "names_of_properties_by_feature": (4000, lambda n: collection(point(i, **{f"k{i}": i}) for i in range(n))),
    "equal_names": (8000, lambda n: b'{"type": "Feature", "geometry": null, "properties": {%s}}' % b",".join(
        b'"k": %d' % i for i in range(n))),
    "nested_properties": (8000, lambda n: collection([point(1, a=[{"b": i} for i in range(n)])])),
    "long_text": (400000, lambda n: collection([point(1, a="é\n\"" * (n // 4))])),
    "members": (8000, lambda n: json.dumps({"type": "Feature", "properties": {}, "geometry": None,
                                            **{f"m{i}": i for i in range(n)}}).encode()),
    "multi_point": (20000, lambda n: collection([shape("MultiPoint", [[i % 170, i % 80] for i in range(n)])])),
    "line": (20000, lambda n: collection([shape("LineString", [[i % 170, i * 7919 % 800 / 10] for i in range(n)])])),
    "line_of_one_place": (20000, lambda n: collection([shape("LineString", [[1, 1]] * n)])),
    "straight_line": (20000, lambda n: collection([shape("LineString", [[160 * i / n, 40 * i / n] for i in range(n)])])),
    "parabola": (20000, lambda n: collection([shape("LineString", [[160 * i / n, 80 * (i / n) ** 2] for i in range(n)])])),
    "ring": (20000, lambda n: collection([shape("Polygon", [ring(n)])])),
    "holes": (1500, lambda n: collection([shape("Polygon", [
        [[-170, -80], [170, -80], [170, 80], [-170, 80], [-170, -80]],
        *[[[x, y], [x, y + 0.5], [x + 0.5, y + 0.5], [x + 0.5, y], [x, y]]
          for i in range(n) for x, y in [(i % 330 - 165, i // 330 * 2 - 79)]]])])),
    "polygons": (1500, lambda n: collection([shape("MultiPolygon", [[
        [[x, y], [x + 0.5, y], [x + 0.5, y + 0.5], [x, y + 0.5], [x, y]]]
        for i in range(n) for x, y in [(i % 330 - 165, i // 330 * 2 - 79)]])])),
    "geometries": (3000, lambda n: json.dumps({"type": "Feature", "properties": {}, "geometry": {
        "type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [i % 170, 1]} for i in range(n)]}}).encode()),
    "lines": (4000, lambda n: b"\n".join(json.dumps(point(i)).encode() for i in range(n))),
}


def parsed(text, **options):
    given = json.dumps(options).encode()
    out = c_void_p()
    check(lib.neat_geojson_parse(text, len(text), given, len(given), byref(out)))
    return out


def parse(n, make, **options):
    text = make(n)
    return lambda: lib.neat_geojson_destroy(parsed(text, **options))


def push(n, make, piece):
    text = make(n)

    def run():
        reader, out = c_void_p(), c_void_p()
        check(lib.neat_geojson_reader_create(b"", 0, byref(reader)))
        for at in range(0, len(text), piece):
            part = text[at:at + piece]
            check(lib.neat_geojson_reader_append(reader, part, len(part)))
        check(lib.neat_geojson_reader_finish(reader, byref(out)))
        lib.neat_geojson_reader_destroy(reader)
        lib.neat_geojson_destroy(out)

    return run


def cut(n, make, z=0):
    data = neatline.GeoJSON(make(n))
    return lambda: data.tile(z, 0, 0)


def encode(n, make):
    tile = neatline.GeoJSON(make(n)).tile(0, 0, 0)
    return lambda: text_of(lib.neat_tile_encode_mvt, tile._pointer) if tile else None


def decode(n, make):
    tile = neatline.GeoJSON(make(n), tolerance=0).tile(0, 0, 0)
    data = tile.to_mvt() if tile else b""
    return lambda: neatline.decode_tile(data)


def write(n, make):
    tile = neatline.GeoJSON(make(n), tolerance=0).tile(0, 0, 0)
    return lambda: list(tile.geojson_pieces(0, 0, 0)) if tile else None


def triangulate(n, make):
    tile = neatline.GeoJSON(make(n), tolerance=0).tile(0, 0, 0)

    def run():
        indices, starts = c_void_p(), c_void_p()
        check(lib.neat_mesh_triangulate_layer(tile._pointer, 0, byref(indices), byref(starts)))
        lib.neat_buffer_destroy(indices)
        lib.neat_buffer_destroy(starts)

    return run


for name, (count, make) in DOCUMENTS.items():
    CASES[f"parse_{name}"] = (lambda n, make=make: parse(n, make), count)
    CASES[f"push_{name}"] = (lambda n, make=make: push(n, make, 1024), count)
    CASES[f"cut_{name}"] = (lambda n, make=make: cut(n, make), count)
    CASES[f"encode_{name}"] = (lambda n, make=make: encode(n, make), count)
    CASES[f"decode_{name}"] = (lambda n, make=make: decode(n, make), count)
    CASES[f"write_{name}"] = (lambda n, make=make: write(n, make), count)
for name in ("ring", "holes", "polygons"):
    CASES[f"triangulate_{name}"] = (lambda n, make=DOCUMENTS[name][1]: triangulate(n, make), DOCUMENTS[name][0])
CASES["push_bytes"] = (lambda n: push(n, DOCUMENTS["points"][1], 3), 400)
CASES["parse_promoted"] = (lambda n: parse(n, DOCUMENTS["points"][1], promoteId="a"), 4000)


def update(n, diff):
    """A change of n features of n by their ids."""
    data = neatline.GeoJSON(collection(point(i, a=i) for i in range(n)))
    text = json.dumps(diff(n)).encode()
    return lambda: check(lib.neat_geojson_update(data._pointer, text, len(text)))


@CASES.case(4000)
def update_added(n):
    return update(n, lambda n: {"add": [point(n + i, a=i) for i in range(n)]})


@CASES.case(4000)
def update_removed(n):
    return update(n, lambda n: {"remove": list(reversed(range(n)))})


@CASES.case(4000)
def update_changed(n):
    return update(n, lambda n: {"update": [
        {"id": i, "newGeometry": {"type": "Point", "coordinates": [1, 1]}, "addOrUpdateProperties": [{"key": "a", "value": 1}]}
        for i in reversed(range(n))]})


@CASES.case(4000)
def update_properties_of_one(n):
    return update(n, lambda n: {"update": [{"id": 0, "addOrUpdateProperties": [{"key": f"k{i}", "value": 1} for i in range(n)]}]})


@CASES.case(4000)
def update_properties_removed_of_one(n):
    data = neatline.GeoJSON(collection([point(0, **{f"k{i}": i for i in range(n)})]))
    text = json.dumps({"update": [{"id": 0, "removeProperties": [f"k{i}" for i in range(n)]}]}).encode()
    return lambda: check(lib.neat_geojson_update(data._pointer, text, len(text)))


# ---------------------------------------------------------------- clusters


def clustered(n, near=False):
    return neatline.GeoJSON(
        collection(point(0 if near else i, a=i) for i in range(n)), cluster=True, cluster_max_zoom=10,
        cluster_properties={"sum": ["+", ["get", "a"]]})


@CASES.case(2000)
def cluster_far(n):
    text = collection(point(i, a=i) for i in range(n))
    return lambda: lib.neat_geojson_destroy(parsed(text, cluster=True))


@CASES.case(2000)
def cluster_near(n):
    text = collection(point(0, a=i) for i in range(n))
    return lambda: lib.neat_geojson_destroy(parsed(text, cluster=True, clusterProperties={"sum": ["+", ["get", "a"]]}))


@CASES.case(4000)
def cluster_leaves(n):
    data = clustered(n, near=True)
    found, = data.clusters(-180, -85, 180, 85, 0)
    return lambda: text_of(lib.neat_geojson_cluster_leaves, data._pointer, found["id"], 1 << 30, 0)


@CASES.case(4000)
def cluster_boxes(n):
    data = clustered(n)
    return lambda: text_of(lib.neat_geojson_clusters, data._pointer, -180.0, -85.0, 180.0, 85.0, 16)


@CASES.case(4000)
def cluster_tile(n):
    data = clustered(n)
    return lambda: data.tile(0, 0, 0).to_mvt()


# ---------------------------------------------------------------- Mapbox Vector Tiles


def varint(number):
    result = bytearray()
    while number > 127:
        result.append(number & 127 | 128)
        number >>= 7
    return bytes(result) + bytes([number])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def layer(name=b"l", features=(), keys=(), values=()):
    return field(3, field(1, name) + b"".join(field(2, each) for each in features) + b"".join(field(3, key) for key in keys)
                 + b"".join(field(4, field(1, value)) for value in values) + b"\x78\x02")


def feature(tags=b"", geometry=b"\x09\x02\x02", type=b"\x01"):
    return field(2, tags) + b"\x18" + type + field(4, geometry)


TILES = {
    "features": (20000, lambda n: layer(features=[feature()] * n)),
    "layers": (1500, lambda n: b"".join(layer(b"l%d" % i, [feature()]) for i in range(n))),
    "equal_layers": (1500, lambda n: layer(b"l", [feature()]) * n),
    "keys": (8000, lambda n: layer(features=[feature()], keys=[b"k%d" % i for i in range(n)])),
    "equal_keys": (8000, lambda n: layer(features=[feature()], keys=[b"k"] * n)),
    "values": (8000, lambda n: layer(features=[feature()], values=[b"v%d" % i for i in range(n)])),
    "tags_of_a_feature": (8000, lambda n: layer(
        features=[feature(b"".join(varint(i) + b"\0" for i in range(n)))], keys=[b"k%d" % i for i in range(n)], values=[b"v"])),
    "tags_of_features": (4000, lambda n: layer(
        features=[feature(varint(i) + varint(i)) for i in range(n)], keys=[b"k%d" % i for i in range(n)],
        values=[b"v%d" % i for i in range(n)])),
    "points": (40000, lambda n: layer(features=[feature(geometry=varint(n << 3 | 1) + b"\x02\x02" * n)])),
    "rings": (8000, lambda n: layer(features=[feature(type=b"\x03", geometry=b"\x09\x02\x02\x1a\x14\0\0\x14\x13\0\x0f" * n)])),
    "flat_rings": (8000, lambda n: layer(features=[feature(type=b"\x03", geometry=b"\x09\x02\x02\x1a\x14\0\x13\0\0\0\x0f" * n)])),
    "broken_features": (20000, lambda n: layer(features=[feature(geometry=b"\x0a")] * n)),
    "broken_layers": (1500, lambda n: field(3, b"\x08") * n),
}


def closed(function, *arguments):
    out = c_void_p()
    check(function(*arguments, byref(out)))
    lib.neat_tile_destroy(out)


for name, (count, make) in TILES.items():
    if name == "broken_layers":
        continue
    CASES[f"mvt_decode_{name}"] = (lambda n, make=make: (lambda data: lambda: closed(
        lib.neat_tile_decode, data, len(data), 1, 0))(make(n)), count)
    CASES[f"mvt_faults_{name}"] = (lambda n, make=make: (lambda tile: lambda: tile.faults())(neatline.open_tile(make(n))), count)
    CASES[f"mvt_encode_{name}"] = (lambda n, make=make: (lambda tile: lambda: text_of(
        lib.neat_tile_encode_mvt, tile._pointer))(neatline.decode_tile(make(n))), count)
    CASES[f"mvt_write_{name}"] = (lambda n, make=make: (lambda tile: lambda: text_of(
        lib.neat_tile_to_json, tile._pointer, 0, 0, 0))(neatline.decode_tile(make(n))), count)


@CASES.case(2000)
def mvt_all_properties(n):
    """Each of n properties of one feature."""
    tile = neatline.open_tile(TILES["tags_of_a_feature"][1](n))
    value = neatline._abi.Value()
    return lambda: [lib.neat_tile_key_at(tile._pointer, 0, i, byref(c_void_p()), byref(c_size_t())) for i in range(n)]


@CASES.case(20000)
def mvt_property(n):
    tile = neatline.open_tile(layer(features=[feature(b"\0\0")] * n, keys=[b"k"], values=[b"v"]))
    values = (neatline._abi.Value * n)()
    return lambda: check(lib.neat_tile_property(tile._pointer, 0, b"k", 1, values, n))


# ---------------------------------------------------------------- archives


def pmtiles(n):
    """An archive of n entries, all of the same tile."""
    def directory(entries):
        ids = [e[0] for e in entries]
        out = varint(len(entries))
        out += b"".join(varint(b - a) for a, b in zip([0, *ids], ids))
        out += b"".join(varint(e[1]) for e in entries) + b"".join(varint(e[2]) for e in entries)
        return out + b"".join(varint(e[3] + 1) for e in entries)

    tile = layer(features=[feature()])
    leaf = directory([(1 + 2 * i, 1, len(tile), 0) for i in range(n)])
    root = directory([(0, 0, len(leaf), 0)])
    metadata = json.dumps({"vector_layers": [{"id": f"l{i}", "fields": {"a": "Number"}} for i in range(n // 10)],
                           **{f"m{i}": i for i in range(n // 10)}}).encode()
    at, places = 127, []
    for part in (root, metadata, leaf, tile):
        places += [at, len(part)]
        at += len(part)
    head = b"PMTiles\x03" + struct.pack("<8Q3Q", *places, n, n, 1) + bytes([0, 1, 1, 1, 0, 14])
    head += struct.pack("<4ibii", -1800000000, -850000000, 1800000000, 850000000, 0, 0, 0)
    return head + root + metadata + leaf + tile


@CASES.case(8000)
def pmtiles_tile(n):
    data = pmtiles(n)

    def run():
        archive = neatline.Archive(data)
        archive.tile(0, 0, 0), archive.tile(1, 0, 0)
        archive.info

    return run


@CASES.case(1000)
def archive_written(n):
    import os
    import tempfile

    folder = tempfile.mkdtemp()
    z = 9
    places = [(z, i % 512, i // 512) for i in range(n)]
    random.Random(1).shuffle(places)

    def run():
        writer = neatline.ArchiveWriter(os.path.join(folder, "a.pmtiles"), format="pbf", overwrite=True)
        for place in places:
            writer.add(*place, b"\x1f\x8b" + struct.pack("<I", place[1] * 1000 + place[2]))
        writer.finish()

    return run


# ---------------------------------------------------------------- Arrow and the tiler


def tiled(n, make):
    import os
    import tempfile

    text = make(n)
    folder = tempfile.mkdtemp()
    layers = b'[{"name": "l"}]'
    options = json.dumps({"maxzoom": 3, "folder": folder, "threads": 1}).encode()

    def run():
        tiler, out = c_void_p(), c_void_p()
        check(lib.neat_tiler_create(layers, len(layers), options, len(options), byref(tiler)))
        check(lib.neat_tiler_add_geojson(tiler, b"l", 1, 0, text, len(text), 1))
        target = os.path.join(folder, "a.pmtiles").encode()
        wishes = b'{"overwrite": true}'
        check(lib.neat_tiler_write(tiler, target, len(target), 0, 1 << 62, wishes, len(wishes), neatline._abi.ArchiveProgressCallback(), None, byref(out)))
        lib.neat_buffer_destroy(out)
        lib.neat_tiler_destroy(tiler)

    return run


for name in ("points", "names_of_properties", "names_of_properties_by_feature", "line", "ring", "holes", "polygons", "multi_point"):
    CASES[f"tiler_{name}"] = (lambda n, make=DOCUMENTS[name][1]: tiled(n, make), DOCUMENTS[name][0] // 2)


@pytest.mark.parametrize("name", CASES)
def test_time_grows_by_n_log_n_at_most(name):
    CASES.check(name)

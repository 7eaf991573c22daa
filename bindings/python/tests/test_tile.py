"""Tiles as columns, archives, GeoJSON."""

import gc
import gzip
import json

import pytest

import neatline


def test_columns_of_a_layer(points):
    (layer,) = points.layers
    assert len(layer) == 5 and layer.extent == 4096
    assert list(layer.types) == [1] * 5
    assert list(layer.part_starts) == [0, 1, 2, 3, 4, 5]
    assert list(layer.point_starts) == [0, 1, 2, 3, 4, 5]
    assert [int(number) for number in layer.ids] == [0, 1, 2, 3, 4]
    assert sorted(layer.keys) == ["name", "odd", "rank", "share"]
    assert layer.properties(3) == {"name": "p3", "rank": 3, "odd": True, "share": 0.75}
    xs = [int(layer.points[n, 0]) for n in range(5)]
    assert xs == sorted(xs) and xs[2] == 2048


def test_features_one_by_one(points):
    (layer,) = points.layers
    last = layer[-1]
    assert (last.id, last.type, last.properties["name"]) == (4, "point", "p4")
    assert [feature.id for feature in layer] == [0, 1, 2, 3, 4]
    with pytest.raises(IndexError):
        layer[5]


def test_a_tile_is_a_mapping_of_layers(points):
    (name,) = points
    assert points[name].name == name and name in points and len(points) == 1
    with pytest.raises(KeyError):
        points["no such layer"]


def test_encode_and_decode_again(points):
    data = points.to_mvt()
    for content in (data, bytearray(data), memoryview(data), gzip.compress(data)):
        (layer,) = neatline.decode_tile(content, strict=True).layers
        assert layer.properties(1) == {"name": "p1", "rank": 1, "odd": True, "share": 0.25}


def test_an_opened_tile_says_the_same(points):
    data = points.to_mvt()
    for content in (data, bytearray(data), gzip.compress(data)):
        tile = neatline.open_tile(content)
        del content
        gc.collect()
        (name,) = tile
        info = tile.info(name)
        assert info == tile.info(0) == points.info(0) and info.feature_count == 5 and info.extent == 4096
        assert (
            tile.property_values(name, "name")
            == points.property_values(0, "name")
            == ["p0", "p1", "p2", "p3", "p4"]
        )
        assert (
            tile.property_values(0, "rank") == [0, 1, 2, 3, 4]
            and tile.property_values(0, "none") == [None] * 5
        )
        assert tile[name].properties(3) == points[name].properties(3)


def test_a_broken_layer_is_told_when_it_is_read(points):
    data = points.to_mvt()
    broken = b"\x0a\x01b\x12\x09"
    tile = neatline.open_tile(data + b"\x1a" + bytes([len(broken)]) + broken, format="mvt")
    assert list(tile) == list(points) and tile.info(0).feature_count == 5
    for read in (tile.info, lambda layer: tile.property_values(layer, "name")):
        with pytest.raises(neatline.TileError, match="b"):
            read(1)
    with pytest.raises(neatline.TileError):
        tile.layers
    with pytest.raises(neatline.TileError):
        neatline.open_tile(b"\x1a\x05", format="mvt")


def test_what_is_left_out_is_told(points):
    assert points.faults() == []
    # A layer whose field reaches past its end, and one with a feature that begins with a line to.
    layers = [b"\x0a\x01b\x12\x09", b"\x78\x02\x0a\x01c\x12\x06\x18\x01\x22\x02\x0a\x00"]
    data = points.to_mvt()
    start = len(data)
    for layer in layers:
        data += b"\x1a" + bytes([len(layer)]) + layer
    for tile in (neatline.decode_tile(data), neatline.open_tile(data)):
        faults = tile.faults()
        assert [(f.layer, f.count) for f in faults] == [("b", 1), ("c", 1)]
        assert all(f'"{f.layer}"' in f.message and start <= f.offset < len(data) for f in faults)


def test_arrays_are_views_that_keep_their_tile(points):
    numpy = pytest.importorskip("numpy")
    tile = neatline.decode_tile(points.to_mvt())
    array = tile.layers[0].points
    assert array.shape == (5, 2) and array.dtype == numpy.int32
    assert numpy.shares_memory(array, tile.layers[0].points)
    expected = array.copy()
    del tile
    gc.collect()
    assert (array == expected).all()
    with pytest.raises(ValueError):
        array[0, 0] = 1


def test_geojson_in_tile_units_and_degrees(points):
    (name,) = points
    units = points.to_geojson()[name]["features"][2]["geometry"]["coordinates"]
    degrees = points.to_geojson(0, 0, 0)[name]["features"][2]["geometry"]["coordinates"]
    assert units[0] == 2048
    assert degrees == pytest.approx([0, 5], abs=0.1)


@pytest.mark.parametrize(
    "data", [b"\x1a\xff\xff\xff\xff\xff\xff\xff\xff\xff", b"\x1f\x8b\x08 not gzip", b"\xff" * 40]
)
def test_broken_tiles_raise(data):
    with pytest.raises(neatline.NeatlineError):
        neatline.decode_tile(data, format="mvt", strict=True)


def test_an_empty_tile_has_no_layers():
    assert len(neatline.decode_tile(b"", format="mvt")) == 0


def test_an_unknown_format_is_refused():
    with pytest.raises(ValueError):
        neatline.decode_tile(b"", format="shapefile")


def test_geojson_tiles_are_none_where_empty(points_text):
    data = neatline.GeoJSON(points_text)
    assert len(data) == 5
    assert data.tile(5, 0, 0) is None
    assert data.tile(1, 0, 0) is not None


def test_clusters(points_text):
    data = neatline.GeoJSON(points_text, cluster=True, cluster_radius=100)
    (world,) = [each for each in data.clusters(-180, -85, 180, 85, 0) if each["properties"].get("cluster")]
    number = world["properties"]["cluster_id"]
    assert world["properties"]["point_count"] == 5
    assert len(data.leaves(number, limit=100)) == 5
    assert len(data.leaves(number, limit=2, offset=1)) == 2
    assert all(leaf["geometry"]["type"] == "Point" for leaf in data.leaves(number))
    assert 0 < data.expansion_zoom(number) <= 17
    assert data.children(number)


def test_clusters_without_clustering_are_an_error(points_text):
    with pytest.raises(neatline.InvalidStateError):
        neatline.GeoJSON(points_text).clusters(-180, -85, 180, 85, 0)


def test_geojson_changes_by_ids(points_text):
    line = (
        '{"type":"Feature","id":%d,"properties":{"n":%d},"geometry":{"type":"Point","coordinates":[%d,2]}}\n'
    )
    data = neatline.GeoJSON("".join(line % (number, number, number) for number in range(5)))
    assert len(data) == 5
    before = data.tile(0, 0, 0)
    data.update(
        {"remove": [0, 1], "update": [{"id": 4, "addOrUpdateProperties": [{"key": "n", "value": "four"}]}]}
    )
    assert len(data) == 3
    (features,) = [layer["features"] for layer in data.tile(0, 0, 0).to_geojson().values()]
    assert [each["properties"]["n"] for each in features] == [2, 3, "four"]
    assert len(next(iter(before.to_geojson().values()))["features"]) == 5
    with pytest.raises(neatline.InvalidArgumentError, match="feature 0"):
        neatline.GeoJSON('{"type": "Point", "coordinates": [1, 2]}').update({"remove": [1]})


def test_geojson_in_pieces(points_text):
    reader = neatline.GeoJSONReader(cluster=True)
    text = points_text.encode()
    for at in range(0, len(text), 50):
        reader.append(text[at : at + 50])
    assert len(reader.finish()) == 5
    with pytest.raises(neatline.InvalidStateError):
        reader.finish()
    with pytest.raises(neatline.GeoJSONError, match="line 2, column 3"):
        neatline.GeoJSONReader().append(b"\n  x")


def test_broken_geojson_raises():
    with pytest.raises(neatline.NeatlineError):
        neatline.GeoJSON('{"type": "FeatureCollection", "features": [')


def test_an_mbtiles_archive(points, tmp_path):
    import sqlite3

    path = tmp_path / "points.mbtiles"
    with sqlite3.connect(path) as base:
        base.execute("CREATE TABLE metadata (name text, value text)")
        base.execute(
            "CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob)"
        )
        base.executemany(
            "INSERT INTO metadata VALUES (?, ?)",
            [("name", "points"), ("format", "pbf"), ("minzoom", "0"), ("maxzoom", "0")],
        )
        base.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", [gzip.compress(points.to_mvt())])
    base.close()
    archive = neatline.Archive(path)
    assert archive.info["name"] == "points"
    assert len(archive.decode(0, 0, 0).layers[0]) == 5
    assert archive.tile(3, 1, 1) is None


def test_archives_that_are_none_raise(tmp_path):
    with pytest.raises(neatline.NeatlineError):
        neatline.Archive(tmp_path / "missing.pmtiles")
    with pytest.raises(neatline.ArchiveError):
        neatline.Archive(b"PMTiles and then nothing of the kind")


@pytest.mark.parametrize("kind", [neatline.Tile, neatline.Frame])
def test_what_functions_return_is_not_made_of_bytes(kind):
    with pytest.raises(TypeError, match=f"{kind.__name__} is not made of bytes"):
        kind(b"\x1a\x00")


def shared_value_tile(features, length):
    """A tile whose features have the same long text as their only property."""

    def field(number, data):
        return bytes([number << 3 | 2]) + varint(len(data)) + data

    def varint(number):
        return bytes([number & 127 | 128]) + varint(number >> 7) if number > 127 else bytes([number])

    point = field(2, field(2, b"\x00\x00") + b"\x18\x01" + field(4, b"\x09\x02\x02"))
    value = field(4, field(1, b"a" * length))
    return field(3, field(1, b"places") + point * features + field(3, b"k") + value + b"\x78\x02")


def test_few_bytes_of_tile_can_be_many_of_geojson():
    tile = neatline.decode_tile(shared_value_tile(200_000, 25_000))
    for place in [(), (0, 0, 0)]:
        with pytest.raises(neatline.LimitExceededError, match="268435456 bytes of GeoJSON"):
            tile.to_geojson(*place)
    pieces = tile.geojson_pieces(0, 0, 0)
    assert all(len(next(pieces)) < 200_000 for _ in range(100))
    pieces.close()


def test_pieces_are_the_whole_text():
    tile = neatline.decode_tile(shared_value_tile(100, 2000))
    pieces = list(tile.geojson_pieces())
    assert len(pieces) > 2 and json.loads(b"".join(pieces)) == tile.to_geojson()
    size = sum(map(len, pieces))
    assert b"".join(tile.geojson_pieces(limit=size)) == b"".join(pieces)
    with pytest.raises(neatline.LimitExceededError):
        list(tile.geojson_pieces(limit=size - 1))
    whole = json.loads(b"".join(tile.geojson_pieces(0, 0, 0, collection=True)))
    assert whole["type"] == "FeatureCollection" and len(whole["features"]) == 100
    assert {each["properties"]["layer"] for each in whole["features"]} == {"places"}
    for wrong in [0, -1]:
        with pytest.raises(ValueError):
            tile.geojson_pieces(limit=wrong)

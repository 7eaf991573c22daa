"""VectorTiler: features in, tiles out, in one process and in steps."""

import gzip
import json

import pytest

import neatline
from neatline import tiler
from neatline.errors import (
    ArchiveError,
    ExpressionError,
    GeoJSONError,
    InvalidArgumentError,
    InvalidStateError,
    NotFoundError,
    UnsupportedError,
)

from tiler_data import crowd, features, write_lines


def collection(count, seed=1):
    return json.dumps({"type": "FeatureCollection", "features": features(count, seed)}).encode()


def layers(path, z=0, x=0, y=0):
    """The layers of a tile, each a list of properties."""
    tile = neatline.Archive(path).decode(z, x, y)
    return {layer.name: [each.properties for each in layer] for layer in tile.layers} if tile else {}


def made(path, text, **options):
    """An archive of one layer, "all"."""
    layer = options.pop("filter", None)
    with tiler.VectorTiler({"all": layer}, **{"max_zoom": 2, **options}) as one:
        one.add_geojson(text, layer="all")
        return one.write(path, overwrite=True)


def test_text_may_come_in_any_pieces_and_packed(tmp_path):
    text = collection(200)
    made(tmp_path / "whole.pmtiles", text)
    for name, data in (("plain", text), ("gzip", gzip.compress(text))):
        with tiler.VectorTiler(["all"], max_zoom=2) as one:
            for at in range(0, len(data), 777):
                one.add_geojson(data[at : at + 777], layer="all", is_last=False)
            one.add_geojson(b"", layer="all")
            one.write(tmp_path / f"{name}.pmtiles")
        assert (tmp_path / f"{name}.pmtiles").read_bytes() == (tmp_path / "whole.pmtiles").read_bytes()


def test_another_text_before_the_first_is_at_its_end(tmp_path):
    with tiler.VectorTiler(["a", "b"]) as one:
        one.add_geojson(b'{"type":', layer="a", is_last=False)
        with pytest.raises(InvalidStateError, match="is_last"):
            one.add_geojson(b"{}", layer="b")
        with pytest.raises(InvalidStateError, match="is_last"):
            one.write(tmp_path / "a.pmtiles")


def test_what_is_no_geojson_names_its_place():
    with tiler.VectorTiler(["a"]) as one:
        with pytest.raises(GeoJSONError, match="line 2"):
            one.add_geojson(b'{"type":"Feature",\n"geometry":7}', layer="a")
        with pytest.raises(GeoJSONError):
            one.add_geojson(collection(1), layer="a")


def test_steps_in_many_tilers_make_the_same_archive(tmp_path):
    texts = [collection(4000, seed) for seed in (1, 2)]
    options = dict(max_zoom=4, drop="densest", max_tile_bytes=20_000)
    with tiler.VectorTiler(["all"], **options) as one:
        for part, text in enumerate(texts):
            one.add_geojson(text, layer="all", part=part)
        whole = one.write(tmp_path / "whole.pmtiles", metadata={"name": "X"})
        described = one.describe({"name": "X"})
    for part, text in enumerate(texts):
        with tiler.VectorTiler(["all"], **options) as one:
            one.add_geojson(text, layer="all", part=part)
            one.save(tmp_path / f"{part}.run")
    with tiler.VectorTiler(["all"], **options) as one:
        # The order of loading does not matter.
        for part in (1, 0):
            one.load(tmp_path / f"{part}.run")
        ranges = one.ranges(4)
        assert len(ranges) > 1 and ranges[0][0] == 0 and ranges[-1][1] == 2**64 - 1
        assert all(a[1] == b[0] for a, b in zip(ranges, ranges[1:]))
        needed = [one.thresholds(*each) for each in ranges]
        needed = [max(each) for each in zip(*needed)]
        assert max(needed) > 0
        parts = [
            one.write(tmp_path / f"{index}.pmtiles", first=first, end=end, thresholds=needed)
            for index, (first, end) in enumerate(ranges)
        ]
        assert one.describe({"name": "X"}) == described
        one.write(tmp_path / "again.pmtiles", metadata={"name": "X"})
    assert (tmp_path / "again.pmtiles").read_bytes() == (tmp_path / "whole.pmtiles").read_bytes()
    assert sum(each["tiles"] for each in parts) == whole["tiles"]
    assert sum(each["droppedFeatures"] for each in parts) == whole["droppedFeatures"] > 0
    assert described["vector_layers"][0]["fields"] == {"n": "Number", "name": "String", "share": "Number"}


def test_damaged_and_foreign_runs_are_refused(tmp_path):
    with tiler.VectorTiler(["a"], max_zoom=3) as one:
        one.add_geojson(collection(500), layer="a")
        one.save(tmp_path / "a.run")
    data = (tmp_path / "a.run").read_bytes()
    (tmp_path / "cut.run").write_bytes(data[:-7])
    (tmp_path / "block.run").write_bytes(data[:100] + b"\0\0\0\0" + data[104:])
    (tmp_path / "none.run").write_bytes(b"")
    with tiler.VectorTiler(["a"], max_zoom=3) as one:
        for name in ("cut", "none"):
            with pytest.raises(ArchiveError, match=f"{name}.run"):
                one.load(tmp_path / f"{name}.run")
        with pytest.raises(NotFoundError, match="nowhere.run"):
            one.load(tmp_path / "nowhere.run")
        one.load(tmp_path / "block.run")
        with pytest.raises(ArchiveError, match="block.run"):
            one.write(tmp_path / "a.pmtiles")
    for layer, zoom in (("b", 3), ("a", 4)):
        with tiler.VectorTiler([layer], max_zoom=zoom) as one:
            with pytest.raises(InvalidStateError, match="other layers or options"):
                one.load(tmp_path / "a.run")


def test_properties_are_chosen(tmp_path):
    text, path = collection(30), tmp_path / "a.pmtiles"
    made(path, text, include=["n"])
    assert {key for each in layers(path)["all"] for key in each} == {"n"}
    made(path, text, exclude={"n", "share"})
    assert {key for each in layers(path)["all"] for key in each} == {"name"}
    made(path, text, include=[])
    assert {key for each in layers(path)["all"] for key in each} == set()


def test_filters_choose_features_and_may_read_the_zoom(tmp_path):
    path = tmp_path / "a.pmtiles"
    made(
        path,
        collection(60),
        filter=["all", ["<", ["get", "n"], 30], ["any", [">=", ["zoom"], 1], ["==", ["get", "n"], 3]]],
    )
    assert [each["n"] for each in layers(path)["all"]] == [3]
    deeper = [each["n"] for x in (0, 1) for y in (0, 1) for each in layers(path, 1, x, y).get("all", [])]
    assert set(deeper) == set(range(30))


def test_points_are_dropped_by_zoom(tmp_path):
    path, text = tmp_path / "a.pmtiles", crowd(tmp_path / "c.geojsonl", 4000).read_bytes()
    made(path, text, drop_rate=4, extent=4096)
    count = len(layers(path)["all"])
    assert 4000 / 16 * 0.8 < count < 4000 / 16 * 1.2
    made(path, text, drop_rate=4, base_zoom=0)
    assert len(layers(path)["all"]) == 4000


@pytest.mark.parametrize("how", ["densest", "fraction", "smallest"])
@pytest.mark.parametrize("what", ["drop", "coalesce"])
def test_tiles_are_kept_within_their_limits(tmp_path, how, what):
    path, text = tmp_path / "a.pmtiles", crowd(tmp_path / "c.geojsonl", 3000).read_bytes()
    # Coalesced points stay where they are, and take their bytes.
    limit = 8000 if what == "drop" else 14_000
    free = made(path, text, max_tile_bytes=limit)
    assert free["oversizedTiles"] > 0 and free["droppedFeatures"] == free["coalescedFeatures"] == 0
    kept = made(path, text, max_tile_bytes=limit, **{what: how})
    assert kept["largestTileBytes"] <= limit and kept["oversizedTiles"] == 0
    assert kept["droppedFeatures" if what == "drop" else "coalescedFeatures"] > 0
    few = made(path, text, max_tile_features=100, **{what: how})
    assert few["oversizedTiles"] == 0 and len(layers(path).get("all", [])) <= 100


def test_what_coalescing_cannot_mend_is_counted(tmp_path):
    text = crowd(tmp_path / "c.geojsonl", 3000).read_bytes()
    report = made(tmp_path / "a.pmtiles", text, max_tile_bytes=8000, coalesce="fraction")
    assert report["oversizedTiles"] == 1 and report["largestTileBytes"] > 8000


@pytest.mark.parametrize(
    "options, words",
    [
        ({"max_zoom": 25}, "25"),
        ({"min_zoom": 5, "max_zoom": 4}, "above"),
        ({"drop_rate": 0.5}, "dropRate"),
        ({"drop_rate": 17}, "dropRate"),
        ({"drop": "loudest"}, "densest"),
        ({"drop": "densest", "coalesce": "densest"}, "not both"),
        ({"include": ["a"], "exclude": ["b"]}, "not both"),
        ({"include": "name"}, "include"),
        ({"max_tile_bytes": 10}, "maxTileBytes"),
        ({"memory": 1000}, "memory"),
        ({"extent": 0}, "extent"),
        ({"threads": -1}, "threads"),
        ({"buffer": float("nan")}, "nan"),
    ],
)
def test_wrong_options_are_named(options, words):
    with pytest.raises(InvalidArgumentError, match=words):
        tiler.VectorTiler(["a"], **options)


def test_wrong_layers_and_filters_are_named():
    with pytest.raises(InvalidArgumentError, match='"a"'):
        tiler.VectorTiler(["a", "b", "a"])
    with pytest.raises(InvalidArgumentError, match="1 to 4096"):
        tiler.VectorTiler([])
    with pytest.raises(TypeError, match="text"):
        tiler.VectorTiler("abc")
    with pytest.raises(ExpressionError):
        tiler.VectorTiler({"a": ["nonesuch", 1]})
    with tiler.VectorTiler(["a"]) as one:
        with pytest.raises(InvalidArgumentError, match='no layer "b"'):
            one.add_geojson(b"{}", layer="b")
    for part in (-1, 1 << 20):
        with tiler.VectorTiler(["a"]) as one:
            with pytest.raises(InvalidArgumentError, match="part"):
                one.add_geojson(b"{}", layer="a", part=part)
    with pytest.raises(InvalidStateError, match="closed"):
        one.ranges(3)


def test_numbers_that_are_none_are_refused():
    with tiler.VectorTiler(["a"]) as one:
        with pytest.raises(GeoJSONError):
            one.add_geojson(
                b'{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[NaN,1]}}',
                layer="a",
            )


def test_progress_ends_the_work_and_its_errors_come_through(tmp_path):
    with tiler.VectorTiler(["a"], max_zoom=3) as one:
        one.add_geojson(collection(300), layer="a")
        with pytest.raises(neatline.CancelledError):
            one.write(tmp_path / "a.pmtiles", progress=lambda *_: False)
        with pytest.raises(ZeroDivisionError):
            one.write(tmp_path / "a.pmtiles", progress=lambda *_: 1 / 0)
        assert not (tmp_path / "a.pmtiles").exists()
        seen = []
        report = one.write(
            tmp_path / "a.pmtiles", progress=lambda done, total, size: seen.append((done, total))
        )
        assert seen[-1][0] == report["tiles"]
        with pytest.raises(InvalidStateError, match="a.pmtiles"):
            one.write(tmp_path / "a.pmtiles")


# ---------------------------------------------------------------- Arrow


def batch_of(rows, **columns):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    shapely = pytest.importorskip("shapely", reason="shapely is not installed")
    points = pyarrow.array(
        shapely.to_wkb(shapely.points([(n % 300 - 150, n % 100 - 50) for n in range(rows)]))
    )
    return pyarrow.record_batch({"geometry": points, **columns})


def test_record_batches_become_features(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    batch = batch_of(
        5, key=[10, 11, 12, 13, 14], name=["a", None, "c", "d", "e"], half=[0.5, 1.0, 1.5, 2.0, float("nan")]
    )
    with tiler.VectorTiler(["a", "b"], max_zoom=0) as one:
        notes = one.add_arrow(batch, layer="a", id="key")
        table = pyarrow.Table.from_batches([batch, batch.slice(1, 3)])
        one.add_arrow(table, layer="b", geometry="geometry")
        one.write(tmp_path / "a.pmtiles")
    tile = neatline.Archive(tmp_path / "a.pmtiles").decode(0, 0, 0)
    a, b = tile.layers
    assert [each.id for each in a] == [10, 11, 12, 13, 14]
    assert [each.properties.get("name") for each in a] == ["a", None, "c", "d", "e"]
    assert [each.properties["key"] for each in b] == [10, 11, 12, 13, 14, 11, 12, 13]
    # Arrow's null and not-a-number are no values.
    assert [each.properties.get("half") for each in a] == [0.5, 1.0, 1.5, 2.0, None] and notes == []


def test_columns_that_cannot_be_properties_are_told():
    with tiler.VectorTiler(["a"], max_zoom=0) as one:
        batch = batch_of(2, bytes=[b"x", b"y"])
        (note,) = one.add_arrow(batch, layer="a", geometry="geometry")
    assert note["column"] == "bytes" and note["count"] == 0 and "binary" in note["reason"]


def test_bad_batches_are_refused():
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    batch = batch_of(3, n=[1, 2, 3])
    for options, error, words in [
        ({"geometry": "shape"}, InvalidArgumentError, "shape"),
        ({"id": "key"}, InvalidArgumentError, "key"),
        ({"layer": "b"}, InvalidArgumentError, '"b"'),
    ]:
        with tiler.VectorTiler(["a"]) as one:
            with pytest.raises(error, match=words):
                one.add_arrow(batch, **{"layer": "a", **options})
    damaged = pyarrow.record_batch({"geometry": [b"\1\1\0\0\0" + bytes(16), b"\1\1\0\0\0"], "n": [1, 2]})
    with tiler.VectorTiler(["a"]) as one:
        with pytest.raises(GeoJSONError, match="row 1"):
            one.add_arrow(damaged, layer="a")
    field = pyarrow.field("geometry", pyarrow.binary(), metadata={
        "ARROW:extension:name": "geoarrow.wkb", "ARROW:extension:metadata": '{"crs": "EPSG:3857"}'
    })  # fmt: skip
    with tiler.VectorTiler(["a"]) as one:
        with pytest.raises(UnsupportedError):
            one.add_arrow(batch.cast(pyarrow.schema([field, ("n", pyarrow.int64())])), layer="a")
        with pytest.raises(TypeError, match="dict is no record batch"):
            one.add_arrow({}, layer="a")


# ---------------------------------------------------------------- tile_geojson


def test_several_files_share_a_layer(tmp_path):
    a, b = write_lines(tmp_path / "a.geojsonl", 50, 1), write_lines(tmp_path / "b.geojsonl", 50, 2)
    neatline.tile_geojson(
        {"all": [a, str(b)], "b": b, "list": features(3)}, tmp_path / "a.pmtiles", max_zoom=0
    )
    found = layers(tmp_path / "a.pmtiles")
    assert list(found) == ["all", "b", "list"] and len(found["list"]) == 3
    assert [each["n"] for each in found["all"]] == [*range(50), *range(50)]
    with pytest.raises(NotFoundError, match="nowhere"):
        neatline.tile_geojson({"all": [a, tmp_path / "nowhere"]}, tmp_path / "b.pmtiles")


def test_tile_geojson_takes_the_tilers_options(tmp_path):
    path, file = tmp_path / "a.pmtiles", crowd(tmp_path / "c.geojsonl", 3000)
    report = neatline.tile_geojson(
        {"all": file}, path, max_zoom=2, include=["n"], filters={"all": ["<", ["get", "n"], 2000]},
        drop_rate=2, base_zoom=1, drop="fraction", max_tile_bytes=4000, max_tile_features=900,
        memory=1 << 20, threads=1,
    )  # fmt: skip
    assert report["features"] == 2000 and report["droppedFeatures"] > 0
    assert report["largestTileBytes"] <= 4000
    found = layers(path)["all"]
    assert len(found) <= 900 and all(set(each) == {"n"} and each["n"] < 2000 for each in found)
    with pytest.raises(InvalidArgumentError, match='"roads"'):
        neatline.tile_geojson({"all": file}, path, filters={"roads": True}, overwrite=True)
    with pytest.raises(ExpressionError):
        neatline.tile_geojson({"all": file}, path, filters={"all": ["nonesuch"]}, overwrite=True)

"""Inputs of the tiler: what is read, in which pieces, and what is refused."""

import gzip
import json
import pickle
import struct
import subprocess
import sys

import pytest

from neatline.errors import (
    FileError,
    InvalidArgumentError,
    InvalidStateError,
    NotFoundError,
    UnsupportedError,
)
from neatline.tiler import crs as systems
from neatline.tiler import geojson, parquet
from neatline.tiler.inputs import MissingPackageError, read, splits
from neatline.tiler.pieces import BATCH_ROWS, batch_rows, layer_name


def feature(number, **properties):
    return {
        "type": "Feature",
        "properties": {"n": number, **properties},
        "geometry": {"type": "Point", "coordinates": [number % 360 - 180, number % 170 - 85]},
    }


def lines(count, end="\n"):
    return "".join(json.dumps(feature(n, name="x" * (n % 50))) + end for n in range(count))


def text_of(pieces):
    return b"".join(block for piece in pieces for _, block in read(piece))


def wkb_point(x, y):
    return struct.pack("<BIdd", 1, 1, x, y)


# ---------------------------------------------------------------- GeoJSON


@pytest.mark.parametrize("piece_bytes", [1, 100, 1000, 10_000, 1 << 30])
def test_pieces_of_lines_hold_whole_records_and_all_of_them(tmp_path, piece_bytes):
    path = tmp_path / "points.geojsonl"
    path.write_text(lines(60))
    pieces = splits(path, piece_bytes=piece_bytes)
    numbers = []
    for piece in pieces:
        text = b"".join(block for layer, block in read(piece) if layer == "points")
        numbers += [json.loads(line)["properties"]["n"] for line in text.splitlines()]
    assert numbers == list(range(60))
    assert len(pieces) == {1: 60, 1 << 30: 1}.get(piece_bytes, len(pieces))
    assert {piece.is_arrow for piece in pieces} == {False}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_lines_may_end_in_any_way_and_the_last_one_not_at_all(tmp_path, end):
    path = tmp_path / "points.ndjson"
    path.write_bytes(lines(40, end).rstrip().encode())
    pieces = splits(path, piece_bytes=500)
    assert len(pieces) > 3
    assert text_of(pieces) == path.read_bytes()
    for piece in pieces:
        for line in b"".join(block for _, block in read(piece)).split(b"\n"):
            assert not line.strip() or json.loads(line)["type"] == "Feature"


def test_a_text_sequence_is_cut_at_its_separators(tmp_path):
    path = tmp_path / "points.geojsons"
    records = ["\x1e" + json.dumps(feature(n), indent=1) + "\n" for n in range(30)]
    path.write_text("".join(records))
    pieces = splits(path, piece_bytes=300)
    assert len(pieces) > 5
    texts = [b"".join(block for _, block in read(piece)) for piece in pieces]
    assert b"".join(texts) == path.read_bytes()
    assert all(text.startswith(b"\x1e") for text in texts)


@pytest.mark.parametrize("indent", [None, 1])
def test_a_document_is_one_piece(tmp_path, indent):
    path = tmp_path / "all.json"
    path.write_text(
        json.dumps({"type": "FeatureCollection", "features": [feature(n) for n in range(50)]}, indent=indent)
    )
    (piece,) = splits(path, piece_bytes=100)
    assert text_of([piece]) == path.read_bytes()


def test_blocks_of_text_are_bounded(tmp_path):
    path = tmp_path / "long.geojson"
    path.write_bytes(b'{"type":"FeatureCollection","features":[' + b" " * (5 << 20) + b"]}")
    blocks = [block for _, block in read(splits(path)[0])]
    assert max(map(len, blocks)) == geojson.BLOCK and b"".join(blocks) == path.read_bytes()


def test_gzip_is_unpacked_in_blocks_member_after_member(tmp_path):
    path = tmp_path / "points.geojson.gz"
    text = lines(30).encode() + b" " * (8 << 20)
    path.write_bytes(gzip.compress(text[:1000]) + gzip.compress(text[1000:]) + bytes(512))
    (piece,) = splits(path, piece_bytes=100)
    assert piece.layer == "points"
    blocks = [block for _, block in read(piece)]
    assert max(map(len, blocks)) <= geojson.BLOCK and b"".join(blocks) == text


@pytest.mark.parametrize("damage", ["cut", "changed"])
def test_damaged_gzip_is_refused_with_the_files_name(tmp_path, damage):
    path = tmp_path / "points.geojson.gz"
    data = bytearray(gzip.compress(lines(3000).encode()))
    if damage == "cut":
        del data[-20:]
    else:
        data[len(data) // 2] ^= 255
    path.write_bytes(data)
    with pytest.raises(FileError, match="points.geojson.gz: gzip"):
        text_of(splits(path))


def test_a_file_that_has_changed_since_is_refused(tmp_path):
    path = tmp_path / "points.geojsonl"
    path.write_text(lines(60))
    pieces = splits(path, piece_bytes=1000)
    path.write_text(lines(61))
    with pytest.raises(InvalidStateError, match="points.geojsonl: the file has changed"):
        text_of(pieces)


def test_pieces_go_through_pickle(tmp_path):
    path = tmp_path / "points.geojsonl"
    path.write_text(lines(60))
    pieces = splits(path, piece_bytes=1000, layer="a")
    assert pickle.loads(pickle.dumps(pieces)) == pieces
    assert {piece.layer for piece in pieces} == {"a"}


def test_addresses_of_fsspec_are_read(tmp_path):
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    fsspec.filesystem("memory").pipe_file("/in/points.geojsonl", lines(60).encode())
    pieces = splits("memory://in/points.geojsonl", piece_bytes=1000)
    assert len(pieces) > 3 and text_of(pieces) == lines(60).encode()
    with pytest.raises(NotFoundError, match="memory://in/other.geojson"):
        splits("memory://in/other.geojson")


def test_what_is_not_there_or_empty_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="nothing.geojson"):
        splits(tmp_path / "nothing.geojson")
    (tmp_path / "empty.geojson").write_bytes(b"")
    with pytest.raises(FileError, match="empty.geojson: the file is empty"):
        splits(tmp_path / "empty.geojson")
    with pytest.raises(InvalidArgumentError, match="piece_bytes"):
        splits(tmp_path / "empty.geojson", piece_bytes=0)


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("urn:ogc:def:crs:OGC:1.3:CRS84", None),
        ("urn:ogc:def:crs:EPSG::4326", None),
        ("EPSG:4326", None),
        ("urn:ogc:def:crs:EPSG::25832", "EPSG:25832"),
        ("urn:x-ogc:def:crs:EPSG:3857", "urn:x-ogc:def:crs:EPSG:3857"),
        ("EPSG:3857", "EPSG:3857"),
    ],
)
def test_the_system_that_an_old_document_names_is_seen(name, system):
    document = {"type": "FeatureCollection", "crs": {"type": "name", "properties": {"name": name}}}
    assert geojson.other_system(json.dumps(document).encode()) == system


def test_names_of_layers_are_those_of_files():
    assert layer_name("/a/roads.geojson.gz") == "roads"
    assert layer_name("s3://a/b/part.v2.parquet?x=1") == "part.v2"
    assert layer_name("shapes.shp.zip") == "shapes"
    assert layer_name("folder/") == "folder"


def test_batches_have_rows_by_their_size():
    assert batch_rows(1000, 1000) == BATCH_ROWS
    assert batch_rows(1 << 30, 1000) == 64
    assert batch_rows(1 << 30, 1 << 20) == 32768


# ---------------------------------------------------------------- Parquet


@pytest.fixture
def arrow():
    return pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def table(arrow, count=100, crs="absent", encoding="WKB", **columns):
    """Points with GeoParquet's metadata."""
    points = [wkb_point(n, -n / 2) if n % 10 else None for n in range(count)]
    column = {"encoding": encoding, "geometry_types": ["Point"]}
    if crs != "absent":
        column["crs"] = crs
    geo = {"version": "1.1.0", "primary_column": "shape", "columns": {"shape": column}}
    return arrow.table(
        {"n": list(range(count)), "shape": arrow.array(points, arrow.binary()), **columns}
    ).replace_schema_metadata({"geo": json.dumps(geo)})


def write(arrow, table, path, row_group_size=10):
    import pyarrow.parquet

    pyarrow.parquet.write_table(table, path, row_group_size=row_group_size)
    return path


@pytest.mark.parametrize("piece_bytes", [1, 700, 1 << 30])
def test_pieces_of_parquet_are_runs_of_row_groups(tmp_path, arrow, piece_bytes):
    path = write(arrow, table(arrow), tmp_path / "points.parquet")
    pieces = splits(path, piece_bytes=piece_bytes)
    assert len(pieces) == {1: 10, 1 << 30: 1}.get(piece_bytes, len(pieces))
    rows = []
    for piece in pickle.loads(pickle.dumps(pieces)):
        assert piece.is_arrow and piece.geometry == "shape" and piece.first_row == len(rows)
        for layer, batch in read(piece):
            assert layer == "points"
            field = batch.schema.field("shape")
            assert field.metadata == {b"ARROW:extension:name": b"geoarrow.wkb"}
            rows += batch.to_pylist()
    assert [row["n"] for row in rows] == list(range(100))
    assert rows[0]["shape"] is None and rows[3]["shape"] == wkb_point(3, -1.5)


def test_only_the_columns_asked_for_are_read(tmp_path, arrow):
    path = write(arrow, table(arrow, a=list(range(100)), b=["x"] * 100), tmp_path / "points.parquet")
    (_, batch), *_ = read(splits(path, columns=["b"])[0])
    assert set(batch.schema.names) == {"shape", "b"}
    (_, batch), *_ = read(splits(path, columns=[])[0])
    assert batch.schema.names == ["shape"]
    with pytest.raises(InvalidArgumentError, match='no column "c"; there are n, shape, a, b'):
        splits(path, columns=["c"])


def test_boxes_that_only_find_rows_are_no_properties(tmp_path, arrow):
    boxes = [{"xmin": 0.0, "ymin": 0.0, "xmax": 1.0, "ymax": 1.0}] * 100
    points = table(arrow, bbox=boxes)
    geo = json.loads(points.schema.metadata[b"geo"])
    geo["columns"]["shape"]["covering"] = {
        "bbox": {side: ["bbox", side] for side in ("xmin", "ymin", "xmax", "ymax")}
    }
    path = write(arrow, points.replace_schema_metadata({"geo": json.dumps(geo)}), tmp_path / "points.parquet")
    (_, batch), *_ = read(splits(path)[0])
    assert set(batch.schema.names) == {"n", "shape"}


def test_native_encodings_are_marked_as_what_they_are(tmp_path, arrow):
    xy = [{"x": float(n), "y": 0.0} for n in range(5)]
    geo = {"version": "1.1.0", "primary_column": "shape", "columns": {"shape": {"encoding": "point"}}}
    points = arrow.table({"shape": xy}).replace_schema_metadata({"geo": json.dumps(geo)})
    path = write(arrow, points, tmp_path / "points.parquet")
    ((_, batch),) = read(splits(path)[0])
    assert batch.schema.field("shape").metadata == {b"ARROW:extension:name": b"geoarrow.point"}


def test_a_folder_of_parquet_is_one_input(tmp_path, arrow):
    for number in range(3):
        (tmp_path / f"k={number}").mkdir()
        write(arrow, table(arrow, 20), tmp_path / f"k={number}/part.parquet")
    (tmp_path / "_metadata.parquet").write_bytes(b"")
    pieces = splits(tmp_path, layer="all", piece_bytes=1)
    assert len(pieces) == 6
    assert sum(batch.num_rows for piece in pieces for _, batch in read(piece)) == 60
    assert {layer for piece in pieces for layer, _ in read(piece)} == {"all"}


def test_parquet_is_read_by_fsspecs_addresses(tmp_path, arrow):
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    path = write(arrow, table(arrow), tmp_path / "points.parquet")
    memory = fsspec.filesystem("memory")
    for name in ("a", "b"):
        memory.pipe_file(f"/tiler/{name}.parquet", path.read_bytes())
    (piece,) = splits("memory://tiler/a.parquet")
    assert sum(batch.num_rows for _, batch in read(piece)) == 100
    assert len(splits("memory://tiler/")) == 2
    with pytest.raises(NotFoundError, match="memory://nowhere/"):
        splits("memory://nowhere/")


def test_damaged_parquet_is_refused_with_the_files_name(tmp_path, arrow):
    path = write(arrow, table(arrow), tmp_path / "points.parquet")
    data = path.read_bytes()
    for bad in (data[: len(data) // 2], b"PAR1" + bytes(100), data[:-20] + bytes(16) + data[-4:]):
        path.write_bytes(bad)
        with pytest.raises(FileError, match="points.parquet"):
            splits(path)
    changed = bytearray(data)
    changed[4:400] = bytes(396)
    path.write_bytes(changed)
    with pytest.raises(FileError, match="points.parquet"):
        list(read(splits(path)[0]))


@pytest.mark.parametrize(
    ("geo", "error", "words"),
    [
        ("no JSON", FileError, "damaged"),
        ("[]", FileError, "damaged"),
        ('{"columns":{}}', FileError, "damaged"),
        ('{"primary_column":"x","columns":{"x":{}}}', FileError, 'names "x", which is no column'),
        ('{"primary_column":"n","columns":{"shape":{}}}', InvalidArgumentError, '"n" is no geometry'),
        (
            '{"primary_column":"shape","columns":{"shape":{"encoding":"WKT"}}}',
            UnsupportedError,
            "as wkt is not",
        ),
        (
            '{"primary_column":"shape","columns":{"shape":{"crs":null}}}',
            UnsupportedError,
            "is not known; crs=",
        ),
        ('{"primary_column":"shape","columns":{"shape":{"crs":7}}}', UnsupportedError, "no way from 7"),
    ],
)
def test_metadata_that_is_none_is_refused(tmp_path, arrow, geo, error, words):
    if 'crs":7' in geo:
        pytest.importorskip("pyproj", reason="pyproj is not installed")
        pytest.importorskip("shapely", reason="shapely is not installed")
    path = write(arrow, table(arrow).replace_schema_metadata({"geo": geo}), tmp_path / "points.parquet")
    with pytest.raises(error, match=words) as caught:
        splits(path)
    assert "points.parquet" in str(caught.value)


def test_parquet_without_metadata_needs_the_columns_name(tmp_path, arrow):
    path = write(arrow, table(arrow).replace_schema_metadata(None), tmp_path / "points.parquet")
    with pytest.raises(UnsupportedError, match="not GeoParquet.*geometry="):
        splits(path)
    with pytest.raises(UnsupportedError, match="not known; crs="):
        splits(path, geometry="shape")
    with pytest.raises(InvalidArgumentError, match='no column "x"'):
        splits(path, geometry="x")
    (piece,) = splits(path, geometry="shape", crs="OGC:CRS84")
    assert sum(batch.num_rows for _, batch in read(piece)) == 100


def test_a_column_that_says_what_it_is_needs_no_metadata(tmp_path, arrow):
    field = arrow.field(
        "g",
        arrow.binary(),
        metadata={"ARROW:extension:name": "geoarrow.wkb", "ARROW:extension:metadata": '{"crs":"OGC:CRS84"}'},
    )
    points = arrow.table([arrow.array([wkb_point(1, 2)])], schema=arrow.schema([field]))
    ((_, batch),) = read(splits(write(arrow, points, tmp_path / "points.parquet"))[0])
    assert batch.column("g").to_pylist() == [wkb_point(1, 2)]


@pytest.mark.parametrize("format", ["parquet", "fgb"])
def test_other_systems_are_transformed(tmp_path, arrow, format):
    pyproj = pytest.importorskip("pyproj", reason="pyproj is not installed")
    shapely = pytest.importorskip("shapely", reason="shapely is not installed")
    there = pyproj.Transformer.from_crs("OGC:CRS84", "EPSG:25832", always_xy=True)
    places = [(9.0, 48.0), (13.5, 52.25)]
    shapes = [None if place is None else wkb_point(*there.transform(*place)) for place in [*places, None]]
    if format == "parquet":
        points = table(arrow, 3, crs=pyproj.CRS("EPSG:25832").to_json_dict())
        path = write(arrow, points.set_column(1, "shape", [shapes]), tmp_path / "points.parquet")
    else:
        pyogrio = pytest.importorskip("pyogrio", reason="pyogrio is not installed")
        path = tmp_path / "points.fgb"
        pyogrio.write_arrow(
            arrow.table({"n": [0, 1, 2], "shape": arrow.array(shapes, arrow.binary())}),
            path,
            geometry_name="shape",
            geometry_type="Point",
            crs="EPSG:25832",
            layer_options={"SPATIAL_INDEX": "NO"},
        )
    found = []
    for piece in splits(path):
        for _, batch in read(piece):
            name = next(
                field.name
                for field in batch.schema
                if (field.metadata or {}).get(b"ARROW:extension:name") == b"geoarrow.wkb"
            )
            found += [
                None if each is None else shapely.from_wkb(each) for each in batch.column(name).to_pylist()
            ]
    assert found[2] is None
    for shape, place in zip(found, places):
        assert (shape.x, shape.y) == pytest.approx(place, abs=1e-8)


def test_other_systems_are_named_where_nothing_can_transform(tmp_path, arrow, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyproj", None)
    path = write(
        arrow, table(arrow, crs={"id": {"authority": "EPSG", "code": 25832}}), tmp_path / "points.parquet"
    )
    with pytest.raises(
        MissingPackageError, match="points.parquet: coordinates are in EPSG:25832.*pip install pyproj"
    ):
        splits(path)
    # What the caller says counts more.
    assert splits(path, crs="EPSG:4326")[0].crs is None


def test_systems_in_few_words():
    assert systems.short('{"name":"Lambert-93"}') == "Lambert-93"
    assert systems.short('PROJCS["Lambert-93",GEOGCS[') == "Lambert-93"
    assert systems.text_of({"id": {"authority": "EPSG", "code": 2154}}) == "EPSG:2154"


# ---------------------------------------------------------------- OGR


@pytest.fixture
def ogr(arrow):
    return pytest.importorskip("pyogrio", reason="pyogrio is not installed")


def points(arrow, count):
    return arrow.table(
        {
            "n": arrow.array(range(count), arrow.int64()),
            "name": arrow.array([f"p{n}" for n in range(count)], arrow.string()),
            "shape": arrow.array([wkb_point(n % 180, 5) for n in range(count)], arrow.binary()),
        }
    )


def write_ogr(ogr, table, path, **options):
    # Without an index rows stay in their order.
    arguments = {"geometry_name": "shape", "geometry_type": "Point", "crs": "EPSG:4326", **options}
    if str(path).endswith(".fgb"):
        arguments["layer_options"] = {"SPATIAL_INDEX": "NO"}
    ogr.write_arrow(table, path, **arguments)
    return path


@pytest.mark.parametrize("ending", ["fgb", "gpkg"])
@pytest.mark.parametrize("piece_bytes", [1, 5000, 1 << 30])
def test_pieces_of_ogr_are_runs_of_rows(tmp_path, arrow, ogr, ending, piece_bytes):
    path = write_ogr(ogr, points(arrow, 1000), tmp_path / f"points.{ending}")
    pieces = splits(path, piece_bytes=piece_bytes)
    assert len(pieces) == {1: 16, 1 << 30: 1}.get(piece_bytes, len(pieces))
    numbers = []
    for piece in pickle.loads(pickle.dumps(pieces)):
        assert piece.first_row == len(numbers) and piece.layer == "points"
        for layer, batch in read(piece):
            assert layer == "points"
            numbers += batch.column("n").to_pylist()
    assert numbers == list(range(1000))


@pytest.mark.parametrize("missing", [[0], [1], [3], [1, 2, 3], [0, 1, 2, 3]])
def test_features_without_geometry_keep_their_place(tmp_path, arrow, ogr, missing):
    shapes = [None if n in missing else wkb_point(n, 5) for n in range(4)]
    data = arrow.table({"n": list(range(4)), "shape": arrow.array(shapes, arrow.binary())})
    for ending in ("fgb", "gpkg"):
        path = write_ogr(ogr, data, tmp_path / f"points.{ending}")
        ((_, batch),) = read(splits(path)[0])
        column = next(field.name for field in batch.schema if arrow.types.is_binary(field.type))
        assert batch.column(column).to_pylist() == shapes


def test_each_layer_of_a_file_is_a_layer(tmp_path, arrow, ogr):
    path = tmp_path / "two.gpkg"
    write_ogr(ogr, points(arrow, 3), path, layer="roads")
    write_ogr(ogr, points(arrow, 4), path, layer="towns", append=False)
    assert sorted((layer, batch.num_rows) for piece in splits(path) for layer, batch in read(piece)) == [
        ("roads", 3),
        ("towns", 4),
    ]
    assert [piece.layer for piece in splits(path, source_layer="towns")] == ["towns"]
    assert [piece.layer for piece in splits(path, layer="x", source_layer="towns")] == ["x"]
    with pytest.raises(InvalidArgumentError, match='no layer "rivers" with geometry; there are roads, towns'):
        splits(path, source_layer="rivers")


def test_columns_of_ogr_are_chosen(tmp_path, arrow, ogr):
    path = write_ogr(ogr, points(arrow, 3), tmp_path / "points.fgb")
    ((_, batch),) = read(splits(path, columns=["name"])[0])
    assert "n" not in batch.schema.names and "name" in batch.schema.names
    with pytest.raises(InvalidArgumentError, match='no column "x"; there are n, name'):
        splits(path, columns=["x"])


def test_a_file_without_a_system_is_refused(tmp_path, arrow, ogr):
    with pytest.warns(UserWarning, match="crs"):
        path = write_ogr(ogr, points(arrow, 3), tmp_path / "points.fgb", crs=None)
    with pytest.raises(UnsupportedError, match="points.fgb: the file names no coordinate system; crs="):
        splits(path)
    assert splits(path, crs="EPSG:4326")[0].crs is None


def test_a_file_without_rows_has_none(tmp_path, arrow, ogr):
    for ending in ("fgb", "gpkg"):
        path = write_ogr(ogr, points(arrow, 0), tmp_path / f"points.{ending}")
        assert [batch.num_rows for piece in splits(path) for _, batch in read(piece)] == []
    path = write(arrow, table(arrow, 0), tmp_path / "points.parquet")
    assert [batch.num_rows for piece in splits(path) for _, batch in read(piece)] == []


def test_what_ogr_cannot_read_is_refused_with_the_files_name(tmp_path, arrow, ogr):
    (tmp_path / "a.bin").write_bytes(b"\x00\x01\x02nothing")
    with pytest.raises(FileError, match="a.bin"):
        splits(tmp_path / "a.bin")
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(FileError, match="a.csv: no layer with geometry"):
        splits(tmp_path / "a.csv")
    path = write_ogr(ogr, points(arrow, 1000), tmp_path / "points.fgb")
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(FileError, match="points.fgb"):
        for piece in splits(path):
            list(read(piece))


def test_geojson_with_a_choice_of_columns_goes_through_ogr(tmp_path, arrow, ogr):
    path = tmp_path / "points.geojson"
    path.write_text(json.dumps({"type": "FeatureCollection", "features": [feature(1, a=2, b=3)]}))
    for each in (path, tmp_path / "points.geojson.gz"):
        if each != path:
            each.write_bytes(gzip.compress(path.read_bytes()))
        ((layer, batch),) = read(splits(each, columns=["a"])[0])
        assert layer == "points" and batch.column("a").to_pylist() == [2] and "b" not in batch.schema.names


def test_arguments_that_a_format_has_no_use_for_are_refused(tmp_path, arrow, ogr):
    path = write(arrow, table(arrow), tmp_path / "points.parquet")
    with pytest.raises(InvalidArgumentError, match="Parquet has no use for source_layer="):
        splits(path, source_layer="x")
    (tmp_path / "a.geojson").write_text(json.dumps(feature(1)))
    with pytest.raises(InvalidArgumentError, match="GeoJSON has no use for geometry="):
        splits(tmp_path / "a.geojson", geometry="x")


# ---------------------------------------------------------------- packages


def test_what_is_not_installed_is_named(tmp_path, monkeypatch):
    (tmp_path / "a.parquet").write_bytes(parquet.MAGIC + bytes(100))
    (tmp_path / "a.fgb").write_bytes(b"fgb\x03fgb\x00" + bytes(100))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyogrio", None)
    for name in ("a.parquet", "a.fgb"):
        with pytest.raises(
            MissingPackageError, match=rf"{name} needs py\w+: pip install neatline\[vector\]"
        ) as caught:
            splits(tmp_path / name)
        assert isinstance(caught.value, ImportError)


def test_the_module_needs_no_package():
    code = (
        "import sys\n"
        "for name in ('pyarrow', 'pyogrio', 'pyproj', 'shapely', 'numpy', 'fsspec'):\n"
        "    sys.modules[name] = None\n"
        "import neatline.tiler.inputs\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""`tiler.tile`: the same archive whatever the work is divided into, and what is damaged is made again."""

import concurrent.futures
import json
import pathlib
import shutil

import pytest

import neatline
from neatline import tiler
from neatline.errors import (
    CancelledError,
    ExpressionError,
    FileError,
    GeoJSONError,
    InvalidArgumentError,
    InvalidStateError,
    NotFoundError,
)
from neatline.tiler import run, work

from tiler_data import crowd, features, write_lines


@pytest.fixture
def data(tmp_path):
    """Two files of features, and a crowd."""
    write_lines(tmp_path / "a.geojsonl", 3000, 1)
    write_lines(tmp_path / "b.geojsonl", 3000, 2)
    crowd(tmp_path / "crowd.geojsonl")
    return tmp_path


def inputs(folder):
    return [folder / "a.geojsonl", ("b", folder / "b.geojsonl"), ("a", folder / "crowd.geojsonl")]


OPTIONS = dict(max_zoom=4, piece_bytes=200_000)
THINNED = dict(drop="densest", max_tile_bytes=6000)


class Threads(concurrent.futures.ThreadPoolExecutor):
    """An executor that counts, and may do other work than it is given."""

    def __init__(self, instead=None):
        super().__init__(2)
        self.calls, self._instead = [], instead

    def submit(self, function, *arguments):
        self.calls.append(function.__name__)
        if self._instead is not None:
            function = self._instead(function, arguments, self.calls) or function
        return super().submit(function, *arguments)


@pytest.fixture
def threads():
    pools = []

    def make(instead=None):
        pools.append(Threads(instead))
        return pools[-1]

    yield make
    for each in pools:
        each.shutdown()


@pytest.mark.parametrize(
    "thinning", [{}, THINNED, dict(coalesce="smallest", max_tile_features=500, drop_rate=1.5)]
)
def test_an_executor_makes_the_archive_that_one_process_makes(data, threads, thinning):
    alone = tiler.tile(inputs(data), data / "1.pmtiles", max_zoom=4, metadata={"name": "X"}, **thinning)
    options = dict(metadata={"name": "X"}, **OPTIONS, **thinning)
    shared = tiler.tile(inputs(data), data / "2.pmtiles", executor=threads(), **options)
    steps = tiler.tile(inputs(data), data / "3.pmtiles", folder=data / "here", **options)
    for name in ("2", "3"):
        assert (data / f"{name}.pmtiles").read_bytes() == (data / "1.pmtiles").read_bytes()
    assert shared.runs == shared.cut > 5 and shared.parts == shared.written > 4 and steps.runs == shared.runs
    same = (
        "tiles",
        "contents",
        "bytes",
        "features",
        "dropped",
        "coalesced",
        "oversized",
        "largest_tile_bytes",
    )
    for name in same:
        assert getattr(shared, name) == getattr(alone, name), name
    # Nothing stays behind.
    assert not (data / "2.pmtiles.parts").exists() and not (data / "here").exists()


def test_it_is_what_tile_geojson_makes(data):
    tiler.tile(inputs(data), data / "1.pmtiles", max_zoom=3)
    neatline.tile_geojson(
        {"a": [data / "a.geojsonl", data / "crowd.geojsonl"], "b": data / "b.geojsonl"},
        data / "2.pmtiles",
        max_zoom=3,
    )
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()


@pytest.mark.parametrize("plain", [False, True])
def test_mbtiles_have_the_same_tiles(data, threads, plain):
    one = tiler.tile(inputs(data), data / "1.mbtiles", max_zoom=3, plain=plain)
    two = tiler.tile(inputs(data), data / "2.mbtiles", max_zoom=3, plain=plain, executor=threads())
    assert (one.tiles, one.contents, one.bytes) == (two.tiles, two.contents, two.bytes)
    archives = [neatline.Archive(data / f"{n}.mbtiles") for n in (1, 2)]
    about = [{key: value for key, value in each.info.items() if key != "tiles"} for each in archives]
    assert about[0] == about[1] and len(about[0]["vector_layers"]) == 2
    for z in range(4):
        for x in range(1 << z):
            for y in range(1 << z):
                assert archives[0].tile(z, x, y) == archives[1].tile(z, x, y)


def test_what_is_done_is_not_done_again(data, threads):
    options = dict(folder=data / "parts", keep_parts=True, **OPTIONS, **THINNED)
    first = tiler.tile(inputs(data), data / "1.pmtiles", executor=threads(), **options)
    pool = threads()
    again = tiler.tile(inputs(data), data / "2.pmtiles", executor=pool, **options)
    assert pool.calls == [] and (again.cut, again.written) == (0, 0) and again.parts == first.parts
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()
    anew = tiler.tile(inputs(data), data / "3.pmtiles", executor=pool, restart=True, **options)
    assert (anew.cut, anew.written) == (first.cut, first.written)


def test_work_that_is_called_off_goes_on_where_it_was(data, threads):
    options = dict(folder=data / "parts", **OPTIONS)
    for step in ("cut", "write", "merge"):
        with pytest.raises(CancelledError, match="stays"):
            tiler.tile(
                inputs(data), data / "1.pmtiles", executor=threads(), in_flight=1,
                progress=lambda name, done, total: not (name == step and done >= 2), **options,
            )  # fmt: skip
        assert not (data / "1.pmtiles").exists()
    seen = []
    report = tiler.tile(
        inputs(data),
        data / "1.pmtiles",
        executor=threads(),
        progress=lambda *step: seen.append(step),
        **options,
    )
    assert (report.cut, report.written) == (0, 0)
    assert seen[0] == ("cut", report.runs, report.runs) and seen[-1] == ("merge", report.parts, report.parts)
    tiler.tile(inputs(data), data / "2.pmtiles", max_zoom=4)
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()


def test_an_interrupted_merge_goes_on_also_with_other_ranges(data, threads, monkeypatch):
    monkeypatch.setattr(run, "CHECKPOINT_SECONDS", -1.0)
    with pytest.raises(CancelledError):
        tiler.tile(
            inputs(data), data / "1.pmtiles", executor=threads(), **OPTIONS,
            progress=lambda name, done, total: not (name == "merge" and done == 3),
        )  # fmt: skip
    assert (data / "1.pmtiles.partial").exists()
    shutil.rmtree(data / "1.pmtiles.parts")
    tiler.tile(inputs(data), data / "1.pmtiles", folder=data / "other", **OPTIONS)
    tiler.tile(inputs(data), data / "2.pmtiles", max_zoom=4)
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()


# ---------------------------------------------------------------- damage


def cut_off(path):
    path.write_bytes(path.read_bytes()[:-9])


def blotted(path):
    # Of the right length, with the right end.
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 255
    path.write_bytes(data)


def swapped(path):
    """Another file of the same kind in its place."""
    other = next(each for each in sorted(path.parent.glob("*" + path.suffix)) if each != path)
    shutil.copy(other, path)


def not_json(path):
    path.write_bytes(b"[" * 100_000)


@pytest.mark.parametrize("damage", [cut_off, blotted, swapped, pathlib.Path.unlink])
@pytest.mark.parametrize("pattern", ["run-*.run", "part-*.pmtiles"])
def test_damaged_runs_and_parts_are_made_again(data, threads, pattern, damage):
    options = dict(folder=data / "parts", keep_parts=True, **OPTIONS)
    tiler.tile(inputs(data), data / "1.pmtiles", executor=threads(), **options)
    is_run = pattern.startswith("run")
    hurt = sorted((data / "parts").glob(pattern))[1]
    before = hurt.read_bytes()
    damage(hurt)
    if is_run:
        for each in (data / "parts").glob("part-*"):
            each.unlink()
    report = tiler.tile(inputs(data), data / "2.pmtiles", executor=threads(), **options)
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()
    assert hurt.read_bytes() == before
    assert report.cut + report.written + report.repaired >= 1
    # One run was cut again, and no other.
    if is_run:
        assert report.cut + report.repaired == 1
    else:
        assert (report.cut, report.written + report.repaired) == (0, 1)


@pytest.mark.parametrize("executor", [True, False])
def test_several_damaged_runs_are_all_mended(data, threads, executor):
    where = dict(executor=threads()) if executor else {}
    options = dict(folder=data / "parts", keep_parts=True, **where, **OPTIONS)
    tiler.tile(inputs(data), data / "1.pmtiles", **options)
    runs = sorted((data / "parts").glob("run-*.run"))
    for each in runs[:5]:
        blotted(each)
    for each in (data / "parts").glob("part-*"):
        each.unlink()
    report = tiler.tile(inputs(data), data / "2.pmtiles", retries=0, **options)
    assert report.repaired == 5
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()


@pytest.mark.parametrize(
    "name", ["run-00001.json", "runs.json", "ranges.json", "need-00001.json", "part-00001.json"]
)
@pytest.mark.parametrize("damage", [cut_off, not_json, pathlib.Path.unlink])
def test_damaged_records_are_made_again(data, threads, name, damage):
    options = dict(folder=data / "parts", keep_parts=True, **OPTIONS, **THINNED)
    tiler.tile(inputs(data), data / "1.pmtiles", executor=threads(), **options)
    damage(data / "parts" / name)
    tiler.tile(inputs(data), data / "2.pmtiles", executor=threads(), **options)
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()
    json.loads((data / "parts" / name).read_bytes())


def lie(*arguments):
    """Says that it is done."""


@pytest.mark.parametrize("task", ["cut", "survey", "measure", "write"])
def test_a_worker_that_lies_is_found(data, threads, task):
    lied = []

    def once(function, arguments, calls):
        if function.__name__ == task and not lied:
            lied.append(1)
            return lie
        return None

    tiler.tile(inputs(data), data / "1.pmtiles", executor=threads(once), **OPTIONS, **THINNED)
    assert lied
    tiler.tile(inputs(data), data / "2.pmtiles", max_zoom=4, **THINNED)
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()

    def always(function, arguments, calls):
        return lie if function.__name__ == task else None

    with pytest.raises(tiler.PartError, match="is not there|there is none"):
        tiler.tile(inputs(data), data / "3.pmtiles", executor=threads(always), **OPTIONS, **THINNED)


def test_a_worker_that_writes_of_another_range_is_found(data, threads):
    """The record is right, the tiles are not."""

    def elsewhere(function, arguments, calls):
        if function.__name__ != "write" or calls.count("write") != 2:
            return None

        def wrong(folder, options, settings, task, thresholds):
            work.write(folder, options, settings, work.Range(task.index, 0, task.first), thresholds)
            path = pathlib.Path(folder) / work.part_name(task.index, "json")
            record = json.loads(path.read_text())
            record.update(first=task.first, end=task.end)
            path.write_text(json.dumps(record))

        return wrong

    report = tiler.tile(inputs(data), data / "1.pmtiles", executor=threads(elsewhere), **OPTIONS)
    assert report.repaired == 1
    tiler.tile(inputs(data), data / "2.pmtiles", max_zoom=4)
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()


def test_tasks_that_fail_are_tried_again(data, threads):
    failed = []

    def fails(*arguments):
        failed.append(1)
        raise FileError("the disk is full")

    def twice(function, arguments, calls):
        return fails if len(failed) < 2 and function.__name__ == "cut" and arguments[3] == 1 else None

    tiler.tile(inputs(data), data / "1.pmtiles", executor=threads(twice), **OPTIONS)
    assert len(failed) == 2
    with pytest.raises(FileError, match="disk is full"):
        tiler.tile(
            inputs(data), data / "2.pmtiles", retries=1, **OPTIONS,
            executor=threads(lambda function, *_: fails if function.__name__ == "write" else None),
        )  # fmt: skip


# ---------------------------------------------------------------- other jobs


@pytest.mark.parametrize(
    "change", ["option", "filter", "metadata", "file", "more", "fewer", "order", "library"]
)
def test_a_folder_of_another_job_is_refused(data, monkeypatch, change):
    options = dict(folder=data / "parts", keep_parts=True, **OPTIONS)
    tiler.tile(inputs(data), data / "1.pmtiles", **options)
    given, words = inputs(data), ""
    if change == "option":
        options["max_zoom"], words = 3, "max_zoom is 4 there and 3 here"
    elif change == "filter":
        options["filters"], words = {"b": ["<", ["get", "n"], 5]}, 'layer "b"'
    elif change == "metadata":
        options["metadata"], words = {"name": "Y"}, "name is None there and 'Y' here"
    elif change == "file":
        write_lines(data / "b.geojsonl", 3000, 5)
        words = "b.geojsonl has changed"
    elif change == "more":
        given, words = [*given, write_lines(data / "c.geojsonl", 5)], "it lacks .*c.geojsonl"
    elif change == "fewer":
        given, words = given[:2], "it has .*crowd.geojsonl"
    elif change == "order":
        given, words = [given[0], given[2], given[1]], "other pieces"
    else:
        monkeypatch.setattr("neatline.tiler.plan.version", lambda: "9.9.9")
        words = "version 0.1.0 of the library, this is 9.9.9"
    with pytest.raises(tiler.ChangedError, match=words):
        tiler.tile(given, data / "2.pmtiles", **options)
    assert not (data / "2.pmtiles").exists()


def test_folders_of_something_else_are_left_alone(data):
    (data / "parts").mkdir()
    (data / "parts/plan.json").write_text('{"neatline-pyramid": 1}')
    (data / "parts/part-000001.json").write_text("{}")
    for restart in (False, True):
        with pytest.raises(tiler.ChangedError, match="parts"):
            tiler.tile(inputs(data), data / "1.pmtiles", folder=data / "parts", restart=restart, **OPTIONS)
    assert sorted(each.name for each in (data / "parts").iterdir()) == ["part-000001.json", "plan.json"]


def test_an_input_that_changes_meanwhile_is_found(data, threads):
    def change(name, done, total):
        if name == "cut" and done == 1:
            text = (data / "b.geojsonl").read_text()
            (data / "b.geojsonl").write_text(text.replace("name 1", "mane 1"))

    for where in (dict(executor=threads(), **OPTIONS), dict(max_zoom=4)):
        with pytest.raises(tiler.ChangedError, match="b.geojsonl has changed"):
            tiler.tile(inputs(data), data / "1.pmtiles", progress=change, **where)
        (data / "b.geojsonl").touch()
    assert not (data / "1.pmtiles").exists()


# ---------------------------------------------------------------- bad input


def test_what_is_wrong_is_found_before_the_work(data):
    good = [data / "a.geojsonl"]
    (data / "there.pmtiles").write_bytes(b"")
    for given, target, options, error, words in [
        ([], "1.pmtiles", {}, InvalidArgumentError, "no inputs"),
        (good, "1.zip", {}, InvalidArgumentError, "1.zip"),
        (good, "1.zip", {"archive": "zip"}, InvalidArgumentError, "zip"),
        (good, "there.pmtiles", {}, InvalidStateError, "there.pmtiles is there already"),
        ([data / "none.geojson"], "1.pmtiles", {}, NotFoundError, "none.geojson"),
        (good, "1.pmtiles", {"filters": {"b": True}}, InvalidArgumentError, 'layer "b".*there are a'),
        (good, "1.pmtiles", {"filters": {"a": ["nonesuch"]}}, ExpressionError, "nonesuch"),
        (good, "1.pmtiles", {"max_zoom": 99}, InvalidArgumentError, "30|24"),
        (good, "1.pmtiles", {"drop": "all"}, InvalidArgumentError, "drop"),
        (good, "1.pmtiles", {"workers": 0}, InvalidArgumentError, "workers"),
        (good, "1.pmtiles", {"workers": 2, "executor": object()}, InvalidArgumentError, "not both"),
        (good, "1.pmtiles", {"piece_bytes": 0}, InvalidArgumentError, "piece_bytes"),
        (good, "1.pmtiles", {"metadata": {"x": float("nan")}}, InvalidArgumentError, "nan"),
        ([tiler.Input(good[0], id="n")], "1.pmtiles", {}, InvalidArgumentError, "promote_id"),
        ([tiler.Input(good[0], filter=True)], "1.pmtiles", {"filters": {"a": True}}, InvalidArgumentError, "two"),
        ([tiler.Input(good[0], layer="x", filter=True), tiler.Input(good[0], layer="x", filter=["has", "n"])],
         "1.pmtiles", {}, InvalidArgumentError, "two filters"),
    ]:  # fmt: skip
        with pytest.raises(error, match=words):
            tiler.tile(given, data / target, **options)
        assert not (data / "1.pmtiles").exists() and not (data / "1.pmtiles.parts").exists()
    for given in (data / "a.geojsonl", str(data / "a.geojsonl"), [7], [("a", "b", "c")]):
        with pytest.raises(TypeError, match="input"):
            tiler.tile(given, data / "1.pmtiles")
    with pytest.raises(TypeError, match="no executor"):
        tiler.tile(good, data / "1.pmtiles", executor=7)


@pytest.mark.parametrize("shared", [False, True])
def test_bad_features_are_named_with_file_and_place(data, threads, shared):
    lines = (data / "a.geojsonl").read_text().splitlines()
    lines[2500] = lines[2500].replace('"coordinates": [', '"coordinates": [NaN, ', 1)
    (data / "bad.geojsonl").write_text("\n".join(lines))
    pool = threads()
    where = dict(executor=pool, **OPTIONS) if shared else dict(max_zoom=4)
    with pytest.raises(GeoJSONError, match=r"bad\.geojsonl.*line"):
        tiler.tile([data / "bad.geojsonl"], data / "1.pmtiles", **where)
    # Another attempt would not mend it.
    assert not shared or pool.calls.count("cut") <= 5
    assert not (data / "1.pmtiles").exists()


def test_no_features_are_an_archive_without_tiles(tmp_path, threads):
    (tmp_path / "none.geojson").write_text('{"type":"FeatureCollection","features":[]}')
    one = tiler.tile([tmp_path / "none.geojson"], tmp_path / "1.pmtiles")
    two = tiler.tile([tmp_path / "none.geojson"], tmp_path / "2.pmtiles", executor=threads())
    assert one.tiles == two.tiles == 0
    assert (tmp_path / "1.pmtiles").read_bytes() == (tmp_path / "2.pmtiles").read_bytes()


def test_generated_ids_run_through_a_file(data, threads):
    options = dict(max_zoom=1, generate_id=True)
    tiler.tile([data / "a.geojsonl"], data / "1.pmtiles", **options)
    report = tiler.tile(
        [data / "a.geojsonl"], data / "2.pmtiles", executor=threads(), piece_bytes=1000, **options
    )
    assert report.runs == 1
    assert (data / "1.pmtiles").read_bytes() == (data / "2.pmtiles").read_bytes()
    tile = neatline.Archive(data / "1.pmtiles").decode(0, 0, 0)
    assert {each.id for each in tile.layers[0]} == set(range(3000))


# ---------------------------------------------------------------- object stores


def test_folders_inputs_and_targets_of_object_stores(data, threads):
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    system = fsspec.filesystem("memory")
    for name in ("a", "b", "crowd"):
        system.pipe_file(f"/in/{name}.geojsonl", (data / f"{name}.geojsonl").read_bytes())
    given = ["memory://in/a.geojsonl", ("b", "memory://in/b.geojsonl"), ("a", "memory://in/crowd.geojsonl")]
    options = dict(folder="memory://work/parts", keep_parts=True, **OPTIONS, **THINNED)
    first = tiler.tile(given, "memory://out/1.pmtiles", executor=threads(), **options)
    tiler.tile(inputs(data), data / "2.pmtiles", max_zoom=4, **THINNED)
    assert system.cat_file("/out/1.pmtiles") == (data / "2.pmtiles").read_bytes()
    with pytest.raises(InvalidStateError, match="out/1.pmtiles is there already"):
        tiler.tile(given, "memory://out/1.pmtiles", executor=threads(), **options)
    # Damage in the store is found by who fetches it.
    def blot(name):
        held = bytearray(system.cat_file(f"/work/parts/{name}"))
        held[len(held) // 3] ^= 255
        system.pipe_file(f"/work/parts/{name}", bytes(held))

    blot("run-00001.run")
    for index in range(first.parts):
        # Whichever range the block is of.
        system.rm_file(f"/work/parts/part-{index:05d}.json")
    for each in list(tiler.run.work.Fetched._all.values()):
        each.remove()
    again = tiler.tile(given, "memory://out/3.pmtiles", executor=threads(), **options)
    assert (again.cut, again.repaired, again.written) == (0, 1, first.parts)
    assert system.cat_file("/out/3.pmtiles") == (data / "2.pmtiles").read_bytes()
    blot("part-00001.pmtiles")
    third = tiler.tile(given, "memory://out/5.pmtiles", executor=threads(), **options)
    assert (third.cut, third.repaired, third.written) == (0, 1, 0)
    assert system.cat_file("/out/5.pmtiles") == (data / "2.pmtiles").read_bytes()
    anew = tiler.tile(given, "memory://out/4.pmtiles", executor=threads(), **{**options, "keep_parts": False})
    assert anew.written == 0 and not system.exists("/work/parts/plan.json")


# ---------------------------------------------------------------- formats


def table(rows):
    """The features as columns, with geometry as WKB."""
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    shapely = pytest.importorskip("shapely", reason="shapely is not installed")
    found = features(rows)
    return pyarrow.table(
        {
            "n": [each["properties"]["n"] for each in found],
            "name": [each["properties"]["name"] for each in found],
            "share": pyarrow.array([each["properties"].get("share") for each in found], pyarrow.float64()),
            "geometry": shapely.to_wkb([shapely.geometry.shape(each["geometry"]) for each in found]),
        }
    )


def geoparquet(path, rows, row_group=300):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow.parquet

    geo = {
        "version": "1.1.0",
        "primary_column": "geometry",
        "columns": {"geometry": {"encoding": "WKB", "geometry_types": []}},
    }
    data = table(rows)
    pyarrow.parquet.write_table(
        data.replace_schema_metadata({"geo": json.dumps(geo)}), path, row_group_size=row_group
    )
    return path


def flatgeobuf(path, rows):
    pyogrio = pytest.importorskip("pyogrio", reason="pyogrio is not installed")
    data = table(rows)
    pyogrio.write_arrow(
        data, path, driver="FlatGeobuf", geometry_name="geometry", geometry_type="Unknown", crs="OGC:CRS84",
        SPATIAL_INDEX="NO",
    )  # fmt: skip
    return path


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("format", ["parquet", "fgb"])
def test_other_formats_make_the_tiles_that_geojson_makes(tmp_path, threads, format, shared):
    lines = write_lines(tmp_path / "all.geojsonl", 1500)
    other = (geoparquet if format == "parquet" else flatgeobuf)(tmp_path / f"all.{format}", 1500)
    tiler.tile([lines], tmp_path / "1.pmtiles", max_zoom=4)
    where = dict(executor=threads(), piece_bytes=20_000) if shared else {}
    report = tiler.tile([other], tmp_path / "2.pmtiles", max_zoom=4, **where)
    assert report.notes == [] and (not shared or report.runs > 1)
    assert (tmp_path / "1.pmtiles").read_bytes() == (tmp_path / "2.pmtiles").read_bytes()


def test_columns_ids_and_notes_of_parquet(tmp_path, threads):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow.parquet

    path = geoparquet(tmp_path / "all.parquet", 900)
    given = tiler.Input(path, layer="x", columns=["name"], id="n", filter=["<", ["id"], 500])
    tiler.tile([given], tmp_path / "1.pmtiles", max_zoom=0)
    (layer,) = neatline.Archive(tmp_path / "1.pmtiles").decode(0, 0, 0).layers
    assert layer.name == "x" and {each.id for each in layer} == set(range(500))
    assert {key for each in layer for key in each.properties} <= {"name", "n"}
    for wrong in (dict(columns=["nonesuch"]), dict(id="nonesuch"), dict(geometry="nonesuch")):
        with pytest.raises(InvalidArgumentError, match="nonesuch"):
            tiler.tile([tiler.Input(path, **wrong)], tmp_path / "2.pmtiles", executor=threads())
    data = pyarrow.parquet.read_table(path)
    odd = data.append_column("when", pyarrow.array([b"x"] * 900, pyarrow.binary()))
    pyarrow.parquet.write_table(odd, tmp_path / "odd.parquet", row_group_size=300)
    for where in ({}, dict(executor=threads(), piece_bytes=1)):
        report = tiler.tile(
            [tmp_path / "odd.parquet"], tmp_path / "3.pmtiles", max_zoom=0, overwrite=True, **where
        )
        assert [(each["layer"], each["column"]) for each in report.notes] == [("odd", "when")]
        assert report.notes[0]["address"].endswith("odd.parquet")


def test_damaged_geometry_of_parquet_is_named(tmp_path):
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    import pyarrow.parquet

    path = geoparquet(tmp_path / "all.parquet", 900)
    data = pyarrow.parquet.read_table(path)
    values = data["geometry"].to_pylist()
    values[700] = b"\1\1\0\0\0"
    bad = data.set_column(3, "geometry", pyarrow.array(values, pyarrow.binary()))
    pyarrow.parquet.write_table(bad, tmp_path / "bad.parquet", row_group_size=300)
    with pytest.raises(GeoJSONError, match=r"bad\.parquet, from row 600 on: .*row 100"):
        tiler.tile([tmp_path / "bad.parquet"], tmp_path / "1.pmtiles", piece_bytes=1)

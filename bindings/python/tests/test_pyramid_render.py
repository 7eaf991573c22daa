"""Pyramids drawn: the same bytes whoever draws them, and whatever goes wrong meanwhile."""

import concurrent.futures
import hashlib
import json
import multiprocessing
import os
import pathlib
import subprocess
import sys
import textwrap

import pytest

import neatline
from neatline import pyramid
from neatline.pyramid import draw
from neatline.pyramid.store import Folder

from pyramid_data import make_style, sequential, small_plan


@pytest.fixture
def plan(tmp_path):
    return small_plan(tmp_path / "data")


@pytest.fixture
def expected(plan, tmp_path):
    return sequential(plan, tmp_path / "expected.pmtiles")


def part(folder, number, ending):
    return pathlib.Path(folder) / f"part-{number:06d}.{ending}"


def test_a_run_is_a_plain_loop_over_the_tiles_byte_for_byte(plan, expected, tmp_path):
    seen = []
    summary = pyramid.render(plan, tmp_path / "a.pmtiles", progress=lambda *now: seen.append(now))
    assert (tmp_path / "a.pmtiles").read_bytes() == expected
    assert summary.tiles == plan.tiles == 85 and summary.shards == plan.shards > 3 and summary.repaired == 0
    assert seen[0][:2] == (0, 0) and seen[-1] == (plan.shards, 85, plan.shards, 85)
    assert not (tmp_path / "a.pmtiles.parts").exists()
    assert pyramid.verify(plan, tmp_path / "a.pmtiles", decode=True, sample=3).ok


def pool(kind):
    if kind == "threads":
        return concurrent.futures.ThreadPoolExecutor(3)
    return concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(kind))


@pytest.mark.parametrize("kind", ["threads", "fork", "spawn"])
def test_every_executor_makes_the_same_bytes(plan, expected, tmp_path, kind):
    with pool(kind) as executor:
        pyramid.render(plan, tmp_path / "a.pmtiles", executor, in_flight=3)
    assert (tmp_path / "a.pmtiles").read_bytes() == expected


def test_what_is_no_executor_is_refused(plan, tmp_path):
    with pytest.raises(TypeError, match="int is no executor"):
        pyramid.render(plan, tmp_path / "a.pmtiles", 4)


def test_shards_are_drawn_one_by_one_and_merged(plan, expected, tmp_path):
    folder = tmp_path / "parts"
    for number in reversed(range(plan.shards)):
        record = pyramid.render_shard(plan, number, folder)
        assert record.shard == number and record.tiles == plan.shard(number).tiles
    assert sorted(each.name for each in folder.iterdir() if each.suffix == ".pmtiles") == [
        f"part-{number:06d}.pmtiles" for number in range(plan.shards)
    ]
    assert pyramid.verify(plan, folder).ok
    summary = pyramid.merge(plan, folder, tmp_path / "a.pmtiles")
    assert (tmp_path / "a.pmtiles").read_bytes() == expected and summary.tiles == 85
    # A part is an archive of its own, for whoever wants to look at it.
    assert neatline.Archive(folder / "part-000000.pmtiles").tile(0, 0, 0)[:4] == b"\x89PNG"


def test_parts_that_are_there_are_not_drawn_again(plan, expected, tmp_path):
    folder = tmp_path / "parts"
    pyramid.prepare_folder(plan, folder)
    for number in (0, 2):
        pyramid.render_shard(plan, number, folder)
    before = part(folder, 2, "json").stat().st_mtime_ns
    assert pyramid.missing_shards(plan, folder) == [each for each in range(plan.shards) if each not in (0, 2)]
    pyramid.render(plan, tmp_path / "a.pmtiles", folder=folder, keep_parts=True)
    assert part(folder, 2, "json").stat().st_mtime_ns == before
    assert (tmp_path / "a.pmtiles").read_bytes() == expected


def damage_truncated(folder):
    path = part(folder, 1, "pmtiles")
    path.write_bytes(path.read_bytes()[:-100])


def damage_flipped(folder):
    path = part(folder, 1, "pmtiles")
    data = bytearray(path.read_bytes())
    data[-200] ^= 1
    path.write_bytes(data)


def damage_removed(folder):
    part(folder, 1, "pmtiles").unlink()


def damage_of_another_shard(folder):
    # A whole part under the wrong number, its record too.
    for ending in ("pmtiles", "inputs", "json"):
        part(folder, 1, ending).write_bytes(part(folder, 2, ending).read_bytes())


def damage_lying_record(folder):
    # Tiles of another shard, with sums that fit them.
    record = json.loads(part(folder, 2, "json").read_text())
    record["shard"] = 1
    part(folder, 1, "json").write_text(json.dumps(record))
    for ending in ("pmtiles", "inputs"):
        part(folder, 1, ending).write_bytes(part(folder, 2, ending).read_bytes())


def damage_record_is_no_json(folder):
    part(folder, 1, "json").write_text("{")


def damage_hashes(folder):
    part(folder, 1, "inputs").write_bytes(b"")


DAMAGES = [value for name, value in list(globals().items()) if name.startswith("damage_")]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda each: each.__name__)
def test_a_part_that_is_not_what_it_says_is_found_and_drawn_again(plan, expected, tmp_path, damage):
    folder = tmp_path / "parts"
    pyramid.prepare_folder(plan, folder)
    for number in range(plan.shards):
        pyramid.render_shard(plan, number, folder)
    damage(folder)
    found = pyramid.verify(plan, folder)
    assert not found.ok and [each.shard for each in found.faults] == [1]
    with pytest.raises(pyramid.PartError) as raised:
        pyramid.merge(plan, folder, tmp_path / "a.pmtiles")
    assert raised.value.shard == 1 and not (tmp_path / "a.pmtiles").exists()
    pyramid.render(plan, tmp_path / "a.pmtiles", folder=folder)
    assert (tmp_path / "a.pmtiles").read_bytes() == expected


def fake_part(plan, folder, number, paint):
    """A part whose record and checksums are right and whose pictures are not."""
    original = draw.Painter._tile
    draw.Painter._tile = lambda self, image, z, x, y: paint(original(self, image, z, x, y))
    try:
        return pyramid.render_shard(plan, number, folder)
    finally:
        draw.Painter._tile = original


def test_a_worker_that_draws_something_else_is_found_by_drawing_again(plan, tmp_path):
    folder = tmp_path / "parts"
    pyramid.prepare_folder(plan, folder)
    red = neatline.image._of_pixels(256, 256, b"\xff\0\0\xff" * 65536).png()
    for number in range(plan.shards):
        fake_part(plan, folder, number, lambda tile: tile._replace(data=red))
    assert pyramid.verify(plan, folder).ok
    found = pyramid.verify(plan, folder, sample=4)
    assert not found.ok and found.redrawn == 4 and "not what is drawn" in str(found.faults[0])


@pytest.mark.parametrize("words", ["not png", "128 x 128 pixels, not 256 x 256", "is missing"])
def test_a_worker_that_makes_no_pictures_is_found(plan, expected, tmp_path, words):
    folder = tmp_path / "parts"
    pyramid.prepare_folder(plan, folder)
    small = neatline.image._of_pixels(128, 128, b"\xff\0\0\xff" * 16384).png()
    data = {"not png": b"nothing" * 20, "is missing": None}.get(words, small)
    if data is None:
        # It says that it holds one tile more than it does.
        pyramid.render_shard(plan, 2, folder)
        writer = neatline.ArchiveWriter(part(folder, 2, "pmtiles"), format="png", overwrite=True)
        numbers = list(range(plan.shard(2).first, plan.shard(2).end))
        for z, x, y in map(pyramid.hilbert.tile_of, [5000, *numbers[1:]]):
            writer.add(z, x, y, small)
        writer.finish()
        content = part(folder, 2, "pmtiles").read_bytes()
        record = json.loads(part(folder, 2, "json").read_text())
        record.update(bytes=len(content), sha256=hashlib.sha256(content).hexdigest())
        part(folder, 2, "json").write_text(json.dumps(record))
        # Of the wrong size they would be found as well.
        words = "is missing"
    else:
        fake_part(plan, folder, 2, lambda tile: tile._replace(data=data))
    found = pyramid.verify(plan, folder)
    assert any(words in str(each) and each.shard == 2 for each in found.faults)
    summary = pyramid.render(plan, tmp_path / "a.pmtiles", folder=folder)
    assert summary.repaired == 1 and (tmp_path / "a.pmtiles").read_bytes() == expected


class Liar(concurrent.futures.Executor):
    """Says that everything is done."""

    calls = 0

    def submit(self, fn, /, *args, **kwargs):
        self.calls += 1
        future = concurrent.futures.Future()
        future.set_result({"tiles": 10**9})
        return future


def test_a_worker_that_does_nothing_is_not_believed(plan, tmp_path):
    liar = Liar()
    with pytest.raises(pyramid.PartError, match="says that it is done"):
        pyramid.render(plan, tmp_path / "a.pmtiles", liar, retries=1, in_flight=1)
    assert liar.calls == plan.shards + 1
    assert not (tmp_path / "a.pmtiles").exists()


class Flaky(concurrent.futures.ThreadPoolExecutor):
    """Every shard fails the first time."""

    def __init__(self):
        super().__init__(2)
        self.seen = set()

    def submit(self, fn, /, *args, **kwargs):
        shard = args[3][0]
        if shard in self.seen:
            return super().submit(fn, *args, **kwargs)
        self.seen.add(shard)
        return super().submit(fail)


def fail():
    raise OSError("the machine went away")


def test_shards_that_fail_are_tried_again(plan, expected, tmp_path):
    with Flaky() as executor:
        pyramid.render(plan, tmp_path / "a.pmtiles", executor)
    assert (tmp_path / "a.pmtiles").read_bytes() == expected
    with Flaky() as executor, pytest.raises(OSError, match="went away"):
        pyramid.render(plan, tmp_path / "b.pmtiles", executor, retries=0)


def test_a_caller_may_call_it_off_and_go_on_later(plan, expected, tmp_path):
    with pytest.raises(pyramid.CancelledByCaller):
        pyramid.render(plan, tmp_path / "a.pmtiles", progress=lambda shards, *_: shards < 2)
    assert len(pyramid.missing_shards(plan, tmp_path / "a.pmtiles.parts")) == plan.shards - 2
    pyramid.render(plan, tmp_path / "a.pmtiles")
    assert (tmp_path / "a.pmtiles").read_bytes() == expected


def test_a_merge_that_was_called_off_goes_on(plan, expected, tmp_path):
    folder = tmp_path / "parts"
    for number in range(plan.shards):
        pyramid.render_shard(plan, number, folder)
    with pytest.raises(pyramid.CancelledByCaller):
        pyramid.merge(plan, folder, tmp_path / "a.pmtiles", progress=lambda shards, *_: shards < 3)
    assert (tmp_path / "a.pmtiles.partial").exists() and not (tmp_path / "a.pmtiles").exists()
    pyramid.merge(plan, folder, tmp_path / "a.pmtiles")
    assert (tmp_path / "a.pmtiles").read_bytes() == expected


def test_a_target_that_is_there_is_refused_before_anything_is_drawn(plan, tmp_path):
    (tmp_path / "a.pmtiles").write_text("mine")
    with pytest.raises(neatline.InvalidStateError, match="there already"):
        pyramid.render(plan, tmp_path / "a.pmtiles")
    assert not (tmp_path / "a.pmtiles.parts").exists()
    pyramid.render(plan, tmp_path / "a.pmtiles", overwrite=True)
    assert pyramid.verify(plan, tmp_path / "a.pmtiles").ok


@pytest.mark.parametrize("what", ["style.json", "land.pmtiles"])
def test_a_style_that_changed_is_refused(plan, tmp_path, what):
    pyramid.render_shard(plan, 0, tmp_path / "parts")
    make_style(tmp_path / "data", skip={3} if what == "land.pmtiles" else ())
    if what == "style.json":
        style = json.loads((tmp_path / "data/style.json").read_text())
        style["layers"][0]["paint"]["background-color"] = "#fff"
        (tmp_path / "data/style.json").write_text(json.dumps(style))
    # In this process, which has a renderer of it, and in one that has none.
    for _ in range(2):
        with pytest.raises(pyramid.ChangedError, match=what):
            pyramid.render_shard(plan, 1, tmp_path / "parts")
        draw.forget_painters()
    with pool("fork") as executor, pytest.raises(pyramid.ChangedError, match=what):
        pyramid.render(plan, tmp_path / "a.pmtiles", executor)
    # Made anew, the plan is another, and its parts do not mix with those that are there.
    changed = pyramid.plan(tmp_path / "data/style.json", max_zoom=3, shard_size=16)
    pyramid.prepare_folder(plan, tmp_path / "parts")
    with pytest.raises(pyramid.ChangedError, match="has parts of plan"):
        pyramid.prepare_folder(changed, tmp_path / "parts")
    assert not (tmp_path / "a.pmtiles").exists()


def test_another_version_of_the_library_is_refused(plan, tmp_path, monkeypatch):
    monkeypatch.setattr(sys.modules["neatline.pyramid.plan"], "version", lambda: "9.9.9")
    draw.forget_painters()
    with pytest.raises(pyramid.ChangedError, match="9.9.9"):
        pyramid.render_shard(plan, 0, tmp_path / "parts")


def test_across_the_180th_meridian(tmp_path):
    plan = small_plan(tmp_path / "data", bounds=(150, -30, -150, 30), max_zoom=4)
    west, east = plan.area.columns(4)
    assert (west, east) == ((0, 2), (14, 16))
    pyramid.render(plan, tmp_path / "a.pmtiles")
    assert (tmp_path / "a.pmtiles").read_bytes() == sequential(plan, tmp_path / "b.pmtiles")
    archive = neatline.Archive(tmp_path / "a.pmtiles")
    assert archive.tile(4, 15, 8) and archive.tile(4, 0, 8) and archive.tile(4, 8, 8) is None


@pytest.fixture
def empty_style(tmp_path):
    square = [[-170, 10], [-100, 10], [-100, 60], [-170, 60], [-170, 10]]
    data = {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [square]}}
    return {
        "version": 8,
        "sources": {"one": {"type": "geojson", "data": data}},
        "layers": [
            {"id": "sea", "type": "background", "paint": {"background-color": "#9cf"}},
            {"id": "land", "type": "fill", "source": "one", "paint": {"fill-color": "#080"}},
        ],
    }


def test_tiles_of_one_colour_are_stored_once(empty_style, tmp_path):
    plan = pyramid.plan(empty_style, max_zoom=4, shard_size=50)
    summary = pyramid.render(plan, tmp_path / "a.pmtiles")
    header = neatline.Archive(tmp_path / "a.pmtiles").info["header"]
    assert header["addressedTiles"] == plan.tiles == 341
    assert 200 < summary.uniform < 341 and header["tileContents"] <= 341 - summary.uniform + 2


@pytest.mark.parametrize("metatile", [1, 4])
def test_tiles_of_one_colour_are_left_out_by_option(empty_style, tmp_path, metatile):
    plan = pyramid.plan(empty_style, max_zoom=4, shard_size=16, skip_empty=True, metatile=metatile)
    with pool("threads") as executor:
        summary = pyramid.render(plan, tmp_path / "a.pmtiles", executor)
    assert summary.tiles + summary.empty == 341 and summary.empty > 200
    archive = neatline.Archive(tmp_path / "a.pmtiles")
    assert archive.tile(4, 15, 15) is None and archive.tile(0, 0, 0)
    found = pyramid.verify(plan, tmp_path / "a.pmtiles", sample=20)
    assert found.ok and found.absent == summary.empty


def test_a_pyramid_of_nothing_but_one_colour(red, tmp_path):
    plan = pyramid.plan(red, max_zoom=2, skip_empty=True)
    assert pyramid.render(plan, tmp_path / "a.pmtiles", keep_parts=True).tiles == 0
    assert neatline.Archive(tmp_path / "a.pmtiles").info["header"]["addressedTiles"] == 0
    assert pyramid.verify(plan, tmp_path / "a.pmtiles").ok
    assert pyramid.verify(plan, tmp_path / "a.pmtiles.parts").ok


@pytest.mark.parametrize(("format", "start"), [("jpg", b"\xff\xd8"), ("webp", b"RIFF")])
def test_other_formats(tmp_path, format, start):
    plan = small_plan(tmp_path / "data", format=format, quality=70, size=128, ratio=2, max_zoom=2)
    pyramid.render(plan, tmp_path / "a.pmtiles")
    archive = neatline.Archive(tmp_path / "a.pmtiles")
    assert archive.tile(2, 1, 1).startswith(start) and archive.info["format"] == format
    assert neatline.decode_image(archive.tile(2, 1, 1)).size == (256, 256)
    assert pyramid.verify(plan, tmp_path / "a.pmtiles", decode=True).ok


def test_metatiles_are_cut_into_tiles_that_hardly_differ(tmp_path):
    numpy = pytest.importorskip("numpy")
    single = small_plan(tmp_path / "data")
    square = small_plan(tmp_path / "data", metatile=4)
    pyramid.render(single, tmp_path / "a.pmtiles")
    pyramid.render(square, tmp_path / "b.pmtiles")
    pictures = [neatline.Archive(tmp_path / name) for name in ("a.pmtiles", "b.pmtiles")]
    for z, x, y in ((0, 0, 0), (1, 1, 0), (2, 3, 3), (3, 5, 2), (3, 0, 7)):
        a, b = (numpy.asarray(neatline.decode_image(each.tile(z, x, y))).astype(int) for each in pictures)
        # Places in a picture are rounded from its own middle: antialiased edges differ by shades.
        differs = abs(a - b).max(axis=2)
        assert (differs > 48).mean() < 0.001 and (differs > 0).mean() < 0.02


def test_only_what_changed_is_drawn(tmp_path):
    old = small_plan(tmp_path / "data", max_zoom=5)
    pyramid.render(old, tmp_path / "old.pmtiles")
    assert (tmp_path / "old.pmtiles.inputs").exists()
    make_style(tmp_path / "data", skip={30})
    new = pyramid.plan(tmp_path / "data/style.json", max_zoom=5, shard_size=16)
    assert new.id != old.id and new.drawing == old.drawing
    with pool("fork") as executor:
        summary = pyramid.render(new, tmp_path / "new.pmtiles", executor, previous=tmp_path / "old.pmtiles")
    assert new.tiles * 0.7 < summary.reused < new.tiles
    assert (tmp_path / "new.pmtiles").read_bytes() == sequential(new, tmp_path / "expected.pmtiles")
    # In place, with nothing changed.
    summary = pyramid.render(new, tmp_path / "new.pmtiles", previous=tmp_path / "new.pmtiles", overwrite=True)
    assert summary.reused == new.tiles
    assert (tmp_path / "new.pmtiles").read_bytes() == (tmp_path / "expected.pmtiles").read_bytes()


def test_only_what_changed_is_drawn_of_geojson(empty_style, tmp_path):
    old = pyramid.plan(empty_style, max_zoom=4, shard_size=50)
    pyramid.render(old, tmp_path / "old.pmtiles")
    ring = empty_style["sources"]["one"]["data"]["geometry"]["coordinates"][0]
    ring[1] = ring[1][:1] + [12]
    new = pyramid.plan(empty_style, max_zoom=4, shard_size=50)
    summary = pyramid.render(new, tmp_path / "new.pmtiles", previous=tmp_path / "old.pmtiles")
    assert 0 < summary.reused < new.tiles
    pyramid.render(new, tmp_path / "whole.pmtiles")
    assert (tmp_path / "new.pmtiles").read_bytes() == (tmp_path / "whole.pmtiles").read_bytes()


def test_another_style_is_drawn_anew_whatever_was_before(tmp_path):
    old = small_plan(tmp_path / "data")
    pyramid.render(old, tmp_path / "old.pmtiles")
    other = small_plan(tmp_path / "data", size=512)
    summary = pyramid.render(other, tmp_path / "new.pmtiles", previous=tmp_path / "old.pmtiles")
    assert summary.reused == 0 and pyramid.verify(other, tmp_path / "new.pmtiles").ok


def test_an_earlier_pyramid_without_hashes_is_refused(tmp_path):
    plan = small_plan(tmp_path / "data", track_changes=False)
    pyramid.render(plan, tmp_path / "old.pmtiles")
    with pytest.raises(pyramid.ChangedError, match="track_changes"):
        pyramid.render(plan, tmp_path / "new.pmtiles", previous=tmp_path / "old.pmtiles")
    tracked = small_plan(tmp_path / "data")
    with pytest.raises(neatline.NotFoundError, match="old.pmtiles.inputs"):
        pyramid.render(tracked, tmp_path / "new.pmtiles", previous=tmp_path / "old.pmtiles")
    for text in (b"", b"{}\n", b"\0" * 100):
        (tmp_path / "old.pmtiles.inputs").write_bytes(text)
        with pytest.raises(neatline.ArchiveError):
            pyramid.render(tracked, tmp_path / "new.pmtiles", previous=tmp_path / "old.pmtiles")


def test_hashes_of_another_run_are_refused(tmp_path):
    old = small_plan(tmp_path / "data")
    pyramid.render(old, tmp_path / "old.pmtiles")
    hashes = (tmp_path / "old.pmtiles.inputs").read_bytes()
    make_style(tmp_path / "data", skip={3})
    new = pyramid.plan(tmp_path / "data/style.json", max_zoom=3, shard_size=16)
    pyramid.render(new, tmp_path / "old.pmtiles", overwrite=True)
    (tmp_path / "old.pmtiles.inputs").write_bytes(hashes)
    with pytest.raises(pyramid.ChangedError, match="not of the same run"):
        pyramid.render(new, tmp_path / "new.pmtiles", previous=tmp_path / "old.pmtiles")


@pytest.fixture
def lacking(tmp_path):
    style = make_style(tmp_path / "data")
    document = json.loads(style.read_text())
    document["sources"]["far"] = {"type": "vector", "tiles": ["http://127.0.0.1:9/{z}/{x}/{y}.pbf"]}
    document["layers"].append({"id": "far", "type": "fill", "source": "far", "source-layer": "far"})
    style.write_text(json.dumps(document))
    return style


def test_tiles_that_lack_something_fail_unless_they_may(lacking, tmp_path):
    plan = pyramid.plan(lacking, max_zoom=1, timeout=1)
    assert not plan.track_changes
    with pytest.raises(pyramid.IncompleteError, match="0/0/0 is not complete"):
        pyramid.render(plan, tmp_path / "a.pmtiles")
    plan = pyramid.plan(lacking, max_zoom=1, timeout=1, allow_incomplete=True)
    summary = pyramid.render(plan, tmp_path / "b.pmtiles", keep_parts=True)
    assert summary.incomplete == summary.tiles == 5
    assert "127.0.0.1" in json.loads(part(tmp_path / "b.pmtiles.parts", 0, "json").read_text())["missing"][0]
    with pytest.raises(neatline.InvalidArgumentError, match="track_changes"):
        pyramid.plan(lacking, max_zoom=1, timeout=1, track_changes=True)


def test_a_full_disk_fails_and_leaves_nothing_that_looks_whole(plan, expected, tmp_path):
    """The limit of a file's size stands in for a disk that is full."""
    plan.save(tmp_path / "plan.json")
    code = """
        import resource, signal, sys
        import neatline
        from neatline import pyramid

        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))
        try:
            pyramid.render(pyramid.Plan.load("plan.json"), "a.pmtiles", retries=1)
        except (neatline.FileError, neatline.ArchiveError) as error:
            sys.exit(str(error))
    """
    ran = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path, capture_output=True, text=True
    )
    assert ran.returncode == 1 and "part-" in ran.stderr and "Traceback" not in ran.stderr
    folder = tmp_path / "a.pmtiles.parts"
    assert not [each for each in folder.iterdir() if ".tmp" in each.name]
    assert not (tmp_path / "a.pmtiles").exists()
    pyramid.render(plan, tmp_path / "a.pmtiles")
    assert (tmp_path / "a.pmtiles").read_bytes() == expected


def test_places_that_cannot_be_written_are_named(plan, tmp_path):
    (tmp_path / "file").write_text("")
    for target in (tmp_path / "file/a.pmtiles", "/proc/nowhere/a.pmtiles"):
        with pytest.raises((neatline.FileError, neatline.NotFoundError), match=os.path.dirname(str(target))):
            pyramid.render(plan, target)
    for folder in (tmp_path / "file", "/proc/nowhere"):
        with pytest.raises((neatline.FileError, neatline.NotFoundError), match=str(folder)):
            pyramid.render_shard(plan, 0, folder)
    with pytest.raises(neatline.InvalidArgumentError, match="ends in none of"):
        pyramid.render(plan, tmp_path / "a.zip")
    with pytest.raises(neatline.InvalidArgumentError, match="no option 'compression'"):
        pyramid.render(plan, tmp_path / "a.pmtiles", compression="LZW")


def test_a_worker_that_is_killed_leaves_no_part(plan, expected, tmp_path):
    plan.save(tmp_path / "plan.json")
    code = """
        import os, signal
        from neatline import pyramid
        from neatline.pyramid import draw

        plan, count = pyramid.Plan.load("plan.json"), 0
        original = draw.Painter._tile

        def tile(*arguments):
            global count
            count += 1
            if count > 40:
                os.kill(os.getpid(), signal.SIGKILL)
            return original(*arguments)

        draw.Painter._tile = tile
        pyramid.render(plan, "a.pmtiles")
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path)
    assert ran.returncode == -9
    folder = tmp_path / "a.pmtiles.parts"
    there = plan.shards - len(pyramid.missing_shards(plan, folder))
    assert 1 <= there < plan.shards
    assert len(list(folder.glob("part-*.json"))) == there
    left = [each for each in folder.iterdir() if ".tmp" in each.name]
    assert left
    for each in left:
        os.utime(each, (1, 1))
    pyramid.render(plan, tmp_path / "a.pmtiles")
    assert (tmp_path / "a.pmtiles").read_bytes() == expected and not folder.exists()


def test_verify_finds_what_is_wrong_with_an_archive(plan, tmp_path):
    pyramid.render(plan, tmp_path / "a.pmtiles")
    data = bytearray((tmp_path / "a.pmtiles").read_bytes())
    other = small_plan(tmp_path / "data", max_zoom=2)
    found = pyramid.verify(other, tmp_path / "a.pmtiles")
    assert [each.kind for each in found.faults] == ["plan", "file"] and "85 tiles" in str(found.faults[1])
    found = pyramid.verify(small_plan(tmp_path / "data", max_zoom=4), tmp_path / "a.pmtiles")
    assert len(found.faults) == 257 and found.faults[1].tile == (4, 0, 0)
    data[16384 + 20 : 16384 + 24] = b"\0\0\0\0"
    (tmp_path / "a.pmtiles").write_bytes(data)
    found = pyramid.verify(plan, tmp_path / "a.pmtiles")
    assert [each.tile for each in found.faults] == [(0, 0, 0)]
    (tmp_path / "a.pmtiles").write_bytes(data[:100])
    assert [each.kind for each in pyramid.verify(plan, tmp_path / "a.pmtiles").faults] == ["file"]
    with pytest.raises(neatline.NotFoundError):
        pyramid.verify(plan, tmp_path / "b.pmtiles")


def test_errors_and_plans_are_pickled(plan):
    import pickle

    error = pickle.loads(pickle.dumps(pyramid.PartError("no", 5)))
    assert error.shard == 5 and str(error) == "no"
    again = pickle.loads(pickle.dumps(plan))
    assert again == plan and again.all_shards() == plan.all_shards()


def test_files_of_a_folder_are_written_whole_or_not_at_all(tmp_path):
    folder = Folder(str(tmp_path))
    folder.write("a", b"1")
    with pytest.raises(TypeError):
        folder.write("a", "text")
    assert folder.read("a") == b"1" and [name for name, _ in folder.names()] == ["a"]
    assert folder.size("b") is None

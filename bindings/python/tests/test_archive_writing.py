"""Archives that are written."""

import json

import pytest

import neatline


def grid(path, count=200):
    features = [
        {
            "type": "Feature",
            "properties": {"n": n},
            "geometry": {"type": "Point", "coordinates": [n % 20 * 17 - 170, n // 20 * 15 - 70]},
        }
        for n in range(count)
    ]
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


@pytest.mark.parametrize("name", ["a.pmtiles", "a.mbtiles"])
def test_a_writer_makes_an_archive(tmp_path, name):
    writer = neatline.ArchiveWriter(tmp_path / name, format="png")
    assert writer.cursor is None
    writer.add(1, 0, 1, b"tile")
    assert not (tmp_path / name).exists()
    writer.finish({"name": "Mine"})
    archive = neatline.Archive(tmp_path / name)
    assert archive.tile(1, 0, 1) == b"tile" and archive.tile(1, 0, 0) is None
    assert archive.info["name"] == "Mine" and archive.info["header"]["archive"] == name[2:]
    with pytest.raises(neatline.InvalidArgumentError):
        neatline.ArchiveWriter(tmp_path / "a.zip")


def test_a_writer_continues_its_job(tmp_path):
    writer = neatline.ArchiveWriter(tmp_path / "a.pmtiles", job="mine")
    writer.add(0, 0, 0, b"\x1a\x00")
    writer.checkpoint(5)
    with pytest.raises(neatline.InvalidStateError):
        neatline.ArchiveWriter(tmp_path / "a.pmtiles", job="mine")
    del writer
    writer = neatline.ArchiveWriter(tmp_path / "a.pmtiles", job="mine")
    assert writer.cursor == 5
    writer.finish()
    assert neatline.Archive(tmp_path / "a.pmtiles").tile(0, 0, 0)[:2] == b"\x1f\x8b"


def test_geojson_goes_through_both_formats(tmp_path):
    seen = []
    report = neatline.tile_geojson(
        {"grid": grid(tmp_path / "grid.geojson")},
        tmp_path / "a.pmtiles",
        max_zoom=4,
        progress=lambda done, total, size: seen.append(done),
        metadata={"name": "Grid"},
    )
    assert report["tiles"] > 50 and seen[-1] == report["tiles"]
    copied = neatline.copy_archive(
        tmp_path / "a.pmtiles", tmp_path / "b.mbtiles", bbox=(-180, -80, 0, 0), min_zoom=1
    )
    assert 0 < copied["tiles"] < report["tiles"] and copied["minzoom"] == 1
    assert neatline.Archive(tmp_path / "b.mbtiles").decode(1, 0, 1).layers[0].name == "grid"


def test_progress_ends_a_job(tmp_path):
    neatline.tile_geojson({"grid": grid(tmp_path / "grid.geojson")}, tmp_path / "a.pmtiles", max_zoom=4)
    with pytest.raises(neatline.CancelledError):
        neatline.copy_archive(tmp_path / "a.pmtiles", tmp_path / "b.pmtiles", progress=lambda *_: False)
    with pytest.raises(ZeroDivisionError):
        neatline.copy_archive(tmp_path / "a.pmtiles", tmp_path / "b.pmtiles", progress=lambda *_: 1 / 0)
    assert not (tmp_path / "b.pmtiles").exists() and (tmp_path / "b.pmtiles.partial").exists()
    assert neatline.copy_archive(tmp_path / "a.pmtiles", tmp_path / "b.pmtiles")["resumedTiles"] > 0
    assert (tmp_path / "b.pmtiles").read_bytes()[:7] == b"PMTiles"
    with pytest.raises(neatline.NotFoundError):
        neatline.copy_archive(tmp_path / "none.pmtiles", tmp_path / "c.pmtiles")

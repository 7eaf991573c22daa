"""Pictures as files, and options that nobody reads."""

import inspect

import pytest

import neatline

MAGIC = {"png": b"\x89PNG", "jpg": b"\xff\xd8\xff", "jpeg": b"\xff\xd8\xff", "webp": b"RIFF"}


@pytest.fixture
def image(red):
    return neatline.render(red, size=(32, 16))


def test_a_name_says_what_is_written(image, tmp_path):
    for end, magic in MAGIC.items():
        for name in (f"map.{end}", f"MAP.{end.upper()}"):
            image.save(tmp_path / name)
            assert (tmp_path / name).read_bytes().startswith(magic)
            assert neatline.decode_image((tmp_path / name).read_bytes()).size == (32, 16)
        assert image.encode(end).startswith(magic)
    for name in ("map.gif", "map", "jpg"):
        with pytest.raises(neatline.InvalidArgumentError, match=name):
            image.save(tmp_path / name)
        assert not (tmp_path / name).exists()
    with pytest.raises(neatline.InvalidArgumentError, match="tiff"):
        image.encode("tiff")


def test_quality(demo):
    image = neatline.render(demo, size=(128, 128))
    sizes = [len(image.encode("jpeg", quality=quality)) for quality in (10, 50, 90)]
    assert sizes == sorted(sizes) and len(set(sizes)) == 3
    assert bytes(neatline.decode_image(image.encode("webp", quality=100)).premultiplied) == bytes(
        image.premultiplied
    )
    for quality in (0, -1, 101):
        with pytest.raises(neatline.InvalidArgumentError, match=str(quality)):
            image.encode("jpeg", quality=quality)
    with pytest.raises(neatline.InvalidArgumentError, match="PNG"):
        image.encode("png", quality=50)


def test_options_that_nobody_reads_are_named(points_text, tmp_path):
    with pytest.raises(TypeError, match="maxZoom"):
        neatline.GeoJSON(points_text, maxZoom=5)
    with pytest.raises(TypeError, match="Buffer"):
        neatline.GeoJSONReader(Buffer=5)
    with pytest.raises(TypeError, match="tolerence"):
        neatline.tile_geojson({"a": "a.geojson"}, tmp_path / "a.pmtiles", tolerence=1)
    with pytest.raises(TypeError, match="maxTiles"):
        neatline.copy_archive(tmp_path / "a.pmtiles", tmp_path / "b.pmtiles", maxTiles=1)
    with pytest.raises(TypeError, match="jbo"):
        neatline.ArchiveWriter(tmp_path / "c.pmtiles", jbo="x")


def test_options_reach_the_library_under_its_names(points_text, tmp_path):
    """Each is given, so that one that the library does not know by that name would be refused."""
    neatline.GeoJSON(
        points_text,
        max_zoom=5,
        buffer=10,
        tolerance=1,
        extent=512,
        line_metrics=True,
        generate_id=True,
        index_max_zoom=2,
        index_max_points=10,
        cluster=True,
        min_zoom=0,
        cluster_radius=20,
        cluster_min_points=3,
        cluster_max_zoom=4,
        cluster_properties={"sum": ["+", ["get", "rank"]]},
    )
    neatline.GeoJSONReader(promote_id="name", max_zoom=3)
    (tmp_path / "a.geojson").write_text(points_text)
    neatline.tile_geojson(
        {"a": tmp_path / "a.geojson"},
        tmp_path / "a.out",
        min_zoom=1,
        max_zoom=2,
        buffer=1,
        tolerance=1,
        extent=512,
        line_metrics=False,
        generate_id=True,
        metadata={"name": "points"},
        archive="pmtiles",
        plain=False,
        resume=False,
        max_tiles=1000,
        overwrite=False,
    )
    neatline.tile_geojson(
        {"a": tmp_path / "a.geojson"}, tmp_path / "p.pmtiles", max_zoom=0, promote_id="name"
    )
    copied = neatline.copy_archive(
        tmp_path / "a.out",
        tmp_path / "b.out",
        bbox=(-180, -85, 180, 85),
        min_zoom=1,
        max_zoom=1,
        archive="mbtiles",
        plain=True,
        resume=False,
        max_tiles=1000,
        overwrite=True,
        verify=True,
    )
    assert copied["tiles"] > 0 and copied["maxzoom"] == 1
    with pytest.raises(neatline.LimitExceededError):
        neatline.tile_geojson(
            {"a": tmp_path / "a.geojson"}, tmp_path / "few.pmtiles", max_zoom=6, max_tiles=1
        )
    neatline.ArchiveWriter(
        tmp_path / "c.out",
        archive="mbtiles",
        format="png",
        plain=True,
        max_tiles=5,
        overwrite=True,
        resume=False,
        job="x",
    ).close()


def test_archives_are_replaced_only_where_that_is_asked_for(points_text, tmp_path):
    (tmp_path / "a.geojson").write_text(points_text)
    sources, target = {"a": tmp_path / "a.geojson"}, tmp_path / "a.pmtiles"
    neatline.tile_geojson(sources, target, max_zoom=2)
    before = target.read_bytes()
    for job in (
        lambda **options: neatline.tile_geojson(sources, target, max_zoom=1, **options),
        lambda **options: neatline.ArchiveWriter(target, **options).finish(),
    ):
        with pytest.raises(neatline.InvalidStateError, match="a.pmtiles"):
            job()
        assert target.read_bytes() == before
    neatline.tile_geojson(sources, target, max_zoom=1, overwrite=True)
    assert target.read_bytes() != before
    assert neatline.copy_archive(target, tmp_path / "b.mbtiles", verify=True)["tiles"] > 0


def test_attribution():
    point = {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}
    renderer = neatline.Renderer(
        {
            "version": 8,
            "sources": {"a": {**point, "attribution": "us"}, "b": {**point, "attribution": "nobody"}},
            "layers": [{"id": "a", "type": "circle", "source": "a"}],
        }
    )
    assert renderer.attribution() == ["us"] and renderer.info["attribution"] == ["us"]


def test_defaults_are_those_of_the_library():
    defaults = {
        name: each.default for name, each in inspect.signature(neatline.Renderer.__init__).parameters.items()
    }
    # As include/neatline.h says of neat_options.
    assert (defaults["retries"], defaults["timeout"], defaults["threads"], defaults["cache_bytes"]) == (
        3,
        30.0,
        0,
        0,
    )
    tile = {name: each.default for name, each in inspect.signature(neatline.tile_geojson).parameters.items()}
    assert (tile["min_zoom"], tile["max_zoom"]) == (0, 14)

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
    assert bytes(neatline.decode_image(image.encode("webp", quality=100)).premultiplied) == bytes(image.premultiplied)
    for quality in (0, -1, 101):
        with pytest.raises(neatline.InvalidArgumentError, match=str(quality)):
            image.encode("jpeg", quality=quality)
    with pytest.raises(neatline.InvalidArgumentError, match="PNG"):
        image.encode("png", quality=50)


def test_options_that_nobody_reads_are_named(points_text, tmp_path):
    with pytest.raises(neatline.InvalidArgumentError, match='"maxZoom"'):
        neatline.GeoJSON(points_text, maxZoom=5)
    with pytest.raises(neatline.InvalidArgumentError, match='"Buffer"'):
        neatline.GeoJSONReader(Buffer=5)
    (tmp_path / "a.geojson").write_text(points_text)
    with pytest.raises(neatline.InvalidArgumentError, match='"tolerence"'):
        neatline.tile_geojson({"a": tmp_path / "a.geojson"}, tmp_path / "a.pmtiles", maxzoom=2, tolerence=1)
    neatline.tile_geojson({"a": tmp_path / "a.geojson"}, tmp_path / "a.pmtiles", maxzoom=2)
    with pytest.raises(neatline.InvalidArgumentError, match='"max_tiles"'):
        neatline.copy_archive(tmp_path / "a.pmtiles", tmp_path / "b.pmtiles", max_tiles=1)
    with pytest.raises(neatline.InvalidArgumentError, match='"jbo"'):
        neatline.ArchiveWriter(tmp_path / "c.pmtiles", jbo="x")


def test_archives_are_replaced_only_where_that_is_asked_for(points_text, tmp_path):
    (tmp_path / "a.geojson").write_text(points_text)
    sources, target = {"a": tmp_path / "a.geojson"}, tmp_path / "a.pmtiles"
    neatline.tile_geojson(sources, target, maxzoom=2)
    before = target.read_bytes()
    for job in (
        lambda **options: neatline.tile_geojson(sources, target, maxzoom=1, **options),
        lambda **options: neatline.ArchiveWriter(target, **options).finish(),
    ):
        with pytest.raises(neatline.InvalidStateError, match="a.pmtiles"):
            job()
        assert target.read_bytes() == before
    neatline.tile_geojson(sources, target, maxzoom=1, overwrite=True)
    assert target.read_bytes() != before
    assert neatline.copy_archive(target, tmp_path / "b.mbtiles", verify=True)["tiles"] > 0


def test_attribution():
    point = {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}
    renderer = neatline.Renderer({
        "version": 8, "sources": {"a": {**point, "attribution": "us"}, "b": {**point, "attribution": "nobody"}},
        "layers": [{"id": "a", "type": "circle", "source": "a"}],
    })
    assert renderer.attribution() == ["us"] and renderer.info["attribution"] == ["us"]


def test_defaults_are_those_of_the_library():
    defaults = {name: each.default for name, each in inspect.signature(neatline.Renderer.__init__).parameters.items()}
    # As include/neatline.h says of neat_options.
    assert (defaults["retries"], defaults["timeout"], defaults["threads"], defaults["cache_bytes"]) == (3, 30.0, 0, 0)
    tile = {name: each.default for name, each in inspect.signature(neatline.tile_geojson).parameters.items()}
    assert (tile["minzoom"], tile["maxzoom"]) == (0, 14)

"""What a pyramid can become, and what each becomes of its tiles."""

import json
import subprocess
import sys
import textwrap

import pytest

import neatline
from neatline import pyramid

from pyramid_data import make_style, small_plan


@pytest.fixture
def plan(tmp_path):
    return small_plan(tmp_path / "data")


@pytest.fixture
def parts(plan, tmp_path):
    folder = tmp_path / "parts"
    pyramid.prepare_folder(plan, folder)
    for number in range(plan.shards):
        pyramid.render_shard(plan, number, folder)
    return folder


def pixels(picture):
    numpy = pytest.importorskip("numpy")
    return numpy.asarray(picture if isinstance(picture, neatline.Image) else neatline.decode_image(picture))


def tile(plan, z, x, y):
    """A tile drawn by itself."""
    with neatline.Renderer(plan.style, threads=1) as renderer:
        return renderer.draw_tile(z, x, y, plan.size, plan.ratio)


def test_mbtiles(plan, parts, tmp_path):
    for name, options in (("a.mbtiles", {}), ("plain.mbtiles", {"plain": True})):
        pyramid.merge(plan, parts, tmp_path / name, **options)
        archive = neatline.Archive(tmp_path / name)
        assert archive.tile(3, 5, 2) == tile(plan, 3, 5, 2).png() and archive.info["maxzoom"] == 3
        assert pyramid.verify(plan, tmp_path / name, decode=True, sample=3).ok


def test_a_folder_of_files(plan, parts, tmp_path):
    pyramid.merge(plan, parts, f"{tmp_path}/tiles/")
    assert (tmp_path / "tiles/3/5/2.png").read_bytes() == tile(plan, 3, 5, 2).png()
    about = json.loads((tmp_path / "tiles/tilejson.json").read_text())
    assert about["tiles"] == ["{z}/{x}/{y}.png"] and (about["minzoom"], about["maxzoom"]) == (0, 3)
    assert len(list((tmp_path / "tiles").rglob("*.png"))) == plan.tiles
    assert pyramid.verify(plan, f"{tmp_path}/tiles/", sample=2).ok
    with pytest.raises(neatline.InvalidStateError, match="already"):
        pyramid.merge(plan, parts, f"{tmp_path}/tiles/")
    pyramid.merge(plan, parts, f"{tmp_path}/tiles/", overwrite=True)
    (tmp_path / "tiles/3/5/2.png").write_bytes(b"")
    (tmp_path / "tiles/3/5/3.png").unlink()
    (tmp_path / "tiles/tilejson.json").unlink()
    found = pyramid.verify(plan, f"{tmp_path}/tiles/")
    assert {each.tile for each in found.faults} == {None, (3, 5, 2), (3, 5, 3)}


@pytest.mark.parametrize(
    "bounds", [None, (20, 10, 80, 50), (150, -30, -150, 30)], ids=["world", "box", "across"]
)
def test_a_cloud_optimised_geotiff(tmp_path, bounds):
    rasterio = pytest.importorskip("rasterio")
    cogeo = pytest.importorskip("rio_cogeo")
    plan = small_plan(tmp_path / "data", bounds=bounds, max_zoom=4)
    pyramid.render(plan, tmp_path / "a.tif", keep_parts=True)
    valid, errors, warnings = cogeo.cog_validate(tmp_path / "a.tif", quiet=True, strict=True)
    assert valid and not errors and not warnings
    with rasterio.open(tmp_path / "a.tif") as picture:
        assert (
            picture.crs == "EPSG:3857" and picture.count == 4 and picture.tags()["NEATLINE_PLAN"] == plan.id
        )
        left, columns, top, rows = pyramid.region.span(plan.area, 4)
        assert (picture.width, picture.height) == (columns * 256, rows * 256)
        assert picture.transform.a == pytest.approx(40075016.68557849 / 4096)
        x, y = (left + columns - 1) % 16, top + 1
        window = rasterio.windows.Window((columns - 1) * 256, 256, 256, 256)
        assert (picture.read(window=window).transpose(1, 2, 0) == pixels(tile(plan, 4, x, y))).all()
        lon = rasterio.warp.transform("EPSG:3857", "EPSG:4326", [picture.transform.c], [picture.transform.f])[
            0
        ][0]
        assert lon == pytest.approx(left / 16 * 360 - 180)
        # Overviews are the lower zooms as they are drawn, not the picture made smaller.
        factors = picture.overviews(1)
        assert factors[0] == 2
        wide = picture.read(out_shape=(4, -(-picture.height // 2), -(-picture.width // 2)))
        z3 = pixels(tile(plan, 3, (left + 1) // 2 % 8, (top + 1) // 2))
        at_x, at_y = ((left + 1) // 2 * 256 - left * 128), ((top + 1) // 2 * 256 - top * 128)
        held = wide[:, at_y : at_y + 256, at_x : at_x + 256].transpose(1, 2, 0)
        assert held.size and (held == z3[: held.shape[0], : held.shape[1]]).all()
    assert pyramid.verify(plan, tmp_path / "a.tif", sample=30).ok
    other = small_plan(tmp_path / "data", bounds=bounds, max_zoom=3)
    assert [each.kind for each in pyramid.verify(other, tmp_path / "a.tif").faults] == ["plan", "file"]
    assert not list(tmp_path.glob(".neatline-cog-*"))


def test_a_geotiff_without_alpha_and_with_other_compressions(tmp_path):
    rasterio = pytest.importorskip("rasterio")
    cogeo = pytest.importorskip("rio_cogeo")
    plan = small_plan(tmp_path / "data", format="jpg", max_zoom=3)
    pyramid.render(plan, tmp_path / "a.tif", compression="JPEG")
    with rasterio.open(tmp_path / "a.tif") as picture:
        assert picture.count == 3 and picture.compression.name == "jpeg"
    assert cogeo.cog_validate(tmp_path / "a.tif", quiet=True)[0]
    with pytest.raises(neatline.InvalidArgumentError, match="compression 'zip'"):
        pyramid.render(plan, tmp_path / "b.tif", compression="zip")


def test_a_geotiff_of_one_tile(tmp_path):
    cogeo = pytest.importorskip("rio_cogeo")
    plan = small_plan(tmp_path / "data", max_zoom=0)
    pyramid.render(plan, tmp_path / "a.tif")
    assert cogeo.cog_validate(tmp_path / "a.tif", quiet=True)[0]


@pytest.mark.parametrize("bounds", [None, (150, -30, -150, 30)], ids=["world", "across"])
def test_a_zarr_group(tmp_path, bounds):
    zarr = pytest.importorskip("zarr")
    plan = small_plan(tmp_path / "data", bounds=bounds)
    pyramid.render(plan, tmp_path / "a.zarr", keep_parts=True)
    group = zarr.open_group(tmp_path / "a.zarr", mode="r")
    assert [each["path"] for each in group.attrs["multiscales"][0]["datasets"]] == ["3", "2", "1", "0"]
    left, columns, top, rows = pyramid.region.span(plan.area, 3)
    array = group["3"]
    assert array.shape == (rows * 256, columns * 256, 4) and array.chunks == (256, 256, 4)
    held = array[256:512, (columns - 1) * 256 :]
    assert (held == pixels(tile(plan, 3, (left + columns - 1) % 8, top + 1))).all()
    assert array.attrs["crs"] == "EPSG:3857" and array.attrs["transform"][0] == pytest.approx(
        40075016.686 / 2048
    )
    assert pyramid.verify(plan, tmp_path / "a.zarr", sample=5).ok
    with pytest.raises(neatline.InvalidStateError):
        pyramid.render(plan, tmp_path / "a.zarr")
    pyramid.render(plan, tmp_path / "a.zarr", overwrite=True)


def test_tiles_that_are_left_out_are_transparent_in_rasters(red, tmp_path):
    zarr = pytest.importorskip("zarr")
    rasterio = pytest.importorskip("rasterio")
    plan = pyramid.plan(red, max_zoom=1, skip_empty=True)
    pyramid.render(plan, tmp_path / "a.zarr")
    pyramid.render(plan, tmp_path / "a.tif")
    assert not zarr.open_group(tmp_path / "a.zarr", mode="r")["1"][:].any()
    with rasterio.open(tmp_path / "a.tif") as picture:
        assert picture.shape == (512, 512) and not picture.read().any()


@pytest.mark.parametrize("name", ["a.pmtiles", "a.mbtiles", "tiles/", "a.zarr", "a.tif"])
def test_object_stores(plan, parts, name):
    fsspec = pytest.importorskip("fsspec")
    for needed in {"a.zarr": ["zarr"], "a.tif": ["rasterio"]}.get(name, []):
        pytest.importorskip(needed)
    fsspec.filesystem("memory").store.clear()
    address = f"memory://bucket/{name}"
    summary = pyramid.merge(plan, parts, address)
    assert summary.tiles == plan.tiles and pyramid.verify(plan, address, sample=2).ok
    with pytest.raises(neatline.InvalidStateError, match="already"):
        pyramid.merge(plan, parts, address)
    pyramid.merge(plan, parts, address, overwrite=True)


def test_parts_in_an_object_store(plan, tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.store.clear()
    pyramid.render(plan, tmp_path / "a.pmtiles", folder="memory://bucket/parts", keep_parts=True)
    assert pyramid.verify(plan, "memory://bucket/parts").ok
    name = "/bucket/parts/part-000001.pmtiles"
    memory.pipe_file(name, memory.cat_file(name)[:-9])
    assert pyramid.missing_shards(plan, "memory://bucket/parts") == [1]
    summary = pyramid.render(plan, "memory://bucket/a.pmtiles", folder="memory://bucket/parts")
    assert memory.cat_file("/bucket/a.pmtiles") == (tmp_path / "a.pmtiles").read_bytes()
    assert summary.tiles == plan.tiles and not memory.find("/bucket/parts")


def test_file_addresses_are_paths(plan, parts, tmp_path):
    pyramid.merge(plan, f"file://{parts}", f"file://{tmp_path}/b.pmtiles")
    assert pyramid.verify(plan, f"file://{tmp_path}/b.pmtiles").ok and (tmp_path / "b.pmtiles").exists()


@pytest.mark.parametrize(
    ("module", "target", "words"),
    [
        ("fsspec", "memory://a.pmtiles", "neatline[cloud]"),
        ("rasterio", "a.tif", "neatline[cog]"),
        ("zarr", "a.zarr", "neatline[zarr]"),
        ("ray", None, "neatline[ray]"),
    ],
)
def test_what_is_not_installed_is_named(plan, parts, tmp_path, monkeypatch, module, target, words):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError) as raised:
        if target is None:
            pyramid.RayExecutor()
        else:
            pyramid.merge(plan, parts, target if "://" in target else tmp_path / target)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("target", "options", "error"),
    [
        ("a.tif", {}, ImportError),
        ("a.zarr", {}, ImportError),
        ("a.pmtiles", {"compression": "LZW"}, neatline.InvalidArgumentError),
        ("a.xyz", {}, neatline.InvalidArgumentError),
    ],
)
def test_what_a_target_lacks_is_said_before_anything_is_drawn(
    plan, tmp_path, monkeypatch, target, options, error
):
    for module in ("rasterio", "zarr"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(error):
        pyramid.render(plan, tmp_path / target, **options)
    assert list(tmp_path.glob("*.parts")) == []


def test_the_package_needs_nothing_but_python(tmp_path):
    """numpy and all others may be missing: archives and folders need none of them."""
    make_style(tmp_path)
    code = """
        import sys

        for name in ("numpy", "PIL", "fsspec", "rasterio", "zarr", "dask", "ray"):
            sys.modules[name] = None
        from neatline import pyramid

        plan = pyramid.plan("style.json", max_zoom=2, metatile=4)
        pyramid.render(plan, "a.pmtiles")
        pyramid.render(plan, "tiles/")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path, check=True)
    assert (tmp_path / "tiles/2/0/0.png").exists()

"""What renderers and maps hold counts against `memory_limit`: each kind of resource alone in a process, whose peak is
compared with the limit."""

import json
import pathlib
import re
import subprocess
import sys
import textwrap

import pytest

Image = pytest.importorskip("PIL.Image")

MIB = 1 << 20
LIMIT = 256 * MIB
# The interpreter, the library, its threads and what they keep for later.
FIXED = 128 * MIB

pytestmark = pytest.mark.skipif(
    not pathlib.Path("/proc/self/status").exists(), reason="the peak is told by Linux alone"
)

PROLOGUE = """
import json, pathlib, sys
import neatline
folder, limit = pathlib.Path(sys.argv[1]), int(sys.argv[2])
layer = {"id": "l", "source": "s"}
def style(source, *layers, **root):
    return {"version": 8, "sources": {"s": source}, "layers": list(layers), **root}
def draw(style, **view):
    view = {"center": (0, 0), "zoom": 0, "size": (512, 512), **view}
    with neatline.Renderer(style, memory_limit=limit, local_files=True) as renderer:
        image = renderer.draw(**view)
        tell([(each.kind, each.code, each.resource) for each in image.missing])
def tell(missing):
    status = pathlib.Path("/proc/self/status").read_text()
    peak = int(status.split("VmHWM:")[1].split()[0]) << 10
    print(json.dumps({"missing": missing, "peak": peak}))
"""


def run(folder, body, limit=LIMIT):
    """Runs a program, and returns what it lacked."""
    program = PROLOGUE + textwrap.dedent(body)
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program, str(folder), str(limit)],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["peak"] < limit + FIXED, f"{told['peak'] >> 20} MiB at the most"
    return told["missing"]


def codes(missing):
    import neatline

    return {kind for kind, code, _ in missing if code == neatline.OutOfMemoryError.status}


def picture(folder, name, edge, mode="1", **options):
    """A picture of one colour, which packs to next to nothing."""
    Image.new("1", (edge, edge)).convert(mode).save(folder / name, **options)
    return folder / name


@pytest.mark.parametrize("name, options", [
    ("tile.png", {}), ("tile.jpg", {"mode": "RGB", "progressive": True}), ("tile.webp", {"mode": "RGB", "lossless": True}),
])
def test_raster_tiles(tmp_path, name, options):
    picture(tmp_path, name, 4096, **options)
    body = f"""
        tiles = [(folder / "{name}").as_uri()]
        source = {{"type": "raster", "tiles": tiles, "tileSize": 256}}
        draw(style(source, {{**layer, "type": "raster"}}), zoom=2, size=(1024, 1024))
    """
    assert "tile" in codes(run(tmp_path, body))


def test_elevations(tmp_path):
    picture(tmp_path, "tile.png", 4096)
    body = """
        source = {"type": "raster-dem", "tiles": [(folder / "tile.png").as_uri()], "tileSize": 256}
        draw(style(source, {**layer, "type": "hillshade"}), zoom=2, size=(1024, 1024))
    """
    assert "tile" in codes(run(tmp_path, body))


def test_terrain(tmp_path):
    picture(tmp_path, "tile.png", 256)
    body = """
        source = {"type": "raster-dem", "tiles": [(folder / "tile.png").as_uri()], "tileSize": 512, "maxzoom": 4}
        background = {"id": "b", "type": "background", "paint": {"background-color": "red"}}
        ground = style(source, background, terrain={"source": "s"})
        for number in range(8):
            point = {"type": "Point", "coordinates": [number, 0]}
            ground["sources"][f"p{number}"] = {"type": "geojson", "data": point}
            # What does not lie on the ground cuts what does into groups, each with pictures of its own.
            ground["layers"].append({"id": f"c{number}", "type": "circle", "source": f"p{number}"})
            ground["layers"].append({**background, "id": f"b{number}"})
        try:
            draw(ground, zoom=12, size=(2048, 2048), pitch=80)
        except neatline.OutOfMemoryError as error:
            tell([("picture", error.status, str(error))])
    """
    run(tmp_path, body)


def test_icons_as_large_as_their_sheet(tmp_path):
    picture(tmp_path, "sprite.png", 4096)
    icons = {f"i{n}": {"x": 0, "y": 0, "width": 4096, "height": 4096, "pixelRatio": 1} for n in range(60)}
    (tmp_path / "sprite.json").write_text(json.dumps(icons))
    body = """
        source = {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}
        layers = [
            {"id": f"l{n}", "type": "symbol", "source": "s",
             "layout": {"icon-image": f"i{n}", "icon-size": 0.01, "icon-allow-overlap": True}}
            for n in range(4)
        ]
        sprites = style(source, *layers, sprite=(folder / "sprite").as_uri())
        with neatline.Renderer(sprites, memory_limit=limit, local_files=True) as renderer:
            image = renderer.draw(center=(0, 0), zoom=0, size=(512, 512))
            missing = [(each.kind, each.code, each.resource) for each in image.missing]
            tell(missing + [("problem", each.code, each.message) for each in renderer.problems])
    """
    missing = run(tmp_path, body)
    # 64 MiB of sheet, and as much for each icon that is drawn: two of the four fit.
    assert "image" in codes(missing)
    assert any(kind == "problem" and "56 are left out" in words for kind, _, words in missing), missing


def test_image_sources(tmp_path):
    picture(tmp_path, "large.png", 8192)
    body = """
        corners = [[-10, 10], [10, 10], [10, -10], [-10, -10]]
        source = {"type": "image", "url": (folder / "large.png").as_uri(), "coordinates": corners}
        draw(style(source, {**layer, "type": "raster"}))
    """
    assert codes(run(tmp_path, body)) == {"source"}


def test_images_of_overlays(tmp_path):
    picture(tmp_path, "large.png", 4096)
    body = """
        picture = neatline.decode_image((folder / "large.png").read_bytes())
        overlay = neatline.Overlay({"sources": {}, "layers": []})
        for number in range(2):
            overlay.add_image(f"i{number}", picture)
        with neatline.Renderer(style({"type": "geojson", "data": None}), memory_limit=limit) as renderer:
            try:
                renderer.draw(zoom=0, size=(512, 512), overlay=overlay)
            except neatline.OutOfMemoryError as error:
                tell([("picture", error.status, str(error))])
    """
    # What the program holds itself is its own: the picture, and two copies in the overlay.
    ((kind, _, words),) = run(tmp_path, body, LIMIT)
    assert kind == "picture" and re.search(r"needs \d+ bytes", words)


def test_images_of_maps(tmp_path):
    picture(tmp_path, "large.png", 2048)
    body = """
        picture = neatline.decode_image((folder / "large.png").read_bytes())
        with neatline.Map((256, 256), pacing="host", memory_limit=64 << 20) as map:
            map.load_style({"version": 8, "sources": {}, "layers": []})
            map.loop.run()
            # In place of the one before: what went is not kept.
            for _ in range(20):
                map.add_image("i", picture)
            try:
                map.add_image("j", picture)
                map.add_image("k", picture)
            except neatline.OutOfMemoryError as error:
                tell([("image", error.status, str(error))])
    """
    ((_, _, words),) = run(tmp_path, body)
    assert 'the image "' in words


def test_geojson(tmp_path):
    point = "[0.5,0.5],"
    text = '{"type":"MultiPoint","coordinates":[' + (point * 2_000_000)[:-1] + "]}"
    (tmp_path / "points.json").write_text(text)
    body = """
        source = {"type": "geojson", "data": (folder / "points.json").as_uri()}
        draw(style(source, {**layer, "type": "circle"}))
    """
    assert codes(run(tmp_path, body, 64 * MIB))


def test_files_of_pictures(tmp_path):
    body = """
        with neatline.Renderer(style({"type": "geojson", "data": None}), memory_limit=limit) as renderer:
            image = renderer.draw(zoom=0, size=(4096, 4096))
            try:
                image.png()
            except neatline.OutOfMemoryError as error:
                tell([("file", error.status, str(error))])
    """
    ((_, _, words),) = run(tmp_path, body)
    assert "a file of 4096x4096 pixels needs" in words

"""The commands: their help, what they refuse, what they write, and where."""

import json
import os
import stat
import subprocess
import sys
import threading

import pytest
from conftest import COMMAND, DEMO, ROOT, noise, run

COMMANDS = ["render", "serve", "inspect", "validate", "convert", "extract", "tile", "offline"]
SQUARE = {
    "type": "Feature", "properties": {},
    "geometry": {"type": "Polygon", "coordinates": [[[-40, -40], [40, -40], [40, 40], [-40, 40], [-40, -40]]]},
}


@pytest.fixture
def archive(tmp_path):
    source = tmp_path / "square.geojson"
    source.write_text(json.dumps(SQUARE))
    path = tmp_path / "square.pmtiles"
    done = run("tile", source, path, "--zoom", "0-3", "--attribution", "© <a href='https://example.org'>squares</a>")
    assert done.returncode == 0, done.stderr
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help_with_options_and_an_example(command):
    long, short = run("help", command), run(command, "--help")
    text = long.stdout.decode()
    assert long.returncode == 0 and long.stdout == short.stdout
    assert "Options:" in text and "Example:" in text and f"neatline {command} " in text
    assert command in run("help").stdout.decode()


@pytest.mark.parametrize("command", COMMANDS)
def test_unknown_options_are_named(command):
    done = run(command, "--nonesuch", "x")
    assert done.returncode == 2 and b"unknown option --nonesuch" in done.stderr


@pytest.mark.parametrize("arguments, words", [
    (["render", "--fomat", "png"], "did you mean --format?"),
    (["convert", "--max-tile", "5"], "did you mean --max-tiles?"),
    (["serve", "--prot", "1"], "did you mean --port?"),
    (["rendr", DEMO], 'did you mean "render"?'),
    (["help", "serv"], 'did you mean "serve"?'),
    (["render", DEMO, "--zoom", "1", "--zoom", "2"], "twice"),
    (["render", DEMO, "--zoom"], "needs a value"),
    (["render", DEMO, "--small=1"], "no value"),
    (["render", DEMO, "-o", "x.png", "--zoom", "deep"], "deep"),
    (["render", DEMO, "-o", "x.png", "--bbox", "1,2,3"], "1,2,3"),
    (["render", DEMO, "-o", "x.png", "--bbox", "1,2,3,4", "--zoom", "3"], "--bbox"),
    (["render", DEMO, "-o", "x.png", "--max-zoom", "3"], "--max-zoom"),
    (["render", DEMO, "-o", "x.gif"], "x.gif"),
    (["render", DEMO, "-o", "x"], "--format"),
    (["render", DEMO, "-o", "x.png", "--format", "jpeg"], "x.png"),
    (["render", DEMO, "-o", "x.png", "--quality", "50"], "PNG"),
    (["render", DEMO, "-o", "x.jpg", "--quality", "101"], "101"),
    (["render", DEMO, "-o", "x.jpg", "--small"], "--small"),
])
def test_wrong_arguments_say_what_is_wrong(tmp_path, arguments, words):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2 and words in done.stderr.decode()
    assert list(tmp_path.iterdir()) == []


MAGIC = {"png": b"\x89PNG", "jpg": b"\xff\xd8\xff", "jpeg": b"\xff\xd8\xff", "JPG": b"\xff\xd8\xff", "webp": b"RIFF"}


def test_the_name_says_what_is_written(tmp_path):
    for end, magic in MAGIC.items():
        path = tmp_path / f"map.{end}"
        assert run("render", DEMO, "-o", path, "--size", "64x64").returncode == 0
        assert path.read_bytes().startswith(magic)
    assert run("render", DEMO, "-o", "-", "--size", "64x64").stdout.startswith(MAGIC["png"])
    assert run("render", DEMO, "-o", "-", "--format", "webp", "--size", "64x64").stdout.startswith(MAGIC["webp"])
    sizes = [len(run("render", DEMO, "-o", "-", "--format", "jpeg", "--quality", q).stdout) for q in (10, 50, 95)]
    assert sizes == sorted(sizes) and sizes[0] < sizes[2]


def test_output_follows_links_and_goes_into_pipes(tmp_path):
    target, link = tmp_path / "target.png", tmp_path / "link.png"
    os.symlink("target.png", link)
    for _ in range(2):  # to what is not there yet, and to what is
        assert run("render", DEMO, "-o", link, "--size", "64x64").returncode == 0
        assert link.is_symlink() and target.read_bytes().startswith(MAGIC["png"])
        target.chmod(0o640)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.png", "target.png"]

    pipe, got = tmp_path / "pipe.png", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    assert run("render", DEMO, "-o", pipe, "--size", "64x64").returncode == 0
    reader.join(20)
    assert got[0].startswith(MAGIC["png"]) and stat.S_ISFIFO(pipe.stat().st_mode)
    assert run("render", DEMO, "-o", "/dev/null", "--format", "png", "--size", "64x64").returncode == 0
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_edges_of_extrusions_may_be_hard(tmp_path):
    pictures = pytest.importorskip("PIL.Image")
    ring = [[-0.001, -0.001], [0.001, -0.0005], [0.0005, 0.001], [-0.001, -0.001]]
    (tmp_path / "style.json").write_text(json.dumps({
        "version": 8, "center": [0, 0], "zoom": 16, "pitch": 50, "bearing": 20,
        "sources": {"s": {"type": "geojson", "data": {"type": "Polygon", "coordinates": [ring]}}},
        "layers": [{"id": "e", "type": "fill-extrusion", "source": "s", "paint": {
            "fill-extrusion-color": "#f00", "fill-extrusion-height": 40}}]}))
    for name, options in (("smooth", ()), ("hard", ("--no-smooth-edges",))):
        assert run("render", tmp_path / "style.json", "-o", tmp_path / f"{name}.png", *options).returncode == 0
    alphas = {name: set(pictures.open(tmp_path / f"{name}.png").convert("RGBA").getchannel("A").getdata())
              for name in ("smooth", "hard")}
    # Of four samples a pixel.
    assert alphas["hard"] == {0, 255} and alphas["smooth"] == {0, 64, 128, 191, 255}


def test_a_box_is_shown_as_large_as_it_fits(tmp_path):
    style = {
        "version": 8, "sources": {"s": {"type": "geojson", "data": SQUARE}},
        "layers": [
            {"id": "a", "type": "background", "paint": {"background-color": "#fff"}},
            {"id": "b", "type": "fill", "source": "s", "paint": {"fill-color": "#000", "fill-antialias": False}},
        ],
    }
    path = tmp_path / "style.json"
    path.write_text(json.dumps(style))

    def colors(box):
        """Entries of the palette."""
        png = run("render", path, "-o", "-", "--size", "200x100", "--bbox", box).stdout
        return int.from_bytes(png[png.index(b"PLTE") - 4:][:4], "big") // 3

    # These boxes are flatter than the picture: their width is what is fitted. One shows nothing but the square, the other its edges.
    assert (colors("-39,-15,39,15"), colors("-41,-15,41,15")) == (1, 2)
    # And across the 180th meridian there is nothing of it.
    assert colors("170,-15,-170,15") == 1


def test_all_of_a_file_is_shown_as_large_as_it_fits(tmp_path):
    source, style = tmp_path / "square.geojson", tmp_path / "style.json"
    source.write_text(json.dumps(SQUARE))
    style.write_text(json.dumps({
        "version": 8, "sources": {"s": {"type": "geojson", "data": SQUARE}},
        "layers": [{"id": "a", "type": "background", "paint": {"background-color": "#fff"}},
                   {"id": "b", "type": "fill", "source": "s", "paint": {"fill-color": "#000"}}],
    }))

    def picture(*more):
        return run("render", style, "-o", "-", "--size", "200x100", *more)

    box = picture("--bbox=-40,-40,40,40", "--padding", "5").stdout
    assert picture("--fit", source, "--padding", "5").stdout == box
    assert picture("--fit", source, "--max-zoom", "-1").stdout == picture("--bbox=-40,-40,40,40", "--max-zoom", "-1").stdout != box
    assert picture("--fit", source, "--pitch", "50", "--bearing", "30").returncode == 0
    source.write_text('{"type": "FeatureCollection", "features": []}')
    empty = picture("--fit", source)
    assert empty.returncode != 0 and b"square.geojson: there is no coordinate in it" in empty.stderr
    source.write_text("[1, 2")
    assert picture("--fit", source).returncode != 0
    both = picture("--fit", source, "--bbox", "0,0,1,1")
    assert both.returncode != 0


def test_an_archive_in_the_place_of_a_style_is_told(archive):
    for command in [["render", archive, "-o", "x.png"], ["validate", archive], ["render", f"pmtiles://{archive}", "-o", "x.png"]]:
        done = run(*command)
        text = done.stderr.decode()
        assert done.returncode == 2 and "archive of tiles" in text and f"pmtiles://{archive}" in text


def test_archives_and_styles_are_replaced_with_force_only(tmp_path, archive):
    source, style = tmp_path / "square.geojson", tmp_path / "style.json"
    style.write_text(json.dumps({"version": 8, "sources": {}, "layers": []}))
    for command in [
        ["tile", source, tmp_path / "t.pmtiles", "--zoom", "0-2"], ["convert", archive, tmp_path / "c.mbtiles"],
        ["extract", archive, tmp_path / "e.pmtiles", "--zoom", "0-1"], ["convert", style, tmp_path / "s.json"],
    ]:
        out = command[2]
        out.write_bytes(b"mine")
        refused = run(*command)
        assert refused.returncode == 1 and str(out) in refused.stderr.decode() and "--force" in refused.stderr.decode()
        assert out.read_bytes() == b"mine"
        done = run(*command, "--force")
        assert done.returncode == 0, done.stderr
        assert out.read_bytes() != b"mine"


def test_archives_follow_links_and_refuse_what_is_no_file(tmp_path, archive):
    link = tmp_path / "link.mbtiles"
    (tmp_path / "real").mkdir()
    os.symlink("real/out.mbtiles", link)
    assert run("convert", archive, link).returncode == 0
    assert link.is_symlink() and (tmp_path / "real/out.mbtiles").is_file()
    os.mkfifo(tmp_path / "pipe.pmtiles")
    for target in [tmp_path / "pipe.pmtiles", "/dev/null"]:
        done = run("convert", archive, target, "--format", "pmtiles", "--force")
        assert done.returncode == 1 and str(target) in done.stderr.decode()
    assert stat.S_ISFIFO((tmp_path / "pipe.pmtiles").stat().st_mode) and stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_verify_finds_tiles_that_are_damaged(tmp_path, archive):
    import sqlite3

    assert run("convert", archive, tmp_path / "a.mbtiles", "--plain", "--verify").returncode == 0
    with sqlite3.connect(tmp_path / "a.mbtiles") as connection:
        # A layer that says it is longer than the tile.
        connection.execute("UPDATE tiles SET tile_data = x'1a7f0a' WHERE zoom_level = 2 AND tile_column = 1 AND tile_row = 1")
    assert run("convert", tmp_path / "a.mbtiles", tmp_path / "b.pmtiles").returncode == 0
    done = run("convert", tmp_path / "a.mbtiles", tmp_path / "c.pmtiles", "--verify")
    assert done.returncode == 1 and "2/1/2" in done.stderr.decode()
    assert not (tmp_path / "c.pmtiles").exists()


def test_what_cannot_be_read_of_a_tile_is_told(tmp_path, archive):
    import sqlite3

    # A layer "c" with a point, and a feature that begins with a line to.
    layer = bytes.fromhex("78020a0163120618012202 0a00 1207180122030904 04")
    tile = b"\x1a" + bytes([len(layer)]) + layer
    (tmp_path / "c.mvt").write_bytes(tile)
    done = run("inspect", tmp_path / "c.mvt")
    assert done.returncode == 0 and "c " in done.stdout.decode()
    assert "warning" in done.stderr.decode() and 'layer "c"' in done.stderr.decode()
    assert run("convert", archive, tmp_path / "a.mbtiles", "--plain").returncode == 0
    with sqlite3.connect(tmp_path / "a.mbtiles") as connection:
        # Rows count from the south.
        for column, row in [(1, 1), (2, 1)]:
            connection.execute(
                "UPDATE tiles SET tile_data = ? WHERE zoom_level = 2 AND tile_column = ? AND tile_row = ?",
                (tile, column, row))
    done = run("convert", tmp_path / "a.mbtiles", tmp_path / "b.pmtiles", "--verify")
    words = done.stderr.decode()
    assert done.returncode == 0 and "of 2 tiles not all can be read" in words, words
    assert "tile 2/" in words and 'layer "c"' in words
    done = run("convert", tmp_path / "a.mbtiles", tmp_path / "c.pmtiles", "--verify", "--json")
    report = json.loads(done.stdout)
    assert report["faultyTiles"] == 2 and report["firstFault"].startswith("tile 2/")
    done = run("convert", archive, tmp_path / "d.mbtiles", "--verify", "--json")
    assert json.loads(done.stdout)["faultyTiles"] == 0 and "firstFault" not in json.loads(done.stdout)
    done = run("convert", archive, tmp_path / "e.mbtiles", "--json")
    assert "faultyTiles" not in json.loads(done.stdout)


def test_verify_decodes_pictures(tmp_path):
    import sqlite3

    good = noise(16)
    for name, tile, status in [("good", good, 0), ("bad", good[:-40], 1)]:
        with sqlite3.connect(tmp_path / f"{name}.mbtiles") as connection:
            connection.executescript(
                "CREATE TABLE metadata (name TEXT, value TEXT); CREATE TABLE tiles (zoom_level INT, tile_column INT, tile_row INT, tile_data BLOB);"
                "INSERT INTO metadata VALUES ('name', 'x'), ('format', 'png')")
            connection.execute("INSERT INTO tiles VALUES (0, 0, 0, ?)", (tile,))
        done = run("convert", tmp_path / f"{name}.mbtiles", tmp_path / f"{name}.pmtiles", "--verify")
        assert done.returncode == status, done.stderr


def test_attribution_of_archives_is_shown(tmp_path, archive, serve):
    style = tmp_path / "style.json"
    style.write_text(json.dumps({
        "version": 8,
        "sources": {
            "tiles": {"type": "vector", "url": f"pmtiles://{archive}"},
            "own": {"type": "geojson", "data": SQUARE, "attribution": "own"},
            "unused": {"type": "geojson", "data": SQUARE, "attribution": "nobody"},
        },
        "layers": [
            {"id": "a", "type": "fill", "source": "own"},
            {"id": "b", "type": "fill", "source": "tiles", "source-layer": "square"},
        ],
    }))
    credit = "© <a href='https://example.org'>squares</a>"
    assert f"attribution: {credit} | own" in run("inspect", style).stdout.decode()
    assert json.loads(run("inspect", style, "--json").stdout)["attribution"] == [credit, "own"]
    server = serve(style=style)
    assert json.loads(server.get("/info.json")[2])["attribution"] == [credit, "own"]


def test_defaults_of_the_help_are_those_of_the_library():
    text = run("help", "render").stdout.decode()
    for option, standard in [("--retries", "[3]"), ("--request-timeout", "[30000]"), ("--cache", "[64]"), ("--threads", "[0]"), ("--size", "[512x512]")]:
        line = next(line for line in text.splitlines() if line.strip().startswith(option))
        assert line.endswith(standard)
    text = run("help", "tile").stdout.decode()
    for option, standard in [("--zoom", "[0-14]"), ("--buffer", "[64]"), ("--tolerance", "[3]"), ("--extent", "[4096]")]:
        line = next(line for line in text.splitlines() if line.strip().startswith(option))
        assert line.endswith(standard)


def test_the_defaults_of_tile_are_what_the_help_says(tmp_path):
    source = tmp_path / "square.geojson"
    source.write_text(json.dumps(SQUARE))
    spelled = ["--zoom", "0-14", "--buffer", "64", "--tolerance", "3", "--extent", "4096", "--max-tiles", "16777216"]
    spelled[1] = "0-3"
    assert run("tile", source, tmp_path / "a.pmtiles", "--zoom", "0-3").returncode == 0
    assert run("tile", source, tmp_path / "b.pmtiles", *spelled).returncode == 0
    assert (tmp_path / "a.pmtiles").read_bytes() == (tmp_path / "b.pmtiles").read_bytes()


def test_a_closed_output_is_an_error(tmp_path):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([COMMAND, "render", DEMO, "-o", "-", "--size", "64x64"], stdout=full, stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1 and b"standard output" in done.stderr


def test_pyramid_is_handed_to_python(tmp_path):
    """What the program does of it; bindings/python/tests has the commands themselves."""
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nshift 2\necho "$@"\nexit 7\n')
    python.chmod(0o755)
    done = run("pyramid", "plan", "a b.json", "--zoom", "0-3", "--help", env={**os.environ, "NEATLINE_PYTHON": str(python)})
    assert done.returncode == 7 and done.stdout == b"pyramid plan a b.json --zoom 0-3 --help\n"
    done = run("pyramid", "plan", "x", env={**os.environ, "NEATLINE_PYTHON": str(tmp_path / "nowhere")})
    assert done.returncode == 1 and b"nowhere: No such file" in done.stderr and b"apt install python3" in done.stderr
    # An interpreter without the package.
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" -I -S "$@"\n')
    done = run("pyramid", "plan", "x", env={**os.environ, "NEATLINE_PYTHON": str(python)})
    assert done.returncode == 1 and b"needs the Python package neatline" in done.stderr and b"pip install" in done.stderr
    done = run("pyramid")
    assert done.returncode == 2 and b"plan, render, shard, merge or verify" in done.stderr
    assert run("help", "pyramid").stdout == run("pyramid", "--help").stdout != b""


@pytest.mark.parametrize("arguments", [
    ["roads.parquet", "out.pmtiles"], ["a.geojson", "roads.GeoParquet", "out.pmtiles", "--zoom", "0-3"],
    ["a b.fgb", "out.mbtiles"], ["a.gpkg", "-o", "out.pmtiles"], ["a.shp", "out.pmtiles"],
    ["a.geojson", "out.pmtiles", "--workers", "4"], ["a.geojson", "out.pmtiles", "--workers=2"],
])
def test_what_tile_needs_python_for_is_handed_over(tmp_path, arguments):
    python = tmp_path / "python"
    python.write_text('#!/bin/sh\nshift 2\necho "$@"\nexit 7\n')
    python.chmod(0o755)
    done = run("tile", *arguments, env={**os.environ, "NEATLINE_PYTHON": str(python)})
    assert done.returncode == 7 and done.stdout.decode() == " ".join(["tile", *arguments]) + "\n"


def test_what_tile_does_itself_needs_no_python(tmp_path):
    (tmp_path / "square.geojson").write_text(json.dumps(SQUARE))
    nowhere = {**os.environ, "NEATLINE_PYTHON": str(tmp_path / "nowhere")}
    assert run("tile", tmp_path / "square.geojson", tmp_path / "a.pmtiles", "--zoom", "0-3", env=nowhere).returncode == 0
    done = run("tile", tmp_path / "square.geojson", tmp_path / "b.pmtiles", "--workers", "2", env=nowhere)
    assert done.returncode == 1 and b"nowhere: No such file" in done.stderr and b"apt install python3" in done.stderr
    assert b"--workers" in run("tile", "--help", "x.parquet", env=nowhere).stdout


def test_tile_by_workers_makes_what_one_process_makes(tmp_path):
    """With the package of this checkout, where its library was built."""
    library = ROOT / "build/libneatline.so"
    if not library.exists():
        pytest.skip("build/libneatline.so is not there")
    (tmp_path / "square.geojson").write_text(json.dumps(SQUARE))
    here = {
        **os.environ, "NEATLINE_PYTHON": sys.executable, "NEATLINE_LIBRARY": str(library),
        "PYTHONPATH": str(ROOT / "bindings/python/src"),
    }
    options = ["--zoom", "0-5", "--filter", '["==", ["geometry-type"], "Polygon"]', "--name", "S"]
    assert run("tile", tmp_path / "square.geojson", tmp_path / "a.pmtiles", *options).returncode == 0
    done = run("tile", tmp_path / "square.geojson", tmp_path / "b.pmtiles", *options, "--workers", "2", env=here)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "a.pmtiles").read_bytes() == (tmp_path / "b.pmtiles").read_bytes()
    for wrong, status in ((["--drop", "loudest"], 2), (["--zoom", "29"], 1), (["--include", "a", "--exclude-all"], 2)):
        for more in ([], ["--workers", "2"]):
            done = run("tile", tmp_path / "square.geojson", tmp_path / "c.pmtiles", *wrong, *more, env=here)
            assert done.returncode == status, (wrong, more, done.stderr)
    # What is there already.
    for more in ([], ["--workers", "2"]):
        done = run("tile", tmp_path / "square.geojson", tmp_path / "a.pmtiles", *more, env=here)
        assert done.returncode == 1 and b"--force replaces it" in done.stderr


def test_the_log_goes_to_standard_error(tmp_path):
    style = tmp_path / "style.json"
    style.write_text(json.dumps({
        "version": 8, "sources": {"s": {"type": "geojson", "data": "none.geojson"}},
        "layers": [{"id": "c", "type": "circle", "source": "s"}],
    }))
    silent = run("render", style, "-o", tmp_path / "a.png")
    told = run("render", style, "-o", tmp_path / "b.png", "--log-level", "info")
    lines = [line for line in told.stderr.decode().splitlines() if line.startswith(("info ", "warning source"))]
    assert told.returncode == 0 and not silent.stderr.decode().count("warning source")
    assert [line.split(":")[0] for line in lines] == ["info request", "warning source"]
    assert all("none.geojson" in line for line in lines)
    assert run("render", style, "-o", tmp_path / "c.png", "--log-level", "error").stderr == silent.stderr
    wrong = run("render", style, "-o", tmp_path / "d.png", "--log-level", "loud")
    assert wrong.returncode == 2 and b'"loud" is none of' in wrong.stderr


def test_a_trace_says_where_the_time_of_a_picture_goes(tmp_path):
    done = run("render", DEMO, "-o", tmp_path / "a.png", "--trace", tmp_path / "trace.json")
    assert done.returncode == 0, done.stderr
    events = json.loads((tmp_path / "trace.json").read_text())
    assert {"style", "layout", "frame", "draw", "encode"} <= {event["name"] for event in events}
    refused = run("render", DEMO, "-o", tmp_path / "b.png", "--trace", tmp_path / "none/trace.json")
    assert refused.returncode == 1 and b"none/trace.json" in refused.stderr and not (tmp_path / "b.png").exists()
    full = run("render", DEMO, "-o", tmp_path / "c.png", "--trace", "/dev/full")
    assert full.returncode == 1 and b"trace" in full.stderr

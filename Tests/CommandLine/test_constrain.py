"""Views that are kept within the world: by the command line and by the server."""

import io

import numpy
import PIL.Image
import pytest
from conftest import run

WORLD = ('{"version":8,"sources":{},"center":[0,89],"zoom":1,"layers":'
         '[{"id":"all","type":"background","paint":{"background-color":"#f00"}}]}')
GLOBE = WORLD.replace('"sources"', '"projection":{"type":"globe"},"sources"')


def shown(data):
    """Which rows of a picture show the world all along."""
    return (numpy.asarray(PIL.Image.open(io.BytesIO(data)).convert("RGBA"))[:, :, 3] == 255).all(axis=1)


def draw(tmp_path, style, *options):
    path = tmp_path / "world.json"
    path.write_text(style)
    done = run("render", path, "-o", "-", *options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_picture_is_kept_within_the_world(tmp_path):
    free = draw(tmp_path, WORLD)
    assert not shown(free)[:200].any() and shown(free)[300:].all()
    assert draw(tmp_path, WORLD, "--constrain", "none") == free
    for mode in ("height", "width-and-height", "screen"):
        assert shown(draw(tmp_path, WORLD, "--constrain", mode)).all()
    # A picture that is higher than the world zooms in, past no limit of its own.
    assert shown(draw(tmp_path, WORLD, "--zoom", "-1", "--constrain", "height")).all()
    # Nothing else is held: neither zoom nor a view that lies within.
    inside = ("--center", "0,20", "--zoom", "23.5", "--pitch", "80", "--size", "64x64")
    assert draw(tmp_path, WORLD, *inside) == draw(tmp_path, WORLD, *inside, "--constrain", "screen")


def test_a_pitch_that_there_is_not_is_refused_as_ever(tmp_path, server):
    (tmp_path / "world.json").write_text(WORLD)
    for more in ((), ("--constrain", "height")):
        done = run("render", tmp_path / "world.json", "-o", tmp_path / "x.png", "--pitch", "95", *more)
        assert done.returncode != 0 and b"pitch" in done.stderr
    for query in ("", "?constrain=height"):
        assert server.get(f"/static/0,0,3@0,95/64x64.png{query}")[0] == 400


def test_a_globe_has_no_edges(tmp_path):
    assert draw(tmp_path, GLOBE) == draw(tmp_path, GLOBE, "--constrain", "height")


def test_a_mode_that_there_is_not_is_named(tmp_path):
    (tmp_path / "world.json").write_text(WORLD)
    done = run("render", tmp_path / "world.json", "-o", tmp_path / "x.png", "--constrain", "width")
    assert done.returncode != 0 and b"--constrain" in done.stderr and b'"width"' in done.stderr
    assert not (tmp_path / "x.png").exists()


@pytest.mark.parametrize("cache", [0, 16])
def test_the_server_keeps_views_within_the_world_on_wish(serve, cache):
    server = serve(cache=cache)
    path = "/static/0,89,1/512x512.png"
    free, held = (server.get(path + query)[2] for query in ("", "?constrain=height"))
    assert not shown(free)[:200].any() and shown(held).all()
    assert server.get(path)[2] == free and server.get(path + "?constrain=none")[2] == free
    status, _, text = server.get(path + "?constrain=yes")
    assert status == 400 and text.startswith(b"constrain")

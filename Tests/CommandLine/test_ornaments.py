"""What stands in the corners of pictures: by the command line and by the server."""

import io

import numpy
import PIL.Image
import pytest
from conftest import DEMO, run

VIEW = ["--center", "11,47", "--zoom", "4", "--size", "300x200"]


def pixels(data):
    return numpy.asarray(PIL.Image.open(io.BytesIO(data)).convert("RGB")).astype(int)


def render(*options):
    done = run("render", DEMO, "-o", "-", *VIEW, *options)
    assert done.returncode == 0, done.stderr
    return pixels(done.stdout)


def corners(picture, plain):
    """Which corners differ."""
    parts = {"top left": (slice(0, 60), slice(0, 150)), "top right": (slice(0, 60), slice(200, 300)),
             "bottom left": (slice(150, 200), slice(0, 170)), "bottom right": (slice(150, 200), slice(200, 300))}
    return {name for name, part in parts.items() if (picture[part] != plain[part]).any()}


@pytest.fixture(scope="module")
def logo(tmp_path_factory):
    path = tmp_path_factory.mktemp("logo") / "logo.png"
    PIL.Image.new("RGBA", (40, 20), (255, 0, 0, 255)).save(path)
    return path


def test_each_option_draws_in_its_corner(logo):
    plain = render()
    assert corners(render("--scale-bar", "metric"), plain) == {"bottom left"}
    assert corners(render("--attribution"), plain) == {"bottom right"}
    assert corners(render("--compass"), plain) == {"top right"}
    drawn = render("--logo", logo, "--logo-ratio", "2")
    assert corners(drawn, plain) == {"bottom left"} and (drawn[182:192, 8:28] == (255, 0, 0)).all()
    # The bar stands above the logo.
    both = render("--logo", logo, "--scale-bar", "imperial")
    assert (both[172:192, 8:48] == (255, 0, 0)).all() and (both[135:165] != plain[135:165]).any()


@pytest.mark.parametrize("options, words", [
    (["--scale-bar", "leagues"], "leagues"),
    (["--debug", "padding,borders"], "borders"),
    (["--debug", ""], "--debug"),
    (["--logo", "nonesuch.png"], "nonesuch.png"),
    (["--logo", DEMO], "style.json"),
    (["--logo-ratio", "2"], "--logo"),
    (["--logo", "LOGO", "--logo-ratio", "17"], "17"),
    (["--logo", "LARGE"], "2048"),
])
def test_what_is_wrong_is_named(logo, tmp_path, options, words):
    large = tmp_path / "large.png"
    PIL.Image.new("RGBA", (2049, 2)).save(large)
    given = [{"LOGO": logo, "LARGE": large}.get(option, option) for option in options]
    done = run("render", DEMO, "-o", tmp_path / "x.png", *given)
    assert done.returncode != 0 and words in done.stderr.decode() and not (tmp_path / "x.png").exists()


def test_a_picture_shows_how_it_is_made():
    def view(*options):
        # Where four tiles meet.
        done = run("render", DEMO, "-o", "-", "--center", "0,0", "--zoom", "3", "--size", "300x200", *options)
        assert done.returncode == 0, done.stderr
        return pixels(done.stdout)

    plain = view()
    bordered = view("--debug", "tile-borders,parse-status")
    assert (bordered != plain).any() and (bordered == (255, 0, 0)).all(axis=2).any()


def test_the_server_draws_them_on_wish(server):
    path = "/static/11,47,4/300x200.png"
    plain = pixels(server.get(path)[2])
    assert corners(pixels(server.get(f"{path}?scalebar=metric")[2]), plain) == {"bottom left"}
    assert corners(pixels(server.get(f"{path}?compass=1")[2]), plain) == {"top right"}
    assert corners(pixels(server.get(f"{path}?compass=0")[2]), plain) == set()
    both = corners(pixels(server.get(f"{path}?compass=1&scalebar=nautical&attribution=1")[2]), plain)
    assert both == {"bottom left", "top right", "bottom right"}
    for query in ("scalebar=leagues", "compass=maybe", "scalebar="):
        status, _, text = server.get(f"{path}?{query}")
        assert status == 400 and query.split("=")[0].encode() in text


def test_pictures_with_and_without_them_are_kept_apart(serve):
    server = serve(cache=16)
    path = "/static/11,47,4/300x200.png"
    answers = [server.get(f"{path}{query}")[2] for query in
               ("", "?compass=1", "?scalebar=metric", "?scalebar=imperial", "?compass=1&scalebar=metric")]
    assert len(set(answers)) == 5
    assert server.get(f"{path}?scalebar=metric")[2] == answers[2] and server.get(path)[2] == answers[0]

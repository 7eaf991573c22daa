"""`neatline serve --config`: what is read, and what is wrong with it by its place."""

import copy
import subprocess

import pytest
import sites
from conftest import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("config")
    sites.make(folder)
    return folder


def changed(*path, to):
    """The configuration with one member changed."""
    config = copy.deepcopy(sites.config())
    at = config
    for name in path[:-1]:
        at = at.setdefault(name, {})
    at[path[-1]] = to
    return config


def refusal(folder, config, name="faulty.json", status=2):
    path = sites.write(folder / name, config)
    done = run("serve", "--config", path, timeout=20)
    assert done.returncode == status, done.stderr
    return done.stderr.decode()


@pytest.mark.parametrize("path, value, words", [
    (["style"], {}, 'style is not known; did you mean "styles"?'),
    (["options", "maxsize"], 1, 'options.maxsize is not known; did you mean "maxSize"?'),
    (["options", "maxSize"], "big", "options.maxSize is no whole number within 1 and 16384"),
    (["options", "maxSize"], 0, "options.maxSize"), (["options", "maxSize"], 1e300, "options.maxSize"), (["options", "maxSize"], 2.5, "options.maxSize"),
    (["options", "maxScaleFactor"], 10, "options.maxScaleFactor is no whole number within 1 and 9"),
    (["options", "paths"], "here", "options.paths is no object"),
    (["options", "paths", "font"], "x", 'options.paths.font is not known; did you mean "fonts"?'),
    (["options", "paths", "fonts"], 3, "options.paths.fonts is no text"),
    (["options", "domains"], "a", "options.domains is no list of texts"), (["options", "domains"], [1], "options.domains"),
    (["options", "domains"], ["a b"], 'options.domains has "a b"'),
    (["options", "serveStaticMaps"], "yes", "options.serveStaticMaps is neither true nor false"),
    (["options", "frontPage"], 3, "options.frontPage is neither true nor false"),
    (["options", "formatOptions", "jpeg", "quality"], 101, "options.formatOptions.jpeg.quality"),
    (["options", "formatOptions", "jpg"], {}, 'options.formatOptions.jpg is not known; did you mean "jpeg"?'),
    (["options", "formatOptions", "webp"], 90, "options.formatOptions.webp is no object"),
    (["options", "formatQuality"], {"jpeg": 0}, "options.formatQuality.jpeg"),
    (["options"], [], "options is no object"), (["styles"], [], "styles is no object"), (["data"], 1, "data is no object"),
    (["server"], "x", "server is no object"),
    (["styles", "a/b"], {"style": "world.json"}, "styles.a/b is no name"), (["styles", ".."], {"style": "world.json"}, "styles... is no name"),
    (["styles", ""], {"style": "world.json"}, "styles. is no name"), (["styles", "a\nb"], {"style": "world.json"}, "is no name"),
    (["styles", "x"], {}, "styles.x.style is missing"), (["styles", "x"], {"style": ""}, "styles.x.style is missing"),
    (["styles", "x"], {"style": 1}, "styles.x.style is no text"), (["styles", "x"], "world.json", "styles.x"),
    (["styles", "x"], {"style": "world.json", "tilejson": 1}, "styles.x.tilejson is no object"),
    (["styles", "x"], {"style": "world.json", "tilejson": {"format": "gif"}}, "styles.x.tilejson.format is none of png, jpg, jpeg and webp"),
    (["styles", "x"], {"style": "world.json", "serve_render": True}, 'styles.x.serve_render is not known; did you mean "serve_rendered"?'),
    (["data", "x"], {}, "data.x has neither mbtiles nor pmtiles"),
    (["data", "x"], {"mbtiles": "a", "pmtiles": "b"}, "data.x has both mbtiles and pmtiles"),
    (["data", "x"], {"pmtiles": 1}, "data.x.pmtiles is no text"), (["data", "x"], {"pmtiles": "towns.pmtiles", "sparse": 1}, "data.x.sparse"),
    (["data", "x"], {"pmtiles": "towns.pmtiles", "tileSize": 0}, "data.x.tileSize"),
    (["server", "prt"], 1, 'server.prt is not known; did you mean "port"?'),
    (["server", "config"], "x.json", "server.config would be another configuration"),
    (["server", "port"], "abc", 'server.port: "abc" is not a whole number within 0...65535'), (["server", "port"], 70000, "server.port"),
    (["server", "port"], True, "server.port is neither a number nor a text"), (["server", "port"], [1], "server.port"), (["server", "port"], None, "server.port"),
    (["server", "max-ratio"], "x", "server.max-ratio"), (["server", "require-complete"], 3, "server.require-complete is neither true nor false"),
    (["server", "fonts"], [3], "server.fonts is no list of texts"), (["server", "access-log"], "xml", 'server.access-log: "xml" is none of off, text, json'),
    (["server", "publicUrl"], "maps.example.org", "server.publicUrl"), (["server", "publicUrl"], "http://a\r\nX: y", "server.publicUrl"),
    (["server", "cacheControl"], "public\r\nSet-Cookie: a=b", "server.cacheControl"), (["server", "cacheControl"], "", "server.cacheControl"),
], ids=lambda value: ".".join(value) if isinstance(value, list) and value and isinstance(value[0], str) else "")
def test_a_mistake_is_named_by_its_place(folder, path, value, words):
    error = refusal(folder, changed(*path, to=value))
    assert words in error and "faulty.json" in error


@pytest.mark.parametrize("text, words", [
    ("", "faulty.json"), ("{", "faulty.json"), ("[]", "a configuration is a JSON object"), ("nul", "faulty.json"), ("\0\xff", "faulty.json"),
    ('{"styles": {"a": {"style": "world.json"}, "a": {"style": "world.json"}}}', "styles.a is there twice"),
    ('{"options": {"maxSize": 1, "maxSize": 2}}', "options.maxSize is there twice"), ('{"data": {}, "data": {}}', "data is there twice"),
    ("[" * 100_000, "faulty.json"),
])
def test_what_is_no_configuration(folder, text, words):
    assert words in refusal(folder, text)


def test_what_it_names_must_be_there(folder):
    for path, value, words in [
        (["styles", "x"], {"style": "none.json"}, "none.json"), (["data", "x"], {"mbtiles": "none.mbtiles"}, 'data "x"'),
        (["styles", "x"], {"style": "cities.geojson"}, "cities.geojson: is no style"),
    ]:
        assert words in refusal(folder, changed(*path, to=value), status=1)
    style = sites.write(folder / "styles/lost.json", {
        **sites.background("#fff"), "sources": {"s": {"type": "vector", "url": "pmtiles://{nowhere}"}}})
    assert 'there is no data "nowhere"' in refusal(folder, changed("styles", "x", to={"style": style.name}), status=1)
    assert b"config.json" in run("serve", "--config", folder / "none/config.json").stderr
    done = run("serve", "--config", folder / "config.json", folder / "styles/world.json")
    assert done.returncode == 2 and b"too much" in done.stderr


def test_what_has_no_effect_is_said(serve, folder):
    config = changed("options", "watermark", to="x")
    config["options"]["formatOptions"]["png"] = {"compressionLevel": 3}
    config["options"]["allowRemoteMarkerIcons"] = True
    config["styles"]["world"]["watermark"] = "y"
    path = sites.write(folder / "notes.json", config)
    server = serve("--config", path, style=None, stderr=subprocess.PIPE)
    server.stop()
    words = server.process.stderr.read()
    for name in ["options.watermark", "options.tileMargin", "options.formatOptions.png.compressionLevel", "styles.world.watermark",
                 "options.allowRemoteMarkerIcons"]:
        assert f"{name} has no effect here" in words


def test_folders_that_are_not_there_and_a_server_of_nothing_are_said(serve, folder):
    for config, expected in [
        (changed("options", "paths", "fonts", to="nowhere"), 'options.paths.fonts: there is no folder "'), ({}, "no style and no archive is served"),
    ]:
        server = serve("--config", sites.write(folder / "empty.json", config), style=None, stderr=subprocess.PIPE)
        server.stop()
        assert expected in server.process.stderr.read()
    server = serve("--fonts", folder / "nowhere", style=folder / "styles/world.json", stderr=subprocess.PIPE)
    server.stop()
    assert server.process.stderr.read().startswith(f'warning: --fonts: there is no folder "{folder}/nowhere"')


def test_options_of_the_server_come_from_the_file_and_arguments_go_before_them(serve, folder):
    config = changed("server", to={"max-edge": 300, "max-ratio": "1", "require-complete": False, "cacheControl": "public, max-age=60", "fonts": "fonts"})
    path = sites.write(folder / "server.json", config)
    server = serve("--config", path, "--max-edge", 400, style=None)
    assert server.get("/styles/world/static/0,0,1/400x20.png")[0] == 200 and server.get("/styles/world/static/0,0,1/401x20.png")[0] == 413
    assert server.get("/styles/world/0/0/0@2x.png")[0] == 413
    assert server.get("/styles/world/0/0/0.png")[1]["cache-control"] == "public, max-age=60"
    assert server.get("/styles/world.json")[1]["cache-control"] == "public, max-age=60"


def test_qualities_of_the_file_count_where_an_address_has_none(serve, folder):
    sizes = []
    for quality in [10, 95]:
        config = changed("options", "formatOptions", to={"jpeg": {"quality": quality}, "webp": {"quality": quality}})
        server = serve("--config", sites.write(folder / f"quality{quality}.json", config), style=None)
        sizes.append([len(server.get(f"/styles/world/2/1/1.{end}")[2]) for end in ["jpg", "webp"]])
        assert len(server.get("/styles/world/2/1/1.jpg?quality=50")[2]) > 0
    assert sizes[0][0] < sizes[1][0] and sizes[0][1] < sizes[1][1]


def test_wrong_options_of_the_command_line():
    for arguments, words in [
        (["x.json", "--tls-key", "k"], "--tls-certificate"), (["x.json", "--tls-certificate", "k"], "--tls-key"), ([], "STYLE is missing"),
        (["x.json", "--host", "nowhere.invalid"], "--host"), (["x.json", "--public-url", "maps"], "--public-url"), (["x.json", "--tile-cache", "-1"], "--tile-cache"),
        (["x.json", "--access-log", "loud"], "--access-log"),
    ]:
        done = run("serve", *arguments)
        assert done.returncode in (1, 2) and (words in done.stderr.decode() or b"x.json" in done.stderr), arguments

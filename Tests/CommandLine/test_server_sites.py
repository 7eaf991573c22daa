"""`neatline serve --config`: the addresses of tileserver-gl."""

import gzip
import json
import xml.etree.ElementTree

import pytest
import sites
from conftest import Server
from test_server import size_of_png


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server("--config", sites.make(tmp_path_factory.mktemp("site")), style=None)
    yield server
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def read(server, path, **more):
    status, headers, body = server.get(path, **more)
    assert status == 200, (path, body)
    return json.loads(body)


def base(server):
    return f"http://127.0.0.1:{server.port}"


def test_styles_are_listed(server):
    assert read(server, "/styles.json") == [
        {"version": 8, "name": "World", "id": "world", "url": f"{base(server)}/styles/world/style.json"},
        {"version": 8, "name": "Towns & <more>", "id": "towns", "url": f"{base(server)}/styles/towns/style.json"},
    ]


def test_a_style_has_the_addresses_of_this_server_wherever_it_names_files(server):
    style = read(server, "/styles/towns/style.json")
    at = base(server)
    assert style["sources"]["towns"] == {"type": "vector", "url": f"{at}/data/towns.json"}
    assert style["sources"]["again"]["url"] == f"{at}/data/old.json"
    assert style["sources"]["a/b"]["data"] == f"{at}/styles/towns/sources/a%2Fb.geojson"
    assert style["sprite"] == f"{at}/styles/towns/sprite" and style["glyphs"] == at + "/fonts/{fontstack}/{range}.pbf"
    # And each of these addresses answers.
    for url in [style["sources"]["towns"]["url"], style["sources"]["again"]["url"], style["sources"]["a/b"]["data"], style["sprite"] + ".json",
                style["sprite"] + "@2x.png", style["glyphs"].replace("{fontstack}", "Noto%20Sans%20Bold").replace("{range}", "0-255")]:
        assert server.get(url.removeprefix(at))[0] == 200, url
    world = read(server, "/styles/world/style.json")
    assert all(source["data"].startswith(at) for source in world["sources"].values() if isinstance(source.get("data"), str))


def test_addresses_are_those_that_the_client_sees(server):
    seen = {"X-Forwarded-Proto": "https, http", "X-Forwarded-Host": "maps.example.org, inner"}
    assert read(server, "/styles.json", headers=seen)[0]["url"] == "https://maps.example.org/styles/world/style.json"
    assert server.get("/styles.json", headers={"X-Forwarded-Host": "a\"b"})[0] == 400


def test_a_server_knows_its_public_address(serve, tmp_path):
    server = serve("--config", sites.make(tmp_path), "--public-url", "https://example.org/maps/", style=None)
    about = read(server, "/styles/world.json", headers={"X-Forwarded-Host": "evil.example"})
    assert about["tiles"] == ["https://example.org/maps/styles/world/{z}/{x}/{y}.png"]


def test_domains_share_the_tiles(serve, tmp_path):
    path = sites.make(tmp_path)
    config = sites.config()
    config["options"]["domains"] = ["a.example.org", "https://b.example.org"]
    sites.write(path, config)
    assert read(serve("--config", path, style=None), "/styles/world.json")["tiles"] == [
        "http://a.example.org/styles/world/{z}/{x}/{y}.png", "https://b.example.org/styles/world/{z}/{x}/{y}.png"]


def test_tilejson_of_pictures(server):
    small, large = read(server, "/styles/towns.json"), read(server, "/styles/512/towns.json")
    assert small == read(server, "/styles/256/towns.json")
    assert small["tiles"] == [base(server) + "/styles/towns/{z}/{x}/{y}.png"] and small["tileSize"] == 256
    assert large["tiles"] == [base(server) + "/styles/towns/512/{z}/{x}/{y}.png"] and large["tileSize"] == 512
    assert (small["tilejson"], small["format"], small["minzoom"], small["maxzoom"]) == ("3.0.0", "png", 0, 22)
    # The same place: tiles of 256 pixels are one zoom deeper.
    assert small["center"] == [11.39, 47.27, 4] and large["center"] == [11.39, 47.27, 3]
    world = read(server, "/styles/world.json")
    assert world["bounds"] == [-180, -60, 180, 80] and world["maxzoom"] == 12 and "Natural Earth" in world["attribution"]


def test_lists_of_all(server):
    rendered, data, all_of_them = (read(server, path) for path in ["/rendered.json", "/data.json", "/index.json"])
    assert [entry["id"] for entry in rendered] == ["world", "towns"] and [entry["id"] for entry in data] == ["towns", "old"]
    assert all_of_them == rendered + data


def test_wmts_is_xml_with_the_tiles_of_both_sizes(server):
    status, headers, body = server.get("/styles/towns/wmts.xml")
    assert status == 200 and headers["content-type"] == "application/xml"
    root = xml.etree.ElementTree.fromstring(body)
    wmts, ows = "{http://www.opengis.net/wmts/1.0}", "{http://www.opengis.net/ows/1.1}"
    assert root.tag == wmts + "Capabilities" and root.get("version") == "1.0.0"
    # Two at least, says the schema.
    operations = root.findall(f"{ows}OperationsMetadata/{ows}Operation")
    assert [operation.get("name") for operation in operations] == ["GetCapabilities", "GetTile"]
    layers = root.findall(f"{wmts}Contents/{wmts}Layer")
    assert [layer.findtext(ows + "Title") for layer in layers] == ["Towns & <more>", "Towns & <more> (512)"]
    sets = {entry.findtext(ows + "Identifier"): entry.findall(wmts + "TileMatrix") for entry in root.findall(f"{wmts}Contents/{wmts}TileMatrixSet")}
    for layer, size in zip(layers, [256, 512]):
        matrices = sets[layer.findtext(f"{wmts}TileMatrixSetLink/{wmts}TileMatrixSet")]
        assert len(matrices) == (23 if size == 256 else 22)
        for zoom, matrix in enumerate(matrices):
            assert int(matrix.findtext(ows + "Identifier")) == zoom and int(matrix.findtext(wmts + "MatrixWidth")) == 2 ** zoom
            assert int(matrix.findtext(wmts + "TileWidth")) == size
            # As OGC's own GoogleMapsCompatible has it: 559082264.0287178 at zoom 0.
            assert float(matrix.findtext(wmts + "ScaleDenominator")) == pytest.approx(559082264.0287178 * 256 / size / 2 ** zoom, rel=1e-9)
        template = layer.find(wmts + "ResourceURL").get("template")
        path = template.removeprefix(base(server)).replace("{TileMatrix}", "2").replace("{TileCol}", "1").replace("{TileRow}", "1")
        status, _, body = server.get(path)
        assert status == 200 and size_of_png(body) == (size, size)


def test_tiles_of_each_style(server):
    for path, size in [("/styles/world/2/1/1.png", 256), ("/styles/world/256/2/1/1.png", 256), ("/styles/world/512/2/1/1.png", 512),
                       ("/styles/world/2/1/1@3x.png", 768), ("/styles/towns/2/1/1.png", 256)]:
        status, headers, body = server.get(path)
        assert (status, headers["content-type"], size_of_png(body)) == (200, "image/png", (size, size)), path
    assert server.get("/styles/world/2/1/1.png")[2] != server.get("/styles/towns/2/1/1.png")[2]
    # Of `maxScaleFactor` and `maxSize`.
    assert server.get("/styles/world/2/1/1@4x.png")[0] == 413 and server.get("/styles/world/static/0,0,1/2049x1.png")[0] == 413


def test_a_static_picture_counts_zooms_as_tileserver_gl_does(server):
    # Its world has 256 pixels at zoom 0; the address without a style keeps MapLibre's 512.
    theirs = server.get("/styles/world/static/11,47,5/300x200.png")
    assert theirs[0] == 200 and theirs[2] == server.get("/static/11,47,4/300x200.png")[2]
    # So the tile of a zoom is the picture of its middle at this zoom.
    tile = server.get("/styles/world/static/-45,40.9798981,2/256x256.png")[2]
    assert size_of_png(tile) == (256, 256)
    assert server.get("/styles/world/static/11,47,5@30,40/300x200.png")[2] == server.get("/static/11,47,4@30,40/300x200.png")[2]


def test_a_static_picture_of_meters(server):
    # 11.39 E, 47.27 N, and a box about it.
    degrees = server.get("/styles/world/static/5,40,20,55/300x200.png")
    meters = server.get("/styles/world/static/raw/556597.4539663679,4865942.279503176,2226389.8158654715,7361866.113051188/300x200.png")
    assert degrees[0] == meters[0] == 200 and degrees[2] == meters[2]
    place = server.get("/styles/world/static/raw/0,0,3/64x64.png")
    assert place[0] == 200 and place[2] == server.get("/styles/world/static/0,0,3/64x64.png")[2]


def test_tilejson_of_data(server):
    about = read(server, "/data/towns.json")
    assert about["tiles"] == [base(server) + "/data/towns/{z}/{x}/{y}.pbf"] and about["id"] == "towns" and about["format"] == "pbf"
    assert [layer["id"] for layer in about["vector_layers"]] == ["places"] and about["maxzoom"] == 3
    assert server.get("/data/none.json")[0] == 404


def test_tiles_of_data_come_packed_or_not(server):
    path = "/data/towns/3/4/2.pbf"
    for words, is_packed in [("gzip", True), ("br, gzip;q=0.5", True), ("*", True), ("", False), ("br", False), ("gzip;q=0", False), ("identity, gzip;q=0.0", False)]:
        status, headers, body = server.get(path, headers={"Accept-Encoding": words})
        assert status == 200 and headers["content-type"] == "application/x-protobuf" and headers["vary"] == "Accept-Encoding"
        assert ("content-encoding" in headers) == is_packed, words
        plain = gzip.decompress(body) if is_packed else body
        assert b"Innsbruck" in plain and b"places" in plain


def test_a_tile_as_geojson(server):
    status, headers, body = server.get("/data/towns/3/4/2.geojson")
    assert status == 200 and headers["content-type"] == "application/geo+json"
    whole = json.loads(body)
    feature, = whole["features"]
    # Layers are told apart as tileserver-gl does it.
    assert whole["type"] == "FeatureCollection" and feature["properties"] == {"name": "Innsbruck", "layer": "places"}
    assert feature["geometry"]["type"] == "Point" and feature["geometry"]["coordinates"] == pytest.approx([11.39, 47.27], abs=0.02)


def test_a_tile_that_is_not_there(server):
    assert server.get("/data/towns/3/0/0.pbf")[::2] == (204, b"")
    status, _, body = server.get("/data/old/3/0/0.pbf")
    assert status == 410 and b"3/0/0" in body
    for path in ["/data/towns/3/8/0.pbf", "/data/towns/31/0/0.pbf", "/data/towns/999999999/0/0.pbf"]:
        assert server.get(path)[0] == 400, path
    for path in ["/data/towns/3/4/2.png", "/data/towns/3/4/2", "/data/towns/3/4/-2.pbf", "/data/towns/3/4", "/data/x/0/0/0.pbf", "/data", "/data/",
                 "/data/towns/9999999999/0/0.pbf"]:
        assert server.get(path)[0] == 404, path


def test_glyph_ranges_and_stacks(server):
    assert {"Noto Sans Bold", "Noto Sans Regular"} <= set(read(server, "/fonts.json"))
    one = server.get("/fonts/Noto%20Sans%20Bold/0-255.pbf")
    assert one[0] == 200 and one[1]["content-type"] == "application/x-protobuf" and sites.glyphs(one[2])[2] == {"b": 20, "c": 20}
    # The first font that has a glyph gives it.
    assert sites.glyphs(server.get("/fonts/Noto%20Sans%20Regular,Noto%20Sans%20Bold/0-255.pbf")[2])[1:] == ("0-255", {"a": 10, "b": 10, "c": 20})
    assert sites.glyphs(server.get("/fonts/Noto%20Sans%20Bold,Noto%20Sans%20Regular/0-255.pbf")[2])[2] == {"a": 10, "b": 20, "c": 20}
    # Those that are not here are passed over.
    assert server.get("/fonts/Nobody,Noto%20Sans%20Bold/0-255.pbf")[2] == one[2]
    assert server.get("/fonts/Nobody/0-255.pbf")[0] == 404
    for name in ["1-256", "0-254", "65536-65791", "00-255", "-0-255", "x", "0-255-3", "99999999999999999999-0"]:
        assert server.get(f"/fonts/Noto%20Sans%20Bold/{name}.pbf")[0] == 400, name


def test_sprites(server):
    assert read(server, "/styles/towns/sprite.json")["dot"]["width"] == 4 and read(server, "/styles/towns/sprite@2x.json")["dot"]["width"] == 8
    assert size_of_png(server.get("/styles/towns/sprite@2x.png")[2]) == (8, 8)
    for path in ["/styles/towns/sprite@9x.png", "/styles/towns/sprite@3x.png", "/styles/towns/sprite.gif", "/styles/world/sprite.png", "/styles/towns/sprite/x.png"]:
        assert server.get(path)[0] == 404, path


def test_nothing_out_of_the_folders(server):
    for path in ["/styles/../../etc/passwd", "/styles/%2e%2e/%2e%2e/etc/passwd", "/styles/..%2f..%2fetc/passwd/style.json", "/fonts/../0-255.pbf",
                 "/fonts/..%2fstyles/0-255.pbf", "/fonts/%2e%2e/0-255.pbf", "/fonts/Noto%20Sans%20Bold%2f..%2fNoto%20Sans%20Bold/0-255.pbf",
                 "/fonts/Noto%20Sans%20Bold/..%2f0-255.pbf", "/styles/towns/sprite/..%2fsprite.png", "/styles/towns/sprite..%2f..%2ftowns.png",
                 "/styles/towns/sources/..%2fcities.geojson", "/styles/towns/sources/%2fetc%2fpasswd.geojson", "/viewer/../config.json",
                 "/viewer/images/..%2f..%2fleaflet.css", "/viewer/..%2fconfig.json", "/data/../config.json", "/data/..%2fconfig.json"]:
        status, _, body = server.get(path)
        assert status in (400, 404) and b"root:" not in body, (path, status)


def test_addresses_that_nobody_has(server):
    for path in ["/styles", "/styles/", "/styles/none/style.json", "/styles/none.json", "/styles/none/2/1/1.png", "/styles/world/128/2/1/1.png",
                 "/styles/world/style.json/", "/styles/world/2/1/1.gif", "/styles/world/static/x/2x2.png", "/styles/1024/world.json"]:
        assert server.get(path)[0] == 404, path
    for path in ["/styles.json?x=1", "/styles/world/style.json?key=1", "/styles/world.json?x", "/fonts.json?x=1", "/data/towns.json?x=1", "/metrics?x=1"]:
        assert server.get(path)[0] == 400, path


def test_a_style_without_a_slash_is_sent_to_its_viewer(server):
    status, headers, _ = server.get("/styles/world")
    # Seen from the address itself, so that it is right behind a proxy's prefix.
    assert status == 301 and headers["location"] == "world/"
    status, headers, body = server.get("/styles/world/")
    assert status == 200 and headers["content-type"].startswith("text/html") and "script-src 'self'" in headers["content-security-policy"]


def test_pages_escape_the_names_of_styles(server):
    for path in ["/", "/styles/towns/", "/styles/towns/wmts.xml"]:
        body = server.get(path)[2].decode()
        assert "Towns &amp; &lt;more&gt;" in body and "<more>" not in body


def test_what_a_style_does_not_serve(serve, tmp_path):
    path = sites.make(tmp_path)
    config = sites.config()
    config["styles"]["world"]["serve_data"] = False
    config["styles"]["towns"]["serve_rendered"] = False
    config["options"]["serveStaticMaps"] = False
    config["options"]["frontPage"] = False
    sites.write(path, config)
    server = serve("--config", path, style=None)
    assert server.get("/styles/world/style.json")[0] == 404 and server.get("/styles/world/1/0/0.png")[0] == 200
    assert server.get("/styles/towns/style.json")[0] == 200 and server.get("/styles/towns/1/0/0.png")[0] == 404
    assert server.get("/styles/towns.json")[0] == 404 and [entry["id"] for entry in read(server, "/rendered.json")] == ["world"]
    assert server.get("/styles/world/static/0,0,1/20x20.png")[0] == 404 and server.get("/")[0] == 404
    assert server.get("/styles/towns/")[0] == 404 and server.get("/styles/towns/wmts.xml")[0] == 404
    config["options"]["frontPage"] = True
    sites.write(path, config)
    page = serve("--config", path, style=None).get("/")[2].decode()
    # Nothing leads to what is not there.
    assert "styles/world/style.json" not in page and "styles/towns/wmts.xml" not in page and "<img" not in page
    assert "styles/towns/style.json" in page and "styles/world/wmts.xml" in page


def test_several_styles_and_archives_of_the_command_line(serve, tmp_path):
    sites.make(tmp_path)
    other = sites.write(tmp_path / "b/towns/style.json", sites.background("#123456"))
    server = serve(style=[tmp_path / "styles/world.json", other, tmp_path / "archives/towns.pmtiles", tmp_path / "archives/towns.mbtiles"])
    assert [style["id"] for style in read(server, "/styles.json")] == ["world", "towns"]
    assert [data["id"] for data in read(server, "/data.json")] == ["towns", "towns-2"]
    assert sites.colour_of(server.get("/styles/towns/0/0/0.png")[2]) == (0x12, 0x34, 0x56)
    # Without a style before it the first one is meant.
    assert server.get("/2/1/1.png")[2] == server.get("/styles/world/2/1/1.png")[2]


def test_all_styles_of_a_folder(serve, tmp_path):
    sites.write(tmp_path / "styles/red.json", sites.background("#f00"))
    sites.write(tmp_path / "styles/blue.json", sites.background("#00f"))
    sites.write(tmp_path / "config.json", {"options": {"serveAllStyles": True, "paths": {"styles": "styles"}}, "styles": {"red": {"style": "red.json"}}})
    server = serve("--config", tmp_path / "config.json", style=None)
    assert sorted(style["id"] for style in read(server, "/styles.json")) == ["blue", "red"]
    assert sites.colour_of(server.get("/styles/blue/0/0/0.png")[2]) == (0, 0, 255)

"""What the parameters of static pictures lay over a map: `path`, `marker`, `geojson` and those that go with them, as tileserver-gl has them."""

import base64
import io
import json
import math
import pathlib
import shutil
import urllib.parse

import pytest
import sites
from conftest import Server

WHITE, RED, BLUE, GREEN = (255, 255, 255), (255, 0, 0), (0, 0, 255), (0, 128, 0)


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("overlays")
    for name in ["styles", "icons/deep"]:
        (folder / name).mkdir(parents=True)
    sites.write(folder / "styles/white.json", sites.background("#fff"))
    (folder / "icons/pin.png").write_bytes(sites.png(20, 30, (0, 128, 0, 255)))
    (folder / "icons/deep/dot.png").write_bytes(sites.png(10, 10, (0, 0, 255, 255)))
    (folder / "icons/dot.png").write_bytes(sites.png(10, 10, (0, 0, 255, 255)))
    (folder / "icons/broken.png").write_bytes(b"\x89PNG and no more")
    (folder / "icons/pin.svg").write_text("<svg/>")
    server = Server("--config", sites.write(folder / "config.json", {
        "options": {"paths": {"styles": "styles", "icons": "icons"}}, "styles": {"white": {"style": "white.json"}}}), style=None)
    yield server
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def address(place, *parameters, size="200x200"):
    query = "&".join(f"{name}={urllib.parse.quote(str(value), safe=',|/:[]{}')}" for name, value in parameters)
    return f"/styles/white/static/{place}/{size}.png?{query}"


def pixels(server, place, *parameters, size="200x200"):
    """The picture as a function of a place in it."""
    from PIL import Image

    status, headers, body = server.get(address(place, *parameters, size=size))
    assert status == 200, body
    assert "neatline-missing" not in headers
    image = Image.open(io.BytesIO(body)).convert("RGB")
    return lambda x, y: image.getpixel((x, y))


def refusal(server, place, *parameters):
    status, _, body = server.get(address(place, *parameters))
    assert status == 400, (status, body)
    return body.decode()


LINE = ("path", "-10,0|10,0")


def test_a_line_has_its_width_colour_and_border(server):
    at = pixels(server, "0,0,3", LINE, ("stroke", "#f00"), ("width", 10), ("border", "blue"), ("borderwidth", 4))
    assert [at(100, 100 + y) for y in [0, 3, -4, 7, -8, 12]] == [RED, RED, RED, BLUE, BLUE, WHITE]


@pytest.mark.parametrize("cap, beyond", [("butt", WHITE), ("square", RED), ("round", RED)])
def test_lines_end_as_they_are_asked_to(server, cap, beyond):
    # Half of 256 * 2^3 pixels for 180 degrees: the line ends 56.9 pixels from the middle.
    at = pixels(server, "0,0,3", LINE, ("stroke", "#f00"), ("width", 20), ("linecap", cap))
    assert (at(155, 100), at(162, 100), at(170, 100)) == (RED, beyond, WHITE)
    assert (at(164, 92) == RED) == (cap == "square")


@pytest.mark.parametrize("join, corner", [("miter", RED), ("bevel", WHITE), ("round", WHITE)])
def test_lines_turn_as_they_are_asked_to(server, join, corner):
    at = pixels(server, "0,0,3", ("path", "-10,0|0,0|0,-10"), ("stroke", "#f00"), ("width", 30), ("linejoin", join))
    assert (at(105, 95), at(113, 87)) == (RED, corner)


def test_an_area_is_filled_and_options_of_a_path_go_before_the_others(server):
    box = "-10,-10|10,-10|10,10|-10,10|-10,-10"
    at = pixels(server, "0,0,3", ("path", f"fill:green|width:0|{box}"), ("fill", "red"))
    assert (at(100, 100), at(170, 100)) == (GREEN, WHITE)
    at = pixels(server, "0,0,3", ("path", box), ("fill", "none"), ("stroke", "none"))
    assert at(100, 100) == at(100, 43) == WHITE
    # Paths one over the other, in their order.
    at = pixels(server, "0,0,3", ("path", f"fill:red|{box}"), ("path", f"fill:blue|{box}"))
    assert at(100, 100) == BLUE


def polyline(places):
    """Google's encoding, written down from its description."""
    text, last = "", (0, 0)
    for lon, lat in places:
        now = (round(lat * 1e5), round(lon * 1e5))
        for a, b in zip(now, last):
            value = (a - b) << 1
            value = ~value if a < b else value
            while value >= 32:
                text += chr((value & 31 | 32) + 63)
                value >>= 5
            text += chr(value + 63)
        last = now
    return text


def test_encoded_polylines_and_swapped_coordinates_are_the_same_line(server):
    assert polyline([(-120.2, 38.5), (-120.95, 40.7), (-126.453, 43.252)]) == "_p~iF~ps|U_ulLnnqC_mqNvxq`@"
    plain = server.get(address("0,0,3", ("path", "-10,5|10,-3")))[2]
    assert server.get(address("0,0,3", ("path", "enc:" + polyline([(-10, 5), (10, -3)]))))[2] == plain
    assert server.get(address("0,0,3", ("path", "5,-10|-3,10"), ("latlng", 1)))[2] == plain
    assert server.get(address("0,0,3", ("path", "5,-10|-3,10"), ("latlng", "true")))[2] == plain
    assert server.get(address("0,0,3", ("path", "-10,5|10,-3"), ("latlng", 0)))[2] == plain


def test_markers_stand_on_their_places(server):
    at = pixels(server, "0,0,3", ("marker", "0,0|pin.png"))
    # 20 by 30 pixels, their lower middle on the place.
    assert (at(100, 85), at(92, 72), at(108, 98), at(100, 103), at(88, 85)) == (GREEN, GREEN, GREEN, WHITE, WHITE)
    at = pixels(server, "0,0,3", ("marker", "0,0|pin.png|scale:0.5|offset:20,-40"))
    # 10 by 15, and the offset with the scale: 10 to the right, 20 up.
    assert (at(110, 75), at(100, 95), at(110, 84)) == (GREEN, WHITE, WHITE)
    at = pixels(server, "0,0,3", ("marker", "0,0|deep/dot.png"), ("marker", "10,0|pin.png"), ("marker", "-10,0"))
    assert (at(100, 95), at(157, 85)) == (BLUE, GREEN) and at(43, 100) not in (WHITE, BLUE, GREEN)


def test_as_many_markers_as_an_address_has_room_for(server):
    # More than an overlay may have layers.
    places = [(index % 19 - 9, index // 19 - 9) for index in range(19 * 17)]
    at = pixels(server, "0,0,3", *[("marker", f"{lon},{lat}|dot.png") for lon, lat in places])
    for lon, lat in [(-9, -9), (9, 7), (0, 0), (3, -7)]:
        y = 100 - 256 * 8 / (2 * math.pi) * math.asinh(math.tan(math.radians(lat)))
        assert at(round(100 + lon * 5.69), round(y) - 5) == BLUE, (lon, lat)
    # Those that look otherwise keep their turn.
    at = pixels(server, "0,0,3", ("marker", "0,0|pin.png"), ("marker", "0,0|deep/dot.png"), ("marker", "0,0|pin.png"))
    assert at(100, 95) == GREEN
    assert pixels(server, "0,0,3", ("marker", "0,0|pin.png"), ("marker", "0,0|deep/dot.png"))(100, 95) == BLUE


def large(kind, edge):
    """A picture of one colour, which packs to next to nothing."""
    from PIL import Image

    file = io.BytesIO()
    Image.new("1" if kind == "PNG" else "L", (edge, edge)).convert("1" if kind == "PNG" else "RGB").save(file, kind, **({"lossless": True} if kind == "WEBP" else {}))
    return base64.b64encode(file.getvalue()).decode()


# A JPEG of 130 bytes that says 8000x8000, behind a marker without a length (T.81, B.1.1.3).
HIDDEN_SIZE = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ff01ffdb00430008060607060508070707090908"
    "0a0c140d0c0b0b0c1912130f141d1a1f1e1d1a1c1c20242e2720222c231c1c2837292c3031343434"
    "1f27393d38323c2e333432ffc9000b081f401f4001011100ffcc000600101005ffda000801010000"
    "3f00ff00bfd19280ffd9"
)


def test_the_size_of_an_icon_is_what_its_decoder_reads(serve, tmp_path):
    (tmp_path / "white.json").write_text(json.dumps(sites.background("#fff")))
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons/hidden.jpg").write_bytes(HIDDEN_SIZE)
    config = {"options": {"allowInlineMarkerImages": True, "paths": {"icons": "icons"}}, "styles": {"white": {"style": "white.json"}}}
    server = serve("--config", sites.write(tmp_path / "config.json", config), style=None)
    before = server.resident_bytes
    inline = "data:image/jpeg;base64," + base64.b64encode(HIDDEN_SIZE).decode()
    for icon in ["hidden.jpg", inline]:
        assert "icons of more than 4194304 pixels" in refusal(server, "0,0,3", ("marker", f"0,0|{icon}"))
    assert server.resident_bytes < before + (32 << 20)


def test_icons_within_the_address_are_no_bombs(serve, tmp_path):
    (tmp_path / "white.json").write_text(json.dumps(sites.background("#fff")))
    (tmp_path / "icons").mkdir()
    (tmp_path / "icons/large.jpg").write_bytes(base64.b64decode(large("JPEG", 2100)))
    (tmp_path / "icons/small.jpg").write_bytes(base64.b64decode(large("JPEG", 20)))
    config = {"options": {"allowInlineMarkerImages": True, "paths": {"icons": "icons"}}, "styles": {"white": {"style": "white.json"}}}
    server = serve("--config", sites.write(tmp_path / "config.json", config), style=None)
    small = sites.png(10, 10, (0, 0, 255, 255))
    icon = "data:image/png;base64," + base64.b64encode(small).decode()
    assert pixels(server, "0,0,3", ("marker", f"0,0|{icon}"))(100, 95) == BLUE
    before = server.resident_bytes
    for kind, edge in [("PNG", 6000), ("WEBP", 4000)]:
        words = refusal(server, "0,0,3", ("marker", f"0,0|data:image/{kind.lower()};base64,{large(kind, edge)}"))
        assert "icons of more than 4194304 pixels" in words
    assert 'the icon "large.jpg": icons of more' in refusal(server, "0,0,3", ("marker", "0,0|large.jpg"))
    assert server.get(address("0,0,3", ("marker", "0,0|small.jpg")))[0] == 200
    # All of them together.
    icon = f"data:image/png;base64,{large('PNG', 1000)}"
    assert server.get(address("0,0,3", *[("marker", f"{x},0|{icon}|scale:0.0{x + 1}") for x in range(4)]))[0] == 200
    assert "icons of more" in refusal(server, "0,0,3", *[("marker", f"{x},0|{icon}|scale:0.0{x + 1}") for x in range(5)])
    assert server.resident_bytes < before + (100 << 20)


def test_auto_goes_around_what_is_laid_over(server):
    at = pixels(server, "auto", ("path", "-10,-10|10,-10|10,10|-10,10|-10,-10"), ("fill", "red"), ("stroke", "none"), ("padding", 0.5))
    # As much room at each side as half of the area.
    assert [at(100 + x, 100) for x in [-52, -48, 0, 48, 52]] == [WHITE, RED, RED, RED, WHITE]
    deep, deeper = [server.get(address("auto", ("marker", "5,5"), ("marker", "5.0001,5"), ("maxzoom", zoom)))[2] for zoom in [3, 8]]
    assert deep != deeper
    assert "nothing to go around" in refusal(server, "auto")


def test_geojson_is_drawn_as_it_says_itself(server):
    box = {"type": "Feature", "properties": {"fill": "#008000", "fill-opacity": 1, "stroke-width": 0},
           "geometry": {"type": "Polygon", "coordinates": [[[-10, -10], [10, -10], [10, 10], [-10, 10], [-10, -10]]]}}
    assert pixels(server, "0,0,3", ("geojson", json.dumps(box)))(100, 100) == GREEN
    assert pixels(server, "0,0,3", ("geojson", '{"type":"FeatureCollection","features":[]}'))(100, 100) == WHITE


@pytest.mark.parametrize("text, words", [
    ('{"type":"Pot"}', "geojson: "), ('{"type":"Point","coordinates":[11]}', "fewer than two numbers"), ("[1]", "an object with a type"),
    ('{"type":"Polygon","coordinates":[[11,47]]}', "geojson: "), ("http://127.0.0.1/x", "geojson: "), ('"x"', "an object with a type"),
    ("[" * 4000, "nested deeper"), ('{"type":"Point","coordinates":' + "[" * 300 + "]" * 300 + "}", "nested deeper"),
    ('{"type":"Point","type":"Pot","coordinates":[1,2]}', "geojson: "),
], ids=lambda value: value[:40])
def test_what_is_no_geojson_is_refused_wherever_the_picture_looks(server, text, words):
    for place in ["0,0,3", "-10,-10,10,10", "auto"]:
        assert words in refusal(server, place, ("geojson", text))


@pytest.mark.parametrize("name, value, words", [
    ("fill", "blurple", 'fill: "blurple" is no colour'), ("stroke", "#12", 'stroke: "#12" is no colour'), ("border", "rgb(1)", 'border: "rgb(1)"'),
    ("linecap", "blob", "butt, round, square"), ("linejoin", "blob", "miter, bevel, round"), ("width", -1, 'width: "-1" is no number within 0 and 1000'),
    ("width", "nan", "width"), ("borderwidth", 1e9, "borderwidth" ), ("latlng", "maybe", "latlng"), ("padding", 11, "padding"), ("maxzoom", 99, "maxzoom"),
    ("path", "1,2", "fewer than two places"), ("path", "a|b", '"a" is neither'), ("path", "1,2|3,99", "no place"), ("path", "enc:~~", "polyline"),
    ("path", "enc:\x7f", "polyline"), ("path", "1,2|3,4|fill:nope", "fill"), ("marker", "", "marker"), ("marker", "1", "no place"),
    ("marker", "1,2|pin.png|scale:0", "scale"), ("marker", "1,2|pin.png|offset:1", "offset"), ("marker", "1,2|pin.png|tilt:3", "tilt:3"),
    ("marker", "1,2|none.png", 'no icon "none.png"'), ("marker", "1,2|pin.svg", "neither PNG nor JPEG nor WebP"),
    ("marker", "1,2|broken.png", 'the icon "broken.png"'), ("marker", "1,2|../config.json", "out of the folder"), ("marker", "1,2|/etc/x.png", "out of the folder"),
    ("marker", "1,2|deep/../../x.png", "out of the folder"), ("marker", "1,2|http://127.0.0.1/a.png", "not fetched"), ("marker", "1,2|data:image/png;base64,AA", "not allowed"),
])
def test_what_cannot_be_is_refused_by_the_name_of_its_parameter(server, name, value, words):
    others = [] if name in ("path", "marker") else [LINE, ("border", "red")] if name == "borderwidth" else [LINE]
    assert words in refusal(server, "0,0,3", (name, value), *others)


def test_places_that_cannot_be_are_refused_in_the_words_of_the_address(server):
    assert "S 48 above N 47" in refusal(server, "11,48,12,47")
    assert "zoom 27 is not within -1 and 26.5" in refusal(server, "11,47,27")
    status, _, body = server.get("/static/11,47,27/20x20.png")
    assert status == 400 and b"zoom 27 is not within -2 and 25.5" in body


@pytest.mark.parametrize("separator", ["a&", "&", "a=1&", "a?b&"])
def test_many_parameters_have_their_answer_at_once(server, separator):
    # An address of nearly 8 KiB, all of it parameters.
    status, _, body = server.get("/health?" + separator * (8000 // len(separator)), timeout=5)
    assert status == (200 if separator == "&" else 400), body
    assert server.get("/health")[0] == 200


def test_pictures_have_labels_of_font_files_as_clients_have(serve, tmp_path):
    fonts = sorted(pathlib.Path("/usr/share/fonts").rglob("DejaVuSans.ttf"))
    if not fonts:
        pytest.skip("there is no DejaVu Sans")
    for name in ["styles", "fonts"]:
        (tmp_path / name).mkdir()
    shutil.copy(fonts[0], tmp_path / "fonts")
    label = {"id": "l", "type": "symbol", "source": "p", "layout": {"text-field": "Label", "text-font": ["DejaVu Sans"], "text-size": 40}}
    style = sites.background("#fff")
    style["glyphs"] = "{fontstack}/{range}.pbf"
    style["sources"] = {"p": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}}
    style["layers"].append(label)
    sites.write(tmp_path / "styles/label.json", style)
    config = sites.write(tmp_path / "config.json", {"options": {"paths": {"styles": "styles", "fonts": "fonts"}}, "styles": {"label": {"style": "label.json"}}})
    server = serve("--config", config, "--no-system-fonts", style=None)
    # As the file says itself; styles call it by its family too.
    assert json.loads(server.get("/fonts.json")[2]) == ["DejaVu Sans Book"]
    for name in ["DejaVu%20Sans%20Book", "DejaVu%20Sans", "DejaVu%20Sans%20Regular"]:
        assert server.get(f"/fonts/{name}/0-255.pbf")[0] == 200
    assert server.get("/fonts/DejaVu%20Sans%20Bold/0-255.pbf")[0] == 404
    status, headers, body = server.get("/styles/label/static/0,0,3/200x100.png")
    assert status == 200 and "neatline-missing" not in headers
    from PIL import Image

    assert any(low < 64 for low, _ in Image.open(io.BytesIO(body)).convert("RGB").getextrema()), "no letter is black"

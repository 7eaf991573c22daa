"""A folder as servers of tileserver-gl have it: styles, archives, fonts, sprites, and the configuration that names them."""

import json
import pathlib
import shutil
import struct
import zlib

from conftest import DEMO, run

DEMO_FOLDER = pathlib.Path(DEMO).parent


def varint(number):
    result = b""
    while number > 127:
        result += bytes([number & 127 | 128])
        number >>= 7
    return result + bytes([number])


def field(number, data):
    return varint(number << 3 | 2) + varint(len(data)) + data


def fields(data):
    """(number, value) of each field of a message of lengths and varints."""
    result, at = [], 0

    def take():
        nonlocal at
        number = shift = 0
        while True:
            byte = data[at]
            at += 1
            number |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return number

    while at < len(data):
        key = take()
        value = take()
        if key & 7 == 2:
            value, at = data[at:at + value], at + value
        result.append((key >> 3, value))
    return result


def glyph_range(name, letters, advance=10):
    """A glyph range without pictures of the glyphs; `advance` tells fonts apart."""
    glyphs = b"".join(
        field(3, b"\x08" + varint(ord(letter)) + b"\x18\0" + b"\x20\0" + b"\x28\0" + b"\x30\0" + b"\x38" + varint(advance)) for letter in letters)
    return field(1, field(1, name.encode()) + field(2, b"0-255") + glyphs)


def glyphs(data):
    """Name, range, and {letter: advance} of a glyph range."""
    stack = dict(fields(data))[1]
    members = fields(stack)
    found = [dict(fields(value)) for number, value in members if number == 3]
    return dict(members)[1].decode(), dict(members)[2].decode(), {chr(glyph[1]): glyph[7] for glyph in found}


def png(width, height, colour=(200, 30, 30, 255)):
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    rows = (b"\0" + bytes(colour) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def background(colour, name=None):
    """A style of one colour."""
    style = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background", "paint": {"background-color": colour}}]}
    return {**style, **({"name": name} if name else {})}


def colour_of(picture):
    """The first pixel of a PNG of 8 bits a channel that begins with a row without a filter, or with one that leaves the first pixel as it is."""
    at, data = 8, b""
    while at < len(picture):
        size = struct.unpack(">I", picture[at:at + 4])[0]
        kind, body = picture[at + 4:at + 8], picture[at + 8:at + 8 + size]
        if kind == b"IHDR":
            depth, channels = body[8], body[9]
        if kind == b"PLTE":
            palette = body
        if kind == b"IDAT":
            data += body
        at += size + 12
    row = zlib.decompress(data)
    if channels == 3:
        index = row[1] >> (8 - depth)
        return tuple(palette[3 * index:3 * index + 3])
    return tuple(row[1:4])


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def archive(path, properties=None, zooms="0-3"):
    """An archive with a point."""
    features = {"type": "FeatureCollection", "features": [
        {"type": "Feature", "properties": properties or {"name": "Innsbruck"}, "geometry": {"type": "Point", "coordinates": [11.39, 47.27]}}]}
    source = write(path.parent / (path.stem + "-source.geojson"), features)
    done = run("tile", source, path, "--zoom", zooms, "--layer", "places", "--force")
    assert done.returncode == 0, done.stderr
    source.unlink()
    return path


def make(folder):
    """The folder; returns the path of its config.json."""
    styles = folder / "styles"
    for name in ["countries", "lakes", "labels", "cities"]:
        styles.mkdir(exist_ok=True)
        shutil.copy(DEMO_FOLDER / f"{name}.geojson", styles / f"{name}.geojson")
    world = json.loads(pathlib.Path(DEMO).read_text())
    write(styles / "world.json", world)
    write(styles / "towns.json", {
        "version": 8, "name": "Towns & <more>", "sprite": "{styleJsonFolder}/marks", "glyphs": "{fontstack}/{range}.pbf",
        "center": [11.39, 47.27], "zoom": 3,
        "sources": {
            "towns": {"type": "vector", "url": "pmtiles://{towns}"}, "again": {"type": "vector", "url": "mbtiles://towns.mbtiles"},
            "a/b": {"type": "geojson", "data": "cities.geojson"},
        },
        "layers": [
            {"id": "b", "type": "background", "paint": {"background-color": "#eee"}},
            {"id": "t", "type": "circle", "source": "towns", "source-layer": "places", "paint": {"circle-radius": 9}},
        ],
    })
    for ratio, end in [(1, ""), (2, "@2x")]:
        write(styles / f"marks{end}.json", {"dot": {"x": 0, "y": 0, "width": 4 * ratio, "height": 4 * ratio, "pixelRatio": ratio}})
        (styles / f"marks{end}.png").write_bytes(png(4 * ratio, 4 * ratio))
    (folder / "archives").mkdir()
    archive(folder / "archives/towns.pmtiles")
    done = run("convert", folder / "archives/towns.pmtiles", folder / "archives/towns.mbtiles")
    assert done.returncode == 0, done.stderr
    for name, letters, advance in [("Noto Sans Regular", "ab", 10), ("Noto Sans Bold", "bc", 20)]:
        path = folder / "fonts" / name
        path.mkdir(parents=True)
        (path / "0-255.pbf").write_bytes(glyph_range(name, letters, advance))
    return write(folder / "config.json", config())


def config():
    """As tileserver-gl's documentation has it."""
    return {
        "options": {
            "paths": {"root": "", "fonts": "fonts", "sprites": "sprites", "icons": "icons", "styles": "styles", "mbtiles": "archives", "pmtiles": "archives"},
            "formatOptions": {"jpeg": {"quality": 80}, "webp": {"quality": 90}}, "maxScaleFactor": 3, "maxSize": 2048, "serveAllFonts": True,
            "serveStaticMaps": True, "tileMargin": 0,
        },
        "styles": {
            "world": {"style": "world.json", "tilejson": {"bounds": [-180, -60, 180, 80], "maxzoom": 12}},
            "towns": {"style": "towns.json"},
        },
        "data": {"towns": {"pmtiles": "towns.pmtiles"}, "old": {"mbtiles": "towns.mbtiles", "sparse": True}},
    }

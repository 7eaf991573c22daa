"""Tiles whose features share a long value: few bytes of tile, many of GeoJSON."""

import json
import sqlite3
import zlib

import pytest

from conftest import Server, run
from sites import field, varint


def shared_value_tile(features, length):
    """An MVT layer of points whose only property is the same text."""
    point = field(2, field(2, b"\x00\x00") + b"\x18\x01" + field(4, b"\x09\x02\x02"))
    layer = field(1, b"places") + point * features + field(3, b"k") + field(4, field(1, b"a" * length)) + b"\x28" + varint(4096) + b"\x78\x02"
    return field(3, layer)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """Zoom 0 has 5 GB of GeoJSON, zoom 1 has 30 MB of it and one short tile."""
    path = tmp_path_factory.mktemp("amplify") / "shared.mbtiles"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
        database.execute("CREATE TABLE tiles (zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)")
        database.executemany("INSERT INTO metadata VALUES (?, ?)", [("format", "pbf"), ("minzoom", "0"), ("maxzoom", "1")])
        for z, x, y, features, length in [(0, 0, 0, 200_000, 25_000), (1, 0, 1, 3000, 10_000), (1, 1, 1, 3, 10)]:
            packer = zlib.compressobj(9, zlib.DEFLATED, 31)
            data = packer.compress(shared_value_tile(features, length)) + packer.flush()
            database.execute("INSERT INTO tiles VALUES (?, ?, ?, ?)", (z, x, (1 << z) - 1 - y, data))
    return path


@pytest.fixture(scope="module")
def server(archive):
    server = Server(style=archive)
    yield server
    server.stop()


def test_a_text_past_the_limit_is_refused(server):
    before = server.resident_bytes
    status, _, body = server.get("/data/shared/0/0/0.geojson")
    assert status == 413 and b"268435456 bytes of GeoJSON" in body
    assert server.resident_bytes < before + (64 << 20)


def test_a_long_text_is_written_while_it_is_sent(server):
    before = server.resident_bytes
    status, headers, body = server.get("/data/shared/1/0/1.geojson")
    assert status == 200 and headers["transfer-encoding"] == "chunked" and "content-length" not in headers
    assert "accept-ranges" not in headers
    features = json.loads(body)["features"]
    assert len(features) == 3000 and len(body) > 30_000_000
    assert all(len(each["properties"]["k"]) == 10_000 and each["properties"]["layer"] == "places" for each in features)
    assert server.resident_bytes < before + (16 << 20), "the text is not held as a whole"
    # It has a name, by which a client that has it is told so.
    assert server.get("/data/shared/1/0/1.geojson", headers={"If-None-Match": headers["etag"]})[::2] == (304, b"")
    status, head, body = server.get("/data/shared/1/0/1.geojson", method="HEAD")
    assert status == 200 and head["etag"] == headers["etag"] and body == b""


def test_a_client_of_http_1_0_gets_all_of_it(server):
    answer = server.say(b"GET /data/shared/1/0/1.geojson HTTP/1.0\r\n\r\n")
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b" 200 " in head and len(json.loads(body)["features"]) == 3000


def test_a_client_that_goes_leaves_nothing_behind(server):
    for _ in range(20):
        with server.connect() as connection:
            connection.sendall(b"GET /data/shared/1/0/1.geojson HTTP/1.1\r\nHost: h\r\n\r\n")
            assert connection.recv(100)
    status, _, body = server.get("/data/shared/1/1/1.geojson")
    assert status == 200 and len(json.loads(body)["features"]) == 3


def test_a_short_text_is_sent_as_a_whole(server):
    status, headers, body = server.get("/data/shared/1/1/1.geojson")
    assert status == 200 and int(headers["content-length"]) == len(body) and "etag" in headers
    assert server.get("/data/shared/1/1/1.geojson", headers={"Range": "bytes=0-9"})[::2] == (206, body[:10])


def test_inspect_writes_a_text_of_any_length(archive):
    done = run("inspect", archive, "--tile", "1/0/1", "--json")
    assert done.returncode == 0 and len(json.loads(done.stdout)["places"]["features"]) == 3000

"""`neatline serve`: answers that a client has already, and parts of answers."""

import pytest
from conftest import Server

TILE = "/2/1/1.png"


@pytest.fixture(scope="module")
def tile(server):
    """(tag, bytes)"""
    status, headers, body = server.get(TILE)
    assert status == 200 and headers["accept-ranges"] == "bytes"
    return headers["etag"], body


def test_the_tag_is_that_of_the_bytes(server, tile):
    assert server.get(TILE)[1]["etag"] == tile[0] and server.get(TILE, method="HEAD")[1]["etag"] == tile[0]
    assert server.get("/256/2/1/1.png")[1]["etag"] == tile[0] != server.get("/2/1/2.png")[1]["etag"]
    # Whoever draws it.
    other = Server()
    assert other.get(TILE)[1]["etag"] == tile[0]
    other.stop()


@pytest.mark.parametrize("words", ["{tag}", "W/{tag}", '"x", {tag}', '"x" ,W/{tag} ', "*", "{tag},"])
def test_what_the_client_has_is_not_sent(server, tile, words):
    for method in ["GET", "HEAD"]:
        status, headers, body = server.get(TILE, method=method, headers={"If-None-Match": words.format(tag=tile[0])})
        assert (status, body, headers["etag"], headers["cache-control"]) == (304, b"", tile[0], "public, max-age=3600")
        # The length that it would have, or none (RFC 9110, 8.6).
        assert headers["content-length"] == str(len(tile[1]))
        assert "content-type" not in headers


@pytest.mark.parametrize("words", ['"x"', "", "{bare}", "w/{tag}", '"', ",,,", "W/"])
def test_another_tag_gets_the_whole(server, tile, words):
    status, _, body = server.get(TILE, headers={"If-None-Match": words.format(tag=tile[0], bare=tile[0].strip('"'))})
    assert status == 200 and body == tile[1]


def test_parts(server, tile):
    tag, whole = tile
    size = len(whole)
    for words, low, high in [("0-0", 0, 1), ("0-99", 0, 100), ("100-", 100, size), ("-7", size - 7, size), (f"5-{size + 1000}", 5, size),
                             (f"-{size + 5}", 0, size), (f"{size - 1}-", size - 1, size), ("00000-003", 0, 4)]:
        status, headers, body = server.get(TILE, headers={"Range": f"bytes={words}"})
        assert status == 206 and body == whole[low:high], words
        assert headers["content-range"] == f"bytes {low}-{high - 1}/{size}" and headers["content-length"] == str(high - low)


def test_parts_that_are_not_there(server, tile):
    size = len(tile[1])
    for words in [f"{size}-", f"{size + 5}-{size + 9}", "9-3", "-0", "9" * 30 + "-", "0-" + "9" * 30]:
        status, headers, body = server.get(TILE, headers={"Range": f"bytes={words}"})
        assert status == 416 and headers["content-range"] == f"bytes */{size}" and str(size) in body.decode(), words


@pytest.mark.parametrize("words", ["bytes=0-1,3-4", "pages=1-2", "bytes=", "bytes=-", "bytes=a-b", "bytes=1", "0-1", "bytes=1-2-3", "bytes= 1-2", "BYTES=0-1"])
def test_ranges_that_are_not_heeded(server, tile, words):
    status, _, body = server.get(TILE, headers={"Range": words})
    assert status == 200 and body == tile[1]


def test_a_part_only_of_what_the_client_has_the_rest_of(server, tile):
    for condition, status in [(tile[0], 206), ('"x"', 200), ("W/" + tile[0], 200), ("Sun, 06 Nov 1994 08:49:37 GMT", 200)]:
        assert server.get(TILE, headers={"Range": "bytes=0-9", "If-Range": condition})[0] == status, condition


def test_parts_are_for_get_alone(server, tile):
    status, headers, _ = server.get(TILE, method="HEAD", headers={"Range": "bytes=0-9"})
    assert status == 200 and headers["content-length"] == str(len(tile[1]))


def test_conditions_count_for_what_is_no_picture_too(server):
    for path in ["/", "/styles.json", "/styles/demo/style.json", "/styles/demo.json", "/styles/demo/wmts.xml", "/info.json"]:
        status, headers, _ = server.get(path)
        assert status == 200, path
        assert server.get(path, headers={"If-None-Match": headers["etag"]})[0] == 304, path
    # What changes all the time has no tag.
    for path in ["/health", "/metrics"]:
        assert "etag" not in server.get(path)[1] and server.get(path, headers={"If-None-Match": "*"})[0] == 200

"""Traces of where time goes, and statistics of maps."""

import json
import os

import neatline
import pytest

STYLE = {
    "version": 8,
    "sources": {"a": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}}},
    "layers": [{"id": "c", "type": "circle", "source": "a"}],
}


def test_a_trace_is_json_of_events(tmp_path):
    path = tmp_path / "träce.json"
    with neatline.trace(path):
        with pytest.raises(neatline.InvalidStateError):
            with neatline.trace(tmp_path / "other.json"):
                pass
        with neatline.Renderer(STYLE) as renderer:
            renderer.draw(size=64).encode("png")
        with neatline.Map(64) as map:
            map.load_style(STYLE)
            map.loop.run()
            map.draw()
    events = json.loads(path.read_text())
    names = {event["name"] for event in events}
    assert {"style", "cut", "layout", "labels", "frame", "draw", "band", "encode", "turn", "prepare"} <= names
    for event in events:
        assert event["pid"] == os.getpid() and event["tid"] >= 1 and event["ph"] in "Xbe"
        assert event["ph"] != "X" or event["dur"] >= 0


def test_a_second_trace_leaves_the_file_of_the_first(tmp_path):
    path = tmp_path / "trace.json"
    with neatline.trace(path):
        with pytest.raises(neatline.InvalidStateError):
            with neatline.trace(path):
                pass
        with neatline.Renderer(STYLE) as renderer:
            renderer.draw(size=64)
        # The first event was written at once: this is not the beginning of the file any more.
        size = path.stat().st_size
        assert size > 0
        with pytest.raises(neatline.InvalidStateError):
            with neatline.trace(path):
                pass
        assert path.stat().st_size == size
    assert json.loads(path.read_text())


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")
def test_a_disk_that_is_full_is_told_at_the_end():
    with pytest.raises(neatline.FileError, match="to its end"):
        with neatline.trace("/dev/full"):
            with neatline.Renderer(STYLE) as renderer:
                renderer.draw(size=64)


def test_a_process_that_goes_without_a_word_leaves_a_trace_that_can_be_read(tmp_path):
    path = tmp_path / "trace.json"
    child = os.fork()
    if child == 0:
        with neatline.trace(path):
            with neatline.Renderer(STYLE) as renderer:
                renderer.draw(size=64)
            os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    # Chrome's format allows that the end is missing.
    text = path.read_text()
    assert text.startswith("[\n{") and text.endswith("}")
    assert json.loads(text + "]")


def test_a_file_that_cannot_be_written_is_named(tmp_path):
    with pytest.raises(neatline.FileError, match="none"):
        with neatline.trace(tmp_path / "none" / "trace.json"):
            pass


def test_statistics_count_frames_and_memory():
    with neatline.Map(64) as map:
        assert map.statistics["frames"] == {"count": 0} and "tiles" not in map.statistics
        map.load_style(STYLE)
        map.loop.run()
        for _ in range(3):
            map.draw()
        told = map.statistics
        assert told["frames"]["count"] == 3 and told["turns"] >= 1 and told["requests"] == 0
        assert 0 < told["frames"]["medianMS"] <= told["frames"]["longestMS"]
        assert told["tiles"]["a"]["count"] >= 1 and told["layouts"]["bytes"] > 0
        assert told["residentBytes"] > 1 << 20

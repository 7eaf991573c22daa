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

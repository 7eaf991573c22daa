"""`neatline serve` where one large allocation fails (Tests/Faults): it goes on, the request gets its picture or 503, and the next one is right.

A few of the allocations by default, each with NEATLINE_FAULTS=all in the environment.
"""

import os
import pathlib
import subprocess

import pytest
from conftest import COMMAND, DEMO, Server

SHIM = pathlib.Path(os.environ.get("NEATLINE_FAULT_SHIM") or pathlib.Path(COMMAND).resolve().parents[1] / "Tests/Faults/libfaults.so")
PATHS = ["/2/1/1.png", "/static/11,47,4/900x700.jpg"]
SAMPLE = 5

pytestmark = pytest.mark.skipif(not SHIM.exists(), reason=f"{SHIM} is not built")


def environment(at, count=""):
    return {**os.environ, "LD_PRELOAD": str(SHIM), "NEATLINE_FAULT": "malloc", "NEATLINE_FAULT_AT": str(at), "NEATLINE_FAULT_COUNT": str(count)}


def serve_with(at, count=""):
    """The answers of a server, of which an allocation fails; None where it says that it cannot start."""
    try:
        server = Server(env=environment(at, count), stderr=subprocess.PIPE)
    except AssertionError:
        return None
    try:
        first = [server.get(path) for path in PATHS]
        second = [server.get(path) for path in PATHS]
    finally:
        status = server.stop()
    assert status == 0
    return first, second


def test_each_large_allocation_may_fail(tmp_path):
    count = tmp_path / "count"
    expected, _ = serve_with(0, count)
    assert all(status == 200 for status, _, _ in expected)
    calls = int(count.read_text())
    step = 1 if os.environ.get("NEATLINE_FAULTS") == "all" else max(1, calls // SAMPLE)
    refused = 0
    for at in range(1, calls + 1, step):
        answers = serve_with(at)
        if answers is None:
            refused += 1
            continue
        first, second = answers
        for answer, after, (_, _, body) in zip(first, second, expected):
            assert answer[0] == 503 or (answer[0] == 200 and answer[2] == body), (at, answer[0], answer[2][:200])
            assert after[0] == 200 and after[2] == body, (at, after[0], after[2][:200])
    assert refused * 2 <= calls


@pytest.mark.parametrize("command", [["render", DEMO, "--output"], ["tile"]], ids=["render", "tile"])
def test_a_program_says_what_it_lacks(tmp_path, command):
    """It ends with a picture or with words, never by a signal."""
    if command[0] == "tile":
        source = tmp_path / "points.geojson"
        source.write_text('{"type":"FeatureCollection","features":[' + ",".join(
            f'{{"type":"Feature","properties":{{"n":{n}}},"geometry":{{"type":"Point","coordinates":[{n % 360 - 180},{n % 160 - 80}]}}}}'
            for n in range(3000)) + "]}")
        arguments = ["tile", str(source), str(tmp_path / "points.pmtiles"), "--zoom", "0-3"]
    else:
        arguments = [*command, str(tmp_path / "picture.png")]
    count = tmp_path / "count"
    result = subprocess.run([COMMAND, *arguments], env=environment(0, count), capture_output=True, timeout=120)
    assert result.returncode == 0, result.stderr
    calls = int(count.read_text())
    step = 1 if os.environ.get("NEATLINE_FAULTS") == "all" else max(1, calls // SAMPLE)
    for at in range(1, calls + 1, step):
        for made in tmp_path.glob("points.pmtiles*"):
            made.unlink()
        result = subprocess.run([COMMAND, *arguments], env=environment(at), capture_output=True, timeout=120)
        assert result.returncode >= 0, (at, result.returncode, result.stderr[-2000:])
        assert result.returncode == 0 or result.stderr

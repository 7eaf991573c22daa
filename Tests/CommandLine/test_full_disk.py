"""Results that do not fit on a disk are not left behind half, and what was there stays."""

import json
import os
import resource
import signal
import subprocess

import pytest
from conftest import COMMAND, DEMO, run

LIMIT = 200


def run_full(*arguments):
    """Runs a command that may write files of LIMIT bytes, as on a disk that is full."""

    def limit():
        # Else the system ends the program where it writes more.
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))

    return subprocess.run([COMMAND, *map(str, arguments)], capture_output=True, timeout=120, preexec_fn=limit, restore_signals=False)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A GeoJSON file, and archives made of it."""
    folder = tmp_path_factory.mktemp("data")
    points = [{"type": "Feature", "properties": {"name": f"point {n}"}, "geometry": {"type": "Point", "coordinates": [n % 170, n % 80]}} for n in range(500)]
    (folder / "points.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": points}))
    for name in ["points.pmtiles", "points.mbtiles"]:
        assert run("tile", folder / "points.geojson", folder / name, "--zoom", "0-2").returncode == 0
    return folder


@pytest.mark.parametrize("before", [None, b"before"], ids=["new", "replaced"])
@pytest.mark.parametrize("arguments", [
    ["render", DEMO, "-o", "out.png"], ["render", DEMO, "-o", "out.jpg"], ["render", DEMO, "-o", "out.webp"],
    ["tile", "points.geojson", "out.pmtiles", "--zoom", "0-2"], ["tile", "points.geojson", "out.mbtiles", "--zoom", "0-2"],
    ["convert", "points.mbtiles", "out.pmtiles"], ["convert", "points.pmtiles", "out.mbtiles"], ["convert", DEMO, "out.json"],
    ["extract", "points.pmtiles", "out.pmtiles", "--zoom", "0-1"],
], ids=lambda words: " ".join(os.path.basename(word) for word in words))  # fmt: skip
def test_a_result_is_whole_or_not_there(data, tmp_path, arguments, before):
    arguments = [data / word if word.startswith("points") else tmp_path / word if word.startswith("out") else word for word in arguments]
    out = next(word for word in arguments if str(word).startswith(str(tmp_path)))
    if before is not None:
        out.write_bytes(before)
        if arguments[0] != "render":
            arguments.append("--force")
    done = run_full(*arguments)
    assert done.returncode == 1 and str(out) in done.stderr.decode(), done
    # Archives are made in a file of another name, which the same command continues.
    left = [name for name in os.listdir(tmp_path) if ".partial" not in name]
    assert left == ([out.name] if before else []), done
    assert before is None or out.read_bytes() == before

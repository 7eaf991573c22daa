"""Memory of the tiler does not grow with its input.

NEATLINE_BIG_TESTS=1 also cuts an input of 1 GB.
"""

import json
import os
import random
import subprocess
import sys
import textwrap

import pytest

MB = 1 << 20


def write(path, size):
    """Lines of roads all over the world, of so many bytes."""
    rng = random.Random(5)
    with open(path, "w") as file:
        while file.tell() < size:
            block = []
            for _ in range(1000):
                x, y = rng.uniform(-170, 170), rng.uniform(-75, 75)
                line = []
                for _ in range(25):
                    x, y = x + rng.uniform(-1e-3, 2e-3), y + rng.uniform(-1e-3, 2e-3)
                    line.append([round(x, 6), round(y, 6)])
                block.append(
                    json.dumps(
                        {
                            "type": "Feature",
                            "properties": {
                                "name": f"road {rng.random():.6f}",
                                "kind": "x" * rng.randrange(40),
                            },
                            "geometry": {"type": "LineString", "coordinates": line},
                        }
                    )
                )
            file.write("\n".join(block) + "\n")


CODE = """
    import re, resource, sys
    from neatline import tiler

    def peak():
        # ru_maxrss begins with that of whoever started the process.
        return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read()).group(1)) >> 10

    if __name__ == "__main__":
        base = peak()
        report = tiler.tile([sys.argv[1]], sys.argv[2], max_zoom=8, memory=32 << 20, **eval(sys.argv[3]))
        workers = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
        print(report.features, base, peak(), workers)
"""


@pytest.mark.parametrize("where", ["{}", "{'workers': 2}"], ids=["alone", "workers"])
@pytest.mark.parametrize("size", [48, 1024])
def test_memory_is_bounded(tmp_path, size, where):
    if size > 100 and not os.environ.get("NEATLINE_BIG_TESTS"):
        pytest.skip("NEATLINE_BIG_TESTS is not set")
    write(tmp_path / "roads.geojsonl", size * MB)
    (tmp_path / "cut.py").write_text(textwrap.dedent(CODE))
    done = subprocess.run(
        [sys.executable, "cut.py", "roads.geojsonl", "roads.pmtiles", where],
        cwd=tmp_path, capture_output=True, text=True, timeout=3000,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    count, base, own, workers = map(int, done.stdout.split())
    print(f"{size} MB, {count} features: {base} MB at the start, then {own} MB, workers {workers} MB")
    assert count > size * 1000
    # 32 MB of cut features, and batches, tiles and indexes under way; the same for the large input.
    assert own < base + 300 and workers < base + 300

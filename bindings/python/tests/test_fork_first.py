"""Children of a process that has loaded the library, and used it a little, but not drawn: they make all of its tables,
and the Swift runtime's, on several threads."""

import subprocess
import sys

CHILDREN = 6

PROGRAM = """
import os, signal, sys, time
import neatline

TYPES = ["fill", "line", "circle", "symbol", "heatmap", "fill-extrusion"]
COLORS = {"fill": "fill-color", "line": "line-color", "circle": "circle-color", "symbol": "text-color",
          "heatmap": "heatmap-radius", "fill-extrusion": "fill-extrusion-color"}


def layer(number):
    type = TYPES[number % len(TYPES)]
    value = ["interpolate", ["linear"], ["zoom"], 0, 1, 9, 5] if type == "heatmap" else [
        "match", ["get", "kind"], "a", "#f00", "b", ["to-color", ["get", "color"], "blue"], ["rgb", number, 0, 0]]
    return {"id": str(number), "type": type, "source": "s", "paint": {COLORS[type]: value},
            "filter": ["all", ["has", "kind"], ["!=", ["get", "number"], number]]}


STYLE = {
    "version": 8,
    "sources": {"s": {"type": "geojson", "data": {
        "type": "Feature", "properties": {"kind": "a"},
        "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [9, 0], [9, 9], [0, 0]]]}}}},
    "layers": [layer(number) for number in range(96)],
}

neatline.Expression(["+", 1, 2])
for number in range(int(sys.argv[1])):
    child = os.fork()
    if child == 0:
        code = 3
        try:
            neatline.Renderer(STYLE, threads=4).draw(center=(0, 0), zoom=2, size=(64, 64))
            code = 0
        finally:
            os._exit(code)
    began = time.monotonic()
    while True:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() - began > 20:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            sys.exit(f"child {number} hangs")
        time.sleep(0.002)
    if status != 0:
        sys.exit(f"child {number} ended with {status}")
"""


def test_children_draw_first():
    result = subprocess.run([sys.executable, "-c", PROGRAM, str(CHILDREN)], capture_output=True, text=True, timeout=150)
    assert result.returncode == 0, result.stderr

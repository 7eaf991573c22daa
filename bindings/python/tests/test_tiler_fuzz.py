"""GeoParquet files with mutated metadata, geometries and bytes. NEATLINE_FUZZ_FILES says how many,
NEATLINE_FUZZ_SEED where the random numbers begin."""

import json
import os
import random
import time

import pytest

from neatline import tiler
from neatline.errors import NeatlineError
from neatline.tiler import inputs

FILES = int(os.environ.get("NEATLINE_FUZZ_FILES", "300"))
SEED = int(os.environ.get("NEATLINE_FUZZ_SEED", "1"))
# A file of some kilobytes takes milliseconds; the machine may be busy.
SLOWEST_SECONDS = 20

WORDS = [b"0", b"-1", b"1e999", b"null", b"true", b'""', b"[]", b"{}", b'{"bbox":7}', b'"WKB"', b'"point"',
         b"\xff", b"\x00", b'"primary_column"', b'"crs":null', b'"EPSG:3857"', b'{"covering":{"bbox":{"x":[]}}}']


def mutated(numbers, data, changes=6):
    """The bytes with some changes: a bit, a word, a piece less or a piece twice."""
    data = bytearray(data)
    for _ in range(numbers.randrange(1, changes)):
        at = numbers.randrange(len(data) + 1)
        how = numbers.randrange(4)
        if how == 0 and data:
            data[at % len(data)] ^= 1 << numbers.randrange(8)
        elif how == 1:
            word = numbers.choice(WORDS)
            data[at : at + numbers.choice([0, len(word)])] = word
        elif how == 2:
            del data[at : at + numbers.randrange(1, 9)]
        else:
            data[at:at] = data[at : at + numbers.randrange(1, 17)]
    return bytes(data)


def geometries():
    """WKB of the fuzzer's own corpus, as hexadecimal digits: a polygon, lines, a point with Z, a collection."""
    from struct import pack

    line = pack("<BII4d", 1, 2, 2, 0, 0, 5, 6)
    polygon = pack("<BII", 1, 3, 1) + pack("<I8d", 4, 0, 0, 9, 0, 9, 9, 0, 0)
    return [polygon, pack("<BII", 1, 5, 2) + line + line, pack(">BII3d", 0, 0xA0000001, 4326, 1, 2, 3),
            pack("<BII", 1, 7, 2) + line + polygon]


def write(path, geo, shapes, metadata=b"geo"):
    import pyarrow
    import pyarrow.parquet

    table = pyarrow.table({
        "n": list(range(len(shapes))), "name": ["x"] * len(shapes),
        "shape": pyarrow.array(shapes, pyarrow.binary())})
    pyarrow.parquet.write_table(table.replace_schema_metadata({metadata: geo}), path, row_group_size=2)


def read(path):
    """Everything that is done with a file of somebody else: split, read, tiled."""
    for piece in inputs.splits(path, piece_bytes=1):
        with tiler.VectorTiler([piece.layer], max_zoom=2) as one:
            for layer, batch in inputs.read(piece):
                one.add_arrow(batch, layer=layer, geometry=piece.geometry)
            one.describe()


@pytest.mark.parametrize("what", ["metadata", "geometries", "file"])
def test_mutated_geoparquet_fails_with_errors_of_neatline_alone(tmp_path, what):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    numbers = random.Random(f"{SEED} {what}")
    geo = json.dumps({
        "version": "1.1.0", "primary_column": "shape",
        "columns": {"shape": {"encoding": "WKB", "geometry_types": ["Polygon"], "crs": None,
                              "covering": {"bbox": {"xmin": ["n", "x"], "ymin": ["n", "y"]}}}}}).encode()
    geo = geo.replace(b'"crs": null, ', b"")
    path = tmp_path / "shapes.parquet"
    write(path, geo, geometries())
    read(path)
    whole, good = path.read_bytes(), 0
    for _ in range(FILES):
        if what == "metadata":
            write(path, mutated(numbers, geo), geometries())
        elif what == "geometries":
            shapes = geometries()
            at = numbers.randrange(len(shapes))
            shapes[at] = mutated(numbers, shapes[at])
            write(path, geo, shapes)
        else:
            path.write_bytes(mutated(numbers, whole))
        begin = time.monotonic()
        try:
            read(path)
            good += 1
        except NeatlineError:
            pass
        assert time.monotonic() - begin < SLOWEST_SECONDS
    # Some are still read: the mutations get past the first check.
    assert 0 < good < FILES

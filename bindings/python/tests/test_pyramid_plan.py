"""Plans of pyramids: which tiles there are, how they fall into shards, and what a plan refuses."""

import dataclasses
import json
import time

import pytest

import neatline
from neatline import pyramid
from neatline.pyramid import hilbert, region, shards

from pyramid_data import make_style, small_plan

LAKE = {
    "type": "Polygon",
    "coordinates": [
        [[9.5, 47], [13, 49], [17, 46.5], [12, 46], [9.5, 47]],
        [[12, 47], [13, 47], [13, 48], [12, 47]],
    ],
}


@pytest.fixture
def style(tmp_path):
    return make_style(tmp_path / "data")


def tiles_of(area, z):
    return {(x, y) for x in range(1 << z) for y in range(1 << z) if area.count(z, x, y, 1)}


def test_numbers_are_those_of_pmtiles():
    assert [hilbert.tile_id(*tile) for tile in ((0, 0, 0), (1, 0, 0), (1, 0, 1), (1, 1, 1), (1, 1, 0))] == [
        0, 1, 2, 3, 4,
    ]  # fmt: skip
    assert hilbert.tile_id(12, 3423, 1763) == 19078479
    assert all(hilbert.tile_id(*hilbert.tile_of(number)) == number for number in range(6000))
    assert hilbert.tile_of(hilbert.tile_id(24, 5, 16777215)) == (24, 5, 16777215)


@pytest.mark.parametrize(
    "area",
    [
        region.box((-180, -90, 180, 90)),
        region.box((170, -20, -170, 10)),
        region.box((10, 5, 5, 6)),
        region.box((0, 0, 0, 0)),
        region.shape(LAKE),
        region.shape({"type": "LineString", "coordinates": [[-10, 50], [170, -60], [200, -60]]}),
        region.shape({"type": "MultiPoint", "coordinates": [[0, 0], [179.9, 80]]}),
    ],
    ids=["world", "antimeridian", "wide", "point", "polygon", "line", "points"],
)
@pytest.mark.parametrize("metatile", [1, 4])
@pytest.mark.parametrize("shard_size", [3, 64])
def test_shards_hold_every_tile_once_in_the_order_of_the_curve(area, metatile, shard_size):
    found = []
    for shard in shards.make_shards(area, 0, 6, metatile, shard_size):
        own = []
        for block in shards.blocks_of(area, shard, 0, 6, metatile):
            own += [hilbert.tile_id(block.z, x, y) for x, y in block.tiles]
            assert block.first <= own[-1] < block.first + block.edge**2
            assert own[-1] >= shard.first and own[-1] < shard.end
        assert len(own) == shard.tiles
        assert len(own) <= shard_size or len(own) <= metatile**2
        found += own
    assert found == sorted(set(found))
    assert found == sorted(hilbert.tile_id(z, x, y) for z in range(7) for x, y in tiles_of(area, z))


def test_a_box_has_the_tiles_that_it_touches():
    assert tiles_of(region.box((-180, -85, 0, 0)), 1) == {(0, 1)}
    assert tiles_of(region.box((-1, -1, 1, 1)), 1) == {(0, 0), (0, 1), (1, 0), (1, 1)}
    assert tiles_of(region.box((179, 1, -179, 2)), 3) == {(7, 3), (0, 3)}
    assert region.span(region.box((179, 1, -179, 2)), 3) == (7, 2, 3, 1)


def test_a_geometry_has_the_tiles_that_it_touches_and_no_hole():
    area = region.shape(LAKE)
    for z in (5, 7, 9):
        found = tiles_of(area, z) if z < 9 else None
        if found is not None:
            assert area.count(z, 0, 0, 1 << z) == len(found)
        # A tile has its four, or fewer, below it.
        assert area.count(z, 0, 0, 1 << z) <= 4 * area.count(z - 1, 0, 0, 1 << z - 1)

    def place(lon, lat, z):
        x, y = region._x(lon), region._y(lat)
        return int(x) >> 30 - z, int(y) >> 30 - z

    inside, hole, outside = place(14, 47.5, 12), place(12.7, 47.3, 12), place(9.5, 48.5, 12)
    assert area.count(12, *inside, 1) == 1
    assert area.count(12, *hole, 1) == area.count(12, *outside, 1) == 0


def test_polygons_that_overlap_are_one_region():
    square = [[0, 0], [10, 0], [10, 10], [0, 10], [0, 0]]
    both = {"type": "MultiPolygon", "coordinates": [[square], [square]]}
    assert tiles_of(region.shape(both), 7) == tiles_of(
        region.shape({"type": "Polygon", "coordinates": [square]}), 7
    )


def test_a_geometry_goes_on_past_the_180th_meridian():
    square = [[170, 0], [190, 0], [190, 10], [170, 10], [170, 0]]
    area = region.shape({"type": "Polygon", "coordinates": [square]})
    # The edges of a box lie within tiles, so that both touch the same.
    assert tiles_of(area, 5) == tiles_of(region.box((170, 0.0001, -170, 10)), 5) | {
        (x, 16) for x, y in tiles_of(area, 5) if y == 16
    }
    assert region.span(area, 5)[:2] == (31, 2)


def test_the_planet_is_planned_without_listing_its_tiles(style):
    begin = time.process_time()
    plan = pyramid.plan(style, max_zoom=14, shard_size=4096)
    assert plan.tiles == 357_913_941 and plan.shards == 87_382
    last = plan.shard(plan.shards - 1)
    assert last.end == hilbert.first_id(15) and len(plan.to_json()) < 4096
    assert time.process_time() - begin < 20
    with pytest.raises(neatline.LimitExceededError, match="4,000,000 shards"):
        pyramid.plan(style, max_zoom=24, shard_size=1024)


def test_a_plan_goes_through_json(style, tmp_path):
    for options in ({"bounds": (170, -20, -170, 10)}, {"geometry": LAKE}, {"size": 512, "ratio": 1.5}):
        plan = pyramid.plan(style, max_zoom=6, **options)
        again = pyramid.Plan.from_json(plan.to_json())
        assert again == plan and hash(again) == hash(plan) and again.to_json() == plan.to_json()
        assert again.all_shards() == plan.all_shards()
        assert list(again.tilejson) == list(plan.tilejson)
    plan.save(tmp_path / "plan.json")
    assert pyramid.Plan.load(tmp_path / "plan.json") == plan
    assert "_kept" not in plan.to_json()


def test_a_style_as_a_dictionary_is_within_the_plan(style):
    document = json.loads(style.read_text())
    plan = pyramid.plan(document, base=str(style), max_zoom=2)
    assert plan.style is None and pyramid.Plan.from_json(plan.to_json()).read_style().json == document


def test_tilejson_tells_of_the_region_and_whose_data_it_is(style):
    plan = pyramid.plan(
        style, bounds=(170, -20, -170, 10), max_zoom=3, tilejson={"description": "both sides"}
    )
    assert plan.tilejson["bounds"] == [-180, -20, 180, 10] and plan.tilejson["center"] == [180, -5, 0]
    assert plan.tilejson["attribution"] == "us" and plan.tilejson["name"] == "Squares"
    assert plan.tilejson["description"] == "both sides"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"max_zoom": 25}, "max_zoom 25 is not within 0 to 24"),
        ({"min_zoom": 5, "max_zoom": 4}, "min_zoom 5 is above max_zoom 4"),
        ({"size": 300}, "size 300"),
        ({"ratio": 9}, "ratio 9"),
        ({"ratio": float("nan")}, "ratio nan"),
        ({"size": 128, "ratio": 1.001}, "whole number of pixels"),
        ({"format": "gif"}, "format 'gif'"),
        ({"quality": 50}, "PNG takes no quality"),
        ({"format": "jpg", "quality": 500}, "quality 500"),
        ({"format": "webp", "small": True}, "small is for PNG"),
        ({"metatile": 3}, "metatile 3"),
        ({"shard_size": 0}, "shard_size 0"),
        ({"bounds": (0, 0, 1)}, "are not"),
        ({"bounds": (0, 10, 1, 5)}, "latitudes"),
        ({"bounds": (-200, 0, 1, 5)}, "longitudes"),
        ({"bounds": (0, 86, 1, 89)}, "past the latitudes"),
        ({"bounds": (0, float("inf"), 1, 5)}, "finite"),
        ({"bounds": (0, 0, 1, 1), "geometry": LAKE}, "not both"),
        ({"geometry": {"type": "GeometryCollection", "geometries": []}}, "empty"),
        ({"geometry": {"type": "Point", "coordinates": [0, 100]}}, "point 0.0, 100.0"),
        ({"check": "sometimes"}, 'check "sometimes"'),
    ],
)
def test_what_cannot_be_planned_is_named(style, options, words):
    with pytest.raises(neatline.InvalidArgumentError, match=words.replace("(", r"\(")):
        pyramid.plan(style, **options)


def test_more_bad_input(style, tmp_path):
    with pytest.raises(neatline.LimitExceededError, match="16384"):
        pyramid.plan(style, size=2048, metatile=16)
    for geometry in ("{", {"type": "Cube"}, {"type": "Polygon", "coordinates": "far"}, [1]):
        with pytest.raises((neatline.GeoJSONError, TypeError)):
            pyramid.plan(style, geometry=geometry)
    with pytest.raises(neatline.NotFoundError, match="nowhere"):
        pyramid.plan(tmp_path / "nowhere.json")
    (tmp_path / "bad.json").write_text("[")
    with pytest.raises(neatline.JSONError):
        pyramid.plan(tmp_path / "bad.json")
    (tmp_path / "data/land.pmtiles").unlink()
    with pytest.raises(neatline.NotFoundError, match="land.pmtiles"):
        pyramid.plan(style)


def test_a_zigzag_past_the_limit_is_refused(style):
    lines = [[[n / 1000, -80], [n / 1000, 80]] for n in range(400)]
    with pytest.raises(neatline.LimitExceededError, match="rows of tiles"):
        pyramid.plan(style, geometry={"type": "MultiLineString", "coordinates": lines}, max_zoom=14)


def change(plan, **members):
    return json.dumps({**json.loads(plan.to_json()), **members})


@pytest.mark.parametrize(
    ("members", "words"),
    [
        ({"version": 2}, "version 2"),
        ({"extra": 1}, "unknown member 'extra'"),
        ({"size": "256"}, "size"),
        ({"size": True}, "size"),
        ({"max_zoom": 3}, "changed after it was made"),
        ({"max_zoom": 99}, "max_zoom 99"),
        ({"region": {"columns": [[0, 0]], "rows": [0, 1]}}, "neither a box nor a shape"),
        ({"region": {"columns": [[0, 2**40]], "rows": [0, 1]}}, "neither a box nor a shape"),
        ({"region": {"polygons": [], "lines": []}}, "neither a box nor a shape"),
        ({"resources": [["style"]]}, "resources"),
        ({"style": None}, "not one of style and style_text"),
        ({"tiles": -1}, "changed after it was made"),
    ],
)
def test_a_malformed_plan_is_refused(style, members, words):
    plan = pyramid.plan(style, max_zoom=2)
    with pytest.raises(neatline.InvalidArgumentError, match=words):
        pyramid.Plan.from_json(change(plan, **members))


def test_text_that_is_no_plan_is_refused(style):
    for text in ("", "{", b"\xff\xfe", "[" * 100_000):
        with pytest.raises((neatline.JSONError, neatline.InvalidArgumentError)):
            pyramid.Plan.from_json(text)
    for text in ("[]", "{}", "1"):
        with pytest.raises(neatline.InvalidArgumentError):
            pyramid.Plan.from_json(text)


def test_a_plan_that_counts_wrong_is_refused_even_with_a_right_id(style):
    plan = pyramid.plan(style, max_zoom=3)
    lying = dataclasses.replace(plan, tiles=5)._with_id()
    with pytest.raises(neatline.InvalidArgumentError, match="says 5 tiles"):
        pyramid.Plan.from_json(lying.to_json())
    lying = dataclasses.replace(plan, shards=5)._with_id()
    with pytest.raises(neatline.InvalidStateError, match="in 5 shards"):
        pyramid.Plan.from_json(lying.to_json()).shard(0)


def test_a_shard_past_the_last_is_refused(tmp_path):
    plan = small_plan(tmp_path)
    for number in (plan.shards, -1):
        with pytest.raises(neatline.InvalidArgumentError, match="within"):
            pyramid.render_shard(plan, number, tmp_path / "parts")

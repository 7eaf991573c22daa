"""Points, lines, areas and circles on a map: what is drawn, what pointers do, what is refused."""

import gc
import math
import os
import pathlib
import weakref

import neatline
import numpy as np
import PIL.Image
import pytest
from neatline import CircleAnnotation, PointAnnotation, PolygonAnnotation, PolylineAnnotation

ROOT = pathlib.Path(__file__).resolve().parents[3]
PLAIN = {
    "version": 8, "sources": {},
    "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#ffffff"}}],
}
SQUARE = {"type": "Polygon", "coordinates": [[[-10, -10], [10, -10], [10, 10], [-10, 10], [-10, -10]]]}


@pytest.fixture
def map():
    with neatline.Map((128, 128), pacing="host", threads=1) as map:
        map.load_style(PLAIN)
        map.set_camera((0, 0), zoom=2)
        map.loop.run()
        map.begin_frame(0)
        yield map


def pixel(map, x, y):
    map.loop.run()
    return tuple(np.asarray(map.draw())[y, x][:3])


def tap(map, x, y, time):
    map.pointer("down", x, y, time=time)
    map.pointer("up", x, y, time=time + 0.05)


def test_each_kind_is_drawn_and_read_back(map):
    areas = map.make_annotations("polygon", "areas")
    areas.set([PolygonAnnotation(SQUARE, fill_color="#00ff00", user_info={"name": "a"})])
    lines = map.make_annotations(PolylineAnnotation)
    lines.add(PolylineAnnotation({"type": "LineString", "coordinates": [[-20, 0], [20, 0]]}, id="l", line_width=4))
    circles = map.make_annotations("circle", circle_color="#ff0000")
    circles.set([CircleAnnotation((0, 5), circle_radius=6), CircleAnnotation((15, 15), circle_color="blue")])
    points = map.make_annotations("point")
    map.add_persistent_image("dot", neatline.decode_image(png(8, (255, 0, 255))))
    points.add(PointAnnotation((-8, -8), icon_image="dot"))
    assert pixel(map, 64, 64 + 14) == (0, 255, 0) and pixel(map, 60, 64) == (0, 0, 0)
    assert pixel(map, 64, 36) == (255, 0, 0) and pixel(map, 3, 125) == (255, 255, 255)
    x = 64 + round(-8 / 360 * 2048)
    assert pixel(map, x, 64 + 46) == (255, 0, 255)
    (area,) = areas
    assert area.fill_color == "#00ff00" and area.user_info == {"name": "a"} and area.geometry == SQUARE
    assert len(circles) == 2 and "l" in lines and "m" not in lines
    lines.change("l", line_width=None, line_color="red")
    assert lines["l"].line_width is None and lines["l"].line_color == "red"
    changed = lines["l"]
    changed.geometry = {"type": "LineString", "coordinates": [[0, -20], [0, 20]]}
    lines.update(changed)
    assert pixel(map, 64, 30) == (255, 0, 0)
    lines.remove("l")
    assert len(lines) == 0
    areas.close()
    assert len(areas) == 0 and map.annotations_at((64, 78)) == []


def png(side, color):
    import io

    file = io.BytesIO()
    PIL.Image.new("RGB", (side, side), color).save(file, "png")
    return file.getvalue()


def test_another_style_has_them_too(map):
    circles = map.make_annotations("circle", "c", layer_position={"at": 1}, circle_radius=10)
    circles.add(CircleAnnotation((0, 0), circle_color="red"))
    layer = {"id": "p", "type": "circle", "source": {"type": "geojson", "data": {"type": "Point", "coordinates": [10, 0]}}}
    map.add_persistent_layer(layer, {"below": "c"})
    assert map.persistent_layers == ["p"]
    for _ in range(2):
        map.load_style(PLAIN)
        map.loop.run()
        assert [each["id"] for each in map.style["layers"]] == ["b", "p", "c"]
        assert pixel(map, 64, 64) == (255, 0, 0)
    map.remove_layer("p")
    map.load_style(PLAIN)
    map.loop.run()
    assert [each["id"] for each in map.style["layers"]] == ["b", "c"]


def test_taps_select_and_drags_move(map):
    told = []
    for kind in ("tapped", "selected", "deselected", "long_pressed", "drag_began", "drag_changed", "drag_ended"):
        map.on_every(f"annotation_{kind}", told.append)
    circles = map.make_annotations("circle", "c", circle_radius=8)
    circles.set([CircleAnnotation((0, 0), id="a", is_draggable=True), CircleAnnotation((8, 0), id="b")])
    map.loop.run()
    map.draw()
    tap(map, 64, 64, 1)
    assert [(each.kind, each.annotation) for each in told] == [("annotation_tapped", "a"), ("annotation_selected", "a")]
    assert told[0].manager == "c" and told[0].point == (64, 64) and told[0].place == pytest.approx((0, 0), abs=1e-6)
    assert circles.selected[0].id == "a"
    told.clear()
    circles.select("a", False)
    assert told[0].kind == "annotation_deselected" and told[0].point is None
    told.clear()
    map.pointer("down", 64, 64, time=3)
    map.pointer("move", 64, 40, time=3.1)
    map.pointer("up", 64, 30, time=3.2)
    assert [each.kind for each in told] == [
        "annotation_drag_began", "annotation_drag_changed", "annotation_drag_changed", "annotation_drag_ended",
    ]
    longitude, latitude = circles["a"].geometry["coordinates"]
    assert longitude == pytest.approx(0, abs=1e-9) and latitude == pytest.approx(5.97, abs=0.1)
    map.loop.run()
    map.draw()
    assert map.annotations_at((64, 30)) == [{"manager": "c", "id": "a"}]
    told.clear()
    map.pointer("down", 64 + 45, 64, time=5)
    map.begin_frame(5.6)
    assert [(each.kind, each.annotation) for each in told] == [("annotation_long_pressed", "b")]
    map.pointer("up", 64 + 45, 64, time=5.7)
    assert len(told) == 1


def test_clusters_are_tapped_and_taken_apart(map):
    told = []
    map.on_every("annotation_tapped", told.append)
    points = map.make_annotations("circle", cluster={"textField": "", "colors": [[0, "#00ff00"]], "radius": 40})
    points.set([CircleAnnotation((x, 0), id=f"{x}") for x in range(5)])
    assert pixel(map, 75, 64) == (0, 255, 0)
    tap(map, 75, 64, 1)
    (event,) = told
    assert event.annotation is None and event.cluster > 0
    assert sorted(each.id for each in points.cluster(event.cluster)) == ["0", "1", "2", "3", "4"]
    assert len(points.cluster(event.cluster, limit=2, offset=1)) == 2
    with pytest.raises(neatline.NotFoundError):
        points.cluster(99999999)


@pytest.mark.parametrize(
    "annotation, word",
    [(CircleAnnotation((0, 91)), "±90"), (CircleAnnotation((math.inf, 0)), "inf"), (CircleAnnotation(SQUARE), "Point"),
     (CircleAnnotation((0, 0), circle_color="reddish"), "reddish"), (CircleAnnotation((0, 0), id=""), "id"),
     (CircleAnnotation((0, 0), id="x" * 257), "256"), (CircleAnnotation((0, 0), circle_radius=["get", "a"]), "expression"),
     (CircleAnnotation(7), "geometry"), (PointAnnotation((0, 0)), "CircleAnnotation")],
)
def test_what_is_wrong_is_named_and_changes_nothing(map, annotation, word):
    circles = map.make_annotations("circle", "c")
    circles.add(CircleAnnotation((0, 0), id="a"))
    for function in (circles.set, circles.add):
        with pytest.raises(neatline.NeatlineError, match=word):
            function([CircleAnnotation((1, 1)), annotation])
    assert [each.id for each in circles] == ["a"]


def test_managers_and_ids_that_are_not_there_are_refused(map):
    circles = map.make_annotations("circle", "c")
    with pytest.raises(neatline.NotFoundError, match="nobody"):
        circles["nobody"]
    for function in (circles.remove, circles.select):
        with pytest.raises(neatline.NotFoundError, match="nobody"):
            function("nobody")
    with pytest.raises(neatline.NotFoundError):
        circles.update(CircleAnnotation((0, 0)))
    with pytest.raises(neatline.InvalidArgumentError, match="star"):
        map.make_annotations("star")
    with pytest.raises(neatline.InvalidArgumentError):
        map.make_annotations(dict)
    with pytest.raises(neatline.InvalidArgumentError, match="b"):
        map.make_annotations("circle", "b")
    with pytest.raises(neatline.NotFoundError):
        map.make_annotations("circle", layer_position={"above": "nobody"})
    with pytest.raises(neatline.NeatlineError, match="circle-radius"):
        circles.set_options(circle_radius="large")
    circles.close()
    for function in (circles.close, lambda: circles.set([])):
        with pytest.raises(neatline.NotFoundError):
            function()


def test_a_handler_that_raises_or_closes_the_map_is_heard(map):
    circles = map.make_annotations("circle", "c", circle_radius=8)
    circles.add(CircleAnnotation((0, 0), id="a", is_draggable=True))
    map.loop.run()
    map.draw()

    def fail(event):
        raise KeyError("mine")

    listener = map.on_every("annotation_tapped", fail)
    with pytest.raises(KeyError, match="mine"):
        tap(map, 64, 64, 1)
    listener.cancel()
    told = []
    map.on_every("annotation_drag_began", lambda event: (told.append(event.kind), map.close()))
    map.pointer("down", 64, 64, time=3)
    map.pointer("move", 64, 40, time=3.1)
    assert told == ["annotation_drag_began"]


def test_a_map_goes_with_its_managers():
    map = neatline.Map(64)
    manager = map.make_annotations("circle")
    manager.add(CircleAnnotation((0, 0)))
    gone = weakref.ref(map)
    map.close()
    with pytest.raises(neatline.NeatlineError):
        len(manager)
    del map, manager
    gc.collect()
    assert gone() is None


def test_a_picture_of_all_kinds():
    """Tests/Traces/pictures/annotations.png, which NEATLINE_WRITE_PICTURES=1 writes anew: look at it then."""
    with neatline.Map((360, 240), ratio=2, pacing="host") as map:
        map.load_style(ROOT / "Examples/demo/style.json")
        map.set_camera((10, 48), zoom=3)
        show(map)
        map.loop.run()
        map.begin_frame(0)
        map.loop.run()
        picture = np.asarray(map.draw())
    path = ROOT / "Tests/Traces/pictures/annotations.png"
    if os.environ.get("NEATLINE_WRITE_PICTURES"):
        PIL.Image.fromarray(picture).save(path)
    assert np.array_equal(picture, np.asarray(PIL.Image.open(path)))


def show(map):
    area = {"type": "Polygon", "coordinates": [[[4, 44], [16, 44], [18, 50], [8, 53], [4, 44]]]}
    map.make_annotations("polygon").add(
        PolygonAnnotation(area, fill_color="#3b82f6", fill_opacity=0.35, fill_outline_color="#1e3a8a")
    )
    route = {"type": "LineString", "coordinates": [[-9.1, 38.7], [2.35, 48.85], [13.4, 52.5], [21, 52.2], [30.3, 59.9]]}
    map.make_annotations("polyline", line_cap="round", line_join="round").add(
        PolylineAnnotation(route, line_color="#dc2626", line_width=4)
    )
    circles = map.make_annotations("circle", circle_stroke_width=2, circle_stroke_color="#ffffff")
    circles.set([
        CircleAnnotation(place, circle_radius=radius, circle_color=color)
        for place, radius, color in (((-3.7, 40.4), 9, "#16a34a"), ((12.5, 41.9), 7, "#ca8a04"), ((23.7, 38), 5, "#9333ea"))
    ])
    clusters = map.make_annotations("circle", cluster={"colors": [[0, "#0f766e"]], "textField": "", "circleRadius": 12})
    clusters.set([CircleAnnotation((20 + x, 46 + y)) for x in range(3) for y in range(3)])
    pin = np.zeros((48, 32, 4), np.uint8)
    y, x = np.mgrid[0:48, 0:32]
    head = np.hypot(x - 15.5, y - 15.5) <= 14
    tail = (y >= 16) & (np.abs(x - 15.5) <= 14 * (47 - y) / 31)
    pin[head | tail] = (225, 29, 72, 255)
    pin[np.hypot(x - 15.5, y - 15.5) <= 5] = 255
    map.add_persistent_image("pin", image(pin), 2)
    points = map.make_annotations("point")
    points.set([PointAnnotation(place, icon_image="pin", icon_anchor="bottom") for place in ((-0.1, 51.5), (12.6, 55.7), (18, 59.3))])


def image(pixels):
    import io

    file = io.BytesIO()
    PIL.Image.fromarray(pixels).save(file, "png")
    return neatline.decode_image(file.getvalue())

"""Rectangles that the host draws: where they stand, what is told, what is refused."""

import gc
import io
import math
import time
import weakref
from ctypes import byref, c_size_t, c_uint64

import neatline
import numpy as np
import PIL.Image
import pytest
from neatline import CircleAnnotation, ViewAnnotation, _abi, _library

PLAIN = {
    "version": 8, "sources": {},
    "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#ffffff"}}],
}


@pytest.fixture
def map():
    with neatline.Map((200, 100), threads=1) as map:
        map.load_style(PLAIN)
        map.set_camera((0, 0), zoom=4)
        map.loop.run()
        yield map


def label(id, longitude=0, **more):
    return ViewAnnotation((longitude, 0), 40, 20, id=id, **more)


def png(pixels):
    packed = io.BytesIO()
    PIL.Image.fromarray(pixels).save(packed, "png")
    return packed.getvalue()


def states(map):
    return {each.id: each.state for each in map.view_annotations.placements}


def test_they_stand_at_their_places_from_the_next_frame_on(map):
    heard = []
    map.on_every("view_annotations_changed", lambda event: heard.append(event.change))
    map.view_annotations.add([label("a"), label("b", 0.5), label("c", 90)])
    assert set(states(map).values()) == {"off"} and map.view_annotations.change == 0
    map.loop.run()
    assert heard == [1] and map.view_annotations.change == 1
    assert states(map) == {"a": "shown", "b": "covered", "c": "outside"}
    first = map.view_annotations.placements[0]
    assert (first.id, first.x, first.y, first.width, first.height) == ("a", 80, 40, 40, 20)
    assert first.is_shown and not first.is_selected and (first.frame_change, first.visibility_change) == (1, 1)
    map.view_annotations.update("b", selected=True, anchor="top_left", offset_x=3, offset_y=-4)
    map.loop.run()
    assert heard == [1, 2] and states(map)["a"] == "covered"
    last = map.view_annotations.placements[-1]
    assert last.id == "b" and last.is_selected and last.y == 54
    map.loop.run()
    map.draw()
    assert heard == [1, 2]


def test_a_picture_and_its_placements_belong_together(map):
    map.view_annotations.add(label("a"))
    map.loop.run()
    map.set_camera((1, 0))
    map.draw()
    assert map.view_annotations.placements[0].x == pytest.approx(80 - 512 * 16 / 360)
    map.set_camera((0, 0))
    map.frame()
    assert map.view_annotations.placements[0].x == 80


def test_arrays_have_what_the_structure_has(map):
    assert len(map.view_annotations.placement_array) == 0
    map.view_annotations.add([label(str(number), number * 3) for number in range(5)])
    map.loop.run()
    found = map.view_annotations.placement_array
    assert isinstance(found, np.ndarray) and len(found) == 5
    shown = found[found["state"] == 0]
    assert [map.view_annotations.id_of(each) for each in shown["number"]] == ["0", "1"]
    assert np.all(np.diff(found["x_px"]) > 0) and set(found["width_px"]) == {40}
    with pytest.raises(neatline.NotFoundError):
        map.view_annotations.id_of(1000)
    # It is the caller's own.
    found["x_px"] = 0
    assert map.view_annotations.placements[0].x == 80


def test_they_are_read_back_and_changed(map):
    views = map.view_annotations
    views.add(label("a", anchor="bottom_right", associated_feature_id="f", allow_overlap=True))
    assert "a" in views and "b" not in views and len(views) == 1 and bool(views)
    found = views["a"]
    assert found.anchor == "bottom_right" and found.associated_feature_id == "f" and found.allow_overlap
    assert found.geometry == {"type": "Point", "coordinates": [0, 0]} and found.visible and not found.selected
    views.update("a", associated_feature_id=None, geometry={"type": "Point", "coordinates": [2, 3]}, anchor=None)
    found = views["a"]
    assert found.associated_feature_id is None and found.anchor == "center"
    assert found.geometry["coordinates"] == [2, 3]
    assert [each.id for each in views] == ["a"]
    views.remove("a")
    assert len(views) == 0 and list(views) == []
    views.add([label("a"), label("b")])
    views.clear()
    assert len(views) == 0


def test_labels_make_room_where_it_says_so(map):
    points = map.make_annotations("circle")  # no label: it stays
    points.add(CircleAnnotation((0, 0), circle_radius=5, circle_color="#ff0000"))
    black = np.zeros((10, 10, 4), np.uint8)
    black[..., 3] = 255
    map.add_persistent_image("dot", neatline.decode_image(png(black)))
    map.make_annotations("point", icon_allow_overlap=False, icon_ignore_placement=False).add(
        neatline.PointAnnotation((0, 0), icon_image="dot")
    )
    map.loop.run()
    assert tuple(np.asarray(map.draw())[50, 100][:3]) == (0, 0, 0)
    map.view_annotations.add(label("a", hides_labels=True))
    map.loop.run()
    map.draw()
    map.loop.run()
    assert map.view_annotations["a"].hides_labels
    deadline = time.monotonic() + 20
    while tuple(np.asarray(map.draw())[50, 100][:3]) != (255, 0, 0) and time.monotonic() < deadline:
        map.loop.run()
    assert tuple(np.asarray(map.draw())[50, 100][:3]) == (255, 0, 0)


def test_it_goes_with_an_annotation(map):
    circles = map.make_annotations("circle")
    circles.add(CircleAnnotation((0, 0), id="pin"))
    map.view_annotations.add(label("callout", associated_feature_id="pin"))
    map.loop.run()
    assert states(map) == {"callout": "shown"}
    circles.remove("pin")
    map.loop.run()
    assert states(map) == {"callout": "feature_hidden"}


def test_a_view_shows_them_as_a_whole(map):
    map.view_annotations.add([label("a", -40), label("b", 40), label("c", 120, visible=False)])
    map.set_camera(**map.view_annotations.fit(padding=5).camera)
    map.loop.run()
    a, b, c = map.view_annotations.placements
    assert a.x == pytest.approx(5, abs=0.01) and b.x == pytest.approx(155, abs=0.01) and c.state == "off"
    alone = map.view_annotations.fit(["c"], max_zoom=7)
    assert alone.zoom == pytest.approx(7) and alone.center[0] == pytest.approx(120)
    with pytest.raises(neatline.NotFoundError):
        map.view_annotations.fit(["x"])
    with pytest.raises(neatline.InvalidArgumentError):
        map.view_annotations.fit([])
    with pytest.raises(neatline.InvalidArgumentError):
        map.view_annotations.fit(["a", "b"], padding=100)


@pytest.mark.parametrize("bad", [
    {"width": -1}, {"width": math.nan}, {"height": math.inf}, {"height": 16385}, {"width": "wide"}, {"anchor": "middle"},
    {"offset_x": 1e9}, {"visible": 1}, {"associated_feature_id": ""}, {"geometry": (0, 91)}, {"geometry": None},
    {"geometry": {"type": "LineString", "coordinates": [[0, 0], [1, 1]]}}, {"geometry": 5}, {"size": 3},
])
def test_what_is_wrong_is_refused_and_changes_nothing(map, bad):
    map.view_annotations.add(label("a"))
    before = map.view_annotations["a"]
    with pytest.raises(neatline.NeatlineError) as caught:
        map.view_annotations.update("a", **bad)
    assert isinstance(caught.value, (neatline.InvalidArgumentError, neatline.JSONError))
    assert map.view_annotations["a"] == before


def test_ids_and_features_are_there_once(map):
    map.view_annotations.add(label("a", associated_feature_id="f"))
    for twice in (label("a"), label("b", associated_feature_id="f"), label(""), label("x" * 257)):
        with pytest.raises(neatline.InvalidArgumentError):
            map.view_annotations.add(twice)
    with pytest.raises(neatline.InvalidArgumentError):
        map.view_annotations.add("a")
    for call in (map.view_annotations.remove, map.view_annotations.update, map.view_annotations.__getitem__):
        with pytest.raises(neatline.NotFoundError):
            call("b")
    assert len(map.view_annotations) == 1


def test_ten_thousand_stand_and_one_more_is_refused(map):
    map.view_annotations.add(label(str(number)) for number in range(10_000))
    with pytest.raises(neatline.LimitExceededError):
        map.view_annotations.add(label("one more"))
    map.loop.run()
    assert np.sum(map.view_annotations.placement_array["state"] == 0) == 1


def test_handlers_may_do_anything():
    for act in ("close", "clear", "raise"):
        map = neatline.Map((64, 64), threads=1)
        map.load_style(PLAIN)
        map.loop.run()

        def heard(event):
            if act == "raise":
                raise RuntimeError("from the handler")
            map.close() if act == "close" else map.view_annotations.clear()

        map.on_next("view_annotations_changed", heard)
        map.view_annotations.add(label("a"))
        if act == "raise":
            with pytest.raises(RuntimeError):
                map.draw()
        else:
            map.draw()
        assert map.closed == (act == "close")
        if act == "close":
            with pytest.raises(neatline.InvalidStateError):
                map.view_annotations.placements
        map.close()


def test_a_map_goes_with_its_annotations():
    map = neatline.Map(64, threads=1)
    map.view_annotations.add(label("a"))
    views, watch = map.view_annotations, weakref.ref(map)
    del map
    gc.collect()
    assert watch() is None
    with pytest.raises(neatline.NeatlineError):
        views.placements


def test_memory_that_is_not_there_is_refused_and_what_is_short_is_filled(map):
    map.view_annotations.add([label(str(number), number * 3) for number in range(5)])
    map.loop.run()
    count, change = c_size_t(), c_uint64()
    pull = _library.lib.neat_map_view_annotation_placements
    assert pull(map._pointer, None, 3, byref(count), None) == _abi.Status.INVALID_ARGUMENT
    assert pull(map._pointer, None, 0, None, None) == _abi.Status.INVALID_ARGUMENT
    short = (_abi.ViewAnnotationPlacement * 3)()
    assert pull(map._pointer, short, 2, byref(count), byref(change)) == 0
    assert (count.value, change.value) == (5, 1)
    assert short[1].number == 2 and short[2].number == 0

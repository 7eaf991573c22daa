"""Pictures of a map that nobody sees."""

import asyncio

import numpy
import pytest

import neatline
from conftest import DEMO

GREY = {
    "version": 8,
    "sources": {"s": {"type": "geojson", "data": {"type": "Point", "coordinates": [0, 0]}, "attribution": "us"}},
    "layers": [
        {"id": "b", "type": "background", "paint": {"background-color": "#808080"}},
        {"id": "c", "type": "circle", "source": "s", "paint": {"circle-radius": 4, "circle-color": "#f00"}},
    ],
}
CLEAR = {
    **GREY,
    "layers": [{"id": "b", "type": "background", "paint": {"background-color": "rgba(0,0,0,0)"}}, GREY["layers"][1]],
}


@pytest.fixture
def snapshotter():
    with neatline.Snapshotter((40, 20), ratio=2) as snapshotter:
        yield snapshotter


def test_without_an_overlay_the_pixels_are_the_renderers():
    camera = {"center": (10, 49), "zoom": 3.3, "bearing": 20, "pitch": 30}
    with neatline.Snapshotter((300, 200), ratio=2) as snapshotter, neatline.Renderer(DEMO) as renderer:
        snapshotter.load_style(DEMO)
        snapshotter.set_camera(**camera)
        snapshot = snapshotter.take(timeout=30)
        picture = renderer.draw(size=(300, 200), ratio=2, **camera)
        assert bytes(snapshot.image.premultiplied) == bytes(picture.premultiplied)
        assert snapshot.attribution == renderer.attribution() and snapshot.missing == picture.missing
        assert snapshot.camera.zoom == 3.3


def test_a_snapshot_knows_what_is_where(snapshotter):
    snapshotter.load_style(GREY)
    snapshotter.set_camera((2, 0), zoom=2)
    snapshot = snapshotter.take()
    x, y = snapshot.view.point((0, 0))
    assert tuple(numpy.asarray(snapshot.image)[round(y * 2), round(x * 2)]) == (255, 0, 0, 255)
    assert snapshot.view.place((x, y)) == pytest.approx((0, 0), abs=1e-6)
    assert snapshot.view.point((120, 0)) == (-1, -1)
    assert snapshot.attribution == ["us"]


def test_a_host_draws_before_and_after_the_map(snapshotter):
    snapshotter.load_style(CLEAR)
    order = []
    dot = neatline.render(
        {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#fff"}}]},
        size=2,
    )

    def under(overlay):
        order.append("under")
        assert overlay.pixels.shape == (40, 80, 4) and overlay.ratio == 2
        overlay.pixels[:] = (0, 0, 255, 255)

    def over(overlay):
        order.append("over")
        assert overlay.point((0, 0)) == pytest.approx((20, 10)) and overlay.place((20, 10)) == pytest.approx((0, 0))
        overlay.paste(dot, (20, 10))
        overlay.paste(dot, (40, 20), anchor="bottom_right")
        overlay.paste(dot, (1e6, -1e6))
        with pytest.raises(KeyError):
            overlay.paste(dot, (0, 0), anchor="nowhere")

    pixels = numpy.asarray(snapshotter.take(underlay=under, overlay=over).image)
    assert order == ["under", "over"]
    assert tuple(pixels[2, 2]) == (0, 0, 255, 255)
    assert tuple(pixels[20, 36]) == (255, 0, 0, 255)
    assert tuple(pixels[20, 40]) == (255, 255, 255, 255) and tuple(pixels[39, 79]) == (255, 255, 255, 255)


def test_what_a_drawer_raises_is_why_there_is_none(snapshotter):
    snapshotter.load_style(GREY)
    with pytest.raises(ZeroDivisionError):
        snapshotter.take(overlay=lambda overlay: 1 / 0)
    assert snapshotter.take().image.size == (80, 40)


def test_each_start_has_one_completion(snapshotter):
    told = []
    with pytest.raises(neatline.InvalidStateError):
        snapshotter.start()
    snapshotter.load_style(GREY)

    def hear(name):
        return lambda snapshot, error: told.append((name, snapshot is not None, type(error).__name__))

    first = snapshotter.start(hear("first"))
    second = snapshotter.start(hear("second"))
    assert first.done and told == [("first", False, "CancelledError")]
    first.cancel()
    snapshotter.map.loop.run()
    assert second.done and second.error is None and told[1:] == [("second", True, "NoneType")]
    # Nothing has changed since.
    third = snapshotter.start(hear("third"))
    assert not third.done
    snapshotter.map.loop.run()
    third.cancel()
    snapshotter.cancel()
    fourth = snapshotter.start(hear("fourth"))
    fourth.cancel()
    snapshotter.map.loop.run()
    assert told[2:] == [("third", True, "NoneType"), ("fourth", False, "CancelledError")]


def test_a_completion_may_cancel_and_start_again(snapshotter):
    snapshotter.load_style(GREY)
    told = []

    def again(snapshot, error):
        told.append(snapshot is not None)
        snapshotter.cancel()
        if len(told) < 3:
            snapshotter.start(again)

    snapshotter.start(again)
    snapshotter.map.loop.run()
    assert told == [True, True, True]


def test_who_is_replaced_may_start_another_one(snapshotter):
    snapshotter.load_style(GREY)
    told = []

    def first(snapshot, error):
        told.append(("first", error is None))
        snapshotter.start(lambda snapshot, error: told.append(("third", error is None)))

    snapshotter.start(first)
    snapshotter.start(lambda snapshot, error: told.append(("second", error is None)))
    snapshotter.map.loop.run()
    assert told == [("first", False), ("second", False), ("third", True)]


def test_a_style_that_fails_fails_the_snapshot(snapshotter):
    snapshotter.load_style("/nowhere/style.json")
    run = snapshotter.start()
    snapshotter.map.loop.run()
    assert isinstance(run.error, neatline.NotFoundError)
    with pytest.raises(neatline.NotFoundError):
        snapshotter.take()
    snapshotter.load_style(GREY)
    assert snapshotter.take().image.size == (80, 40)


def test_closing_tells_who_waits():
    told = []
    snapshotter = neatline.Snapshotter(8)
    snapshotter.load_style(GREY)
    snapshotter.start(lambda snapshot, error: told.append(type(error)))
    snapshotter.close()
    snapshotter.close()
    assert told == [neatline.CancelledError]


def test_one_that_takes_too_long_ends(snapshotter):
    with pytest.raises(neatline.DeadlineError):
        snapshotter.load_style(GREY)
        snapshotter.take(timeout=0)


def test_it_is_awaited():
    async def draw():
        with neatline.Snapshotter(16) as snapshotter:
            await snapshotter.load_style(GREY)
            one = await snapshotter.start()
            snapshotter.set_camera(zoom=5)
            two = await snapshotter.start()
            run = snapshotter.start()
            run.cancel()
            with pytest.raises(neatline.CancelledError):
                await run
            return one, two

    one, two = asyncio.run(draw())
    assert one.image.size == two.image.size == (16, 16) and two.camera.zoom == 5


def test_ornaments_are_drawn_on_wish():
    ornaments = neatline.Ornaments(compass=neatline.Compass(visibility="visible"))
    with neatline.Snapshotter((200, 100), ornaments=ornaments) as snapshotter:
        snapshotter.load_style(GREY)
        image = snapshotter.take().image
    plain = neatline.render(GREY, size=(200, 100), ornaments=ornaments)
    assert bytes(image.premultiplied) == bytes(plain.premultiplied)


def test_a_style_that_the_map_was_given_counts_too():
    style = {"version": 8, "sources": {}, "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#f00"}}]}
    with neatline.Snapshotter((16, 16)) as snapshotter:
        snapshotter.map.load_style(style)
        assert snapshotter.take(10).image.size == (16, 16)


def test_on_a_globe_too_a_snapshot_knows_what_is_where():
    style = {
        "version": 8,
        "projection": {"type": "globe"},
        "sources": {"s": {"type": "geojson", "data": {"type": "Point", "coordinates": [60, 30]}}},
        "layers": [
            {"id": "b", "type": "background"},
            {"id": "c", "type": "circle", "source": "s", "paint": {"circle-color": "#f00"}},
        ],
    }
    with neatline.Snapshotter(512) as snapshotter, neatline.Renderer(style) as renderer:
        snapshotter.load_style(style)
        snapshotter.set_camera((0, 0), zoom=1)
        snapshot = snapshotter.take()
        view = renderer.view((0, 0), 1)
        assert snapshot.view.projection == view.projection == "globe"
        for image, seen in ((snapshot.image, snapshot.view), (renderer.draw((0, 0), 1), view)):
            x, y = seen.point((60, 30))
            assert tuple(numpy.asarray(image)[int(y), int(x)]) == (255, 0, 0, 255)
            assert seen.place((x, y)) == pytest.approx((60, 30), abs=1e-6)
        assert renderer.view((0, 0), 13).projection == "mercator"

"""What stands in the corners of maps and pictures."""

import dataclasses
import io

import numpy
import PIL.Image
import pytest

import neatline

GREY = {
    "version": 8,
    "sources": {
        "a": {
            "type": "geojson",
            "data": {"type": "Point", "coordinates": [0, 0]},
            "attribution": "<a href='https://o.example'>© OpenStreetMap</a> | us",
        }
    },
    "layers": [
        {"id": "b", "type": "background", "paint": {"background-color": "#808080"}},
        {"id": "c", "type": "circle", "source": "a", "minzoom": 20},
    ],
}


@pytest.fixture
def map():
    with neatline.Map(size=(300, 200)) as map:
        map.load_style(GREY)
        map.set_camera(center=(0, 0), zoom=3, bearing=20)
        map.loop.run()
        yield map


def pixels(image):
    return numpy.asarray(image)


def solid(width, height, color=(255, 255, 255, 255)):
    data = io.BytesIO()
    PIL.Image.new("RGBA", (width, height), color).save(data, "PNG")
    return neatline.decode_image(data.getvalue())


def test_a_map_has_none_before_it_is_said(map):
    assert map.ornaments is None and map.ornament_places == []
    assert (pixels(map.draw())[..., :3] == 128).all()


def test_they_stand_in_their_corners_and_over_the_map(map):
    map.ornaments = neatline.Ornaments(
        scale_bar=neatline.ScaleBar(visibility="visible"),
        compass=neatline.Compass(),
        attribution=neatline.Attribution(text="us"),
        logo=neatline.Logo(solid(20, 10)),
    )
    places = {place.ornament: place for place in map.ornament_places}
    assert set(places) == {"scale_bar", "compass", "attribution", "logo"}
    assert places["compass"][1:] == (252, 8, 40, 40, 1)
    assert places["logo"][1:] == (8, 182, 20, 10, 1)
    drawn = pixels(map.draw())
    assert drawn[28, 263, 0] < 60 and (drawn[185, 12] == 255).all()
    assert map.ornament_at(272, 28) == "compass" and map.ornament_at(12, 185) == "logo"
    assert map.ornament_at(150, 100) is None
    map.ornaments = None
    assert map.ornament_places == [] and (pixels(map.draw())[..., :3] == 128).all()


def test_a_tap_on_the_compass_turns_the_map_north(map):
    map.ornaments = neatline.Ornaments(compass=neatline.Compass())
    map.pointer("down", 272, 28, time=0)
    map.pointer("up", 272, 28, time=0.05)
    map.loop.run()
    assert map.camera.bearing == 0 and map.ornament_places == []


def test_links_of_attributions(map):
    expected = [("© OpenStreetMap", "https://o.example"), ("us", None)]
    assert map.attribution_links == expected
    with neatline.Renderer(GREY) as renderer:
        assert renderer.attribution_links() == expected


def test_pictures_have_what_maps_have(map):
    ornaments = neatline.Ornaments(
        scale_bar=neatline.ScaleBar("bottom_right", (20, 30), "visible", "imperial"),
        compass=neatline.Compass("top_left", image=solid(40, 40, (0, 255, 0, 255)), image_ratio=2),
    )
    map.ornaments = ornaments
    with neatline.Renderer(GREY) as renderer:
        picture = renderer.draw(center=(0, 0), zoom=3, bearing=20, size=(300, 200), ornaments=ornaments)
    assert (pixels(picture) == pixels(map.draw())).all()
    assert tuple(pixels(picture)[18, 18]) == (0, 255, 0, 255)
    again = neatline.render(GREY, center=(0, 0), zoom=3, bearing=20, size=(300, 200), ornaments=ornaments)
    assert (pixels(again) == pixels(picture)).all()


@pytest.mark.parametrize(
    "ornaments, error, word",
    [
        (neatline.Ornaments(compass=neatline.Compass(position="middle")), neatline.InvalidArgumentError, "middle"),
        (neatline.Ornaments(compass=neatline.Compass(visibility="no")), neatline.InvalidArgumentError, "visibility"),
        (neatline.Ornaments(compass=neatline.Compass(margins=(8,))), neatline.InvalidArgumentError, "margins"),
        (neatline.Ornaments(compass=neatline.Compass(margins=(8, -1))), neatline.InvalidArgumentError, "margins"),
        (neatline.Ornaments(compass=neatline.Compass(margins=(8, float("nan")))), neatline.InvalidArgumentError, ""),
        (neatline.Ornaments(scale_bar=neatline.ScaleBar(units="leagues")), neatline.InvalidArgumentError, "leagues"),
        (neatline.Ornaments(logo=neatline.Logo(solid(2049, 1))), neatline.LimitExceededError, "2048"),
        (neatline.Ornaments(logo=neatline.Logo(solid(1, 1), image_ratio=17)), neatline.InvalidArgumentError, "logo"),
        ("all", neatline.InvalidArgumentError, "Ornaments"),
    ],
)
def test_what_is_wrong_is_refused_and_changes_nothing(map, ornaments, error, word):
    before = neatline.Ornaments(compass=neatline.Compass(visibility="visible"))
    map.ornaments = before
    with pytest.raises(error, match=word):
        map.ornaments = ornaments
    assert map.ornaments is before and [place.ornament for place in map.ornament_places] == ["compass"]
    with neatline.Renderer(GREY) as renderer, pytest.raises(error, match=word):
        renderer.draw(ornaments=ornaments)


def test_short_and_long_forms_do_not_go_together():
    with neatline.Renderer(GREY) as renderer, pytest.raises(neatline.InvalidArgumentError, match="ornaments"):
        renderer.draw(attribution=True, ornaments=neatline.Ornaments())


def test_before_a_style_there_are_no_places():
    with neatline.Map(size=64) as map:
        map.ornaments = neatline.Ornaments(compass=neatline.Compass())
        with pytest.raises(neatline.InvalidStateError):
            map.ornament_places
        with pytest.raises(neatline.InvalidStateError):
            map.ornament_at(1, 1)


def test_memory_stays_as_it_is():
    """Frames that turn and zoom draw the scale bar and the compass anew, and keep nothing of those before."""
    with neatline.Map(size=(300, 200), pacing="host") as map:
        map.load_style(GREY)
        map.loop.run()
        map.ornaments = neatline.Ornaments(
            neatline.ScaleBar(), neatline.Compass(), neatline.Attribution(), neatline.Logo(solid(30, 30), image_ratio=2)
        )

        def frames(first, last):
            for step in range(first, last):
                map.set_camera(center=(11, 47), zoom=2 + step % 360 / 20, bearing=step % 360)
                map.begin_frame(step / 60)
                map.draw()
            return map.statistics["residentBytes"]

        before = frames(0, 300)
        assert frames(300, 1300) - before < 8 << 20


def test_they_are_values():
    bar = neatline.ScaleBar()
    with pytest.raises(dataclasses.FrozenInstanceError):
        bar.units = "imperial"
    assert dataclasses.replace(bar, units="imperial").units == "imperial"

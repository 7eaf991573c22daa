"""Pictures: what is drawn, in which size and from how many threads."""

import io
import json
import threading

import pytest

import neatline

PNG = b"\x89PNG\r\n\x1a\n"


def pixel(image, x, y):
    at = (y * image.width + x) * 4
    return tuple(image.premultiplied[at : at + 4])


def test_a_background_fills_the_picture(red):
    image = neatline.render(red, size=(20, 10))
    assert image.size == (20, 10)
    assert bytes(image.premultiplied) == bytes((255, 0, 0, 255)) * 200


def test_ratio_gives_more_device_pixels(red):
    assert neatline.render(red, size=(20, 10), ratio=2).size == (40, 20)


def test_a_polygon_lies_where_the_camera_says(blue_square):
    image = neatline.render(blue_square, center=(0, 0), zoom=0, size=(256, 256))
    assert pixel(image, 128, 128) == (0, 0, 255, 255)
    assert pixel(image, 4, 4) == (255, 255, 255, 255)
    away = neatline.render(blue_square, center=(120, 0), zoom=2, size=(64, 64))
    assert pixel(away, 32, 32) == (255, 255, 255, 255)


def test_the_style_gives_what_is_not_asked_for(blue_square):
    own = neatline.render({**blue_square, "center": [120, 0], "zoom": 2}, size=(64, 64))
    assert pixel(own, 32, 32) == (255, 255, 255, 255)
    moved = neatline.render({**blue_square, "center": [120, 0], "zoom": 2}, center=(0, 0), size=(64, 64))
    assert pixel(moved, 32, 32) == (0, 0, 255, 255)


def test_style_text_and_style_file_draw_the_same(red, tmp_path):
    path = tmp_path / "style.json"
    path.write_text(json.dumps(red))
    pictures = [
        neatline.render(each, size=(8, 8)).png()
        for each in (red, json.dumps(red), path, str(path), path.as_uri())
    ]
    assert len(set(pictures)) == 1


def test_the_demo_draws_without_problems(demo):
    renderer = neatline.Renderer(demo)
    image = renderer.draw(size=(256, 256))
    assert renderer.info["name"] == "World"
    assert len(set(bytes(image.premultiplied[0::4]))) > 10
    assert renderer.problems == []


def test_a_missing_source_costs_the_source_not_the_picture(red):
    red["sources"]["gone"] = {"type": "geojson", "data": "no-such-file.geojson"}
    red["layers"].append({"id": "gone", "type": "line", "source": "gone"})
    renderer = neatline.Renderer(red)
    with pytest.warns(neatline.MissingWarning, match="no-such-file"):
        image = renderer.draw(size=(8, 8))
    assert pixel(image, 4, 4) == (255, 0, 0, 255)
    assert any("no-such-file.geojson" in problem.resource + problem.message for problem in renderer.problems)


def test_threads_share_a_renderer(blue_square):
    renderer = neatline.Renderer(blue_square, threads=1)
    expected = renderer.draw(center=(0, 0), zoom=1, size=(64, 64)).png()
    results = []

    def work():
        for _ in range(5):
            results.append(renderer.draw(center=(0, 0), zoom=1, size=(64, 64)).png() == expected)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 20


def test_tiles_fit_together(blue_square):
    renderer = neatline.Renderer(blue_square)
    west, east = renderer.draw_tile(1, 0, 0, size=64), renderer.draw_tile(1, 1, 0, size=64)
    assert west.size == (64, 64)
    assert pixel(west, 63, 63) == pixel(east, 0, 63) == (0, 0, 255, 255)
    assert pixel(west, 0, 0) == (255, 255, 255, 255)


def test_a_square_of_tiles_is_cut_into_them(blue_square):
    renderer = neatline.Renderer(blue_square)
    tiles = renderer.draw_tiles(1, 0, 0, 2, size=64, ratio=2)
    assert [tile.size for tile in tiles] == [(128, 128)] * 4
    for index, tile in enumerate(tiles):
        alone = renderer.draw_tile(1, index % 2, index // 2, size=64, ratio=2)
        assert tile.png() == alone.png() and bytes(tile.premultiplied) == bytes(alone.premultiplied)
    # Each stands on its own.
    last = tiles.pop()
    del tiles
    assert pixel(last, 0, 0) == (0, 0, 255, 255)
    for call in (
        lambda: renderer.draw_tiles(1, 0, 0, 0),
        lambda: renderer.draw_tiles(1, 0, 0, 65),
        lambda: renderer.draw_tiles(1, 1, 0, 2),
        lambda: renderer.draw_tiles(1, 0, 0, 2, size=31, ratio=1.5),
    ):
        with pytest.raises(neatline.InvalidArgumentError):
            call()


def test_query_tells_what_was_drawn(blue_square):
    renderer = neatline.Renderer(blue_square)
    view = {"center": (0, 0), "zoom": 0, "size": (256, 256)}
    found = renderer.query((128, 128), **view)
    assert [feature["properties"] for feature in found] == [{"kind": "land"}]
    assert renderer.query((2, 2), **view) == []
    assert (
        renderer.query((0, 0, 256, 256), layers=["square"], filter=["==", ["get", "kind"], "sea"], **view)
        == []
    )


def test_png_and_save(red, tmp_path):
    image = neatline.render(red, size=(16, 16))
    assert image.png().startswith(PNG)
    assert image._repr_png_().startswith(PNG)
    image.save(tmp_path / "red.png")
    file = (tmp_path / "red.png").read_bytes()
    again = neatline.decode_image(file)
    pixels = again.width * again.height
    assert neatline.decode_image(file, pixel_limit=pixels).size == again.size
    with pytest.raises(neatline.LimitExceededError, match=f"{again.width}x{again.height}"):
        neatline.decode_image(file, pixel_limit=pixels - 1)
    with pytest.raises(neatline.InvalidArgumentError, match="pixel_limit"):
        neatline.decode_image(file, pixel_limit=0)
    assert bytes(again.premultiplied) == bytes(image.premultiplied)


def test_pixels_outlive_the_image(red):
    pixels = neatline.render(red, size=(64, 64)).premultiplied
    assert bytes(pixels[:4]) == bytes((255, 0, 0, 255))
    with pytest.raises(TypeError):
        pixels[0] = 1


def test_numpy_sees_the_pixels_without_a_copy(red):
    numpy = pytest.importorskip("numpy")
    image = neatline.render(red, size=(20, 10))
    array = image.to_numpy()
    assert array.shape == (10, 20, 4) and array.dtype == numpy.uint8
    assert numpy.shares_memory(array, image.to_numpy())
    assert (numpy.asarray(image) == array).all()
    del image
    assert (array == (255, 0, 0, 255)).all()


def test_numpy_gets_straight_colours_of_a_translucent_picture():
    pytest.importorskip("numpy")
    half = {
        "version": 8,
        "sources": {},
        "layers": [
            {
                "id": "all",
                "type": "background",
                "paint": {"background-color": "#f00", "background-opacity": 0.5},
            }
        ],
    }
    image = neatline.render(half, size=(4, 4))
    red, _, _, alpha = (int(value) for value in image.to_numpy()[0, 0])
    assert not image.is_opaque
    assert red == 255 and 126 <= alpha <= 129


def test_pillow_gets_the_picture(red):
    pil = pytest.importorskip("PIL.Image")
    image = neatline.render(red, size=(20, 10))
    assert image.to_pil().size == (20, 10)
    assert image.to_pil().getpixel((3, 3)) == (255, 0, 0, 255)
    assert pil.open(io.BytesIO(image.png())).convert("RGBA").getpixel((3, 3)) == (255, 0, 0, 255)


@pytest.mark.parametrize("size, ratio", [((0, 10), 1), ((10, 10), 1000), ((100000, 10), 1)])
def test_sizes_out_of_range_are_refused(red, size, ratio):
    with pytest.raises(neatline.NeatlineError):
        neatline.render(red, size=size, ratio=ratio)


def test_a_camera_out_of_range_is_refused(red):
    with pytest.raises(neatline.InvalidArgumentError):
        neatline.render(red, center=(0, 0), zoom=float("nan"))


def test_translucent_pictures_reach_numpy_and_cannot_be_copied():
    import copy

    numpy = pytest.importorskip("numpy")
    style = {
        "version": 8,
        "sources": {},
        "layers": [{"id": "b", "type": "background", "paint": {"background-color": "rgba(255, 0, 0, 0.5)"}}],
    }
    image = neatline.render(style, center=(0, 0), zoom=1, size=(600, 600))
    array = numpy.asarray(image)
    assert array.shape == (600, 600, 4)
    assert (abs(array.astype(int) - [255, 0, 0, 128]) <= 1).all()
    assert image.tobytes() == array.tobytes()
    with pytest.raises(TypeError):
        copy.copy(image)
    with pytest.raises(TypeError):
        copy.deepcopy(image)


def test_the_styles_roll_is_kept_and_can_be_given(blue_square):
    upright = neatline.render(blue_square, center=(20, 10), zoom=1, size=(256, 256))
    rolled = neatline.render({**blue_square, "roll": 40}, center=(20, 10), zoom=1, size=(256, 256))
    given = neatline.render(blue_square, center=(20, 10), zoom=1, roll=40, size=(256, 256))
    assert bytes(rolled.premultiplied) == bytes(given.premultiplied) != bytes(upright.premultiplied)
    with neatline.Renderer({**blue_square, "roll": 40}) as renderer:
        assert renderer.info["roll"] == 40
        # The style's roll is for its own view.
        boxed = renderer.draw(size=(64, 64), bounds=(-10, -10, 30, 30))
    plain = neatline.render(blue_square, size=(64, 64), bounds=(-10, -10, 30, 30))
    assert bytes(boxed.premultiplied) == bytes(plain.premultiplied)

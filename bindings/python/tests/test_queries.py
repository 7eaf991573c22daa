"""What a map is asked, data by workers, steps together, images, imports."""

import asyncio

import neatline
import pytest

SQUARE = {"type": "Polygon", "coordinates": [[[-10, -10], [10, -10], [10, 10], [-10, 10], [-10, -10]]]}
STYLE = {
    "version": 8,
    "center": [0, 0],
    "zoom": 0,
    "sources": {
        "square": {
            "type": "geojson",
            "data": {"type": "Feature", "id": 7, "properties": {"name": "square"}, "geometry": SQUARE},
        },
        "points": {
            "type": "geojson",
            "cluster": True,
            "data": {
                "type": "FeatureCollection",
                "features": [
                    {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [x, 5]}}
                    for x in (5, 5.1, 5.2)
                ],
            },
        },
        "dem": {"type": "raster-dem", "tiles": []},
    },
    "layers": [
        {"id": "fill", "type": "fill", "source": "square"},
        {"id": "dots", "type": "circle", "source": "points"},
        {"id": "names", "type": "symbol", "source": "square", "layout": {"text-field": ["get", "name_en"]}},
    ],
}


def colored(color, size):
    ground = {"id": "ground", "type": "background", "paint": {"background-color": color}}
    return neatline.render({"version": 8, "sources": {}, "layers": [ground]}, size=size)


@pytest.fixture
def map():
    with neatline.Map(128, system_fonts=False) as map:
        map.load_style(STYLE)
        map.loop.run()
        yield map


def test_features_are_asked_for_at_points_in_boxes_and_polygons(map):
    assert [found["id"] for found in map.query((64, 64), ["fill"])] == [7]
    assert map.query((0, 0, 20, 20), ["fill"]) == []
    assert [found["id"] for found in map.query(polygon=[(0, 0), (90, 0), (0, 130)], layers=["fill"])] == [7]
    assert map.query(polygon=[(0, 0), (50, 0), (0, 50)], layers=["fill"]) == []
    assert map.query(layers=["fill"])[0]["layer"] == "fill"
    assert len(map.query(limit=1)) == 1
    for wrong in ((1,), (1, 2, 3), (5, 5, 1, 1)):
        with pytest.raises(neatline.InvalidArgumentError):
            map.query(wrong)
    with pytest.raises(neatline.InvalidArgumentError, match="not both"):
        map.query((1, 2), polygon=[(0, 0), (1, 1), (2, 0)])
    with pytest.raises(neatline.InvalidArgumentError, match="polygon"):
        map.query(polygon=[(0, 0), (1, 1)])


def test_sources_states_and_clusters_are_asked_for(map):
    answer = map.ask({"ask": "source-features", "source": "square", "report": True})
    assert answer["features"] == map.query_source("square")
    assert answer["report"] == {"complete": True, "missing": [], "omitted": 0}
    found = map.query_source("square")
    assert {each["properties"]["name"] for each in found} == {"square"} and "layer" not in found[0]
    assert map.query_source("square", filter=["==", ["get", "name"], "round"]) == []
    with pytest.raises(neatline.NotFoundError, match="nowhere"):
        map.query_source("nowhere")
    with pytest.raises(neatline.InvalidArgumentError):
        map.query_source("dem")
    target = {"source": "square", "id": 7}
    assert map.feature_state(target) == {}
    map.set_feature_state(target, {"hover": True})
    assert map.feature_state(target) == {"hover": True}
    cluster = map.query(layers=["dots"])[0]["properties"]["cluster_id"]
    assert len(map.cluster_leaves("points", cluster)) == 3
    assert len(map.cluster_leaves("points", cluster, limit=1, offset=2)) == 1
    assert len(map.cluster_children("points", cluster)) == 2
    assert map.cluster_expansion_zoom("points", cluster) > 1
    with pytest.raises(neatline.NotFoundError):
        map.cluster_children("points", 12345678901234)


def test_questions_are_awaited(map):
    async def ask():
        found, state = await asyncio.gather(
            asyncio.ensure_future(_of(map.query_later((64, 64), ["fill"]))),
            asyncio.ensure_future(_of(map.ask_later({"ask": "feature-state", "source": "square", "id": 7}))),
        )
        with pytest.raises(neatline.NotFoundError):
            await map.ask_later({"ask": "source-features", "source": "nowhere"})
        return found, state

    async def _of(question):
        return await question

    found, state = asyncio.run(ask())
    assert found[0]["id"] == 7 and state == {}


def test_a_question_is_told_once_and_may_be_cancelled(map):
    told = []
    question = map.query_later(completion=lambda question: told.append(question.error))
    other = map.query_later(completion=lambda question: told.append(type(question.error)))
    other.cancel()
    other.cancel()
    assert told == [neatline.CancelledError] and not question.done
    map.loop.run()
    assert told == [neatline.CancelledError, None] and question.done and len(question.result) > 1
    last = map.query_later(completion=lambda question: told.append("closed"))
    map.close()
    assert told[2:] == ["closed"] and isinstance(last.error, neatline.CancelledError)
    last.cancel()


def test_what_a_completion_raises_comes_out_of_the_loop(map):
    def fail(question):
        raise RuntimeError("mine")

    map.query_later(completion=fail)
    with pytest.raises(RuntimeError, match="mine"):
        map.loop.run()


def test_data_is_read_by_workers_and_told_with_its_id(map):
    told = []
    map.on_every("source_data_loaded", lambda event: told.append((event.source, event.data)))
    map.on_every("map_loading_error", lambda event: told.append((event.source, event.data, event.error.status)))
    map.load_geojson("square", {"type": "FeatureCollection", "features": []}, "none")
    map.add_features("square", [{"type": "Feature", "id": 1, "properties": {}, "geometry": SQUARE}], "one")
    map.remove_features("square", [1], "none again")
    map.load_geojson("square", "{", "broken")
    assert told == []
    map.loop.run()
    assert told[:3] == [("square", "none"), ("square", "one"), ("square", "none again")]
    assert told[3][:2] == ("square", "broken")
    assert map.query_source("square") == []
    with pytest.raises(neatline.NotFoundError):
        map.load_geojson("nowhere", {"type": "FeatureCollection", "features": []})


def test_steps_are_all_made_or_none(map):
    map.change_style([
        ("removeLayer", "names"),
        ("setPaintProperty", "fill", "fill-color", "red"),
        {"command": "addLayer", "args": [{"id": "b", "type": "background"}, "fill"]},
    ])
    assert map.layers == ["b", "fill", "dots"] and map.sources == ["square", "points", "dem"]
    with pytest.raises(neatline.NotFoundError, match="step 1"):
        map.change_style([("removeLayer", "b"), ("removeLayer", "b")])
    assert map.layers == ["b", "fill", "dots"]


def test_sources_have_members(map):
    assert map.source("points")["cluster"] is True
    map.set_source_property("points", "clusterRadius", 10)
    assert map.source("points")["clusterRadius"] == 10
    map.set_source_property("points", "clusterRadius", None)
    assert "clusterRadius" not in map.source("points")
    with pytest.raises(neatline.StyleError):
        map.set_source_property("points", "clusterRadius", "wide")
    with pytest.raises(neatline.InvalidArgumentError):
        map.set_source_property("points", "type", "vector")


def test_images_stretch_and_are_read_back(map):
    picture = colored("#f00", 4)
    map.add_image("bubble", picture, 2, stretch_x=[(1, 3)], stretch_y=[(0, 1), (2, 3)], content=(0, 0, 4, 4))
    [said] = map.images
    assert said["stretchX"] == [[1, 3]] and said["content"] == [0, 0, 4, 4] and said["pixelRatio"] == 2
    assert map.image("bubble").size == (4, 4)
    with pytest.raises(neatline.InvalidArgumentError, match="stretchX"):
        map.add_image("bubble", picture, stretch_x=[(1, 30)])
    with pytest.raises(neatline.NotFoundError):
        map.image("nothing")
    map.add_image("kept", picture, persistent=True)
    map.load_style(STYLE)
    map.loop.run()
    assert [image["name"] for image in map.images] == ["kept"]


def test_an_image_source_takes_another_picture(map):
    corners = [[-180, 85], [180, 85], [180, -85], [-180, -85]]
    map.add_source("picture", {"type": "image", "url": "nowhere.png", "coordinates": corners})
    map.add_layer({"id": "picture", "type": "raster", "source": "picture"})
    map.update_image_source("picture", colored("#0f0", 1))
    map.loop.run()
    assert map.draw().to_pil().getpixel((64, 64)) == (0, 255, 0, 255)
    with pytest.raises(neatline.InvalidArgumentError):
        map.update_image_source("square", colored("#0f0", 1))


def test_labels_are_localized(map):
    expected = ["coalesce", ["get", "name_ja"], ["get", "name:ja"], ["get", "name"]]
    map.localize_labels("ja", ["nowhere"])
    assert map.layer_property("names", "text-field") == ["get", "name_en"]
    map.localize_labels("ja_JP")
    assert map.layer_property("names", "text-field") == expected
    with pytest.raises(neatline.InvalidArgumentError):
        map.localize_labels("12")
    localized = neatline.localize_labels(STYLE, "ja")
    assert localized["layers"][2]["layout"]["text-field"] == expected
    assert localized["layers"][:2] == STYLE["layers"][:2]


def test_a_style_takes_in_others(tmp_path):
    inner = {
        "version": 8,
        "schema": {"land": {"default": "#f00", "type": "color"}},
        "sources": {},
        "layers": [
            {"id": "land", "type": "background", "paint": {"background-color": ["config", "land"]}},
            {"id": "middle", "type": "slot"},
        ],
    }
    import json

    (tmp_path / "inner.json").write_text(json.dumps(inner))
    outer = {
        "version": 8,
        "imports": [{"id": "base", "url": "inner.json", "config": {"land": "#0f0"}}, {"id": "gone", "url": "gone.json"}],
        "sources": {},
        "layers": [],
    }
    (tmp_path / "outer.json").write_text(json.dumps(outer))
    with neatline.Map(16) as map:
        errors = []
        map.on_every("map_loading_error", lambda event: errors.append(str(event.error)))
        map.load_style(tmp_path / "outer.json")
        map.loop.run()
        assert map.layers == ["base/land"]
        assert map.draw().to_pil().getpixel((8, 8)) == (0, 255, 0, 255)
        assert any("gone" in error for error in errors)
        assert [(each["id"], each["isLoaded"]) for each in map.imports] == [("", True), ("base", True), ("gone", False)]
        map.set_transitions(False)
        map.set_import_config("base", "land", "#00f")
        map.add_layer({"id": "mine", "type": "background", "slot": "middle", "paint": {"background-opacity": 0}})
        map.loop.run()
        assert map.draw().to_pil().getpixel((8, 8)) == (0, 0, 255, 255)
        map.set_import_config("base", "land", None)
        assert map.layers == ["base/land", "mine"]
        assert map.draw().to_pil().getpixel((8, 8)) == (0, 255, 0, 255)
        with pytest.raises(neatline.InvalidArgumentError):
            map.set_import_config("base", "land", 7)
        with pytest.raises(neatline.NotFoundError):
            map.set_import_config("base", "sea", "#fff")
        with pytest.raises(neatline.InvalidArgumentError, match="address"):
            map.update_style(outer)
    picture = neatline.Renderer(tmp_path / "outer.json").draw(size=16)
    assert picture.to_pil().getpixel((8, 8)) == (0, 255, 0, 255)

"""Frames for a GPU."""

import gc

import pytest

import neatline
from conftest import style

LAYERS = (
    {"id": "back", "type": "background", "paint": {"background-color": "#102030"}},
    {
        "id": "land",
        "type": "fill",
        "source": "square",
        "paint": {"fill-color": ["match", ["get", "kind"], "land", "#ff0000", "#00ff00"]},
    },
    {"id": "edge", "type": "line", "source": "square", "paint": {"line-width": 3}},
    {"id": "air", "type": "sky"},
)


def test_commands_of_a_view():
    frame = neatline.Renderer(style(*LAYERS)).frame((0, 0), 0, size=(200, 100), ratio=2)
    assert (frame.width, frame.height, frame.ratio, frame.is_complete) == (400, 200, 2, True)
    commands = frame.commands
    assert [(command.layer, command.kind) for command in commands] == [
        ("back", "background"),
        ("land", "fill"),
        ("land", "fill_outline"),
        ("edge", "line"),
        ("air", "unsupported"),
    ]
    back, land, outline, edge, air = commands
    assert [round(part * 255) for part in back.raw.color] == [0x10, 0x20, 0x30, 0xFF]
    assert len(land.vertices) == 4 and len(land.indices) == 6 and len(outline.indices) == 8
    assert max(land.indices) < len(land.vertices)
    assert edge.raw.line.width_px == 3 and edge.paint is None
    assert "sky" in air.reason and air.vertices is None
    with pytest.raises(neatline.InvalidArgumentError):
        frame.command(5)


def test_elements_have_the_fields_of_the_header():
    numpy = pytest.importorskip("numpy")
    renderer = neatline.Renderer(style(*LAYERS))
    land = renderer.frame((0, 0), 0).commands[1]
    assert land.vertices.dtype.names == ("x", "y") and land.paint.dtype.names == ("color", "opacity")
    assert land.paint["color"].tolist() == [[255, 0, 0, 255]] * 4
    corners = land.vertices
    expected = corners.copy()
    buffer = land.frame.buffer(land.raw.vertex_buffer)
    assert buffer.id in {
        again.id
        for frame in [renderer.frame((5, 0), 0.5)]
        for again in map(frame.buffer, range(frame.buffer_count))
    }
    del land, buffer, renderer
    gc.collect()
    assert (corners == expected).all()
    with pytest.raises(ValueError):
        corners["x"] = 0
    assert numpy.ptp(corners["x"]) > 1000


def test_textures():
    dashes = {"id": "edge", "type": "line", "source": "square", "paint": {"line-dasharray": [2, 1]}}
    frame = neatline.Renderer(style(dashes)).frame((0, 0), 0)
    texture = frame.texture(frame.commands[0].raw.line.dash_texture)
    assert (texture.format, texture.width, texture.height, len(texture.texels)) == ("r8", 256, 1, 256)
    assert min(texture.texels) < 128 < max(texture.texels)

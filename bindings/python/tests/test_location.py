"""Where the user is: locations, pucks, providers, recordings, and views that follow."""

import asyncio
import base64
import gc
import json
import math
import struct

import neatline
import pytest

PLAIN = {
    "version": 8,
    "sources": {},
    "layers": [{"id": "b", "type": "background", "paint": {"background-color": "#fff"}}],
}
BLUE, WHITE = (74, 144, 226, 255), (255, 255, 255, 255)
GPX = """<gpx version="1.1"><trk><trkseg>
<trkpt lat="47" lon="11"><time>2024-05-01T12:00:00Z</time><ele>580</ele><hdop>2</hdop></trkpt>
<trkpt lat="47" lon="11.001"><time>2024-05-01T12:00:01Z</time></trkpt>
<trkpt lat="47.001" lon="11.001"><time>2024-05-01T12:00:03Z</time></trkpt>
</trkseg></trk></gpx>"""


def plain(**options):
    map = neatline.Map((64, 64), **options)
    map.load_style(PLAIN)
    map.set_camera((11, 47), zoom=14)
    map.loop.run()
    return map


@pytest.fixture
def map():
    with plain() as map:
        yield map


@pytest.fixture
def paced():
    with plain(pacing="host") as map:
        map.begin_frame(0)
        yield map


def pixel(map, x=32, y=32):
    return map.draw().to_pil().getpixel((x, y))


def test_a_puck_stands_where_the_user_is(paced):
    assert paced.location.latest is None and paced.location.shown is None and paced.location.puck is None
    paced.location.puck = neatline.Puck()
    assert pixel(paced) == WHITE
    given = neatline.Location((11, 47), altitude=580, horizontal_accuracy=8, course=370, speed=1.5, time=1714564800.25)
    told = []
    paced.on_every(None, lambda event: told.append(event))
    paced.location.push(given)
    assert pixel(paced) == BLUE
    assert [event.kind for event in told if event.location] == ["location_changed", "puck_moved"]
    assert told[0].location == paced.location.latest == neatline.Location(
        (11, 47), altitude=580, horizontal_accuracy=8, course=10, speed=1.5, time=1714564800.25
    )
    paced.location.push_heading(-90)
    assert paced.location.heading == neatline.Heading(270) and paced.location.shown.heading == 270
    paced.location.puck = None
    assert pixel(paced) == WHITE


def test_it_goes_from_place_to_place_by_the_hosts_clock(paced):
    paced.location.puck = neatline.Puck()
    paced.location.push((11, 47))
    paced.location.push((11.001, 47))
    paced.begin_frame(10)
    paced.begin_frame(10.55)
    assert paced.location.shown.place[0] == pytest.approx(11.0005)
    paced.begin_frame(11.1)
    assert paced.location.shown.place == (11.001, 47)


def test_own_pictures_and_options(paced):
    picture = paced.draw()
    paced.location.puck = neatline.Puck(top=picture, image_ratio=2, scale=["interpolate", ["linear"], ["zoom"], 0, 1, 22, 2])
    paced.location.push((11, 47))
    assert pixel(paced) == WHITE
    for wrong in (
        neatline.Puck(scale=101), neatline.Puck(opacity=2), neatline.Puck(accuracy_ring_color="blueish"),
        neatline.Puck(pulsing=neatline.Pulsing(period=0.01)), neatline.Puck(top=picture, image_ratio=99),
    ):
        with pytest.raises(neatline.InvalidArgumentError):
            paced.location.puck = wrong
    with pytest.raises(neatline.ExpressionError, match="scale"):
        paced.location.puck = neatline.Puck(scale=["get", "size"])
    assert paced.location.puck.top is picture and pixel(paced) == WHITE
    with pytest.raises(neatline.InvalidArgumentError, match="puckNumber"):
        paced.location.set_options(puckNumber=2)
    with pytest.raises(neatline.InvalidArgumentError, match="none of heading, course"):
        paced.location.puck_bearing = "north"
    paced.location.puck_bearing = "course"
    assert paced.location.puck_bearing == "course"
    paced.location.puck_bearing = None
    assert paced.location.puck_bearing is None and paced.location.updates == "needed"


@pytest.mark.parametrize(
    "wrong", [(math.nan, 0), (0, 91), (0, math.inf), neatline.Location((0, 0), speed=-1), neatline.Location((0, 0), time=1e300)]
)
def test_what_is_no_location_is_refused(paced, wrong):
    with pytest.raises(neatline.InvalidArgumentError):
        paced.location.push(wrong)
    assert paced.location.latest is None


def test_accuracy_is_told_and_shows_a_ring_alone(paced):
    told = []
    paced.on_every("accuracy_authorization_changed", lambda event: told.append(event.accuracy))
    paced.location.puck = neatline.Puck(accuracy_ring_color="#f00")
    paced.location.push(neatline.Location((11, 47), horizontal_accuracy=3000))
    paced.location.accuracy = "reduced"
    assert told == ["reduced"] and paced.location.accuracy == "reduced"
    assert pixel(paced) == (255, 0, 0, 255)
    with pytest.raises(neatline.InvalidArgumentError, match="full, reduced"):
        paced.location.accuracy = "some"


class Provider(neatline.LocationProvider):
    def __init__(self):
        self.told, self.keys = [], []

    def update(self, locations, headings):
        self.told.append((locations, headings))
        if locations:
            self.send(neatline.Location((11, 47)))

    def request_full_accuracy(self, purpose_key):
        self.keys.append(purpose_key)
        self.set_accuracy("full")


def test_a_provider_gives_what_is_wanted(paced):
    provider, told = Provider(), []
    paced.on_every("location_failed", lambda event: told.append(event.error))
    paced.location.override(provider)
    assert provider.told == [] and paced.location.provider is provider
    paced.location.puck = neatline.Puck()
    assert provider.told == [(True, True)] and paced.location.latest.place == (11, 47)
    paced.location.request_full_accuracy("route")
    assert provider.keys == ["route"]
    provider.fail(neatline.DeadlineError("no satellites"))
    assert isinstance(told[0], neatline.DeadlineError) and "no satellites" in str(told[0])
    paced.location.override(None)
    assert provider.told[-1] == (False, False)
    with pytest.raises(neatline.InvalidStateError):
        paced.location.request_full_accuracy("route")


def test_what_a_provider_raises_is_raised_and_does_no_harm(paced):
    class Broken(neatline.LocationProvider):
        def update(self, locations, headings):
            raise RuntimeError("no antenna")

    paced.location.override(Broken())
    with pytest.raises(RuntimeError, match="no antenna"):
        paced.location.puck = neatline.Puck()
    paced.location.push((11, 47))
    with pytest.raises(RuntimeError, match="no antenna"):
        paced.location.override(None)


def test_a_provider_may_close_its_map():
    class Closing(neatline.LocationProvider):
        def update(self, locations, headings):
            if locations:
                map.close()

    map = plain()
    map.location.override(Closing())
    map.location.set_options(puck={})
    with pytest.raises(Exception):
        map.location.push((1, 2))


def test_tracks_are_read(tmp_path):
    track = neatline.Track(GPX)
    assert len(track) == 3 and track.format == "gpx" and track.duration == 3 and track.problems == []
    time, location = track[0]
    assert time == 0 and location.place == (11, 47) and location.altitude == 580
    assert location.horizontal_accuracy == 10 and location.course == pytest.approx(90)
    assert [time for time, _ in track] == [0, 1, 3] and track[-1][1].course == pytest.approx(0)
    path = tmp_path / "walk.gpx"
    path.write_text(GPX)
    assert len(neatline.Track(path)) == 3
    with pytest.raises(IndexError):
        track[3]
    nmea = neatline.Track("$GPHDT,12,T\nrubbish\n$GPGLL,4700.0,N,01100.0,E,120000,A\n$GPHDT,45,T\n")
    assert nmea.format == "nmea" and nmea[0][1].heading == 45 and nmea.problem_count == 1
    assert nmea.problems == [(2, "no sentence")]


@pytest.mark.parametrize(
    "text, words",
    [
        ("", "without any text"), ("<gpx>\n<trk></gpx>", "line 2"), ("<kml/>", "element \"gpx\" is due"),
        ("<gpx><wpt lat='x' lon='1'/></gpx>", "\"lat\" is \"x\""), ("$GPGGA,,,", "without a location"),
    ],
)
def test_what_is_no_track_says_why(text, words):
    with pytest.raises(neatline.InvalidArgumentError, match=words.replace("(", "\\(")):
        neatline.Track(text)
    with pytest.raises(neatline.InvalidArgumentError, match="neither gpx nor nmea"):
        neatline.Track(text, format="kml")


def test_a_replay_comes_at_its_times_and_ends(map):
    told = []
    map.on_every("location_changed", lambda event: told.append(event.location.place))
    ends = []
    replay = map.location.replay(neatline.Track(GPX), speed=50, completion=ends.append)
    assert told == [(11, 47)] and not replay.done
    map.loop.run(20)
    assert len(told) == 3 and replay.done and ends == [None]
    replay = map.location.replay(neatline.Track(GPX), completion=ends.append)
    map.location.stop_replay()
    assert isinstance(ends[-1], neatline.CancelledError) and replay.error is ends[-1]
    with pytest.raises(neatline.InvalidArgumentError, match="speed"):
        map.location.replay(neatline.Track(GPX), speed=0)


def test_replays_and_ways_are_awaited():
    async def main():
        with plain() as map:
            map.location.puck = neatline.Puck()
            await map.location.replay(neatline.Track(GPX), speed=100)
            way = map.viewport.go(map.viewport.follow_puck(), map.viewport.default_transition(0.1))
            assert await way is True
            assert map.camera.zoom == 16.35
            replay = map.location.replay(neatline.Track(GPX), speed=0.01)
            map.close()
            with pytest.raises(neatline.CancelledError):
                await replay

    asyncio.run(main())


# The viewport


def test_a_view_follows_the_puck(paced):
    told = []
    paced.on_every("viewport_status_changed", lambda event: told.append((event.status.kind, event.reason)))
    paced.location.push(neatline.Location((11.01, 47), course=30))
    state = paced.viewport.follow_puck(bearing="course", padding=(10, 0, 0, 0))
    assert state.camera["center"] == (11.01, 47) and state.camera["zoom"] == 16.35
    ends = []
    paced.viewport.go(state, completion=ends.append)
    assert paced.viewport.status.kind == "transition" and paced.viewport.status.state == state.id
    for time in range(41):
        paced.begin_frame(time / 10)
    assert ends == [True] and paced.viewport.status == neatline.ViewportStatus("state", state.id)
    camera = paced.camera
    assert camera.center == (11.01, 47) and (camera.zoom, camera.pitch, camera.bearing) == (16.35, 45, 30)
    assert camera.padding == (10, 0, 0, 0)
    state.set_options(zoom=12, pitch=None, bearing=None, padding=None)
    assert paced.camera.zoom == 12 and paced.camera.pitch == 45
    # What is there is there.
    assert paced.viewport.go(state).success is True
    paced.wheel(32, 32, -100, time=5)
    assert paced.viewport.status.kind == "idle"
    assert told == [
        ("transition", "transition_started"), ("state", "transition_succeeded"), ("idle", "user_interaction"),
    ]


def test_an_overview_shows_a_geometry(paced):
    line = {"type": "LineString", "coordinates": [[10, 46], [12, 48]]}
    state = paced.viewport.overview(line, geometry_padding=5, animation_duration=0)
    paced.viewport.go(state, paced.viewport.immediate_transition())
    assert all(0 <= each <= 64 for place in line["coordinates"] for each in paced.view.point(place))
    state.set_options(geometry={"type": "Point", "coordinates": [5, 6]}, max_zoom=9)
    paced.begin_frame(1)
    paced.begin_frame(2)
    assert paced.camera.center == pytest.approx((5, 6)) and paced.camera.zoom == 9
    for wrong in ({"type": "Point", "coordinates": [0, 99]}, {"type": "GeometryCollection", "geometries": []}):
        with pytest.raises(neatline.InvalidArgumentError):
            paced.viewport.overview(wrong)
    with pytest.raises(neatline.InvalidArgumentError):
        paced.viewport.follow_puck(zoom=99)
    with pytest.raises(neatline.InvalidArgumentError, match="bearing"):
        paced.viewport.follow_puck(bearing="north")


def test_own_states_and_transitions(paced):
    calls, runs = [], []
    state = paced.viewport.state(calls.append)
    assert state.camera is None
    state.set_camera(center=(1, 2), zoom=3)
    assert state.camera == {"center": (1, 2), "zoom": 3}
    transition = paced.viewport.transition(runs.append)
    way = paced.viewport.go(state, transition)
    gc.collect()
    assert len(runs) == 1 and runs[0].state == state.id and not way.done
    assert paced.viewport.status == neatline.ViewportStatus("transition", state.id, transition.id)
    runs[0].finish()
    assert way.success and calls == [True] and paced.camera.center == (1, 2)
    state.set_camera(center=(4, 5))
    assert paced.camera.center == (4, 5)
    with pytest.raises(neatline.InvalidArgumentError):
        state.set_camera(center=(4, 95))
    with pytest.raises(neatline.InvalidArgumentError, match="roll"):
        state.set_camera(roll=4)
    paced.viewport.idle()
    assert calls == [True, False]
    way = paced.viewport.go(state, transition)
    paced.viewport.idle()
    assert way.success is False and runs[1].cancelled
    runs[1].finish()
    assert paced.viewport.status.kind == "idle"
    with pytest.raises(neatline.InvalidStateError):
        paced.viewport.follow_puck().set_camera(zoom=3)


def test_what_callbacks_raise_is_raised(paced):
    def fail(*arguments):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        paced.viewport.go(paced.viewport.state(), paced.viewport.transition(fail))
    paced.viewport.idle()
    with pytest.raises(RuntimeError):
        paced.viewport.go(paced.viewport.state(fail), paced.viewport.immediate_transition()) and paced.viewport.idle()
        paced.begin_frame(1)
        state = paced.viewport.state(fail)
        state.set_camera(zoom=3)
        paced.viewport.go(state, paced.viewport.immediate_transition())


def test_states_outlive_their_map():
    map = plain()
    state, ends = map.viewport.follow_puck(), []
    map.viewport.go(state, completion=ends.append)
    map.close()
    assert ends == [False]
    with pytest.raises(neatline.InvalidStateError):
        state.set_options(zoom=4)


def model(size=20.0, color=(1, 0, 0, 1)):
    """A flat square, seen from above."""
    corners = [(-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)]
    data = b"".join(struct.pack("<3f", x * size, 0, z * size) for x, z in corners)
    return json.dumps(
        {
            "asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0}],
            "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
            "materials": [{"pbrMetallicRoughness": {"baseColorFactor": color}}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "type": "VEC3", "count": 6}],
            "bufferViews": [{"buffer": 0, "byteLength": len(data)}],
            "buffers": [
                {
                    "byteLength": len(data),
                    "uri": "data:application/octet-stream;base64," + base64.b64encode(data).decode(),
                }
            ],
        }
    ).encode()


def test_a_model_stands_where_the_user_is(paced, tmp_path):
    path = tmp_path / "square.gltf"
    path.write_bytes(model(10))
    paced.location.push((11, 47))
    paced.location.puck = neatline.PuckModel(path)
    red, green, blue, _ = pixel(paced)
    assert red > 100 and green < 60 and blue < 60
    assert pixel(paced, 40, 40)[:3] != WHITE[:3] and pixel(paced, 45, 32) == WHITE
    # A unit is a pixel at any zoom, or a metre.
    paced.set_camera(zoom=10)
    assert pixel(paced, 40, 40) != WHITE
    paced.location.puck = neatline.PuckModel(path, scale_mode="map")
    assert pixel(paced, 36, 36) == WHITE
    assert [each.reason for each in paced.frame().commands if each.layer == "neatline-puck"] == [
        "models of pucks are drawn by the CPU only"
    ]
    for wrong, error in (
        (b"", neatline.InvalidArgumentError), (b"{}", neatline.InvalidArgumentError),
        (b"glTF\x01\0\0\0", neatline.UnsupportedError),
        (model().replace(b'"count": 6', b'"count": 7'), neatline.InvalidArgumentError),
    ):
        with pytest.raises(error):
            paced.location.puck = neatline.PuckModel(wrong)
    assert paced.location.puck.scale_mode == "map"
    paced.location.puck = neatline.Puck()
    assert pixel(paced) == BLUE

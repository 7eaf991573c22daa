"""What tells answers apart, and what nobody may keep."""

import signal
import time


def test_a_value_with_an_ampersand_is_no_other_parameter(serve):
    server = serve(cache=16)
    base = "/styles/demo/static/0,0,3/200x150.png?marker=1,1&fill=red"
    plain = server.get(base)
    tricked = server.get(base + "%26path%3D-10,-10%7C10,10")
    real = server.get(base + "&path=-10,-10%7C10,10")
    assert plain[0] == tricked[0] == real[0] == 200
    assert plain[2] == tricked[2] != real[2]


def test_metres_and_degrees_are_different_pictures(serve):
    server = serve(cache=16)
    metres = server.get("/styles/demo/static/raw/0,0,3/200x150.png?marker=10,10")
    degrees = server.get("/styles/demo/static/0,0,3/200x150.png?marker=10,10")
    assert metres[0] == degrees[0] == 200 and metres[2] != degrees[2]


def test_failures_are_not_kept(serve, tmp_path):
    server = serve("--fonts", tmp_path, cache=16)
    for path in ["/fonts/Nobody/0-255.pbf", "/fonts/Nobody/1-2.pbf", "/data/nothing/0/0/0.pbf"]:
        status, headers, _ = server.get(path)
        assert status in (400, 404) and headers["cache-control"] == "no-store"


def test_a_stack_of_many_fonts_is_refused(serve, tmp_path):
    server = serve("--fonts", tmp_path)
    begin = time.monotonic()
    assert server.get("/fonts/" + ",".join(["A"] * 17) + "/0-255.pbf")[0] == 400
    assert server.get("/fonts/" + ",".join(["A"] * 16) + "/0-255.pbf")[0] == 404
    assert time.monotonic() - begin < 5


def test_documents_with_addresses_say_what_they_depend_on(serve):
    server = serve()
    for path in ["/styles/demo/style.json", "/styles/demo.json"]:
        assert "Host" in server.get(path)[1]["vary"]


def test_a_signal_ends_it_while_clients_keep_their_connections(serve):
    for _ in range(5):
        server = serve()
        held = [server.connect() for _ in range(20)]
        for connection in held:
            connection.sendall(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n")
            assert connection.recv(4096).startswith(b"HTTP/1.1 200")
        assert server.stop(signal.SIGTERM) == 0
        for connection in held:
            connection.close()

"""`neatline serve`: what is kept of answers, in memory and on disk, and how it is made old."""

import json
import os
import pathlib
import subprocess
import threading
import time

import pytest
import sites
from conftest import LONG, run, until
from test_server import health, slow_reader

RED, BLUE = (255, 0, 0), (0, 0, 255)


def metrics(server):
    """{name with labels: value}"""
    lines = server.get("/metrics")[2].decode().splitlines()
    return {line.rsplit(" ", 1)[0].removeprefix("neatline_"): float(line.rsplit(" ", 1)[1]) for line in lines if not line.startswith("#")}


def files(folder):
    return sorted(path for path in pathlib.Path(folder).rglob("*") if path.is_file())


@pytest.fixture
def serve(serve):
    """Servers that draw each tile by itself, so that what they keep can be counted."""
    return lambda *options, **more: serve("--metatile", 1, *options, **more)


@pytest.fixture
def red(tmp_path):
    return sites.write(tmp_path / "red.json", sites.background("#f00"))


def test_the_second_time_comes_out_of_memory(serve, red):
    server = serve(style=red, cache=8)
    first = server.get("/1/0/0.png")
    assert server.get("/1/0/0.png")[2] == first[2] and server.get("/styles/red/256/1/0/0.png")[2] == first[2]
    counts = metrics(server)
    assert (counts["cache_hits_total"], counts["cache_misses_total"], counts["cache_entries"], counts["drawings_total"]) == (2, 1, 1, 1)
    assert counts["cache_bytes"] > len(first[2])


def test_an_answer_says_where_it_comes_from(serve, red, tmp_path):
    def status(server):
        return server.get("/1/0/0.png")[1].get("cache-status")

    options = ("--tile-cache-folder", tmp_path / "cache", "--tile-cache-lifetime", 1000)
    server = serve(*options, style=red, cache=8)
    assert [status(server), status(server)] == ["neatline; fwd=uri-miss", "neatline; hit"]
    server.stop()
    assert status(serve(*options, style=red, cache=8)) == "neatline; hit; detail=disk"
    assert status(serve(style=red, cache=0)) is None
    server = serve("--tile-cache-lifetime", 1, style=red, cache=8)
    assert until(lambda: status(server) == "neatline; hit; detail=stale")


def test_equal_requests_at_a_time_share_one_drawing(serve, noisy):
    server = serve("--workers", 1, style=noisy)
    held = slow_reader(server, LONG)
    assert until(lambda: health(server)["drawing"] == 1)
    answers = []
    clients = [threading.Thread(target=lambda: answers.append(server.get("/static/-130,-40,4/64x64.png"))) for _ in range(8)]
    for client in clients:
        client.start()
    assert until(lambda: metrics(server)["joined_total"] == 7)
    held.close()
    for client in clients:
        client.join(40)
    assert len(answers) == 8 and len({answer[2] for answer in answers}) == 1 and answers[0][0] == 200
    assert metrics(server)["drawings_total"] == 2


def test_memory_holds_no_more_than_it_may(serve):
    server = serve(cache=1)
    for z in range(5):
        for x in range(2 ** z):
            assert server.get(f"/512/{z}/{x}/{2 ** z // 2}@2x.png")[0] == 200
    counts = metrics(server)
    assert counts["cache_bytes"] <= 1 << 20 and counts["cache_evictions_total"] > 0 and counts["cache_entries"] > 0


def test_the_disk_remembers_across_restarts(serve, red, tmp_path):
    folder = tmp_path / "cache/deep"
    server = serve("--tile-cache-folder", folder, style=red, cache=8)
    first = server.get("/1/0/0.png")
    assert until(lambda: len(files(folder)) == 1)
    server.stop()
    # With memory and without.
    for cache in [8, 0]:
        server = serve("--tile-cache-folder", folder, style=red, cache=cache)
        again = server.get("/1/0/0.png")
        assert again[2] == first[2] and {name: again[1][name] for name in ["etag", "cache-control", "content-type"]} == {
            name: first[1][name] for name in ["etag", "cache-control", "content-type"]}
        assert metrics(server)["cache_disk_hits_total"] == 1
        server.stop()
    # Of another style at the same address there is nothing.
    sites.write(red, sites.background("#00f"))
    server = serve("--tile-cache-folder", folder, style=red)
    assert sites.colour_of(server.get("/1/0/0.png")[2]) == BLUE


@pytest.mark.parametrize("damage", [lambda data: data[:-1], lambda data: data[:20], lambda data: b"", lambda data: b"\xff" * 500, lambda data: data + b"x",
                                    lambda data: data[:-5] + b"wrong", lambda data: data.replace(b'"size"', b'"sise"'), lambda data: b'{"key": 1}\n'])
def test_a_file_that_was_cut_or_changed_is_no_answer(serve, red, tmp_path, damage):
    folder = tmp_path / "cache"
    server = serve("--tile-cache-folder", folder, style=red)
    first = server.get("/1/0/0.png")[2]
    assert until(lambda: len(files(folder)) == 1)
    path, = files(folder)
    path.write_bytes(damage(path.read_bytes()))
    assert server.get("/1/0/0.png")[::2] == (200, first)
    assert metrics(server)["cache_disk_hits_total"] == 0
    # It was written anew.
    assert server.get("/1/0/0.png")[2] == first and until(lambda: metrics(server)["cache_disk_hits_total"] >= 1)


def test_the_folder_holds_no_more_than_it_may_and_files_of_others_stay(serve, tmp_path, noisy):
    folder = tmp_path / "cache"
    own = [sites.write(folder / name, "mine" * 1000) for name in ["note.txt", "ab/letter", "no/0123456789abcd", "12/0123456789abcd.txt", "zz/x"]]
    server = serve("--tile-cache-folder", folder, "--tile-cache-disk", 1, style=noisy)
    for n in range(12):
        assert server.get(f"/static/-130,-40,5/256x{240 + n}.png")[0] == 200
    assert until(lambda: sum(path.stat().st_size for path in files(folder) if path not in own) <= 1 << 20)
    assert 0 < metrics(server)["cache_disk_bytes"] <= 1 << 20
    with_control = run("control", folder / "none", "status")
    assert with_control.returncode == 1
    assert all(path.read_text() == "mine" * 1000 for path in own)


def test_a_disk_that_takes_nothing_costs_nothing_but_its_keeping(serve, red, tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    # A file stands where each folder would be.
    for n in range(256):
        (folder / f"{n:02x}").write_text("")
    server = serve("--tile-cache-folder", folder, style=red, stderr=subprocess.PIPE)
    for n in range(4):
        assert server.get(f"/2/{n}/0.png")[0] == 200
    assert until(lambda: metrics(server)["cache_disk_faults_total"] == 4)
    server.stop()
    assert server.process.stderr.read().count("--tile-cache-folder") == 1


def test_a_full_disk_costs_nothing_but_its_keeping(serve, tmp_path, noisy):
    folder = tmp_path / "small"
    folder.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        server = serve("--tile-cache-folder", folder, style=noisy)
        for n in range(8):
            status, _, body = server.get(f"/static/-130,-40,5/256x{240 + n}.png")
            assert status == 200 and body.startswith(b"\x89PNG")
        assert until(lambda: metrics(server)["cache_disk_faults_total"] > 0)
        # No drafts are left.
        assert not [path for path in files(folder) if path.name.endswith(".part")]
        # And with room again, it keeps again.
        for path in files(folder):
            path.unlink()
        assert server.get("/static/-130,-40,5/64x64.png")[0] == 200
        assert until(lambda: len(files(folder)) == 1)
        server.stop()
    finally:
        subprocess.run(["umount", "-l", folder])


def test_a_folder_that_cannot_be_is_said_at_the_start(red, tmp_path):
    (tmp_path / "file").write_text("")
    done = run("serve", red, "--tile-cache-folder", tmp_path / "file/cache", timeout=20)
    assert done.returncode == 1 and b"file" in done.stderr


def test_an_old_answer_is_given_while_the_new_is_drawn(serve, red, tmp_path):
    folder = tmp_path / "cache"
    server = serve("--tile-cache-lifetime", 1, "--tile-cache-folder", folder, style=red, cache=8)
    first = server.get("/1/0/0.png")
    assert until(lambda: server.get("/1/0/0.png")[2] == first[2] and metrics(server)["cache_stale_hits_total"] >= 1)
    # It is drawn, and not read for ever from the disk, where it is as old.
    # While it is written anew, what is written stands beside it.
    path, = (path for path in files(folder) if path.suffix != ".part")
    written = path.stat().st_mtime_ns
    assert until(lambda: server.get("/1/0/0.png")[0] == 200 and path.stat().st_mtime_ns > written)
    server.stop()
    # On the disk an answer is as old as its file.
    for age, is_read in [(0, True), (60, False)]:
        os.utime(path, (time.time() - age, time.time() - age))
        written = path.stat().st_mtime_ns
        server = serve("--tile-cache-lifetime", 30, "--tile-cache-folder", folder, style=red, cache=8)
        assert server.get("/1/0/0.png")[2] == first[2]
        assert metrics(server)["cache_disk_hits_total"] == is_read
        assert is_read or until(lambda: path.stat().st_mtime_ns > written)
        server.stop()


def test_what_is_not_complete_is_not_kept(serve, tmp_path):
    style = sites.background("#fff")
    style["sources"]["gone"] = {"type": "vector", "url": f"pmtiles://{tmp_path}/gone.pmtiles"}
    style["layers"].append({"id": "l", "type": "line", "source": "gone", "source-layer": "x"})
    server = serve("--tile-cache-folder", tmp_path / "cache", style=sites.write(tmp_path / "style.json", style), cache=8)
    for _ in range(2):
        assert server.get("/1/0/0.png")[1]["cache-control"] == "no-store"
    assert metrics(server)["cache_entries"] == 0 and not files(tmp_path / "cache") and metrics(server)["problems_total"] == 2


# The control socket.


@pytest.fixture
def two(serve, tmp_path):
    """A server of two styles, and a function that speaks to it."""
    styles = [sites.write(tmp_path / f"{name}.json", sites.background("#f00")) for name in ["a", "b"]]
    path = tmp_path / "control"
    server = serve("--control", path, "--tile-cache-folder", tmp_path / "cache", style=styles, cache=8)

    def control(*words):
        done = run("control", path, *words, timeout=30)
        return json.loads(done.stdout) if done.returncode == 0 else done.stderr.decode()

    return server, control


def test_a_purge_is_by_style_zoom_and_box(two, tmp_path):
    server, control = two
    for style in "ab":
        for path in ["0/0/0", "1/0/0", "1/1/1", "4/8/5", "static/0,0,1/20x20"]:
            assert server.get(f"/styles/{style}/{path}.png")[0] == 200
    assert until(lambda: len(files(tmp_path / "cache")) == 10)
    # Pictures that are no tiles may show any place.
    assert control("purge", "--style", "a", "--zoom", "1-4", "--bbox", "11,47,12,48") == {"memory": 2, "disk": 2}
    assert control("purge", "--style", "a", "--zoom", "1", "--bbox=-170,-80,-160,80", "--drop") == {"memory": 2, "disk": 1}
    assert control("status")["cache"]["entries"] == 8
    assert control("purge", "--zoom", "0") == {"memory": 3, "disk": 3}
    assert control("purge")["disk"] == 4 and not files(tmp_path / "cache")


def test_what_was_purged_is_old_or_gone(two):
    server, control = two
    first = server.get("/1/0/0.png")[2]
    control("purge")
    assert server.get("/1/0/0.png")[2] == first
    assert metrics(server)["cache_stale_hits_total"] == 1 and until(lambda: metrics(server)["drawings_total"] == 2)
    assert until(lambda: server.get("/1/0/0.png")[2] == first and metrics(server)["cache_hits_total"] >= 1)
    control("purge", "--drop")
    assert metrics(server)["cache_entries"] == 0 and server.get("/1/0/0.png")[0] == 200 and metrics(server)["drawings_total"] == 3


def test_control_refuses_what_it_does_not_know(two):
    server, control = two
    for words, fault in [(["purge", "--style", "c"], '"c"'), (["purge", "--zoom", "9-3"], "zooms"), (["purge", "--zoom", "x"], "zooms"),
                         (["purge", "--bbox", "1,2,3"], "bbox"), (["purge", "--bbox", "0,9,1,3"], "bbox"), (["dance"], "dance"),
                         (["status", "--style", "a"], "style"), (["reload", "--drop"], "drop"), ([], "status")]:
        assert fault in control(*words), words
    status = control("status")
    assert status["status"] == "ok" and status["styles"] == ["a", "b"] and status["server"]["connections"] >= 0


def test_the_control_socket_bears_with_nonsense(two, tmp_path):
    import socket

    _, control = two
    path = str(tmp_path / "control")
    assert os.stat(path).st_mode & 0o777 == 0o600
    for data in [b"", b"\n", b"\0\xff\n", b"purge x\n", b"purge style=%zz\n", b"purge drop=1 drop=1\n", b"x" * 100_000, b"status" * 30_000 + b"\n"]:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(10)
            connection.connect(path)
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
                answer = connection.recv(1 << 16)
            except OSError:
                continue
            assert answer == b"" or "error" in json.loads(answer)
    # Who says nothing is not waited for, and who goes away neither.
    with socket.socket(socket.AF_UNIX) as silent:
        silent.connect(path)
        assert control("status")["status"] == "ok"


def test_the_control_socket_is_replaced_where_nobody_has_it(serve, red, tmp_path):
    path = tmp_path / "control"
    first = serve("--control", path, style=red)
    done = run("serve", red, "--port", 0, "--control", path, timeout=20)
    assert done.returncode == 1 and b"another server" in done.stderr
    first.process.kill()
    first.process.wait()
    assert path.exists()
    second = serve("--control", path, style=red)
    assert json.loads(run("control", path, "status").stdout)["styles"] == ["red"]
    assert second.stop() == 0 and not path.exists()
    assert run("control", path, "status").returncode == 1
    other = sites.write(tmp_path / "file", "mine")
    done = run("serve", red, "--port", 0, "--control", other, timeout=20)
    assert done.returncode == 1 and b"no socket" in done.stderr and other.read_text() == "mine"
    assert b"107" in run("serve", red, "--port", 0, "--control", "x" * 200, timeout=20).stderr

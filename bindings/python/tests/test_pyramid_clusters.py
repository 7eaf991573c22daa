"""Pyramids on Dask and on Ray: workers and clients that are killed while tiles are drawn."""

import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import neatline
from neatline import pyramid

from pyramid_data import make_style, sequential, small_plan

distributed = pytest.importorskip("distributed", reason="dask[distributed] is not installed")


@pytest.fixture(scope="module")
def cluster():
    import dask

    # A nanny writes of every worker that is killed.
    with dask.config.set(
        {"distributed.logging.distributed": "critical", "distributed.admin.tick.limit": "1h"}
    ):
        with distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", silence_logs=50
        ) as local:
            yield local


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as one:
        yield one


def records(folder):
    return sorted(pathlib.Path(folder).glob("part-*.json"))


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


@pytest.mark.parametrize(
    "give", [lambda client: client, lambda client: client.get_executor()], ids=["client", "executor"]
)
def test_a_client_and_its_executor_draw_what_a_loop_draws(client, tmp_path, give):
    plan = small_plan(tmp_path / "data")
    summary = pyramid.render(plan, tmp_path / "a.pmtiles", give(client), keep_parts=True)
    assert (tmp_path / "a.pmtiles").read_bytes() == sequential(plan, tmp_path / "b.pmtiles")
    assert summary.tiles == plan.tiles
    workers = {pid_of(each) for each in records(tmp_path / "a.pmtiles.parts")}
    assert os.getpid() not in workers


def pid_of(record):
    import json

    return int(json.loads(record.read_text())["worker"].rpartition(":")[2])


def big_plan(tmp_path):
    """A plan of many shards."""
    return small_plan(tmp_path / "data", max_zoom=5, shard_size=16)


def test_a_worker_that_is_killed_while_drawing(client, tmp_path):
    plan, failed = big_plan(tmp_path), []

    def draw():
        try:
            pyramid.render(plan, tmp_path / "a.pmtiles", client, keep_parts=True)
        except BaseException as error:  # noqa: BLE001  told by the test's own thread
            failed.append(error)

    folder = tmp_path / "a.pmtiles.parts"
    drawing = threading.Thread(target=draw)
    drawing.start()
    wait_for(lambda: len(records(folder)) >= 3)
    victim = pid_of(records(folder)[0])
    os.kill(victim, signal.SIGKILL)
    drawing.join(120)
    assert not drawing.is_alive() and not failed
    assert pyramid.verify(plan, tmp_path / "a.pmtiles", sample=5).ok
    assert len({pid_of(each) for each in records(folder)}) >= 2


def test_a_client_that_is_killed_and_run_again(cluster, client, tmp_path):
    plan = big_plan(tmp_path)
    plan.save(tmp_path / "plan.json")
    code = f"""
        import distributed
        from neatline import pyramid

        client = distributed.Client({cluster.scheduler_address!r})
        pyramid.render(pyramid.Plan.load("plan.json"), "a.pmtiles", client, in_flight=4)
    """
    other = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], cwd=tmp_path)
    folder = tmp_path / "a.pmtiles.parts"
    wait_for(lambda: len(records(folder)) >= 3)
    other.kill()
    other.wait(30)
    assert not (tmp_path / "a.pmtiles").exists()
    # What the workers had in hand may still come.
    time.sleep(1)
    before = {each: each.stat().st_mtime_ns for each in records(folder)}
    assert 3 <= len(before) < plan.shards
    pyramid.render(plan, tmp_path / "a.pmtiles", client, keep_parts=True)
    assert all(each.stat().st_mtime_ns == time_ns for each, time_ns in before.items())
    pyramid.render(plan, tmp_path / "b.pmtiles", client)
    assert (tmp_path / "a.pmtiles").read_bytes() == (tmp_path / "b.pmtiles").read_bytes()


def test_a_part_that_is_cut_off_is_drawn_again(client, tmp_path):
    plan = small_plan(tmp_path / "data")
    folder = tmp_path / "parts"
    pyramid.render(plan, tmp_path / "a.pmtiles", client, folder=folder, keep_parts=True)
    part = folder / "part-000002.pmtiles"
    data = part.read_bytes()
    # Of the right length, so that only its checksum tells.
    part.write_bytes(data[:-50] + bytes(50))
    summary = pyramid.render(plan, tmp_path / "b.pmtiles", client, folder=folder, keep_parts=True)
    assert summary.repaired == 1 and part.read_bytes() == data
    assert (tmp_path / "a.pmtiles").read_bytes() == (tmp_path / "b.pmtiles").read_bytes()


def test_a_style_that_changed_is_refused_by_the_workers(client, tmp_path):
    plan = small_plan(tmp_path / "data")
    pyramid.render(plan, tmp_path / "a.pmtiles", client)
    make_style(tmp_path / "data", skip={5})
    with pytest.raises(pyramid.ChangedError, match="land.pmtiles"):
        pyramid.render(plan, tmp_path / "b.pmtiles", client)
    assert not (tmp_path / "b.pmtiles").exists()


def test_across_the_180th_meridian_with_empty_tiles(client, tmp_path):
    plan = small_plan(tmp_path / "data", bounds=(150, -85, -150, -60), max_zoom=5, skip_empty=True)
    summary = pyramid.render(plan, tmp_path / "a.pmtiles", client)
    assert summary.empty > 0 and summary.tiles + summary.empty == plan.tiles
    pyramid.render(plan, tmp_path / "b.pmtiles")
    assert (tmp_path / "a.pmtiles").read_bytes() == (tmp_path / "b.pmtiles").read_bytes()
    assert neatline.Archive(tmp_path / "a.pmtiles").info["header"]["addressedTiles"] == summary.tiles


def test_ray_draws_what_a_loop_draws(tmp_path):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    plan = small_plan(tmp_path / "data")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        pyramid.render(plan, tmp_path / "a.pmtiles", pyramid.RayExecutor())
    finally:
        ray.shutdown()
    assert (tmp_path / "a.pmtiles").read_bytes() == sequential(plan, tmp_path / "b.pmtiles")

"""The tiler over processes, Dask and Ray: workers and clients that are killed."""

import concurrent.futures
import json
import multiprocessing
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

from neatline import tiler

from tiler_data import crowd, write_lines

OPTIONS = dict(max_zoom=4, drop="densest", max_tile_bytes=6000)
PIECES = dict(piece_bytes=100_000)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    return [crowd(folder / "crowd.geojsonl"), write_lines(folder / "more.geojsonl", 5000)]


@pytest.fixture(scope="module")
def alone(files):
    """What one process makes."""
    target = files[0].with_name("alone.pmtiles")
    tiler.tile(files, target, **OPTIONS)
    return target.read_bytes()


def records(folder, kind="run"):
    return sorted(pathlib.Path(folder).glob(f"{kind}-*.json"))


def worker_of(record):
    return int(json.loads(record.read_text())["worker"].rpartition(":")[2])


def wait_for(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.02)


def test_processes_make_what_one_makes(files, alone, tmp_path):
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        report = tiler.tile(
            files, tmp_path / "a.pmtiles", executor=pool, keep_parts=True, **PIECES, **OPTIONS
        )
    assert (tmp_path / "a.pmtiles").read_bytes() == alone
    workers = {
        worker_of(each) for kind in ("run", "part") for each in records(tmp_path / "a.pmtiles.parts", kind)
    }
    assert os.getpid() not in workers and report.parts > 4


def test_processes_that_are_forked_make_it_too(files, alone, tmp_path):
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("fork")) as pool:
        tiler.tile(files, tmp_path / "a.pmtiles", executor=pool, **PIECES, **OPTIONS)
    assert (tmp_path / "a.pmtiles").read_bytes() == alone


def test_a_process_that_is_killed_is_another_attempt(files, alone, tmp_path):
    killed = []

    def kill(step, done, total):
        # Its own work is done and told of, or it is at the next.
        if not killed and step == "cut" and done >= 3:
            killed.append(worker_of(records(tmp_path / "a.pmtiles.parts")[0]))
            os.kill(killed[0], signal.SIGKILL)

    report = tiler.tile(
        files,
        tmp_path / "a.pmtiles",
        workers=2,
        progress=kill,
        keep_parts=True,
        retries=3,
        **PIECES,
        **OPTIONS,
    )
    assert killed and (tmp_path / "a.pmtiles").read_bytes() == alone
    assert report.cut == report.runs
    # Those that came after it are others.
    assert len({worker_of(each) for each in records(tmp_path / "a.pmtiles.parts")}) >= 2


def test_a_pool_of_the_callers_that_broke_is_reported_and_what_is_done_stays(files, alone, tmp_path):
    def kill(step, done, total):
        if step == "cut" and done >= 3:
            os.kill(worker_of(records(tmp_path / "a.pmtiles.parts")[0]), signal.SIGKILL)

    options = dict(in_flight=2, **PIECES, **OPTIONS)
    with pytest.raises(concurrent.futures.process.BrokenProcessPool):
        with concurrent.futures.ProcessPoolExecutor(
            1, mp_context=multiprocessing.get_context("spawn")
        ) as pool:
            tiler.tile(files, tmp_path / "a.pmtiles", executor=pool, progress=kill, **options)
    there = len(records(tmp_path / "a.pmtiles.parts"))
    assert there >= 3
    report = tiler.tile(files, tmp_path / "a.pmtiles", workers=2, **options)
    assert report.cut <= report.runs - there and (tmp_path / "a.pmtiles").read_bytes() == alone


@pytest.mark.parametrize("kind", ["run", "part"])
def test_a_client_that_is_killed_and_run_again(files, alone, tmp_path, kind):
    # It stands still there, so that it is not done before it is killed; its worker ends what it was given.
    step = {"run": "cut", "part": "write"}[kind]
    code = f"""
        import time

        from neatline import tiler

        def wait(step, done, total):
            if step == {step!r} and done >= 3:
                open("waits", "w").close()
                time.sleep(600)

        if __name__ == "__main__":
            tiler.tile(
                {[str(each) for each in files]!r}, "a.pmtiles", workers=1, folder="parts", progress=wait,
                **{PIECES | OPTIONS!r})
    """
    (tmp_path / "client.py").write_text(textwrap.dedent(code))
    client = subprocess.Popen([sys.executable, "client.py"], cwd=tmp_path)
    wait_for((tmp_path / "waits").exists)
    known = []

    def is_still():
        known.append(len(records(tmp_path / "parts", kind)))
        return len(known) > 25 and len(set(known[-25:])) == 1

    wait_for(is_still)
    assert known[-1] >= 3
    client.send_signal(signal.SIGKILL)
    client.wait(30)
    assert not (tmp_path / "a.pmtiles").exists()
    before = {each: each.stat().st_mtime_ns for each in records(tmp_path / "parts", kind)}
    report = tiler.tile(
        files,
        tmp_path / "a.pmtiles",
        workers=2,
        folder=tmp_path / "parts",
        keep_parts=True,
        **PIECES,
        **OPTIONS,
    )
    assert all(each.stat().st_mtime_ns == time_ns for each, time_ns in before.items())
    made, there = (report.cut, report.runs) if kind == "run" else (report.written, report.parts)
    assert made == there - len(before) < there
    assert (tmp_path / "a.pmtiles").read_bytes() == alone


# ---------------------------------------------------------------- Dask, Ray


@pytest.fixture(scope="module")
def cluster():
    distributed = pytest.importorskip("distributed", reason="dask[distributed] is not installed")
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
    import distributed

    with distributed.Client(cluster) as one:
        yield one


@pytest.mark.parametrize(
    "give", [lambda client: client, lambda client: client.get_executor()], ids=["client", "executor"]
)
def test_dask_makes_what_one_process_makes(client, files, alone, tmp_path, give):
    report = tiler.tile(
        files, tmp_path / "a.pmtiles", executor=give(client), keep_parts=True, **PIECES, **OPTIONS
    )
    assert (tmp_path / "a.pmtiles").read_bytes() == alone and 4 < report.parts <= 8
    workers = {worker_of(each) for each in records(tmp_path / "a.pmtiles.parts")}
    assert os.getpid() not in workers


@pytest.mark.parametrize("kind", ["run", "part"])
def test_a_dask_worker_that_is_killed_is_another_attempt(client, files, alone, tmp_path, kind):
    failed = []

    def work():
        try:
            tiler.tile(files, tmp_path / "a.pmtiles", executor=client, keep_parts=True, **PIECES, **OPTIONS)
        except BaseException as error:  # noqa: BLE001  told by the test's own thread
            failed.append(error)

    folder = tmp_path / "a.pmtiles.parts"
    working = threading.Thread(target=work)
    working.start()
    wait_for(lambda: len(records(folder, kind)) >= 2)
    os.kill(worker_of(records(folder, kind)[0]), signal.SIGKILL)
    working.join(120)
    assert not working.is_alive() and not failed
    assert (tmp_path / "a.pmtiles").read_bytes() == alone


def test_ray_makes_what_one_process_makes(files, alone, tmp_path):
    ray = pytest.importorskip("ray", reason="ray is not installed")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, configure_logging=False)
    try:
        tiler.tile(files, tmp_path / "a.pmtiles", executor=tiler.RayExecutor(), **PIECES, **OPTIONS)
    finally:
        ray.shutdown()
    assert (tmp_path / "a.pmtiles").read_bytes() == alone

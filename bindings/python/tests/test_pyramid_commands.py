"""`python -m neatline pyramid`: what each command does, says, and ends with."""

import json
import subprocess
import sys

import pytest

import neatline
import neatline.pyramid
from neatline.__main__ import main

from pyramid_data import make_style


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    make_style(tmp_path)
    return tmp_path


def run(*arguments):
    return main(["pyramid", *map(str, arguments)])


def usage(capsys, *arguments):
    """The words of arguments that do not fit."""
    with pytest.raises(SystemExit) as ended:
        run(*arguments)
    assert ended.value.code == 2
    return capsys.readouterr().err


def test_a_pyramid_by_commands(here, capsys):
    assert run("plan", "style.json", "--bbox", "-20,-20,30,20", "--zoom", "0-4", "--shard-size", 8) == 0
    plan = neatline.pyramid.Plan.load("plan.json")
    assert f"{plan.tiles} tiles in {plan.shards} shards" in capsys.readouterr().out
    assert run("render", "plan.json", "a.pmtiles") == 0
    assert f"a.pmtiles: {plan.tiles} tiles" in capsys.readouterr().out
    for index in range(3):
        assert run("shard", "plan.json", "--parts", "parts", "--index", index, "--of", 3) == 0
    assert run("shard", "plan.json", "--parts", "parts", "--index", 0) == 0
    assert "1 parts are there already" in capsys.readouterr().out
    assert run("shard", "plan.json", "--parts", "parts", "--index", 0, "--again") == 0
    assert "shard 0:" in capsys.readouterr().out
    assert run("verify", "plan.json", "parts") == 0
    assert run("merge", "plan.json", "parts", "b.pmtiles") == 0
    assert (here / "a.pmtiles").read_bytes() == (here / "b.pmtiles").read_bytes()
    assert run("render", "plan.json", "c.mbtiles", "--workers", 2, "--plain") == 0
    assert run("verify", "plan.json", "c.mbtiles", "--decode", "--sample", 2) == 0
    assert "2 drawn again, nothing is wrong" in capsys.readouterr().out


def test_what_is_there_is_replaced_with_force_only(here, capsys):
    assert run("plan", "style.json", "--zoom", "1") == 0
    assert run("plan", "style.json", "--zoom", "1") == 1
    assert "plan.json is there already: --force replaces it" in capsys.readouterr().err
    assert run("plan", "style.json", "--zoom", "2", "--force") == 0
    assert run("render", "plan.json", "a.pmtiles") == 0
    assert run("render", "plan.json", "a.pmtiles") == 1
    assert "--force" in capsys.readouterr().err
    assert run("render", "plan.json", "a.pmtiles", "--force", "--previous", "a.pmtiles") == 0
    assert "16 tiles, 16 taken over" in capsys.readouterr().out


def test_faults_are_status_1(here, capsys):
    run("plan", "style.json", "--zoom", "0-2", "--shard-size", 4)
    run("shard", "plan.json", "--parts", "parts", "--index", 0)
    capsys.readouterr()
    assert run("verify", "plan.json", "parts", "--json") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is False and [each["shard"] for each in found["faults"]] == list(range(1, 6))
    assert run("merge", "plan.json", "parts", "a.pmtiles") == 1
    assert "part-000001.json is not there" in capsys.readouterr().err
    assert run("verify", "plan.json", "b.pmtiles") == 1
    assert "b.pmtiles is not there" in capsys.readouterr().err
    make_style(here, skip={3})
    assert run("shard", "plan.json", "--parts", "parts", "--index", 1) == 1
    assert "make the plan anew" in capsys.readouterr().err
    (here / "plan.json").write_text("{}")
    assert run("render", "plan.json", "a.pmtiles") == 1
    assert run("render", "nowhere.json", "a.pmtiles") == 1
    assert run("plan", "nowhere.json") == 1


def test_wrong_arguments_are_status_2(here, capsys):
    assert "required" in usage(capsys)
    assert "'draw'" in usage(capsys, "draw")
    assert "'5-x' is not a zoom" in usage(capsys, "plan", "style.json", "--zoom", "5-x")
    assert "WEST,SOUTH,EAST,NORTH" in usage(capsys, "plan", "style.json", "--bbox", "1,2,3")
    assert "unrecognized arguments: --fast" in usage(capsys, "plan", "style.json", "--fast")
    assert "not allowed with" in usage(capsys, "render", "plan.json", "a", "--workers", 2, "--dask", "x")
    assert "NAME=VALUE" in usage(capsys, "merge", "plan.json", "p", "a.pmtiles", "--storage", "x")
    assert "1...100" in usage(capsys, "plan", "style.json", "--quality", 0)
    assert run("plan", "style.json", "--zoom", "9-3") == 2
    assert "min_zoom 9" in capsys.readouterr().err
    assert run("plan", "style.json", "--zoom", "0-2") == 0
    assert run("shard", "plan.json", "--parts", "parts", "--index", 99) == 2
    assert run("shard", "plan.json", "--parts", "parts", "--index", 4, "--of", 4) == 2
    assert "not within 0 to 3" in capsys.readouterr().err
    assert main([]) == 2 and main(["serve"]) == 2 and main(["--help"]) == 0


@pytest.mark.parametrize("command", ["plan", "render", "shard", "merge", "verify"])
def test_every_command_has_help(capsys, command):
    with pytest.raises(SystemExit) as ended:
        run(command, "--help")
    assert ended.value.code == 0
    text = capsys.readouterr().out
    assert text.startswith(f"usage: neatline pyramid {command}") and "None" not in text


def test_the_module_runs_as_a_program(here):
    ran = subprocess.run(
        [sys.executable, "-m", "neatline", "pyramid", "plan", "style.json", "-o", "-"],
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0 and neatline.pyramid.Plan.from_json(ran.stdout).max_zoom == 14
    ran = subprocess.run([sys.executable, "-m", "neatline", "nothing"], capture_output=True, text=True)
    assert ran.returncode == 2 and ran.stderr.startswith("error: ")

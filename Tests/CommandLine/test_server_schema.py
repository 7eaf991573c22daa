"""docs/server.schema.json and the program agree on what a configuration is."""

import copy
import importlib.machinery
import importlib.util
import json
import re

import pytest
import sites
from conftest import COMMAND, ROOT, run
from test_server_config import test_a_mistake_is_named_by_its_place as mistakes
from test_server_config import changed

SCHEMA = json.loads((ROOT / "docs/server.schema.json").read_text())


def test_the_schema_is_that_of_the_generator():
    loader = importlib.machinery.SourceFileLoader("generator", str(ROOT / "scripts/generate-server-schema"))
    generator = importlib.util.module_from_spec(importlib.util.spec_from_loader("generator", loader))
    loader.exec_module(generator)
    assert generator.schema(COMMAND) == SCHEMA, "run scripts/generate-server-schema"


def sample(entry, name):
    """A value that the schema takes."""
    if "enum" in entry:
        return entry["enum"][0]
    if "anyOf" in entry:
        return sample(entry["anyOf"][0], name)
    if entry.get("type") == "object" and "properties" in entry:
        return {name: sample(value, name) for name, value in entry["properties"].items()}
    return {"boolean": True, "integer": entry.get("default", entry.get("minimum")), "number": 2, "string": "http://a", "array": [], "object": {}, None: 1}[entry.get("type")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("schema")
    sites.make(folder)
    return folder


def refusal(folder, config):
    done = run("serve", "--config", sites.write(folder / "tried.json", config), timeout=20)
    assert done.returncode == 2
    return done.stderr.decode()


def everything():
    """A configuration with every member there is; its only fault is its max-pixels."""
    config = {name: sample(SCHEMA["properties"][name], name) for name in ["$schema", "options", "server"]}
    config["styles"] = {"world": sample(SCHEMA["properties"]["styles"]["additionalProperties"], "")}
    data = sample(SCHEMA["properties"]["data"]["additionalProperties"], "")
    config["data"] = {kind: {name: value for name, value in data.items() if name not in ("mbtiles", "pmtiles") or name == kind} for kind in ["mbtiles", "pmtiles"]}
    # Looked at before anything is opened.
    config["server"]["max-pixels"] = "none"
    return config


def test_every_member_of_the_schema_is_read(folder):
    assert 'server.max-pixels: "none" is not a whole number' in refusal(folder, everything())


@pytest.mark.parametrize("path", [[], ["options"], ["options", "paths"], ["options", "formatOptions"], ["options", "formatQuality"], ["styles", "world"], ["data", "mbtiles"], ["server"]],
                         ids=".".join)
def test_members_that_are_not_in_the_schema_are_refused(folder, path):
    config = everything()
    at = config
    for name in path:
        at = at[name]
    at["zzz"] = 1
    assert f"{'.'.join([*path, 'zzz'])} is not known" in refusal(folder, config)


def test_the_schema_takes_what_the_program_takes_and_refuses_what_it_refuses():
    jsonschema = pytest.importorskip("jsonschema")
    check = jsonschema.Draft202012Validator(SCHEMA)
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert check.is_valid(sites.config()) and check.is_valid(json.loads((ROOT / "Examples/server/config.json").read_text()))
    whole = copy.deepcopy(everything())
    whole["server"]["max-pixels"] = 1
    assert check.is_valid(whole), [error.message for error in check.iter_errors(whole)]
    # A number as text is read too; the schema is stricter there.
    for path, value, _ in mistakes.pytestmark[0].args[1]:
        assert not check.is_valid(changed(*path, to=value)) or path[-1] in ("publicUrl", "cacheControl"), (path, value)


def test_the_example_is_served(serve):
    server = serve("--config", ROOT / "Examples/server/config.json", style=None)
    assert server.get("/styles/world/1/0/0.png")[0] == 200 and server.get("/styles/world/1/0/0.png")[1]["cache-control"] == "public, max-age=86400"


PAGE = (ROOT / "docs/server.md").read_text()


def blocks(language):
    return re.findall(f"```{language}\n(.*?)```", PAGE, re.S)


def test_the_page_says_what_is(folder):
    """Options, members and commands of docs/server.md."""
    text = run("help", "serve").stdout.decode() + run("help", "control").stdout.decode()
    for name in set(re.findall(r"`?(--[a-z][a-z-]+)", PAGE)) - {"--rm", "--now"}:
        assert f"  {name}" in text, name
    for path in re.findall(r"\]\(((?:\.\./)?[A-Za-z/._-]+)\)", PAGE):
        assert (ROOT / "docs" / path).exists(), path
    config, = blocks("json")
    config = json.loads(config)
    config["server"]["max-pixels"] = "none"
    assert "server.max-pixels" in refusal(folder, config)
    if jsonschema := pytest.importorskip("jsonschema"):
        del config["server"]["max-pixels"]
        assert jsonschema.Draft202012Validator(SCHEMA).is_valid(config)


def test_the_metrics_of_the_page_are_there(serve):
    body = serve(cache=1).get("/metrics")[2].decode()
    for name in set(re.findall(r"\b(neatline_[a-z_]+)", PAGE)):
        assert f"# TYPE {name.removesuffix('_bucket')} " in body, name

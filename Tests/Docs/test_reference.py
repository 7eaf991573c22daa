"""What the reference is made of: OpenAPI that is valid, pages that leave nothing out."""

import importlib
import pathlib
import re

import c_header
import c_pages
import command_line
import http_api
import python_docs
import style_support
import yaml
from blocks import ROOT
from openapi_spec_validator import validate


def test_openapi_has_every_parameter_of_static_pictures():
    text = (ROOT / "Sources/NeatlineCLI/Server/Picture/StaticOverlay.swift").read_text(encoding="utf-8")
    lists = re.findall(r"static let (?:known|repeating) = \[([^]]*)\]", text)
    names = {name for each in lists for name in re.findall(r'"(\w+)"', each)}
    document = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text(encoding="utf-8"))
    described = {each["name"] for each in document["components"]["parameters"].values()}
    assert len(names) > 15 and names <= described, names - described


def test_openapi_is_valid():
    validate(yaml.safe_load((ROOT / "docs/openapi.yaml").read_text(encoding="utf-8")))


def test_the_page_of_http_has_every_address():
    document = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text(encoding="utf-8"))
    page = http_api.page(ROOT / "docs/openapi.yaml")
    assert [address for address in document["paths"] if f"GET {address}" not in page] == []
    names = {tag for item in document["paths"].values() for tag in item["get"]["tags"]}
    assert names == {tag["name"] for tag in document["tags"]}


def test_every_address_of_the_programs_help_is_in_openapi():
    paths = yaml.safe_load((ROOT / "docs/openapi.yaml").read_text(encoding="utf-8"))["paths"]
    told = re.findall(r"(?<![\w.])/[\w{}/,.\[\]@-]*\.(?:json|xml|pbf)\b|/health|/metrics",
                      command_line.help_of("serve"))
    shapes = {re.sub(r"\{[^}]*\}", "*", path) for path in paths}
    lacking = [
        address for address in told
        if re.sub(r"\{[^}]*\}|\bID\b|\bSTACK\b|\bRANGE\b", "*",
                  address) not in shapes and address != "/info.json"]
    assert [address for address in lacking if not address.endswith("pbf")] == []


def test_every_function_of_the_header_is_on_a_page():
    header = (ROOT / "include/neatline.h").read_text(encoding="utf-8")
    grouped = c_header.with_groups(header)
    assert grouped.count("@{") == grouped.count("@}") == len(c_pages.ORDER)
    first = grouped.index("@defgroup")
    functions = re.findall(r"^NEAT_[A-Z_ ]*API [\w *]*?(neat_\w+)\(", header, re.M)
    assert len(functions) > 100
    assert all(grouped.index(f"{name}(", first) > first for name in functions)


def test_members_of_one_declaration_each_have_the_comment():
    text = "struct s {\n  /** Places. */\n  double x, y;\n};\n#ifdef __cplusplus\n}"
    assert "  /** Places. */\n  double x;\n  /** Places. */\n  double y;" in c_header.with_groups(text)


def test_style_support_knows_every_property():
    known = style_support.properties(ROOT)
    text = (ROOT / "Sources/NeatStyle/Properties/GeneratedSpecs.swift").read_text(encoding="utf-8")
    assert len(known) == text.count("PropertySpec(\n") > 150
    page = style_support.page(ROOT)
    assert [each.text for each in known if f"`{each.text}`" not in page] == []


def test_members_that_style_support_calls_undrawn_are_reported():
    import warnings

    import neatline

    # Imports are styles, and taken in before anything is drawn.
    names = style_support.undrawn(ROOT) - {"imports"}
    assert "snow" in names
    style = {"version": 8, "sources": {}, "layers": [], **{name: {"a": 1} for name in names}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", neatline.MissingWarning)
        missing = {entry.resource for entry in neatline.render(style, size=16).missing}
    assert names <= missing


def test_parameters_of_docstrings_become_fields():
    def function(size, ratio=1):
        """Draws. size: pixels; two of them. ratio: device pixels."""

    lines = function.__doc__.split("\n")
    python_docs.parameters(None, "function", "function", function, None, lines)
    assert lines[:2] == ["Draws.", ""]
    assert ":param size: pixels; two of them." in lines and ":param ratio: device pixels." in lines


def test_the_python_reference_has_every_public_name():
    import neatline

    listed = {}
    for page in (ROOT / "docs/reference/python").glob("*.md"):
        module = "neatline"
        for kind, name in re.findall(r"^\.\. (currentmodule|auto\w+):: ([\w.]+)$", page.read_text("utf-8"), re.M):
            if kind == "currentmodule":
                module = name
            else:
                listed.setdefault(module, set()).add(name)
    assert set(neatline.__all__) ^ listed.pop("neatline") == set()
    assert "neatline.tiler" in listed
    everywhere = set().union(*listed.values())
    for module, names in listed.items():
        public = set(importlib.import_module(module).__all__)
        assert names - public == set() and public - everywhere == set(), module


def test_gallery_has_at_least_24_programs_and_none_takes_data_from_outside():
    programs = sorted((ROOT / "docs/gallery").glob("*.py"))
    assert len(programs) >= 24
    for path in programs:
        text = path.read_text(encoding="utf-8")
        assert "shared" not in text and "http" not in text, path
        assert max(map(len, text.splitlines())) <= 120, path


def test_pages_are_in_the_table_of_contents():
    docs = ROOT / "docs"
    listed = set()
    for page in docs.rglob("*.md"):
        if "_generated" in page.parts:
            continue
        for tree in re.findall(r"```\{toctree\}\n(.*?)```", page.read_text(encoding="utf-8"), re.S):
            for line in tree.splitlines():
                if line and not line.startswith(":"):
                    listed.add((page.parent / f"{line}.md").resolve())
    pages = {page for page in docs.rglob("*.md") if "_generated" not in page.parts}
    assert pages - listed == {docs / "index.md"}
    assert isinstance(docs, pathlib.Path)

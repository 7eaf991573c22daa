"""Every code block of the documentation does what it says: Python and shells run, C and Swift compile, JSON
is read. What is not run says why."""

import configparser
import json
import subprocess

import geopandas
import pytest
import yaml
from blocks import ROOT, blocks, indented, pages
from session import PROGRAM, Failure, Session

# Pages whose blocks have a test of their own, which has what they need (a cluster, servers).
ELSEWHERE = {ROOT / "docs/pyramids.md", ROOT / "docs/server.md"}
PAGES = [page for page in pages() if page not in ELSEWHERE and any(True for _ in blocks(page))]
RUN = {"python", "bash", "console", "c", "json", "yaml", "ini"}
# Swift is compiled by test_swift.py; text is anything that is no code, a formula or a listing of files.
OTHERS = {"swift", "text"}


def has_option(command, option):
    """Whether a command of the program has an option."""
    done = subprocess.run([str(PROGRAM), "help", command], capture_output=True, text=True)
    return done.returncode == 0 and option in done.stdout


def run(session, block):
    """One block, by its language."""
    if block.language == "python":
        session.python(block)
    elif block.language == "bash":
        session.shell(block.code, block)
    elif block.language == "console":
        session.console(block)
    elif block.language == "c":
        session.c(block)
    elif block.language == "json":
        json.loads(block.code)
    elif block.language == "yaml":
        yaml.safe_load(block.code)
    elif block.language == "ini":
        parser = configparser.ConfigParser(strict=False)
        parser.optionxform = str
        parser.read_string(block.code)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_code_does_what_the_page_says(page, tmp_path, record_property):
    session = Session(tmp_path)
    if "parcels.gpkg" in page.read_text(encoding="utf-8"):
        places = geopandas.read_file(tmp_path / "cities.geojson").to_crs(3857).head(5)
        places.set_geometry(places.buffer(500)).to_file(tmp_path / "parcels.gpkg")
    left_out = []
    try:
        for block in blocks(page):
            if block.language not in RUN | OTHERS and "not run" not in block.remarks:
                raise Failure(f"{block}: a block in \"{block.language}\" is neither run nor says why not")
            if "not run" in block.remarks:
                assert len(block.remarks["not run"]) > 10, f"{block}: a reason that says nothing"
                continue
            if "needs" in block.remarks and not has_option(*block.remarks["needs"].split()):
                left_out.append(f"{block} needs {block.remarks['needs']}")
                continue
            if "file" in block.remarks:
                session.write(block, block.remarks["file"])
            run(session, block)
    finally:
        session.close()
    if left_out:
        pytest.skip("; ".join(left_out))


def test_a_block_that_fails_is_found(tmp_path):
    page = ROOT / "docs/index.md"
    from blocks import Block

    session = Session(tmp_path)
    for language, code in {
        "python": "assert False\n", "bash": "false\n", "console": "$ echo one\ntwo\n",
        "c": "neat_nothing();\n",
        "json": "{\n",
    }.items():
        with pytest.raises((Failure, AssertionError, ValueError)):
            run(session, Block(page, 1, language, code, {}))
    session.close()


def test_code_stands_in_fences_with_a_language():
    bare = [f"{block}" for page in set(pages()) - ELSEWHERE for block in blocks(page) if not block.language]
    assert bare == []
    assert [f"{page.relative_to(ROOT)}:{line}" for page in pages() if page not in ELSEWHERE
            for line in indented(page)] == []


def test_lines_have_at_most_110_columns():
    """Of words; tables and code may be wider."""
    wide = []
    for page in set(pages()) - ELSEWHERE:
        fenced = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
            if line.lstrip().startswith(("```", "~~~")):
                fenced = not fenced
            elif not fenced and len(line) > 110 and not line.lstrip().startswith("|"):
                wide.append(f"{page.relative_to(ROOT)}:{number}: {len(line)}")
    assert wide == []

"""The Swift of the documentation compiles against the module; what a page says does not compile does not."""

import os
import pathlib
import shutil
import subprocess

import pytest
from blocks import ROOT, blocks, pages

MODULES = pathlib.Path(os.environ.get("NEATLINE_SWIFT_MODULES", ROOT / ".build/release/Modules"))
# Names of the reader's that only one page speaks of.
NAMES = {
    "shapes.md": ["var feature: Feature = given()", "let quakes: [Feature] = given()",
                  "var layer: CircleLayer = given()"],
    "typed-styles.md": ["var quakes: CircleLayer = given()"],
}
PAGES = [page for page in pages() if any(block.language == "swift" for block in blocks(page))]
GIVEN = ROOT / "Tests/Docs/given.swift"

pytestmark = pytest.mark.skipif(
    not (MODULES / "Neatline.swiftmodule").exists() or shutil.which("swiftc") is None,
    reason="no Swift modules are built: swift build")


@pytest.fixture(scope="module")
def flags():
    """What swiftc needs to import the modules."""
    done = subprocess.run(
        [str(ROOT / "scripts/docs-swift"), "--flags"], capture_output=True, text=True, check=True)
    return done.stdout.split("\n")[:-1]


def nested(page, last=None):
    """The blocks of a page, each in a scope within the one before: names go on, and may be used again."""
    imports, body, depth = {"import Neatline"}, list(NAMES.get(page.name, [])), 0
    for block in blocks(page):
        if block.language != "swift" or {"not run", "does not compile"} & set(block.remarks):
            if block is last or last and block.line == last.line:
                break
            continue
        lines = block.code.splitlines()
        imports.update(line for line in lines if line.startswith("import "))
        kept = ["" if line.startswith("import ") else line for line in lines]
        body += ["do {", f'#sourceLocation(file: "{page.relative_to(ROOT)}", line: {block.line})', *kept]
        depth += 1
    return imports, body, depth


def check(folder, flags, imports, body, depth):
    """Compiles; the compiler's words where it fails."""
    source = folder / "page.swift"
    end = ["#sourceLocation()", *["}"] * depth, "}"]
    source.write_text("\n".join([*sorted(imports), "func page() throws {", *body, *end]) + "\n",
                      encoding="utf-8")
    done = subprocess.run(
        ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", *flags, str(GIVEN),
         str(source)],
        capture_output=True, text=True, cwd=ROOT)
    return done.stderr if done.returncode != 0 else ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_swift_compiles(page, tmp_path, flags):
    assert check(tmp_path, flags, *nested(page)) == ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_swift_that_does_not_compile_does_not(page, tmp_path, flags):
    for block in blocks(page):
        if "does not compile" in block.remarks:
            imports, body, depth = nested(page, block)
            for line in block.code.splitlines():
                errors = check(tmp_path, flags, imports, [*body, line], depth)
                assert "error:" in errors, f"{block}: {line}\ncompiles"

"""What Sphinx lacks for this site: pages made of the code, and links out of docs/ into the checkout.

Before the pages are read, docs/_generated gets what is made: the C reference by sections, the command line
from the program's own help, the server's addresses from openapi.yaml, the tables of style support, and the
gallery with its pictures. None of it is committed.
"""

import pathlib
import re
import shutil

import c_pages
import command_line
import configuration
import gallery
import http_api
import python_docs
import shown
import style_support
import swift_index

DOCS = pathlib.Path(__file__).resolve().parent.parent
ROOT = DOCS.parent
GENERATED = DOCS / "_generated"
# Pages of the site that have their place at the root of the repository.
AT_ROOT = ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md")
# Pages that may be missing: a link to one is then its text, and no table of contents has it.
MAY_BE_MISSING = ("pyramids.md",)
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]\[]*(?:\[[^\]]*\][^\]\[]*)*)\]\((?P<target>[^)\s]+)\)")


def write(path: pathlib.Path, text: str) -> None:
    """Writes a page, and leaves one alone that is as it was: Sphinx then need not read it again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")


def generate(app) -> None:
    """Writes docs/_generated."""
    pages = {}
    pages.update(c_pages.pages(ROOT, pathlib.Path(app.config.breathe_projects["neatline"])))
    pages["include/command-line.md"] = command_line.page()
    pages["include/http.md"] = http_api.page(DOCS / "openapi.yaml")
    pages["include/configuration.md"] = configuration.page(DOCS / "server.schema.json")
    pages["include/swift.md"] = swift_index.page(ROOT)
    pages["include/style-support.md"] = style_support.page(ROOT)
    pages.update(gallery.pages(ROOT, GENERATED / "gallery"))
    (GENERATED / "shown").mkdir(parents=True, exist_ok=True)
    for path in sorted(DOCS.rglob("*.md")):
        if GENERATED not in path.parents:
            shown.draw(ROOT, path, GENERATED / "shown")
    # What has its place at the root of the repository.
    for name in AT_ROOT:
        pages[f"root/{name}"] = inside((ROOT / name).read_text(encoding="utf-8"), ROOT)
    for name, text in pages.items():
        write(GENERATED / name, text)
    for path in GENERATED.rglob("*.md"):
        if str(path.relative_to(GENERATED)) not in pages:
            path.unlink()


def inside(text: str, folder: pathlib.Path) -> str:
    """A page's text with the links that lead out of docs/ put right: files at the root that are pages here
    become links to these, the header to its reference, and all else of the checkout its text alone."""

    def link(match: "re.Match[str]") -> str:
        target, _, place = match["target"].partition("#")
        if not target or ":" in target or target.startswith("/"):
            return match[0]
        path = (folder / target).resolve()
        if path.parent == ROOT and path.name in AT_ROOT:
            return f"[{match['text']}](/_generated/root/{path.name}{'#' + place if place else ''})"
        if path == ROOT / "include/neatline.h":
            return f"[{match['text']}](/reference/c.md)"
        if path.parent == DOCS and path.name in MAY_BE_MISSING and not path.exists():
            return match["text"]
        if path.is_relative_to(DOCS):
            return f"[{match['text']}](/{path.relative_to(DOCS)}{'#' + place if place else ''})"
        if not path.exists():
            raise ValueError(f"{folder}: a link to {target}, which is not there")
        return match["text"]

    return LINK.sub(link, text)


def read(app, page, source) -> None:
    """Before a page is parsed."""
    path = DOCS / f"{page}.md"
    if path.exists() and GENERATED not in path.parents:
        source[0] = inside(shown.with_pictures(source[0], path), path.parent)
    for name in MAY_BE_MISSING:
        if page == "index" and not (DOCS / name).exists():
            source[0] = source[0].replace(f"\n{name[:-3]}\n", "\n")


def clear(app, error) -> None:
    """Nothing of the site's own sources is served."""
    if error is None:
        shutil.rmtree(pathlib.Path(app.outdir) / "_sources", ignore_errors=True)


def setup(app):
    """Called by Sphinx."""
    app.connect("builder-inited", generate)
    app.connect("source-read", read)
    app.connect("autodoc-process-docstring", python_docs.parameters)
    app.connect("autodoc-skip-member", python_docs.skip)
    app.connect("build-finished", clear)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The gallery: each program of docs/gallery is run, and makes a page of its picture and its code.

A program begins with a docstring: a headline, words in Markdown, and a last paragraph "Data: …" with whom the
data is owed to. It runs in a folder that has Examples beside it, as the repository's root does, and writes
out/NAME.png (or more: out/NAME-….png). Anything that a picture lacks is an error.
"""

import ast
import os
import pathlib
import runpy
import shutil
import time
import warnings
from typing import Dict, List, NamedTuple

import neatline
import PIL.Image


class Program(NamedTuple):
    """One program with what it drew."""

    name: str
    group: str
    title: str
    words: str
    data: str
    code: str
    pictures: List[pathlib.Path]


# Pages go by these groups; a program says its own in a line "Group: …" of its docstring.
GROUPS = ["Worlds", "Data on maps", "Labels", "Lines and fills", "Relief and depth", "Answers",
          "For machines"]


def read(path: pathlib.Path) -> Program:
    """A program's text, taken apart."""
    source = path.read_text(encoding="utf-8")
    words = ast.get_docstring(ast.parse(source)) or ""
    title, *paragraphs = words.split("\n\n")
    told = {}
    for key in ("Data", "Group"):
        lines = [each for each in paragraphs if each.startswith(f"{key}: ")]
        if len(lines) != 1:
            raise ValueError(f"{path.name}: a paragraph \"{key}: …\" is missing")
        told[key] = " ".join(lines[0][len(key) + 2:].split())
        paragraphs.remove(lines[0])
    if told["Group"] not in GROUPS:
        raise ValueError(f"{path.name}: {told['Group']} is none of {GROUPS}")
    end = ast.parse(source).body[0].end_lineno
    code = "\n".join(source.splitlines()[end:]).strip()
    return Program(path.stem, told["Group"], title, "\n\n".join(paragraphs), told["Data"], code, [])


def run(path: pathlib.Path, folder: pathlib.Path) -> List[pathlib.Path]:
    """Runs a program in a folder; the pictures that it wrote to out/."""
    here = os.getcwd()
    os.chdir(folder)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", neatline.MissingWarning)
            runpy.run_path(str(path), run_name="__main__")
    finally:
        os.chdir(here)
    found = sorted(
        each for each in (folder / "out").iterdir()
        if each.stem.split("-")[0] == path.stem and each.suffix in (".png", ".jpg", ".webp"))
    if not found:
        raise ValueError(f"{path.name} wrote no out/{path.stem}.png")
    return found


def programs(root: pathlib.Path, folder: pathlib.Path) -> List[Program]:
    """All programs, run."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "out").mkdir(parents=True)
    (folder / "Examples").symlink_to(root / "Examples")
    result = []
    for path in sorted((root / "docs/gallery").glob("*.py")):
        start = time.monotonic()
        program = read(path)
        program.pictures.extend(run(path, folder))
        print(f"gallery: {path.name} {time.monotonic() - start:.2f} s", flush=True)
        result.append(program)
    return result


def thumbnail(picture: pathlib.Path, path: pathlib.Path) -> None:
    """The middle of a picture, 480 by 320."""
    with PIL.Image.open(picture) as image:
        image = image.convert("RGB")
        scale = max(480 / image.width, 320 / image.height)
        image = image.resize((max(480, round(image.width * scale)), max(320, round(image.height * scale))))
        left, top = (image.width - 480) // 2, (image.height - 320) // 2
        image.crop((left, top, left + 480, top + 320)).save(path, quality=88)


def page(program: Program) -> str:
    """A program's page. Its pictures are shown at half their size where they are drawn at ratio 2."""
    lines = [f"# {program.title}", ""]
    for picture in program.pictures:
        lines += [f"```{{image}} {picture.name}", f":alt: {program.title}", ":class: gallery-picture", "```",
                  ""]
    lines += [
        program.words, "", "```python", program.code, "```", "", f"Data: {program.data}", "",
        f"The program is `docs/gallery/{program.name}.py`; from the root of a checkout "
        f"`python docs/gallery/{program.name}.py` draws the picture into `out/`.", ""]
    return "\n".join(lines)


def pages(root: pathlib.Path, out: pathlib.Path) -> Dict[str, str]:
    """Runs all programs, puts pictures into `out`, and returns pages by their paths below docs/_generated."""
    build = pathlib.Path(os.environ.get("NEATLINE_DOCS_BUILD", root / "build/docs"))
    out.mkdir(parents=True, exist_ok=True)
    result: Dict[str, str] = {}
    cards: Dict[str, List[str]] = {group: [] for group in GROUPS}
    found = programs(root, build / "gallery")
    for program in found:
        for picture in program.pictures:
            shutil.copyfile(picture, out / picture.name)
        first = next(each for each in program.pictures if each.suffix == ".png")
        thumbnail(first, out / f"{program.name}-small.jpg")
        result[f"gallery/{program.name}.md"] = page(program)
        cards[program.group] += [
            f":::{{grid-item-card}} {program.title}",
            f":img-top: /_generated/gallery/{program.name}-small.jpg",
            f":img-alt: {program.title}",
            f":link: /_generated/gallery/{program.name}",
            ":link-type: doc",
            ":::",
            "",
        ]
    lines: List[str] = []
    for group, items in cards.items():
        if items:
            lines += [f"## {group}", "", "::::{grid} 1 2 3 3", ":gutter: 3", "", *items, "::::", ""]
    ordered = sorted(found, key=lambda program: GROUPS.index(program.group))
    names = "\n".join(f"/_generated/gallery/{program.name}" for program in ordered)
    lines += ["```{toctree}", ":hidden:", "", names, "```", ""]
    result["include/gallery.md"] = "\n".join(lines)
    return result

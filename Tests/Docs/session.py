"""A page's own place to run in: a folder with the demo, a shell that remembers where it is, names of Python,
and files that its blocks write."""

import contextlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
from typing import Any, List, Optional, Tuple

from blocks import ROOT, Block

LIBRARY = pathlib.Path(os.environ["NEATLINE_LIBRARY"]).resolve()
PROGRAM = pathlib.Path(os.environ["NEATLINE_PROGRAM"]).resolve()
# What pages may take for granted besides what they make themselves.
GIVEN_C = ROOT / "Tests/Docs/given.h"


class Failure(AssertionError):
    """A block that does not do what its page says."""


class Session:
    """Runs the blocks of one page, in their order."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.here = folder
        self.worker: Optional["subprocess.Popen[str]"] = None
        self.answers: Any = None
        self.groups: List[int] = []
        shutil.copytree(ROOT / "Examples", folder / "Examples", ignore=shutil.ignore_patterns("Earthquakes"))
        for file in (ROOT / "Examples/demo").iterdir():
            shutil.copy(file, folder)
        self._make_files()
        programs = folder / ".bin"
        programs.mkdir()
        (programs / "neatline").symlink_to(PROGRAM)
        (programs / "neatline.pc").write_text(
            f"Name: neatline\nDescription: maps\nVersion: 0\nCflags: -I{ROOT}/include\n"
            f"Libs: {LIBRARY} -Wl,-rpath,{LIBRARY.parent}\n", encoding="utf-8")
        self.environment = {
            **os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "PKG_CONFIG_PATH": str(programs),
            "LC_ALL": "C.UTF-8"}

    def _make_files(self) -> None:
        """Files that pages speak of as the reader's own."""
        import neatline

        roads = [
            {"type": "Feature", "properties": {"class": "primary", "lanes": lanes},
             "geometry": {"type": "LineString", "coordinates": [[10, lanes], [12, lanes]]}} for lanes in (2,
                                                                                                          4)]
        archive = self.folder / ".roads.pmtiles"
        neatline.tile_geojson({"transportation": {"type": "FeatureCollection", "features": roads}}, archive,
                              max_zoom=0)
        with neatline.Archive(archive) as opened:
            packed = opened.tile(0, 0, 0)
        for name in ("tile.mvt", "14-8710-5744.mvt"):
            (self.folder / name).write_bytes(packed)

    def close(self) -> None:
        """Ends what blocks left running."""
        if self.worker is not None:
            self.worker.stdin.close()
            self.groups.append(self.worker.pid)
            self.answers.close()
        for group in self.groups:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(group, signal.SIGTERM)
        if self.worker is not None:
            self.worker.wait(timeout=30)

    def write(self, block: Block, name: str) -> None:
        """A block that is a file."""
        (self.here / name).write_text(block.code, encoding="utf-8")

    def python(self, block: Block) -> None:
        """Runs Python among the page's own names."""
        if self.worker is None:
            answers, answer = os.pipe()
            self.worker = subprocess.Popen(
                [sys.executable, str(ROOT / "Tests/Docs/python_worker.py"),
                 str(answer)], stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL, text=True, pass_fds=[answer], start_new_session=True,
                env={**self.environment, "PYTHONPATH": str(ROOT / "bindings/python/src")})
            os.close(answer)
            self.answers = os.fdopen(answers, encoding="utf-8")
        request = {"folder": str(self.here), "page": str(block.page), "line": block.line, "code": block.code}
        self.worker.stdin.write(json.dumps(request) + "\n")
        self.worker.stdin.flush()
        if not select.select([self.answers], [], [], 120)[0]:
            raise Failure(f"{block}: takes longer than 120 seconds")
        answer = self.answers.readline()
        error = json.loads(answer) if answer else "the process ended"
        if error is not None:
            raise Failure(f"{block}:\n{error}")

    def shell(self, text: str, block: Block) -> str:
        """Runs lines of a shell where the one before stopped; what they print."""
        note = self.folder / ".here"
        script = f"set -euo pipefail\n{text}\npwd > {note}\n"
        output = self.folder / ".output"
        with open(output, "w+b") as file:
            process = subprocess.Popen(
                ["bash", "-c", script], cwd=self.here, env=self.environment, stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT, start_new_session=True)
            self.groups.append(process.pid)
            status = process.wait(timeout=120)
        printed = output.read_text(encoding="utf-8", errors="replace")
        if status != 0:
            raise Failure(f"{block}: exit status {status}\n{printed}")
        self.here = pathlib.Path(note.read_text(encoding="utf-8").strip())
        return printed

    def console(self, block: Block) -> None:
        """Runs the lines after "$ "; what follows each is what it prints, "…" standing for anything."""
        steps: List[Tuple[str, List[str]]] = []
        for line in block.code.splitlines():
            if line.startswith("$ "):
                steps.append((line[2:], []))
            elif steps:
                steps[-1][1].append(line)
        for command, expected in steps:
            printed = self.shell(command, block).rstrip("\n")
            if expected:
                wanted = ".*".join(re.escape(part) for part in "\n".join(expected).split("…"))
                if not re.fullmatch(wanted, printed, re.S):
                    raise Failure(f"{block}: $ {command}\nprints\n{printed}\nand not\n" + "\n".join(expected))

    def c(self, block: Block) -> None:
        """Compiles C: a program as it is, a fragment within a function that has what given.h names."""
        text = block.code
        if "int main(" not in text:
            includes = [line for line in text.splitlines() if line.startswith("#include")]
            body = "\n".join("" if line.startswith("#include") else line for line in text.splitlines())
            text = (
                "\n".join(includes) + f'\n#include "{GIVEN_C}"\nint page(GIVEN) {{ {{\n#line {block.line} '
                f'"{block.page.name}"\n{body}\n}} return 0; }}\n')
        done = subprocess.run(
            ["cc", "-std=c11", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror", f"-I{ROOT}/include", "-x",
             "c", "-"],
            input=text, text=True, capture_output=True, timeout=60)
        if done.returncode != 0:
            raise Failure(f"{block}:\n{done.stderr}")

"""Puts libneatline.so inside the package.

The library is the file that NEATLINE_LIBRARY names, or else it is built here with CMake, Ninja and Swift from
the sources around this folder.
"""

import os
import pathlib
import shutil
import subprocess

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

ROOT = pathlib.Path(__file__).resolve().parents[2]


def library(build_folder: pathlib.Path) -> pathlib.Path:
    """The prebuilt library, or a fresh one."""
    given = os.environ.get("NEATLINE_LIBRARY")
    if given:
        path = pathlib.Path(given)
        if not path.is_file():
            raise SystemExit(f"NEATLINE_LIBRARY names {path}, which is not a file")
        return path
    if not (ROOT / "CMakeLists.txt").is_file():
        raise SystemExit(f"no CMakeLists.txt in {ROOT}: build from a checkout of neatline, or set NEATLINE_LIBRARY to a libneatline.so")
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DNEATLINE_STATIC=OFF", "-DNEATLINE_PROGRAM=OFF",
               "-DNEATLINE_EXAMPLES=OFF", "-DBUILD_TESTING=OFF"]
    subprocess.run(["cmake", "-S", ROOT, "-B", build_folder, "-G", "Ninja", *options], check=True)
    subprocess.run(["cmake", "--build", build_folder, "--target", "neatline"], check=True)
    return build_folder / "libneatline.so"


class BuildWithLibrary(build_py):
    def run(self) -> None:
        super().run()
        folder = pathlib.Path(self.get_finalized_command("build").build_temp).absolute() / "libneatline"
        target = pathlib.Path(self.build_lib) / "neatline" / "libneatline.so"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(library(folder).resolve(), target)


class PlatformWheel(bdist_wheel):
    """A wheel for every Python 3 of this platform: the library does not use Python's C API."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self):
        return ("py3", "none", super().get_tag()[2])


class NoSourceDistribution(sdist):
    def run(self) -> None:
        raise SystemExit("there is no source distribution: the library is built from the whole checkout (pip wheel bindings/python)")


class BinaryDistribution(Distribution):
    def has_ext_modules(self) -> bool:
        return True


setup(cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel, "sdist": NoSourceDistribution},
      distclass=BinaryDistribution)

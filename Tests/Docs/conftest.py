"""scripts/test docs sets NEATLINE_LIBRARY and NEATLINE_PROGRAM; the package is that of the checkout."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bindings/python/src"))
sys.path.insert(0, str(ROOT / "docs/_ext"))

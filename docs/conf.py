"""The documentation site. scripts/docs builds it; docs/_ext has what makes pages of the code."""

import os
import pathlib
import sys

DOCS = pathlib.Path(__file__).resolve().parent
ROOT = DOCS.parent
BUILD = pathlib.Path(os.environ.get("NEATLINE_DOCS_BUILD", ROOT / "build/docs"))
sys.path.insert(0, str(DOCS / "_ext"))
sys.path.insert(0, str(ROOT / "bindings/python/src"))

import neatline  # noqa: E402 - NEATLINE_LIBRARY says which library, as for every program.

project = "Neatline"
copyright = "the authors of Neatline; the demo's data is Natural Earth's (public domain)"
version = release = neatline.version()

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "breathe",
    "sphinx_copybutton",
    "sphinx_design",
    "neatline_site",
]
exclude_patterns = ["_generated/include/**"]
nitpicky = True
# What other libraries declare, and structures of the C header that Python hands on as they are.
nitpick_ignore_regex = [
    ("c:identifier", r"u?int\d+_t|size_t|neat_value\.@0"),
    ("py:class", r"(os|numpy|PIL|ctypes|concurrent|asyncio|logging)\..*|neatline\._abi\..*|neatline\.events\.Listeners|(neatline\._annotation_base\.)?T|neatline\.queries\.Answer|Style"),
]

# Markdown
myst_enable_extensions = ["colon_fence", "deflist", "attrs_inline"]
myst_heading_anchors = 4
# Blocks of plain text need no language of their own.
highlight_language = "text"
default_role = "code"

# Python
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"members": True}
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 88

# C
breathe_projects = {"neatline": str(BUILD / "doxygen/xml")}
breathe_default_project = "neatline"
breathe_domain_by_extension = {"h": "c"}
breathe_show_include = False
c_maximum_signature_line_length = 88

# The look
html_theme = "furo"
html_title = f"Neatline {release}"
html_static_path = ["_static"]
html_css_files = ["neatline.css"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "sidebar_hide_name": False,
    "light_css_variables": {
        "color-brand-primary": "#1f6f78",
        "color-brand-content": "#1f6f78",
        "color-brand-visited": "#1f6f78",
        "color-api-name": "#1f6f78",
        "color-api-pre-name": "#1f6f78",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7fd1c7",
        "color-brand-content": "#7fd1c7",
        "color-brand-visited": "#7fd1c7",
        "color-api-name": "#7fd1c7",
        "color-api-pre-name": "#7fd1c7",
    },
}
copybutton_prompt_text = r"\$ |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_only_copy_prompt_lines = True

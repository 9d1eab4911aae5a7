"""How the documentation site is built: offline, with formulas as MathML and nothing from another host.

``-D conformity=0`` leaves out the one page that takes a minute, because it runs the tests of published figures.
"""

import sys
from html import escape
from pathlib import Path

from docutils import nodes
from latex2mathml.converter import convert

from concurrence import __version__

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "tests"), str(HERE.parent)]

project = "Concurrence"
author = "The Concurrence developers"
copyright = "2026, The Concurrence developers"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
copybutton_prompt_text = r"\$ |> |>>> |\.\.\. "
copybutton_prompt_is_regexp = True
copybutton_line_continuation_character = "\\"
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence", "attrs_inline", "attrs_block"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Concurrence"
html_math_renderer = "mathml"
html_show_sourcelink = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_theme_options = {"light_css_variables": {"code-font-size": "75%"}, "dark_css_variables": {"code-font-size": "75%"}}
exclude_patterns = ["_build", "pages", "notebooks"]
autodoc_typehints = "none"
nitpicky = False


def _inline(translator, node):
    translator.body.append(convert(node.astext()))
    raise nodes.SkipNode


def _display(translator, node):
    label = f' id="{escape(node["ids"][0])}"' if node.get("ids") else ""
    translator.body.append(f'<div class="math"{label}>{convert(node.astext(), display="block")}</div>')
    raise nodes.SkipNode


def _write_pages(app):
    from pages import generate

    generate(HERE, conformity=app.config.conformity)


def _add_parameters(_app, _what, _name, documented, _options, lines):
    from pages.signatures import parameters

    if callable(documented):
        lines += ["", *parameters(documented)]


def _level_captions(_app, _page, _template, context, _tree):
    """Say of the captions of the navigation, which are headings, at which level they are."""
    tree = context.get("furo_navigation_tree", "")
    context["furo_navigation_tree"] = tree.replace('role="heading"', 'role="heading" aria-level="2"')


def setup(app):
    app.connect("html-page-context", _level_captions, priority=900)
    app.add_config_value("conformity", True, "env", bool)
    app.connect("autodoc-process-docstring", _add_parameters)
    app.add_html_math_renderer("mathml", (_inline, None), (_display, None))
    app.connect("builder-inited", _write_pages)

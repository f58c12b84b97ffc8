"""How the documentation site is made of these pages: ``make docs``.

The pages are plain Markdown with relative links, readable on a forge as they are. This
file adds what a site needs: the navigation, which is the list in ``index.md``; a page
per public module with everything its docstrings say; a page per notebook; formulas
without a script. A site loads nothing from elsewhere.
"""

import re
import runpy
import sys
from importlib import import_module
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from numpy.typing import ArrayLike
from sphinx.util.typing import stringify_annotation

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))
NAMES = runpy.run_path(str(HERE / "dev/list_names.py"))
NOTEBOOKS = runpy.run_path(str(HERE / "dev/notebook_pages.py"))

project = "divlearn"
author = "The divlearn developers"
version = release = import_module("divlearn").__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["**/README.md"]
highlight_language = "text"

# pages
myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4
html_math_renderer = "mathml"

# docstrings; short names in them may have several targets
suppress_warnings = ["ref.python"]
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True
napoleon_use_rtype = False
python_maximum_signature_line_length = 80
toc_object_entries_show_parents = "hide"

# looks
html_theme = "furo"
html_title = f"divlearn {version}"
html_static_path = ["site"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_copyright = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style = "friendly"
pygments_dark_style = "github-dark"

SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
NAME = re.compile(r"^- \*\*`((\w+).*?)`\*\*", re.MULTILINE)
PAGE = re.compile(r"^- \[.*?\]\(([\w/-]+)\.md\)", re.MULTILINE)
NOTEBOOK = re.compile(r"\]\((?:\.\./)+examples/(\w+)\.ipynb\)")
OUTSIDE = re.compile(r"\]\((\.\./[^)#]*\.md)\)")
#: Types that are short in the code and long when they are written out.
LONG = (
    (re.escape(stringify_annotation(ArrayLike, "smart")), "ArrayLike"),
    (r"~numpy\.ndarray\[tuple\[.*?\], ~numpy.dtype\[~numpy\.(\w+)\]\]", r"NDArray[\1]"),
)


def tree(pages, *options):
    """A table of contents that only the navigation shows."""
    options, listed = "\n".join([":hidden:", *options]), "\n".join(pages)
    return f"\n```{{toctree}}\n{options}\n\n{listed}\n```\n"


def navigation(text):
    """A hidden table of contents for each section of the list of pages."""
    trees = ""
    for caption, body in SECTION.findall(text):
        pages = list(dict.fromkeys(PAGE.findall(body)))
        if pages:
            trees += tree(pages, f":caption: {caption}")
    return trees


def linked(text):
    """The list of public names, each with a link to all that is said about it."""
    parts = re.split(r"^(?=## )", text, flags=re.MULTILINE)
    for number, part in enumerate(parts):
        if found := re.match(r"## (\S+)", part):
            link = rf"- {{py:obj}}`\1 <{found[1]}.\2>`"
            parts[number] = NAME.sub(link, part)
    return "".join(parts) + tree([f"api/{name}" for name in NAMES["MODULES"]])


def read_page(app, page, source):
    """Add to two pages what only a site has; let links lead to its pages."""
    up = "../" * page.count("/")
    source[0] = NOTEBOOK.sub(rf"]({up}notebooks/\1.md)", source[0])
    if page == "index":
        source[0] += navigation(source[0])
    elif page == "reference":
        source[0] = linked(source[0])
    folder = (HERE / page).parent
    source[0] = OUTSIDE.sub(lambda link: as_file(folder, link), source[0])


def as_file(folder, link):
    """A link to a file that is no page of the site: readers get the file."""
    inside = (folder / link[1]).resolve().is_relative_to(HERE)
    return link[0] if inside else f"](path:{link[1]})"


def shorten(app, what, name, thing, options, arguments, returned):
    """Write types as in the code."""
    for long, short in LONG:
        arguments = re.sub(long, short, arguments) if arguments else arguments
        returned = re.sub(long, short, returned) if returned else returned
    return arguments, returned


def write_modules(app):
    """Write a page per public module, where it has changed."""
    folder = HERE / "api"
    folder.mkdir(exist_ok=True)
    for name, things in NAMES["public_things"]():
        text = module_page(name, things)
        path = folder / f"{name}.rst"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def write_notebooks(app):
    """Write a page per notebook, where it has changed."""
    NOTEBOOKS["write_pages"](HERE / "notebooks")


def module_page(name, things):
    """All that the docstrings of a module's public names say."""
    lines = [name, "=" * len(name), "", f".. module:: {name}", ""]
    lines += [NAMES["first_line"](import_module(name)), ""]
    for thing in NAMES["in_order"](things):
        kind = "class" if isinstance(things[thing], type) else "function"
        lines.append(f".. auto{kind}:: {name}.{thing}")
        if kind == "class":
            lines.append("   :members:")
        if thing in NAMES["WITH_METHODS"]:
            lines.append("   :inherited-members:")
        lines.append("")
    return "\n".join(lines)


def draw_formula(translator, node):
    """Write a formula as MathML, which browsers draw by themselves."""
    block = isinstance(node, nodes.math_block)
    translator.body.append(tex2mathml(node.astext(), as_block=block))
    raise nodes.SkipNode


def setup(app):
    """Tell Sphinx what is done here."""
    app.connect("builder-inited", write_modules)
    app.connect("builder-inited", write_notebooks)
    app.connect("source-read", read_page)
    app.connect("autodoc-process-signature", shorten)
    app.add_html_math_renderer("mathml", (draw_formula, None), (draw_formula, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""Writes docs/reference.md: every public name with its signature and its first line.

``python docs/dev/list_names.py`` after a public name or its first line has changed; a
test compares.
"""

import inspect
import re
from importlib import import_module
from pathlib import Path

TARGET = Path(__file__).parent.parent / "reference.md"
HEAD = """# Reference

Every public name, with its arguments and its first line. `help(divlearn.Problem)`
shows the whole documentation of a name: all arguments, explained, and an example.

Written by `python docs/dev/list_names.py` from the code.
"""
#: Modules in the order of the page; the first holds what most people need.
MODULES = (
    "divlearn",
    "divlearn.problems",
    "divlearn.metrics",
    "divlearn.result",
    "divlearn.optimizer.stop",
    "divlearn.study",
    "divlearn.simulator",
    "divlearn.workers",
    "divlearn.plot",
    "divlearn.methods.paper.experts",
    "divlearn.testing",
    "divlearn.integration.optuna",
    "divlearn.integration.pymoo",
    "divlearn.lab.baselines",
    "divlearn.lab.bench",
)
#: Types whose values are short to write.
SIMPLE = (bool, int, float, str, tuple, type(None))
#: Classes that calls return; nobody makes them by hand.
RETURNED = (
    "Candidate",
    "Comparison",
    "Failure",
    "Result",
    "RunOptions",
    "Status",
    "Summary",
    "Told",
    "Trial",
    "Verification",
)
#: Classes whose methods are listed too.
WITH_METHODS = ("Optimizer", "Problem", "Result", "Space", "Study", "StudyReader")


def first_line(thing):
    """The first line of a docstring, as Markdown."""
    line = (inspect.getdoc(thing) or "").split("\n")[0]
    return re.sub(r":\w+:`~?([^`]+)`", r"`\1`", line).replace("``", "`")


def call_of(name, thing):
    """A name with its arguments and their defaults, without types."""
    given = inspect.signature(thing).parameters.values()
    shown = [_plain(p) for p in given if p.name not in ("self", "cls")]
    return f"{name}{inspect.Signature(shown)}".replace("Ellipsis", "...")


def _plain(parameter):
    """An argument without its type; a default that is long to write is left out."""
    default = parameter.default
    if not isinstance(default, SIMPLE) and default is not inspect.Parameter.empty:
        default = ...
    return parameter.replace(annotation=inspect.Parameter.empty, default=default)


def methods_of(kind):
    """Yield a line for each public method and attribute of a class."""
    for name, thing in inspect.getmembers_static(kind):
        plain = getattr(thing, "__func__", thing)
        if name.startswith("_") or not first_line(plain):
            continue
        if inspect.isfunction(plain):
            yield f"  - `{call_of(name, plain)}` {first_line(plain)}"
        elif isinstance(plain, property):
            yield f"  - `{name}` {first_line(plain)}"


def lines_of(things):
    """Yield lines for things by name: classes and functions, then errors."""
    for name in in_order(things):
        thing = things[name]
        bare = _is_error(thing) or name in RETURNED
        call = name if bare else call_of(name, thing)
        yield f"- **`{call}`** {first_line(thing)}"
        if name in WITH_METHODS:
            yield from methods_of(thing)


def in_order(things):
    """Names of classes and functions, then of errors."""
    return sorted(things, key=lambda n: (_is_error(things[n]), n.lower()))


def _is_error(thing):
    """Whether this is an exception."""
    return isinstance(thing, type) and issubclass(thing, BaseException)


def public_things():
    """Yield each module with its public things; each once, where it first appears."""
    known = set()
    for name in MODULES:
        module = import_module(name)
        things = {n: getattr(module, n) for n in module.__all__}
        new = {n: t for n, t in things.items() if callable(t) and t not in known}
        known |= set(new.values())
        yield name, new


def content():
    """The whole page."""
    page = [HEAD]
    for name, things in public_things():
        line = first_line(import_module(name))
        page += [f"## {name}\n", f"{line}\n", *lines_of(things), ""]
    return "\n".join(page).rstrip() + "\n"


if __name__ == "__main__":
    TARGET.write_text(content())

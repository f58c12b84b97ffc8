"""Run a reference on numbered instances and keep what it reached.

    python benchmarks/references/run.py ws-lkh --problems bitsp-20,bitsp-50 \
        --instances 100-104 --out references.json

Rows are appended to the file; what is there already is not run again.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

if __name__ == "__main__":  # started as a file: find the packages from the root
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from divlearn import problems
from divlearn.basics.errors import DivlearnError, InputError
from divlearn.metrics import hypervolume, non_dominated


class Reference(NamedTuple):
    """A method that this command can run."""

    module: str  # file of benchmarks/references with its function ``front``
    package: str  # whose version matters
    budgeted: bool = False  # whether ``front`` takes a budget and a seed
    options: Mapping[str, Any] = MappingProxyType({})  # further ones of ``front``


REFERENCES = {
    "ws-lkh": Reference("by_name", "elkai", options={"method": "ws-lkh"}),
    "ws-lkh+pls": Reference("pareto_local_search", "elkai"),
    "ws-2opt": Reference("by_name", "divlearn", options={"method": "ws-2opt"}),
    "ws-dp": Reference("by_name", "divlearn", options={"method": "ws-dp"}),
    "ws-dp-30": Reference(
        "by_name", "divlearn", options={"method": "ws-dp", "scale": 30}
    ),
    "ppls-dc": Reference("by_name", "divlearn", True, {"method": "ppls-dc"}),
    "exact": Reference("knapsack", "divlearn"),
    "milp": Reference("whole_numbers", "scipy"),
    "exact-assignment": Reference("assignment", "scipy", options={"exact": True}),
    "pls-assignment": Reference("assignment", "scipy", options={"exact": False}),
    "pyvrp": Reference("by_name", "pyvrp", options={"method": "pyvrp"}),
    "nsga2": Reference("by_name", "pymoo", True, {"method": "nsga2"}),
    "moead": Reference("by_name", "pymoo", True, {"method": "moead"}),
    "optuna-tpe": Reference("by_name", "optuna", True, {"method": "optuna-tpe"}),
    "optuna-tpe-joint": Reference(
        "by_name", "optuna", True, {"method": "optuna-tpe", "joint": True}
    ),
    "random": Reference("by_name", "divlearn", True, {"method": "random"}),
    "qnehvi": Reference("by_name", "botorch", True, {"method": "qnehvi"}),
}
#: Rows that the project keeps.
MEASURED = Path(__file__).parent / "measured.json"
#: Fields that say which run a row is.
KEY = ("reference", "problem", "instance", "budget", "seed")


def run(key: dict[str, Any]) -> dict[str, Any]:
    """Run one reference on one instance and return its row."""
    reference = REFERENCES[key["reference"]]
    module = import_module(f"benchmarks.references.{reference.module}")
    problem = get_problem(key["problem"], key["instance"])
    warm_up(key["problem"])
    options = dict(reference.options)
    if reference.budgeted:
        options |= {"budget": key["budget"], "seed": key["seed"]}
    found = module.front(problem, **options)
    points = problem.reference, problem.ideal, problem.senses
    return {
        **{field: key[field] for field in KEY if key[field] is not None},
        "evaluations": int(found.evaluations),
        "hv": round(hypervolume(found.F, *points), 6),
        "points": len(found.F),
        "cpu_seconds": round(found.cpu_seconds, 3),
        "versions": _versions(reference.package),
    }


def get_problem(text: str, instance: int) -> Any:
    """Make a built-in problem; options may follow its name, ``mnk-100:k=4:rho=0.2``.

    Examples
    --------
    >>> get_problem("bicvrp-20:levels=8", 3).limits.shape
    (8,)
    """
    name, *parts = text.split(":")
    options: dict[str, Any] = {}
    for part in parts:
        word, _, value = part.partition("=")
        try:
            options[word] = json.loads(value)
        except ValueError:
            options[word] = value
    return problems.get(name, instance=instance, **options)


def warm_up(name: str) -> None:
    """Load and compile what an evaluation needs, so that no reference pays for it."""
    problem = get_problem(name, 0)
    outputs = problem.evaluate(problem.repair(problem.space.sample()))
    non_dominated([outputs[: problem.num_objectives]])


def _versions(package: str) -> dict[str, str]:
    """Versions of the package and of divlearn, which makes the instances."""
    from divlearn.basics.version import __version__

    found = {"divlearn": __version__}
    if package != "divlearn":
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            found[package] = "unknown"
    return found


def read_rows(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a file; a file that is not there has none."""
    if not path.exists():
        return []
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise InputError(
            f"--out must be a JSON list of rows, got {path} ({error}); name another "
            "file."
        ) from None


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    """Write one row per line, so that files are easily compared."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f"[\n{lines}\n]\n")


def key_of(row: dict[str, Any]) -> tuple[Any, ...]:
    """What a row is known by."""
    return tuple(row.get(field) for field in KEY)


def numbers(text: str) -> list[int]:
    """Read numbers and ranges, ``0-4,100``.

    Examples
    --------
    >>> numbers("0-2,7")
    [0, 1, 2, 7]
    """
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        try:
            found.extend(range(int(first), int(last or first) + 1))
        except ValueError:
            raise argparse.ArgumentTypeError(
                f"expected numbers and ranges such as 0-4,100, got {text!r}"
            ) from None
    return found


def keys(options: argparse.Namespace) -> list[dict[str, Any]]:
    """List the runs that were asked for."""
    budgeted = REFERENCES[options.reference].budgeted
    if budgeted and options.budgets is None:
        raise InputError(
            f"{options.reference} needs --budgets, the number of evaluations, such as "
            "--budgets 2000,20000."
        )
    return [
        {
            "reference": options.reference,
            "problem": name,
            "instance": instance,
            "budget": budget,
            "seed": instance if budgeted else None,
        }
        for name in options.problems.split(",")
        for budget in (options.budgets if budgeted else [None])
        for instance in options.instances
    ]


def read_options(arguments: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("reference", choices=REFERENCES)
    parser.add_argument("--problems", required=True, help="such as bitsp-20,mnk-50:k=4")
    parser.add_argument(
        "--instances", type=numbers, default=[0], help="such as 0-4,100; also the seeds"
    )
    parser.add_argument("--budgets", type=numbers, help="evaluations, for some")
    parser.add_argument("--out", type=Path, required=True, help="JSON file of rows")
    return parser.parse_args(arguments)


def main(arguments: list[str] | None = None) -> None:
    """Run what is missing and append it."""
    options = read_options(arguments)
    rows = read_rows(options.out)
    done = {key_of(row) for row in rows}
    for key in keys(options):
        if key_of(key) in done:
            continue
        row = run(key)
        rows.append(row)
        write_rows(options.out, rows)
        print(json.dumps(row), flush=True)


if __name__ == "__main__":
    try:
        main()
    except DivlearnError as error:
        sys.exit(f"error: {error}")

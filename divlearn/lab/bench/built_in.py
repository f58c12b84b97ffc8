"""The suites that come with divlearn."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from importlib.util import find_spec

from divlearn.basics.checks import require_one_of
from divlearn.lab.bench.cases import family_of
from divlearn.lab.bench.suite import OBSERVED, Suite
from divlearn.lab.bench.task import Case, Contender
from divlearn.lab.engineering.families import ABOUT
from divlearn.methods.moves import DEFAULT_MOVES
from divlearn.methods.names import other_methods
from divlearn.methods.paper.method import PAPER_BUDGET

#: Methods of a suite where the user names none.
USUAL_METHODS = ("dl", "paper-ucb", "paper-ts", "uniform")
#: The paper's problems: families with their three sizes.
PAPER_SIZES = {
    "bitsp": (20, 50, 100),
    "bikp": (50, 100, 200),
    "tritsp": (20, 50, 100),
    "bicvrp": (20, 50, 100),
}
DIVERSITY_COLUMNS = (
    "hypervolume",
    "front_size",
    "coverage",
    "adjusted_diversity",
    "raw_diversity",
    "knn_diversity",
    "spread",
)
#: What the suite ``ablation`` does without, one at a time.
WITHOUT = {
    "tables": False,
    "archive": False,
    "geometry": False,
    "pairing": False,
    "pairs": False,
    "plans": False,
    "clauses": False,
    "count_questions": 0,
    "hidden": False,
    "questions": 0,
    "position_samples": 0,
    "route_samples": 0,
    "broad": False,
    "linkage": False,
    "gp_candidates": 0,
    "corner": False,
    "uncertainty": False,
    "gaps": False,
    "plateaus": False,
    "repeats": False,
    "replays": 0,
    "exploration": 0,
    "moves": DEFAULT_MOVES,  # reversals and blocks, whatever explains the outputs
}
#: Methods of the suite ``table1-all`` and their budgets, where not that of the paper:
#: those that take milliseconds or seconds for an evaluation get fewer, and ``dl`` and
#: ``random`` also as many as those.
ALL_METHODS = (
    ("dl", 100_000),
    ("paper-ucb", None),
    ("paper-ts", None),
    ("uniform", None),
    ("random", None),
    ("nsga2", 100_000),
    ("moead", 100_000),
    ("ppls-dc", 3_000_000),
    ("ws-lkh", None),
    ("ws-2opt", 3_000_000),
    ("ws-dp", None),
    ("pyvrp", None),
    ("pmoco", None),
    ("pmoco-matched", 100_000),
    ("qnehvi", 200),
    ("qparego", 200),
    ("bopr", 200),
    ("dl", 200),
    ("random", 200),
)
#: The paper's second row of PMOCO, with as many weights as its own method.
FEWER_WEIGHTS = Contender("pmoco", {"weights": 40})
#: Methods of the suite ``codesign``, the latter as far as their packages are there.
CODESIGN_METHODS = ("dl", "paper-ucb", "paper-ts", "random")
CODESIGN_BASELINES = ("nsga2", "optuna-tpe", "optuna-nsga2", "qnehvi", "qparego")
#: Methods of the suite ``engineering``, and what some of its problems need.
ENGINEERING_METHODS = ("dl", "random")
ENGINEERING_BASELINES = ("optuna-tpe", "nsga2", "optuna-gp", "qnehvi")
ENGINEERING_NEEDS = {"filter": "scipy", "learner": "sklearn", "coco": "cocoex"}
PAPER_PRESETS = ("paper-ucb", "paper-ts")
#: Sizes of the suite ``scaling``.
DOUBLING = (25, 50, 100, 200, 400)
#: Families and sizes of the suite ``scaling-long``.
LONG_FAMILIES, LONG = ("bitsp", "dispatch"), (1_000, 10_000)


def usual_methods() -> tuple[Contender, ...]:
    """Methods that are compared unless others are asked for."""
    return tuple(Contender(name) for name in USUAL_METHODS)


def _smoke() -> Suite:
    names = ("bitsp-20", "tritsp-20", "bikp-50", "bicvrp-20")
    return Suite(
        "smoke",
        "4 small problems, 2 instances, 2,000 evaluations: does everything work?",
        tuple(map(Case, names)),
        usual_methods(),
        budget=2_000,
        instances=(0, 1),
    )


def _table1() -> Suite:
    return Suite(
        "table1",
        "the paper's main table: 12 problems, 5 instances, "
        f"{PAPER_BUDGET:,} evaluations",
        tuple(Case(f"{f}-{n}") for f, sizes in PAPER_SIZES.items() for n in sizes),
        usual_methods(),
        budget=PAPER_BUDGET,
        instances=tuple(range(5)),
    )


def _table1_all() -> Suite:
    known = other_methods()
    there = [
        one
        for one in (*(Contender(n, budget=b) for n, b in ALL_METHODS), FEWER_WEIGHTS)
        if one.method not in known or known[one.method].installed
    ]
    return dataclasses.replace(
        _table1(),
        name="table1-all",
        description="the paper's main table with every method of it that is installed, "
        "on the problems it can treat: 5 instances; takes hours",
        methods=tuple(there),
        instances=tuple(range(100, 105)),
    )


def _bitsp50() -> Suite:
    return Suite(
        "bitsp50-10k",
        "the paper's diversity table: 50 cities with random distances, "
        "10,000 evaluations, 5 seeds",
        (Case("bitsp-matrix-50"),),
        usual_methods(),
        budget=10_000,
        seeds=tuple(range(5)),
        columns=DIVERSITY_COLUMNS,
        deviation="deviation",
    )


def _scaling() -> Suite:
    return Suite(
        "scaling",
        "one family at 25, 50, 100, 200 and 400, 3 instances, 20,000 evaluations; "
        "--problems names another family than bitsp",
        tuple(Case(f"bitsp-{n}") for n in DOUBLING),
        usual_methods(),
        budget=20_000,
        instances=(0, 1, 2),
    )


def _scaling_long() -> Suite:
    blind = {"special": False}
    return Suite(
        "scaling-long",
        "tours, assignments and knapsacks of 1,000 and 10,000 parts, 5 instances, "
        "1,000 evaluations; NSGA-II with and without what it knows of weights",
        (
            *(Case(f"{f}-{n}") for f in LONG_FAMILIES for n in LONG),
            *(Case(f"bikp-{n}", {"repair": "none"}) for n in LONG),
        ),
        (
            Contender("dl"),
            Contender("nsga2", blind),
            Contender("nsga2"),
            Contender("random"),
        ),
        budget=1_000,
        instances=tuple(range(100, 105)),
        columns=("hypervolume",),
    )


def _ablation() -> Suite:
    orders = ("bitsp-50", "biatsp-50", "bifsp-50", "qap-20", "biap-20", "noisytsp-50")
    others = ("bicvrp-20", "jobshop-10x5", "bikp-100", "synkp-50", "ubqp-100")
    return Suite(
        "ablation",
        "dl without each of its parts in turn: 17 problems, 5 instances, "
        "2,000 evaluations",
        (
            *map(Case, (*orders, *others, "mnk-100", "mixed-20", "traps-60")),
            Case("bikp-100", {"repair": "none"}),
            Case("biscp-100", {"form": "count"}),
            Case("vcover-100", {"form": "count"}),
        ),
        (
            Contender("dl"),
            *(Contender("dl", {k: v}) for k, v in WITHOUT.items()),
        ),
        budget=2_000,
        instances=tuple(range(100, 105)),
    )


def _codesign() -> Suite:
    there = [name for name in CODESIGN_BASELINES if other_methods()[name].installed]
    names = (*CODESIGN_METHODS, *there)
    return Suite(
        "codesign",
        "co-design of an accelerator in both spaces: 150 evaluations, 10 seeds, the "
        "front measured anew; Tchebycheff for the paper's presets",
        (Case("codesign-paper"), Case("codesign-large")),
        tuple(_with_tchebycheff(name) for name in names),
        budget=150,
        seeds=tuple(range(100, 110)),
        columns=("hypervolume", OBSERVED, "front_size"),
        deviation="deviation",
    )


def _engineering() -> Suite:
    there = [name for name in ENGINEERING_BASELINES if other_methods()[name].installed]
    families = [
        name
        for name in ABOUT
        if find_spec(ENGINEERING_NEEDS.get(family_of(name), "numpy"))
    ]
    return Suite(
        "engineering",
        "designs with reals, conditions, constraints and noise: 150 evaluations, 10 "
        "instances; --budget 60 and 300 for more",
        tuple(map(Case, families)),
        tuple(map(Contender, (*ENGINEERING_METHODS, *there))),
        budget=150,
        instances=tuple(range(100, 110)),
        columns=("hypervolume", "front_size"),
    )


def _with_tchebycheff(name: str) -> Contender:
    """A method; the paper's presets search concave fronts by Tchebycheff."""
    changes = {"scalarization": "tchebycheff"} if name in PAPER_PRESETS else {}
    return Contender(name, changes, label=name)


SUITES: dict[str, Callable[[], Suite]] = {
    "smoke": _smoke,
    "table1": _table1,
    "table1-all": _table1_all,
    "bitsp50-10k": _bitsp50,
    "scaling": _scaling,
    "scaling-long": _scaling_long,
    "ablation": _ablation,
    "codesign": _codesign,
    "engineering": _engineering,
}


def built_in(name: str) -> Suite:
    """Return a built-in suite by its name.

    Examples
    --------
    >>> len(built_in("table1").problems)
    12
    """
    return SUITES[require_one_of("suite", name, SUITES)]()

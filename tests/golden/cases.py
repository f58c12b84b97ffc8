"""Problems, methods and seeds whose fronts are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import numpy as np

import divlearn as dl
from divlearn.methods.names import method_for

#: Name of a problem, method, budget, seed. Spaces, numbers of objectives, constraints,
#: noise, both loops, every family of methods and all arms of ``dl`` occur.
CASES = [
    ("bitsp-20", "dl", 1_500, 0),
    ("bitsp-50", "dl", 600, 3),
    ("tritsp-20", "dl", 800, 1),
    ("biatsp-20", "dl", 800, 1),
    ("maxtsp-20", "dl", 800, 2),
    ("noisytsp-20", "dl", 400, 1),
    ("qap-12", "dl", 900, 5),
    ("bifsp-12", "dl", 400, 1),
    ("bikp-50", "dl", 2_500, 1),
    ("synkp-30", "dl", 90, 2),
    ("bicvrp-20", "dl", 600, 1),
    ("ubqp-30", "dl", 2_500, 4),
    ("mnk-24", "dl", 2_500, 1),
    ("mixed-20", "dl", 80, 1),
    ("permutation", "dl", 300, 1),
    ("subset", "dl", 2_500, 1),
    ("binary", "dl", 90, 2),
    ("categories", "dl", 120, 1),
    ("integers", "dl", 120, 1),
    ("levels", "dl", 120, 7),
    ("mixture", "dl", 150, 1),
    ("constrained", "dl", 250, 1),
    ("noisy", "dl", 150, 1),
    ("noisy, not declared", "dl", 150, 1),
    ("binary, not declared", "dl", 90, 2),
    ("traps-20", "dl", 1_200, 1),
    ("five objectives", "dl", 90, 1),
    ("one objective", "dl", 200, 1),
    ("tsp in python", "dl", 300, 1),
    ("bitsp-20", "paper-ucb", 2_000, 0),
    ("bikp-50", "paper-ucb", 2_000, 1),
    ("tritsp-20", "paper-ts", 2_000, 1),
    ("bicvrp-20", "paper-ts", 2_000, 2),
    ("mixture", "paper-ucb", 300, 1),
    ("constrained", "paper-ts", 300, 2),
    ("bitsp-20", "uniform", 2_000, 1),
    ("integers", "uniform", 300, 1),
    ("bitsp-20", "random", 1_000, 1),
    ("mixture", "random", 200, 1),
    ("bitsp-20", "pure-exp3", 500, 1),
    ("binary", "pure-ucb", 300, 1),
    ("bitsp-20", "nsga2", 1_000, 1),
    ("mixture", "nsga2", 300, 1),
    ("bitsp-20", "moead", 1_000, 1),
    ("bitsp-20", "ppls-dc", 3_000, 1),
    ("bikp-50", "ppls-dc", 3_000, 1),
    ("bikp-50", "ws-dp", 20, 1),
    ("bitsp-20", "ws-2opt", 400, 1),
]


#: Ends the name of a problem that does not say whether it has noise.
UNDECLARED = ", not declared"


def case_name(case: tuple[str, str, int, int]) -> str:
    """A case as its file of hashes calls it."""
    problem, method, budget, seed = case
    return f"{problem} by {method}, {budget} evaluations, seed {seed}"


#: What the presets did in version 0.1.0, where they do otherwise today.
BEFORE = {
    "coordination.acceleration": "averaged",
    "decomposition.count_neighbourhoods": False,
}


def front_hash(case: tuple[str, str, int, int]) -> str:
    """Solve a case and hash its front: every solution and every bit of its values."""
    problem, name, budget, seed = case
    method = method_for(name)
    if isinstance(method, dl.DivideAndLearn):
        method = method.replace(**BEFORE)
    result = dl.solve(problem_named(problem), budget, method=method, seed=seed)
    return hash_of(result)


def hash_of(result: dl.Result) -> str:
    """Hash a front without regard to the order of its members."""
    rows = sorted(
        repr((_plain(x), f.tobytes().hex(), g.tobytes().hex()))
        for x, f, g in zip(result.X, result.F, result.G, strict=True)
    )
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:20]


def _plain(x: object) -> object:
    """A solution of plain lists, numbers and words."""
    if isinstance(x, dict):
        return {key: _plain(value) for key, value in x.items()}
    return x.tolist() if hasattr(x, "tolist") else x


def problem_named(name: str) -> dl.Problem:
    """A problem of the catalogue, or one of those below, whose noise is declared."""
    own = name.removesuffix(UNDECLARED)
    if own not in OWN:
        return dl.problems.get(name, instance=3)
    problem = OWN[own]()
    problem.noise = bool(problem.noise) if own == name else None
    return problem


def _table(*shape: int) -> np.ndarray:
    """Numbers of which sums and products are exact, so that no library matters."""
    return np.random.default_rng(len(shape)).integers(1, 100, shape).astype(float)


def _permutation() -> dl.Problem:
    costs, late = _table(2, 14, 14), _table(14)

    def evaluate(x: np.ndarray) -> tuple[float, float]:
        done = late[x].cumsum()
        return float(costs[0, np.arange(14), x].sum()), float(done[::3].sum())

    return dl.Problem(dl.Permutation(14), evaluate, ["placing", "waiting"])


def _tour() -> dl.Problem:
    lengths = _table(2, 16, 16)

    def evaluate(x: np.ndarray) -> tuple[float, float]:
        after = np.roll(x, -1)
        return tuple(float(length[x, after].sum()) for length in lengths)

    return dl.Problem(dl.Permutation(16), evaluate, ["length", "tolls"])


def _subset() -> dl.Problem:
    worth = _table(20, 2)

    def evaluate(x: np.ndarray) -> tuple[float, float]:
        return float(worth[x, 0].sum()), float(worth[x, 1].sum() - 30 * len(x))

    senses = {"worth": "max", "burden": "min"}
    return dl.Problem(dl.Subset(20, min=2, max=8), evaluate, senses)


def _binary() -> dl.Problem:
    worth = _table(24, 2)

    def evaluate(x: np.ndarray) -> tuple[float, float]:
        pairs = float((x[1:] & x[:-1]).sum())
        return float(worth[x, 0].sum() + 40 * pairs), float(worth[x, 1].sum())

    return dl.Problem(dl.Binary(24), evaluate, {"gain": "max", "cost": "min"})


def _categories() -> dl.Problem:
    costs = _table(3, 4)

    def evaluate(x: list[str]) -> tuple[float, float]:
        codes = np.array(["abcd".index(letter) for letter in x])
        repeated = float((codes[1:] == codes[:-1]).sum())
        return float(costs[0, codes].sum()), float(
            costs[1, codes].sum() + 25 * repeated
        )

    return dl.Problem(dl.Categorical("abcd", n=9), evaluate, ["price", "weight"])


def _integers() -> dl.Problem:
    def evaluate(x: np.ndarray) -> tuple[float, float]:
        return float(((x - 3) ** 2).sum()), float(((x + x[::-1] - 5) ** 2).sum())

    return dl.Problem(dl.Integer(-5, 12, n=6), evaluate, ["near three", "near five"])


def _levels() -> dl.Problem:
    def evaluate(x: np.ndarray) -> tuple[float, float]:
        x = np.asarray(x, float)
        return float(((x - 0.5) ** 2).sum()), float(((x - 4.0) ** 2)[::2].sum() - x[1])

    levels = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0]
    return dl.Problem(dl.Ordinal(levels, n=7), evaluate, ["low", "high"])


def _mixed_space() -> dl.Composite:
    return dl.Composite(
        order=dl.Permutation(6),
        kind=dl.Categorical(["a", "b", "c"]),
        width=dl.Integer(1, 8, n=3),
        chosen=dl.Subset(7, min=1, max=4),
        fast=dl.Binary(2),
    )


def _mixed_values(x: dict[str, object]) -> tuple[float, float]:
    width, kind = np.asarray(x["width"]), "abc".index(x["kind"])
    cost = float(np.dot(x["order"], range(6)) + 4 * width.sum())
    gain = float(width[0] * width[1] + 7 * kind * len(x["chosen"]))
    return cost, gain - 9.0 * float(np.sum(x["fast"])) * kind


def _mixture() -> dl.Problem:
    senses = {"cost": "min", "gain": "max"}
    return dl.Problem(_mixed_space(), _mixed_values, senses)


def _constrained() -> dl.Problem:
    def evaluate(x: dict[str, object]) -> tuple[float, float, float]:
        cost, gain = _mixed_values(x)
        return cost, gain, float(np.sum(x["width"]) - 14)

    senses = {"cost": "min", "gain": "max"}
    return dl.Problem(_mixed_space(), evaluate, senses, constraints=["width"])


def _noisy() -> dl.Problem:
    rng = np.random.default_rng(5)

    def evaluate(x: np.ndarray) -> tuple[float, float]:
        error = rng.integers(-8, 9, 2)
        return float(x.sum() + error[0]), float(((x - 6) ** 2).sum() + error[1])

    space = dl.Integer(0, 9, n=8)
    return dl.Problem(space, evaluate, ["sum", "distance"], noise=True)


def _many() -> dl.Problem:
    costs = _table(5, 8, 5)

    def evaluate(x: np.ndarray) -> tuple[float, ...]:
        return tuple(float(cost[np.arange(8), x].sum()) for cost in costs)

    return dl.Problem(dl.Integer(0, 4, n=8), evaluate, list("abcde"))


def _single() -> dl.Problem:
    costs = _table(12, 12)

    def evaluate(x: np.ndarray) -> float:
        return float(costs[np.arange(12), x].sum())

    return dl.Problem(dl.Permutation(12), evaluate, ["cost"])


OWN: dict[str, Callable[[], dl.Problem]] = {
    "permutation": _permutation,
    "tsp in python": _tour,
    "subset": _subset,
    "binary": _binary,
    "categories": _categories,
    "integers": _integers,
    "levels": _levels,
    "mixture": _mixture,
    "constrained": _constrained,
    "noisy": _noisy,
    "five objectives": _many,
    "one objective": _single,
}

# ruff: noqa: T201 - a program that prints
"""Problems drawn at random whose values are of any size that a float can have.

Spaces, numbers of objectives and constraints, noise, methods and loops are drawn too.
Every problem is searched in a process that is watched, so that one which ends it is
seen and named by its seed: ``python -m tests.soak.numbers SEED COUNT`` runs it again.
"""

import argparse
import json
import signal
import subprocess
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
from numba import njit

import divlearn as dl
from divlearn.methods.paper.experts import (
    EXP3,
    FTRL,
    UCB,
    Expert,
    Mixture,
    Thompson,
    Uniform,
)
from divlearn.metrics import non_dominated
from divlearn.problems.compiled import Compiled
from tests.custom_encodings import Apart, Colours

EVALUATIONS = 60
#: CPU seconds after which a search, with all that it compiles, counts as endless.
PATIENCE = 300
#: Problems per process: a new one has to load all that is compiled.
CHUNK = 250
#: Values from which those of an objective are drawn.
NUM_VALUES = 997
LARGEST = sys.float_info.max


class Greedy(Expert):
    """An expert as a user would write it, which divides by what may be 0."""

    name = "greedy"

    @staticmethod
    def score(known, options):
        """Value by the spread, with chance."""
        return known.value / (known.variance + 1e-12) + known.u


SPACES = {
    "permutation": lambda: dl.Permutation(11),
    "binary": lambda: dl.Binary(9),
    "subset": lambda: dl.Subset(9, 4),
    "subset of any size": lambda: dl.Subset(8, min=1, max=5),
    "categorical": lambda: dl.Categorical("abcd", n=5),
    "ordinal": lambda: dl.Ordinal([1, 2, 4, 8, 16], n=4),
    "integer": lambda: dl.Integer(-9, 9, n=3),
    "one integer": lambda: dl.Integer(-5, 5),
    "composite": lambda: dl.Composite(
        order=dl.Permutation(6), bits=dl.Binary(3), level=dl.Integer(0, 6)
    ),
    "choices": lambda: dl.Composite(
        kind=dl.Categorical("abc", n=2), bits=dl.Binary(3), level=dl.Integer(0, 6, n=2)
    ),
}


def _experts(*experts):
    """The paper's method with other experts."""
    from divlearn.methods.names import method_for

    return method_for("paper-ts").replace(mixture=Mixture(experts))


def _exp4(*experts):
    """Experts whose shares follow the rewards, with the mixture's probability."""
    changes = {"mixture.weights": "exp4", "learning.probability": "mixture"}
    return _experts(*experts).replace(**changes)


#: Methods by family: name, and what makes it; those that take long come last.
METHODS = {
    "dl": lambda: "dl",
    "dl without the Gaussian process": lambda: dl.DL(gp_candidates=0),
    "dl by custom encodings": lambda: dl.DL(custom_encodings=(Colours(),)),
    "dl by custom pairs": lambda: dl.DL(custom_encodings=(Apart(),)),
    "paper-ucb": lambda: "paper-ucb",
    "paper-ts": lambda: "paper-ts",
    "uniform": lambda: "uniform",
    "UCB alone": lambda: _experts(UCB()),
    "Thompson alone": lambda: _experts(Thompson()),
    "EXP3 alone": lambda: _experts(EXP3()),
    "FTRL alone": lambda: _experts(FTRL()),
    "Uniform alone": lambda: _experts(Uniform()),
    "acquisition functions": lambda: _experts("ei", "pi", "kg", "ftrl-entropic"),
    "EXP4 over experts": lambda: _exp4("thompson", "exp3", "ftrl"),
    "a custom expert": lambda: _experts(Greedy(), EXP3()),
    "random": lambda: "random",
    "pure-ucb": lambda: "pure-ucb",
    "pure-exp3": lambda: "pure-exp3",
    "pure-thompson": lambda: "pure-thompson",
    "nsga2": lambda: "nsga2",
    "moead": lambda: "moead",
    "optuna-tpe": lambda: "optuna-tpe",
    "optuna-nsga2": lambda: "optuna-nsga2",
    "qparego": lambda: "qparego",
}
OURS = 15  # the first ones need no other packages
#: How often they are drawn: those at the end of the list are the slow ones.
SHARES = np.array([8, 6, 2, 2, *[2] * 11, *[1] * 6, 0.5, 0.5, 0.1])


# --- values


def _uniform(rng, size):
    """Between minus and plus one scale."""
    scale = 10.0 ** rng.choice([-308, -300, -160, -40, -30, 0, 30, 40, 160, 300, 307])
    return rng.uniform(-1, 1, size) * scale


def _largest(rng, size):
    """Anything up to the largest float."""
    return rng.uniform(-1, 1, size) * LARGEST


def _any_size(rng, size):
    """Any power of ten, of both signs: 1e-300 beside 1e300."""
    powers = rng.uniform(-308, 308, size)
    return rng.choice([-1.0, 1.0], size) * 10.0**powers


def _denormal(rng, size):
    """A few of the least floats there are."""
    return rng.integers(-5, 6, size) * 5e-324


def _equal(rng, size):
    """One value for all."""
    return np.full(size, rng.choice([0.0, 1.0, -1e-308, 1e300, LARGEST, -LARGEST]))


def _close(rng, size):
    """Values that differ in the last digits, at any scale."""
    start = rng.choice([1e-300, 1.0, 1e100, 1e308])
    return start * (1.0 + rng.integers(0, 9, size) * 2.0**-50)


def _penalty(rng, size):
    """Ordinary values, and the usual penalty."""
    failed = rng.random(size) < 0.2
    return np.where(failed, LARGEST, rng.normal(size=size))


VALUES = (_uniform, _largest, _any_size, _denormal, _equal, _close, _penalty)


@njit
def outputs_of(x, table, y):
    """Look the outputs up by a hash of the solution, or add up what each code has.

    The first column of a row says which of the two; the second one is what is added.
    """
    count = table.shape[1] - 2
    for j in range(y.shape[0]):
        if table[j, 0] == 0.0:
            key = 17 + j
            for i in range(x.shape[0]):
                key = (key * 31 + x[i] + 7) % 1_000_003
            y[j] = table[j, 2 + key % count]
        else:
            total = 0.0
            for i in range(x.shape[0]):
                total += table[j, 2 + (i * 37 + x[i]) % count]
            y[j] = total + table[j, 1]


def draw_table(rng, num_outputs, m, num_positions):
    """Draw the values of every output; sums must stay finite."""
    table = np.zeros((num_outputs, NUM_VALUES + 2))
    kind = VALUES[rng.integers(len(VALUES))]
    for j in range(num_outputs):
        if rng.random() < 0.4:  # else all outputs are of one kind
            kind = VALUES[rng.integers(len(VALUES))]
        values = kind(rng, NUM_VALUES)
        table[j, 0] = rng.random() < 0.4
        if table[j, 0]:
            values = values / (num_positions + 1)
        if j >= m:  # a constraint that about half of all solutions keep, or most
            shift = np.quantile(values, rng.choice([0.5, 0.9]))
            values = np.where(values > shift, np.abs(values), -np.abs(values))
        table[j, 2:] = values
    return table


# --- problems


def draw_case(seed):
    """Draw a problem, a method and how they meet."""
    rng = np.random.default_rng(seed)
    name = rng.choice(list(SPACES))
    space, m = SPACES[name](), int(rng.choice([1, 2, 2, 3, 3, *range(4, 11)]))
    method = rng.choice(list(METHODS), p=SHARES / SHARES.sum())
    c = int(rng.choice([0, 0, 1, 2])) if method != "moead" else 0
    if name != "permutation" and method == "dl by custom pairs":
        method = "dl"
    noisy = bool(rng.random() < 0.15)
    table = draw_table(rng, m + c, m, space.num_positions)
    way = rng.choice(["compiled", "asked", "saved", "study"], p=[0.4, 0.3, 0.2, 0.1])
    if noisy and way == "compiled":
        way = "asked"
    points = rng.choice(["none", "reference", "ideal"])
    senses = {f"f{j}": str(rng.choice(["min", "max"])) for j in range(m)}
    problem = make_problem(space, table, senses, c, noisy, way == "compiled", points)
    return SimpleNamespace(
        seed=seed, space=name, method=method, problem=problem, way=way
    )


def make_problem(space, table, senses, c, noisy, compiled, points):
    """Make the problem; noise halves a value now and then, or turns it round."""
    errors = np.random.default_rng(0)

    def evaluate(x):
        y = np.empty(len(table))
        outputs_of(space.encode(x), table, y)
        if noisy:
            y[: len(senses)] *= errors.choice([1.0, 0.5, -0.5])
        return y

    return dl.Problem(
        space,
        None if compiled else evaluate,
        senses,
        constraints=[f"c{k}" for k in range(c)],
        noise=noisy,
        compiled=Compiled(outputs_of, table) if compiled else None,
        **_corners(table[: len(senses), 2:], senses, points),
    )


def _corners(values, senses, points):
    """Reference and ideal point at the ends of all values, if they are wanted."""
    low, high = values.min(axis=1), values.max(axis=1)
    if points == "none" or (low == high).any():
        return {}
    down = np.array([sense == "min" for sense in senses.values()])
    corners = {"reference": np.where(down, high, low)}
    return corners | ({"ideal": np.where(down, low, high)} if points == "ideal" else {})


# --- searches


def run_case(case):
    """Search in the way that was drawn; returns the result."""
    method, problem, seed = METHODS[case.method](), case.problem, case.seed % 1000
    if case.way == "study":
        return _run_study(problem, method, seed)
    if case.way == "compiled":
        return dl.solve(problem, EVALUATIONS, method=method, seed=seed)
    optimizer = dl.Optimizer(problem, method, seed, budget=EVALUATIONS)
    _ask_and_tell(optimizer, EVALUATIONS // 2)
    if case.way == "saved":
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "state.npz")
            optimizer.save(path)
            optimizer = dl.Optimizer.load(path, problem, method)
    _ask_and_tell(optimizer, EVALUATIONS)
    optimizer.record()
    return optimizer.result("done")


def _ask_and_tell(optimizer, until):
    """Ask for some at a time and tell them in another order."""
    while optimizer.evaluations < until:
        batch = optimizer.ask(min(5, until - optimizer.evaluations))[::-1]
        optimizer.tell(batch, [optimizer.problem.evaluate(c.x) for c in batch])


def _run_study(problem, method, seed):
    """Half of it, then the rest from the file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "study.db")
        for budget in (EVALUATIONS // 2, EVALUATIONS):
            with dl.Study(problem, path, method=method, seed=seed) as study:
                result = study.run(budget=budget, workers=0)
        return result


def check_result(case, result):
    """What must be so, whatever the numbers were."""
    problem, m = case.problem, case.problem.num_objectives
    assert np.isfinite(result.F).all(), "a value of the front is not finite"
    assert np.isfinite(result.G).all(), "a constraint of the front is not finite"
    assert (result.G <= 0).all(), "something infeasible is on the front"
    assert result.evaluations <= EVALUATIONS, "too many evaluations"
    if not problem.noise:
        for x, f, g in zip(result.X, result.F, result.G, strict=True):
            told = case.problem.evaluate(x)
            assert (told[:m] == f).all(), "the front has other values than its x"
            assert (told[m:] == g).all(), "the front has other constraints"
    if len(result.F):
        kept = non_dominated(result.F, problem.senses)
        assert kept.all(), "a member of the front is dominated"
        assert result.knee().index >= 0
        result.closest(result.F[0])
    words = result.summary() + result.explain()
    assert "nan" not in words.lower().replace("nand", ""), "nan in the summary"
    if problem.reference is not None and problem.ideal is not None:
        assert np.isfinite(result.history["hypervolume"]).all(), "history is not finite"


# --- many of them


class OutOfTime(BaseException):
    """A search did not end; nobody else is to make something of it."""


def _ring(*_):
    raise OutOfTime


def run_seeds(first, count):
    """Run some seeds in this process, a line of JSON for each before and after."""
    signal.signal(signal.SIGPROF, _ring)
    for seed in range(first, first + count):
        print(json.dumps({"seed": seed}), flush=True)
        case, fault = draw_case(seed), None
        signal.setitimer(signal.ITIMER_PROF, PATIENCE)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", RuntimeWarning)
                result = run_case(case)
                check_result(case, result)
        except (Exception, OutOfTime):
            fault = traceback.format_exc(limit=-6)
        signal.setitimer(signal.ITIMER_PROF, 0)
        about = {name: str(getattr(case, name)) for name in ("space", "method", "way")}
        print(json.dumps({"seed": seed, "fault": fault, **about}), flush=True)


def run_watched(count, first=0, chunk=CHUNK):
    """Run seeds in processes of their own.

    Returns
    -------
    Number of problems run, by method and way, and what went wrong by seed.
    """
    ran, faults, seed = [], {}, first
    while seed < first + count:
        end = min(seed + chunk, first + count)
        command = [sys.executable, "-m", "tests.soak.numbers", str(seed)]
        lines = subprocess.run(
            [*command, str(end - seed)], stdout=subprocess.PIPE, text=True
        )
        told = [json.loads(line) for line in lines.stdout.splitlines()]
        done = [line for line in told if "fault" in line]
        ran += done
        faults |= {line["seed"]: line["fault"] for line in done if line["fault"]}
        seed = end
        if lines.returncode != 0:  # the last one that began ended the process
            seed = told[-1]["seed"]
            faults[seed] = f"the process ended with {lines.returncode}"
            seed += 1
    return SimpleNamespace(ran=ran, faults=faults)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int, nargs="?", default=1)
    options = parser.parse_args()
    run_seeds(options.seed, options.count)

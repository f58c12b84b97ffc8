"""DivlearnSampler inside Optuna, against dl itself and against Optuna's samplers.

    python benchmarks/optuna_sampler.py quality mixed-20 --seeds 10
    python benchmarks/optuna_sampler.py quality network --methods divlearn TPE GP
    python benchmarks/optuna_sampler.py overhead

``quality`` makes 150 trials of each problem with each sampler. Two problems are
divlearn's own, ``mixed-20`` on instances from 100 on; three are written for Optuna:
``network`` has parameters that depend on others, ``beam`` has constraints, ``boosting``
has one objective. ``dl`` is ``divlearn.solve`` on the same problem, with its space
written down. ``divlearn`` and ``dl`` know the reference point; ``unguided`` is the
sampler without it. GP is slow, and is not run unless it is asked for; ``--keep FILE``
writes down each run, and does not repeat those it finds there. Numbers are shares of
the volume between a bad and an ideal point, or of the way from a bad to an ideal value.
``overhead`` measures the CPU seconds of 1,000 trials of 20 parameters whose objective
costs nothing.
"""

from __future__ import annotations

import argparse
import json
import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.trial import TrialState

import divlearn as dl
from divlearn.integration.optuna import DivlearnSampler, suggest_subset
from divlearn.metrics import hypervolume

TRIALS = 150
#: Trials with those that ended at an invalid design; TPE may propose one for ever.
MOST = 5 * TRIALS
METHODS = ["divlearn", "dl", "unguided", "TPE", "NSGA-II", "random", "GP"]


# --- problems: once for Optuna, once with a space


@dataclass
class Case:
    """A problem, as both sides see it."""

    objective: Callable[[optuna.Trial], Any]
    problem: dl.Problem


def built_in(name: str, seed: int) -> Case:
    """A problem of divlearn; all but integers and bits are categories for Optuna."""
    problem = dl.problems.get(name, instance=100 + seed) if "mixed" in name else None
    problem = problem or dl.problems.get(name)

    def objective(trial):
        x = {}
        for part, space in problem.space.parts.items():
            if isinstance(space, dl.Integer):
                x[part] = trial.suggest_int(part, space.low, space.high)
            elif isinstance(space, dl.Binary):
                chosen = suggest_subset(trial, part, space.n)
                x[part] = np.isin(np.arange(space.n), chosen)
            else:
                x[part] = trial.suggest_categorical(part, space.values)
        return tuple(problem.evaluate(x).tolist())

    return Case(objective, problem)


def network_values(x):
    """Error and size of an imagined network; each optimizer has knobs of its own."""
    error = 0.05 + 0.3 * abs(math.log10(x["rate"]) + 2.5) / 2.5
    size = 0.0
    for i in range(x["layers"]):
        units = x[f"units_{i}"]
        size += units * (1 + 0.3 * i)
        error += 0.12 * abs(math.log2(units) - (6 - i)) / 6
    error += 0.25 * (3 - x["layers"]) ** 2 / 9
    if x["optimizer"] == "sgd":
        error += 0.2 * (x["momentum"] - 0.9) ** 2 + 0.05
    elif x["optimizer"] == "adam":
        error += 0.1 * abs(math.log10(x["epsilon"]) + 6) / 4
    else:
        error += 0.15
    return error, math.log10(size)


def network(seed: int) -> Case:
    """Two objectives, and parameters that exist only sometimes."""

    def objective(trial):
        x = {"rate": trial.suggest_float("rate", 1e-5, 1.0, log=True)}
        x["optimizer"] = trial.suggest_categorical(
            "optimizer", ["sgd", "adam", "lbfgs"]
        )
        if x["optimizer"] == "sgd":
            x["momentum"] = trial.suggest_float("momentum", 0.0, 1.0)
        if x["optimizer"] == "adam":
            x["epsilon"] = trial.suggest_float("epsilon", 1e-10, 1e-2, log=True)
        x["layers"] = trial.suggest_int("layers", 1, 4)
        for i in range(x["layers"]):
            x[f"units_{i}"] = trial.suggest_int(f"units_{i}", 4, 512, log=True)
        return network_values(x)

    units = dl.Integer(4, 512, log=True)
    space = dl.Composite(
        rate=dl.Real(1e-5, 1.0, log=True),
        optimizer=dl.Categorical(["sgd", "adam", "lbfgs"]),
        momentum=dl.If(optimizer="sgd", then=dl.Real(0.0, 1.0)),
        epsilon=dl.If(optimizer="adam", then=dl.Real(1e-10, 1e-2, log=True)),
        layers=dl.Integer(1, 4),
        units_0=units,
        **{f"units_{i}": dl.If(layers={"min": i + 1}, then=units) for i in (1, 2, 3)},
    )
    points = {"reference": (1.0, 3.5), "ideal": (0.0, 0.6)}
    problem = dl.Problem(space, network_values, ["error", "size"], **points)
    return Case(objective, problem)


def beam_values(x):
    """Weight and deflection of a welded beam, and four constraints on it."""
    h, ell, t, b = x["h"], x["l"], x["t"], x["b"]
    cost = 1.10471 * h**2 * ell + 0.04811 * t * b * (14.0 + ell)
    deflection = 2.1952 / (t**3 * b)
    first = 6000 / (math.sqrt(2) * h * ell)
    arm = math.sqrt(0.25 * (ell**2 + (h + t) ** 2))
    moment = 6000 * (14 + 0.5 * ell) * arm
    inertia = 2 * (0.707 * h * ell * (ell**2 / 12 + 0.25 * (h + t) ** 2))
    second = moment / inertia
    shear = math.sqrt(first**2 + second**2 + ell * first * second / arm)
    buckling = 64746.022 * (1 - 0.0282346 * t) * t * b**3
    return (
        (cost, deflection),
        (
            shear / 13600 - 1,
            504000 / (t**2 * b) / 30000 - 1,
            h - b,
            1 - buckling / 6000,
        ),
    )


def beam(seed: int) -> Case:
    """Two objectives, floats and constraints."""
    limits = {"h": (0.125, 5.0), "l": (0.1, 10.0), "t": (0.1, 10.0), "b": (0.125, 5.0)}

    def objective(trial):
        x = {name: trial.suggest_float(name, *both) for name, both in limits.items()}
        values, bounds = beam_values(x)
        for i, bound in enumerate(bounds):
            trial.set_constraint(f"g{i}", bound)
        return values

    problem = dl.Problem(
        dl.Composite(**{name: dl.Real(*both) for name, both in limits.items()}),
        beam_values,
        ["cost", "deflection"],
        constraints=["g0", "g1", "g2", "g3"],
        reference=(50.0, 0.02),
        ideal=(1.0, 0.0),
    )
    return Case(objective, problem)


def boosting_values(x):
    """Loss of imagined boosted trees."""
    strength = math.log10(x["rate"]) + math.log10(x["trees"]) - 1.2
    loss = 0.2 + 0.15 * strength**2 + 0.01 * (x["depth"] - 7) ** 2
    loss += 0.3 * (x["rows"] - 0.8) ** 2 + 0.3 * (x["columns"] - 0.5) ** 2
    loss += 0.04 * abs(math.log10(x["penalty"]) + 1) + 0.02 * abs(x["leaf"] - 12) / 10
    loss += {"square": 0.1, "huber": 0.0, "quantile": 0.25}[x["loss"]]
    return loss + 0.05 * abs(math.log2(x["bins"]) - 7) * (x["depth"] > 4)


def boosting(seed: int) -> Case:
    """One objective: floats with and without logarithm and steps, integers, lists."""

    def objective(trial):
        return boosting_values(
            {
                "rate": trial.suggest_float("rate", 1e-4, 1.0, log=True),
                "trees": trial.suggest_int("trees", 10, 5000, log=True),
                "depth": trial.suggest_int("depth", 2, 16),
                "rows": trial.suggest_float("rows", 0.1, 1.0, step=0.05),
                "columns": trial.suggest_float("columns", 0.1, 1.0, step=0.05),
                "penalty": trial.suggest_float("penalty", 1e-6, 1e2, log=True),
                "leaf": trial.suggest_int("leaf", 1, 200),
                "loss": trial.suggest_categorical(
                    "loss", ["square", "huber", "quantile"]
                ),
                "bins": trial.suggest_categorical("bins", [16, 32, 64, 128, 256]),
            }
        )

    space = dl.Composite(
        rate=dl.Real(1e-4, 1.0, log=True),
        trees=dl.Integer(10, 5000, log=True),
        depth=dl.Integer(2, 16),
        rows=dl.Real(0.1, 1.0, step=0.05),
        columns=dl.Real(0.1, 1.0, step=0.05),
        penalty=dl.Real(1e-6, 1e2, log=True),
        leaf=dl.Integer(1, 200),
        loss=dl.Categorical(["square", "huber", "quantile"]),
        bins=dl.Ordinal([16, 32, 64, 128, 256]),
    )
    points = {"reference": (1.0,), "ideal": (0.2,)}
    return Case(objective, dl.Problem(space, boosting_values, ["loss"], **points))


CASES = {
    "mixed-20": lambda seed: built_in("mixed-20", seed),
    "codesign-large": lambda seed: built_in("codesign-large", seed),
    "network": network,
    "beam": beam,
    "boosting": boosting,
}


# --- runs


def samplers(seed: int, reference: Any = None) -> dict[str, Any]:
    """Samplers by name, with the seed of a run."""
    given = {"seed": seed, "n_trials": TRIALS}
    return {
        "divlearn": DivlearnSampler(**given, reference=reference),
        "unguided": DivlearnSampler(**given),
        "TPE": optuna.samplers.TPESampler(seed=seed),
        "NSGA-II": optuna.samplers.NSGAIISampler(seed=seed),
        "random": optuna.samplers.RandomSampler(seed=seed),
        "GP": optuna.samplers.GPSampler(seed=seed),
    }


def share(problem: dl.Problem, front: np.ndarray) -> float:
    """How much of the way from reference to ideal a front has gone."""
    if not len(front):
        return 0.0
    if problem.num_objectives == 1:
        gone = problem.reference[0] - front.min()
        return max(0.0, float(gone / (problem.reference[0] - problem.ideal[0])))
    points = problem.reference, problem.ideal, problem.senses
    return float(hypervolume(front, *points))


def run(case: Case, sampler: Any) -> tuple[float, float]:
    """Quality and CPU seconds of a study."""
    directions = ["minimize"] * case.problem.num_objectives
    study = optuna.create_study(directions=directions, sampler=sampler)
    begun = time.process_time()
    # A design that is invalid is found out at no cost, and costs none here either.
    enough = optuna.study.MaxTrialsCallback(TRIALS, states=(TrialState.COMPLETE,))
    study.optimize(case.objective, MOST, callbacks=[enough], catch=dl.InvalidDesign)
    seconds = time.process_time() - begun
    trials = study.get_trials(states=(TrialState.COMPLETE,))
    feasible = [t for t in trials if all(c <= 0 for c in t.constraints.values())]
    return share(case.problem, np.array([t.values for t in feasible])), seconds


def one(name: str, seed: int, method: str) -> tuple[float, float]:
    """Quality and CPU seconds of a method with one seed."""
    case = CASES[name](seed)
    if method != "dl":
        return run(case, samplers(seed, case.problem.reference)[method])
    begun = time.process_time()
    result = dl.solve(case.problem, TRIALS, seed=seed, progress=False)
    return share(case.problem, result.F), time.process_time() - begun


def quality(
    names: list[str], seeds: range, methods: list[str], kept: Path | None
) -> None:
    """Print the quality of all samplers on some problems."""
    known = {}
    if kept and kept.exists():
        rows = map(json.loads, kept.read_text().splitlines())
        known = {
            (name, seed, method): tuple(rest) for name, seed, method, *rest in rows
        }
    for name in names:
        table: dict[str, list[tuple[float, float]]] = {each: [] for each in methods}
        for method, seed in product(methods, seeds):
            key = name, seed, method
            found = known.get(key) or one(*key)
            table[method].append(found)
            if kept and key not in known:
                with kept.open("a") as file:
                    file.write(json.dumps([*key, *found]) + "\n")
        show(name, table)


def show(name: str, table: dict[str, list[tuple[float, float]]]) -> None:
    """Print means, and paired differences of the first method to all."""
    ours = np.array(next(iter(table.values())))[:, 0]
    print(f"\n{name}: {TRIALS} trials, {len(ours)} seeds")
    print("method       mean      best     first - method        wins   CPU s")
    for method, rows in table.items():
        each, seconds = np.array(rows).T
        gain = ours - each
        error = gain.std(ddof=1) / math.sqrt(len(gain)) if len(gain) > 1 else math.nan
        print(
            f"{method:<11}{each.mean():7.4f}   {each.max():7.4f}   "
            f"{gain.mean():+8.4f} ± {error:.4f}   {(gain > 0).sum():>3} of {len(gain)}"
            f"   {seconds.mean():6.1f}",
            flush=True,
        )


def overhead(trials: int, parameters: int, methods: list[str]) -> None:
    """Print the CPU seconds of trials that cost nothing."""

    def values(trial, count):
        total = 0.0
        for i in range(parameters):
            kind = i % 4
            if kind == 0:
                total += (trial.suggest_float(f"x{i}", 0, 1) - 0.3) ** 2
            elif kind == 1:
                total += abs(trial.suggest_int(f"x{i}", 0, 20) - 7) / 20
            elif kind == 2:
                total += 0.1 * "abcd".index(trial.suggest_categorical(f"x{i}", "abcd"))
            else:
                rate = trial.suggest_float(f"x{i}", 1e-5, 1, log=True)
                total += abs(math.log10(rate) + 3) / 5
        return total if count == 1 else (total, -trial.params["x0"])

    for count in (1, 2):
        print(f"\n{trials} trials, {parameters} parameters, {count} objectives")
        for name, sampler in samplers(0).items():
            if name in methods:
                ways = ["minimize"] * count
                study = optuna.create_study(directions=ways, sampler=sampler)
                begun = time.process_time()
                study.optimize(partial(values, count=count), n_trials=trials)
                print(f"{name:<11}{time.process_time() - begun:7.1f} CPU s", flush=True)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("quality", "overhead"))
    parser.add_argument("problems", nargs="*", default=list(CASES))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=METHODS[:-1])
    parser.add_argument(
        "--keep", type=Path, help="a file of runs, which are not repeated"
    )
    given = parser.parse_args()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.simplefilter("ignore")
    if given.what == "quality":
        seeds = range(given.first, given.first + given.seeds)
        quality(given.problems, seeds, given.methods, given.keep)
    else:
        overhead(1000, 20, given.methods)


if __name__ == "__main__":
    main()

"""Exact regret of the method, of single experts and of local search, as plain data."""

from __future__ import annotations

from typing import Any

from divlearn.lab.theory.assumptions import facts_of
from divlearn.lab.theory.runs import Instance, cumulated, named_instance
from divlearn.lab.theory.stability import UNIT_MOVES
from divlearn.methods.paper.cover import cover_of
from divlearn.methods.paper.experts import (
    EXP3,
    FTRL,
    UCB,
    EntropicFTRL,
    Expert,
    Mixture,
    Thompson,
    Uniform,
)
from divlearn.methods.paper.method import PRESETS, DivideAndLearn

#: Experts that build every solution alone, without local search, and a control.
EXPERTS: dict[str, Expert] = {
    "UCB": UCB(),
    "Thompson": Thompson(),
    "EXP3": EXP3(),
    "FTRL": FTRL(),
    "entropic FTRL": EntropicFTRL(),
    "uniform": Uniform(),
}
#: Never reached: a local search goes on from where it is.
FOREVER = 10**9
#: A method that builds a solution in every iteration, and all whole methods.
BUILDING = "paper-ucb, building"
METHODS = ("paper-ucb", BUILDING, "paper-ts", "paper-literal", "uniform")
#: Weights of the first of two objectives.
WEIGHTS = (0.0, 0.25, 0.5, 0.75, 1.0)
#: Which moves a local search makes.
MOVES = ("unit moves", "all moves")


def whole_method(name: str) -> DivideAndLearn:
    """A method by name; one of them builds a solution in every iteration."""
    if name == BUILDING:
        return PRESETS["paper-ucb"]().replace(construct_every=1)
    return PRESETS[name]()


def expert_alone(expert: Expert, rate: float | str = 0.5) -> DivideAndLearn:
    """One expert that builds one solution per iteration and learns from it.

    Without local search, prices and a falling temperature: as the bounds have it.

    Parameters
    ----------
    expert
        Who chooses.
    rate
        eta of EXP3, see :class:`divlearn.methods.paper.experts.Learning`.
    """
    return DivideAndLearn(mixture=Mixture((expert,)), coordination=None).replace(
        **{
            "refinement.steps": 0,
            "learning.learning_rate": rate,
            "learning.temperature_decay": 1.0,
        }
    )


def local_search(positions: int, unit: bool) -> DivideAndLearn:
    """Random moves of one solution, in the whole or by unit moves only."""
    return DivideAndLearn(mixture=Mixture((Uniform(),)), coordination=None).replace(
        initial=1,
        patience=FOREVER,
        **{
            "learning.update": "never",
            "decomposition.size": positions,
            "decomposition.overlap": 0,
            "decomposition.neighbourhoods": 0,
            "refinement.steps": 1,
            "refinement.moves": UNIT_MOVES if unit else None,
            "refinement.adaptive": False,
        },
    )


def curves_of(
    method: DivideAndLearn, instance: Instance, iterations: int, seeds: int
) -> dict[str, Any]:
    """Cumulative regret of runs, as plain data."""
    rounds, sums = cumulated(method, instance, iterations, seeds)
    return {"rounds": rounds.tolist(), "sums": sums.tolist()}


def method_curves(name: str, iterations: int, seeds: int) -> dict[str, Any]:
    """Curves of whole methods on an instance, with its best and its range."""
    instance = named_instance(name)
    return {
        "instance": name,
        **facts_of(instance.problem, cover_of(instance.problem)),
        "best": instance.best,
        "range": instance.range,
        "curves": {
            label: curves_of(whole_method(label), instance, iterations, seeds)
            for label in METHODS
        },
    }


def weight_curves(name: str, iterations: int, seeds: int) -> list[dict[str, Any]]:
    """Curves of paper-ucb under several weight vectors of two objectives."""
    found = []
    for first in WEIGHTS:
        instance = named_instance(name, first)
        curves = curves_of(whole_method(METHODS[0]), instance, iterations, seeds)
        found.append({"weight": first, "best": instance.best, **curves})
    return found


def expert_curves(name: str, iterations: int, seeds: int) -> dict[str, Any]:
    """Curves of single experts on a toy."""
    instance = named_instance(name)
    return {
        label: curves_of(expert_alone(expert), instance, iterations, seeds)
        for label, expert in EXPERTS.items()
    }


def local_curves(name: str, iterations: int, seeds: int) -> dict[str, Any]:
    """Curves of local search with unit moves and with all moves."""
    instance = named_instance(name)
    n = instance.problem.space.num_positions
    return {
        label: curves_of(
            local_search(n, label == MOVES[0]), instance, iterations, seeds
        )
        for label in MOVES
    }

"""Which problems a file may hold, and their fields."""

from __future__ import annotations

from dataclasses import dataclass

from divlearn.problems.assignment import QuadraticAssignment
from divlearn.problems.binary_quadratic import BinaryQuadratic
from divlearn.problems.built_in import BuiltIn
from divlearn.problems.cvrp import CVRP
from divlearn.problems.flow_shop import FlowShop
from divlearn.problems.knapsack import Knapsack
from divlearn.problems.landscape import NKLandscape
from divlearn.problems.max_tsp import MaxTSP
from divlearn.problems.mixed_design import MixedDesign
from divlearn.problems.synergy import SynergyKnapsack
from divlearn.problems.tsp import TSP


@dataclass(frozen=True)
class Kind:
    """A problem and its arguments.

    Parameters
    ----------
    problem
        The class.
    arrays
        Arguments that are arrays of numbers.
    options
        Arguments that say how to search the instance; a reader may change them.
    parts
        Arguments that are anything else.
    """

    problem: type[BuiltIn]
    arrays: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


#: Options of all problems.
COMMON = ("name", "reference", "ideal")

KINDS = {
    "TSP": Kind(TSP, ("coordinates", "distances")),
    "Knapsack": Kind(Knapsack, ("weights", "values", "capacity"), ("repair", "fill")),
    "CVRP": Kind(
        CVRP,
        ("depot", "customers", "demands", "capacity", "distances"),
        ("decoder", "levels"),
    ),
    "MaxTSP": Kind(MaxTSP, ("coordinates", "distances")),
    "QuadraticAssignment": Kind(QuadraticAssignment, ("distances", "flows")),
    "FlowShop": Kind(FlowShop, ("times", "due")),
    "SynergyKnapsack": Kind(
        SynergyKnapsack, ("weights", "values", "capacity", "pairs", "bonuses")
    ),
    "BinaryQuadratic": Kind(BinaryQuadratic, ("matrices",)),
    "NKLandscape": Kind(NKLandscape, ("links", "contributions")),
    "MixedDesign": Kind(
        MixedDesign, ("scale", "bend"), parts=("space", "effects", "interactions")
    ),
}

"""Problems: your own, and the built-in ones with their instances."""

from divlearn.problems.assignment import QuadraticAssignment
from divlearn.problems.base import Problem
from divlearn.problems.binary_quadratic import BinaryQuadratic
from divlearn.problems.catalogue import catalogue, get
from divlearn.problems.compiled import Compiled
from divlearn.problems.cvrp import CVRP
from divlearn.problems.files import read, write
from divlearn.problems.flow_shop import FlowShop
from divlearn.problems.knapsack import Knapsack
from divlearn.problems.knapsack_exact import exact_front
from divlearn.problems.landscape import NKLandscape
from divlearn.problems.max_tsp import MaxTSP
from divlearn.problems.mixed_design import MixedDesign
from divlearn.problems.noisy import Noisy
from divlearn.problems.synergy import SynergyKnapsack
from divlearn.problems.tsp import TSP

__all__ = [
    "BinaryQuadratic",
    "CVRP",
    "Compiled",
    "FlowShop",
    "Knapsack",
    "MaxTSP",
    "MixedDesign",
    "NKLandscape",
    "Noisy",
    "Problem",
    "QuadraticAssignment",
    "SynergyKnapsack",
    "TSP",
    "catalogue",
    "exact_front",
    "get",
    "read",
    "write",
]

"""Problems: one's own, and the built-in ones with their instances."""

from divlearn.problems.base import Problem
from divlearn.problems.catalogue import catalogue, get
from divlearn.problems.compiled import Compiled
from divlearn.problems.cvrp import CVRP
from divlearn.problems.files import read, write
from divlearn.problems.knapsack import Knapsack
from divlearn.problems.knapsack_exact import exact_front
from divlearn.problems.tsp import TSP

__all__ = [
    "CVRP",
    "Compiled",
    "Knapsack",
    "Problem",
    "TSP",
    "catalogue",
    "exact_front",
    "get",
    "read",
    "write",
]

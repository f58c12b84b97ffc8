"""Built-in problems, a file each, and the table of them all.

A file holds a class, its objective and how its random instances are drawn. It is loaded
when its class or one of its instances is asked for, because its objective needs the
compiler.

An objective is ``objective(x, table, y)``: it reads the codes ``x`` and the instance
``table`` and writes objective values in the user's senses, then constraint values,
into ``y``. A repair is ``repair(x, table)`` and changes ``x`` in place; it depends on
nothing else, so that the same solution is always repaired in the same way.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from divlearn.problems.built_in.assignment import (
        QuadraticAssignment as QuadraticAssignment,
    )
    from divlearn.problems.built_in.base import Family
    from divlearn.problems.built_in.binary_quadratic import (
        BinaryQuadratic as BinaryQuadratic,
    )
    from divlearn.problems.built_in.covering import SetCovering as SetCovering
    from divlearn.problems.built_in.cvrp import CVRP as CVRP
    from divlearn.problems.built_in.dispatch import Dispatch as Dispatch
    from divlearn.problems.built_in.flow_shop import FlowShop as FlowShop
    from divlearn.problems.built_in.job_shop import JobShop as JobShop
    from divlearn.problems.built_in.knapsack import Knapsack as Knapsack
    from divlearn.problems.built_in.knapsack_exact import exact_front as exact_front
    from divlearn.problems.built_in.landscape import NKLandscape as NKLandscape
    from divlearn.problems.built_in.linear_assignment import (
        LinearAssignment as LinearAssignment,
    )
    from divlearn.problems.built_in.linear_ordering import (
        LinearOrdering as LinearOrdering,
    )
    from divlearn.problems.built_in.median import Median as Median
    from divlearn.problems.built_in.mixed_design import MixedDesign as MixedDesign
    from divlearn.problems.built_in.packing import SetPacking as SetPacking
    from divlearn.problems.built_in.satisfiability import (
        Satisfiability as Satisfiability,
    )
    from divlearn.problems.built_in.synergy import SynergyKnapsack as SynergyKnapsack
    from divlearn.problems.built_in.traps import Traps as Traps
    from divlearn.problems.built_in.tsp import TSP as TSP
    from divlearn.problems.built_in.tsp import MaxTSP as MaxTSP


class Entry(NamedTuple):
    """A name of random instances: their file and class, and what they are."""

    home: str
    kind: str
    description: str


#: All families by name, the paper's first.
FAMILIES = {
    "bitsp": Entry(
        "tsp", "TSP", "tour of N cities with 2 lengths; the paper's N: 20, 50, 100"
    ),
    "tritsp": Entry(
        "tsp", "TSP", "tour of N cities with 3 lengths; the paper's N: 20, 50, 100"
    ),
    "bikp": Entry(
        "knapsack",
        "Knapsack",
        "knapsack of N items with 2 values; the paper's N: 50, 100, 200; "
        "options repair, fill",
    ),
    "bicvrp": Entry(
        "cvrp",
        "CVRP",
        "routes to N customers, in total and the longest; the paper's N: 20, 50, 100; "
        "options decoder, levels, depot",
    ),
    "bitsp-matrix": Entry(
        "tsp", "TSP", "tour of N cities with 2 lengths by random distance matrices"
    ),
    "conflicttsp": Entry(
        "tsp",
        "TSP",
        "tour of N cities whose 2 lengths disagree at borders of regions; "
        "options regions, alpha",
    ),
    "biatsp": Entry(
        "tsp",
        "TSP",
        "tour of N cities with 2 costs, random and different there and back",
    ),
    "maxtsp": Entry(
        "tsp", "MaxTSP", "tour of N cities: the longer of 2 lengths, and a third length"
    ),
    "noisytsp": Entry("tsp", "TSP", "bitsp-N measured with 5 % noise; option noise"),
    "qap": Entry(
        "assignment",
        "QuadraticAssignment",
        "N facilities at N locations with 2 flows between them",
    ),
    "biap": Entry(
        "linear_assignment", "LinearAssignment", "N tasks for N agents with 2 costs"
    ),
    "triap": Entry(
        "linear_assignment", "LinearAssignment", "N tasks for N agents with 3 costs"
    ),
    "dispatch": Entry(
        "dispatch", "Dispatch", "N crews to N sites, with their ways on 2 maps"
    ),
    "bifsp": Entry(
        "flow_shop",
        "FlowShop",
        "order of N jobs on 10 machines: makespan and total tardiness; option machines",
    ),
    "jobshop": Entry(
        "job_shop",
        "JobShop",
        "N jobs with ways of their own through 5 machines: makespan and total "
        "tardiness; option machines, also as jobshop-10x5",
    ),
    "bilop": Entry(
        "linear_ordering",
        "LinearOrdering",
        "order of N items with 2 gains for each item before another",
    ),
    "synkp": Entry(
        "synergy",
        "SynergyKnapsack",
        "knapsack of N items with 2 values and bonuses for hidden pairs; option pairs",
    ),
    "ubqp": Entry(
        "binary_quadratic",
        "BinaryQuadratic",
        "N bits with 2 quadratic values; options density, rho",
    ),
    "mnk": Entry(
        "landscape",
        "NKLandscape",
        "N bits, each contributing with k others to 2 values; options k, rho",
    ),
    "traps": Entry(
        "traps",
        "Traps",
        "N bits, a multiple of 5, in hidden blocks that are good as all ones or all "
        "zeros; option block",
    ),
    "maxsat": Entry(
        "satisfiability",
        "Satisfiability",
        "N bits and 2 lists of clauses of 3 of them, of which many are to hold; "
        "options clauses, length",
    ),
    "biscp": Entry(
        "covering",
        "SetCovering",
        "columns out of N that cover all rows, with 2 costs; "
        "options form, rows, density",
    ),
    "vcover": Entry(
        "covering",
        "SetCovering",
        "nodes out of N at all edges of a graph, with 2 costs; options form, degree",
    ),
    "bimis": Entry(
        "packing",
        "SetPacking",
        "nodes out of N without an edge between them, with 2 values; "
        "options form, degree, rows, density",
    ),
    "pmedian": Entry(
        "median",
        "Median",
        "N/10 of N sites, near to all customers on 2 maps; options sites, costs",
    ),
    "mixed": Entry(
        "mixed_design",
        "MixedDesign",
        "design of N categories, levels and switches, 4 objectives, 5 % noise; "
        "option noise",
    ),
}
#: Classes by name, and their files; instance files hold problems of these classes.
CLASSES = {row.kind: row.home for row in FAMILIES.values()}
#: All public names, and their files.
HOMES = CLASSES | {"exact_front": "knapsack_exact"}


def load(name: str) -> Any:
    """Load a public name from its file."""
    return getattr(import_module(f"{__name__}.{HOMES[name]}"), name)


def load_family(name: str) -> Family:
    """Load a family from its file."""
    found: Family = import_module(f"{__name__}.{FAMILIES[name].home}").FAMILIES[name]
    return found

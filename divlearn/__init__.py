"""Multi-objective optimization over orders, subsets, categories and numbers.

Public names are loaded when they are first used. This keeps ``import divlearn`` quick,
and the compiler starts only with a search.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from divlearn.basics.version import __version__

if TYPE_CHECKING:
    from divlearn import metrics, problems
    from divlearn.basics.errors import (
        AnswerError,
        DivlearnError,
        EvaluationError,
        InputError,
        InvalidDesign,
        MissingExtra,
        NoCandidates,
        NothingToAsk,
        SearchError,
        SearchInterrupted,
        StoreError,
        StoreInUse,
        TooManyFailures,
    )
    from divlearn.methods.base import Method
    from divlearn.methods.dl.encodings import Encoding
    from divlearn.methods.dl.method import DL
    from divlearn.methods.moves import Move
    from divlearn.methods.others.base import AskTell, WholeSolver
    from divlearn.methods.paper import experts
    from divlearn.methods.paper.method import DivideAndLearn
    from divlearn.optimizer import Optimizer
    from divlearn.optimizer.candidates import Candidate
    from divlearn.optimizer.stop import (
        AnyOf,
        Criterion,
        HypervolumeStagnation,
        MaxEvaluations,
        MaxSeconds,
    )
    from divlearn.problems import Compiled, Problem
    from divlearn.result import Result, load
    from divlearn.solver import solve
    from divlearn.spaces import (
        Binary,
        Categorical,
        Composite,
        If,
        Integer,
        Ordinal,
        Partition,
        Permutation,
        Real,
        Space,
        Subset,
    )
    from divlearn.study import Study

_HOMES = {
    "divlearn.basics.errors": (
        "AnswerError",
        "DivlearnError",
        "EvaluationError",
        "InputError",
        "InvalidDesign",
        "MissingExtra",
        "NoCandidates",
        "NoCandidates",
        "NothingToAsk",
        "SearchError",
        "SearchInterrupted",
        "StoreError",
        "StoreInUse",
        "TooManyFailures",
    ),
    "divlearn.optimizer.candidates": ("Candidate",),
    "divlearn.methods.base": ("Method",),
    "divlearn.methods.dl.method": ("DL",),
    "divlearn.methods.dl.encodings": ("Encoding",),
    "divlearn.methods.moves": ("Move",),
    "divlearn.methods.others.base": ("AskTell", "WholeSolver"),
    "divlearn.optimizer": ("Optimizer",),
    "divlearn.optimizer.stop": (
        "AnyOf",
        "Criterion",
        "HypervolumeStagnation",
        "MaxEvaluations",
        "MaxSeconds",
    ),
    "divlearn.problems": ("Compiled", "Problem"),
    "divlearn.result": ("Result", "load"),
    "divlearn.methods.paper.method": ("DivideAndLearn",),
    "divlearn.solver": ("solve",),
    "divlearn.spaces": (
        "Binary",
        "Categorical",
        "Composite",
        "If",
        "Integer",
        "Ordinal",
        "Partition",
        "Permutation",
        "Real",
        "Space",
        "Subset",
    ),
    "divlearn.study": ("Study",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
_MODULES = {
    name: f"divlearn.{name}"
    for name in (
        "lab",
        "metrics",
        "plot",
        "problems",
        "simulator",
        "spaces",
        "testing",
        "workers",
    )
} | {"experts": "divlearn.methods.paper.experts", "stop": "divlearn.optimizer.stop"}

__all__ = [
    "AnswerError",
    "AnyOf",
    "AskTell",
    "Binary",
    "Candidate",
    "Categorical",
    "Compiled",
    "Composite",
    "Criterion",
    "DL",
    "DivideAndLearn",
    "DivlearnError",
    "Encoding",
    "EvaluationError",
    "HypervolumeStagnation",
    "If",
    "InputError",
    "Integer",
    "InvalidDesign",
    "MaxEvaluations",
    "MaxSeconds",
    "Method",
    "MissingExtra",
    "Move",
    "NoCandidates",
    "NothingToAsk",
    "Optimizer",
    "Ordinal",
    "Partition",
    "Permutation",
    "Problem",
    "Real",
    "Result",
    "SearchError",
    "SearchInterrupted",
    "Space",
    "StoreError",
    "StoreInUse",
    "Study",
    "Subset",
    "TooManyFailures",
    "WholeSolver",
    "__version__",
    "experts",
    "load",
    "metrics",
    "problems",
    "solve",
]


def __getattr__(name: str) -> Any:
    """Load a public name from its module."""
    if name in _HOME_OF:
        return getattr(import_module(_HOME_OF[name]), name)
    if name in _MODULES:
        return import_module(_MODULES[name])
    raise AttributeError(f"module 'divlearn' has no attribute {name!r}")


def __dir__() -> list[str]:
    """List the public names."""
    return sorted(__all__)

"""Simulators: problems that another program evaluates, described in a TOML file."""

from divlearn.simulator.loading import load_space, load_toml
from divlearn.simulator.options import RunOptions
from divlearn.simulator.problem import ReportedProblem, SimulatorProblem

__all__ = [
    "ReportedProblem",
    "RunOptions",
    "SimulatorProblem",
    "load_space",
    "load_toml",
]

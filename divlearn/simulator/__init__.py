"""Simulators: problems that another program evaluates, described in a TOML file."""

from divlearn.simulator.loading import load_toml
from divlearn.simulator.options import RunOptions
from divlearn.simulator.problem import SimulatorProblem

__all__ = ["RunOptions", "SimulatorProblem", "load_toml"]

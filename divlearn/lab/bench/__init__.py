"""Benchmarks: suites of runs, a store that keeps them, tables, pictures, statistics."""

from divlearn.lab.bench.built_in import SUITES, built_in
from divlearn.lab.bench.compare import compare_methods
from divlearn.lab.bench.files import write_files
from divlearn.lab.bench.own import read_suite
from divlearn.lab.bench.runner import run_suite
from divlearn.lab.bench.store import Store
from divlearn.lab.bench.suite import Suite, changed
from divlearn.lab.bench.summary import summarize_suite
from divlearn.lab.bench.task import Case, Contender, Task, gridded

__all__ = [
    "SUITES",
    "Case",
    "Contender",
    "Store",
    "Suite",
    "Task",
    "built_in",
    "changed",
    "compare_methods",
    "gridded",
    "read_suite",
    "run_suite",
    "summarize_suite",
    "write_files",
]

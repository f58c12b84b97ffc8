"""Benchmarks: suites of runs, a store that keeps them, tables, pictures, statistics."""

from divlearn.benchmark.built_in import SUITES, built_in
from divlearn.benchmark.compare import compare_methods
from divlearn.benchmark.files import write_files
from divlearn.benchmark.own import read_suite
from divlearn.benchmark.runner import run_suite
from divlearn.benchmark.store import Store
from divlearn.benchmark.suite import Suite, changed
from divlearn.benchmark.summary import summarize_suite
from divlearn.benchmark.task import Case, Contender, Task

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
    "read_suite",
    "run_suite",
    "summarize_suite",
    "write_files",
]

"""Doctests of modules that need an extra run where it is installed."""

from importlib.util import find_spec

if find_spec("torch") is None:
    collect_ignore_glob = ["divlearn/baselines/pmoco/*"]

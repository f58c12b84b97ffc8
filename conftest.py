"""For all tests and doctests: how they end, and which of them need an extra."""

from importlib.util import find_spec

pytest_plugins = ["tests.ending"]

if find_spec("torch") is None:
    collect_ignore_glob = ["divlearn/lab/baselines/pmoco/*"]

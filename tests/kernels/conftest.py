"""Plain Python takes the time of a hundred compilers: there, less is tried."""

import pytest

from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.models.gp import settings


@pytest.fixture(scope="session", autouse=True)
def few_tries_in_plain_python():
    """Let the Gaussian process compare a handful of candidates per proposal."""
    names = ("EFFORT", "FEWEST_TRIES", "MOST_EFFORT_ON_ORDERS")
    usual = {name: getattr(settings, name) for name in names}
    if JIT_DISABLED:
        few = dict(zip(names, (0, 10, 1.0), strict=True))
        vars(settings).update(few)
    yield
    vars(settings).update(usual)

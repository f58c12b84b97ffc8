"""Plain Python takes the time of a hundred compilers: there, less is tried."""

import pytest

from divlearn.kernels.jit import JIT_DISABLED
from divlearn.methods.dl.kernels.models.gp import state


@pytest.fixture(scope="session", autouse=True)
def few_tries_in_plain_python():
    """Let the Gaussian process compare a handful of candidates per proposal."""
    usual = state.EFFORT, state.FEWEST_TRIES
    if JIT_DISABLED:
        state.EFFORT, state.FEWEST_TRIES = 0, 10
    yield
    state.EFFORT, state.FEWEST_TRIES = usual

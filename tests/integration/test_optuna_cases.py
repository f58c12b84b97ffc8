"""The cases that Optuna has for every sampler."""

import optuna
import pytest
from optuna.testing.pytest_samplers import (
    BasicSamplerTestCase,
    MultiObjectiveSamplerTestCase,
    RelativeSamplerTestCase,
)

from divlearn.integration.optuna import DivlearnSampler


@pytest.fixture(autouse=True)
def quiet():
    """Keep Optuna's messages away."""
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    yield
    optuna.logging.set_verbosity(before)


class TestDivlearnSampler(
    BasicSamplerTestCase, RelativeSamplerTestCase, MultiObjectiveSamplerTestCase
):
    """All that Optuna demands of a sampler for one and for several objectives."""

    @pytest.fixture
    def sampler(self):
        """What makes a sampler for each case."""
        return lambda: DivlearnSampler(seed=0)

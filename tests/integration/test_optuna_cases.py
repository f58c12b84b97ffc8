"""The cases that Optuna has for every sampler."""

import pytest
from optuna.testing.pytest_samplers import (
    BasicSamplerTestCase,
    MultiObjectiveSamplerTestCase,
    RelativeSamplerTestCase,
)

from divlearn.integration.optuna import DivlearnSampler


@pytest.mark.usefixtures("quiet")
class TestDivlearnSampler(
    BasicSamplerTestCase, RelativeSamplerTestCase, MultiObjectiveSamplerTestCase
):
    """All that Optuna demands of a sampler for one and for several objectives."""

    @pytest.fixture
    def sampler(self):
        """What makes a sampler for each case."""
        return lambda: DivlearnSampler(seed=0)

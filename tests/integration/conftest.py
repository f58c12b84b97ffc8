"""What the tests of integrations share."""

import pytest


@pytest.fixture
def quiet():
    """Keep Optuna's messages away."""
    import optuna

    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    yield
    optuna.logging.set_verbosity(before)

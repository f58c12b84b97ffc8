"""When a table of items at positions is fitted to all differences."""

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import lean_kernel
from divlearn.methods.dl.kernels.models import positions
from divlearn.methods.dl.kernels.models.encodings import VALUE
from divlearn.methods.dl.kernels.models.pairing.model import (
    IN_USE,
    NO_MODEL,
    PROBING,
    SAMPLING,
)
from tests.kernels.dl.cases import small, state_for


@lean_kernel
def refresh_positions(state):
    """Call the kernel by the state's address."""
    positions.refresh_positions(state)


@pytest.mark.parametrize("phase", [PROBING, SAMPLING, IN_USE, NO_MODEL])
def test_positions_are_not_fitted_where_pairs_explain_more(phase):
    """They cannot become exact there, and such fits took a third of a search."""
    settings = small(pairing_samples=600, position_samples=10)
    state = state_for(dl.Permutation(8), 2, settings)
    tables, record = state.tables, state.pairing.record[0]
    tables.chosen[:] = int(np.flatnonzero(tables.encodings == VALUE)[0])
    state.control.differences = state.control[0].next_sums
    record.phase, record.placed = phase, positions.NUM_PLACED
    before = int(state.control[0].next_sums)
    refresh_positions(state)
    assert (state.control[0].next_sums > before) == (phase in (PROBING, NO_MODEL))

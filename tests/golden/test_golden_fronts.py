"""Searches find what version 0.1.0 found, to the last bit."""

import json

import pytest

from divlearn.kernels.jit import JIT_DISABLED
from tests.golden.__main__ import FILE
from tests.golden.cases import CASES, case_name, front_hash

KEPT = json.loads(FILE.read_text())


@pytest.mark.usefixtures("whole_gp")
@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_a_front_is_the_one_that_was_kept(case):
    """No rearrangement of the code may change a result.

    Where a front changes on purpose, say so in the changelog and write the file anew
    by ``python -m tests.golden``.
    """
    assert front_hash(case) == KEPT[case_name(case)]


def test_every_kept_front_has_its_case():
    """A case that is dropped leaves no hash behind that nobody compares."""
    assert sorted(KEPT) == sorted(map(case_name, CASES))

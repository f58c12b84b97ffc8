import numpy as np
import pytest

from divlearn.lab.paper.claims import FAILS, HOLDS, OPEN, all_of, interval, judge, said
from divlearn.metrics import summarize


def test_a_claim_holds_where_the_whole_interval_agrees_with_it():
    """Above a limit, below one, and between two."""
    values = [0.9, 1.0, 1.1, 1.0]
    assert judge(values, above=0.5) == judge(values, below=1.5) == HOLDS
    assert judge(values, above=0.5, below=1.5) == HOLDS


def test_a_claim_fails_where_the_whole_interval_contradicts_it():
    """On either side of what was claimed."""
    values = [0.9, 1.0, 1.1, 1.0]
    assert judge(values, above=1.5) == judge(values, below=0.5) == FAILS
    assert judge(values, above=1.5, below=2.0) == FAILS
    assert judge(values, above=0.1, below=0.5) == FAILS


@pytest.mark.parametrize("values", [[], [1.0], [np.nan, 1.0], [-1.0, 1.0]])
def test_too_few_runs_and_wide_intervals_decide_nothing(values):
    """More runs may."""
    assert judge(values, above=0.0) == OPEN


def test_a_limit_inside_the_interval_decides_nothing():
    """Neither of the two claims is shown."""
    values = [0.9, 1.0, 1.1, 1.0]
    assert judge(values, above=1.0) == judge(values, below=1.0) == OPEN


def test_intervals_are_students_and_leave_missing_values_out():
    """As everywhere in the package."""
    known = summarize([1.0, 2.0, 4.0])
    assert interval([1.0, np.nan, 2.0, 4.0]) == (known.mean, known.low, known.high)
    assert said([np.nan]) == "-"


def test_one_part_that_fails_is_enough():
    """And one that is not decided leaves the whole undecided."""
    assert all_of([HOLDS, HOLDS]) == HOLDS
    assert all_of([HOLDS, OPEN]) == OPEN
    assert all_of([OPEN, FAILS]) == FAILS

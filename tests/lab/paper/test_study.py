import numpy as np
from numpy.testing import assert_array_equal

from divlearn.lab.paper.studies import all_studies
from tests.lab.paper.conftest import evidence

PAIR = ("a", "b")


def test_methods_are_paired_on_the_runs_that_both_have():
    """Instance by instance, seeds of one instance averaged first."""
    first = {(0, 0): 1.0, (0, 1): 3.0, (1, 0): 5.0, (2, 0): 9.0}
    second = {(0, 0): 1.0, (0, 1): 1.0, (1, 0): 2.0}
    made = evidence({("p", "a"): {"hv": first}, ("p", "b"): {"hv": second}})
    assert_array_equal(made.differences("p", PAIR, "hv"), [1.0, 3.0])
    assert_array_equal(made.ratios("p", PAIR, "hv"), [2.0, 2.5])


def test_runs_on_one_instance_are_paired_by_seed():
    """They are all there is."""
    values = {(0, seed): float(seed) for seed in range(3)}
    made = evidence({("p", "a"): {"hv": values}, ("p", "b"): {"hv": {(0, 2): 1.0}}})
    assert_array_equal(made.differences("p", PAIR, "hv"), [1.0])


def test_what_is_not_measured_gives_no_values():
    """Claims on it are then not decided."""
    made = evidence({("p", "a"): {}, ("p", "b"): {"hv": [1.0]}})
    assert made.differences("p", PAIR, "hv").shape == (0,)
    assert made.units("p", "a", "hv").shape == (0,)


def test_what_is_computed_once_is_kept_to_the_last_digit(tmp_path):
    """The second time nothing is computed."""
    made = evidence({}, folder=tmp_path)
    number = float(np.nextafter(0.1, 1.0))
    assert made.once("numbers", lambda: {"x": [number]}) == {"x": [number]}
    assert made.once("numbers", lambda: 1 / 0) == {"x": [number]}


def test_what_other_code_computed_is_not_taken(tmp_path, monkeypatch):
    """Its runs would not be taken from a store either."""
    made = evidence({}, folder=tmp_path)
    made.once("numbers", lambda: 1)
    monkeypatch.setattr("divlearn.lab.paper.study.FORMAT", "next")
    assert made.once("numbers", lambda: 2) == 2


def runs(suites):
    """About how many runs suites have."""
    return sum(
        len(suite.methods)
        * len(suite.seeds)
        * sum(len(suite.instances_of(case)) for case in suite.problems)
        for suite in suites
    )


def test_studies_stand_in_the_order_of_the_paper_and_have_two_forms():
    """The short form is never the larger one, and its suites are among the others."""
    studies = list(all_studies().values())
    assert [one.line for one in studies] == sorted(one.line for one in studies)
    for study in studies:
        short, full = study.suites(True), study.suites(False)
        names = [[suite.name for suite in form] for form in (short, full)]
        assert set(names[0]) <= set(names[1])
        assert len(set(names[1])) == len(names[1])
        assert runs(short) <= runs(full)

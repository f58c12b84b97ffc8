"""Fronts of noisy problems: what they are worth, beside what the search saw."""

import math
import sqlite3

import numpy as np
import pytest

from divlearn.basics.errors import StoreError
from divlearn.lab.bench import Case, Contender, Suite, summarize_suite
from divlearn.lab.bench.captions import legend
from divlearn.lab.bench.measures import values_of
from divlearn.lab.bench.suite import OBSERVED
from divlearn.lab.bench.task import Task
from divlearn.lab.bench.work import perform
from divlearn.problems import get
from divlearn.solver import solve
from tests.lab.bench.conftest import outcome


def task(problem):
    """A short run."""
    return Task(Case(problem), 0, Contender("uniform"), 3, budget=200)


def test_the_observed_hypervolume_is_kept_beside_that_of_the_true_front(store):
    """Under noise the front that a search sees is too good to be true."""
    noisy = task("noisytsp-12")
    store.write(noisy, perform(noisy))
    (run,) = store.runs()
    seen = solve(get("noisytsp-12"), 200, method="uniform", seed=3)
    observed = values_of(OBSERVED, [run], store)[run.key]
    assert observed == seen.hypervolume()
    assert run.hypervolume < observed
    true = get("noisytsp-12").exact.evaluate_batch(
        store.solutions(run.key, get("noisytsp-12"))
    )
    np.testing.assert_allclose(store.front(run.key), true)


def test_without_noise_both_are_the_same_and_without_a_record_unknown(store):
    """A gap is shown as a gap, not as a guess."""
    for problem in ("bitsp-8", "noisytsp-12"):
        store.write(task(problem), outcome(0.5))
    values = values_of(OBSERVED, store.runs(), store)
    assert values[task("bitsp-8").key] == 0.5
    assert math.isnan(values[task("noisytsp-12").key])


def test_a_run_is_never_stored_without_its_measures(store):
    """Both or neither, whatever goes wrong in between."""
    broken = outcome(0.5, measures={OBSERVED: object()})
    with pytest.raises((StoreError, sqlite3.Error)):
        store.write(task("noisytsp-12"), broken)
    assert store.runs() == []
    store.write(task("noisytsp-12"), outcome(0.5, measures={OBSERVED: 0.6}))
    assert values_of(OBSERVED, store.runs(), store) == {task("noisytsp-12").key: 0.6}


def test_tables_show_both_and_say_what_they_are(store):
    """The column of the judged front ranks the methods."""
    suite = Suite(
        "noisy",
        "",
        (Case("noisytsp-12"),),
        (Contender("uniform"),),
        budget=200,
        seeds=(3,),
        columns=("hypervolume", OBSERVED),
    )
    store.write(suite.tasks()[0], perform(suite.tasks()[0]))
    report = summarize_suite(suite, store)
    cell = report.cells["noisytsp-12", "uniform"]
    assert cell.summary("hypervolume").mean < cell.summary(OBSERVED).mean
    assert "measured anew" in legend(report)
    assert report.quality("noisytsp-12") == "hypervolume"

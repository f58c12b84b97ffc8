"""Fronts of studies with different numbers of worker processes."""

import random
import tempfile
import time
from pathlib import Path

import divlearn as dl
from divlearn.workers import current_attempt
from tests.study.conftest import SPACES, same_front, tiny

METHODS = ("dl", "paper-ts")


def same_fronts(budget=100, sizes=(1, 2, 4, 8), spaces=tuple(SPACES), methods=METHODS):
    """Compare the fronts for every space and method; returns how many studies ran."""
    studies = 0
    for space in spaces:
        for method in methods:
            fronts = [_front(space, method, budget, size) for size in sizes]
            studies += len(fronts)
            same = all(same_front(fronts[0], other) for other in fronts[1:])
            assert same, f"{space} by {method}: another front"
    return {"studies": studies, "identical": True}


def _front(space, method, budget, workers):
    """Run a study whose evaluations end in any order."""
    exact = tiny(space)

    def evaluate(x):
        time.sleep(random.Random(current_attempt().seed + workers).uniform(0, 0.004))
        return exact.evaluate(x)

    problem = dl.Problem(exact.space, evaluate, exact.objectives)
    with (
        tempfile.TemporaryDirectory() as folder,
        dl.Study(problem, Path(folder, "s.db"), method=method, seed=4) as study,
    ):
        return study.run(budget, workers=workers)

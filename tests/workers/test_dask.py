"""Evaluations on the workers of a Dask cluster."""

import sys

import pytest

import divlearn as dl
from divlearn.basics.errors import DivlearnError, InputError, MissingExtra
from divlearn.workers import Attempt, DaskPool, open_pool
from tests.workers.cluster import cluster_of
from tests.workers.objectives import PROBLEM
from tests.workers.processes import wait_until


def test_without_dask_the_error_says_what_to_install(monkeypatch):
    """Nobody should have to search for the name of an extra."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=r'pip install "divlearn\[dask\]"'):
        DaskPool(object(), PROBLEM)


def all_reports(pool, number):
    """Wait for so many reports."""
    reports = []
    while len(reports) < number and (found := pool.wait(None)):
        reports += found
    return reports


def slow_square(x):
    """Take a moment, and say which process did it."""
    import os
    import time

    time.sleep(0.3)
    return x * x, os.getpid()


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_study_survives_the_loss_of_a_worker_and_of_the_scheduler(tmp_path):
    """One cluster for all of it: starting its processes takes seconds."""
    pytest.importorskip("distributed")
    with cluster_of(tmp_path, workers=2) as (cluster, client):
        pool = open_pool(PROBLEM, executor=client)
        assert isinstance(pool, DaskPool)
        assert pool.size == 2
        for number, deed in enumerate(("well", "refuse", "stumble", "nan")):
            pool.submit(Attempt(number, 0, 0, deed, None))
        reports = sorted(all_reports(pool, 4), key=lambda r: r.number)
        assert [r.state for r in reports] == ["ok", "infeasible", "failed", "failed"]

        # Lambdas and local classes go by cloudpickle; equal solutions are both run.
        square = dl.Problem(dl.Integer(0, 9), slow_square, ["square", "process"])
        with DaskPool(client, square, timeout=600) as slow:
            for number in range(6):
                slow.submit(Attempt(number, 0, 0, 3, None))
            first = slow.wait(None)
            cluster.workers[0].kill()
            reports = first + all_reports(slow, 6 - len(first))
        assert [r.state for r in reports] == ["ok"] * 6
        assert {r.outputs[0] for r in reports} == {9.0}

        hanging = DaskPool(client, PROBLEM, size=1, timeout=600)
        hanging.submit(Attempt(0, 0, 0, "hang", None))
        assert hanging.wait(0.5) == []
        cluster.end()
        cluster.start_scheduler()
        cluster.start_worker()
        (report,) = hanging.wait(None)
        assert report.state == "lost"
        hanging.submit(Attempt(0, 1, 0, "well", None))
        assert all_reports(hanging, 1)[0].state == "ok"

        hanging.submit(Attempt(1, 0, 0, "die", None))
        assert wait_until(lambda: cluster.workers[-1].poll() is not None)
        hanging.close(kill=True)
    with pytest.raises(DivlearnError, match="pool of workers is closed"):
        hanging.submit(Attempt(2, 0, 0, "well", None))
    with pytest.raises(DivlearnError, match="cannot be used any more"):
        DaskPool(client, PROBLEM, size=1).submit(Attempt(2, 0, 0, "well", None))
    with pytest.raises(InputError, match="client must be"):
        DaskPool(object(), PROBLEM)

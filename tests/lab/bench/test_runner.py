import numpy as np
import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.lab.bench import (
    Case,
    Contender,
    Store,
    Suite,
    run_suite,
    summarize_suite,
    write_files,
)
from divlearn.lab.bench.runner import missing_jobs
from divlearn.lab.bench.task import ReferenceTask
from divlearn.methods.names import method_for
from divlearn.metrics import hypervolume, non_dominated

SAME = ("table.md", "table.csv")


class Watch:
    """A display that remembers what it was told."""

    def __init__(self):
        self.readings, self.closed = [], False

    def compiling(self, what, seconds):
        """Ignore that kernels are compiled."""

    def start(self, jobs, budget, seconds):
        """Remember."""
        self.readings.append(jobs)

    def update(self, jobs):
        """Remember."""
        self.readings.append(jobs)

    def finish(self):
        """Remember."""
        self.closed = True


def files_of(suite, path, folder, workers):
    """Run a suite into a store and return the bytes of its tables."""
    with Store(path) as store:
        tally = run_suite(suite, store, workers=workers)
        write_files(summarize_suite(suite, store), store, folder)
    return tally, {p.name: p.read_bytes() for p in folder.iterdir()}


def test_tables_do_not_depend_on_the_number_of_workers_nor_on_how_often_one_runs(
    suite, tmp_path
):
    """Made by one, made by two, or read from the store: the same bytes."""
    one, two = tmp_path / "one", tmp_path / "two"
    first, alone = files_of(suite, tmp_path / "1.db", one, 1)
    second, together = files_of(suite, tmp_path / "2.db", two, 2)
    again, repeated = files_of(suite, tmp_path / "2.db", two, 2)
    assert (first.made, second.made, again.made) == (8, 8, 0)
    assert {name: alone[name] for name in SAME} == {
        name: together[name] for name in SAME
    }
    assert repeated == together  # times and pictures too


def test_a_run_of_a_suite_is_what_solve_gives(store):
    """A benchmark measures the library as users have it."""
    suite = Suite(
        "s",
        "",
        (Case("bikp-10", {"fill": True}),),
        (Contender("paper-ts", {"patience": 3}),),
        budget=200,
        instances=(4,),
        seeds=(9,),
    )
    run_suite(suite, store, workers=1)
    (run,) = store.runs()
    problem = dl.problems.get("bikp-10", instance=4, fill=True)
    settings = method_for("paper-ts").replace(patience=3)
    result = dl.solve(problem, 200, method=settings, seed=9)
    assert run.hypervolume == result.hypervolume()
    np.testing.assert_array_equal(store.front(run.key), result.F)
    np.testing.assert_array_equal(store.solutions(run.key, problem), result.X)


@pytest.mark.usefixtures("whole_gp")  # as in the process that runs the suite
def test_a_front_under_noise_is_scored_without_it(store):
    """What was lucky is not better: dominated solutions go, and the volume is true."""
    cases = (Case("noisytsp-12"),)
    suite = Suite("s", "", cases, (Contender("dl"),), budget=150, instances=(0,))
    run_suite(suite, store, workers=1)
    (run,) = store.runs()
    problem = dl.problems.get("noisytsp-12")
    result = dl.solve(problem, 150, method="dl", seed=0)
    true = problem.noise_free(result.X)
    kept = non_dominated(true)
    stored = store.front(run.key)
    assert 0 < kept.sum() < len(kept)
    np.testing.assert_array_equal(stored, true[kept][np.argsort(true[kept, 0])])
    exact = problem.exact.evaluate_batch(store.solutions(run.key, problem))
    np.testing.assert_array_equal(stored, exact)
    volume = hypervolume(true, problem.reference, problem.ideal)
    assert run.hypervolume == pytest.approx(volume) != result.hypervolume()
    assert run.front_size == kept.sum()
    assert store.history(run.key)["hypervolume"][-1] == run.hypervolume


def test_a_run_that_raises_is_kept_with_its_message_and_the_rest_goes_on(store):
    """One bad setting must not cost a night of runs."""
    hopeless = {"decomposition.windows": False, "decomposition.neighbourhoods": 0}
    suite = Suite(
        "s",
        "",
        (Case("bitsp-8"),),
        (Contender("uniform"), Contender("paper-ts", hopeless, label="hopeless")),
        budget=60,
        instances=(0, 1),
    )
    watch = Watch()
    tally = run_suite(suite, store, workers=1, display=watch)
    assert (tally.made, tally.failed) == (4, 2)
    states = {run.task.contender.label: run.state for run in store.runs()}
    assert states == {"uniform": "ok", "hopeless": "failed"}
    report = summarize_suite(suite, store)
    assert len(report.failures) == 2
    assert "windows=True" in report.failures[0].message
    assert [r.done for r in watch.readings][:5] == [0, 1, 2, 3, 4]
    assert watch.readings[-1].failed == 2
    assert watch.closed
    # Failed runs are repeated only on request.
    assert missing_jobs([suite], store) == []
    again = missing_jobs([suite], store, retry_failed=True)
    assert [job.contender.label for job in again] == ["hopeless"] * 2


def test_what_several_entries_share_is_run_once(store, suite):
    """Two labels of one method are one run, and exact fronts belong to instances."""
    twice = Suite(
        "s",
        "",
        suite.problems,
        (Contender("uniform"), Contender("uniform", label="control")),
        budget=60,
    )
    jobs = missing_jobs([twice], store)
    assert len(jobs) == 3  # one run per problem, and the front of the knapsack
    assert sum(isinstance(job, ReferenceTask) for job in jobs) == 1


def test_a_number_of_workers_that_means_nothing_is_refused(store, suite):
    """Before anything runs."""
    with pytest.raises(InputError, match="workers"):
        run_suite(suite, store, workers=0)

"""Short forms of what ``make soak`` runs at full length.

Kills of the coordinator are in ``tests/study/test_kill.py``.
"""

import sys

import pytest

from tests.soak.fronts import same_fronts
from tests.soak.killed import kill_dask_workers, kill_workers
from tests.soak.killed_spool import kill_spool
from tests.soak.misbehaving import misbehave
from tests.soak.mutated import ROOM, open_all
from tests.soak.numbers import run_watched

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes")


def test_a_study_whose_workers_are_killed_has_the_same_front():
    """Their candidates are run again by others, and nothing shows."""
    seen = kill_workers(6, budget=60, patience=0.08)
    assert seen["kills"] == 6
    assert seen["lost"] > 0
    assert seen["identical"]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_study_whose_dask_workers_are_killed_has_the_same_front():
    """The same on a cluster, whose workers another program looks after."""
    pytest.importorskip("distributed")
    assert kill_dask_workers(1, budget=40, patience=0.1)["identical"]


def test_a_study_whose_spool_loses_coordinators_and_workers_has_the_same_front():
    """Nothing is lost, nothing counted twice, and workers leave when it is over."""
    assert kill_spool(3, budget=25)["identical"]


def test_an_objective_that_fails_and_hangs_leaves_nothing_behind():
    """All evaluations end, each in its way, and no process stays."""
    seen = misbehave(60, scale=0.02)
    assert seen["evaluations"] == 60
    assert set(seen["states"]) == {"ok", "failed", "timed out"}
    assert seen["left"] == 0


def test_worker_processes_give_the_front_of_any_other_number_of_them():
    """One space by real processes; all of them by pretended ones in test_order."""
    assert same_fronts(30, sizes=(1, 3, 8), spaces=("composite",))["identical"]


@pytest.mark.parametrize(
    "case", ["dl-subset", "ts-composite", "nsga2", "result", "store"]
)
def test_a_file_that_somebody_altered_is_refused_in_words_or_does_no_harm(case):
    """No signal, no error of Python's own, no gigabytes; all kinds in ``make soak``."""
    fates, wrong, peak = open_all([case], 12)
    assert wrong == []
    assert fates.total() == 12
    assert peak < ROOM


def test_problems_whose_values_have_any_size_are_searched_without_a_fault():
    """No signal, no exception, no nan: spaces, methods and loops at random."""
    seen = run_watched(40, first=5_000)
    assert seen.faults == {}
    assert len(seen.ran) == 40

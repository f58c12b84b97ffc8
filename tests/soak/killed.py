"""Kills workers of a study at random moments, and compares with one that ran through.

A candidate that has lost its worker more than ``MAX_LOST`` times is given up, which
gives another front, as it should. So no study loses more workers than that: busy cores
may let all kills hit the same candidate. For kills of the coordinator itself see
``tests.study.kill``.
"""

import os
import random
import signal
import tempfile
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import divlearn as dl
from divlearn.study.tries import MAX_LOST
from divlearn.workers.system import descendants_of
from tests.study.kill import PROBLEM, SPACE, fingerprint


def slow(x):
    """As in ``tests.study.kill``, but long enough to be caught at it."""
    time.sleep(0.01)
    return PROBLEM.evaluate(x)


SLOW = dl.Problem(SPACE, slow, PROBLEM.objectives)


def kill_workers(kills, budget=150, workers=2, patience=0.2, seed=0):
    """Kill local workers, one at a time, in as many studies as it takes."""
    others = set(descendants_of(os.getpid()))

    def kill(moments):
        """Kill any of the processes that evaluate or watch over it."""
        found = [pid for pid in descendants_of(os.getpid()) if pid not in others]
        try:
            os.kill(moments.choice(found), signal.SIGKILL)
        except (IndexError, ProcessLookupError):  # none there, or just gone
            return False
        return True

    return _studies(kills, budget, patience, seed, kill, least_lost=1, workers=workers)


def kill_dask_workers(kills, budget=150, patience=1.0, seed=0):
    """Kill workers of a Dask cluster, each replaced by another."""
    from tests.workers.cluster import cluster_of

    with (
        tempfile.TemporaryDirectory() as folder,
        cluster_of(folder, workers=2) as (cluster, client),
    ):

        def kill(moments):
            """Kill a worker, and start another one."""
            dead = cluster.workers.pop(moments.randrange(len(cluster.workers)))
            dead.kill()
            dead.wait()
            cluster.start_worker()
            return True

        return _studies(kills, budget, patience, seed, kill, executor=client)


def _studies(kills, budget, patience, seed, kill, least_lost=0, **how):
    """Run studies until enough was killed, and enough lost by it; count both."""
    moments, done, lost, studies = random.Random(seed), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        with dl.Study(SLOW, Path(folder, "whole.db")) as study:
            whole = fingerprint(study.run(budget, workers=0))
        while done < kills or lost < least_lost:
            studies += 1
            with dl.Study(SLOW, Path(folder, f"{studies}.db")) as study:
                wanted = min(MAX_LOST, max(1, kills - done))
                with _killing(kill, moments, patience, wanted) as (count, begin):
                    result = study.run(budget, callbacks=begin, **how)
                done += count[0]
                assert fingerprint(result) == whole, "another front"
                assert study.verify(), "the file is not reproduced"
                states = [attempt.state for attempt in study._opened.store.attempts()]
                lost += states.count("lost")
    return {"kills": done, "studies": studies, "lost": lost, "identical": True}


@contextmanager
def _killing(kill, moments, patience, wanted):
    """Kill at random moments from the first outcome on, in a thread."""
    begun, over, count = threading.Event(), threading.Event(), [0]

    def work():
        begun.wait()
        while count[0] < wanted and not over.wait(moments.uniform(0, 2 * patience)):
            count[0] += kill(moments)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield count, lambda *_: begun.set()
    finally:
        over.set()
        begun.set()
        thread.join()

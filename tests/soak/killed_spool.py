"""Kills coordinators and workers that share a spool, and compares the fronts.

``python -m tests.soak.killed_spool --kills 60`` is the long form.
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import divlearn as dl
from divlearn.study.tries import MAX_LOST
from divlearn.workers.spool.layout import Layout
from tests.study.kill import PROBLEM, SPACE, fingerprint

ROOT = Path(__file__).parent.parent.parent


def slow(x):
    """As in ``tests.study.kill``, but long enough to be caught at it."""
    time.sleep(0.05)
    return PROBLEM.evaluate(x)


SLOW = dl.Problem(SPACE, slow, PROBLEM.objectives)


def kill_spool(kills, budget=60, lease=1.0, patience=0.6, seed=0):
    """Kill coordinators and workers; count them, and what was lost by it."""
    moments, done, lost, studies = random.Random(seed), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        with dl.Study(SLOW, Path(folder, "whole.db")) as study:
            whole = fingerprint(study.run(budget, workers=0))
        while done < kills:
            studies += 1
            path, spool = Path(folder, f"{studies}.db"), Path(folder, f"jobs {studies}")
            engine = {"engine": f"spool:{spool}", "lease": lease}
            most = min(2 * MAX_LOST, kills - done)
            done += _one_study(path, engine, spool, budget, most, moments, patience)
            with dl.Study(SLOW, path) as study:
                assert fingerprint(study.result()) == whole, "another front"
                assert study.verify(), "the file is not reproduced"
                attempts = [a.state for a in study._opened.store.attempts()]
                assert [t.number for t in study.trials()] == list(range(budget))
                lost += attempts.count("lost")
    return {"kills": done, "studies": studies, "lost": lost, "identical": True}


def _one_study(path, engine, spool, budget, kills, moments, patience):
    """Run a study to its end, killing on the way; return how often."""
    workers = [_worker(spool) for _ in range(2)]
    coordinator, done, dead_workers = _coordinator(path, engine, budget), 0, 0
    try:
        while os.waitpid(coordinator, os.WNOHANG) == (0, 0):
            time.sleep(moments.uniform(0.0, 2 * patience))
            if done >= kills:
                continue
            done += 1
            if dead_workers < MAX_LOST and moments.random() < 0.5:
                dead_workers += 1
                victim = moments.randrange(2)
                _wait_for_work(spool, workers[victim])
                workers[victim].kill()
                workers[victim].wait()
                workers[victim] = _worker(spool)
            else:
                os.kill(coordinator, signal.SIGKILL)
                _, status = os.waitpid(coordinator, 0)
                if os.waitstatus_to_exitcode(status) == 0:
                    break
                coordinator = _coordinator(path, engine, budget)
        codes = [worker.wait(120) for worker in workers]
        assert codes == [0, 0], "workers do not leave when the study is over"
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    return done


def _wait_for_work(spool, worker, seconds=20.0):
    """Wait until a worker is likely to have a job; it may have left by then."""
    end = time.monotonic() + seconds
    while worker.poll() is None and time.monotonic() < end:
        claimed = Layout(spool).names("claimed")
        if len(claimed) > 1:
            return
        time.sleep(0.002)


def _worker(spool):
    """Start a worker."""
    command = [sys.executable, "-m", "divlearn", "worker", str(spool), "--quiet"]
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.DEVNULL)


def _coordinator(path, engine, budget):
    """Start a coordinator as a copy of this process; its number."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with dl.Study(SLOW, path) as study:
                study.run(budget, executor=engine, progress=False)
            code = 0
        finally:
            os._exit(code)
    return child


def main():
    """Kill as often as told."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    json.dump(kill_spool(options.kills, seed=options.seed), sys.stdout)


if __name__ == "__main__":
    from tests.soak import killed_spool  # whose objective workers can import

    killed_spool.main()

"""Kills a study at random moments, resumes it, and compares with one that ran through.

``python -m tests.study.kill --kills 200 --budget 150 --workers 2`` is the long form.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import divlearn as dl

SPACE = dl.Composite(order=dl.Permutation(6), width=dl.Integer(1, 9))


def evaluate(x):
    """Two objectives; some designs cannot be evaluated."""
    time.sleep(0.001)
    if x["order"][0] == x["width"]:
        raise dl.InvalidDesign("no room")
    first = sum(i * v for i, v in enumerate(x["order"]))
    return first + x["width"], 60 - x["width"] ** 2 - first / 3


PROBLEM = dl.Problem(SPACE, evaluate, {"cost": "min", "gain": "min"})


def run(path, options, reported=None):
    """Run the study to its end; write the number of every outcome that is reported."""

    def report(study, trial):
        if reported is not None:
            os.write(reported, f"{trial.number}\n".encode())

    with dl.Study(PROBLEM, path, method=options.method, seed=options.seed) as study:
        return study.run(options.budget, workers=options.workers, callbacks=report)


def fingerprint(result):
    """The front, bit for bit."""
    return result.F.tobytes(), repr(result.X), result.evaluations


def forked(path, options, patience):
    """Run in a process that is killed after a while; its reports, and if it ended."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            run(path, options, write)
            code = 0
        finally:
            os._exit(code)
    os.close(write)
    end = time.monotonic() + patience
    while (
        time.monotonic() < end
        and os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    ):
        time.sleep(0.001)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        lines = pipe.read().splitlines()
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, -signal.SIGKILL):
        raise SystemExit(f"the study ended with {code}")
    return set(map(int, lines)), code == 0


def main(options):
    """Kill and resume until the study has ended and enough kills were made."""
    moments = random.Random(options.seed)
    kills = rounds = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = fingerprint(run(Path(folder, "whole.db"), options))
        while kills < options.kills:
            path = Path(folder, f"killed-{rounds}.db")
            reported, ended = set(), False
            while not ended:
                enough = kills >= options.kills
                patience = 600 if enough else moments.uniform(0.0, options.patience)
                more, ended = forked(path, options, patience)
                reported |= more
                kills += not ended
                if path.exists() and reported:
                    kept = {t.number for t in trials(path) if t.state != "running"}
                    assert reported <= kept, "a reported outcome is not in the file"
            rounds += 1
            with dl.Study(PROBLEM, path) as study:
                assert study.verify(), "the file is not reproduced"
                assert fingerprint(study.result()) == whole, "another front"
                numbers = [t.number for t in study.trials()]
                assert numbers == list(range(options.budget)), "a candidate was lost"
    return {"kills": kills, "studies": rounds, "identical": True}


def trials(path):
    """Look at a study."""
    from divlearn.study import StudyReader

    with StudyReader(path) as reader:
        return reader.trials()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--budget", type=int, default=150)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--method", default="dl")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--patience", type=float, default=0.5)
    json.dump(main(parser.parse_args()), sys.stdout)

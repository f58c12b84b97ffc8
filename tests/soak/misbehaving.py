"""A study of an objective that fails, hangs, and returns what is no number."""

import os
import random
import tempfile
import time
from pathlib import Path

import divlearn as dl
from divlearn.workers import current_attempt
from divlearn.workers.system import descendants_of

#: How long an evaluation takes, in seconds, and what ends one that hangs.
SECONDS, TIMEOUT = (0.2, 2.0), 4.0


def problem(scale):
    """Fail in 20 % of calls, hang in 5 %, be NaN in 5 %; all times are scaled."""

    def evaluate(x):
        draw = random.Random(current_attempt().seed)
        luck, seconds = draw.random(), draw.uniform(*SECONDS)
        time.sleep(600 if luck < 0.05 else scale * seconds)
        if luck < 0.25:
            raise RuntimeError("bad luck")
        cost = float(sum(i * v for i, v in enumerate(x)))
        return (float("nan") if luck < 0.3 else cost), float(x[0] - x[1])

    return dl.Problem(dl.Permutation(8), evaluate, ["cost", "slope"])


def misbehave(evaluations=500, workers=2, scale=1.0):
    """Run a study of it; how busy workers were, and what is left behind."""
    before = set(descendants_of(os.getpid()))
    with (
        tempfile.TemporaryDirectory() as folder,
        dl.Study(problem(scale), Path(folder, "bad.db")) as study,
    ):
        started = time.monotonic()
        study.run(evaluations, workers=workers, timeout=scale * TIMEOUT)
        seconds = time.monotonic() - started
        trials = study.trials()
        assert study.verify(), "the file is not reproduced"
    states = [trial.state for trial in trials]
    return {
        "evaluations": len(trials),
        "states": {state: states.count(state) for state in sorted(set(states))},
        "seconds": seconds,
        "busy": sum(trial.seconds for trial in trials) / (workers * seconds),
        "left": len(set(descendants_of(os.getpid())) - before),
    }

"""The co-design model as an external program: faults, a kill, and nothing lost."""

import collections
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sklearn")

import divlearn as dl
from divlearn.lab.codesign import HDnnPIM
from divlearn.simulator import load_toml
from divlearn.study.summarize import summary

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"
#: The program imports divlearn from wherever the test does.
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}
BUDGET = 30
#: The example with a fault: some designs are answered with NaN.
FAULTY = """
import math, sys
sys.path.insert(0, {folder!r})
import evaluate

def simulate(problem, design, seed, real=evaluate.simulate):
    metrics = real(problem, design, seed)
    return dict.fromkeys(metrics, math.nan) if design["adc_bits"] == 3 else metrics

evaluate.simulate = simulate
evaluate.main()
"""


@pytest.fixture
def example(tmp_path):
    """A copy of the example in a folder of its own."""
    shutil.copy(EXAMPLES / "codesign.toml", tmp_path)
    shutil.copytree(EXAMPLES / "simulator_codesign", tmp_path / "simulator_codesign")
    return tmp_path / "codesign.toml"


@pytest.fixture
def faulty(example):
    """The same with faults, for a search that needs no time of its own."""
    folder = example.parent / "simulator_codesign"
    (folder / "faulty.py").write_text(FAULTY.format(folder=str(folder)))
    text = example.read_text().replace("evaluate.py", "faulty.py")
    text = text.replace("retries = 1", "retries = 0")
    text = text.replace("budget = 150", f'budget = {BUDGET}\nmethod = "random"')
    example.write_text(text)
    return example


def test_the_program_answers_as_the_built_in_problem(example):
    """The same space, objectives and points."""
    problem, options = load_toml(example)
    built_in = HDnnPIM("large")
    assert problem.space.describe() == built_in.space.describe()
    assert list(problem.objectives)[1:] == list(built_in.objectives)[1:]
    assert problem.senses == built_in.senses
    assert problem.noise
    np.testing.assert_array_equal(problem.reference, built_in.reference)
    np.testing.assert_array_equal(problem.ideal, built_in.ideal)
    assert (options.budget, options.workers) == (150, 2)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
def test_faults_and_a_kill_lose_no_evaluation(faulty):
    """NaN and invalid designs are outcomes; a killed run goes on where it was."""
    command = [sys.executable, "-m", "divlearn", "run", str(faulty), "--quiet"]
    store = faulty.with_suffix(".db")
    kept = run_and_kill(command, store, after=8)
    assert 8 <= kept < BUDGET
    subprocess.run(
        command, check=True, timeout=800, stdout=subprocess.DEVNULL, env=ENVIRONMENT
    )
    problem, options = load_toml(faulty)
    model = HDnnPIM("large")
    with dl.Study(problem, store, **options.of_study()) as study:
        trials = study.trials()
        states = collections.Counter(trial.state for trial in trials)
        assert len(trials) == study.result().evaluations == BUDGET
        assert states["ok"] > states["failed"] + states["infeasible"]
        for trial in trials:
            reason = model.invalid_reason(trial.x)
            wrong = "failed" if trial.x["adc_bits"] == 3 else "ok"
            assert trial.state == ("infeasible" if reason else wrong), trial.message
            assert reason is None or reason in trial.message
        assert {"failed", "infeasible"} <= set(states)
        assert 0 < study.result().hypervolume() < 1


def run_and_kill(command, store, after):
    """Kill a run when so many evaluations are done; returns how many were kept."""
    process = subprocess.Popen(command, start_new_session=True, env=ENVIRONMENT)
    deadline = time.monotonic() + 800
    while num_done(store) < after:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return num_done(store)


def num_done(store):
    """Evaluations in a store, which may not have begun yet."""
    try:
        return summary(store).evaluations
    except dl.InputError:
        return 0


class Unreliable:
    """The model, which now and then says NaN or does not come back."""

    def __init__(self):
        self.model = HDnnPIM("large")

    def evaluate(self, x):
        """Evaluate, or not."""
        values = self.model.evaluate_seeded(x, 0)
        if x["adcs"] == 16 and x["adc_bits"] == 8:
            time.sleep(600)
        return [math.nan] * 4 if x["am_bits"] == 1 else values


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")
def test_time_outs_nan_and_invalid_designs_are_all_counted(tmp_path):
    """Every candidate has an outcome, and the front consists of those that worked."""
    source = Unreliable()
    model = source.model
    problem = dl.Problem(model.space, source, model.objectives, noise=True)
    with dl.Study(problem, tmp_path / "s.db", method="random", seed=5) as study:
        result = study.run(budget=25, workers=2, timeout=4)
        states = collections.Counter(trial.state for trial in study.trials())
    assert sum(states.values()) == result.evaluations == 25
    assert set(states) == {"ok", "failed", "infeasible", "timed out"}
    assert all(x["am_bits"] > 1 and not model.invalid_reason(x) for x in result.X)

"""Studies on a real Slurm; ``make test-slurm`` installs what they need and runs them.

Slurm itself is the system's: ``apt-get install slurm-wlm munge``.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from divlearn.basics.errors import DivlearnError
from divlearn.workers import open_pool
from divlearn.workers.spool.layout import Layout
from tests.workers.objectives import PROBLEM
from tests.workers.ray_cluster import open_to_others, outcomes
from tests.workers.slurm import missing, slurm_in

pytest.importorskip(
    "dask_jobqueue",
    reason="dask-jobqueue is not installed; make test-slurm installs it",
)
if missing():
    pytest.skip(
        f"Slurm is not installed ({', '.join(missing())} not found): "
        "apt-get install slurm-wlm munge",
        allow_module_level=True,
    )

pytestmark = [
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore"),
]
ROOT = Path(__file__).parent.parent.parent
#: A study whose evaluations take a while, as a script of a user.
SCRIPT = """
import json, sys, time
import divlearn as dl

SECONDS = float(sys.argv[4])


def cost(x):
    time.sleep(SECONDS)
    return sum(i * int(v) for i, v in enumerate(x)), 3 * int(x[2]) - int(x[0])


if __name__ == "__main__":
    problem = dl.Problem(dl.Permutation(6), cost, ["a", "b"])
    engine = json.loads(sys.argv[2])
    how = {"workers": 2, "executor": engine} if engine else {"workers": 0}
    with dl.Study(problem, sys.argv[1], method="random", lag=4) as study:
        result = study.run(int(sys.argv[3]), **how, progress=False)
        states = [attempt.state for attempt in study._opened.store.attempts()]
        print(json.dumps({
            "front": result.F.tolist(),
            "numbers": [trial.number for trial in study.trials()],
            "lost": states.count("lost"),
            "verified": bool(study.verify()),
        }))
"""


@pytest.fixture(scope="module")
def slurm(tmp_path_factory):
    """One for all tests, with ``divlearn`` and this Python on the path of jobs."""
    folder = tmp_path_factory.mktemp("slurm")
    before = open_to_others()
    with slurm_in(folder) as started:
        assert open_to_others() <= before
        programs = folder / "bin"
        programs.mkdir()
        lines = ["#!/bin/sh", f'exec {sys.executable} -m divlearn "$@"']
        (programs / "divlearn").write_text("\n".join(lines))
        (programs / "divlearn").chmod(0o755)
        started.env["PATH"] = f"{programs}{os.pathsep}{started.env['PATH']}"
        started.env["PYTHONPATH"] = str(ROOT)
        started.env["PYTHONWARNINGS"] = "ignore"
        yield started


@pytest.fixture
def engine(tmp_path):
    """What dask-jobqueue is told, so that nobody else can reach the scheduler."""
    return {
        "engine": "slurm",
        "cores": 1,
        "memory": "1GB",
        "scheduler_options": {"host": "127.0.0.1", "dashboard_address": None},
        "local_directory": str(tmp_path),
        "log_directory": str(tmp_path / "logs"),
        "python": sys.executable,
    }


def begin(slurm, folder, store, engine, budget, seconds):
    """Start the script; its process."""
    (folder / "script.py").write_text(SCRIPT)
    arguments = [store, json.dumps(engine), str(budget), str(seconds)]
    return subprocess.Popen(
        [sys.executable, "script.py", *arguments],
        cwd=folder,
        env=slurm.env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def told(process, seconds=400):
    """What the script printed at its end."""
    try:
        out, err = process.communicate(timeout=seconds)
    finally:
        process.kill()
    assert process.returncode == 0, err[-3_000:]
    return json.loads(out.splitlines()[-1])


def wanted(slurm, folder, budget):
    """The front that one process finds."""
    return told(begin(slurm, folder, "here.db", None, budget, 0))["front"]


def wait_for(path, number, process):
    """Wait until a study has so many outcomes."""
    while outcomes(path) < number:
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)


def array(slurm, folder, tasks="1-4", minutes="04:00:00"):
    """Submit workers as docs/clusters.md says; the number of the array."""
    command = f"divlearn worker {folder}/jobs"
    options = [f"--array={tasks}", f"--time={minutes}", f"--chdir={folder}"]
    said = slurm.run("sbatch", "--parsable", *options, "--wrap", command)
    return said.strip()


def said_by_jobs(folder, number):
    """What the jobs of an array have written."""
    return "".join(log.read_text() for log in folder.glob(f"slurm-{number}_*.out"))


def test_the_example_finds_the_front_of_one_process(tmp_path, slurm, engine):
    """By the name of the engine alone; its options are in Dask's configuration."""
    options = {key.replace("_", "-"): engine[key] for key in engine if key != "engine"}
    (tmp_path / "jobqueue.yaml").write_text(
        json.dumps({"jobqueue": {"slurm": options}})
    )
    env = {**slurm.env, "DASK_CONFIG": str(tmp_path)}
    example = [sys.executable, str(ROOT / "examples/any_engine.py")]
    seen = [
        subprocess.run(
            [*example, *more], env=env, capture_output=True, text=True, timeout=300
        )
        for more in ([], ["slurm"])
    ]
    assert seen[1].stdout == seen[0].stdout, seen[1].stderr
    assert seen[0].stdout.startswith("60 evaluations, front ")
    assert list((tmp_path / "logs").iterdir())


@pytest.mark.parametrize("packed", [{}, {"jobs": 1, "processes": 2, "cores": 2}])
def test_jobs_that_end_are_submitted_again(tmp_path, slurm, engine, packed):
    """Else a study would wait for ever for workers that do not come back."""
    front = wanted(slurm, tmp_path, 60)
    process = begin(slurm, tmp_path, "queue.db", {**engine, **packed}, 60, 0.5)
    wait_for(tmp_path / "queue.db", 5, process)
    first = slurm.jobs()
    assert len(first) == packed.get("jobs", 2)
    slurm.run("scancel", *first)
    seen = told(process)
    assert seen["front"] == front
    assert seen["numbers"] == list(range(60))
    assert seen["verified"]
    assert seen["lost"] == 0
    assert slurm.jobs() == slurm.jobs("PD") == []


def test_a_coordinator_of_jobs_is_killed_and_continued(tmp_path, slurm, engine):
    """Its jobs leave when nobody answers; the next one submits its own."""
    front = wanted(slurm, tmp_path, 40)
    engine = {**engine, "death_timeout": 5}
    process = begin(slurm, tmp_path, "queue.db", engine, 40, 0.3)
    wait_for(tmp_path / "queue.db", 8, process)
    process.kill()
    process.communicate()
    seen = told(begin(slurm, tmp_path, "queue.db", engine, 40, 0.3))
    assert seen["front"] == front
    assert seen["numbers"] == list(range(40))
    assert seen["verified"]
    assert seen["lost"] == 0


def test_what_the_queue_does_not_take_is_an_error_in_its_words(
    slurm, engine, monkeypatch
):
    """Nobody would know why nothing is evaluated."""
    monkeypatch.setenv("PATH", slurm.env["PATH"])
    monkeypatch.setenv("SLURM_CONF", slurm.env["SLURM_CONF"])
    large = {**engine, "memory": "90GB"}
    with pytest.raises(DivlearnError, match=r"Memory specification can not be"):
        open_pool(PROBLEM, workers=2, executor=large)
    with pytest.raises(DivlearnError, match="invalid partition specified: long"):
        open_pool(PROBLEM, workers=2, executor={**engine, "queue": "long"})


def test_an_array_of_workers_is_cancelled_and_its_coordinator_killed(tmp_path, slurm):
    """What a cancelled worker had is given back; nothing counts as lost."""
    front = wanted(slurm, tmp_path, 80)
    engine, store = {"engine": f"spool:{tmp_path}/jobs", "lease": 10}, "spool.db"
    number = array(slurm, tmp_path)  # before there is a spool
    process = begin(slurm, tmp_path, store, engine, 80, 0.5)
    wait_for(tmp_path / store, 5, process)
    slurm.run("scancel", f"{number}_1")
    wait_for(tmp_path / store, 15, process)
    process.kill()
    process.communicate()
    time.sleep(2.0)  # workers go on meanwhile
    slurm.run("scancel", f"{number}_2")
    seen = told(begin(slurm, tmp_path, store, engine, 80, 0.5))
    assert seen["front"] == front
    assert seen["numbers"] == list(range(80))
    assert seen["verified"]
    assert seen["lost"] == 0
    slurm._wait(lambda: not slurm.jobs())  # the others leave with the study
    said = said_by_jobs(tmp_path, number)
    assert said.count("gave back what it had") == 2, said
    assert said.count("no more jobs") == 2, said
    assert Layout(tmp_path / "jobs").names("claimed") == []


def test_jobs_meet_their_time_limit(tmp_path, slurm, engine):
    """Others take over: the next ones of an array, or those submitted again."""
    budget, seconds = 60, 4.0
    front = wanted(slurm, tmp_path, budget)
    spool = {"engine": f"spool:{tmp_path}/jobs", "lease": 10}
    number = array(slurm, tmp_path, tasks="1-6%2", minutes="1")
    studies = [
        begin(slurm, tmp_path, "spool.db", spool, budget, seconds),
        begin(
            *(slurm, tmp_path, "queue.db", {**engine, "walltime": "00:01:00"}),
            *(budget, seconds),
        ),
    ]
    for study in studies:
        seen = told(study)
        assert seen["front"] == front
        assert seen["numbers"] == list(range(budget))
        assert seen["verified"]
        assert seen["lost"] == 0
    assert "DUE TO TIME LIMIT" in said_by_jobs(tmp_path, number)
    logs = "".join(log.read_text() for log in (tmp_path / "logs").iterdir())
    assert "DUE TO TIME LIMIT" in logs


def test_a_toml_file_names_the_queue(tmp_path, slurm, engine):
    """The same words as in Python; a command is what jobs evaluate."""
    for name in ("line.sh", "line.toml"):
        shutil.copy(ROOT / "examples/simulator_shell" / name, tmp_path)
    table = {**engine, "walltime": "02:00:00", "queue": "short"}
    host = table.pop("scheduler_options")["host"]
    lines = [f"{key} = {json.dumps(value)}" for key, value in table.items()]
    lines += [
        f'scheduler_options = {{host = "{host}", dashboard_address = "{host}:0"}}'
    ]
    with open(tmp_path / "line.toml", "a") as file:
        file.write("\n".join(["", "[run.executor]", *lines]))
    command = ["divlearn", "run", "line.toml", "--budget", "20", "--json"]
    said = json.loads(slurm.run(*command, cwd=tmp_path).splitlines()[-1])
    assert said["counts"] == {"ok": 20}

"""Job queues by dask-jobqueue, with a stand-in for the commands of Slurm."""

import os
import signal
import sys
import time
from pathlib import Path

import pytest

import divlearn as dl
from divlearn.basics.errors import DivlearnError, InputError
from divlearn.workers import open_pool

pytest.importorskip(
    "dask_jobqueue", reason="dask-jobqueue is not installed; make test-ray installs it"
)

ROOT = Path(__file__).parent.parent.parent
#: sbatch starts a copy of the script in the background, as the script is removed;
#: scancel ends it and what it started.
SBATCH = """#!/bin/sh
cp "$1" "$0.$$"
setsid sh "$0.$$" >/dev/null 2>&1 &
echo $!
"""
SCANCEL = """#!/bin/sh
for job; do kill -TERM "-$job"; done
"""


@pytest.fixture
def slurm(tmp_path, monkeypatch):
    """Commands of a queue that runs everything at once on this machine."""
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return {
        "engine": "slurm",
        "cores": 1,
        "memory": "1GB",
        "scheduler_options": {"host": "127.0.0.1", "dashboard_address": None},
        "local_directory": str(tmp_path),
        "log_directory": str(tmp_path),
        "python": sys.executable,
    }


@pytest.mark.skipif(sys.platform != "linux", reason="needs a shell and sessions")
@pytest.mark.filterwarnings("ignore")
def test_a_study_runs_on_jobs_of_a_queue(tmp_path, slurm):
    """The jobs are submitted for the study, and cancelled at its end."""
    problem = dl.Problem(dl.Permutation(6), lambda x: (x[0] + x[1], x[2]), ["a", "b"])
    with dl.Study(problem, tmp_path / "here.db", method="random") as study:
        wanted = study.run(20, workers=0)
    with dl.Study(problem, tmp_path / "queue.db", method="random") as study:
        found = study.run(20, workers=2, executor=slurm)
    assert found.F.tobytes() == wanted.F.tobytes()


@pytest.mark.filterwarnings("ignore")
def test_a_queue_is_told_how_many_jobs_to_submit():
    """Nobody else knows how many nodes somebody may use."""
    problem = dl.Problem(dl.Permutation(6), lambda x: (x[0], x[2]), ["a", "b"])
    with pytest.raises(InputError, match="workers must be given with a job queue"):
        open_pool(problem, executor="slurm")
    with pytest.raises(InputError, match=r"PBSCluster cannot be made with .*colour"):
        open_pool(problem, workers=2, executor={"engine": "pbs", "colour": 1})


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("sbatch", "words"),
    [
        (None, r"cannot be submitted here .*'sbatch'.*commands of the queue"),
        ("#!/bin/sh\necho no such account >&2; exit 1\n", "take the job: no such acc"),
        ("#!/bin/sh\necho thank you\n", "take the job: .*thank you"),
    ],
)
def test_jobs_that_are_not_submitted_are_an_error(
    tmp_path, slurm, monkeypatch, sbatch, words
):
    """Nobody would know why a study waits for ever."""
    if sbatch is None:
        (tmp_path / "sbatch").unlink()
        monkeypatch.setenv("PATH", str(tmp_path))
    else:
        (tmp_path / "sbatch").write_text(sbatch)
    problem = dl.Problem(dl.Permutation(6), lambda x: (x[0], x[2]), ["a", "b"])
    with pytest.raises(DivlearnError, match=words):
        open_pool(problem, workers=2, executor=slurm)
    with pytest.raises(InputError, match="jobs must be"):
        open_pool(problem, workers=2, executor={**slurm, "jobs": 0})


@pytest.mark.skipif(sys.platform != "linux", reason="needs a shell and sessions")
@pytest.mark.filterwarnings("ignore")
def test_a_job_of_several_workers_is_submitted_again(tmp_path, slurm, monkeypatch):
    """However soon after its start it ends, and though a first attempt fails."""
    monkeypatch.setattr("divlearn.workers.queues.LOOK", 0.1)
    monkeypatch.setattr("divlearn.workers.queues.PATIENCE", 1.0)

    def evaluate(x):
        time.sleep(0.2)
        return x[0] + x[1], x[2]

    problem = dl.Problem(dl.Permutation(6), evaluate, ["a", "b"])
    packed = {**slurm, "jobs": 1, "processes": 2, "cores": 2}
    refused = "#!/bin/sh\nrm $0; mv $0.good $0; echo busy >&2; exit 1\n"

    def cancel(study, trial):
        if trial.number == 3:
            pool = study_pool[0]
            (job,) = pool._closing[2].workers.values()
            (tmp_path / "sbatch").rename(tmp_path / "sbatch.good")
            (tmp_path / "sbatch").write_text(refused)
            (tmp_path / "sbatch").chmod(0o755)
            os.killpg(int(job.job_id), signal.SIGTERM)

    study_pool = [open_pool(problem, workers=2, executor=packed)]
    with dl.Study(problem, tmp_path / "queue.db", method="random") as study:
        found = study.run(20, executor=study_pool[0], callbacks=[cancel])
        assert study.verify()
    assert found.evaluations == 20
    assert not (tmp_path / "sbatch.good").exists()

"""Kills a fork at moments all over its way: it is there as a whole, or not at all.

``python -m tests.study.kill_fork --moments 2000`` is the long form.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
from pathlib import Path

import divlearn as dl
from divlearn.study import Study, StudyReader, fork
from tests.study.kill import evaluate

OLD = dl.Composite(order=dl.Permutation(6), width=dl.Integer(1, 9))
NEW = dl.Composite(order=dl.Permutation(6), width=dl.Integer(1, 12))
OBJECTIVES = {"cost": "min", "gain": "min"}


def begin(path):
    """A study to fork, with something in its queue, whose log is not empty."""
    study = Study(dl.Problem(OLD, evaluate, OBJECTIVES), path, method="random")
    study.run(30, workers=0, progress=False)
    study.enqueue({"order": range(6), "width": 9})
    return study


def forked(old, path):
    """Fork it."""
    fork(old, path, dl.Problem(NEW, evaluate, OBJECTIVES)).close()


def killed(old, path, moment):
    """Fork in a process that is killed at its so many-th call of a function.

    Returns the number of calls if it comes to its end, otherwise 0.
    """
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        calls = 0

        def count(*_):
            nonlocal calls
            calls += 1
            if calls == moment:
                os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(count)
        forked(old, path)
        sys.setprofile(None)
        os.write(write, str(calls).encode())
        os._exit(0)
    os.close(write)
    os.waitpid(child, 0)
    with os.fdopen(read) as pipe:
        return int(pipe.read() or 0)


def seen(path):
    """All that a study knows, and what waits."""
    with StudyReader(path) as reader:
        trials = [
            (t.number, t.state, repr(t.x), t.f, t.source) for t in reader.trials()
        ]
        return trials, repr(reader.queue())


def main(options):
    """Kill at moments all over the way, look, and fork again."""
    outcomes = {"absent": 0, "whole": 0}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        old, path = folder / "old.db", folder / "new.db"
        with begin(old):
            before = old.read_bytes()
            forked(old, folder / "whole.db")
            whole = seen(folder / "whole.db")
            calls = killed(old, folder / "counted.db", 0)
            step = max(1, calls // options.moments)
            for moment in range(step // 2 + 1, calls, step):
                killed(old, path, moment)
                outcomes["whole" if path.exists() else "absent"] += 1
                if not path.exists():
                    forked(old, path)
                assert seen(path) == whole, "another study"
                left = [file.name for file in folder.glob(".*")]
                assert not left, f"killed at call {moment}, it has left {left}"
                for file in folder.glob("new.db*"):
                    file.unlink()
            assert old.read_bytes() == before, "the old study was changed"
        forked(old, path)
        with Study(dl.Problem(NEW, evaluate, OBJECTIVES), path) as study:
            study.run(5, workers=0, progress=False)
            assert study.verify(), "it is not reproduced"
    return outcomes


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moments", type=int, default=2000)
    json.dump(main(parser.parse_args()), sys.stdout)

import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import divlearn as dl
from divlearn.simulator import load_toml

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")


def copy(name, folder):
    """Copy an example, and compile it where it is to be compiled."""
    place = Path(shutil.copytree(EXAMPLES / name, folder / name))
    for source in place.glob("*.c"):
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("there is no C compiler")
        subprocess.run(
            [compiler, "-O2", "-o", "sim", source, "-lm"], cwd=place, check=True
        )
    (path,) = place.glob("*.toml")
    return path


@pytest.mark.parametrize("name", ["simulator_c", "simulator_shell", "simulator_python"])
def test_every_simulator_gives_trade_offs(name, tmp_path):
    """The same design has the same metrics, and no design is best in all of them."""
    problem, options = load_toml(copy(name, tmp_path))
    assert options.budget >= 200
    values = []
    for seed in range(12):
        x = problem.space.sample(seed=seed)
        try:
            values.append(problem.evaluate(x))
        except dl.InvalidDesign:
            continue
        if seed < 2:
            assert np.array_equal(problem.evaluate(x), values[-1])
    objectives = np.array(values)[:, : problem.num_objectives] * problem.sign
    assert len(objectives) >= 6
    assert len(set(objectives.argmin(axis=0))) > 1
    assert (np.ptp(objectives, axis=0) > 0).all()
    assert not list(tmp_path.glob("*/*-evaluations/0*"))


def test_a_design_without_its_knobs_is_refused_by_the_simulators(tmp_path):
    """With words on standard error and an exit code, which become the message."""
    problem, _ = load_toml(copy("simulator_shell", tmp_path))
    with pytest.raises(dl.EvaluationError, match="it said: the design is not complete"):
        problem.evaluate({})

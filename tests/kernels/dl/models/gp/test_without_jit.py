"""The same proposals, bit for bit, with the compiler and without it."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from tests.kernels.dl.models.gp.cases import MIXED
from tests.kernels.dl.models.gp.test_proposal import Search, additive


def lines():
    """One line per search: the solutions proposed and what was learned last."""
    ordered = dl.Composite(a=dl.Permutation(4), b=dl.Integer(1, 9), c=dl.Binary(3))
    for space in (MIXED, ordered):
        function = additive(space, 2)
        search = Search(space, 2, 1, seed=3)
        xs, _ = search.run(lambda x, f=function: [*np.exp(f(x)), f(x)[0]], 14, batch=2)
        yield f"{xs.tolist()} {search.gp.log_weights.tobytes().hex()}"


@pytest.mark.skipif(JIT_DISABLED, reason="compares compiled with plain Python")
def test_proposals_are_the_same_bits_as_in_plain_python(tmp_path):
    """Constraints, pending proposals and permutations included."""
    root = Path(__file__).parents[5]
    environment = os.environ | {
        "NUMBA_DISABLE_JIT": "1",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(root),
    }
    plain = subprocess.run(
        [sys.executable, "-m", "tests.kernels.dl.models.gp.test_without_jit"],
        env=environment,
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.splitlines() == list(lines())


if __name__ == "__main__":
    sys.stdout.write("\n".join(lines()))

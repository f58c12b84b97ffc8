"""Kernels that are on disk are loaded without the compiler."""

import subprocess
import sys

import pytest

from divlearn.kernels.jit import JIT_DISABLED

LOAD = """
import sys
import numpy as np
from divlearn.kernels.random import seed_words
words = np.zeros(4, np.uint64)
seed_words(words, np.uint64(1))
assert words.all()
print(*(name for name in sys.modules if name == "numba.np.arraymath"))
"""


@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_a_kernel_on_disk_does_not_wake_up_the_compiler():
    """What numba can compile takes a third of a second to import, in every process."""
    for _ in range(2):  # it may have to be compiled first
        done = subprocess.run(
            [sys.executable, "-c", LOAD], capture_output=True, text=True, check=True
        )
    assert done.stdout.strip() == ""

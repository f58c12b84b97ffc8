"""The disk cache of the kernels."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import divlearn
from divlearn.kernels.jit import JIT_DISABLED, inlined_kernel, kernel
from divlearn.kernels.layout import CATEGORICAL, build_layout, sample

needs_compiler = pytest.mark.skipif(JIT_DISABLED, reason="is about compiled kernels")

# A kernel of layout.py that calls one of random.py, and where it came from.
PROGRAM = """
import numpy as np
from divlearn.kernels import layout, random
words, x = np.arange(1, 5).astype(np.uint64), np.empty(4, np.int64)
space = layout.build_layout([(layout.CATEGORICAL, [9] * 4, 0, 0)])
layout.sample(space, words, x)
stats = layout.sample.stats
print(x.tolist(), sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""

# What the cache entries of a kernel, of one that calls an objective, and of an
# objective depend on.
STAMPS = """
from divlearn.kernels.layout import sample
from divlearn.lab.kernels.local_search.items import scan_items
from divlearn.problems.built_in.knapsack import knapsack_values
for function in (sample, scan_items, knapsack_values):
    print(function._cache._cache_file._version.split()[-1])
"""


@pytest.fixture
def copied(tmp_path):
    """A copy of the package whose kernels may be edited."""
    package = tmp_path / "copy" / "divlearn"
    shutil.copytree(
        Path(divlearn.__file__).parent,
        package,
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    return package


def printed(program, package, **environment):
    """What a program prints that uses the copy."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"PYTHONPATH": str(package.parent), **environment},
        cwd=package.parent,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def run(package, **environment):
    """Run the program with the copy: result, hits and misses of the cache."""
    codes, hits, misses = printed(PROGRAM, package, **environment).rsplit(" ", 2)
    return codes, int(hits), int(misses)


@needs_compiler
def test_an_edit_of_one_kernel_file_is_seen_by_kernels_of_another(copied, tmp_path):
    """Numba itself would go on running the old code of the called kernel."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    codes, hits, misses = run(copied, **cache)
    assert (hits, misses) == (0, 1)
    assert run(copied, **cache) == (codes, 1, 0)
    file = copied / "kernels" / "random.py"
    text = file.read_text()
    edited = text.replace("int(uniform(words) * bound)", "int(bound - 1)")
    assert edited != text
    file.write_text(edited)
    assert run(copied, **cache) == ("[8, 8, 8, 8]", 0, 1)
    assert codes != "[8, 8, 8, 8]"


@needs_compiler
def test_an_edit_of_an_objective_is_seen_by_those_who_call_it_alone(copied, tmp_path):
    """A search calls objectives by their address: its kernels need no compilation."""
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    before = printed(STAMPS, copied, **cache).split()
    file = copied / "problems" / "built_in" / "tsp.py"
    file.write_text(file.read_text() + "# edited")
    after = printed(STAMPS, copied, **cache).split()
    assert [a == b for a, b in zip(after, before, strict=True)] == [True, False, False]


@needs_compiler
def test_kernels_work_where_no_cache_can_be_written(copied, tmp_path):
    """Read-only installations and homes: every call compiles, and nothing fails."""
    blocked = tmp_path / "file"
    blocked.write_text("a file, below which there can be no directory")
    for folder in (copied, copied / "kernels"):
        (folder / "__pycache__").write_text("in the way of a directory")
    nowhere = str(blocked / "below")
    places = ("NUMBA_CACHE_DIR", "HOME", "XDG_CACHE_HOME", "IPYTHONDIR")
    codes, hits, misses = run(copied, **dict.fromkeys(places, nowhere))
    words, x = np.arange(1, 5).astype(np.uint64), np.empty(4, np.int64)
    sample(build_layout([(CATEGORICAL, [9] * 4, 0, 0)]), words, x)
    assert codes == str(x.tolist())
    assert (hits, misses) == (0, 1)


def double(x):
    """Twice the number."""
    return 2 * x


def test_a_kernel_can_be_called_from_python():
    """Compiled or not, it is the same function to its caller."""
    assert kernel(double)(3.5) == 7.0


@inlined_kernel
def _halved(numbers, i):
    """Half of a number of an array."""
    return 0.5 * numbers[np.uint64(i)]


@kernel
def _sum_of_halves(numbers):
    """Half of the sum of an array."""
    total = 0.0
    for i in range(len(numbers)):
        total += _halved(numbers, i)
    return total


def test_an_inlined_kernel_is_called_from_python_and_from_kernels():
    """It only says where the code goes, not what it does."""
    numbers = np.array([1.0, 2.0, 5.0])
    assert _halved(numbers, 2) == 2.5
    assert _sum_of_halves(numbers) == 4.0

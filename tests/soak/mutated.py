# ruff: noqa: T201 - a program that prints
"""Opens thousands of altered files: each is refused in words, or does no harm.

Every case runs in a process of its own, so that a signal is seen, and the seed of the
file that did it named: ``python -m tests.soak.mutated CASE FIRST COUNT`` repeats it.
"""

import resource
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

import divlearn as dl
from tests.soak.mutated_cases import CASES

#: Seconds of the processor that one altered file may take, seconds by the clock, and
#: bytes that a process may have.
LIMIT, PATIENCE, ROOM = 60, 900, 1_000_000_000


def run_case(name, first, count):
    """Open altered files one after the other; print what became of each."""
    resource.setrlimit(resource.RLIMIT_AS, (6 * 2**30, 6 * 2**30))
    with tempfile.TemporaryDirectory() as folder:
        case = CASES[name](Path(folder))
        for seed in range(first, first + count):
            rng = np.random.default_rng(seed)
            what, content = case.alter(rng, case.content)
            print(f"begin {seed} {what!r}", flush=True)
            signal.setitimer(signal.ITIMER_PROF, LIMIT)
            signal.alarm(PATIENCE)
            try:
                fate = case.open(content)
            except dl.InputError as error:
                fate = _fate(error)
            except Exception as error:
                fate = f"RAW {type(error).__name__}: {error}"
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)
            print(f"end {fate}", flush=True)
    print(f"peak {_peak()}")


def _peak():
    """Bytes that this program had at most.

    ``getrusage`` would count what the process had before it became this program: the
    memory of whoever started it.
    """
    lines = Path("/proc/self/status").read_text().splitlines()
    (line,) = (line for line in lines if line.startswith("VmHWM:"))
    return 1024 * int(line.split()[1])


def _fate(error):
    """A refusal has to be short and printable."""
    text = str(error)
    good = len(text) < 5000 and text.isprintable()
    return "refused" if good else f"UNCLEAR {text[:200]!r}"


def open_all(names, count, seed=0):
    """Open ``count`` altered files of each case; what became of them.

    Returns
    -------
    How many were refused, led to the same, or to something harmless; what is wrong,
    with the command that repeats it; and the largest memory of a process in bytes.
    """
    fates, wrong, peak = Counter(), [], 0
    for name in names:
        first, stop = seed, seed + count
        while first < stop:
            lines, code = _lines([name, str(first), str(stop - first)])
            begun = [line.split(maxsplit=2) for line in lines if line[:5] == "begin"]
            ended = [line[4:] for line in lines if line[:4] == "end "]
            for (_, number, what), fate in zip(begun, ended, strict=False):
                fates[fate.split()[0]] += 1
                if fate not in ("refused", "same", "harmless"):
                    wrong.append(f"{name} {number} 1: {what}: {fate}")
            peaks = [int(line[5:]) for line in lines if line[:5] == "peak "]
            peak = max([peak, *peaks])
            if code == 0:
                break
            assert begun, f"{name} did not begin: {lines[-1:]}"
            _, last, what = begun[-1]
            wrong.append(f"{name} {last} 1: {what}: exit {code}: {lines[-1:]}")
            fates["died"] += 1
            first = int(last) + 1
    return fates, wrong, peak


def _lines(arguments):
    """Run a case in a process of its own."""
    command = [sys.executable, "-m", "tests.soak.mutated", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode > 0:
        lines.append(done.stderr[-500:])
    return lines, done.returncode


def main(arguments):
    """Repeat altered files of a case."""
    run_case(arguments[0], int(arguments[1]), int(arguments[2]))


if __name__ == "__main__":
    main(sys.argv[1:])

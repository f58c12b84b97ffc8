"""What a first search compiles, when, and how much CPU time that takes.

``python benchmarks/compiling.py`` runs 60 evaluations of every kind of space, each in
a process with an empty cache (minutes in all; name some kinds to run those alone). It
prints the kernels that were compiled, after how many evaluations, and whether
``Method.missing`` promised about as much.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time

import numpy as np

KINDS = ("permutation", "bits", "mixed", "noise", "assignment", "experts")


def make(kind):
    """Return a problem in Python, its method and its budget."""
    import divlearn as dl

    mixed = dl.Composite(
        blades=dl.Integer(3, 9), kind=dl.Categorical("abc"), width=dl.Ordinal([1, 2, 5])
    )
    spaces = {"bits": dl.Binary(12), "mixed": mixed, "noise": mixed}
    length, budget = (10, 600) if kind == "assignment" else (8, 60)
    space = spaces.get(kind, dl.Permutation(length))

    def evaluate(x):
        COUNT[0] += 1
        codes = space.encode(x)
        return float(codes @ np.arange(len(codes))), float(codes[0] - codes[-1])

    problem = dl.Problem(space, evaluate, ["a", "b"], noise=kind == "noise")
    return problem, "paper-ts" if kind == "experts" else "dl", budget


COUNT = [0]


def run(kind):
    """Search, and print a line per kernel that was compiled."""
    from numba.core import event

    import divlearn as dl

    begun = []

    class Listener(event.Listener):
        def on_start(self, happened):
            begun.append(time.process_time())

        def on_end(self, happened):
            seconds = time.process_time() - begun.pop()
            if not begun:  # those inside are counted with it
                name = happened.data["dispatcher"].py_func.__name__
                print(f"  {seconds:6.1f} s after {COUNT[0]:3} evaluations: {name}")

    problem, method, budget = make(kind)
    promised = dl.Optimizer(problem, method, budget=budget).missing_kernels()
    event.register("numba:compile", Listener())
    started = time.process_time()
    optimizer = dl.Optimizer(problem, method, budget=budget)
    optimizer.warm_up()
    warmed = time.process_time() - started
    dl.solve(problem, 60, optimizer=optimizer, progress=False)
    rest = time.process_time() - started - warmed
    costs = f"{warmed:.0f} s to warm up, {rest:.1f} s for 60 evaluations"
    print(f"{kind}: {costs}, {promised}")


def main():
    """Run every kind in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kinds", nargs="*", default=KINDS)
    parser.add_argument("--here", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.here:
        run(arguments.here)
        return
    for kind in arguments.kinds:
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            command = [sys.executable, __file__, "--here", kind]
            subprocess.run(command, env=environment, check=True)


if __name__ == "__main__":
    main()

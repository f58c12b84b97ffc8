"""CPU seconds from an empty cache of compiled code to the 200th evaluation.

``python benchmarks/cold_start.py`` runs four problems, each in a process with an empty
cache, with this checkout and with the commit ``--beside`` (of 0.1.0, unless another one
is named), one after the other, and prints both and their ratio. A checkout that has run
before is not touched. Minutes in all. ``--wheel FILE`` runs them with a wheel of
``make dist`` as well.
"""

import argparse
import io
import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent.parent
PROBLEMS = ("permutation", "binary", "mixed", "bitsp-100")
EVALUATIONS = 200

PROGRAM = """
import resource, sys
import divlearn as dl
kind = sys.argv[1]
spaces = {
    "permutation": lambda: dl.Permutation(30),
    "binary": lambda: dl.Binary(40),
    "mixed": lambda: dl.Composite(
        order=dl.Permutation(8), kind=dl.Categorical("abc", n=3),
        width=dl.Integer(0, 9, n=3)),
}
if kind in spaces:
    space = spaces[kind]()
    def evaluate(x):
        codes = space.encode(x)
        return float(codes[:5].sum()), float(codes[0] - codes[::2].sum())
    problem = dl.Problem(space, evaluate, ["a", "b"])
else:
    problem = dl.problems.get(kind)
dl.solve(problem, int(sys.argv[2]))
both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
print(sum(used.ru_utime + used.ru_stime for used in both))
"""


def exported(commit, folder):
    """Write a commit's package into a folder."""
    command = ["git", "-C", str(HERE), "archive", commit, "divlearn"]
    content = subprocess.run(command, check=True, capture_output=True).stdout
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(folder, filter="data")
    return folder


def installed(wheel, folder):
    """Install a wheel into a folder, without what it needs."""
    command = ["pip", "install", "-q", "--no-deps", "--target", folder, wheel]
    subprocess.run([sys.executable, "-m", *command], check=True)


def seconds(package, kind, evaluations):
    """CPU seconds of one run with the package in a folder and an empty cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {
            **os.environ,
            "PYTHONPATH": str(package),
            "NUMBA_CACHE_DIR": cache,
            "DIVLEARN_PROGRESS": "0",
        }
        command = [sys.executable, "-c", PROGRAM, kind, str(evaluations)]
        done = subprocess.run(
            command, env=environment, cwd=cache, check=True, capture_output=True
        )
    return float(done.stdout)


def main():
    """Compare this checkout with a commit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", nargs="*", default=PROBLEMS)
    parser.add_argument("--beside", default="6f1f668", help="commit to compare with")
    parser.add_argument("--wheel", help="file that make dist wrote")
    arguments = parser.parse_args()
    print(f"{'problem':12} {arguments.beside:>9} {'here':>9} {'ratio':>7} {'wheel':>7}")
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as site:
        before = exported(arguments.beside, folder)
        if arguments.wheel:
            installed(arguments.wheel, site)
        for kind in arguments.problems:
            old, new = (seconds(at, kind, EVALUATIONS) for at in (before, HERE))
            line = f"{kind:12} {old:9.1f} {new:9.1f} {new / old:7.2f}"
            if arguments.wheel:
                line += f" {seconds(site, kind, EVALUATIONS):7.1f}"
            print(line, flush=True)


if __name__ == "__main__":
    main()

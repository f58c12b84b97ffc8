"""Files and functions that are entered on six ways through the package.

``python benchmarks/walks.py`` goes each way in a process of its own and counts what of
the package is called there, compiled kernels and the making of classes left out:
files, functions, and calls from one file to another. ``--beside COMMIT`` counts the
same in another commit, whose own dependencies have to be installed or on
``PYTHONPATH``. ``--list`` prints the files, in the order in which they are first
entered.

1 ``solve`` with a function in Python over orders, 2 ``solve`` in the compiled loop,
3 a study with two workers, 4 ``divlearn run`` of a simulator, 5 ``divlearn bench``,
6 ``solve`` on a mixed design.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from cold_start import exported

HERE = Path(__file__).parent.parent
WAYS = range(1, 7)

PROGRAM = r"""
import inspect, os, sys, threading
files, functions, calls = {}, set(), set()

def enter(frame, event, argument):
    name, file = frame.f_code.co_name, frame.f_code.co_filename
    unnamed = name.startswith("<") and name != "<lambda>"
    body = not frame.f_code.co_flags & inspect.CO_OPTIMIZED  # a class that is made
    if event != "call" or unnamed or body or not file.startswith(root):
        return
    files.setdefault(file[len(root):], len(files))
    functions.add((file, frame.f_code.co_qualname))
    caller = frame.f_back
    while caller is not None and not caller.f_code.co_filename.startswith(root):
        caller = caller.f_back
    if caller is not None and caller.f_code.co_filename != file:
        calls.add((caller.f_code.co_filename, file))

def first_two(x):
    return float(x[0]), float(x[1])

def design(x):
    return float(x["blades"]), "abc".index(x["kind"]) - float(x["blades"])

def command(*arguments):
    from divlearn.__main__ import main
    sys.argv = ["divlearn", *arguments]
    try:
        main()
    except SystemExit as ended:
        assert ended.code == 0, ended.code

import divlearn as dl

def go(way):
    two = ["a", "b"]
    if way == 1:
        dl.solve(dl.Problem(dl.Permutation(12), first_two, two), 400)
    elif way == 2:
        dl.solve(dl.problems.get("bitsp-20"), 2_000)
    elif way == 3:
        study = dl.Study(dl.Problem(dl.Permutation(8), first_two, two), "way.db")
        study.run(40, workers=2)
    elif way == 4:
        command("run", simulator, "--budget", "60", "--workers", "2")
    elif way == 5:
        command("bench", "table1", "--problems", "bitsp-20", "--methods", "dl,nsga2",
                "--instances", "1", "--budget", "200", "--workers", "1")
    else:
        width = dl.Ordinal([1, 2, 5])
        space = dl.Composite(
            blades=dl.Integer(3, 9), kind=dl.Categorical("abc"), width=width
        )
        dl.solve(dl.Problem(space, design, two), 40)

# Processes that are started import this file again.
if __name__ == "__main__":
    way, root, simulator = int(sys.argv[1]), sys.argv[2] + "/divlearn/", sys.argv[3]
    sys.setprofile(enter)
    threading.setprofile(enter)
    go(way)
    sys.setprofile(None)
    print("entered", len(files), len(functions), len(calls))
    print(*files, sep="\n")
"""


def walk(package, way):
    """Go one way with the package in a folder; counts, and files as they are entered.

    Returns
    -------
    Numbers of files, functions and calls as texts, and names; dashes if it failed.
    """
    paths = [str(package), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    simulator = HERE / "examples/simulator_python/accelerator.toml"
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "way.py")
        script.write_text(PROGRAM, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, str(script), str(way), str(package), str(simulator)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            cwd=folder,
            capture_output=True,
            text=True,
        )
    _, found, listed = done.stdout.rpartition("entered ")
    if done.returncode or not found:
        print(done.stderr.strip().rpartition("\n")[2], file=sys.stderr)
        return ["-"] * 3, []
    counts, *names = listed.splitlines()
    return counts.split(), names


def main():
    """Go all ways, in this checkout and beside it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ways", nargs="*", type=int, default=list(WAYS))
    parser.add_argument("--beside", help="commit to compare with")
    parser.add_argument("--list", action="store_true", help="print the files")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        packages = [HERE]
        if arguments.beside:
            packages.insert(0, Path(exported(arguments.beside, folder)))
        names = "".join(f" {name:>9}" for name in ("files", "functions", "calls"))
        print("way" + names * len(packages))
        for way in arguments.ways:
            walks = [walk(package, way) for package in packages]
            counts = [number for numbers, _ in walks for number in numbers]
            print(f"{way:3}" + "".join(f" {each:>9}" for each in counts), flush=True)
            if arguments.list:
                print(*walks[-1][1], sep="\n")


if __name__ == "__main__":
    main()

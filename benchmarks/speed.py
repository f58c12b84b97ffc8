"""Speed of divlearn, as ratios measured within one run.

    python benchmarks/speed.py            # all parts
    python benchmarks/speed.py search     # one part

CPU seconds of one core throughout; the best of several repetitions, so that other
work on the machine disturbs little. Each line ends with the bar it has to pass.
"""

from __future__ import annotations

import ctypes
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import divlearn as dl
from divlearn import problems


def cpu_seconds(function, repetitions: int = 5) -> float:
    """Least CPU time of a call."""
    best = np.inf
    for _ in range(repetitions):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best


def report(what: str, figure: str, bar: str, passed: bool | None) -> None:
    """Print one line."""
    mark = {True: "ok  ", False: "MISS", None: "-   "}[passed]
    print(f"{mark} {what:<58} {figure:>22}   {bar}", flush=True)


def search() -> None:
    """Compiled search against pymoo's NSGA-II on the same problem."""
    problem = problems.get("bitsp-100", instance=0)
    dl.Optimizer(problem, "paper-ucb").run(100)  # compile first
    evaluations = 622_000

    def run() -> None:
        dl.Optimizer(problem, "paper-ucb", budget=evaluations).run(evaluations)

    ours = evaluations / cpu_seconds(run, 3)
    report(
        "paper-ucb, BiTSP100, evaluations per CPU second",
        f"{ours:,.0f}",
        ">= 500,000",
        ours >= 500_000,
    )
    theirs = nsga2_speed(problem)
    if theirs is None:
        report("pymoo is not installed", "", "", None)
        return
    report("pymoo NSGA-II, the same", f"{theirs:,.0f}", "", None)
    report("ratio", f"{ours / theirs:.0f}", ">= 40", ours / theirs >= 40)


def nsga2_speed(problem, generations: int = 100) -> float | None:
    """Evaluations per CPU second of NSGA-II, population 100, OX and inversion."""
    try:
        from pymoo.algorithms.moo.nsga2 import NSGA2
        from pymoo.core.problem import Problem
        from pymoo.operators.crossover.ox import OrderCrossover
        from pymoo.operators.mutation.inversion import InversionMutation
        from pymoo.operators.sampling.rnd import PermutationRandomSampling
        from pymoo.optimize import minimize
    except ImportError:
        return None
    objective, table = problem.compiled.objective, problem.compiled.table
    n, m = problem.space.n, problem.num_objectives

    class Tours(Problem):
        def __init__(self) -> None:
            super().__init__(n_var=n, n_obj=m, xl=0, xu=n - 1, vtype=int)

        def _evaluate(self, rows, out, *args, **kwargs) -> None:
            values = np.empty((len(rows), m))
            for row, value in zip(rows.astype(np.int64), values, strict=True):
                objective(row, table, value)
            out["F"] = values

    def run() -> None:
        algorithm = NSGA2(
            pop_size=100,
            sampling=PermutationRandomSampling(),
            crossover=OrderCrossover(),
            mutation=InversionMutation(),
        )
        minimize(Tours(), algorithm, ("n_gen", generations), seed=1, verbose=False)

    return 100 * generations / cpu_seconds(run, 2)


CPP = r"""
extern "C" void tours(const long *x, const double *d, double *y,
                      long n, long m, long repeat) {
  for (long r = 0; r < repeat; ++r)
    for (long j = 0; j < m; ++j) {
      const double *matrix = d + j * n * n;
      double total = matrix[x[n - 1] * n + x[0]];
      for (long i = 1; i < n; ++i) total += matrix[x[i - 1] * n + x[i]];
      y[j] += total;
    }
}
"""


def kernel() -> None:
    """The tour kernel against a plain C++ loop over D[m][n][n]."""
    from divlearn.kernels.jit import kernel as compiled

    problem = problems.get("bitsp-100", instance=0)
    objective, table = problem.compiled.objective, problem.compiled.table
    n, m, repeat = 100, 2, 500_000
    x = np.random.default_rng(0).permutation(n)
    y = np.zeros(m)

    @compiled
    def many(x, table, y, repeat):
        total = 0.0
        for _ in range(repeat):
            objective(x, table, y)
            total += y[0] + y[1]
        return total

    many(x, table, y, 1)
    ours = repeat / cpu_seconds(lambda: many(x, table, y, repeat)) / 1e6
    report(
        "tour kernel, n = 100, m = 2, million per CPU second", f"{ours:.1f}", "", None
    )
    if shutil.which("g++") is None:
        report("no g++ here", "", "", None)
        return
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "tours.cpp"), Path(folder, "tours.so")
        source.write_text(CPP)
        subprocess.run(
            ["g++", "-O3", "-march=native", "-shared", "-fPIC", "-o", library, source],
            check=True,
        )
        tours = ctypes.CDLL(str(library)).tours
        matrices = np.ascontiguousarray(table.reshape(n, n, m).transpose(2, 0, 1))
        pointers = [a.ctypes.data_as(ctypes.c_void_p) for a in (x, matrices, y)]
        numbers = [ctypes.c_long(v) for v in (n, m, repeat)]
        theirs = repeat / cpu_seconds(lambda: tours(*pointers, *numbers)) / 1e6
    report("C++ -O3 -march=native over D[m][n][n], the same", f"{theirs:.1f}", "", None)
    report("ratio", f"{ours / theirs:.2f}", ">= 1", ours >= theirs)


def ask_tell() -> None:
    """Overhead of ask and tell at n = 50."""
    problem = problems.get("bitsp-50", instance=0)
    optimizer = dl.Optimizer(problem, "paper-ucb")
    values = [np.array([20.0, 20.0])]

    def single() -> None:
        for _ in range(1_000):
            optimizer.tell(optimizer.ask(1), values)

    def batches() -> float:
        seconds = 0.0
        for _ in range(100):
            start = time.process_time()
            batch = optimizer.ask(32)
            seconds += time.process_time() - start
            optimizer.tell(batch, values * 32)
        return seconds

    single()
    one = cpu_seconds(single) * 1e3
    many = min(batches() for _ in range(5)) / 3_200 * 1e6
    report("ask(1) + tell, microseconds", f"{one:.1f}", "< 60", one < 60)
    report("ask(32), microseconds per candidate", f"{many:.1f}", "< 10", many < 10)


def child_cpu(code: list[str]) -> float:
    """Least CPU seconds of a process, of three."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(code, check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        )
    return min(times)


def answer(code: list[str]) -> str:
    """What a process prints."""
    done = subprocess.run(code, check=True, capture_output=True, text=True)
    return done.stdout


START = """
import time, divlearn as dl
problem = dl.problems.get("bitsp-100")
dl.solve(problem, 1000, method="paper-ucb")
print(time.process_time())
"""
MEMORY = """
import resource, divlearn as dl
dl.solve(dl.problems.get("bitsp-100"), 622000, method="paper-ucb")
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def processes() -> None:
    """Start-up times and memory, each in a process of its own."""
    python = sys.executable
    bare = child_cpu([python, "-c", "pass"])
    package = child_cpu([python, "-c", "import divlearn"]) - bare
    report("import divlearn, CPU seconds", f"{package:.2f}", "< 0.3", package < 0.3)
    usage = child_cpu([python, "-m", "divlearn", "--help"])
    report("divlearn --help, CPU seconds", f"{usage:.2f}", "< 0.6", usage < 0.6)
    start = min(float(answer([python, "-c", START])) for _ in range(3))
    report(
        "process start to 1,000 evaluations, warm cache, CPU seconds",
        f"{start:.2f}",
        "< 1 to start",
        start < 1,
    )
    megabytes = int(answer([python, "-c", MEMORY])) / 1024
    report(
        "BiTSP100, 622,000 evaluations, megabytes resident",
        f"{megabytes:.0f}",
        "< 300",
        megabytes < 300,
    )


PARTS = {f.__name__: f for f in (search, kernel, ask_tell, processes)}

if __name__ == "__main__":
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()

"""Your own loop: four workers, answers in any order, and some that fail.

Run: python examples/ask_tell.py [budget]
"""

import sys
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait

import divlearn as dl

CITIES = 40
problem = dl.problems.get(f"bitsp-{CITIES}", instance=0)


def measure(candidate):
    """Stand-in for something slow: a simulation, a build, a laboratory."""
    if candidate.id % 50 == 49:
        return None  # this one crashed
    return problem.evaluate(candidate.x)


def main(budget=400):
    optimizer = dl.Optimizer(problem, seed=0, budget=budget)
    running = {}
    with ThreadPoolExecutor(max_workers=4) as pool:
        while optimizer.evaluations < budget:
            for candidate in (
                optimizer.ask(4 - len(running)) if len(running) < 4 else ()
            ):
                running[pool.submit(measure, candidate)] = candidate
            done, _ = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                optimizer.tell(running.pop(future), future.result())
    # Candidates that are still under way may be told later or never.
    optimizer.save("ask_tell.npz")
    optimizer = dl.Optimizer.load("ask_tell.npz", problem)
    result = optimizer.result()
    print(result)
    return result


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

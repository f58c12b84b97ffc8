"""What it is worth to declare the structure of orders.

    python benchmarks/structure.py

prints the mean hypervolume of ``dl`` on the same instances, at equal evaluations, if
precedence is declared (``before=``, ``counts=``), if it is checked (``valid=``) and if
it is mended (``repair=``): one machine with setup times and precedence, and a job shop.
``python benchmarks/structure.py 5`` takes the first five instances only.
"""

import sys
import time

import numpy as np

import divlearn as dl

INSTANCES = range(100, 110)
BUDGETS = (200, 1_000)
WAYS = ("declared", "repair", "valid")


def random_pairs(rng, n, count):
    """Pairs of jobs, each in the order of a hidden permutation."""
    hidden = rng.permutation(n)
    pairs = set()
    while len(pairs) < count:
        first, second = np.sort(rng.choice(n, 2, replace=False))
        pairs.add((int(hidden[first]), int(hidden[second])))
    return sorted(pairs)


def list_schedule(order, before):
    """Jobs in the given order, each as soon as all that come before it are done."""
    waiting, done, found = list(order), set(), []
    while waiting:
        job = next(a for a in waiting if all(b != a or p in done for p, b in before))
        waiting.remove(job)
        done.add(job)
        found.append(job)
    return np.array(found)


def keeps(order, before):
    """Whether an order keeps all pairs."""
    place = np.argsort(order)
    return all(place[a] < place[b] for a, b in before)


def one_machine(instance, links=30, n=30):
    """Total setup time and weighted tardiness of jobs with precedence."""
    rng = np.random.default_rng(instance)
    times, weights = rng.integers(1, 10, n), rng.integers(1, 6, n)
    setups = rng.integers(0, 10, (n, n))
    due = rng.integers(0, 8 * n, n)
    before = random_pairs(rng, n, links)

    def evaluate(order):
        changes = setups[order[:-1], order[1:]]
        ends = np.cumsum(times[order]) + np.concatenate([[0], np.cumsum(changes)])
        late = np.maximum(ends - due[order], 0)
        return changes.sum(), (weights[order] * late).sum()

    def problem(way, **box):
        if way == "declared":
            space, options = dl.Permutation(n, before=before), {}
        elif way == "valid":
            space, options = dl.Permutation(n), {"valid": lambda x: keeps(x, before)}
        else:
            space = dl.Permutation(n)
            options = {"repair": lambda x: list_schedule(x, before)}
        return dl.Problem(space, evaluate, ["setup", "tardiness"], **options, **box)

    return problem


def few_links(instance):
    """The same with six pairs of jobs only: most moves keep them."""
    return one_machine(instance, links=6)


def job_shop(instance, jobs=6, machines=5):
    """Makespan and total tardiness of a job shop."""
    rng = np.random.default_rng(instance)
    times = rng.integers(1, 20, (jobs, machines))
    route = np.array([rng.permutation(machines) for _ in range(jobs)])
    due = 1.5 * times.sum(axis=1)
    n = jobs * machines

    def evaluate(order):  # of jobs: the next operation of each is started
        ready, free, step = np.zeros(jobs), np.zeros(machines), np.zeros(jobs, int)
        for job in order:
            k = step[job]
            machine = route[job, k]
            end = max(ready[job], free[machine]) + times[job, k]
            ready[job] = free[machine] = end
            step[job] += 1
        return ready.max(), np.maximum(ready - due, 0).sum()

    def in_turn(x):
        """Operations of each job, in their order, at the places that they have."""
        found = x.copy()
        for job in range(jobs):
            own = x // machines == job
            found[own] = np.sort(x[own])
        return found

    def problem(way, **box):
        if way == "declared":
            space, function, options = (
                dl.Permutation(counts=[machines] * jobs),
                evaluate,
                {},
            )
        else:
            space, function = dl.Permutation(n), lambda x: evaluate(x // machines)
            mend = {"repair": in_turn}
            check = {"valid": lambda x: (in_turn(x) == x).all()}
            options = check if way == "valid" else mend
        return dl.Problem(space, function, ["makespan", "tardiness"], **options, **box)

    return problem


def box_of(problem):
    """Reference point from random solutions, and an ideal point that none reaches."""
    values = np.array([problem.evaluate(problem.space.sample(s)) for s in range(200)])
    return {"reference": values.max(axis=0), "ideal": (0, 0)}


def volume(problem, budget, seed):
    """Hypervolume of one search, or of what it found until it gave up."""
    try:
        return dl.solve(problem, budget, seed=seed, progress=False).hypervolume()
    except dl.DivlearnError as error:  # too many candidates in a row were refused
        found = getattr(error, "result", None)
        return 0.0 if found is None else found.hypervolume()


def main(instances):
    """Compare and print."""
    print("| problem | evaluations | declared | repair | valid | declared - repair |")
    print("|---|---|---|---|---|---|")
    for make in (few_links, one_machine, job_shop):
        for budget in BUDGETS:
            began, rows = time.process_time(), []
            for i in instances:
                problem = make(i)
                box = box_of(problem("declared"))
                rows.append([volume(problem(way, **box), budget, i) for way in WAYS])
            volumes = np.array(rows)
            more = volumes[:, 0] - volumes[:, 1]
            error = more.std(ddof=1) / len(more) ** 0.5
            means = " | ".join(f"{mean:.4f}" for mean in volumes.mean(axis=0))
            print(
                f"| {make.__name__} | {budget:,} | {means} | "
                f"{more.mean():+.4f} ± {error:.4f} |",
                f"({time.process_time() - began:.0f} s)",
                flush=True,
            )


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else len(INSTANCES)
    main(INSTANCES[:count])

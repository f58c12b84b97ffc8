"""The same study on any engine: local workers, Dask, Ray, a spool directory.

``python examples/any_engine.py dask`` runs it on a Dask cluster of this machine;
docs/clusters.md has what other engines need. Whoever evaluates, the front is the same.
"""

import hashlib
import sys
import tempfile
from pathlib import Path

import numpy as np

import divlearn as dl

rng = np.random.default_rng(3)
HOURS, DUE = rng.integers(1, 10, 20), rng.integers(10, 100, 20)


def cost(order):
    """Mean completion and worst delay of jobs in this order."""
    done = HOURS[order].cumsum()
    return done.mean(), np.maximum(0, done - DUE[order]).max()


PROBLEM = dl.Problem(
    dl.Permutation(20), cost, {"completion": "min", "delay": "min"}, noise=False
)


def main(budget=60, engine=None):
    """Search with one engine, and print a hash of what was found."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "jobs.db")
        with dl.Study(PROBLEM, path, seed=0, lag=8) as study:
            result = study.run(budget, workers=2, executor=engine)
    values = result.F[np.lexsort(result.F.T)]
    front = hashlib.sha256(values.tobytes()).hexdigest()[:12]
    print(f"{result.evaluations} evaluations, front {front}")
    return result


if __name__ == "__main__":
    main(engine=sys.argv[1] if sys.argv[1:] else None)

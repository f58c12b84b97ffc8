"""Are predictions as sure as they say? Shares held by intervals of 50 % and of 90 %.

``python benchmarks/predictions.py`` takes 80 random designs of an instance, predicts 80
others, and counts how many of their values lie within; also how much of the variance
the model says to explain, and how much it does. Then the same from the first 80 designs
of a search by ``dl``, for the 80 that it chose next, which are not like the first.
"""

import argparse
import time

import numpy as np

import divlearn as dl
from divlearn.result.prediction import NINETY_PERCENT, moments
from divlearn.result.sample import Sample

FAMILIES = "mixed-20 mixed-10 codesign-paper heatsink-8 bitsp-20"
#: Standard deviations on both sides of the mean within which half of all lie.
HALF = 0.6744897501960817


def random_designs(problem, count):
    """Random designs that can be evaluated, with their values."""
    codes, outputs, seed = [], [], 0
    while len(codes) < count:
        x, seed = problem.space.sample(seed), seed + 1
        try:
            y = problem.evaluate_seeded(x, seed)
        except dl.InvalidDesign:
            continue
        codes.append(problem.space.encode(x))
        outputs.append(y)
    return np.array(codes), np.array(outputs)


def chosen_designs(problem, count):
    """The first designs that ``dl`` evaluates, with their values."""
    sample = dl.solve(problem, budget=count, seed=0, progress=False).sample
    return sample.codes, sample.outputs


def judge(problem, codes, outputs, told):
    """Held by 50 % and by 90 %, explained as said and indeed; a row per output."""
    sample = Sample(problem.space, codes[:told], outputs[:told])
    rows = []
    for j, one in enumerate(moments(sample, codes[told:])):
        truth = outputs[told:, j]
        if np.ptp(outputs[:told, j]) == 0.0 or np.ptp(truth) == 0.0:
            continue
        missed = np.abs(truth - one.mean)
        error = np.mean(missed**2) / np.var(truth)
        held = [np.mean(missed <= wide * one.std) for wide in (HALF, NINETY_PERCENT)]
        rows.append([*held, one.explained, 1.0 - error])
    return rows


def main():
    """Print a line per family and way of choosing designs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--families", default=FAMILIES, help="names, in quotes")
    parser.add_argument("--first-instance", type=int, default=0)
    parser.add_argument("--instances", type=int, default=6)
    parser.add_argument("--told", type=int, default=80, help="designs to learn from")
    parser.add_argument("--asked", type=int, default=80, help="designs to predict")
    options = parser.parse_args()
    print("family designs 50% 90% said explained CPU-s")
    for family in options.families.split():
        for how in (random_designs, chosen_designs):
            rows, seconds = [], 0.0
            for k in range(options.instances):
                instance = options.first_instance + k
                problem = dl.problems.get(family, instance=instance)
                codes, outputs = how(problem, options.told + options.asked)
                start = time.process_time()
                rows += judge(problem, codes, outputs, options.told)
                seconds += time.process_time() - start
            half, most, said, _ = np.mean(rows, axis=0)
            explained = np.median([row[3] for row in rows])
            kind = how.__name__.partition("_")[0]
            print(
                f"{family} {kind} {half:.0%} {most:.0%} {said:.2f} {explained:.2f} "
                f"{seconds / options.instances:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

"""Train PMOCO for all twelve problems of the paper, each within a stated time.

    python benchmarks/train_networks.py --minutes 180 --out networks-tchebycheff

trains one network after another, from the smallest of a family to its largest; a larger
one begins with the one before it. Each takes at most so many minutes of one core, as
far as its first steps tell, and is trained by Tchebycheff rewards as in the paper
(``--scalarization weighted-sum`` for the other). The script may be stopped by Ctrl-C:
the same command goes on where it stopped, and does nothing for networks that are
finished. Let ``DIVLEARN_NETWORKS`` name the folder for ``pmoco`` to use them.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from divlearn.lab.baselines.pmoco.files import read_network
from divlearn.lab.baselines.pmoco.pace import planned_within
from divlearn.lab.baselines.pmoco.plan import SCALARIZATIONS, Plan
from divlearn.lab.baselines.pmoco.session import begin_with, open_training, train
from divlearn.lab.baselines.pmoco.shape import Shape
from divlearn.lab.bench.built_in import PAPER_SIZES

#: Preferences and instances of a step, and solutions of each (0: one from every start),
#: by the size up to which they are used. On large ones, few solutions of an instance,
#: and so more steps in the same time, teach more.
BATCHES = {20: (16, 4, 0), 50: (16, 1, 0), 200: (8, 1, 25)}
#: Highest learning rate of a network, and of one that begins with another.
RATE, LATER_RATE = 2e-3, 1e-3


def plan_for(
    family: str, size: int, start: Path | None, given: argparse.Namespace
) -> Plan:
    """Plan the training for one problem."""
    batch = next(batch for most, batch in BATCHES.items() if size <= most)
    preferences, instances, starts = batch
    plan = Plan(
        f"{family}-{size}",
        steps=given.steps,
        preferences=preferences,
        instances=instances,
        starts=starts,
        rate=RATE if start is None else LATER_RATE,
        scalarization=given.scalarization,
        shape=Shape(width=given.width),
    )
    if start is not None:
        plan = begin_with(plan, start)
    return planned_within(plan, 60.0 * given.minutes, start)


def train_one(
    family: str, size: int, start: Path | None, given: argparse.Namespace
) -> Path:
    """Train for one problem, or go on with it; returns the file."""
    file = given.out / f"{family}-{size}.npz"
    if file.exists():
        plan = read_network(file).plan
    else:
        plan = plan_for(family, size, start, given)
    trainer = open_training(plan, file, start)
    if not trainer.finished:
        made = plan.total_steps * plan.preferences * plan.instances
        print(f"{plan.problem}: {plan.epochs} epochs, {made:,} instances", flush=True)
        train(trainer, file, command=f"benchmarks/train_networks.py {plan.problem}")
    seconds = sum(row["cpu_seconds"] for row in trainer.log)
    print(f"{plan.problem}: trained in {seconds / 60:.1f} CPU minutes", flush=True)
    return file


def read_arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder of networks")
    parser.add_argument("--minutes", type=float, default=180.0, help="of each network")
    parser.add_argument("--families", nargs="*", default=list(PAPER_SIZES))
    parser.add_argument("--sizes", nargs="*", type=int, help="those of the paper")
    parser.add_argument("--steps", type=int, default=100, help="of an epoch")
    parser.add_argument("--width", type=int, default=Shape().width)
    parser.add_argument(
        "--scalarization", choices=SCALARIZATIONS, default=SCALARIZATIONS[0]
    )
    return parser.parse_args(words)


def main(words: list[str] | None = None) -> None:
    """Train all networks."""
    given = read_arguments(words)
    given.out.mkdir(parents=True, exist_ok=True)
    for family in given.families:
        start = None
        for size in given.sizes or PAPER_SIZES[family]:
            start = train_one(family, size, start, given)


if __name__ == "__main__":
    main()

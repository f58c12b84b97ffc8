"""``divlearn train``: the training, how it goes and how it ended."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.extras import need
from divlearn.cli.codes import DONE, INTERRUPTED
from divlearn.cli.echo import echo
from divlearn.cli.signals import noticing
from divlearn.lab.baselines.pmoco.plan import Plan
from divlearn.lab.cli.train_request import TrainOptions

if TYPE_CHECKING:
    from divlearn.lab.baselines.pmoco.training import Trainer


def run_training(options: TrainOptions, plan: Plan) -> int:
    """Train, and say how it ended."""
    need("torch", "neural")
    from divlearn.lab.baselines.pmoco.session import open_training, train

    trainer = open_training(plan, options.out, options.start)
    begun = trainer.step_count
    command = shlex.join(["divlearn", *options.arguments])
    with _display(trainer, options) as show, noticing() as stop:
        finished = train(trainer, options.out, command=command, show=show, stop=stop)
    _report(trainer, options, begun, command)
    return DONE if finished else INTERRUPTED


@contextmanager
def _display(
    trainer: Trainer, options: TrainOptions
) -> Iterator[Callable[[Trainer], None]]:
    """Show a bar in a terminal, a line per epoch elsewhere."""
    if options.quiet or options.as_json:
        yield lambda trainer: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield _say_epoch
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("epoch {task.fields[epoch]}"),
        TextColumn("cost {task.fields[cost]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as bar:
        total = trainer.plan.total_steps
        number = bar.add_task(trainer.plan.problem, total=total, epoch="", cost="")

        def show(trainer: Trainer) -> None:
            epoch = f"{trainer.epoch}/{trainer.plan.epochs}"
            cost = f"{trainer.log[-1]['cost']:.3f}" if trainer.log else "-"
            bar.update(number, completed=trainer.step_count, epoch=epoch, cost=cost)

        yield show


def _say_epoch(trainer: Trainer) -> None:
    """Write a line at the end of each epoch."""
    if trainer.rows:
        return
    row = trainer.log[-1]
    echo(
        f"{trainer.plan.problem}: epoch {row['epoch']} of {trainer.plan.epochs}, "
        f"cost {row['cost']:.4f}, {row['seconds']:.0f} s",
        err=True,
    )


def _report(trainer: Trainer, options: TrainOptions, begun: int, command: str) -> None:
    """Say what the file holds now, and how to go on."""
    if options.as_json:
        echo(json.dumps(_summary(trainer, options), indent=2))
        return
    plan, file = trainer.plan, options.out
    if not trainer.finished:
        echo(
            f"Stopped after {trainer.step_count:,} of {plan.total_steps:,} steps; "
            f"everything is in {file}. Go on with: {command}"
        )
        return
    how = "was finished before" if begun == trainer.step_count else "is trained"
    echo(
        f"The network for {plan.problem} {how}: {file}. Use it with: divlearn solve "
        f"{plan.problem} --method pmoco --set model={file}"
    )


def _summary(trainer: Trainer, options: TrainOptions) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "file": str(Path(options.out)),
        "problem": trainer.plan.problem,
        "epoch": trainer.epoch,
        "epochs": trainer.plan.epochs,
        "finished": trainer.finished,
        "cost": trainer.log[-1]["cost"] if trainer.log else None,
    }

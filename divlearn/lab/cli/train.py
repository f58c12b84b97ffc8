"""``divlearn train``: train a neural method, and say how it went."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from divlearn.basics.errors import InputError
from divlearn.cli.command import (
    Command,
    argument,
    command,
    flag,
    option,
    pairs,
    typed,
)
from divlearn.cli.output import DONE, INTERRUPTED, echo
from divlearn.cli.signals import noticing
from divlearn.cli.values import Positive, Whole

if TYPE_CHECKING:
    from divlearn.lab.baselines.pmoco.plan import Plan
    from divlearn.lab.baselines.pmoco.training import Trainer

#: Settings of a training; all others are of the network.
TRAINING = (
    "steps",
    "preferences",
    "instances",
    "starts",
    "rate",
    "scalarization",
)


@dataclass(frozen=True, kw_only=True)
class Train(Command):
    """Train a neural method.

    Ctrl-C saves, and the same command continues.
    """

    method: str = argument("METHOD", "What to train: pmoco.")
    out: str = option(
        str,
        "FILE",
        "File of the network; if it exists, its training continues.",
        required=True,
    )
    problem: str | None = option(
        str,
        "NAME",
        "Family and size of the instances to draw, such as bitsp-20: bitsp-N, "
        "tritsp-N, bikp-N, bicvrp-N.",
    )
    start: str | None = option(
        str,
        "FILE",
        "Begin with this network, trained for another size of the family.",
        names="--from",
    )
    epochs: int | None = option(
        Whole(1, "100"), "N", "Number of epochs.  [default: 100]"
    )
    minutes: float | None = option(
        Positive("180"),
        "T",
        "Instead of a number of epochs: as many as take about T minutes of one core. "
        "A training that continues keeps its number.",
    )
    seed: int | None = option(
        Whole(0, "0"), "K", "The same seed gives the same network.  [default: 0]"
    )
    settings: dict[str, Any] = pairs(
        "Change a setting of the training, such as rate=5e-4, or of the network, such "
        "as width=128. May be repeated.",
        names="--set",
    )
    quiet: bool = flag("Show no progress.", names="--quiet -q")

    def execute(self) -> int:
        """Train, and say how it ended."""
        from divlearn.basics.extras import need

        plan = read_plan(self)
        need("torch", "neural")
        from divlearn.lab.baselines.pmoco.pace import planned_within
        from divlearn.lab.baselines.pmoco.session import open_training, train

        if self.minutes is not None and not Path(self.out).exists():
            plan = planned_within(plan, 60.0 * self.minutes, self.start)
        trainer = open_training(plan, self.out, self.start)
        begun = trainer.step_count
        command = shlex.join(["divlearn", *typed()])
        with _display(trainer, self) as show, noticing() as stop:
            finished = train(trainer, self.out, command=command, show=show, stop=stop)
        _report(trainer, self, begun, command)
        return DONE if finished else INTERRUPTED


train = command(Train)


def read_plan(asked: Train) -> Plan:
    """Make a plan; what is not given is as in the file, where that exists.

    Examples
    --------
    >>> asked = Train(method="pmoco", out="new.npz", problem="bitsp-20", epochs=7)
    >>> read_plan(asked).epochs
    7
    """
    from divlearn.basics.checks import require_one_of
    from divlearn.basics.paths import file_path, require_folder_of
    from divlearn.lab.baselines.pmoco.shape import Shape

    require_one_of("METHOD", asked.method, ["pmoco"])
    if asked.epochs is not None and asked.minutes is not None:
        raise InputError(
            "--epochs and --minutes both say how long to train; leave one of them out."
        )
    if Path(asked.out).suffix != ".npz":
        raise InputError(f"--out must be a file that ends in .npz, got {asked.out}.")
    require_folder_of("--out", file_path("--out", asked.out))
    begin = _plan_of_file(asked)
    names = [one.name for one in fields(Shape)]
    for name in asked.settings:
        require_one_of("--set", name, (*TRAINING, *names))
    changes = {name: getattr(asked, name) for name in ("problem", "epochs", "seed")}
    changes = {name: value for name, value in changes.items() if value is not None}
    shape = {name: v for name, v in asked.settings.items() if name in names}
    changes |= {name: v for name, v in asked.settings.items() if name in TRAINING}
    plan = replace(begin, **changes, shape=replace(begin.shape, **shape))
    return plan if asked.start is None else _begin_with(plan, asked.start, shape)


def _begin_with(plan: Plan, start: str, shape: dict[str, Any]) -> Plan:
    """Let a plan begin with another network, whose shape it takes."""
    if shape:
        raise InputError(
            f"--set {next(iter(shape))} cannot be given with --from, because the "
            f"network has the shape of the one in {start}; leave one of them out."
        )
    from divlearn.basics.extras import need

    need("torch", "neural")
    from divlearn.lab.baselines.pmoco.session import begin_with

    return begin_with(plan, start)


def _plan_of_file(asked: Train) -> Plan:
    """Return the plan of the training that the file holds, or a new one."""
    from divlearn.basics.extras import need
    from divlearn.lab.baselines.pmoco.plan import Plan

    if Path(asked.out).exists():
        need("torch", "neural")
        from divlearn.lab.baselines.pmoco.files import read_network

        return read_network(asked.out).plan
    if asked.problem is None:
        raise InputError(
            f"--problem is needed, because there is no file {asked.out} to go on "
            "with; write for example --problem bitsp-20."
        )
    return Plan(asked.problem)


@contextmanager
def _display(trainer: Trainer, asked: Train) -> Iterator[Callable[[Trainer], None]]:
    """Show a bar in a terminal, a line per epoch elsewhere."""
    if asked.quiet or asked.as_json:
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


def _report(trainer: Trainer, asked: Train, begun: int, command: str) -> None:
    """Say what the file holds now, and how to go on."""
    if asked.as_json:
        echo(json.dumps(_summary(trainer, asked), indent=2))
        return
    plan, file = trainer.plan, asked.out
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


def _summary(trainer: Trainer, asked: Train) -> dict[str, Any]:
    """The same as plain data."""
    return {
        "file": str(Path(asked.out)),
        "problem": trainer.plan.problem,
        "epoch": trainer.epoch,
        "epochs": trainer.plan.epochs,
        "finished": trainer.finished,
        "cost": trainer.log[-1]["cost"] if trainer.log else None,
    }

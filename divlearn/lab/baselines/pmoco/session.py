"""A training from its plan to its file, safe against interruption."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path

from divlearn.basics.errors import InputError
from divlearn.basics.files import digest_of
from divlearn.lab.baselines.pmoco.files import (
    read_network,
    read_training,
    save_training,
)
from divlearn.lab.baselines.pmoco.plan import Plan
from divlearn.lab.baselines.pmoco.training import Trainer
from divlearn.lab.baselines.threads import one_thread

#: Minimum seconds between two saves.
SAVE_SECONDS = 20.0


def begin_with(plan: Plan, start: str | Path) -> Plan:
    """Let a training begin with a network for another size of the same family.

    Parameters
    ----------
    plan
        The training.
    start
        File of the network; its shape becomes that of the plan.

    Raises
    ------
    InputError
        If it is a network for another family, or its training is unfinished.
    """
    network = read_network(start)
    if network.plan.family != plan.family or not network.finished:
        what = "" if network.finished else ", unfinished"
        raise InputError(
            f"a training for {plan.problem} can only begin with a finished network for "
            f"{plan.family}-N; {start} holds one for {network.plan.problem}{what}."
        )
    return replace(plan, shape=network.plan.shape, start=digest_of([str(start)]))


def open_training(
    plan: Plan, path: str | Path, start: str | Path | None = None
) -> Trainer:
    """Begin a training, or continue the one in a file.

    Parameters
    ----------
    plan
        All choices of the training.
    path
        File of the training.
    start
        File of the network to begin with, if the plan has one.

    Raises
    ------
    InputError
        If the file holds another training.
    """
    if not Path(path).exists():
        return Trainer(plan, read_network(start).parameters if start else None)
    trainer = read_training(path)
    for field in fields(plan):
        mine, theirs = getattr(plan, field.name), getattr(trainer.plan, field.name)
        if mine != theirs:
            raise InputError(
                f"{path} holds a training with {field.name} = {theirs}, not {mine}; "
                "continue with what it has, or name another file."
            )
    return trainer


def train(
    trainer: Trainer,
    path: str | Path,
    *,
    command: str = "",
    show: Callable[[Trainer], None] = lambda trainer: None,
    stop: Callable[[], bool] = lambda: False,
) -> bool:
    """Train to the end of the plan, or until ``stop`` says so.

    Parameters
    ----------
    trainer
        From :func:`open_training`.
    path
        File that is written now and then, when stopped, and at the end.
    command
        What to record as the origin of the network.
    show
        Called after every step.
    stop
        Asked after every step.

    Returns
    -------
    Whether the training is finished.
    """
    saved = time.monotonic()
    with one_thread():
        while not trainer.finished:
            trainer.advance()
            show(trainer)
            stopped = stop()
            if stopped or time.monotonic() - saved > SAVE_SECONDS or trainer.finished:
                save_training(trainer, path, command)
                saved = time.monotonic()
            if stopped:
                break
    return trainer.finished

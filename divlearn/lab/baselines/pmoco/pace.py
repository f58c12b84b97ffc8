"""How long a step of a training takes, and how many fit into a given time."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

from divlearn.lab.baselines.pmoco.files import read_network
from divlearn.lab.baselines.pmoco.plan import Plan
from divlearn.lab.baselines.pmoco.training import Trainer
from divlearn.lab.baselines.threads import one_thread

#: Steps that are timed, after one that loads all code.
TIMED_STEPS = 2
#: Share of the time that is planned; the rest is for what is slower than expected.
PLANNED = 0.9


def planned_within(plan: Plan, seconds: float, start: str | Path | None = None) -> Plan:
    """Choose the number of epochs of a training by the CPU time that it may take.

    The steps that are timed are thrown away: the training is the same as one with that
    number of epochs. At least one epoch is planned, however long it takes.

    Parameters
    ----------
    plan
        All other choices.
    seconds
        CPU seconds of the whole training.
    start
        File of the network that it begins with, if there is one.
    """
    parameters = None if start is None else read_network(start).parameters
    trainer = Trainer(plan, parameters)
    with one_thread():
        trainer.step()
        begun = time.process_time()
        for _ in range(TIMED_STEPS):
            trainer.step()
        each = (time.process_time() - begun) / TIMED_STEPS
    epochs = int(PLANNED * seconds / (each * plan.steps))
    return replace(plan, epochs=max(1, epochs))

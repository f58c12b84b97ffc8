"""``Follower``: an optimizer that learns what the trials of a study tell."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

import numpy as np
from optuna.logging import get_logger
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState

from divlearn.basics.errors import InputError, NoCandidates
from divlearn.basics.typing import Codes, Value
from divlearn.integration.elsewhere import evaluated_elsewhere
from divlearn.integration.optuna.form import SETTLED, Form, Surprise, infer
from divlearn.methods.base import Method
from divlearn.optimizer import Optimizer
from divlearn.optimizer.candidates import Candidate
from divlearn.problems import Problem

#: Trials that show all of their parameters.
TELLING = (TrialState.COMPLETE, TrialState.PRUNED)
#: Candidates that are asked for, until one is not being evaluated elsewhere.
TRIES = 8
#: Constraints beyond this count as this.
LARGEST = 1e100

_SENSES = {StudyDirection.MINIMIZE: "min", StudyDirection.MAXIMIZE: "max"}
_logger = get_logger("optuna.samplers.divlearn")


@dataclass(frozen=True)
class Settings:
    """What the user wants of a sampler."""

    method: str | Method
    seed: int
    n_trials: int | None
    reference: Sequence[float] | None
    noise: bool
    search_space: Mapping[str, Any] = field(default_factory=dict)

    def seed_at(self, number: int) -> int:
        """Seed of an optimizer that is made for a trial.

        Processes that share a study and a seed begin with different trials, and so
        search differently.
        """
        if number == 0:
            return self.seed
        words = np.random.SeedSequence((self.seed, number)).generate_state(1, np.uint64)
        return int(words[0]) >> 1


class Follower:
    """An optimizer, and what it has learned of which trials.

    All it knows comes from the trials; it can be thrown away at any time.

    Parameters
    ----------
    settings
        What the user wants.
    study
        The study.
    trials
        All trials of the study.
    number
        The trial that is to begin.
    """

    def __init__(
        self,
        settings: Settings,
        study: Study,
        trials: Sequence[FrozenTrial],
        number: int,
    ) -> None:
        self._settings = settings
        self._study = study._study_id, study._storage
        self._process = os.getpid()
        telling = [trial for trial in trials if trial.state in TELLING]
        self.form: Form = infer(telling, settings.search_space)
        names = dict.fromkeys(name for trial in telling for name in trial.constraints)
        self._constraints = list(names)
        self._pending: dict[int, Candidate] = {}
        self._learned: set[int] = set()
        self._values: list[float] = []  # of one objective, of complete trials
        self._odd = 0  # trials in a row with other ranges
        self._exhausted = False  # all that there is has failed
        self.optimizer: Optimizer | None = None
        if self.form.space is not None:
            self._begin(study, settings.seed_at(number))
        for trial in trials:
            if trial.state.is_finished():
                self._learn_if_possible(trial)

    def _begin(self, study: Study, seed: int) -> None:
        """Make the optimizer."""
        assert self.form.space is not None
        ways = enumerate(study.directions)
        senses = {f"value {i}": _SENSES[way] for i, way in ways}
        problem = Problem(
            self.form.space,
            evaluated_elsewhere,
            senses,
            constraints=[f"constraint {i}" for i in range(len(self._constraints))],
            reference=self._settings.reference,
            noise=self._settings.noise,
            name="study",
        )
        plan = self._settings.n_trials
        self.optimizer = Optimizer(problem, self._settings.method, seed, budget=plan)
        missing = self.optimizer.missing_kernels(compiled=False)
        if missing is not None:
            _logger.info(
                f"divlearn compiles {missing.what} for the first trials, which takes "
                f"about {missing.seconds:.0f} s; later runs find it on disk."
            )

    def belongs_to(self, study: Study) -> bool:
        """Whether this follows a study, in this process."""
        number, storage = self._study
        same = number == study._study_id and storage is study._storage
        return same and self._process == os.getpid()

    # --- learn

    def update(self, trials: Sequence[FrozenTrial]) -> None:
        """Learn of trials that have ended since.

        Raises
        ------
        Surprise
            If the space is not what it seemed to be: a new follower is needed.
        """
        for trial in trials:
            if trial.number not in self._learned and trial.state.is_finished():
                self._expect(trial)
                if trial.state in TELLING:
                    self._learn(trial)
                else:
                    self._learn_if_possible(trial)
        if self._odd >= SETTLED:
            self._odd = 0
            telling = [trial for trial in trials if trial.state in TELLING]
            if infer(telling, self._settings.search_space) != self.form:
                raise Surprise("a range is another one now")

    def _expect(self, trial: FrozenTrial) -> None:
        """Raise Surprise if a trial shows what nobody knew of."""
        if trial.state not in TELLING:
            return
        self.form.require_known(trial)
        self._odd = 0 if self.form.is_as_expected(trial) else self._odd + 1
        if not trial.constraints.keys() <= set(self._constraints):
            raise Surprise("there are more constraints")

    def _learn_if_possible(self, trial: FrozenTrial) -> None:
        """Learn of a trial, unless it lies outside of the space."""
        try:
            self._learn(trial)
        except Surprise:
            self._learned.add(trial.number)
            self._pending.pop(trial.number, None)

    def _learn(self, trial: FrozenTrial) -> None:
        """Learn of a trial that has ended."""
        if self.optimizer is None:
            self._learned.add(trial.number)
            return
        codes = self._codes(self.form.design(trial.params))
        outputs = self._outputs(trial)
        self._exhausted = self._exhausted and outputs is None
        asked = self._pending.pop(trial.number, None)
        if asked is not None and not np.array_equal(asked.codes, codes):
            asked = None  # the user changed it
        self._learned.add(trial.number)
        if outputs is None:
            failed = self.optimizer.enqueue_codes(codes) if asked is None else asked
            self.optimizer.learn(failed.id, None)
        elif asked is None:
            self.optimizer.take_known(codes, outputs)
        else:
            self.optimizer.learn(asked.id, outputs)

    def _codes(self, design: Value) -> Codes:
        """Codes of a design, shape (n,)."""
        assert self.form.space is not None
        try:
            return self.form.space.encode(design)
        except InputError as error:
            raise Surprise(str(error)) from None

    def _outputs(self, trial: FrozenTrial) -> list[float] | None:
        """Values and constraints of a trial; None if it says nothing."""
        values = self._objectives(trial)
        if values is None or not all(map(math.isfinite, values)):
            return None
        limits = trial.constraints
        bound = (limits.get(name, 0.0) for name in self._constraints)
        return [*values, *(min(max(each, -LARGEST), LARGEST) for each in bound)]

    def _objectives(self, trial: FrozenTrial) -> list[float] | None:
        """Values of a trial, in the study's senses.

        A trial that was pruned is no better than half of the complete ones, whatever
        it had reached by then: values of earlier steps may be on another scale.
        """
        if trial.state == TrialState.COMPLETE:
            values: list[float] = trial.values
            if len(values) == 1 and math.isfinite(values[0]):
                self._values.append(values[0])
            return values
        reached = trial.values if trial.state == TrialState.PRUNED else None
        if not reached or not self._values:
            return None
        assert self.optimizer is not None
        worse = max if self.optimizer.problem.senses[0] == "min" else min
        return [worse(reached[0], median(self._values))]

    # --- propose

    def propose(self, number: int, trials: Iterable[FrozenTrial]) -> dict[str, Any]:
        """Values of the parameters for a trial; empty if there is nothing to search."""
        if self.optimizer is None or self._exhausted:
            return {}
        busy = self._evaluated_now(trials)
        try:
            for _ in range(TRIES):
                [candidate] = self.optimizer.ask(1)
                if candidate.codes.tobytes() not in busy:
                    break
        except NoCandidates:
            self._exhausted = True
            return {}
        self._pending[number] = candidate
        return self.form.params(candidate.x)

    def _evaluated_now(self, trials: Iterable[FrozenTrial]) -> set[bytes]:
        """Designs of trials that run elsewhere."""
        busy = set()
        for trial in trials:
            if trial.state == TrialState.RUNNING and trial.number not in self._pending:
                try:
                    busy.add(self._codes(self.form.design(trial.params)).tobytes())
                except Surprise:  # it has not got all of its parameters yet
                    continue
        return busy

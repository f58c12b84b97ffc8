"""``Dialogue``: the part of a study that is asked and told, by hand or by a program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from divlearn.basics.checks import require_whole
from divlearn.basics.errors import InputError, NothingToAsk
from divlearn.basics.typing import Value
from divlearn.methods.budget import Budget, planned, read_budget
from divlearn.study import telling
from divlearn.study.adding import DesignAdder
from divlearn.study.known import read_queued, take_designs
from divlearn.study.telling import Told
from divlearn.study.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Iterator

    from divlearn.result.prediction import Prediction
    from divlearn.study.questions import Questions

#: Candidates that one question may be for.
MOST_ASKED = 10_000


class Dialogue(DesignAdder):
    """Questions and answers, each of which the file has before it is out of hand."""

    def plan(self, budget: Budget) -> None:
        """Say how many evaluations are to be made, for :meth:`ask`.

        Parameters
        ----------
        budget
            After so many, nothing more is asked for; None for no end. The search is
            planned for the first one that is given, here or by :meth:`run`; later ones
            only move the end.
        """
        self._opened.require_open()
        budget = read_budget(budget)
        self._opened.plan(budget)
        self._opened.store.note(target=planned(budget), stopped=None, gave_up=False)

    def ask(self, count: int = 1) -> list[Trial]:
        """Return candidates to evaluate elsewhere, which the file then has.

        They may be told in any order, by any process, at any time. The same ones come
        in a :meth:`run` with one worker, and in an ordered study whatever the order of
        questions and answers.

        Parameters
        ----------
        count
            How many.

        Returns
        -------
        Trials with ``number`` and ``x``; fewer than ``count`` where outcomes are needed
        first (``lag`` of an ordered study) or the budget ends.

        Raises
        ------
        NothingToAsk
            If there is none: ``waits_for`` has the numbers that must be told first, or
            is empty where nothing is left.

        Examples
        --------
        >>> import divlearn as dl, tempfile, pathlib
        >>> problem = dl.Problem(dl.Integer(0, 9), lambda x: (x, -x), ["up", "down"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     with dl.Study(problem, pathlib.Path(folder, "hand.db")) as study:
        ...         for trial in study.ask(3):
        ...             _ = study.tell(trial.number, problem.evaluate(trial.x))
        ...         study.pending(), len(study.trials())
        ([], 3)
        """
        count = require_whole("count", count, 1, MOST_ASKED)
        with self._asking() as questions:
            return questions.ask(count)

    def suggest(self, around: Value, count: int = 1) -> list[Trial]:
        """Return candidates near a design, recorded as those of :meth:`ask`.

        Of designs that differ from it by a few moves, those are chosen that a model of
        all outcomes finds most promising; see :meth:`predict` for what it can know.

        Parameters
        ----------
        around
            The design; it need not have been evaluated.
        count
            How many.

        Returns
        -------
        Trials with ``number`` and ``x``, after any design that waited in the queue.

        Raises
        ------
        NothingToAsk
            As :meth:`ask` does; or if all designs near this one are known.
        """
        from divlearn.study.nearby import near_designs

        count = require_whole("count", count, 1, MOST_ASKED)
        study = self._opened
        with self._asking() as questions:
            questions.require_turn()
            designs = near_designs(study, around, count)
            take_designs(study, [read_queued(self.problem, x, s) for x, s in designs])
            return questions.ask(len(study.queue))

    def tell(self, number: int, values: Any, *, seconds: float = 0.0) -> Told:
        """Report what became of a candidate; when this returns, it is safe.

        Parameters
        ----------
        number
            Number of a candidate of :meth:`ask`.
        values
            What the function would return for it: objectives and constraints in their
            order, or all metrics by name. An exception says why there are none,
            :class:`divlearn.InvalidDesign` that the design cannot be evaluated; None
            says that the evaluation failed.
        seconds
            How long the evaluation took.

        Returns
        -------
        The trial; ``repeated`` if the same was told before, which changes nothing.
        """
        answer: dict[str, Any] = {"id": number, "seconds": seconds}
        return self.tell_all([answer | telling.as_answer(values)])[0]

    def tell_all(self, answers: Sequence[Mapping[str, Any]]) -> list[Told]:
        """Report several outcomes, all of them or none if one is wrong.

        Parameters
        ----------
        answers
            Each a dict with ``id`` and one of ``values``, ``failed``, ``infeasible`` or
            ``abandoned``, of which the last three say why. Or with ``design`` and
            ``values``, and perhaps ``source``, for a design of your own, see
            :meth:`add`. ``seconds`` may say how long an evaluation took.

        Returns
        -------
        What each of them came to.
        """
        self._opened.require_open()
        return telling.tell(self._opened, answers)

    def pending(self) -> list[Trial]:
        """Return candidates that were asked for and have no outcome, by number."""
        self._opened.require_open()
        return telling.pending(self._opened)

    def predict(self, designs: Sequence[Value]) -> list[Prediction]:
        """Say what designs would be like, by a model of what was evaluated.

        Parameters
        ----------
        designs
            Designs of the space.

        Returns
        -------
        Mean and uncertainty of every objective and constraint, and how much of it the
        model explains; see :class:`divlearn.result.prediction.Prediction`.
        """
        from divlearn.result.prediction import predict
        from divlearn.study.found import whole_sample

        self._opened.require_open()
        problem = self.problem
        sample = whole_sample(problem.space, self._opened.store)
        return predict(sample, problem.outputs, [*designs])

    @contextmanager
    def _asking(self) -> Iterator[Questions]:
        """Who asks, at the end of what the file says."""
        # It knows the kernels of all methods, which who only tells does not need.
        from divlearn.study.questions import Questions

        study = self._opened
        study.require_open()
        if study.store.notes().get("hooks") and not self.problem.has_python_hooks:
            raise InputError(
                f"the study {str(study.path)!r} has a valid or repair in Python, which "
                "its file does not hold: ask it there, by Study(problem, "
                f"{str(study.path)!r}).ask(). It can be told from anywhere."
            )
        study.plan(None)
        try:
            yield Questions(study)
        except NothingToAsk:
            raise
        except BaseException:  # the file knows better where the search is
            study.search = None
            raise

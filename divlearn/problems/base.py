"""``Problem``: a space, something to evaluate, and names for what comes out."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from divlearn.basics.errors import (
    AnswerError,
    EvaluationError,
    InputError,
    InvalidDesign,
)
from divlearn.basics.text import said_by
from divlearn.basics.typing import Extras, Floats, Value
from divlearn.problems.answers import Answers
from divlearn.problems.arguments import (
    find_function,
    make,
    name_of,
    read_compiled,
    read_distance,
    read_drawing,
    read_new_names,
    read_objectives,
    read_repairs,
    read_units,
    read_valid,
)
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing
from divlearn.problems.hooks import Hooks
from divlearn.spaces import Space


class Problem(Hooks):
    """What to optimize, when all you can do is evaluate.

    Parameters
    ----------
    space
        What a solution is.
    evaluate
        ``evaluate(x)`` returns one number per objective, as a sequence or a dict by
        name. Constraint values follow in the same sequence or dict, or come separately
        as ``(objectives, constraints)``. May also be an object, or a class without
        arguments, that has ``evaluate`` and, optionally, ``evaluate_batch``, ``valid``
        and ``repair``. None if ``compiled`` does it all.
    objectives
        Names with their senses, ``{"cost": "min", "speed": "max"}``; with a plain list
        of names, all are minimised.
    constraints
        Names of the constraint values; a solution is feasible if all are <= 0.
    extras
        Names of extra metrics, numbers or texts that ``evaluate`` may also return in
        its dict. They are kept, shown and exported, and play no part in the search.
    valid
        ``valid(x)`` says cheaply whether x may be tried; an invalid x costs nothing.
    repair
        ``repair(x)`` returns a feasible solution; or a list of such functions,
        applied in order. Every candidate passes through it.
    noise
        Whether the same x may give different values. None if you do not know: ``dl``
        then evaluates one solution twice. A compiled objective counts as exact.
    reference, ideal
        Points for the hypervolume and its ratio, one number per objective.
    name
        Short name for tables and files.
    compiled
        Objective for the compiled loop, see :class:`Compiled`. The search then runs
        without Python in between.
    distance
        How far apart two indices are, shape (k, k): between items if the space is a
        permutation, otherwise between positions. Used to group subproblems.
    drawing
        How designs are drawn, such as ``drawings.Tour(places)``, see
        :mod:`divlearn.problems.drawings`; it plays no part in the search.
    units
        Units by name, ``{"cost": "EUR", "width": "mm"}``, of objectives, constraints,
        extras and parts of the space (``left.width`` for a part of a part, ``x`` for a
        space without names). They are shown with numbers and on axes, and that is all.

    Examples
    --------
    >>> import divlearn as dl
    >>> jobs = dl.Permutation(3)
    >>> problem = dl.Problem(jobs, lambda x: (x[0], x[2]), ["first", "last"])
    >>> problem.evaluate([2, 1, 0])
    array([2., 0.])
    """

    measured: tuple[str, ...] = ()  #: metrics that :meth:`completed` needs
    instance: int | None = None  #: number of the random instance, if it is one

    def __init__(
        self,
        space: Space,
        evaluate: Any,
        objectives: Mapping[str, str] | Sequence[str],
        *,
        constraints: Sequence[str] = (),
        extras: Sequence[str] = (),
        valid: Callable[[Value], bool] | None = None,
        repair: Callable[[Value], Value]
        | Sequence[Callable[[Value], Value]]
        | None = None,
        noise: bool | None = None,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
        compiled: Compiled | None = None,
        distance: Any = None,
        drawing: Drawing | None = None,
        units: Mapping[str, str] | None = None,
    ) -> None:
        if not isinstance(space, Space):
            raise InputError(
                "space must be a space such as Permutation(30) or "
                f"Composite(a=Integer(1, 8)), got {space!r}."
            )
        self.space = space
        self.objectives: dict[str, str] = read_objectives(objectives)
        self.constraints: tuple[str, ...] = read_new_names(
            "constraints", constraints, self.objectives
        )
        self.extras: tuple[str, ...] = read_new_names("extras", extras, self.outputs)
        self.answers: Answers = Answers(
            self.outputs, self.extras, bool(self.constraints)
        )
        # A compiled objective is a function of numbers; none that nobody declares.
        exact = False if compiled is not None else None
        self.noise: bool | None = exact if noise is None else bool(noise)
        self.reference: Floats | None = self.point("reference", reference)
        self.ideal: Floats | None = self.point("ideal", ideal)
        self.require_ideal_beyond_reference()
        self.compiled: Compiled | None = read_compiled(compiled)
        if self.extras and self.compiled is not None:
            raise InputError(
                "extras cannot come from a compiled objective, which returns numbers "
                f"without names; got extras={list(self.extras)} and compiled=."
            )
        self.distance: Floats | None = read_distance(distance, space)
        self._drawing = read_drawing(drawing, space)
        self.units: dict[str, str] = read_units(
            units, (*self.outputs, *self.extras), space
        )
        source = make(evaluate) if inspect.isclass(evaluate) else evaluate
        self.name: str = name or name_of(source)
        if source is None and compiled is not None:
            source = self._evaluate_compiled
        self._function = find_function(source)
        self._batch = getattr(source, "evaluate_batch", None)
        self._valid = read_valid(valid or getattr(source, "valid", None))
        self._repairs = read_repairs(repair or getattr(source, "repair", None))

    @property
    def num_objectives(self) -> int:
        """Number of objectives, m."""
        return len(self.objectives)

    @property
    def num_constraints(self) -> int:
        """Number of constraints, c."""
        return len(self.constraints)

    @property
    def senses(self) -> tuple[str, ...]:
        """``"min"`` or ``"max"`` per objective."""
        return tuple(self.objectives.values())

    @property
    def sign(self) -> Floats:
        """1 for an objective that is minimised and -1 for one that is maximised."""
        return np.array([1.0 if s == "min" else -1.0 for s in self.senses])

    @property
    def outputs(self) -> tuple[str, ...]:
        """Names of all values of an evaluation: objectives, then constraints."""
        return (*self.objectives, *self.constraints)

    @property
    def can_run_compiled(self) -> bool:
        """Whether a whole search can run without Python in between."""
        return self.compiled is not None and not self.has_python_hooks

    @property
    def drawing(self) -> Drawing | None:
        """How designs are drawn; None if nobody said so."""
        return self._drawing

    @property
    def has_batch(self) -> bool:
        """Whether the objective evaluates several solutions at once."""
        return self._batch is not None

    def evaluate(self, x: Value) -> Floats:
        """Evaluate one solution.

        Returns
        -------
        Objective values in the user's senses, then constraint values, shape (m + c,).

        Raises
        ------
        EvaluationError
            If the function raises or returns anything but that many finite numbers;
            carries the ``x``. An AnswerError if no design could change that: missing or
            undeclared names, or a wrong number of values.
        InvalidDesign
            If the function says that this one solution cannot be evaluated.
        """
        return self.read_outputs(self._answer(x), x)

    def _answer(self, x: Value) -> Any:
        """What the function returns."""
        try:
            return self._function(x)
        except InvalidDesign:
            raise
        except Exception as error:
            raise EvaluationError(
                f"the objective raised {said_by(error)}", x
            ) from error

    def measure(self, x: Value, seed: int | None = None) -> tuple[Floats, Extras]:
        """Evaluate as :meth:`evaluate_seeded`; return the extra metrics as well."""
        if not self.extras:
            return self.evaluate_seeded(x, seed), {}
        return self._both(self._answer(x), x)

    def evaluate_batch(self, solutions: Sequence[Value]) -> Floats:
        """Evaluate several solutions, all at once if the objective can.

        Returns
        -------
        One row per solution as in :meth:`evaluate`, shape (q, m + c).

        Raises
        ------
        EvaluationError, InvalidDesign
            As in :meth:`evaluate`; InvalidDesign does not say which one it was.
        """
        rows = [outputs for outputs, _ in self.measure_batch(solutions)]
        return np.array(rows).reshape(len(rows), len(self.outputs))

    def measure_batch(self, solutions: Sequence[Value]) -> list[tuple[Floats, Extras]]:
        """Evaluate as :meth:`evaluate_batch`; return the extra metrics as well."""
        if self._batch is None:
            if not self.extras:
                return [(self.evaluate(x), {}) for x in solutions]
            return [self.measure(x) for x in solutions]
        try:
            answers = list(self._batch(list(solutions)))
        except InvalidDesign:
            raise
        except Exception as error:
            raise EvaluationError(
                f"evaluate_batch raised {said_by(error)}", solutions
            ) from error
        if len(answers) != len(solutions):
            raise AnswerError(
                f"evaluate_batch must return a row for each of the {len(solutions)} "
                f"solutions, got {len(answers)}.",
                solutions,
            )
        pairs = zip(answers, solutions, strict=True)
        return [self._both(answer, x) for answer, x in pairs]

    def _both(self, answer: Any, x: Value) -> tuple[Floats, Extras]:
        """Outputs and extra metrics of an answer."""
        return self.read_outputs(answer, x), self.read_extras(answer, x)

    def read_outputs(self, answer: Any, x: Value = None) -> Floats:
        """Turn what an objective returned into numbers, or say what is wrong."""
        return self.answers.read(answer, x)

    def read_extras(self, answer: Any, x: Value = None) -> Extras:
        """Extra metrics of what an objective returned, by name."""
        return self.answers.read_extras(answer, x)

    def completed(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values by name that a table has, with those that follow from them."""
        return dict(values)

    @property
    def reports(self) -> tuple[str, ...]:
        """Names of what :meth:`reported` takes as a list, in their order."""
        return self.outputs

    def reported(self, values: Any) -> Any:
        """What somebody reports of a design, as the objective would return it."""
        return values

    def says_failed(self, answer: Any) -> bool:
        """Whether an answer is None, NaN or masked, as a whole or in one value."""
        return self.answers.says_failed(answer)

    def _evaluate_compiled(self, x: Value) -> Floats:
        """Evaluate by the compiled objective."""
        assert self.compiled is not None
        outputs = np.empty(len(self.outputs))
        self.compiled.objective(self.space.encode(x), self.compiled.table, outputs)
        return outputs

    def restart(self) -> None:
        """Forget earlier evaluations, if a problem remembers any; this one does not.

        A problem with simulated noise then repeats its errors from the beginning.
        """

    def canonical(self, x: Value) -> Value:
        """Return the solution that represents all that are equal to ``x``."""
        return self.space.canonical(x)

    def point(self, argument: str, numbers: Sequence[float] | None) -> Floats | None:
        """Check a point in objective space."""
        if numbers is None:
            return None
        try:
            point = np.array(numbers, np.float64)
        except (TypeError, ValueError):
            point = np.empty(0)
        if point.shape != (self.num_objectives,) or not np.isfinite(point).all():
            raise InputError(
                f"{argument} needs one finite number per objective "
                f"({', '.join(self.objectives)}), got {numbers!r}."
            )
        return point

    def require_ideal_beyond_reference(self) -> None:
        """Refuse points whose box is empty, before any evaluation is spent."""
        if self.reference is None or self.ideal is None:
            return
        worse = self.sign * self.reference, self.sign * self.ideal
        for name, reference, ideal in zip(self.objectives, *worse, strict=True):
            if ideal >= reference:
                raise InputError(
                    f"ideal must be better than reference in every objective, but is "
                    f"not in {name!r}: got ideal = {self.ideal.tolist()} and "
                    f"reference = {self.reference.tolist()}; swap the two points or "
                    "check the senses."
                )

    def evaluate_seeded(self, x: Value, seed: int | None) -> Floats:
        """Evaluate as a worker of a study does, with a seed for this evaluation.

        A problem with simulated noise takes it from the seed, so that a repeated study
        meets the same noise; here the seed is ignored.
        """
        return self.evaluate(x)

    def describe(self) -> dict[str, Any]:
        """Describe this problem as plain data that can be written and compared."""
        return {
            "space": self.space.describe(),
            "objectives": [[name, sense] for name, sense in self.objectives.items()],
            "constraints": list(self.constraints),
            "instance": None if self.compiled is None else self.compiled.digest,
        }

    def write(self, path: str | Path) -> None:
        """Write a built-in problem to a file, as :func:`divlearn.problems.write`."""
        from divlearn.problems.files import write

        write(self, path)

    def __repr__(self) -> str:
        objectives = ", ".join(f"{n} ({s})" for n, s in self.objectives.items())
        return f"<Problem {self.name}: {self.space!r}, {objectives}>"


def require_problem(problem: object) -> None:
    """Refuse anything that is not a problem."""
    if not isinstance(problem, Problem):
        raise InputError(
            f"problem must be a divlearn.Problem, got {problem!r}; wrap a function "
            "as divlearn.Problem(space, function, objectives)."
        )

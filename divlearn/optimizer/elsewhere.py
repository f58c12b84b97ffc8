"""``DesignTaker``: designs that a search did not choose, and who takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.errors import EvaluationError, InputError, InvalidDesign
from divlearn.basics.typing import Codes, Value
from divlearn.methods.base import Method
from divlearn.methods.others.base import WholeSolver
from divlearn.optimizer.candidates import Candidate
from divlearn.optimizer.view import OptimizerView, carrying_result
from divlearn.problems import Problem
from divlearn.problems.given import read_given
from divlearn.result.tally import KNOWN


def require_learning(method: Method) -> None:
    """Refuse a method that solves in one go: nobody can tell it anything."""
    if isinstance(method, WholeSolver):
        raise InputError(
            f"method {method.name!r} solves a problem in one go and cannot learn from "
            "designs that are known, nor take one that is to be evaluated; use another "
            "method, such as 'dl'."
        )


def usable_codes(problem: Problem, x: Value) -> Codes:
    """Codes of a design that is to be evaluated, repaired and valid; shape (n,)."""
    codes = problem.space.encode(x)
    try:
        codes = problem.repair_codes(codes)
        valid = problem.codes_are_valid(codes)
    except (EvaluationError, InvalidDesign) as error:
        raise InputError(f"x cannot be evaluated: {error}") from None
    if not valid:
        raise InputError(
            f"x must be valid to be evaluated, but valid() refuses {x!r}; change the "
            "design, or valid."
        )
    return codes


class DesignTaker(OptimizerView):
    """The part of an optimizer that takes designs from elsewhere."""

    def add(self, x: Value, values: Any, *, source: str = "") -> bool:
        """Report a solution that was evaluated elsewhere; it costs no evaluation.

        The search learns from it, and starts from it wherever it is better than what
        is known. ``evaluations`` and the budget do not count it.

        Parameters
        ----------
        x
            The solution, as the objective would receive it.
        values
            What the objective would return for it.
        source
            Where the values come from; results tell it.

        Returns
        -------
        Whether it entered the front.
        """
        codes = self.problem.space.encode(x)
        outputs, extras = read_given(self.problem, x, values)
        entered = self.take_known(codes, outputs, source)
        self.remarks.keep(codes, extras, self.search.front_codes)
        return entered

    @carrying_result
    def take_known(
        self, codes: Codes, outputs: Sequence[float], source: str = ""
    ) -> bool:
        """Learn a known design that was read before: :meth:`add` without its checks.

        Parameters
        ----------
        codes
            The solution, shape (n,).
        outputs
            Finite numbers, as many as the problem has outputs.
        source
            Where they come from.

        Returns
        -------
        Whether it entered the front.
        """
        require_learning(self.settings)
        entered = self.steps.observe_added(codes, np.array(outputs, float))
        self.note_known(codes, source)
        return entered

    def note_known(self, codes: Codes, source: str) -> None:
        """Count a known design that was learned, and remember its source."""
        self.under_way.pass_over()
        self.remarks.name_source(codes, source or KNOWN)

    def enqueue(self, x: Value) -> Candidate:
        """Return a candidate of your own choice, to be evaluated and told as others.

        It passes through ``repair``, and must be ``valid``. Its evaluation counts.
        """
        return self.enqueue_codes(usable_codes(self.problem, x))

    def enqueue_codes(self, codes: Codes) -> Candidate:
        """Make codes, shape (n,), that were checked before the next candidate."""
        require_learning(self.settings)
        x = self.problem.space.decode(codes)
        candidate = Candidate(self.next_number, x, codes, self.steps.added_ticket())
        self.under_way.add(candidate)
        return candidate

    @carrying_result
    def revise(self, codes: Codes, outputs: Sequence[float]) -> None:
        """Learn the values of a solution that had failed; it is the same evaluation.

        Parameters
        ----------
        codes
            The solution, shape (n,).
        outputs
            Finite numbers, as many as the problem has outputs.
        """
        self.under_way.recover(codes)
        self.steps.observe_added(codes, np.array(outputs, float))

"""``Hooks``: what a solution passes through before it is evaluated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from divlearn.basics.errors import EvaluationError, InputError, InvalidDesign
from divlearn.basics.text import said_by
from divlearn.basics.typing import Codes, Value
from divlearn.problems.compiled import Compiled
from divlearn.spaces import Space


class Hooks:
    """The part of a problem that refuses and repairs solutions."""

    space: Space
    compiled: Compiled | None
    _valid: Callable[[Value], Any] | None
    _repairs: tuple[Callable[[Value], Value], ...]

    @property
    def has_python_hooks(self) -> bool:
        """Whether candidates pass through a ``valid`` or ``repair`` in Python."""
        return self._valid is not None or bool(self._repairs)

    @property
    def has_repair(self) -> bool:
        """Whether candidates may be changed or refused before they are evaluated."""
        repaired = self.compiled is not None and self.compiled.repair is not None
        return repaired or self.has_python_hooks

    def is_valid(self, x: Value) -> bool:
        """Whether ``x`` may be tried at all.

        Raises
        ------
        EvaluationError
            If ``valid`` raises, or returns something that is neither true nor false.
        """
        if self._valid is None:
            return True
        try:
            return bool(self._valid(x))
        except InvalidDesign:
            return False
        except Exception as error:
            raise EvaluationError(
                f"valid raised {said_by(error)}; it must return True or False.",
                x,
            ) from error

    def codes_are_valid(self, codes: Codes) -> bool:
        """Like :meth:`is_valid`, which is given a fresh value."""
        return self._valid is None or self.is_valid(self.space.decode(codes))

    def repair(self, x: Value) -> Value:
        """Pass ``x`` through the compiled and the Python repair, if any."""
        if self.compiled is not None and self.compiled.repair is not None:
            codes = self.space.encode(x)
            self.compiled.repair(codes, self.compiled.table)
            x = self.space.decode(codes)
        return self._repair_in_python(x)

    def _repair_in_python(self, x: Value) -> Value:
        """Apply the repair functions in order."""
        for function in self._repairs:
            try:
                x = function(x)
            except InvalidDesign:
                raise
            except Exception as error:
                raise EvaluationError(f"repair raised {said_by(error)}", x) from error
        return x

    def repair_codes(self, codes: Codes) -> Codes:
        """Repair codes, shape (n,), as :meth:`repair` does; they may change."""
        if self.compiled is not None and self.compiled.repair is not None:
            self.compiled.repair(codes, self.compiled.table)
        if not self._repairs:
            return codes
        repaired = self._repair_in_python(self.space.decode(codes))
        try:
            return self.space.encode(repaired)
        except InputError as error:
            raise EvaluationError(
                f"repair must return a solution of {self.space!r}: {error}", repaired
            ) from None

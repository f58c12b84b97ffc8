"""``Understanding``: what matters for a result, and what its solutions share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from divlearn.basics.checks import require_flag, require_number
from divlearn.basics.errors import InputError
from divlearn.result.common import Common
from divlearn.result.importance import Importance
from divlearn.result.importance.table import is_one
from divlearn.result.sample import Sample
from divlearn.spaces import Space

if TYPE_CHECKING:
    from divlearn.result.front import Result

#: What may be raised where something cannot be explained.
UNABLE = (ArithmeticError, LookupError, MemoryError, TypeError, ValueError)
#: Names of insights.
IMPORTANCE, COMMON = "importance", "common"
#: What the description of the space is called in ``learned``.
SPACE = "space"


@contextmanager
def _readable(name: str) -> Iterator[None]:
    """Say so where an insight from a file is none."""
    try:
        yield
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"insights[{name!r}] cannot be read ({error}); it comes from a file that "
            "was changed."
        ) from None


class Understanding:
    """The part of :class:`divlearn.Result` that explains it."""

    X: Any
    learned: dict[str, Any]
    sample: Sample | None
    insights: dict[str, Any]

    def importance(self, positions: bool | None = None) -> Importance:
        """Say which variables matter for which output, and for the hypervolume.

        The shares of an output add up to 1 with what is unexplained. They come from
        what the method has learned, or from a surrogate that is fitted to a sample of
        what was evaluated, whichever explains more. The first call takes up to some
        seconds.

        Parameters
        ----------
        positions
            Whether to list single positions, and single items of orders and subsets,
            instead of the parts that they belong to. None: only where all belong to
            one part, of which nothing else could be said than that it matters.

        Examples
        --------
        >>> import divlearn as dl
        >>> space = dl.Composite(width=dl.Integer(1, 9), kind=dl.Categorical("abc"))
        >>> problem = dl.Problem(space, lambda x: (x["width"], -x["width"]), ["a", "b"])
        >>> result = dl.solve(problem, 30, seed=1)
        >>> next(iter(result.importance())).variable
        'width'
        """
        if positions is not None:
            require_flag("positions", positions)
        if IMPORTANCE not in self.insights:
            from divlearn.result.importance.measure import measure  # loads kernels

            self.insights[IMPORTANCE] = measure(cast("Result", self))
        with _readable(IMPORTANCE):
            known = self.insights[IMPORTANCE]
            return Importance(known, is_one(known) if positions is None else positions)

    def common(self, share: float = 1.0) -> Common:
        """Say what the solutions of the front have in common, by surprise.

        Values, ranges and chosen items that they share; places, neighbours and
        precedences in orders. Each comes with the share of random designs that have it
        too: what few of them have is told first.

        Parameters
        ----------
        share
            Share of the solutions for which a fact must be true.

        Raises
        ------
        InputError
            If the result does not say what its solutions are made of.

        Examples
        --------
        >>> import divlearn as dl
        >>> space = dl.Composite(width=dl.Integer(1, 9), kind=dl.Categorical("abc"))
        >>> def f(x):
        ...     return x["width"] + "abc".index(x["kind"]), -x["width"]
        >>> problem = dl.Problem(space, f, ["a", "b"])
        >>> print(dl.solve(problem, 100, seed=1).common())
        What all 9 solutions of the front share (of random designs)
          kind = 'a' (33%)
          width: all of 1 to 9
        """
        share = require_number("share", share, 1e-9, 1.0)
        if share >= 1.0 and COMMON in self.insights:
            with _readable(COMMON):
                return Common.from_dict(self.insights[COMMON])
        from divlearn.result.facts import common_facts  # loads kernels

        space = self._space()
        if space is None:
            raise InputError(
                "what solutions share is not known: the space is of your own kind, or "
                "not described in the file that the result comes from."
            )
        rows = [space.encode(x) for x in self.X]
        codes = np.array(rows, np.int64).reshape(-1, space.num_positions)
        found = common_facts(space, codes, share)
        if share >= 1.0:
            self.insights[COMMON] = found.to_dict()
        return found

    def understand(self) -> None:
        """Fill in ``insights``, as far as possible, for a file.

        What cannot be computed must not keep a result from being saved.
        """
        for find in (self.importance, self.common):
            with suppress(*UNABLE):
                find()

    def _space(self) -> Space | None:
        """The space of the solutions, if it is known and not of a user's own kind."""
        from divlearn.spaces.described import space_from

        if self.sample is not None:
            return self.sample.space
        try:
            return space_from(self.learned.get(SPACE))
        except (InputError, AttributeError, RecursionError):
            return None

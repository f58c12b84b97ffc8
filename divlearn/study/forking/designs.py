"""From a design of the old space to one of the new space."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

import numpy as np

from divlearn.basics.errors import EvaluationError, InputError
from divlearn.basics.text import one_line, said_by
from divlearn.basics.typing import Codes, Value
from divlearn.problems import Problem
from divlearn.spaces import Composite, Space
from divlearn.spaces.differences import in_words, joined, parts_in
from divlearn.study.forking.changes import Changes, Unfit


class Reshaping:
    """Makes designs of a new problem of those of an old one.

    Parameters
    ----------
    old
        What ``describe`` of the old space says.
    problem
        The new problem.
    changes
        What the user says about it; all names are checked here.

    Examples
    --------
    >>> import divlearn as dl
    >>> old = dl.Composite(blades=dl.Integer(3, 9))
    >>> space = dl.Composite(blades=dl.Integer(3, 12), angle=dl.Integer(0, 9))
    >>> problem = dl.Problem(space, len, ["cost"])
    >>> reshape = Reshaping(old.describe(), problem, Changes(fill={"angle": 5}))
    >>> space.decode(reshape({"blades": 4}))
    {'blades': 4, 'angle': 5}
    """

    def __init__(self, old: Any, problem: Problem, changes: Changes) -> None:
        self._problem, self._changes = problem, changes
        self._old = list(knobs_of(old))
        self._always = list(knobs_of(old, sometimes=False))
        self._fill = dict(changes.fill)
        if changes.convert is None:
            self._require_names(parts_of(problem.space))
        require_known("only", changes.only, self._old, "a knob of the old study")

    def _require_names(self, new: dict[str, Space]) -> None:
        """Refuse names that mean nothing, and new knobs without a value."""
        require_known("fill", self._fill, new, "a knob of the new study")
        taken = {self._changes.new_name(name) for name in self._always}
        for name, value in self._fill.items():
            if name in taken:
                raise InputError(
                    f"fill[{name!r}] must be left out: the designs of the old study "
                    f"have {name!r} already."
                )
            try:
                new[name].encode(value)
            except InputError as error:
                raise InputError(f"fill[{name!r}]: {error}") from None
        self._require_renamed(new)
        self._fill |= {n: v for n, part in new.items() for v in only_value(part)}
        if not self._old:  # a custom space, or one without names
            return
        known = {self._changes.new_name(name) for name in self._old} | {*self._fill}
        missing = [name for name in new if name not in known]
        if missing:
            raise InputError(
                f"{', '.join(missing)}: which value did the designs of the old study "
                f'have? Give fill={{"{missing[0]}": value}} '
                f"(--fill {missing[0]}=VALUE) for each new knob."
            )

    def _require_renamed(self, new: Iterable[str]) -> None:
        """Refuse names for old knobs that no new knob has."""
        for name in self._old:
            other = self._changes.new_name(name)
            if other != name:
                require_known("rename to ", [other], new, "a knob of the new study")

    def __call__(self, x: Value) -> Codes:
        """Codes of the design in the new space, shape (n,); or raise Unfit."""
        self._require_only(x)
        new = self._converted(x)
        space = self._problem.space
        try:
            codes = space.encode(new)
        except InputError as error:
            _require_parts(new, space)
            text = f"it is not in {in_words(space.describe())}"
            raise Unfit(text, one_line(str(error), 60)) from None
        try:
            valid = self._problem.codes_are_valid(codes)
        except EvaluationError as error:
            raise Unfit("valid() raised an error", one_line(str(error), 60)) from None
        if not valid:
            raise Unfit("valid() of the new problem refuses it")
        return codes

    def _require_only(self, x: Value) -> None:
        """Leave out designs that were measured under other circumstances."""
        for name, wanted in self._changes.only.items():
            value = dict(leaves(x)).get(name)
            if not same(value, wanted):
                raise Unfit(f"{name} is not {wanted!r}", f"{name} = {value!r}")

    def _converted(self, x: Value) -> Value:
        """The design with new names and new knobs, or as the user makes it."""
        convert = self._changes.convert
        if convert is None:
            if not isinstance(x, Mapping) or not isinstance(
                self._problem.space, Composite
            ):
                return x
            return self._composed(self._problem.space, self._renamed(x), "")
        try:
            new = convert(x)
        except Exception as error:
            raise Unfit(
                "convert() raised an error", one_line(said_by(error), 60)
            ) from None
        if new is None:
            raise Unfit("convert() leaves it out")
        return new

    def _renamed(self, x: Mapping[str, Any]) -> dict[str, Any]:
        """All values of a design by their new names."""
        return {self._changes.new_name(name): value for name, value in leaves(x)}

    def _composed(self, space: Composite, values: dict[str, Any], label: str) -> Value:
        """A design of a composite, of the values that are known.

        Knobs that do not exist in it are left out, whatever is known about them.
        """
        new: dict[str, Any] = {}
        for name, part in space.placed.items():
            place = joined(label, name)
            if part.conditions and not _is_part(space, name, new):
                continue
            if isinstance(part.space, Composite):
                new[name] = self._composed(part.space, values, place)
            elif place in values:
                new[name] = values[place]
            elif place in self._fill:
                new[name] = self._fill[place]
            else:
                raise Unfit(f"{place} is not known")
        return new


def _is_part(space: Composite, name: str, x: Mapping[str, Any]) -> bool:
    """Whether a design has a conditional part; no where that cannot be said."""
    try:
        return space.has_part(name, x)
    except InputError:  # an earlier value is not in its space any more: told later
        return False


def _require_parts(x: Value, space: Space, label: str = "") -> None:
    """Say which knob has a value that it cannot have any more."""
    if isinstance(space, Composite) and isinstance(x, Mapping):
        for name, part in space.placed.items():
            if name in x:
                _require_parts(x[name], part.space, joined(label, name))
        return
    if label and not space.contains(x):
        words = in_words(space.describe())
        raise Unfit(f"{label} is not in {words}", f"{label} = {one_line(repr(x), 40)}")


def require_known(
    argument: str, given: Iterable[str], known: Iterable[str], what: str
) -> None:
    """Refuse names that nothing has."""
    names = list(known)
    for name in given:
        if name not in names:
            near = get_close_matches(name, names, 1)
            hint = f" Did you mean {near[0]!r}?" if near else ""
            listed = ", ".join(names) or "none, as the space has no named parts"
            raise InputError(
                f"{argument}[{name!r}] must name {what}, which are {listed}.{hint}"
            )


# --- names


def knobs_of(
    description: Any, label: str = "", sometimes: bool = True
) -> Iterable[str]:
    """Names of all knobs of a space that is described; nested ones with dots.

    Those that exist only ``sometimes`` may be left out.
    """
    kind = description.get("space") if isinstance(description, Mapping) else None
    if kind == "if":
        if sometimes:
            yield from knobs_of(description.get("then"), label)
    elif kind == "composite":
        for name, part in parts_in(description):
            yield from knobs_of(part, joined(label, name), sometimes)
    elif label:
        yield label


def parts_of(space: Space, label: str = "") -> dict[str, Space]:
    """All knobs of a space by name; nested ones with dots."""
    if not isinstance(space, Composite):
        return {label: space} if label else {}
    found: dict[str, Space] = {}
    for name, part in space.placed.items():
        found |= parts_of(part.space, joined(label, name))
    return found


def leaves(x: Value, label: str = "") -> Iterable[tuple[str, Any]]:
    """All values of a design by name; nested ones with dots."""
    if isinstance(x, Mapping):
        for name, value in x.items():
            yield from leaves(value, joined(label, name))
    else:
        yield label, x


def only_value(space: Space) -> list[Any]:
    """The value of a space that has just one, in a list; otherwise an empty list.

    Examples
    --------
    >>> import divlearn as dl
    >>> only_value(dl.Integer(3, 3)), only_value(dl.Integer(3, 4))
    ([3], [])
    """
    codes = np.zeros(space.num_positions, np.int64)
    levels = (level for segment in space.segments() for level in segment[1])
    return [space.decode(codes)] if all(level == 1 for level in levels) else []


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, arrays and lists alike."""
    plain = (v.tolist() if hasattr(v, "tolist") else v for v in (one, other))
    first, second = (list(v) if isinstance(v, tuple) else v for v in plain)
    return bool(first == second)

"""``Drawing``: what is the same for all designs of a problem when they are drawn."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Value


@dataclass(frozen=True, eq=False)
class Drawing(ABC):
    """How designs of a problem are drawn; subclasses are dataclasses of plain data.

    Attributes
    ----------
    kind
        What is drawn, as a sketch calls it.
    """

    kind: ClassVar[str]

    @abstractmethod
    def sketch(self, x: Value) -> dict[str, Any]:
        """Return what to draw of one design: lists, numbers and texts by name."""

    def describe(self) -> dict[str, Any]:
        """All fields as plain data, from which ``drawing_from`` makes it again."""
        fields = {f.name: getattr(self, f.name) for f in dataclasses.fields(self)}
        return {"kind": self.kind, **{name: _plain(v) for name, v in fields.items()}}


def part_of(x: Value, part: str | None) -> Value:
    """The part of a design that is drawn; the whole design if it has no name."""
    if part is None:
        return x
    if not isinstance(x, dict) or part not in x:
        raise InputError(f"part must name a part of the design, got {part!r}.")
    return x[part]


def read_order(x: Value, part: str | None, count: int, things: str) -> list[int]:
    """The order of things that a design says, all numbers below ``count``."""
    order: Integers = np.asarray(part_of(x, part))
    fits = order.ndim == 1 and order.dtype.kind in "iu"
    if not fits or (len(order) and not 0 <= order.min() <= order.max() < count):
        raise InputError(
            f"a design must be an order of {things}, numbers from 0 to {count - 1}, "
            f"to be drawn, got {x!r}."
        )
    listed: list[int] = order.tolist()
    return listed


def read_chosen(x: Value, part: str | None, count: int) -> Any:
    """Which of ``count`` things a design holds, flags or a set; shape (count,)."""
    given = part_of(x, part)
    flags = np.asarray(
        list(given) if isinstance(given, (set, frozenset, tuple)) else given
    )
    if flags.shape == (count,) and set(flags.tolist()) <= {0, 1}:
        return flags.astype(bool)
    if flags.ndim == 1 and (flags.dtype.kind in "iu" or not len(flags)):
        numbers = flags.astype(int)
        if not len(numbers) or 0 <= numbers.min() <= numbers.max() < count:
            return np.isin(np.arange(count), numbers)
    raise InputError(
        f"a design must be {count} flags, or numbers of what is chosen, to be drawn, "
        f"got {x!r}."
    )


def read_array(argument: str, values: Any, axes: Sequence[str | int]) -> Floats:
    """Copy values into an array of finite numbers; ``axes`` are lengths or names."""
    try:
        array = np.array(values, np.float64)
    except (TypeError, ValueError):
        array = np.full(1, np.nan)
    lengths = zip(axes, array.shape, strict=False)
    fits = array.ndim == len(axes) and array.size > 0
    fits = fits and all(isinstance(w, str) or w == have for w, have in lengths)
    if not fits or not np.isfinite(array).all():
        shape = ", ".join(map(str, axes)) + ("," if len(axes) == 1 else "")
        raise InputError(
            f"{argument} must be finite numbers of shape ({shape}), got {values!r}."
        )
    return array


def read_names(argument: str, names: Any, count: int) -> tuple[str, ...] | None:
    """Check names of things, ``count`` of them; None if there are none."""
    if names is None:
        return None
    texts = () if isinstance(names, str) else tuple(map(str, names))
    if len(texts) != count:
        raise InputError(f"{argument} must be {count} names, got {names!r}.")
    return texts


def labels(names: Sequence[str] | None, count: int) -> list[str]:
    """Names of things, or their numbers."""
    return [str(i) for i in range(count)] if names is None else list(names)


def set_fields(drawing: Drawing, **fields: Any) -> None:
    """Set checked fields of a frozen dataclass."""
    for name, value in fields.items():
        object.__setattr__(drawing, name, value)


def read_maps(drawing: Any) -> None:
    """Check ``places``, shape (n, 2) or a list of such, ``titles`` and ``names``."""
    places = drawing.places
    try:
        flat = not hasattr(places[0][0], "__len__")
    except (TypeError, LookupError):
        raise InputError(
            "places must be an array of shape (n, 2) or a list of such arrays, "
            f"got {places!r}."
        ) from None
    first = read_array("places", places if flat else places[0], ("n", 2))
    rest = [] if flat else places[1:]
    maps = [first, *(read_array("places", one, (len(first), 2)) for one in rest)]
    set_fields(
        drawing,
        places=maps,
        titles=read_names("titles", drawing.titles, len(maps)),
        names=read_names("names", drawing.names, len(first)),
    )


def _plain(value: Any) -> Any:
    """Arrays and tuples as lists; infinite numbers, which JSON lacks, as None."""
    if isinstance(value, np.ndarray):
        finite = np.where(np.isfinite(value), value, np.nan)
        return _plain(finite.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float):
        return None if value != value else float(f"{value:.12g}")
    return value

"""What a user may pass to a problem, read and checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Value
from divlearn.problems.compiled import Compiled
from divlearn.problems.drawings import Drawing, Groups
from divlearn.spaces import Partition, Space
from divlearn.spaces.base import PERMUTATION
from divlearn.spaces.names import stretches

SENSES = ("min", "max")


def is_row(value: Any) -> bool:
    """Whether ``value`` is a row of values; an array without axes is not."""
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, str)


def flat_list(array: Any) -> list[Any]:
    """List what an array holds; masked entries have no value and become None."""
    if isinstance(array, np.ma.MaskedArray):
        return np.ma.ravel(array).tolist()
    return np.asarray(array).reshape(-1).tolist()


def unwrapped(value: Any) -> Any:
    """Take a single number out of an array that holds just that."""
    if isinstance(value, np.ndarray) and value.size == 1:
        return flat_list(value)[0]
    return value


def is_missing(value: Any) -> bool:
    """Whether ``value`` says that a number is missing: None, NaN or masked."""
    value = unwrapped(value)
    return value is None or (isinstance(value, (float, np.floating)) and value != value)


def as_number(value: Any) -> float:
    """Turn ``value`` into a float; raise if it is not a single number."""
    value = unwrapped(value)
    if isinstance(value, (str, bytes)):
        raise TypeError
    return float(value)


def make(kind: type) -> Any:
    """Instantiate a class that was passed instead of a function."""
    try:
        return kind()
    except TypeError as error:
        raise InputError(
            "evaluate must be a function, an object, or a class without arguments, got "
            f"the class {kind.__name__}, which failed ({error}); pass "
            "an object of it."
        ) from error


def name_of(source: Any) -> str:
    """Name a problem by its function or class."""
    if source is None or getattr(source, "__name__", "") == "<lambda>":
        return "problem"
    return str(getattr(source, "__name__", None) or type(source).__name__)


def read_compiled(compiled: Any) -> Compiled | None:
    """Check the compiled objective."""
    if compiled is None or isinstance(compiled, Compiled):
        return compiled
    raise InputError(
        f"compiled must be divlearn.Compiled(objective, table), got {compiled!r}."
    )


def read_valid(valid: Any) -> Callable[[Value], Any] | None:
    """Check that ``valid`` can be called."""
    if valid is None or callable(valid):
        return valid  # type: ignore[no-any-return]
    raise InputError(f"valid must be a function of one solution, got {valid!r}.")


def find_function(source: Any) -> Callable[[Value], Any]:
    """Return the function that evaluates one solution."""
    function = getattr(source, "evaluate", None)
    if function is None and callable(source):
        function = source
    if function is None and hasattr(source, "evaluate_batch"):
        return lambda x: source.evaluate_batch([x])[0]
    if not callable(function):
        raise InputError(
            "evaluate must be a function of one solution or an object with an "
            f"evaluate method, got {source!r}."
        )
    return function  # type: ignore[no-any-return]


def read_objectives(objectives: Mapping[str, str] | Sequence[str]) -> dict[str, str]:
    """Check names and senses."""
    if isinstance(objectives, Mapping):
        named = dict(objectives)
    elif isinstance(objectives, Sequence) and not isinstance(objectives, str):
        refuse_repeats("objectives", list(objectives))
        require_names("objectives", objectives)
        named = dict.fromkeys(objectives, "min")
    else:
        raise InputError(
            'objectives must be names with senses, such as {"cost": "min"}, '
            f"got {objectives!r}."
        )
    if not named:
        raise InputError("objectives must name at least one objective, got none.")
    for name, sense in named.items():
        if not isinstance(name, str) or sense not in SENSES:
            raise InputError(
                f'objectives must map names to "min" or "max", got {name!r}: {sense!r}.'
            )
    return named


def read_new_names(
    argument: str, names: Sequence[str], before: Iterable[str]
) -> tuple[str, ...]:
    """Check that new names differ from each other and from earlier ones."""
    if isinstance(names, str):
        names = (names,)
    require_names(argument, names)
    refuse_repeats(f"objectives and {argument}", [*before, *names])
    return tuple(names)


def require_names(argument: str, names: Any) -> None:
    """Raise unless these are strings."""
    if not isinstance(names, Iterable) or not all(isinstance(n, str) for n in names):
        raise InputError(f"{argument} must be a list of names, got {names!r}.")


def refuse_repeats(argument: str, names: Sequence[Any]) -> None:
    """Raise if a name appears twice."""
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"{argument} must have different names, got {name!r} twice."
            )


def read_repairs(repair: Any) -> tuple[Callable[[Value], Value], ...]:
    """Return the repair functions in order."""
    functions = () if repair is None else repair
    if callable(functions):
        functions = (functions,)
    if not isinstance(functions, Sequence) or not all(map(callable, functions)):
        raise InputError(
            "repair must be a function of one solution or a list of them, "
            f"got {repair!r}."
        )
    return tuple(functions)


def read_distance(distance: Any, space: Space) -> Floats | None:
    """Check a square matrix with a row per item or position."""
    if distance is None:
        return None
    try:
        matrix = np.ascontiguousarray(distance, np.float64)
    except (TypeError, ValueError):
        raise InputError(
            f"distance must be a square matrix of numbers, got {distance!r}."
        ) from None
    items = [
        len(arities) for kind, arities, *_ in space.segments() if kind == PERMUTATION
    ]
    size = max(items, default=space.num_positions)
    if matrix.shape != (size, size):
        of = "item of the permutation" if items else "position"
        raise InputError(
            f"distance must be a square matrix with a row for every {of}, shape "
            f"({size}, {size}), got shape {matrix.shape}."
        )
    if not np.isfinite(matrix).all():
        raise InputError("distance must have finite entries only.")
    return matrix


def read_units(units: Any, outputs: Sequence[str], space: Space) -> dict[str, str]:
    """Check units of outputs and of parts of the space."""
    if not isinstance(units or {}, Mapping):
        raise InputError(
            f'units must be texts by name, such as {{"cost": "EUR"}}, got {units!r}.'
        )
    given = dict(units or {})
    known = [*outputs, *dict.fromkeys(one.part for one in stretches(space))]
    for name, unit in given.items():
        if name not in known:
            raise InputError(
                f"units must name outputs or parts of the space ({', '.join(known)}), "
                f"got {name!r}."
            )
        if not isinstance(unit, str) or not unit.strip():
            raise InputError(f"the unit of {name!r} must be text, got {unit!r}.")
    return given


def read_drawing(drawing: Any, space: Space) -> Drawing | None:
    """Check how designs are drawn; things in groups need no word about it."""
    if drawing is None and isinstance(space, Partition):
        return Groups(space.n, space.groups)
    if drawing is not None and not isinstance(drawing, Drawing):
        raise InputError(
            "drawing must be one of divlearn.problems.drawings, such as Tour(places), "
            f"got {drawing!r}."
        )
    return drawing

"""What a search relies on in every space."""

from __future__ import annotations

import copy
import json
import math

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes, Integers, Value
from divlearn.spaces import Permutation, Space
from divlearn.testing.require import require


def check_space(space: Space, seed: int = 0, samples: int = 50) -> None:
    """Check that a space keeps the promises that a search relies on.

    Samples are members and repeat with their seed. Codes and values can be converted
    into each other. The canonical form is stable. The distance is a metric, among
    solutions that have the same parts. Constructions by ``available`` always end in a
    member. Every move stays in the space and inside its positions, but for parts that
    come to be or vanish with it. The description is plain data.

    Parameters
    ----------
    space
        The space to check.
    seed
        Seed of the random solutions.
    samples
        Number of random solutions.

    Examples
    --------
    >>> import divlearn as dl
    >>> check_space(dl.Subset(6, min=1, max=3))
    """
    require(isinstance(space, Space), f"{space!r} is not a divlearn.Space.")
    _check_description(space)
    values = [space.sample(seed + s) for s in range(samples)]
    for s, value in enumerate(values):
        again = space.sample(seed + s)
        require(
            np.array_equal(codes_of(space, value), codes_of(space, again)),
            f"sample({seed + s}) gave {value!r} and then {again!r}.",
        )
        _check_round_trip(space, value)
    _check_distance(space, values)
    rng = np.random.default_rng(seed)
    for value in values:
        _check_construction(space, rng)
        _check_moves(space, value, rng)


def codes_of(space: Space, value: Value) -> Codes:
    """Encode a member, or say that it is not one."""
    try:
        codes = space.encode(value)
    except InputError as error:
        raise AssertionError(f"{value!r} is not in {space!r}: {error}") from error
    require(
        codes.shape == (space.num_positions,) and codes.dtype == np.int64,
        f"encode({value!r}) must give {space.num_positions} int64 codes, "
        f"got {codes!r}.",
    )
    return codes


def require_member(space: Space, codes: Codes, source: str) -> None:
    """Check codes against the layout."""
    from divlearn.kernels.layout import is_member

    require(
        is_member(space.layout, codes),
        f"{source} gave the codes {codes.tolist()}, which are outside {space!r}.",
    )


def _check_description(space: Space) -> None:
    """Check that the description can be written and that equality follows from it."""
    twin = copy.deepcopy(space)
    try:
        # State files write values that JSON does not know by their repr.
        mine, other = (json.dumps(s.describe(), default=repr) for s in (space, twin))
    except (TypeError, ValueError) as error:
        raise AssertionError(f"describe() must be plain data: {error}") from error
    require(
        mine == other,
        f"describe() must be plain data, the same for a copy, got {mine} and {other}.",
    )
    require(
        space == twin and hash(space) == hash(twin),
        f"{space!r} must equal its copy and have the same hash.",
    )
    require(
        space != Permutation(space.num_positions + 1), "different spaces are equal."
    )


def _check_round_trip(space: Space, value: Value) -> None:
    """Check that codes and values convert into each other and share no memory."""
    require(space.contains(value), f"the sample {value!r} is not in {space!r}.")
    codes = codes_of(space, value)
    require_member(space, codes, f"encode({value!r})")
    own = codes.copy()
    decoded = space.decode(codes)
    require(np.array_equal(codes, own), "decode() changed the codes it was given.")
    codes[:] = codes[::-1].copy()
    require(
        np.array_equal(codes_of(space, decoded), own),
        f"{own.tolist()} decodes to {decoded!r}, which encodes to other codes, or "
        "decode() returned a view of the codes.",
    )
    canonical = space.canonical(value)
    require(
        np.array_equal(
            codes_of(space, space.canonical(canonical)), codes_of(space, canonical)
        ),
        f"canonical({value!r}) is {canonical!r}, whose canonical form differs.",
    )


def _check_distance(space: Space, values: list[Value]) -> None:
    """Check that the distance is a metric on the samples."""
    for a, b, c in zip(values, values[1:], values[2:], strict=False):
        there, back = space.distance(a, b), space.distance(b, a)
        require(
            math.isfinite(there) and there == back,
            f"distance must be symmetric, got {there} and {back} for {a!r}, {b!r}.",
        )
        require(space.distance(a, a) == 0, f"{a!r} is not at distance 0 from itself.")
        same = np.array_equal(
            codes_of(space, space.canonical(a)), codes_of(space, space.canonical(b))
        )
        require(
            (there == 0) == same and there >= 0,
            f"distance {there} between {a!r} and {b!r}: 0 must mean equal.",
        )
        alike = len({_lacking(space, value).tobytes() for value in (a, b, c)}) == 1
        require(
            not alike or space.distance(a, c) <= there + space.distance(b, c) + 1e-9,
            f"the way from {a!r} to {c!r} is shorter over {b!r}.",
        )


def _lacking(space: Space, value: Value) -> Integers:
    """Which positions have no value, shape (n,)."""
    from divlearn.kernels.rules.presence import is_absent

    codes, layout = space.encode(value), space.layout
    return np.array([is_absent(layout, codes, i) for i in range(len(codes))], np.int64)


def _check_construction(space: Space, rng: np.random.Generator) -> None:
    """Check that a construction by ``available`` ends in a member."""
    codes: list[int] = []
    for i in range(space.num_positions):
        actions = space.available(codes)
        require(
            len(actions) > 0 and len(set(actions)) == len(actions),
            f"after {codes} position {i} offers the actions {actions}.",
        )
        codes.append(int(rng.choice(actions)))
    require_member(space, np.array(codes, np.int64), "a construction by available()")


def _check_moves(space: Space, value: Value, rng: np.random.Generator) -> None:
    """Check that every move stays in the space and in its positions."""
    n = space.num_positions
    before = codes_of(space, value)
    for move in (None, *space.move_names):
        positions = rng.permutation(n)[: rng.integers(0, n + 1)].tolist()
        moved = space.neighbour(value, int(rng.integers(2**31)), move, positions)
        after = codes_of(space, moved)
        require_member(space, after, f"the move {move!r} from {value!r}")
        kept = (_lacking(space, value) | _lacking(space, moved)) == 0
        changed = np.flatnonzero((before != after) & kept)
        require(
            np.isin(changed, positions).all(),
            f"the move {move!r} changed the positions {changed.tolist()} of {value!r}, "
            f"but only {sorted(positions)} were given.",
        )
    require(np.array_equal(codes_of(space, value), before), "a move changed its input.")

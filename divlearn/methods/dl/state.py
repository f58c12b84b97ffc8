"""Turns a problem and settings into the arrays of a search by differences."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from divlearn.basics.typing import Floats, Integers, Records, Words
from divlearn.errors import InputError
from divlearn.kernels.archive import enlarged, new_archive
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout, build_layout
from divlearn.kernels.moves import move_shares
from divlearn.kernels.random import seed_words
from divlearn.kernels.records import OBJECTIVE, new_records
from divlearn.kernels.scale import tame
from divlearn.methods.dl.differences import ENCODINGS, Differences
from divlearn.methods.dl.encodings import Encoding, fault_of
from divlearn.methods.dl.kernels.arms.bandit import (
    ARMS,
    propose_choice,
    propose_sequence,
)
from divlearn.methods.dl.kernels.arms.pairing import learn_pairing, propose_pairing
from divlearn.methods.dl.kernels.arms.repeat import propose_repeat, weigh_answer
from divlearn.methods.dl.kernels.drivers import has_room
from divlearn.methods.dl.kernels.learning import learn_choice, learn_sequence
from divlearn.methods.dl.kernels.memory import Parents, Ring, enlarged_set
from divlearn.methods.dl.kernels.models import encodings
from divlearn.methods.dl.kernels.models.additive import Changes, Tables
from divlearn.methods.dl.kernels.models.custom import lister_address
from divlearn.methods.dl.kernels.models.gp.state import (
    MOST_INITIAL,
    Similarity,
    new_similarity,
)
from divlearn.methods.dl.kernels.models.latent import DIMENSIONS, Latent
from divlearn.methods.dl.kernels.models.pairing.model import new_pairing
from divlearn.methods.dl.kernels.models.quadratic.values import (
    describes_space,
    new_values,
)
from divlearn.methods.dl.kernels.parts import (
    LEARN,
    LEARN_PAIRING,
    NUM_PARTS,
    PROPOSE,
    PROPOSE_PAIRING,
    PROPOSE_REPEAT,
    WEIGH,
    part_address,
)
from divlearn.methods.dl.kernels.search.enumeration import new_plan
from divlearn.methods.dl.kernels.search.orders import Order
from divlearn.methods.dl.kernels.search.scratch import new_walk
from divlearn.methods.dl.kernels.search.tours import Tour
from divlearn.methods.dl.kernels.state import (
    ARM,
    CONTENDER,
    CONTROL,
    DifferenceState,
    Repeats,
)
from divlearn.methods.paper.settings import Settings
from divlearn.methods.paper.state import DEFAULT_MOVES, NUM_SLOTS
from divlearn.methods.plan import longest_permutation
from divlearn.problems import Problem

#: Parents that are remembered, and places of a new set of seen solutions.
NUM_PARENTS = 512
NUM_SEEN = 2**12
#: Candidates of a noisy problem that are measured again at the same time.
NUM_CONTENDERS = 128
#: More evaluations than any search makes.
NEVER = 2**62
#: How often the quality of the tables is noted, at longer and longer intervals.
NUM_LOGGED = 40
#: Pairs of items changed by one step are listed up to this length of a permutation.
LONGEST_ORDERED = 128
#: Numbers in tables that have a row for every action, and rows of those that have not.
LARGEST_TABLES, SPARSE_ROWS = 60_000_000, 2**20
#: Random solutions whose actions by an encoding of a user's own are checked at first.
NUM_CHECKED = 5
#: Items near each item: in a search, and per view when members are refined.
NUM_NEAR, NUM_USEFUL = 10, 5


def new_state(
    problem: Problem, settings: Settings, weights: Floats, seed: int
) -> DifferenceState:
    """Make the state of a search that has not begun.

    Parameters
    ----------
    problem
        What to search.
    settings
        Resolved settings, see :func:`divlearn.methods.plan.resolve`.
    weights
        Not used: weights are drawn.
    seed
        Seed of all random choices.
    """
    given = settings.differences
    assert given is not None
    assert given.ring is not None
    layout = problem.space.layout
    n, m = len(layout.places), problem.num_objectives
    p, size = m + problem.num_constraints, longest_permutation(problem)[1]
    own = given.own_encodings
    wanted = _encodings(given, layout, size)
    actions = _num_actions(own, problem)
    sparse = are_sparse(len(wanted), actions, p)
    searched = 0 if sparse else size  # costs of all pairs are needed to search inside
    objectives = new_records(m, OBJECTIVE)
    objectives.sign = problem.sign
    objectives.low, objectives.high = np.inf, -np.inf
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    moves = settings.refinement.moves
    # Where others describe the space, the tables of values stay empty.
    described = layout if uses_values(problem, settings) else build_layout([])
    values = new_values(described, p, 2 if given.pairs else 1)
    return DifferenceState(
        control=_control(settings, problem, searched),
        parts=np.zeros(NUM_PARTS, np.uint64),
        layout=layout,
        objectives=objectives,
        arms=_arms(given),
        archive=new_archive(NUM_SLOTS, n, m, p - m),
        open=_whole(NUM_SLOTS),
        tables=_tables(wanted, own, actions, p, sparse),
        log=np.zeros((NUM_LOGGED, 1 + p)),
        ring=Ring(
            np.zeros((given.ring, n), np.int32),
            np.zeros((given.ring, n), np.int32),
            np.zeros((given.ring, p)),
        ),
        parents=Parents(
            _whole(NUM_PARENTS, n), np.zeros((NUM_PARENTS, p)), _whole(NUM_PARENTS)
        ),
        seen=np.zeros(NUM_SEEN, np.uint64),
        points=np.zeros((m, searched, DIMENSIONS)),
        weights=np.zeros((2, p)),
        low=np.zeros(m),
        high=np.zeros(m),
        least_violating=_whole(n),
        least_outputs=np.zeros(p),
        values=values,
        plan=new_plan(described, m, p - m),
        inside=new_walk(described, values, m),
        near=_whole(searched, NUM_USEFUL * (m + 1)),
        shares=move_shares(DEFAULT_MOVES if moves is None else moves),
        words=words,
        similarity=_similarity(problem, settings),
        pairing=new_pairing(size, m, given.pairing_samples or 0),
        repeats=_repeats(given.repeats and problem.noise, n, m, p),
        latent=_latent(searched, given.ring),
        changes=_changes(problem, own, actions, p),
        tour=_tour(searched),
        order=_order(searched),
        subset=_whole(n),
        scratch=_whole(max(n, int(layout.places.arity.max()))),
        outputs=np.zeros(p),
        told=np.zeros(p),
        delta=np.zeros(p),
        trial=_whole(n),
    )


def uses_values(problem: Problem, settings: Settings) -> bool:
    """Whether the values of positions, and pairs of them, describe the space."""
    assert settings.differences is not None
    permuted = longest_permutation(problem)[1] > 0
    return not permuted and not settings.differences.own_encodings


def with_parts(state: DifferenceState) -> DifferenceState:
    """Compile what this space needs, and look up where it is."""
    chosen = (propose_sequence, learn_sequence)
    if describes_space(state.values):
        chosen = (propose_choice, learn_choice)
    parts = np.zeros_like(state.parts)
    parts[PROPOSE] = part_address(chosen[0], state)
    parts[LEARN] = part_address(chosen[1], state)
    if state.pairing.record[0].limit > 0:
        parts[PROPOSE_PAIRING] = part_address(propose_pairing, state)
        parts[LEARN_PAIRING] = part_address(learn_pairing, state)
    if len(state.repeats.contenders):
        parts[PROPOSE_REPEAT] = part_address(propose_repeat, state)
        parts[WEIGH] = part_address(weigh_answer, state)
    return state._replace(parts=parts)


def with_room(state: DifferenceState, count: int) -> DifferenceState:
    """Enlarge what is too full for ``count`` more candidates.

    Parts of the step are compiled here, when they are needed for the first time.
    """
    control = state.control[0]
    if not state.parts.any():
        state = with_parts(state)
    if control.archive_size >= len(state.archive.order):
        archive = enlarged(state.archive)
        more = np.concatenate((state.open, np.zeros_like(state.open)))
        counts, asked = (
            np.concatenate((array, np.zeros_like(array)))
            for array in (state.repeats.counts, state.repeats.asked)
        )
        repeats = state.repeats._replace(counts=counts, asked=asked)
        state = state._replace(archive=archive, open=more, repeats=repeats)
    while not has_room(control, state.archive.order, state.seen, count):
        state = state._replace(seen=enlarged_set(state.seen))
    return state


def _whole(*shape: int) -> Integers:
    """Whole numbers, all zero."""
    return np.zeros(shape, np.int64)


def _arms(given: Differences) -> Records:
    """What each arm brought, nothing yet; those that are switched off stay so."""
    arms = new_records(len(ARMS), ARM)
    arms.on = [not arm.switch or getattr(given, arm.switch) for arm in ARMS]
    return arms


def _encodings(given: Differences, layout: Layout, size: int) -> list[int]:
    """Numbers of the encodings that fit the space, the usual one first, own ones last.

    Those of a user's own are numbered after all that are built in.
    """
    own = list(range(len(ENCODINGS), len(ENCODINGS) + len(given.own_encodings)))
    kinds = set(layout.segments.kind)
    fitting = [encodings.VALUE]
    if PERMUTATION in kinds:
        fitting += [encodings.SUCCESSOR, encodings.NEIGHBOUR]
        if size <= LONGEST_ORDERED:
            fitting.append(encodings.PRECEDENCE)
    if ORDINAL in kinds:
        fitting.append(encodings.THERMOMETER)
    if given.encodings is not None:
        wanted = [ENCODINGS.index(name) for name in given.encodings]
        fitting = [e for e in fitting if e in wanted]
    return fitting + own or [encodings.VALUE]


def _num_actions(own: tuple[Encoding, ...], problem: Problem) -> int:
    """The largest number of actions that any encoding has."""
    space = problem.space
    for encoding in own:
        for seed in range(NUM_CHECKED):
            fault = fault_of(encoding, space, space.encode(space.sample(seed)))
            if fault is not None:
                raise InputError(
                    f"own_encodings: {encoding.name!r} does not fit the space: {fault}."
                )
    usual = int(space.layout.places.arity.sum())
    return max([usual, *(encoding.num_actions(space) for encoding in own)])


def are_sparse(num_encodings: int, actions: int, p: int) -> bool:
    """Whether tables with a row for every action would be too large."""
    return num_encodings * actions * (p + 1) > LARGEST_TABLES


def _tables(
    chosen: list[int], own: tuple[Encoding, ...], actions: int, p: int, sparse: bool
) -> Tables:
    """Tables that know nothing."""
    e, keys = len(chosen), SPARSE_ROWS if sparse else 0
    rows = keys + 1 if sparse else actions
    return Tables(
        encodings=np.array(chosen, np.int64),
        keys=np.full((e, keys), -1, np.int64),
        mean=np.zeros((e, rows, p)),
        variance=np.ones((e, rows)),
        noise=np.zeros(e),
        error=np.zeros((e, p)),
        size=np.zeros(p),
        changed=np.zeros(e),
        chosen=_whole(p),
        judged=_whole(1),
        addresses=_addresses(chosen, own),
    )


def _addresses(chosen: list[int], own: tuple[Encoding, ...]) -> Words:
    """Addresses of encodings of a user's own, valid in this process only."""
    built_in = [0] * (len(chosen) - len(own))
    try:
        added = [lister_address(type(encoding).list_actions) for encoding in own]
    except TypeError as error:
        raise InputError(
            "own_encodings: list_actions must be plain arithmetic on arrays that numba "
            f"compiles. {error}"
        ) from error
    return np.array([*built_in, *added], np.uint64)


def renewed(state: DifferenceState, settings: Settings) -> DifferenceState:
    """Forget the addresses in a state that came from another process.

    Those of a user's own functions are looked up at once, those of parts of the step
    when they are needed, see :func:`with_room`.
    """
    assert settings.differences is not None
    chosen = [int(e) for e in state.tables.encodings]
    addresses = _addresses(chosen, settings.differences.own_encodings)
    tables = state.tables._replace(addresses=addresses)
    return state._replace(tables=tables, parts=np.zeros_like(state.parts))


def _similarity(problem: Problem, settings: Settings) -> Similarity:
    """An empty memory of the similarity expert."""
    given, m = settings.differences, problem.num_objectives
    assert given is not None
    assert given.kernel_points is not None
    similarity = new_similarity(
        problem.space.layout,
        m,
        m + problem.num_constraints,
        max(1, given.kernel_points),
        num_initial=min(settings.initial, MOST_INITIAL),
    )
    if problem.reference is not None:
        tame(problem.sign * problem.reference, similarity.reference)
    return similarity


def _latent(size: int, ring: int) -> Latent:
    """Scratch of the fit of points to differences."""
    pairs = 2048 + 300 * size if size else 0
    rows = ring if size else 0
    return Latent(
        points=np.zeros((size, DIMENSIONS)),
        rows=_whole(rows + 1),
        first=_whole(pairs),
        second=_whole(pairs),
        signs=np.zeros(pairs),
        members=_whole(rows + 1),
        items=_whole(pairs),
        slots=_whole(pairs, 2),
        slopes=np.zeros((pairs, DIMENSIONS)),
        targets=np.zeros(rows),
        residuals=np.zeros(rows),
        work=np.zeros((6, size, DIMENSIONS)),
    )


def _repeats(noisy: bool, n: int, m: int, p: int) -> Repeats:
    """No measurements yet; nothing at all where a problem is exact."""
    slots, contenders = (NUM_SLOTS, NUM_CONTENDERS) if noisy else (0, 0)
    return Repeats(
        counts=_whole(slots),
        asked=_whole(slots),
        contenders=new_records(contenders, CONTENDER),
        solutions=_whole(contenders, n),
        outputs=np.zeros((contenders, p)),
        tickets=_whole(contenders, 2),
        squares=np.zeros(p),
        margin=np.zeros(m),
    )


def _changes(
    problem: Problem, own: tuple[Encoding, ...], actions: int, p: int
) -> Changes:
    """Scratch for the actions of one step: every action at most once or twice."""
    layout, size = problem.space.layout, longest_permutation(problem)[1]
    n = len(layout.places)
    listed = max([0, *(encoding.most_listed(problem.space) for encoding in own)])
    permuted = layout.segments.kind[layout.places.segment] == PERMUTATION
    most = 4 * n + int(layout.places.arity[~permuted].sum())
    if size <= LONGEST_ORDERED:
        lengths = layout.segments.stop - layout.segments.start
        ordered = lengths[layout.segments.kind == PERMUTATION]
        most += int((ordered * (ordered - 1) // 2).sum())
    most = max(most, 2 * listed)
    return Changes(
        inverse=_whole(n),
        actions=_whole(most),
        signs=np.zeros(most),
        errors=np.zeros(p),
        parent=_whole(n),
        child=_whole(n),
        tally=_whole(actions if own else 0),
        listed=_whole(listed),
    )


def _tour(size: int) -> Tour:
    """Scratch of the search for cycles."""
    near = max(0, min(NUM_NEAR, size - 1))
    one, two = _whole(size), _whole(size)
    return Tour(
        order=one,
        place=two,
        best_order=one.copy(),
        touched=two.copy(),
        near=_whole(size, near),
        cost=np.zeros(size * size),
        queue=one.copy(),
        queued=two.copy(),
        ends=_whole(3),
    )


def _order(size: int) -> Order:
    """Scratch of the search for orders."""
    return Order(
        items=_whole(size),
        kept=_whole(size),
        at=np.zeros(size * size),
        follow=np.zeros(size * size),
        ahead=np.zeros(size * size),
        used=_whole(3),
    )


def _control(settings: Settings, problem: Problem, searched: int) -> Records:
    """The record of settings, with the cursor at zero."""
    given = settings.differences
    assert given is not None
    first, _ = longest_permutation(problem)
    fields: dict[str, Any] = {
        "num_initial": settings.initial,
        "replays": given.replays,
        "kicks": given.kicks,
        "use_geometry": given.geometry and searched > 3,
        "use_uncertainty": given.uncertainty,
        "use_plans": given.plans and given.tables,
        "use_gaps": given.gaps,
        "blind_share": given.blind_share,
        "window": given.window,
        "first": first,
        "exploration": given.exploration,
        "exploring_moves": given.exploring_moves,
        "kernel_points": given.kernel_points,
        "least_violation": np.inf,
        "fitted": 1.0,
        "next_fit": _first_fit(given, searched),
        "next_log": settings.initial,
        "final_from": NEVER if given.final_from is None else given.final_from,
    }
    control = new_records(1, CONTROL)
    for name, value in fields.items():
        control[name][0] = value
    return control


def _first_fit(given: Differences, size: int) -> int:
    """Evaluations before points are fitted: beyond 100 items more of them per item.

    With five per item fits of 400 items fail, and failing takes longest.
    """
    assert given.exploration is not None
    return int(given.exploration * max(1.0, 1.0 + 0.5 * math.log2(max(1, size) / 100)))

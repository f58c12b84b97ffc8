"""Turns a problem and options into the arrays of a search by differences."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Floats, Integers, Records, Words
from divlearn.kernels.archive import NUM_SLOTS, new_archive
from divlearn.kernels.layout import ORDINAL, PERMUTATION, Layout, build_layout
from divlearn.kernels.moves import move_shares
from divlearn.kernels.random import seed_words
from divlearn.kernels.records import OBJECTIVE, new_records
from divlearn.kernels.repairs import no_repairer
from divlearn.kernels.scale import tame
from divlearn.methods.dl.checking import may_be_noisy, new_repeats
from divlearn.methods.dl.control import LONG, new_control
from divlearn.methods.dl.encodings import Encoding, fault_of
from divlearn.methods.dl.kernels.arms.bandit import ARMS
from divlearn.methods.dl.kernels.memory import Parents, Ring
from divlearn.methods.dl.kernels.models import encodings
from divlearn.methods.dl.kernels.models.additive import Tables
from divlearn.methods.dl.kernels.models.clauses import new_clauses
from divlearn.methods.dl.kernels.models.custom import lister_address
from divlearn.methods.dl.kernels.models.encodings import Changes
from divlearn.methods.dl.kernels.models.gp.state import (
    MOST_INITIAL,
    GaussianProcess,
    new_gp,
)
from divlearn.methods.dl.kernels.models.hidden import new_hidden
from divlearn.methods.dl.kernels.models.latent import DIMENSIONS, Latent
from divlearn.methods.dl.kernels.models.linkage import new_linkage
from divlearn.methods.dl.kernels.models.pairing.model import new_pairing
from divlearn.methods.dl.kernels.models.quadratic.values import new_values
from divlearn.methods.dl.kernels.models.routes.model import Routes, new_routes
from divlearn.methods.dl.kernels.models.sums import new_sums
from divlearn.methods.dl.kernels.parts import NUM_PARTS
from divlearn.methods.dl.kernels.search.enumeration import new_plan
from divlearn.methods.dl.kernels.search.matching import new_matching
from divlearn.methods.dl.kernels.search.orders import new_order
from divlearn.methods.dl.kernels.search.rows import FEW
from divlearn.methods.dl.kernels.search.scratch import new_walk
from divlearn.methods.dl.kernels.search.tours import Tour
from divlearn.methods.dl.kernels.state import (
    ARM,
    DifferenceState,
)
from divlearn.methods.dl.method import DL, ENCODINGS
from divlearn.methods.dl.rules import (
    MEMORY_PER_POSITION,
    links_values,
    longest_permutation,
    matches_orders,
)
from divlearn.methods.moves import (
    DEFAULT_MOVES,
    STRAIGHT_MOVES,
    custom_records,
    require_moves_fit,
)
from divlearn.problems import Problem

#: Parents that are remembered, and places of a new set of seen solutions.
NUM_PARENTS = 512
NUM_SEEN = 2**12
#: How often the quality of the tables is noted, at longer and longer intervals.
NUM_LOGGED = 40
#: Pairs of items changed by one step are listed up to this length of a permutation.
LONGEST_ORDERED = 128
#: Directions in which gains are measured, times how much longer than usual the model of
#: reals is searched: gains of many objectives take most of the time.
MOST_MEASURED = 3_000
#: Numbers in tables that have a row for every action, and rows of those that have not.
LARGEST_TABLES, SPARSE_ROWS = 60_000_000, 2**20
#: Most changed actions of a difference that are listed, where whole solutions are too
#: long to be kept; three moves change 24 neighbours at most.
MOST_CHANGES = 64
#: Random solutions whose actions by a custom encoding are checked at first.
NUM_CHECKED = 5
#: Items near each item: in a search, and per view when members are refined.
NUM_NEAR, NUM_USEFUL = 10, 5


def new_state(problem: Problem, given: DL, seed: int) -> DifferenceState:
    """Make the state of a search that has not begun.

    Parameters
    ----------
    problem
        What to search.
    given
        With nothing left open, see :func:`divlearn.methods.dl.rules.completed`.
    seed
        Seed of all random choices.
    """
    assert given.memory is not None
    require_moves_fit(given.custom_moves, problem.space)
    layout = problem.space.layout
    n, m = len(layout.places), problem.num_objectives
    p, size = m + problem.num_constraints, longest_permutation(problem)[1]
    custom = given.custom_encodings
    wanted = _encodings(given, layout, size)
    actions = _num_actions(custom, problem)
    sparse = are_sparse(len(wanted), actions, p) or size > LONG
    searched = 0 if custom and sparse else size
    paired = 0 if sparse else size  # whose pairs all have a cost
    listed = sparse and not uses_values(problem, given)
    memory = _memory(given, searched, listed)
    objectives = new_records(m, OBJECTIVE)
    objectives.sign = problem.sign
    objectives.low, objectives.high = np.inf, -np.inf
    words = np.empty(4, np.uint64)
    seed_words(words, np.uint64(seed))
    # Where others describe the space, the tables of values stay empty.
    described = layout if uses_values(problem, given) else build_layout([])
    values = new_values(described, p, 2 if given.pairs else 1)
    counted = given.clauses and not problem.noise
    clauses = new_clauses(described, p - m, counted, given.count_questions or 0)
    # A constraint that nobody stated is one more of those that plans keep.
    few = p - m < FEW and not len(clauses.price)
    learned = bool(given.hidden and given.questions and len(described.places) and few)
    orders = matches_orders(given, problem) and not sparse
    planned = orders and given.plans
    return DifferenceState(
        control=new_control(given, problem, searched),
        parts=np.zeros(NUM_PARTS, np.uint64),
        repairer=no_repairer(),
        layout=layout,
        objectives=objectives,
        arms=_arms(given),
        archive=new_archive(NUM_SLOTS, n, m, p - m),
        open=_whole(NUM_SLOTS),
        tables=_tables(wanted, custom, actions, p, sparse),
        log=np.zeros((NUM_LOGGED, 1 + p)),
        ring=_ring(memory, n, p, len(wanted) if listed else 0),
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
        clauses=clauses,
        hidden=new_hidden(described, n, learned),
        plan=new_plan(
            layout if planned else described, m, p - m + learned, len(clauses.price)
        ),
        inside=new_walk(described, values, m, int(learned)),
        near=_whole(searched, NUM_USEFUL * (m + 1)),
        shares=_shares(given),
        custom_moves=custom_records(given.custom_moves),
        rng=words,
        gp=_gp(problem, given),
        pairing=new_pairing(size, m, given.pairing_samples or 0),
        routes=_routes(given, problem, size),
        repeats=new_repeats(may_be_noisy(given, problem), n, m, p),
        linkage=new_linkage(described, p, given.linkage and links_values(problem)),
        latent=_latent(searched, memory),
        changes=_changes(problem, custom, actions, p),
        tour=_tour(searched, paired),
        order=new_order(paired),
        matching=new_matching(paired if orders else 0, p),
        sums=new_sums(given.memory if planned else 0, n * n if planned else 0),
        subset=_whole(n),
        scratch=_whole(max(n, int(layout.places.arity.max()))),
        outputs=np.zeros(p),
        told=np.zeros(p),
        delta=np.zeros(p),
        trial=_whole(n),
    )


def _shares(given: DL) -> Floats:
    """Shares of the moves with reversals and then without them, shape (8, 4).

    Moves that were named are made whatever is learned, and so are all without tables.
    """
    usual = move_shares(DEFAULT_MOVES if given.moves is None else given.moves)
    adapts = given.moves is None and given.tables
    return np.vstack([usual, move_shares(STRAIGHT_MOVES) if adapts else usual])


def uses_values(problem: Problem, given: DL) -> bool:
    """Whether the values of positions, and pairs of them, describe the space."""
    permuted = longest_permutation(problem)[1] > 0
    return not permuted and not given.custom_encodings


def _whole(*shape: int) -> Integers:
    """Whole numbers, all zero."""
    return np.zeros(shape, np.int64)


def _arms(given: DL) -> Records:
    """What each arm brought, nothing yet; those that are switched off stay so."""
    arms = new_records(len(ARMS), ARM)
    arms.on = [not arm.switch or getattr(given, arm.switch) for arm in ARMS]
    return arms


def _encodings(given: DL, layout: Layout, size: int) -> list[int]:
    """Numbers of the encodings that fit the space, the usual one first.

    Custom ones are numbered after all that are built in.
    """
    custom = list(range(len(ENCODINGS), len(ENCODINGS) + len(given.custom_encodings)))
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
    return fitting + custom or [encodings.VALUE]


def _num_actions(custom: Sequence[Encoding], problem: Problem) -> int:
    """The largest number of actions that any encoding has."""
    space = problem.space
    for encoding in custom:
        for seed in range(NUM_CHECKED):
            fault = fault_of(encoding, space, space.encode(space.sample(seed)))
            if fault is not None:
                raise InputError(
                    f"custom_encodings: {encoding.name!r} does not fit the space: "
                    f"{fault}."
                )
    usual = int(space.layout.places.arity.sum())
    return max([usual, *(encoding.num_actions(space) for encoding in custom)])


def are_sparse(num_encodings: int, actions: int, p: int) -> bool:
    """Whether tables with a row for every action would be too large."""
    return num_encodings * actions * (p + 1) > LARGEST_TABLES


def _tables(
    chosen: list[int], custom: Sequence[Encoding], actions: int, p: int, sparse: bool
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
        addresses=encoding_addresses(chosen, custom),
    )


def encoding_addresses(chosen: list[int], custom: Sequence[Encoding]) -> Words:
    """Addresses of custom encodings, valid in this process only."""
    built_in = [0] * (len(chosen) - len(custom))
    try:
        added = [lister_address(type(encoding).list_actions) for encoding in custom]
    except TypeError as error:
        raise InputError(
            "custom_encodings: list_actions must be plain arithmetic on arrays that "
            f"numba compiles. {error}"
        ) from error
    return np.array([*built_in, *added], np.uint64)


def _gp(problem: Problem, given: DL) -> GaussianProcess:
    """An empty memory of the Gaussian process."""
    m = problem.num_objectives
    assert given.gp_candidates is not None
    gp = new_gp(
        problem.space.layout,
        m,
        m + problem.num_constraints,
        max(1, given.gp_candidates),
        searched=given.gp_candidates > 0,
        noisy=bool(problem.noise),
        num_initial=min(given.initial, MOST_INITIAL),
    )
    control = gp.control[0]
    control.most_effort = min(control.most_effort, MOST_MEASURED / len(gp.lengths))
    if problem.reference is not None:
        tame(problem.sign * problem.reference, gp.reference)
    return gp


def _routes(given: DL, problem: Problem, size: int) -> Routes:
    """Room for the model of routes, where there may be one."""
    samples = given.route_samples or 0
    knob = size if longest_permutation(problem)[0] == 0 else 0
    levels = int(problem.space.layout.places.levels[knob]) if samples else 0
    return new_routes(size, levels, knob, samples)


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


def _changes(
    problem: Problem, custom: Sequence[Encoding], actions: int, p: int
) -> Changes:
    """Scratch for the actions of one step: every action at most once or twice."""
    layout, size = problem.space.layout, longest_permutation(problem)[1]
    n = len(layout.places)
    listed = max([0, *(encoding.most_listed(problem.space) for encoding in custom)])
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
        tally=_whole(actions if custom else 0),
        listed=_whole(listed),
    )


def _memory(given: DL, size: int, listed: bool) -> int:
    """Differences that are kept; where changes are listed, enough to fit points to."""
    assert given.memory is not None
    return max(given.memory, MEMORY_PER_POSITION * size) if listed else given.memory


def _ring(rows: int, n: int, p: int, encodings: int) -> Ring:
    """An empty ring of whole solutions, or of changes by so many encodings."""
    listed = (rows, encodings, MOST_CHANGES) if encodings else (0, 0, 0)
    width = 0 if encodings else n
    return Ring(
        np.zeros((rows, width), np.int32),
        np.zeros((rows, width), np.int32),
        np.zeros((rows, p)),
        _whole(*listed),
    )


def _tour(size: int, paired: int) -> Tour:
    """Scratch of the search for cycles; the first ``paired`` items have all costs."""
    near = max(0, min(NUM_NEAR, size - 1))
    one, two = _whole(size), _whole(size)
    return Tour(
        order=one,
        place=two,
        best_order=one.copy(),
        touched=two.copy(),
        near=_whole(size, near),
        reach=np.zeros((size, near)),
        cost=np.zeros(paired * paired),
        queue=one.copy(),
        queued=two.copy(),
        ends=_whole(4),
        keys=_whole(0),
        mean=np.zeros((0, 0)),
        points=np.zeros((0, 0, 0)),
        weights=np.zeros(0),
    )

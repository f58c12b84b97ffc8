"""Routes: a model of orders that are cut, and what it is made of.

An order of items and one knob are cut into routes that begin and end at a depot. One
output is the length of all routes, which is the least that the order allows; another
is the longest route. Hidden are the places of items and depot, what every item loads,
of which a route carries at most 1, and the longest route that each value of the knob
allows. Notation:

    p_a          place of item a, p_n that of the depot (``places``)
    d(a, b)      |p_a - p_b| (``ways``)
    w_a          load of item a, 0 until something was longer than expected (``loads``)
    L_k          longest route at value k of the knob (``limits``): the longest seen
    total(x, k)  least sum over routes of their length, each with a load of at most 1
                 and a length of at most L_k
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.models.latent import DIMENSIONS, Latent
from divlearn.methods.dl.kernels.models.routes.fleet import Fleet, new_fleet

#: Phases: not begun, looking for the structure, sampling for a fit, model in use, no
#: model; and in words.
WAITING, PROBING, SAMPLING, IN_USE, NO_MODEL = 0, 1, 2, 3, 4
PHASE_NAMES = ("not begun", "probed", "sampled", "in use", "not found")
#: Evaluations before which a search does without: few evaluations are better spent.
BEGIN = 1_000
#: Probes: an order there and back, under the first value of the knob and the last one.
NUM_PROBES = 4
#: Samples at most, by those before the first fit.
MOST_SAMPLES = 2
#: Solutions whose loads matter that are kept.
NUM_HEAVY = 1_000
#: Items near each item.
NUM_NEAR = 8
#: Errors by the usual one that mean something, and the share of a limit by which a
#: route may exceed it if ways are that wrong: what was seen sets the limit.
FAR, MOST_BEYOND = 3.0, 1e-3
#: Errors of this share mean nothing: points of a fit are some 1e-8 off at best.
ROUNDING = 1e-6

ROUTES = np.dtype(
    [
        ("limit", "i8"),  # samples before the first fit; 0 for no model
        ("begin", "i8"),  # evaluations before the first probe
        ("knob", "i8"),  # position of the knob
        ("phase", "i8"),
        ("total", "i8"),  # which output is the length of all routes
        ("tighter", "i8"),  # 1: lower values of the knob allow less, -1: higher ones
        ("stored", "i8"),  # samples kept
        ("handed", "i8"),  # probes handed out
        ("changed", "i8"),  # times that the present order of samples was changed
        ("place", "i8"),  # where it was changed last
        ("next_fit", "i8"),  # samples at which the next fit is due
        ("fits", "i8"),  # fits made
        ("heavy", "i8"),  # solutions ever found whose loads matter
        ("turns", "i8"),  # times that any value of the knob was the next one to try
        ("failures", "i8"),  # times in a row that a search found nothing
        ("error", "f8"),  # held-out error; 1 for the mean
        ("sure", "f8"),  # least share of an item's changes that are explained
        ("usual", "f8"),  # error of a usual prediction of all routes
    ]
)


@viewed
class Routes(NamedTuple):
    """Stored solutions, what they say of routes, and room to work.

    Solutions are kept with the order first and the knob last.
    """

    record: Records  # (1,) of ROUTES
    base: Codes  # (n + 1,) the latest sample
    solutions: Codes  # (N, n + 1)
    values: Floats  # (N, 2) outputs
    probes: Codes  # (4, n + 1)
    answers: Floats  # (4, 2)
    answered: Integers  # (4,) 1 if known
    places: Floats  # (n + 1, d)
    ways: Floats  # (n + 1, n + 1)
    loads: Floats  # (n,)
    limits: Floats  # (L,)
    near: Integers  # (n, K) the nearest items of each item
    heavy: Codes  # (H, n + 1) solutions whose loads matter
    outcomes: Floats  # (H, 2) their outputs
    cheapest: Floats  # (n + 1,) scratch: least length of what comes before a place
    previous: Integers  # (n + 1,) scratch: where the last route before a place begins
    known: Integers  # (n,) scratch: where the true route of a place ends, or -1
    ends: Integers  # (n + 1,) scratch: where expected routes end
    around: Integers  # (N, 4) scratch: two items that changed places, and around them
    changes: Floats  # (N,) scratch: what became longer by that
    meanings: Integers  # (N,) scratch: which of the four is the depot in truth
    errors: Floats  # (N,) scratch: how far changes are from what points say
    flat: Floats  # (2 d, d) scratch
    best: Codes  # (n + 1,) scratch
    fleet: Fleet  # scratch of the search
    seen: Codes  # (n + 1,) scratch, as the space has it
    latent: Latent  # scratch of the fit


def new_routes(n: int, levels: int, knob: int, limit: int) -> Routes:
    """Room for the model of ``n`` items and a knob; none if ``limit`` is 0."""
    if limit == 0:
        n, levels = 0, 0
    rows, size = MOST_SAMPLES * limit, n + 1 if n else 0
    record = np.zeros(1, ROUTES).view(np.recarray)
    record.limit, record.knob, record.begin = limit, knob if n else 0, BEGIN
    record.phase = WAITING if limit else NO_MODEL
    record.error, record.next_fit, record.tighter = 1.0, limit, 1
    return Routes(
        record=record,
        base=np.zeros(size, np.int64),
        solutions=np.zeros((rows, size), np.int64),
        values=np.zeros((rows, 2)),
        probes=np.zeros((NUM_PROBES, size), np.int64),
        answers=np.zeros((NUM_PROBES, 2)),
        answered=np.zeros(NUM_PROBES, np.int64),
        places=np.zeros((size, DIMENSIONS)),
        ways=np.zeros((size, size)),
        loads=np.zeros(n),
        limits=np.zeros(levels),
        near=np.zeros((n, min(NUM_NEAR, max(0, n - 1))), np.int64),
        heavy=np.zeros((NUM_HEAVY if n else 0, size), np.int64),
        outcomes=np.zeros((NUM_HEAVY if n else 0, 2)),
        cheapest=np.zeros(size),
        previous=np.zeros(size, np.int64),
        known=np.zeros(n, np.int64),
        ends=np.zeros(size, np.int64),
        around=np.zeros((rows, 4), np.int64),
        changes=np.zeros(rows),
        meanings=np.zeros(rows, np.int64),
        errors=np.zeros(rows),
        flat=np.zeros((2 * DIMENSIONS, DIMENSIONS)),
        best=np.zeros(size, np.int64),
        fleet=new_fleet(n),
        seen=np.zeros(size, np.int64),
        latent=_latent(size, rows),
    )


@lean_kernel
def limit_of(routes: Routes, level: int) -> float:
    """Longest route at a value of the knob, with room for what ways are wrong by.

    The longest route that was seen sets the limit, so it must stay allowed.
    """
    limit = float(routes.limits[level])
    beyond = min(FAR * routes.record[0].usual, MOST_BEYOND * limit)
    return float(limit + beyond + ROUNDING * limit)


def _latent(size: int, rows: int) -> Latent:
    """Scratch of a fit: four pairs per change."""
    pairs = 4 * rows
    return Latent(
        points=np.zeros((size, DIMENSIONS)),
        rows=np.zeros(rows + 1, np.int64),
        first=np.zeros(pairs, np.int64),
        second=np.zeros(pairs, np.int64),
        signs=np.zeros(pairs),
        members=np.zeros(rows + 1, np.int64),
        items=np.zeros(pairs, np.int64),
        slots=np.zeros((pairs, 2), np.int64),
        slopes=np.zeros((pairs, DIMENSIONS)),
        targets=np.zeros(rows),
        residuals=np.zeros(rows),
        work=np.zeros((6, size, DIMENSIONS)),
    )

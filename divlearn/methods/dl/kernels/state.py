"""DifferenceState: everything that a search by differences remembers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.archive import Archive
from divlearn.kernels.layout import Layout
from divlearn.kernels.repairs import Repairer
from divlearn.kernels.views import viewed
from divlearn.methods.dl.kernels.memory import Parents, Ring
from divlearn.methods.dl.kernels.models.additive import Tables
from divlearn.methods.dl.kernels.models.clauses import Clauses
from divlearn.methods.dl.kernels.models.encodings import Changes
from divlearn.methods.dl.kernels.models.gp.state import GaussianProcess
from divlearn.methods.dl.kernels.models.hidden import Hidden
from divlearn.methods.dl.kernels.models.latent import Latent
from divlearn.methods.dl.kernels.models.linkage import Linkage
from divlearn.methods.dl.kernels.models.pairing.model import Pairing
from divlearn.methods.dl.kernels.models.quadratic.values import Values
from divlearn.methods.dl.kernels.models.routes.model import Routes
from divlearn.methods.dl.kernels.models.sums import Sums
from divlearn.methods.dl.kernels.search.enumeration import Plan
from divlearn.methods.dl.kernels.search.matching import Matching
from divlearn.methods.dl.kernels.search.orders import Order
from divlearn.methods.dl.kernels.search.scratch import Walk
from divlearn.methods.dl.kernels.search.tours import Tour

# What the search was told to do.
_SETTINGS = [
    ("num_initial", "i8"),  # random solutions at first
    ("replays", "i8"),  # past differences replayed per evaluation
    ("kicks", "f8"),  # kicks of a search inside the tables per root of positions
    ("use_geometry", "i8"),  # 1: points behind pair costs may be fitted
    ("use_uncertainty", "i8"),  # 1: explore where the tables are uncertain
    ("use_plans", "i8"),  # 1: exact tables of values plan the front
    ("use_gaps", "i8"),  # 1: weights by the gaps of the archive
    ("use_plateaus", "i8"),  # 1: members give way to later ones as good
    ("use_blocks", "i8"),  # 1: blocks are moved whatever explains the outputs
    ("blind_share", "f8"),  # least share of steps that do not look at the tables
    ("window", "i8"),  # positions of a subproblem
    ("first", "i8"),  # where the longest permutation begins
    ("exploration", "i8"),  # evaluations that mostly explore
    ("exploring_moves", "i8"),  # moves of an exploring step
    ("gp_candidates", "i8"),  # candidates that the Gaussian process makes
    ("position_samples", "i8"),  # differences that determine what stands where; 0: none
    ("final_from", "i8"),  # answers after which only the front is measured again
    ("num_questions", "i8"),  # calls of a repair per candidate
    ("broad", "i8"),  # 1: steps change many positions, which are too many to learn of
    ("check_from", "i8"),  # candidates after which one is measured again, to find noise
]
# Where the search is.
_CURSOR = [
    ("proposed", "i8"),  # candidates handed out
    ("observed", "i8"),  # answers received
    ("archive_size", "i8"),
    ("num_seen", "i8"),  # hashes in the set of seen solutions
    ("last_parent", "i8"),  # number of the latest parent
    ("differences", "i8"),  # differences ever put into the ring
    ("last_sample", "i8"),  # parent number of the latest random solution
    ("walk_parent", "i8"),  # parent number of the walk's solution
    ("walk_failures", "i8"),  # steps of the walk since it improved
    ("num_weights", "i8"),  # weight vectors drawn so far
    ("table_tries", "i8"),  # candidates from the tables under the present weights
    ("next_fit", "i8"),  # evaluations at which points are fitted
    ("fits", "i8"),  # how often points were fitted
    ("next_log", "i8"),  # evaluations at which q is noted
    ("logged", "i8"),  # how often it was
    ("next_lists", "i8"),  # evaluations at which near items are listed
    ("streak", "i8"),  # differences in a row that the tables knew exactly
    ("next_sums", "i8"),  # differences at which sums over positions are fitted
    ("last_contender", "i8"),  # number of the latest contender
    ("last_entered", "i8"),  # answers received when the archive last took one in
    ("checked", "i8"),  # whether measurements agree, see methods.dl.checking
    ("noted", "i8"),  # errors of repeated measurements
    ("questions", "i8"),  # calls of a repair that this candidate has left
    ("least_violation", "f8"),
    ("usual_gain", "f8"),  # running mean of what enters the archive gains
    ("gained", "f8"),  # by the latest answer, where the problem is noisy
    ("fitted", "f8"),  # worst held-out error of the points in use; 1 for none
    ("stride", "f8"),  # moves of a blind step, where solutions are long
]
CONTROL = np.dtype([*_SETTINGS, *_CURSOR])
#: Rows of the weights.
OF_WALK, OF_TABLES = 0, 1
#: Shortest permutation that is searched by what its encodings mean.
SHORTEST = 4

ARM = np.dtype(
    [
        ("on", "i8"),  # 0: switched off
        ("pause", "i8"),  # candidates until it is asked again
        ("wait", "i8"),  # how long its last pause was
        ("tries", "i8"),  # candidates answered
        ("entered", "i8"),  # of them in the archive at the time
        ("gain", "f8"),  # sum of their gains, in usual gains of their time
        ("recent", "f8"),  # running mean of that
        ("idle", "i8"),  # candidates answered since one entered
    ]
)

CONTENDER = np.dtype(
    [
        ("serial", "i8"),  # number of the contender, from 1 on; 0 for none
        ("count", "i8"),  # its measurements
        ("asked", "i8"),  # measurements asked for
    ]
)


@viewed
class Repeats(NamedTuple):
    """Measurements of noisy problems; without noise all arrays are empty."""

    counts: Integers  # (slots,) measurements of a member of the archive
    asked: Integers  # (slots,) measurements asked for
    contenders: Records  # (C,) of CONTENDER
    solutions: Codes  # (C, n) theirs
    outputs: Floats  # (C, m + c) means of their measurements
    tickets: Integers  # (C, 2) of their first measurement
    squares: Floats  # (m + c,) sum of squared errors of repeated measurements
    again: Codes  # (n,) solution that is measured twice to find noise
    first: Floats  # (m + c,) its first outputs
    margin: Floats  # (m,) scratch


@viewed
class DifferenceState(NamedTuple):
    """A search between two evaluations."""

    control: Records  # (1,) of CONTROL
    parts: Words  # (8,) addresses, see methods.dl.kernels.parts
    repairer: Repairer  # what happens to candidates before they are evaluated
    layout: Layout
    objectives: Records  # (m,) of OBJECTIVE
    arms: Records  # of ARM, one for each of ARMS in methods.dl.kernels.arms.bandit
    archive: Archive
    open: Integers  # (slots,) item at which the refinement of a member goes on
    tables: Tables
    log: Floats  # (L, 1 + m + c) evaluations, and q of every output by then
    ring: Ring
    parents: Parents
    seen: Words  # (S,) hashes
    points: Floats  # (m, n, d) fitted points
    weights: Floats  # (2, m + c) of the walk and of the search inside the tables
    low: Floats  # (m,) the front's box
    high: Floats  # (m,)
    least_violating: Codes  # (n,)
    least_outputs: Floats  # (m + c,) its outputs
    values: Values  # on spaces without permutations
    clauses: Clauses  # hidden rows behind a count
    hidden: Hidden  # what a repair leaves alone, as a linear constraint
    plan: Plan  # the front that exact tables predict
    inside: Walk  # scratch of the search inside them
    near: Integers  # (n, K) near items under several weights
    shares: Floats  # (8, 4) of the moves, with reversals and without
    custom_moves: Records  # of CUSTOM_MOVE, see kernels.custom_moves
    rng: Words  # (4,) random generator
    gp: GaussianProcess  # the expert of small budgets
    pairing: Pairing  # pairs of positions and pairs of items
    routes: Routes  # orders that are cut into routes
    repeats: Repeats  # of noisy problems
    linkage: Linkage  # groups of positions
    latent: Latent  # scratch
    changes: Changes  # scratch
    tour: Tour  # scratch
    order: Order  # scratch
    matching: Matching  # scratch
    sums: Sums  # scratch
    subset: Integers  # (n,) scratch
    scratch: Integers  # scratch of moves
    outputs: Floats  # (m + c,) scratch
    told: Floats  # (m + c,) scratch: outputs from the archive or for it, tamed
    delta: Floats  # (m + c,) scratch
    trial: Codes  # (n,) scratch

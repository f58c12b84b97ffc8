"""SearchState: everything that a search remembers, as arrays in a NamedTuple.

Kernels change the arrays in place. Nothing is kept elsewhere, so that a state that
was written and read back continues as if it had never stopped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers, Records, Words
from divlearn.kernels.archive import Archive
from divlearn.kernels.layout import Layout
from divlearn.kernels.views import viewed

# What the search was told to do.
_SETTINGS = [
    ("num_initial", "i8"),  # random solutions before the first weight
    ("iterations", "i8"),  # T, iterations per weight and visit
    ("visits", "i8"),  # visits to weights after which the search ends; 0 for never
    ("refine_steps", "i8"),  # R, refinement steps per subproblem; 0 for none
    ("patience", "i8"),  # iterations without improvement before something happens
    ("leave_weight", "i8"),  # 1: that is the next weight, 0: a construction
    ("by_best", "i8"),  # 1: only a new best of the visit is an improvement
    ("construct_every", "i8"),  # c, iterations between constructions; 0 for never
    ("keep_better", "i8"),  # 1: a construction must beat the incumbent to replace it
    ("adaptive_radius", "i8"),  # 1: the number of unit moves per step adapts
    ("max_radius", "f8"),  # most unit moves per step
    ("accept", "i8"),  # see kernels.local_refine
    ("rate", "f8"),  # eta_0 of the gradient steps
    ("window", "i8"),  # s, positions per subproblem
    ("overlap", "i8"),  # o_0, overlap of neighbouring windows at the start
    ("overlap_decay", "f8"),  # alpha in o_t = floor(o_0 t^-alpha)
    ("num_neighbourhoods", "i8"),  # neighbour subproblems per iteration
    ("use_windows", "i8"),  # 1: sliding windows, or groups, are used
    ("count_neighbourhoods", "i8"),  # 1: neighbour subproblems count in k_i
    ("items", "i8"),  # 1: neighbours are items of a permutation, 0: positions
    ("scalarization", "i8"),  # see kernels.scalarization
    ("augmentation", "f8"),  # share of the sum in augmented Tchebycheff
    ("normalisation", "i8"),  # see kernels.scalarization
    ("update", "i8"),  # 0 never, 1 once per iteration, 2 after every evaluation
    ("share_tables", "i8"),  # 1: tables outlive a change of the weight
    ("exp4_rate", "f8"),  # of the shares of experts; 0: they follow the uncertainty
    ("mixture_probability", "i8"),  # 1: p of an update is that under all experts
    ("least_probability", "f8"),  # p_min, clipping of EXP3
    ("loss_cap", "f8"),  # greatest importance-weighted loss
    ("temperature_start", "f8"),
    ("temperature_decay", "f8"),
    ("coordinate", "i8"),  # 1: dual prices on overlaps
    ("acceleration", "i8"),  # see kernels.dual_update
    ("dual_start", "f8"),
    ("dual_step", "f8"),  # alpha_0 in alpha_0 / sqrt(t)
    ("dual_cap", "f8"),  # lambda_max
    ("consensus", "f8"),  # factor of the value-dependent penalty; 0 for none
    ("scenario", "i8"),  # what disturbs the rewards, see kernels.scenario
    ("disturbance", "f8"),  # how much
    ("tracing", "i8"),  # whether a row is kept of every iteration, see kernels.trace
]
# Where the search is.
_CURSOR = [
    ("proposed", "i8"),  # candidates handed out
    ("observed", "i8"),  # answers received
    ("visited", "i8"),  # visits to weights that are complete
    ("ended", "i8"),  # 1: the schedule is done, there are no more candidates
    ("weight", "i8"),  # row of the current weight vector
    ("iteration", "i8"),  # t, from 1, on the current weight
    ("stride", "i8"),  # between the starts of two windows at this iteration
    ("num_windows", "i8"),  # windows, or groups
    ("subproblem", "i8"),  # k, from 0
    ("step", "i8"),  # refinement step within the subproblem, from 0
    ("centre", "i8"),  # index whose neighbours form the current subproblem
    ("end_of_iteration", "i8"),  # 1: learn before proposing anything else
    ("construct_next", "i8"),  # 1: the next candidate is a construction
    ("improved", "i8"),  # 1: the incumbent improved during this iteration
    ("stagnation", "i8"),  # iterations without improvement
    ("visit_known", "i8"),  # 1: this visit has a best solution
    ("updates", "i8"),  # updates of the experts since the tables were reset
    ("archive_size", "i8"),
    ("radius", "f8"),  # unit moves per refinement step
    ("temperature", "f8"),
    ("mean_reward", "f8"),  # of the updates since the tables were reset
    ("clips", "i8"),  # how often a probability was below p_min
    ("clip_bias", "f8"),  # sum of |r| (1 - p / p_min) over them
    ("least_violation", "f8"),  # of any solution so far
    ("told", "f8"),  # reward that the experts were told last
    ("best_seen", "f8"),  # best reward on the current weight that a scenario has seen
    ("traced", "i8"),  # rows of the trace
    ("looked", "i8"),  # answers when the trace last looked for disagreement
]
# How often what happened.
_TALLY = [
    ("sampled", "i8"),
    ("constructed", "i8"),
    ("refined", "i8"),
    ("added", "i8"),
    ("kept_constructions", "i8"),
    ("kept_refinements", "i8"),
]
CONTROL = np.dtype([*_SETTINGS, *_CURSOR, *_TALLY])
TALLY_NAMES = tuple(name for name, _ in _TALLY)


#: What the experts know of one action of one position.
ACTION = np.dtype(
    [
        ("visits", "f8"),  # N, how often the action was part of an update
        ("value", "f8"),  # V, mean normalised reward
        ("square", "f8"),  # sum of squared deviations from the mean
        ("log_weight", "f8"),  # log W of EXP3, not normalised
        ("loss", "f8"),  # cumulative importance-weighted loss
    ]
)
#: What is known of one position.
POSITION = np.dtype(
    [
        ("learning_rate", "f8"),  # eta of EXP3; a setting
        ("log_total", "f8"),  # log of the sum of W over the actions
        ("value_sum", "f8"),  # sum of V over the actions
        ("value_square_sum", "f8"),  # sum of V^2 over the actions
        ("dual", "f8"),  # lambda, price of disagreement
        ("dual_mirror", "f8"),  # second sequence of averaged prices
    ]
)
EXPERT = np.dtype(
    [
        ("address", "u8"),  # of the compiled score
        ("share", "f8"),  # to begin with, see expert_shares
        ("fades", "i8"),  # 1: it is multiplied by the uncertainty
        ("noise", "i8"),  # what random numbers do to its score, see marginals.py
    ]
)


@viewed
class TraceState(NamedTuple):
    """What happened, iteration by iteration; see kernels.trace."""

    rows: Floats  # (r, columns), the first control.traced of them filled
    choices: Integers  # (k,) choices by each expert since the last row
    words: Words  # (4,) random generator of its own


@viewed
class Bests(NamedTuple):
    """The best solution of each weight; no rows where nobody asks for them."""

    solutions: Codes  # (W, n) codes
    outputs: Floats  # (W, m + c) outputs, objectives minimised
    measured: Floats  # (W, m + c) the same before they were tamed
    known: Integers  # (W,) 1 where there is one


@viewed
class SearchState(NamedTuple):
    """A search between two evaluations."""

    control: Records  # (1,) of CONTROL: settings, cursor and tally
    layout: Layout
    actions: Records  # (A,) of ACTION, see Layout for the numbering
    positions: Records  # (n,) of POSITION
    objectives: Records  # (m,) of OBJECTIVE
    experts: Records  # (k,) of EXPERT
    expert_options: Floats  # (k, p) options of each, in the order of their names
    expert_shares: Floats  # (k,) probability of each where nothing is known
    expert_marginals: Floats  # (k,) scratch: probability of an action under each
    expert_gains: Floats  # (k,) scratch: what each gains by an update
    archive: Archive
    weights: Floats  # (W, m) weight vectors
    incumbents: Codes  # (W, n) current solution per weight
    incumbent_outputs: Floats  # (W, m + c) its outputs, objectives minimised
    known: Integers  # (W,) 0 no incumbent, 1 own, 2 given from outside
    visit_best: Floats  # (m + c,) outputs of the best solution of this visit
    bests: Bests  # best solution of every weight, where the archive is made of them
    least_violating: Codes  # (n,) solution of the least violation so far
    neighbours: Integers  # (k, s) nearest indices of each index; empty without
    centres: Integers  # (q,) of this iteration's neighbourhoods; -1 for none yet
    near: Integers  # (k,) how many of these neighbourhoods hold each index
    groups: Integers  # (members of all groups,) positions, one group after another
    group_ends: Integers  # (g,) where each group ends; empty where windows are used
    group_counts: Integers  # (n,) in how many groups each position is; or empty
    shares: Floats  # (4, 4) cumulative shares of the moves, by kind
    custom_moves: Records  # of CUSTOM_MOVE, see kernels.custom_moves
    subset: Integers  # (n,) scratch: positions of a subproblem
    scratch: Integers  # (largest arity or n,) scratch of selection and moves
    beliefs: Floats  # (largest arity, 2) scratch: means and deviations of actions
    outputs: Floats  # (m + c,) scratch: outputs, objectives minimised
    words: Words  # (4,) random generator
    noise_words: Words  # (4,) random generator of the scenario
    trace: TraceState

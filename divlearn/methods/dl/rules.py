"""What the options of ``DL`` leave open, filled in for a problem and a budget."""

from __future__ import annotations

from divlearn.methods.dl.checking import AFTER
from divlearn.methods.dl.kernels.models.linkage import linked_places
from divlearn.methods.dl.kernels.models.routes.model import BEGIN
from divlearn.methods.dl.kernels.variation import is_limited
from divlearn.methods.dl.method import DL
from divlearn.problems import Problem
from divlearn.spaces.base import MAX_LEVELS, ORDINAL, PERMUTATION, WIDE, Segment

#: Exploring evaluations per item of a permutation, and else per action.
EXPLORATION, EXPLORATION_OF_VALUES = 5, 4
#: Actions of a wide position that count for that.
MOST_EXPLORED = 8
#: Differences that are kept: at least, per position, and codes of solutions at most.
SHORTEST_MEMORY, MEMORY_PER_POSITION, LARGEST_MEMORY = 4096, 10, 10_000_000
#: Codes of solutions that even the shortest memory does not exceed.
MOST_CODES = 50_000_000
#: Budgets that are small, and candidates that the Gaussian process makes.
SMALL_BUDGET, GP_CANDIDATES = 2_000, 300
#: Positions above which it makes none where there are constraints.
LONGEST_BOUND = 30
#: Positions above which it makes none where more than a small budget is planned, and
#: the longest permutation for which it makes some.
LONGEST_ALIKE, LONGEST_ORDER = 128, 100
#: Positions above which it makes none at all.
LONGEST_COMPARED = 2_000
#: Random solutions at first where it makes candidates of orders.
FEW_INITIAL = 20
#: Random solutions per pair of items that the pair model takes at most, evaluations per
#: pair from which on it pays, and the lengths of permutations that it is made for.
PAIR_SAMPLES, PAIRS_PLANNED = 2.0, 3.0
PAIRED_LENGTHS = (8, 64)
#: Samples that the model of routes takes, per item and depot, the lengths of
#: permutations that it is made for, the values that a knob may have, and how much of a
#: budget that is long enough for it such samples may be, one over this.
ROUTE_SAMPLES, ROUTED_LENGTHS, ROUTED_LEVELS, ROUTED_SHARE = 10, (8, 128), (2, 256), 4
#: Positions above which broad steps are made, and constraints up to which they are.
LONGEST_TRIED, MOST_PRICED = 900, 4
#: Share of a budget up to which values of long solutions are tried one by one.
MOST_TRYING = 0.9
#: One solution is measured again in the first part, one over this, of a budget.
TENTH = 10
#: Smallest budget with which groups of positions are looked for.
LEAST_LINKED = 1_000
#: Calls of a repair per candidate, if it is compiled and in Python.
QUESTIONS, QUESTIONS_IN_PYTHON = 64, 16
#: Lengths of permutations whose fronts are planned, and the differences that this
#: takes: per degree of freedom of a table of positions, and beyond.
SHORTEST, LONGEST_PLANNED = 4, 128
PER_DEGREE, BEYOND = 1.1, 20


def completed(given: DL, problem: Problem, budget: int | None) -> DL:
    """Fill in what is None, for a problem and a budget."""
    n, initial = problem.space.num_positions, given.initial
    if budget is not None:
        initial = max(1, min(initial, budget // 5))
    final_from = _final_from(given, problem, budget)
    candidates = _gp_candidates(given, problem, budget)
    if candidates > 0 and longest_permutation(problem)[1] > 0:
        initial = min(initial, FEW_INITIAL)
    broad = _broad(given, problem, budget, initial, candidates)
    if broad and budget is not None:
        initial = max(initial, budget // 2)
    if final_from is not None:
        candidates = min(candidates, final_from)
    return given.replace(
        initial=initial,
        memory=memory_for(n) if given.memory is None else given.memory,
        exploration=_exploration(given, problem, budget, initial),
        window=n if given.window is None else given.window,
        gp_candidates=candidates,
        pairing_samples=_pairing_samples(given, problem, budget),
        route_samples=_route_samples(given, problem, budget),
        plans=_plans(given, problem, budget),
        position_samples=_position_samples(given, problem, budget),
        final_from=final_from,
        questions=_questions(given, problem),
        linkage=_linkage(given, budget) and not broad,
        broad=broad,
        check_from=_check_from(given, problem, budget),
        count_questions=_count_questions(given, budget),
    )


def longest_permutation(problem: Problem) -> tuple[int, int]:
    """Where the longest permutation of a space begins and how long it is; 0 if none."""
    first, length, start = 0, 0, 0
    for kind, arities, *_ in problem.space.segments():
        if kind == PERMUTATION and len(arities) > length:
            first, length = start, len(arities)
        start += len(arities)
    return first, length


def memory_for(n: int) -> int:
    """Differences to keep of ``n`` positions: enough to fit points to, if they fit."""
    shortest = min(SHORTEST_MEMORY, MOST_CODES // max(1, n))
    return max(shortest, min(MEMORY_PER_POSITION * n, LARGEST_MEMORY // max(1, n)))


def _gp_candidates(given: DL, problem: Problem, budget: int | None) -> int:
    """Candidates of the Gaussian process, the first ones of a search."""
    if given.gp_candidates is not None:
        return given.gp_candidates
    permuted = longest_permutation(problem)[1]
    # Sums that are kept within limits are learned faster than likeness tells.
    n = problem.space.num_positions
    bound = problem.num_constraints > 0 and n > LONGEST_BOUND
    # On long solutions it takes longer than thousands of other candidates.
    many = budget is not None and budget > SMALL_BUDGET
    slow = n > (LONGEST_ALIKE if many else LONGEST_COMPARED)
    return 0 if permuted > LONGEST_ORDER or bound or slow else GP_CANDIDATES


def _final_from(given: DL, problem: Problem, budget: int | None) -> int | None:
    """Answers after which only the front is measured; None for never."""
    if problem.noise is False or not given.repeats:
        return None
    if given.final_from is not None or budget is None or given.final_share == 0.0:
        return given.final_from
    return budget - int(given.final_share * budget)


def _questions(given: DL, problem: Problem) -> int:
    """Calls of a repair per candidate; none where nothing is repaired or refused."""
    if not problem.has_repair:
        return 0
    if given.questions is not None:
        return given.questions
    return QUESTIONS_IN_PYTHON if problem.has_python_hooks else QUESTIONS


def _count_questions(given: DL, budget: int | None) -> int:
    """Questions about pairs behind a count: half of what is planned."""
    if given.count_questions is not None:
        return given.count_questions
    return (SMALL_BUDGET if budget is None else budget) // 2


def _check_from(given: DL, problem: Problem, budget: int | None) -> int | None:
    """Candidates after which one is measured again to find noise; None for never."""
    if problem.noise is not None or not given.repeats:
        return None
    if given.check_from is not None or budget is None:
        return AFTER if given.check_from is None else given.check_from
    return min(AFTER, budget // TENTH - 1) if budget >= 2 * TENTH else None


def _linkage(given: DL, budget: int | None) -> bool:
    """Whether groups of positions are looked for."""
    enough = budget is None or budget >= LEAST_LINKED
    return given.linkage and given.tables and enough


def _broad(
    given: DL, problem: Problem, budget: int | None, initial: int, candidates: int
) -> bool:
    """Whether steps are broad, since positions are more than evaluations."""
    layout = problem.space.layout
    ruled = len(layout.rules) > 0 or any(is_limited(s) for s in layout.segments)
    permuted = longest_permutation(problem)[1] > 0 or bool(given.custom_encodings)
    able = given.tables and not (ruled or permuted or problem.has_repair)
    if given.broad is not None or not able:
        return bool(given.broad) and able
    if problem.num_constraints > MOST_PRICED or candidates or budget is None:
        return False
    return _is_long(problem) and MOST_TRYING * budget < _to_try(problem, initial)


def _is_long(problem: Problem) -> bool:
    """Whether trying every value takes a good part of what is usually planned."""
    permuted = longest_permutation(problem)[1] > 0
    return not permuted and problem.space.num_positions > LONGEST_TRIED


def _to_try(problem: Problem, initial: int) -> int:
    """Evaluations after which every value was tried by itself."""
    return initial + int((problem.space.layout.places.arity - 1).sum())


def links_values(problem: Problem) -> bool:
    """Whether changing bits and categories by groups leads to solutions again."""
    layout = problem.space.layout
    limited = any(is_limited(segment) for segment in layout.segments)
    changed = problem.has_repair or len(layout.rules) > 0 or limited
    return not (changed or problem.noise) and len(linked_places(layout)) > 0


def _exploration(given: DL, problem: Problem, budget: int | None, initial: int) -> int:
    """Evaluations that mostly explore: by items of a permutation, or by actions."""
    if given.exploration is not None:
        return given.exploration
    items = longest_permutation(problem)[1]
    actions = sum(_explored(segment) for segment in problem.space.segments())
    most = EXPLORATION * items if items > 0 else EXPLORATION_OF_VALUES * actions
    exploring = initial + most
    if budget is None:
        return exploring
    half = budget // 2
    if _is_long(problem) and _to_try(problem, initial) <= MOST_TRYING * budget:
        half = max(half, _to_try(problem, initial))
    return min(exploring, half)


def _explored(segment: Segment) -> int:
    """Actions of a segment that are worth exploring: neighbouring cells are alike."""
    most = MOST_EXPLORED if segment.kind == ORDINAL else MAX_LEVELS
    return sum(
        min(most, levels) if levels > WIDE else levels for levels in segment.levels
    )


def _pairing_samples(given: DL, problem: Problem, budget: int | None) -> int:
    """Random solutions for the pair model; 0 where it cannot be fitted."""
    n = longest_permutation(problem)[1]
    whole = n == problem.space.num_positions and problem.num_constraints == 0
    # Its probes and searches exchange any two items.
    whole = whole and not any(segment.rules for segment in problem.space.segments())
    least, most = PAIRED_LENGTHS
    if not (given.pairing and given.tables and whole and least <= n <= most):
        return 0
    if given.pairing_samples is not None:
        return given.pairing_samples
    pairs = n * (n - 1) // 2
    samples = int(PAIR_SAMPLES * pairs)
    if budget is None:
        return samples
    return min(samples, budget // 2) if budget >= PAIRS_PLANNED * pairs else 0


def _route_samples(given: DL, problem: Problem, budget: int | None) -> int:
    """Samples for the model of routes; 0 where there cannot be any."""
    if not (given.tables and _may_be_routes(problem)):
        return 0
    if given.route_samples is not None:
        return given.route_samples
    samples = ROUTE_SAMPLES * problem.space.num_positions
    enough = budget is None or budget >= BEGIN + ROUTED_SHARE * samples
    return samples if enough else 0


def _may_be_routes(problem: Problem) -> bool:
    """Whether there are an order, a knob and two objectives, and nothing else."""
    n, layout = longest_permutation(problem)[1], problem.space.layout
    others = [s for s in problem.space.segments() if s.kind != PERMUTATION]
    least, most = ROUTED_LENGTHS
    whole = n + 1 == problem.space.num_positions and least <= n <= most
    if not whole or len(others) != 1 or others[0].kind != ORDINAL:
        return False
    few, many = ROUTED_LEVELS
    plain = not (len(layout.rules) or problem.has_repair or problem.noise)
    two = problem.num_objectives == 2 and problem.num_constraints == 0
    return bool(plain and two and few <= others[0].levels[0] <= many)


def matches_orders(given: DL, problem: Problem) -> bool:
    """Whether the best order may be an assignment: one permutation, nothing else."""
    n = longest_permutation(problem)[1]
    whole = n == problem.space.num_positions and problem.num_constraints == 0
    free = not any(segment.rules for segment in problem.space.segments())
    known = given.encodings is None or "position" in given.encodings
    able = given.tables and known and not given.custom_encodings
    return bool(able and whole and free and SHORTEST <= n <= LONGEST_PLANNED)


def _differences_for_plans(problem: Problem) -> int:
    """Differences that determine what every item costs at every position."""
    return int(PER_DEGREE * (longest_permutation(problem)[1] - 1) ** 2) + BEYOND


def _plans(given: DL, problem: Problem, budget: int | None) -> bool:
    """Whether fronts are planned: not where so few evaluations cannot tell enough."""
    if budget is None or not matches_orders(given, problem):
        return given.plans
    return given.plans and _differences_for_plans(problem) <= budget


def _position_samples(given: DL, problem: Problem, budget: int | None) -> int:
    """Differences that determine what stands where; 0 where they cost too much."""
    if given.position_samples is not None:
        return given.position_samples
    needed = _differences_for_plans(problem)
    half = (SMALL_BUDGET if budget is None else budget) // 2
    planned = given.plans and matches_orders(given, problem)
    return needed if planned and needed <= half else 0

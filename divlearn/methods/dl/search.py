"""``DLSearch``: a search by ``DL``, in two stages.

At first the Gaussian process proposes, which takes milliseconds per candidate, and one
solution is measured twice, where nobody said whether there is noise; then the compiled
step takes over. Ask and tell, the compiled loop and the replay go through
the same stages, candidate by candidate.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from divlearn.basics.typing import Codes, Floats, Integers
from divlearn.kernels.archive import enlarged
from divlearn.kernels.jit import no_repair
from divlearn.kernels.loops import EVALUATING, Conversation, Step
from divlearn.methods.dl.checking import (
    AGREED,
    DIFFERED,
    NOTICE,
    ask_again,
    compare,
    is_noisy,
    is_open,
)
from divlearn.methods.dl.corner import guess_corner
from divlearn.methods.dl.kernels.arms.bandit import (
    ADDED,
    REPEAT,
    propose_choice,
    propose_sequence,
)
from divlearn.methods.dl.kernels.arms.broad import propose_broad
from divlearn.methods.dl.kernels.arms.gp import is_small, propose_small, take_answer
from divlearn.methods.dl.kernels.arms.linkage import learn_linked, propose_linked
from divlearn.methods.dl.kernels.arms.pairing import learn_pairing, propose_pairing
from divlearn.methods.dl.kernels.arms.planned import propose_planned
from divlearn.methods.dl.kernels.arms.repeat import propose_repeat, weigh_answer
from divlearn.methods.dl.kernels.arms.routes import learn_routes, propose_routes
from divlearn.methods.dl.kernels.learning import (
    learn_broad,
    learn_choice,
    learn_sequence,
)
from divlearn.methods.dl.kernels.memory import enlarged_set
from divlearn.methods.dl.kernels.models.quadratic.values import describes_space
from divlearn.methods.dl.kernels.parts import (
    LEARN,
    LEARN_LINKED,
    LEARN_MODELLED,
    NO_PART,
    PROPOSE,
    PROPOSE_LINKED,
    PROPOSE_MODELLED,
    PROPOSE_PLANNED,
    PROPOSE_REPEAT,
    WEIGH,
    part_address,
)
from divlearn.methods.dl.kernels.state import DifferenceState
from divlearn.methods.dl.kernels.step import has_room, observe, propose
from divlearn.methods.dl.questions import Questions, repairer_of
from divlearn.methods.dl.report import gauges, learned
from divlearn.methods.dl.state import encoding_addresses
from divlearn.methods.drivers import CompiledSearch
from divlearn.methods.moves import custom_records

STEP = Step(propose, observe, has_room)


class DLSearch(CompiledSearch):
    """A search by differences between two evaluations."""

    added: ClassVar[int] = ADDED
    step: ClassVar[Step] = STEP
    #: Whom the step asks in Python; has to outlive the state.
    _asked: Questions | None = None

    # --- the step

    @property
    def observed(self) -> int:
        """Number of answers taken in; the step does not know of a check."""
        control = self.state.control[0]
        return int(control.observed + (control.checked == AGREED))

    @property
    def notices(self) -> tuple[str, ...]:
        """What users are to be told, sentence by sentence."""
        found = self.state.control[0].checked == DIFFERED
        return (NOTICE,) if found else ()

    @property
    def noisy(self) -> bool:
        """Whether the same solution is known to have different values."""
        return bool(self.problem.noise) or bool(self.notices)

    def measures_again(self, ticket: Integers) -> bool:
        """Whether a candidate is a solution that was evaluated before, on purpose."""
        return bool(ticket[0] == REPEAT)

    def _goes_by_one(self) -> bool:
        """Whether the next candidate or answer may need more than the step."""
        return is_small(self.state) or is_open(self.state)

    def propose(self, solutions: Codes, tickets: Integers) -> None:
        """Write candidates, shape (q, n), and their tickets, shape (q, 2)."""
        self.make_room(len(solutions))
        row = 0
        while row < len(solutions) and self._goes_by_one():
            self._propose_one(solutions[row : row + 1], tickets[row : row + 1])
            row += 1
        if row < len(solutions):
            self.compile_tables()
            super().propose(solutions[row:], tickets[row:])
        if self._asked is not None:
            self._asked.require_answers()

    def _propose_one(self, x: Codes, ticket: Integers) -> None:
        """Write a check, what the Gaussian process chooses, or a step; shape (1, n)."""
        if ask_again(self.state, x[0], ticket[0]):
            return
        if is_small(self.state) and propose_small(self.state, x[0], ticket[0]):
            return
        self.compile_tables()
        super().propose(x, ticket)

    def observe(self, codes: Codes, outputs: Floats, ticket: Integers) -> bool:
        """Learn from one answer, in the user's senses; whether it entered the front."""
        if is_open(self.state) and self.measures_again(ticket):
            compare(self.state, codes, outputs)
            if self.state.control[0].checked == AGREED:
                return False
            self.state: Any = with_parts(self.state)
            self._look_up_repair()
        if is_small(self.state):
            take_answer(self.state, codes, outputs)
            if self.method.corner:
                guess_corner(self.state.gp)
        return super().observe(codes, outputs, ticket)

    # --- loops over it

    def _run(self, x: Codes, y: Floats, ticket: Integers, evaluations: int) -> int:
        """Go through the first stage in Python, through the second one compiled."""
        compiled, done = self.problem.compiled, 0
        assert compiled is not None
        while done < evaluations and self._goes_by_one():
            self.propose(x[None], ticket[None])
            ticket[EVALUATING] = 1
            (compiled.repair or no_repair)(x, compiled.table)
            compiled.objective(x, compiled.table, y)
            ticket[EVALUATING] = 0
            if not np.isfinite(y).all():
                return -1 - done
            self.observe(x, y, ticket)
            done += 1
        if 0 < done == evaluations:
            return done
        self.make_room(1)
        if evaluations > 0:  # a run of none only compiles the loop
            self.compile_tables()
        rest = super()._run(x, y, ticket, evaluations - done)
        return rest - done if rest < 0 else rest + done

    def replay(self, known: Conversation, x: Codes) -> int:
        """Ask and tell again what is known; the second stage without Python."""
        events, codes, answers, tickets = known
        done, (repair, table) = 0, self._repair()
        while done < len(events) and self._goes_by_one():
            row = int(events[done])
            if row < 0:
                row = -1 - row
                self.observe(codes[row], answers[row], tickets[row])
            else:
                self.propose(x[None], tickets[row : row + 1])
                repair(x, table)
                if not np.array_equal(x, codes[row]):
                    return -1 - done
            done += 1
        if done == len(events):
            return done
        self.compile_tables()
        rest = super().replay(known._replace(events=events[done:]), x)
        return rest - done if rest < 0 else rest + done

    # --- room and addresses

    def make_room(self, count: int) -> None:
        """Enlarge what is too full; compile parts of the step that are not there."""
        control = self.state.control
        if not self.state.parts.any():
            self.state = with_parts(self.state)
            self._look_up_repair()
        if control["archive_size"][0] >= len(self.state.archive.order):
            self.state = _with_larger_archive(self.state)
        # A candidate leaves two hashes, and two more if it is repaired.
        while 2 * (control["num_seen"][0] + 4 * count) > len(self.state.seen):
            self.state = self.state._replace(seen=enlarged_set(self.state.seen))

    def compile_tables(self) -> None:
        """Compile what makes candidates of tables, unless it is there.

        Without permutations no search needs it that ends with its Gaussian process.
        """
        self.make_room(0)
        if self.state.parts[PROPOSE] == NO_PART:
            broad = self.state.control[0].broad == 1
            function = propose_broad if broad else propose_choice
            self.state.parts[PROPOSE] = part_address(function, self.state)

    def _look_up_repair(self) -> None:
        """Let the step ask what would become of a solution, if it may."""
        if self.state.control["num_questions"][0] > 0:
            repairer, self._asked = repairer_of(self.problem)
            self.state = self.state._replace(repairer=repairer)

    def renew(self) -> None:
        """Forget the addresses in a state that came from another process.

        Those of custom encodings and moves are looked up at once, those of parts of
        the step when they are needed, see :meth:`make_room`.
        """
        tables, parts = self.state.tables, np.zeros_like(self.state.parts)
        chosen = [int(e) for e in tables.encodings]
        found = encoding_addresses(chosen, self.method.custom_encodings)
        tables = tables._replace(addresses=found)
        own = custom_records(self.method.custom_moves)
        self.state = self.state._replace(tables=tables, parts=parts, custom_moves=own)

    def learned(self) -> dict[str, Any]:
        """What a result tells about the search."""
        return learned(self.state, self.problem, self.method)

    def gauges(self) -> dict[str, Any]:
        """Errors of encodings by output, and what the arms did."""
        return gauges(self.state, self.problem, self.method)


def with_parts(state: DifferenceState) -> DifferenceState:
    """Compile what this space needs at once, and look up where it is."""
    parts = np.zeros_like(state.parts)
    if describes_space(state.values):
        broad = state.control[0].broad == 1
        parts[LEARN] = part_address(learn_broad if broad else learn_choice, state)
    else:
        parts[PROPOSE] = part_address(propose_sequence, state)
        parts[LEARN] = part_address(learn_sequence, state)
    if len(state.sums.slope):
        parts[PROPOSE_PLANNED] = part_address(propose_planned, state)
    if state.pairing.record[0].limit > 0:
        parts[PROPOSE_MODELLED] = part_address(propose_pairing, state)
        parts[LEARN_MODELLED] = part_address(learn_pairing, state)
    elif state.routes.record[0].limit > 0:
        parts[PROPOSE_MODELLED] = part_address(propose_routes, state)
        parts[LEARN_MODELLED] = part_address(learn_routes, state)
    if is_noisy(state):
        parts[PROPOSE_REPEAT] = part_address(propose_repeat, state)
        parts[WEIGH] = part_address(weigh_answer, state)
    if len(state.linkage.order):
        parts[PROPOSE_LINKED] = part_address(propose_linked, state)
        parts[LEARN_LINKED] = part_address(learn_linked, state)
    return state._replace(parts=parts)


def _with_larger_archive(state: DifferenceState) -> DifferenceState:
    """Double the archive and all that goes with its slots."""
    repeats = state.repeats
    doubled = [
        np.concatenate((array, np.zeros_like(array)))
        for array in (state.open, repeats.counts, repeats.asked)
    ]
    return state._replace(
        archive=enlarged(state.archive),
        open=doubled[0],
        repeats=repeats._replace(counts=doubled[1], asked=doubled[2]),
    )

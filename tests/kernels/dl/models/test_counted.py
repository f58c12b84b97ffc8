"""Pairs behind a count: questions find all of them, and nothing that is none."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import divlearn as dl
from divlearn.kernels.jit import JIT_DISABLED
from divlearn.kernels.random import seed_words
from divlearn.methods.dl.kernels.models.clauses import has_bit, new_clauses
from divlearn.methods.dl.kernels.models.counted import (
    GIVEN_UP,
    KNOWN,
    begin_pairs,
    choose_pairs,
    is_asking,
    take_count,
)
from divlearn.problems import SetCovering, SetPacking


def ask_all(rows, n, most=10_000):
    """Answer all questions about rows; return the clauses, and how many were asked."""
    clauses = new_clauses(dl.Binary(n).layout, 1, True, most)
    words = np.zeros(4, np.uint64)
    seed_words(words, np.uint64(1))
    clauses.good[:] = 1
    begin_pairs(clauses)
    asked = 0
    while choose_pairs(clauses, words):
        bad = {i for i in range(n) if not has_bit(clauses.question, i)}
        take_count(clauses, sum(bad.issuperset(row) for row in rows))
        asked += 1
    return clauses, asked


def members_of(clauses, n):
    """Members of every clause, sorted."""
    known = range(clauses.control[0].known)
    return sorted(
        tuple(i for i in range(n) if has_bit(clauses.members[r], i)) for r in known
    )


@settings(max_examples=40)
@given(st.integers(2, 11), st.data())
def test_questions_find_exactly_the_pairs_that_are_there(n, data):
    """Also if rows are there twice: counts must stay explained to the last one."""
    pairs = list(combinations(range(n), 2))
    rows = data.draw(st.lists(st.sampled_from(pairs), min_size=1, max_size=len(pairs)))
    rows = [row for row in pairs for _ in range(min(3, rows.count(row)))]
    clauses, _ = ask_all(rows, n)
    if len(rows) > len(pairs):  # too many for pairs that differ
        assert clauses.control[0].stage == GIVEN_UP
    else:
        assert clauses.control[0].stage == KNOWN
        assert members_of(clauses, n) == rows


def test_questions_are_hardly_more_than_telling_pairs_apart_takes():
    """The rule that decides whether to ask relies on this number."""
    rng, n, m = np.random.default_rng(0), 60, 150
    pairs = list(combinations(range(n), 2))
    rows = [pairs[k] for k in rng.choice(len(pairs), m, replace=False)]
    _, asked = ask_all(rows, n)
    assert asked <= 1.1 * m * (np.log2(len(pairs) / m) + 0.6)


@pytest.mark.parametrize(
    ("rows", "most", "asked"),
    [
        ([(0, 1, 2), (3, 4), (5, 6)], 10_000, 7),  # a row of three
        ([(0, 1), (2, 3), (4, 5)], 9, 1),  # pairs, but too many questions
        ([], 10_000, 1),
    ],
)
def test_questions_end_soon_where_they_would_not_pay(rows, most, asked):
    """Nothing is left of them, and the other way to find clauses goes on."""
    clauses, count = ask_all(rows, 9, most)
    assert clauses.control[0].stage == GIVEN_UP
    assert clauses.control[0].known == 0
    assert count == asked


def test_a_row_of_three_that_was_missed_is_found_by_the_last_checks():
    """The first questions miss rows whose bits are in the same of the three sets."""
    clauses, _ = ask_all([(0, 3, 6), (1, 2), (4, 8)], 9)
    assert clauses.control[0].stage == GIVEN_UP


def edges(n, m):
    """Random rows of two bits."""
    rng = np.random.default_rng(2)
    pairs = list(combinations(range(n), 2))
    members = np.zeros((m, n))
    for r, k in enumerate(rng.choice(len(pairs), m, replace=False)):
        members[r, list(pairs[k])] = 1.0
    return members, rng.integers(1, 50, (n, 2))


@pytest.mark.skipif(JIT_DISABLED, reason="takes ten seconds in plain Python")
@pytest.mark.parametrize("kind", [SetCovering, SetPacking])
def test_a_search_finds_the_edges_behind_a_count(kind):
    """In a batch, and with answers that come late, as well as one by one."""
    members, numbers = edges(14, 20)
    problem = kind(members, numbers, "count")
    for together in (1, 5):
        optimizer = dl.Optimizer(problem, dl.DL(gp_candidates=0), 3, budget=1_500)
        while optimizer.evaluations < 1_000:
            found = optimizer.search.state.clauses
            if found.control[0].stage in (KNOWN, GIVEN_UP):
                break
            for candidate in reversed(optimizer.ask(together)):
                optimizer.tell(candidate, problem.evaluate(candidate.x))
        found = optimizer.search.state.clauses
        assert found.control[0].stage == KNOWN
        expected = sorted(tuple(np.flatnonzero(row).tolist()) for row in members)
        assert members_of(found, 14) == expected


@pytest.mark.skipif(JIT_DISABLED, reason="takes ten seconds in plain Python")
def test_a_search_that_is_saved_between_questions_goes_on_as_if_not(tmp_path):
    """What is asked about stands in the state, and files hold it to rules."""
    members, numbers = edges(14, 20)
    problem = SetCovering(members, numbers, "count")
    whole = dl.Optimizer(problem, dl.DL(gp_candidates=0), 3, budget=1_500)
    whole.run(400)
    half = dl.Optimizer(problem, dl.DL(gp_candidates=0), 3, budget=1_500)
    half.run(150)
    assert is_asking(half.search.state.clauses)
    assert half.search.state.clauses.control[0].cells > 0
    half.save(tmp_path / "half")
    again = dl.Optimizer.load(tmp_path / "half", problem)
    again.run(250)
    np.testing.assert_array_equal(again.result().F, whole.result().F)

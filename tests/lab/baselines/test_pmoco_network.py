"""The network of PMOCO: what it learns from, and what it may choose."""

import numpy as np
import pytest

pytest.importorskip("torch")

import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from divlearn.lab.baselines.pmoco import gradient
from divlearn.lab.baselines.pmoco.inference import Builder
from divlearn.lab.baselines.pmoco.model import encode, make_decoder, new_parameters
from divlearn.lab.baselines.pmoco.plan import FAMILIES, Plan
from divlearn.lab.baselines.pmoco.rollout import gumbel, log_likelihood, roll_out
from divlearn.lab.baselines.pmoco.shape import Shape
from divlearn.lab.baselines.pmoco.tasks import task_of
from divlearn.lab.baselines.pmoco.tasks.symmetry import turn
from divlearn.lab.baselines.pmoco.training import (
    Trainer,
    advantages,
    scalarize,
    some_starts,
)
from divlearn.lab.baselines.weights import spread_weights
from divlearn.problems import CVRP, get

TINY = Shape(width=8, layers=1, heads=2, inner=8, codes=2)


def drawn(family, seed, count=2, size=5, sampled=True):
    """Solutions of random instances by an untrained network, and the instances."""
    task = task_of(family)
    instances = task.draw(np.random.default_rng(seed), count, size)
    parameters = new_parameters(task, TINY, seed)
    preferences = torch.full((1, task.num_objectives), 1.0 / task.num_objectives)
    nodes = encode(parameters, TINY, task.features(instances))
    decoder = make_decoder(parameters, task, TINY, nodes, preferences)
    generator = torch.Generator().manual_seed(seed) if sampled else None
    return roll_out(task, decoder, instances, generator), instances, decoder


def solution(rollouts, instance, start):
    """The nodes of one solution."""
    kept = rollouts.counted[instance, start]
    return rollouts.nodes[instance, start][kept].tolist()


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 7), greedy=st.booleans())
def test_tours_visit_every_city_once_and_have_the_lengths_of_the_problem(
    seed, size, greedy
):
    """Masks allow nothing else, and costs are what the problem says."""
    rollouts, instances, _ = drawn("bitsp", seed, 2, size, not greedy)
    places = instances["places"].double().numpy().reshape(2, size, 2, 2)
    for i in range(2):
        for s in range(size):
            tour = solution(rollouts, i, s)
            assert sorted(tour) == list(range(size))
            assert tour[0] == s
            steps = places[i, tour] - np.roll(places[i, tour], -1, axis=0)
            lengths = np.hypot(*np.moveaxis(steps, -1, 0)).sum(axis=0)
            np.testing.assert_allclose(rollouts.costs[i, s], lengths, rtol=1e-5)


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 9), greedy=st.booleans())
def test_knapsacks_fit_and_are_full(seed, size, greedy):
    """No item twice, the capacity kept, and no further item fits."""
    rollouts, instances, _ = drawn("bikp", seed, 2, size, not greedy)
    for i in range(2):
        weights = instances["weights"][i].numpy()
        capacity = float(instances["capacity"][i])
        for s in range(size):
            items = solution(rollouts, i, s)
            assert len(set(items)) == len(items)
            left = capacity - weights[items].sum()
            others = np.delete(weights, items)
            assert left >= -1e-12
            assert (others > left - 1e-12).all()
            values = instances["values"][i][items].sum(dim=0)
            torch.testing.assert_close(rollouts.costs[i, s], -values)


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), size=st.integers(2, 9), greedy=st.booleans())
def test_routes_serve_every_customer_within_the_capacity(seed, size, greedy):
    """And the flags decoder of the problem finds the same routes and lengths."""
    rollouts, instances, _ = drawn("bicvrp", seed, 2, size, not greedy)
    places = instances["places"].double().numpy()
    for i in range(2):
        problem = CVRP(
            places[i, 0],
            places[i, 1:],
            instances["demands"][i, 1:].numpy(),
            float(instances["capacity"][i]),
            decoder="flags",
        )
        for s in range(size):
            nodes = np.array(solution(rollouts, i, s))
            assert sorted(nodes[nodes > 0]) == list(range(1, size + 1))
            codes = task_of("bicvrp").codes(problem, nodes)
            values = problem.evaluate(problem.space.decode(codes))
            np.testing.assert_allclose(rollouts.costs[i, s], values, rtol=1e-5)


def test_the_cap_split_of_routes_is_no_worse_than_the_routes():
    """The limit is the lowest level that allows them, so that they can be cut so."""
    rollouts, instances, _ = drawn("bicvrp", 3, 1, 12)
    places = instances["places"][0].double().numpy()
    demands = instances["demands"][0, 1:].numpy()
    problem = CVRP(places[0], places[1:], demands, float(instances["capacity"][0]))
    for s in range(12):
        codes = task_of("bicvrp").codes(problem, np.array(solution(rollouts, 0, s)))
        total, longest = problem.evaluate(problem.space.decode(codes))
        assert total <= float(rollouts.costs[0, s, 0]) + 1e-5
        assert longest <= problem.limits[codes[-1]]


@pytest.mark.parametrize("family", FAMILIES)
def test_choices_scored_at_once_have_the_probabilities_of_single_steps(family):
    """Training scores all steps of all solutions together; the sum must agree."""
    rollouts, _, decoder = drawn(family, 1, 2, 5)
    together = log_likelihood(decoder, rollouts)
    alone = torch.zeros_like(together)
    first = rollouts.nodes[:, :, 0]
    for t in range(rollouts.last.shape[2]):
        query = decoder.query(first, rollouts.last[:, :, t], rollouts.scalars[:, :, t])
        scores = decoder.log_probabilities(query, rollouts.closed[:, :, t])
        chosen = rollouts.nodes[:, :, t + 1 : t + 2]
        made = rollouts.counted[:, :, t + 1]
        alone += torch.where(made, scores.gather(2, chosen).squeeze(-1), 0.0)
    torch.testing.assert_close(together, alone)
    assert (together < 0.0).any()


@pytest.mark.parametrize("family", FAMILIES)
def test_a_gradient_reaches_every_parameter(family):
    """A part that learns nothing would be dead weight in every file."""
    task = task_of(family)
    parameters = new_parameters(task, TINY, 0)
    for value in parameters.values():
        value.requires_grad_(True)
    instances = task.draw(np.random.default_rng(0), 4, 6)
    preferences = torch.rand(2, task.num_objectives) + 0.1
    nodes = encode(parameters, TINY, task.features(instances))
    decoder = make_decoder(parameters, task, TINY, nodes, preferences)
    generator = torch.Generator().manual_seed(0)
    rollouts = roll_out(task, decoder.detached(), instances, generator)
    costs = scalarize(
        rollouts.costs, preferences.repeat_interleave(2, dim=0), "weighted-sum"
    )
    (advantages(costs) * log_likelihood(decoder, rollouts)).mean().backward()
    for name, value in parameters.items():
        assert value.grad is not None, name
        assert float(value.grad.abs().max()) > 0.0, name


@pytest.mark.parametrize("room", [1, 40, 150, 10**9])
@pytest.mark.parametrize("family", FAMILIES)
def test_a_gradient_in_parts_is_that_of_the_whole(family, room, monkeypatch):
    """However instances and starts are cut, and the probabilities are the same."""
    monkeypatch.setattr(gradient, "ROOM", room)
    rollouts, _, decoder = drawn(family, 3, 3, 5)
    better = torch.rand(rollouts.last.shape[:2])
    chances, slopes = gradient.policy_gradient(decoder, rollouts, better)
    whole = decoder.detached().changed(Tensor.requires_grad_)
    likelihood = log_likelihood(whole, rollouts)
    expected = torch.autograd.grad((better * likelihood).mean(), whole.tensors())
    torch.testing.assert_close(chances, likelihood.detach())
    for mine, theirs in zip(slopes, expected, strict=True):
        torch.testing.assert_close(mine, theirs)


def test_parts_cover_every_solution_once(monkeypatch):
    """Many instances in a part, or some starts of one."""
    rollouts, _, decoder = drawn("bitsp", 0, 3, 5)
    for room in (1, 100, 200, 10**9):
        monkeypatch.setattr(gradient, "ROOM", room)
        seen = torch.zeros(3, 5)
        for rows, starts in gradient.parts(decoder, rollouts):
            seen[rows, starts] += 1
        assert (seen == 1).all()


def test_nodes_are_drawn_by_their_probabilities():
    """The greatest sum of a score and a draw, as often as its share."""
    shares = torch.tensor([0.6, 0.3, 0.1, 0.0])
    noise = gumbel(torch.Size([20_000, 4]), torch.Generator().manual_seed(0))
    counts = torch.bincount((shares.log() + noise).argmax(dim=1), minlength=4)
    torch.testing.assert_close(counts / 20_000, shares, atol=0.015, rtol=0.0)
    assert counts[3] == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_a_training_may_build_from_some_starts_only(family):
    """As many solutions as are asked for, from starts that differ by step."""
    task = task_of(family)
    instances = task.draw(np.random.default_rng(0), 2, 6)
    every = task.starts(instances)
    rng = np.random.default_rng(0)
    chosen = [some_starts(every, 3, rng) for _ in range(5)]
    assert all(part.shape == (2, 3) for part in chosen)
    assert len({tuple(part[0].tolist()) for part in chosen}) > 1
    assert some_starts(every, 0, rng) is every
    assert some_starts(every, 100, rng) is every
    _, instances, decoder = drawn(family, 0, 2, 6)
    few = roll_out(task, decoder, instances, starts=chosen[0])
    assert (few.nodes[:, :, 0] == chosen[0]).all()
    assert few.costs.shape == (2, 3, task.num_objectives)


def test_the_preference_changes_what_is_chosen():
    """A decoder that ignored it would give one solution for all."""
    task, shape = task_of("bitsp"), TINY
    parameters = new_parameters(task, shape, 0)
    instances = task.draw(np.random.default_rng(0), 1, 6)
    nodes = encode(parameters, shape, task.features(instances)).expand(2, -1, -1)
    preferences = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    decoder = make_decoder(parameters, task, shape, nodes.contiguous(), preferences)
    assert not torch.allclose(decoder.pointer[0], decoder.pointer[1])


def test_training_makes_costs_smaller():
    """Sixty steps of a tiny network are enough to see it."""
    trainer = Trainer(Plan("bitsp-6", epochs=3, steps=20, rate=1e-2, shape=TINY))
    while not trainer.finished:
        trainer.advance()
    costs = [row["cost"] for row in trainer.log]
    assert costs[-1] < 0.97 * costs[0]


def test_turned_maps_keep_all_distances():
    """Each of the 64 variants of two maps is the same problem; no two are equal."""
    places = task_of("bitsp").draw(np.random.default_rng(0), 1, 5)["places"]
    variants = turn(places, 1_000)
    assert len(variants) == 64
    assert torch.equal(variants[0], places[0])
    assert len({variant.numpy().tobytes() for variant in variants}) == 64
    maps = variants.view(64, 5, 2, 2).transpose(1, 2)
    distances = torch.cdist(maps, maps)
    torch.testing.assert_close(distances, distances[:1].expand_as(distances))


def test_a_builder_gives_every_solution_once_and_greedy_ones_first():
    """Known solutions are not evaluated again; draws only add to the others."""
    problem, task = get("bitsp-7", instance=2), task_of("bitsp")
    parameters = new_parameters(task, TINY, 0)
    preferences = spread_weights(2, 5)

    def build(samples):
        network = (task, TINY, parameters, problem, preferences)
        return [codes.tobytes() for codes in Builder(*network, 2, samples, seed=0)]

    greedy, more = build(0), build(2)
    assert len(set(more)) == len(more) > len(greedy)
    assert more[: len(greedy)] == greedy
    assert len(set(build(None))) <= 360  # all tours of seven cities, and it ends

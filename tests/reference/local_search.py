"""Neighbours and local search, the obvious way."""

from itertools import permutations, product

import numpy as np


def turned_around(tour):
    """All tours with one stretch turned around, but for whole tours backwards."""
    n = len(tour)
    for i in range(n - 2):
        for j in range(i + 2, n):
            if (i, j) != (0, n - 1):
                yield [*tour[: i + 1], *tour[i + 1 : j + 1][::-1], *tour[j + 1 :]]


def moved_on(tour, longest):
    """All tours with up to so many cities in a row moved some places on."""
    n = len(tour)
    for length in range(1, longest + 1):
        for start in range(n):
            turned = tour[start:] + tour[:start]
            cities, others = turned[:length], turned[length:]
            for j in range(1, n - length):
                new = others[:j] + cities + others[j:]
                yield new[n - start :] + new[: n - start]


def descend(tour, length):
    """Take the first improvement behind the last one; returns tour and count."""
    n, tried, since, place = len(tour), 0, 0, 0
    while since < n * (n - 3) // 2:
        neighbours = list(turned_around(tour))
        other = neighbours[place % len(neighbours)]
        place, tried, since = place + 1, tried + 1, since + 1
        if length(other) < length(tour) - 1e-9:
            tour, since = other, 0
    return tour, tried


def exchanged(choice):
    """All choices with one item more, or one item for another."""
    for j in np.flatnonzero(np.array(choice) == 0):
        for i in [None, *np.flatnonzero(choice)]:
            other = list(choice)
            other[j] = 1
            if i is not None:
                other[i] = 0
            yield other


def rerouted(routes):
    """All plans with a stretch of a route turned, or a customer on another route."""
    for r, route in enumerate(routes):
        for i in range(len(route)):
            for j in range(i + 1, len(route)):
                turned = route[:i] + route[i : j + 1][::-1] + route[j + 1 :]
                yield [*routes[:r], turned, *routes[r + 1 :]]
    for r, i in ((r, i) for r, route in enumerate(routes) for i in range(len(route))):
        customer, rest = routes[r][i], routes[r][:i] + routes[r][i + 1 :]
        others = routes[:r] + routes[r + 1 :]
        kept = [rest] if rest else []
        if rest:
            yield [*others, rest, [customer]]
        for q, route in enumerate(others):
            for k in range(len(route) + 1):
                longer = [*route[:k], customer, *route[k:]]
                yield [*others[:q], longer, *others[q + 1 :], *kept]


def plan_of(codes):
    """Routes of an order with marks where a route begins."""
    n = len(codes) // 2
    plan = []
    for customer, begins in zip(codes[:n], codes[n:], strict=True):
        if begins:
            plan.append([])
        plan[-1].append(int(customer))
    return plan


def marked(plan):
    """Write routes as an order with marks where a route begins."""
    order = [customer for route in plan for customer in route]
    marks = [int(place == 0) for route in plan for place in range(len(route))]
    return order + marks


def neighbours(problem, x):
    """All allowed neighbours of a tour, a choice or routes, as codes."""
    x = [int(code) for code in x]
    if hasattr(problem, "symmetric"):
        longest = 0 if problem.symmetric else min(3, len(x) - 2)
        return [*turned_around(x), *moved_on(x, longest)]
    if hasattr(problem, "weights"):
        listed = (np.array(other) for other in exchanged(x))
        return [o for o in listed if (o @ problem.weights <= problem.capacity).all()]
    plans = rerouted(plan_of(x))
    heaviest = ((max(problem.demands[r].sum() for r in plan), plan) for plan in plans)
    return [marked(plan) for load, plan in heaviest if load <= problem.capacity]


def as_set(plan):
    """A plan, whatever the order of its routes."""
    return frozenset(tuple(route) for route in plan)


def covers(point, other):
    """Whether a point is as good in all objectives, rounding aside."""
    return all(a <= b + 1e-9 for a, b in zip(point, other, strict=True))


def non_dominated(points):
    """Distinct points that no other covers, sorted."""
    kept = []
    for point in sorted(points):
        if not any(covers(other, point) for other in kept):
            kept.append(point)
    return kept


def scan(x, neighbours, evaluate, weights, aim, start):
    """Try all neighbours, and of those that beat the aim; returns what was kept.

    Parameters
    ----------
    x
        Solution to begin with.
    neighbours
        Function that lists all of a solution, always in the same order.
    evaluate
        Objectives, minimised; None for what is not allowed.
    weights, aim
        The weighted sum that has to be beaten.
    start
        Number of the first neighbour.

    Returns
    -------
    The last solution, how many were evaluated, and the front of all of them.
    """
    front, tried, since, place = [], 0, 0, start
    while since < len(listed := list(neighbours(x))):
        other = listed[place % len(listed)]
        place, since = place + 1, since + 1
        point = evaluate(other)
        if point is None:
            continue
        tried += 1
        front = non_dominated([*front, tuple(point)])
        if np.dot(weights, point) < aim - 1e-9:
            x, aim, since = other, np.dot(weights, point), 0
    return x, tried, front


def best_choices(loads, values, capacity):
    """Greatest value of all choices that fit."""
    return max(
        sum(v for v, taken in zip(values, choice, strict=True) if taken)
        for choice in product((0, 1), repeat=len(loads))
        if sum(w for w, taken in zip(loads, choice, strict=True) if taken) <= capacity
    )


def shortest(distances):
    """Length of the shortest closed tour, by trying all."""
    n = len(distances)
    tours = (np.array([0, *rest]) for rest in permutations(range(1, n)))
    return min(distances[tour, np.roll(tour, -1)].sum() for tour in tours)

"""Vehicle routes, the obvious way."""

import math
from itertools import combinations, pairwise


def route_length(route, depot, customers):
    """From the depot over the customers and back."""
    places = [depot, *(customers[c] for c in route), depot]
    return sum(math.dist(a, b) for a, b in pairwise(places))


def objectives(routes, depot, customers):
    """Total length and longest route."""
    lengths = [route_length(route, depot, customers) for route in routes]
    return [sum(lengths), max(lengths)]


def routes_with_starts(order, starts, demands, capacity):
    """Begin a route at each true start and where a customer does not fit."""
    routes = []
    for customer, start in zip(order, starts, strict=True):
        if not routes or start or load(routes[-1] + [customer], demands) > capacity:
            routes.append([])
        routes[-1].append(customer)
    return routes


def load(route, demands):
    """Sum of the demands on a route."""
    return sum(demands[c] for c in route)


def all_splits(order):
    """Every way to cut an order into routes."""
    n = len(order)
    for num_cuts in range(n):
        for cuts in combinations(range(1, n), num_cuts):
            ends = [0, *cuts, n]
            yield [order[a:b] for a, b in pairwise(ends)]


def least_total(order, limit, depot, customers, demands, capacity):
    """Smallest total length over all splits within capacity and route limit."""
    totals = []
    for routes in all_splits(order):
        total, longest = objectives(routes, depot, customers)
        heaviest = max(load(route, demands) for route in routes)
        if heaviest <= capacity and longest <= limit:
            totals.append(total)
    return min(totals)

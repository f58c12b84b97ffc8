"""Spaces with structure by enumeration: all orders, subsets and groupings, filtered."""

from itertools import combinations, permutations, product


def orders(n, before=(), fixed=None, together=()):
    """All orders of n items that keep what is demanded."""
    return [
        order
        for order in permutations(range(n))
        if all(order.index(a) < order.index(b) for a, b in before)
        and all(order[place] == item for place, item in (fixed or {}).items())
        and all(stands_together(order, group) for group in together)
    ]


def orders_of_things(counts, before=(), fixed=None, together=()):
    """All different orders of things, thing k ``counts[k]`` times."""
    things = [k for k, count in enumerate(counts) for _ in range(count)]
    return [
        order
        for order in sorted(set(permutations(things)))
        if all(_last(order, a) < order.index(b) for a, b in before)
        and all(order[place] == thing for place, thing in (fixed or {}).items())
        and all(stands_together(order, group) for group in together)
    ]


def _last(order, thing):
    return max(place for place, other in enumerate(order) if other == thing)


def stands_together(order, group):
    """Whether the places of a group follow one upon the other."""
    places = [place for place, item in enumerate(order) if item in group]
    return max(places) - min(places) == len(places) - 1


def subsets(n, least, most, forced=(), forbidden=(), exclusive=()):
    """All subsets that keep what is demanded."""
    return [
        chosen
        for size in range(least, most + 1)
        for chosen in combinations(range(n), size)
        if set(forced) <= set(chosen)
        and not set(forbidden) & set(chosen)
        and all(len(set(group) & set(chosen)) <= 1 for group in exclusive)
    ]


def groupings(n, groups, sizes):
    """All ways to put n things into groups of these least and greatest sizes."""
    return [
        row
        for row in product(range(groups), repeat=n)
        if all(
            least <= row.count(group) <= most
            for group, (least, most) in enumerate(sizes)
        )
    ]


def beginnings(members):
    """What may follow each beginning of a member."""
    after = {}
    for member in members:
        for i, action in enumerate(member):
            after.setdefault(tuple(member[:i]), set()).add(action)
    return after

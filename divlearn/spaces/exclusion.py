"""What a subset has to keep, as the numbers of a rule; what nothing keeps is refused.

See :mod:`divlearn.kernels.rules.choices` for the numbers and what is done with them.
"""

from __future__ import annotations

from itertools import accumulate

from divlearn.basics.errors import InputError
from divlearn.basics.typing import Codes
from divlearn.kernels.rules.kinds import CHOICE
from divlearn.spaces.base import SUBSET, Segment

_FORBIDDEN, _FORCED, _FREE = 0, 1, 2


class Choice:
    """Forced, forbidden and mutually exclusive items of a subset of ``n``.

    Parameters
    ----------
    n
        Number of items.
    forced, forbidden
        Items that every subset has, and that none has.
    exclusive
        Groups of which a subset has one item at most.

    Attributes
    ----------
    status
        For each item whether it is forbidden, forced or free; what a forced item
        excludes is forbidden.
    rivals
        For each item the free items that exclude it.
    components
        Free items that exclude each other, directly or through others.

    Examples
    --------
    >>> Choice(5, [0], [], [[0, 1], [2, 3]]).components
    [[2, 3], [4]]
    """

    def __init__(
        self,
        n: int,
        forced: list[int],
        forbidden: list[int],
        exclusive: list[list[int]],
    ) -> None:
        self.forced: list[int] = forced
        self.forbidden: list[int] = forbidden
        self.exclusive: list[list[int]] = exclusive
        self._refuse_contradictions()
        self.status: list[int] = [_FREE] * n
        for group in exclusive:
            if set(group) & set(forced):
                for item in group:
                    self.status[item] = _FORBIDDEN
        for item in forbidden:
            self.status[item] = _FORBIDDEN
        for item in forced:
            self.status[item] = _FORCED
        free = [a for a in range(n) if self.status[a] == _FREE]
        rivals: list[set[int]] = [set() for _ in range(n)]
        for group in exclusive:
            inside = [a for a in group if self.status[a] == _FREE]
            for item in inside:
                rivals[item].update(inside)
        self.rivals: list[list[int]] = [
            sorted(found - {a}) for a, found in enumerate(rivals)
        ]
        self.components: list[list[int]] = _components(free, self.rivals)

    def _refuse_contradictions(self) -> None:
        """Refuse items that would have to be chosen and left out."""
        both = sorted(set(self.forced) & set(self.forbidden))
        if both:
            raise InputError(f"item {both[0]} cannot be both forced and forbidden.")
        for group in self.exclusive:
            inside = sorted(set(group) & set(self.forced))
            if len(inside) > 1:
                raise InputError(
                    f"items {inside} are all forced, but of {group} only one can be "
                    "chosen."
                )

    def require_sizes(self, least: int, most: int) -> None:
        """Refuse limits on the size that no subset keeps, or perhaps none."""
        sure = len(self.forced)
        if sure > most:
            raise InputError(
                f"{sure} items are forced, more than the greatest size, {most}."
            )
        reach = sure + len(self.components)
        if reach >= least:
            return
        if not self._overlap():
            raise InputError(
                f"no subset has {least} items: by what is forced, forbidden and "
                f"exclusive it has {reach} at most."
            )
        raise InputError(
            f"exclusive has groups with items in common, so that only {reach} items "
            f"can surely be chosen, fewer than the least size, {least}. Use groups "
            "without common items, a smaller least size, or state them by valid."
        )

    def _overlap(self) -> bool:
        """Whether some free items exclude each other only through others."""
        return any(
            len(self.rivals[a]) + 1 < len(items)
            for items in self.components
            for a in items
        )

    def segment(self, least: int, most: int) -> Segment:
        """A segment of bits with this rule, its limits as narrow as they are."""
        sure = len(self.forced)
        room = len(self.components)
        if self._overlap():
            room = sum(status == _FREE for status in self.status)
        limits = max(least, sure), min(most, sure + room)
        rule = (CHOICE, self._numbers(room))
        return Segment(SUBSET, [2] * len(self.status), *limits, (rule,))

    def _numbers(self, room: int) -> list[int]:
        """Numbers of the rule."""
        rivals, parts = _joined(self.rivals), _joined(self.components)
        offset = 3 + len(self.status) + len(rivals)
        return [len(self.components), offset, room, *self.status, *rivals, *parts]

    def require_kept(self, chosen: Codes, name: str) -> None:
        """Check a subset; InputError says what it does not keep."""
        items = set(chosen.tolist())
        missing, wrong = set(self.forced) - items, items & set(self.forbidden)
        broken = [f"item {a} is forced" for a in sorted(missing)]
        broken += [f"item {a} is forbidden" for a in sorted(wrong)]
        for group in self.exclusive:
            if len(items & set(group)) > 1:
                broken.append(f"only one of {group} can be chosen")
        if broken:
            raise InputError(f"a value of {name}: {broken[0]}, got {chosen.tolist()}.")


def _components(free: list[int], rivals: list[list[int]]) -> list[list[int]]:
    """Items that are connected, in ascending order."""
    seen: set[int] = set()
    found = []
    for item in free:
        if item in seen:
            continue
        seen.add(item)
        part, open_ = [item], [item]
        while open_:
            for other in rivals[open_.pop()]:
                if other not in seen:
                    seen.add(other)
                    part.append(other)
                    open_.append(other)
        found.append(sorted(part))
    return found


def _joined(lists: list[list[int]]) -> list[int]:
    """Where each list begins, one number more than there are, then all entries."""
    starts = accumulate((len(entries) for entries in lists), initial=0)
    return [*starts, *(entry for entries in lists for entry in entries)]

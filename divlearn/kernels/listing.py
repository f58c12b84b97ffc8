"""All solutions of a layout, one after the other, in the order of their codes."""

from __future__ import annotations

from divlearn.basics.typing import Codes, Integers
from divlearn.kernels.jit import lean_kernel
from divlearn.kernels.layout import Layout, available_actions


@lean_kernel
def complete(layout: Layout, x: Codes, i: int, actions: Integers) -> None:
    """Give positions from ``i`` on the least actions that are allowed there."""
    for j in range(i, x.shape[0]):
        available_actions(layout, x, j, actions)
        x[j] = actions[0]


@lean_kernel
def next_solution(layout: Layout, x: Codes, actions: Integers) -> bool:
    """Write the solution after ``x`` into it; False if ``x`` was the last one."""
    for i in range(x.shape[0] - 1, -1, -1):
        count = available_actions(layout, x, i, actions)
        for a in range(count):
            if actions[a] > x[i]:
                x[i] = actions[a]
                complete(layout, x, i + 1, actions)
                return True
    return False


@lean_kernel
def count_from(layout: Layout, x: Codes, actions: Integers, most: int) -> int:
    """Number of solutions from the first one on, which ``x`` is, at most ``most``."""
    count = 1
    while count < most and next_solution(layout, x, actions):
        count += 1
    return count

"""The co-design of HDnn-PIM in its two design spaces."""

from __future__ import annotations

from typing import Any

from divlearn.lab.codesign import HDnnPIM
from divlearn.problems.built_in.base import BuiltIn, Single

OPTIONS = ("fidelity", "redraws")


def _paper(number: int, name: str, **options: Any) -> BuiltIn:
    return HDnnPIM("paper", seed=number, name=name, **options)


def _large(number: int, name: str, **options: Any) -> BuiltIn:
    return HDnnPIM("large", seed=number, name=name, **options)


PAPER = Single(
    "accelerator of 15 parameters, 4 objectives, noise; options fidelity, redraws",
    _paper,
    OPTIONS,
)
LARGE = Single(
    "accelerator of 20 parameters, 1e11 designs, some invalid, 4 objectives, noise; "
    "options fidelity, redraws",
    _large,
    OPTIONS,
)
#: What the catalogue of problems shows.
SINGLES = {"codesign-paper": PAPER, "codesign-large": LARGE}

"""``HDnnPIM``: the co-design problem, measured and modelled."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.errors import InputError, InvalidDesign
from divlearn.basics.typing import Floats, Value
from divlearn.lab.codesign.cost import Costs, Workload, breakdown, costs_of
from divlearn.lab.codesign.crossbars import read_cycles
from divlearn.lab.codesign.design import (
    Design,
    design_of,
    inactive,
    why_invalid,
)
from divlearn.lab.codesign.images import SIDE, load
from divlearn.lab.codesign.measure import EFFORTS, measure_error
from divlearn.lab.codesign.points import POINTS
from divlearn.lab.codesign.spaces import PAPER_FIXED, large_space, paper_space
from divlearn.lab.codesign.technology import Technology
from divlearn.problems.built_in.base import BuiltIn
from divlearn.problems.draws import Draws, seeded

SPACES = {"paper": paper_space, "large": large_space}
#: What is minimised. Costs span three decades or more, so their logarithms are
#: compared, and a factor counts the same everywhere.
OBJECTIVES = ("error", "log10_energy_uj", "log10_delay_us", "log10_area_mm2")
#: The same in engineering units, see :meth:`HDnnPIM.metrics`.
METRICS = ("error", "energy_uj", "delay_us", "area_mm2")


class HDnnPIM(BuiltIn):
    """Design an accelerator for hyperdimensional classification with crossbars.

    Four objectives, all minimised: the share of images that are classified wrongly,
    which is measured and noisy, and the logarithms of energy, delay and area of an
    inference, which are modelled; see ``docs/codesign.md``.

    Parameters
    ----------
    space
        ``"paper"``: the paper's 20 parameters, 15 of them free, 221,184 designs.
        ``"large"``: 20 free variables, 1.0e11 designs, about one in ten of them
        invalid.
    fidelity
        ``"fast"``: one draw. ``"full"``: the mean of 8 draws on all images.
        ``"zigzag"``: like fast, with energy and delay of the digital part by ZigZag.
    seed
        Seed of the noise.
    redraws
        Fresh measurements per design by which :meth:`noise_free` judges a front.
    technology
        Constants other than those of the table.
    reference, ideal, name
        As for :class:`divlearn.Problem`; by default the published points.

    Attributes
    ----------
    design_space, fidelity, seed, redraws, technology
        As given.
    fixed
        Parameters of the space that have only one value.

    Examples
    --------
    >>> from divlearn.lab.codesign import HDnnPIM
    >>> problem = HDnnPIM(space="large")
    >>> x = problem.space.sample(seed=1)
    >>> list(problem.metrics(x))
    ['error', 'energy_uj', 'delay_us', 'area_mm2']
    >>> problem.invalid_reason({**x, "frequency": 800, "reram_size": 512})
    'a read of 512 rows takes 128 cycles at 800 MHz, and 64 can be counted'
    """

    def __init__(
        self,
        space: str = "paper",
        fidelity: str = "fast",
        *,
        seed: int = 0,
        redraws: int = 4,
        technology: Technology | None = None,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        self.design_space = require_one_of("space", space, SPACES)
        self.fidelity = require_one_of("fidelity", fidelity, EFFORTS)
        self.seed = require_whole("seed", seed)
        self.redraws = require_whole("redraws", redraws, least=1)
        self.technology = _read_technology(technology)
        self.fixed = dict(PAPER_FIXED) if space == "paper" else {}
        load()  # report a missing package now, not after the first evaluation
        if fidelity == "zigzag":
            from divlearn.lab.codesign.zigzag import require_zigzag

            require_zigzag()
        self._effort = EFFORTS[fidelity]
        self._draws = Draws(self.seed)
        self._judged: dict[bytes, float] = {}
        points, designs = POINTS[space], SPACES[space]()
        self._first = designs.decode(np.zeros(designs.num_positions, np.int64))
        super().__init__(
            designs,
            self._measure,
            OBJECTIVES,
            noise=True,
            reference=points.reference if reference is None else reference,
            ideal=points.ideal if ideal is None else ideal,
            name=name or f"codesign-{space}",
        )

    def metrics(self, x: Value, seed: int | None = None) -> dict[str, float]:
        """Evaluate in engineering units: error, uJ, us and mm2.

        Parameters
        ----------
        x
            A design.
        seed
            Seed of this evaluation; the problem's next one if None.
        """
        (row,) = self.in_units([self.evaluate_seeded(x, seed)]).tolist()
        return dict(zip(METRICS, row, strict=True))

    def in_units(self, values: Any) -> Floats:
        """Turn rows of objectives, shape (k, 4), into error, uJ, us and mm2.

        Examples
        --------
        >>> from divlearn.lab.codesign import HDnnPIM
        >>> HDnnPIM().in_units([[0.1, -1, 2, 0]])
        array([[  0.1,   0.1, 100. ,   1. ]])
        """
        rows = np.array(values, np.float64)
        rows[:, 1:] = 10.0 ** rows[:, 1:]
        return rows

    def design(self, x: Value) -> Design:
        """Return the design that a solution describes."""
        self.space.encode(x)  # refuses what is not a member
        return design_of(x)

    def costs(self, x: Value) -> Costs:
        """Return energy, delay and area, in total and block by block."""
        design = self.design(x)
        self._require_valid(design)
        if self.fidelity == "zigzag":
            from divlearn.lab.codesign.zigzag import zigzag_costs

            return zigzag_costs(design, self.technology, Workload())
        return costs_of(design, self.technology)

    def explain(self, x: Value) -> str:
        """Say where energy, delay and area of a design go, and what is inactive.

        Examples
        --------
        >>> from divlearn.lab.codesign import HDnnPIM
        >>> problem = HDnnPIM()
        >>> print(problem.explain(problem.space.sample(seed=0)).splitlines()[0])
        block              energy nJ    delay us    area mm2
        """
        return breakdown(self.costs(x), inactive(x))

    def invalid_reason(self, x: Value) -> str | None:
        """Say why a design cannot be built; None if it can."""
        return self._why_invalid(self.design(x)) or None

    def evaluate_seeded(self, x: Value, seed: int | None) -> Floats:
        """Evaluate with the noise that belongs to ``seed``."""
        with seeded(seed):
            return self.evaluate(x)

    def noise_free(self, solutions: Sequence[Value]) -> Floats:
        """Evaluate with the mean error of fresh draws, shape (q, 4).

        Judge the front of a search with it. No search ever gets these draws, and they
        are the same for a design, whoever found it.
        """
        rows = [(self._fresh_error(x), *_logarithms(self.costs(x))) for x in solutions]
        return np.array(rows).reshape(len(rows), len(OBJECTIVES))

    def restart(self) -> None:
        """Forget earlier evaluations, so that the same search meets the same noise."""
        self._draws.restart()

    def canonical(self, x: Value) -> Value:
        """Return the design that represents all with the same meaning.

        Variables that change nothing have their first value.
        """
        same = {**x, **{name: self._first[name] for name in inactive(x)}}
        if "cell_bits" in same:  # an entry of fewer bits leaves the rest unused
            same["cell_bits"] = min(same["cell_bits"], same["am_bits"])
        return same

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {
            "space": self.design_space,
            "fidelity": self.fidelity,
            "seed": self.seed,
            "redraws": self.redraws,
            "technology": self.technology,
        }

    def describe(self) -> dict[str, Any]:
        """Describe this problem, including its constants and noise."""
        constants = hashlib.sha256(repr(self.technology).encode()).hexdigest()[:8]
        what = f"HDnnPIM {self.design_space} {self.fidelity} {constants}"
        return {**super().describe(), "instance": f"{what} with noise {self.seed}"}

    def _measure(self, x: Value) -> tuple[float, ...]:
        """Evaluate with noise."""
        design = self.design(x)
        self._require_valid(design)
        rng = self._draws.next(self._codes(x))
        error = measure_error(design, rng, self._effort, self.technology)
        return (error, *_logarithms(self.costs(x)))

    def _fresh_error(self, x: Value) -> float:
        """Mean error of draws that no search gets."""
        codes = self._codes(x)
        key = codes.tobytes()
        if key not in self._judged:
            design = self.design(x)
            self._require_valid(design)
            rngs = (self._draws.judge(codes, number) for number in range(self.redraws))
            self._judged[key] = float(
                np.mean(
                    [
                        measure_error(design, rng, self._effort, self.technology)
                        for rng in rngs
                    ]
                )
            )
        return self._judged[key]

    def _codes(self, x: Value) -> Any:
        """Codes of a design in canonical form."""
        return self.space.encode(self.canonical(x))

    def _why_invalid(self, design: Design) -> str:
        cycles = read_cycles(design, self.technology)
        return why_invalid(design, SIDE, cycles, self.technology.most_read_cycles)

    def _require_valid(self, design: Design) -> None:
        if reason := self._why_invalid(design):
            raise InvalidDesign(f"{reason}.")


def _logarithms(costs: Costs) -> tuple[float, float, float]:
    """The objectives other than the error."""
    return (
        math.log10(costs.energy_uj),
        math.log10(costs.delay_us),
        math.log10(costs.area_mm2),
    )


def _read_technology(technology: object) -> Technology:
    """Check the constants."""
    if technology is None:
        return Technology()
    if not isinstance(technology, Technology):
        raise InputError(
            "technology must be a Technology, such as Technology(leakage=5.0), got "
            f"{technology!r}."
        )
    return technology

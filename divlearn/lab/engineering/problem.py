"""``EngineeringDesign``: a numbered instance of a family, with or without noise."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np

from divlearn.basics.checks import require_one_of, require_whole
from divlearn.basics.typing import Floats, Value
from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.lab.engineering.points import POINTS
from divlearn.problems.built_in.base import BuiltIn
from divlearn.problems.draws import Draws, seeded

#: Files of the families by name; each holds its ``BLUEPRINTS`` by name.
HOMES = {
    "vessel-6": "vessel",
    "spring-3": "spring",
    "gearbox-7": "gearbox",
    "heatsink-8": "heat_sink",
    "amplifier-10": "amplifier",
    "converter-11": "converter",
    "filter-9": "digital_filter",
    "reactor-6": "reactor",
    "learner-13": "learner",
    "coco-5": "coco",
    "coco-10": "coco",
    "coco-20": "coco",
    "beam-4": "beam",
    "sphere-8": "sphere",
}


def blueprint_of(name: str) -> Blueprint:
    """Load a family from its file."""
    home = HOMES[require_one_of("name", name, HOMES)]
    found: dict[str, Blueprint] = import_module(f"{__package__}.{home}").BLUEPRINTS
    return found[name]


class EngineeringDesign(BuiltIn):
    """Design something that formulas of the field evaluate in a moment.

    Parameters
    ----------
    name
        A family, such as ``"heatsink-8"``; ``docs/engineering.md`` lists them.
    instance
        Number of the instance: its loads, voltages or data. Tune on 0 to 19 and report
        on 100 and above.
    reference, ideal
        As for :class:`divlearn.Problem`; by default the published points.

    Attributes
    ----------
    conditions
        What the instance asks for.

    Examples
    --------
    >>> from divlearn.lab.engineering import EngineeringDesign
    >>> problem = EngineeringDesign("gearbox-7", instance=100)
    >>> x = problem.space.sample(seed=1)
    >>> list(x)
    ['face', 'module', 'teeth', 'length1', 'length2', 'shaft1', 'shaft2']
    >>> problem.evaluate(x).shape  # two objectives, eleven constraints
    (13,)
    """

    def __init__(
        self,
        name: str,
        instance: int = 0,
        *,
        reference: Sequence[float] | None = None,
        ideal: Sequence[float] | None = None,
    ) -> None:
        self._blueprint = blueprint_of(name)
        number = require_whole("instance", instance)
        self.conditions = self._blueprint.draw(np.random.default_rng(number))
        points = POINTS[name]
        super().__init__(
            self._blueprint.space(self.conditions),
            self._measure,
            self._blueprint.objectives,
            constraints=self._blueprint.constraints,
            noise=self._blueprint.noise > 0.0,
            reference=points.reference if reference is None else reference,
            ideal=points.ideal if ideal is None else ideal,
            name=name,
        )
        self.instance = number

    def arguments(self) -> dict[str, Any]:
        """Return the arguments that recreate this instance."""
        return {"name": self.name, "instance": self.instance}

    def describe(self) -> dict[str, Any]:
        """Describe this problem, including the conditions of its instance."""
        conditions = hashlib.sha256(repr(self.conditions).encode()).hexdigest()[:8]
        what = f"{self.name} {self.instance} {conditions}"
        return {**super().describe(), "instance": what}

    def _exact(self, x: Value) -> Floats:
        """Evaluate without noise."""
        return np.array(self._blueprint.evaluate(self.conditions, x), np.float64)

    def _measure(self, x: Value) -> Floats:
        """Evaluate as a search does."""
        return self._exact(x)


class NoisyDesign(EngineeringDesign):
    """A design whose objectives are measured with an error.

    Every objective is multiplied by ``1 + level * z`` with an independent standard
    normal z, as :class:`divlearn.problems.Noisy` does.

    Attributes
    ----------
    level
        Standard deviation of the error as a share of the value.

    Examples
    --------
    >>> from divlearn.lab.engineering.problem import NoisyDesign
    >>> problem = NoisyDesign("reactor-6")
    >>> x = problem.space.sample(seed=0)
    >>> bool((problem.evaluate(x) == problem.noise_free([x])[0]).any())
    False
    """

    def __init__(self, name: str, instance: int = 0, **points: Any) -> None:
        super().__init__(name, instance, **points)
        self.level = self._blueprint.noise
        self._draws = Draws(instance)

    def _measure(self, x: Value) -> Floats:
        """Evaluate with an error."""
        outputs, m = self._exact(x), self.num_objectives
        errors = self._draws.next(self.space.encode(x)).standard_normal(m)
        outputs[:m] *= 1.0 + self.level * errors
        return outputs

    def evaluate_seeded(self, x: Value, seed: int | None) -> Floats:
        """Evaluate with the errors that belong to ``seed``."""
        with seeded(seed):
            return self.evaluate(x)

    def restart(self) -> None:
        """Forget earlier evaluations, so that the same search meets the same errors."""
        self._draws.restart()

    def noise_free(self, solutions: Sequence[Value]) -> Floats:
        """Evaluate q solutions without noise, which no search can: shape (q, m + c).

        Judge the front of a search with it.
        """
        rows = [self._exact(x) for x in solutions]
        return np.array(rows).reshape(len(rows), len(self.outputs))

"""The error of a design, measured: learn, store, classify, count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from divlearn.lab.codesign.classifier import classify, learn
from divlearn.lab.codesign.design import Design
from divlearn.lab.codesign.encoder import encode
from divlearn.lab.codesign.features import extract
from divlearn.lab.codesign.images import draw
from divlearn.lab.codesign.technology import Technology


@dataclass(frozen=True)
class Effort:
    """How much work goes into a measurement.

    Attributes
    ----------
    train, test
        Images to learn from and to be tested on.
    draws
        Independent repetitions, with other images, projection and cells each time.
    """

    train: int
    test: int
    draws: int


#: Both learn from the same number of images, so they measure the same error.
FAST = Effort(train=400, test=200, draws=1)
FULL = Effort(train=400, test=1_397, draws=8)
#: By fidelity; the last one differs in its costs.
EFFORTS = {"fast": FAST, "full": FULL, "zigzag": FAST}


def measure_error(
    design: Design, rng: np.random.Generator, effort: Effort, technology: Technology
) -> float:
    """Measure the share of test images that a design gets wrong.

    Every repetition draws new images, places, filters, projection and device errors.
    """
    return float(
        np.mean([_once(design, rng, effort, technology) for _ in range(effort.draws)])
    )


def _once(
    design: Design, rng: np.random.Generator, effort: Effort, technology: Technology
) -> float:
    """Measure once."""
    sample = draw(rng, effort.train, effort.test)
    features = extract(design, sample, rng)
    vectors = encode(design, features, sample.train, rng, technology)
    known, unknown = vectors[:, : sample.train], vectors[:, sample.train :]
    classes = learn(known, sample.labels[: sample.train], design.retrain)
    guesses = classify(design, unknown, classes, rng, technology)
    return float(np.mean(guesses != sample.labels[sample.train :]))

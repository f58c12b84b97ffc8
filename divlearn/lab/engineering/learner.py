"""Choose a classifier and its hyperparameters: error against work of a prediction.

Data are the handwritten digits that come with scikit-learn (E. Alpaydin, C. Kaynak,
UCI Machine Learning Repository, 1998), with noise on the pixels. The work is counted,
not timed: multiplications, comparisons and table entries that a prediction reads.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from divlearn.basics.extras import need
from divlearn.basics.typing import Floats, Integers
from divlearn.lab.engineering.blueprint import Blueprint
from divlearn.spaces import Categorical, Composite, If, Integer, Real, Space

NUM_TRAINED, NUM_TESTED = 300, 600
NUM_CLASSES = 10
#: Standard deviation of the noise on pixels, which go from 0 to 16.
PIXEL_NOISE = 3.0


class Split(NamedTuple):
    """Which images are learned, and the noise on them."""

    seed: int


class Data(NamedTuple):
    """Rotated images, most telling columns first, and their digits."""

    learned: Floats  # (NUM_TRAINED, 64)
    learned_digits: Integers
    tested: Floats  # (NUM_TESTED, 64)
    tested_digits: Integers


def draw(rng: np.random.Generator) -> Split:
    """Another choice of images, and other noise."""
    need("sklearn", "codesign")
    return Split(int(rng.integers(2**31)))


def space(_: Split) -> Space:
    """Thirteen knobs, three to six of them at a time."""
    return Composite(
        kind=Categorical(["linear", "tree", "forest", "nearest", "kernel", "network"]),
        columns=Integer(2, 64, log=True),
        cost=If(kind=("linear", "kernel"), then=Real(1e-4, 1e3, log=True)),
        width=If(kind="kernel", then=Real(1e-5, 1.0, log=True)),
        depth=If(kind=("tree", "forest"), then=Integer(1, 16)),
        leaf=If(kind=("tree", "forest"), then=Integer(1, 50, log=True)),
        trees=If(kind="forest", then=Integer(2, 40, log=True)),
        share=If(kind="forest", then=Real(0.02, 1.0, log=True)),
        neighbours=If(kind="nearest", then=Integer(1, 30, log=True)),
        kept=If(kind="nearest", then=Integer(30, NUM_TRAINED, log=True)),
        hidden=If(kind="network", then=Integer(2, 100, log=True)),
        decay=If(kind="network", then=Real(1e-5, 10.0, log=True)),
        passes=If(kind="network", then=Integer(5, 60, log=True)),
    )


def evaluate(split: Split, x: Mapping[str, Any]) -> tuple[float, ...]:
    """Share of wrong answers, and the logarithm of the work of one."""
    data, columns = _data(split), x["columns"]
    learned, digits = data.learned[:, :columns], data.learned_digits
    if x["kind"] == "nearest":
        learned, digits = learned[: x["kept"]], digits[: x["kept"]]
    # One thread: sums do not depend on the machine, and small models are faster.
    with warnings.catch_warnings(), _threads().limit(limits=1):
        warnings.simplefilter("ignore")  # not every network has converged
        model = MODELS[x["kind"]](x).fit(learned, digits)
        answers = model.predict(data.tested[:, :columns])
    error = float(np.mean(answers != data.tested_digits))
    # The rotation costs a multiplication per pixel and column.
    work = 64 * columns + WORKS[x["kind"]](model, columns)
    return error, math.log10(work)


@cache
def _threads() -> Any:
    """What knows the threads of scikit-learn and its libraries."""
    import sklearn.ensemble
    import sklearn.neural_network
    import sklearn.svm  # noqa: F401
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


@cache
def _data(split: Split) -> Data:
    """Draw images and rotate them to the principal axes of those that are learned."""
    from sklearn.datasets import load_digits

    pixels, digits = load_digits(return_X_y=True)
    rng = np.random.default_rng(split.seed)
    chosen = rng.permutation(len(pixels))[: NUM_TRAINED + NUM_TESTED]
    images = pixels[chosen] + rng.normal(0.0, PIXEL_NOISE, (len(chosen), 64))
    images -= images[:NUM_TRAINED].mean(axis=0)
    axes = np.linalg.svd(images[:NUM_TRAINED], full_matrices=False)[2]
    rows, numbers = images @ axes.T / 16.0, digits[chosen]
    return Data(
        rows[:NUM_TRAINED],
        numbers[:NUM_TRAINED],
        rows[NUM_TRAINED:],
        numbers[NUM_TRAINED:],
    )


def _linear(x: Mapping[str, Any]) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=x["cost"], max_iter=60)


def _tree(x: Mapping[str, Any]) -> Any:
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(
        max_depth=x["depth"], min_samples_leaf=x["leaf"], random_state=0
    )


def _forest(x: Mapping[str, Any]) -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(
        x["trees"],
        max_depth=x["depth"],
        min_samples_leaf=x["leaf"],
        max_features=x["share"],
        random_state=0,
    )


def _nearest(x: Mapping[str, Any]) -> Any:
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier(min(x["neighbours"], x["kept"]), algorithm="brute")


def _kernel(x: Mapping[str, Any]) -> Any:
    from sklearn.svm import SVC

    return SVC(C=x["cost"], gamma=x["width"], max_iter=2_000)


def _network(x: Mapping[str, Any]) -> Any:
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier(
        (x["hidden"],),
        alpha=x["decay"],
        max_iter=x["passes"],
        solver="lbfgs",
        random_state=0,
    )


def _work_of_trees(model: Any, _: int) -> int:
    """Comparisons down all trees, and an entry per class of a leaf."""
    trees = getattr(model, "estimators_", [model])
    return sum(int(tree.get_depth()) + NUM_CLASSES for tree in trees)


MODELS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "linear": _linear,
    "tree": _tree,
    "forest": _forest,
    "nearest": _nearest,
    "kernel": _kernel,
    "network": _network,
}
#: Work of a prediction beside the rotation, given a model and its columns.
WORKS: dict[str, Callable[[Any, int], int]] = {
    "linear": lambda _, columns: NUM_CLASSES * columns,
    "tree": _work_of_trees,
    "forest": _work_of_trees,
    "nearest": lambda model, columns: model.n_samples_fit_ * columns,
    "kernel": lambda model, columns: len(model.support_) * (columns + NUM_CLASSES),
    "network": lambda model, columns: (
        model.hidden_layer_sizes[0] * (columns + NUM_CLASSES)
    ),
}

BLUEPRINTS = {
    "learner-13": Blueprint(
        draw, space, evaluate, {"error": "min", "log10_work": "min"}
    )
}

"""Hyperparameters of a scikit-learn model, by several scores at once.

``SearchCV`` is used like ``GridSearchCV``, but keeps the whole front of scores: which
model is the best depends on what you give up for it.

Run: python examples/several_scores.py [budget]
"""

import sys
from typing import Any

from sklearn.base import BaseEstimator, clone
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeClassifier

import divlearn as dl


class SearchCV(BaseEstimator):
    """Search parameters of an estimator for the front of several scores.

    Parameters
    ----------
    estimator
        Any estimator of scikit-learn.
    space
        A composite whose parts are parameters of the estimator.
    scoring
        Scores by name, as of ``cross_validate``; all are maximised.
    budget
        Number of parameter sets to evaluate.
    cv
        Folds of the cross-validation.
    seed
        The same seed finds the same front.
    """

    def __init__(self, estimator, space, scoring, budget=60, cv=3, seed=0):
        self.estimator = estimator
        self.space = space
        self.scoring = scoring
        self.budget = budget
        self.cv = cv
        self.seed = seed

    def fit(self, data, target):
        """Search; then fit the model at the knee of the front, a compromise."""

        def evaluate(params):
            model: Any = clone(self.estimator)
            model.set_params(**params)
            scores = cross_validate(
                model, data, target, scoring=self.scoring, cv=self.cv
            )
            return {name: scores[f"test_{name}"].mean() for name in self.scoring}

        senses = dict.fromkeys(self.scoring, "max")
        problem = dl.Problem(self.space, evaluate, senses, name="scores")
        self.result_ = dl.solve(problem, self.budget, seed=self.seed)
        self.best_params_ = self.result_.knee().x
        self.best_estimator_: Any = clone(self.estimator)
        self.best_estimator_.set_params(**self.best_params_).fit(data, target)
        return self

    def predict(self, data):
        """Predict with the chosen model."""
        return self.best_estimator_.predict(data)


def smallness(model, data, target):
    """Minus the number of leaves: people have to read this tree."""
    return -model.get_n_leaves()


def main(budget=60):
    space = dl.Composite(
        criterion=dl.Categorical(["gini", "entropy"]),
        max_depth=dl.Integer(1, 10),
        min_samples_leaf=dl.Integer(1, 30, log=True),
        ccp_alpha=dl.Real(1e-4, 0.1, log=True),
    )
    scoring = {
        "accuracy": "balanced_accuracy",
        "certainty": "neg_log_loss",
        "smallness": smallness,
    }
    tree = DecisionTreeClassifier(random_state=0)
    search = SearchCV(tree, space, scoring, budget)
    search.fit(*load_wine(return_X_y=True))
    print(search.result_)
    print("chosen:", search.best_params_)
    return search.result_


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""``Suite``: which methods meet which problems, how often and for how long."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from divlearn.basics.checks import (
    require_flag,
    require_number,
    require_one_of,
    require_whole,
)
from divlearn.basics.errors import InputError
from divlearn.basics.files import digest_of
from divlearn.basics.plugins import is_reference, source_digest
from divlearn.lab.baselines import OtherMethod
from divlearn.lab.bench.cases import (
    families,
    family_of,
    has_exact_front,
    problem_of,
    size_of,
)
from divlearn.lab.bench.fronts import front_measure, offered_measures
from divlearn.lab.bench.task import Case, Contender, ReferenceTask, Task
from divlearn.methods.base import Method
from divlearn.methods.budget import SCHEDULE, Budget, planned, read_budget
from divlearn.methods.names import all_methods, method_for
from divlearn.methods.paper.method import DivideAndLearn
from divlearn.problems import Problem

#: Hypervolume of a noisy front as the search saw it, before it was judged.
OBSERVED = "observed_hypervolume"
#: Measures of a table, with what stands above their columns.
MEASURES = {
    "hypervolume": "HV",
    OBSERVED: "observed HV",
    "front_size": "|NDS|",
    "coverage": "Coverage",
    "adjusted_diversity": "AdjDiv",
    "raw_diversity": "RawDiv",
    "knn_diversity": "KNN-Div",
    "spread": "Spread",
    "mean_reward": "Reward",
    "mean_objective": "mean f",
    "redundancy": "R",
    "operations": "ops",
}
PLAIN_COLUMNS = ("hypervolume", "front_size", "operations")
#: What a table says of many runs: their mean with its standard error or with the
#: standard deviation of runs; the median with the quartiles; the mean with the worst
#: case, the coefficient of variation or the stability, mean over deviation.
DEVIATIONS = ("error", "deviation", "quartiles", "worst", "variation", "stability")


@dataclass(frozen=True)
class Suite:
    """A benchmark: every method on every instance of every problem with every seed.

    Parameters
    ----------
    name, description
        What it is called, and a line on it.
    problems, methods
        Who meets what.
    budget, seconds
        Limit of each run, in evaluations or seconds; the other one is None. With the
        budget ``"schedule"`` the paper's methods end with their schedule, and all
        others need a budget of their own.
    instances
        Numbers of the instances of each problem.
    own_instances
        Other numbers for some problems, by label.
    seeds
        Seeds of the runs on each instance.
    columns
        Names of :data:`MEASURES` that its table shows.
    deviation
        One of :data:`DEVIATIONS`.
    initial
        Random solutions that are evaluated first, as part of the budget, and told to
        every method that can be told any: the same ones for all methods, by instance
        and seed. A method's own initial solutions come on top.
    snapshots
        How often, at equal distances, the front is measured during a run, see
        :mod:`divlearn.lab.bench.snapshots`; needs a budget in evaluations.

    exact
        Whether the exact fronts of small knapsacks are found, and hypervolumes given
        in percent of theirs.

    Examples
    --------
    >>> suite = Suite(
    ...     "mine",
    ...     "",
    ...     (Case("bitsp-20"), Case("bikp-50")),
    ...     (Contender("paper-ts"), Contender("uniform")),
    ...     budget=1_000,
    ...     instances=(0, 1),
    ... )
    >>> len(suite.tasks())
    8
    """

    name: str
    description: str
    problems: tuple[Case, ...]
    methods: tuple[Contender, ...]
    budget: Budget = None
    seconds: float | None = None
    instances: tuple[int, ...] = (0,)
    own_instances: Mapping[str, tuple[int, ...]] = dataclasses.field(
        default_factory=dict
    )
    seeds: tuple[int, ...] = (0,)
    columns: tuple[str, ...] = PLAIN_COLUMNS
    deviation: str = "error"
    initial: int = 0
    snapshots: int = 0
    exact: bool = True

    def __post_init__(self) -> None:
        if (self.budget is None) == (self.seconds is None):
            raise InputError(
                f"budget, in evaluations, or seconds must be given and not both, got "
                f"budget = {self.budget} and seconds = {self.seconds}."
            )
        if self.seconds is not None:
            require_number("seconds", self.seconds, 1e-3)
        _require_extras(self, planned(read_budget(self.budget)))
        for name, entries in (("problems", self.problems), ("methods", self.methods)):
            _require_different(name, [entry.label for entry in entries])
        _require_different("instances", self.instances)
        _require_different("seeds", self.seeds)
        for column in self.columns:
            if column in MEASURES or front_measure(column) is None:
                require_one_of("columns", column, {**MEASURES, **offered_measures()})
        require_one_of("deviation", self.deviation, DEVIATIONS)

    def instances_of(self, case: Case) -> tuple[int, ...]:
        """Numbers of the instances on which a problem is solved; 0 for files."""
        if case.files:
            return (0,)
        return self.own_instances.get(case.label, self.instances)

    def tasks(self) -> list[Task]:
        """All runs, in the order of the table, of methods that suit their problem."""
        digests = {c.label: digest_of_method(changed_settings(c)) for c in self.methods}
        return [
            self._task(case, instance, contender, seed, digests[contender.label])
            for case in self.problems
            for contender in self.methods
            if self.suits(case, contender)
            for instance in self.instances_of(case)
            for seed in self.seeds
        ]

    def _task(
        self, case: Case, instance: int, contender: Contender, seed: int, digest: str
    ) -> Task:
        """One run, with the limit of its method if that has its own."""
        budget, seconds = self.limits_of(contender)
        return Task(
            case,
            instance,
            contender,
            seed,
            budget,
            seconds,
            digest,
            self.initial,
            self.snapshots,
        )

    def limits_of(self, contender: Contender) -> tuple[Budget, float | None]:
        """Evaluations and seconds of a method's runs, one of which is None."""
        if contender.budget is not None:
            return contender.budget, None
        return self.budget, self.seconds

    def suits(self, case: Case, contender: Contender) -> bool:
        """Whether a method can treat a problem at all."""
        method = method_for(changed_settings(contender))
        if not isinstance(method, OtherMethod):
            return True
        try:
            method.require(_example(self, case))
        except InputError:
            return False
        return True

    def references(self) -> list[ReferenceTask]:
        """Exact fronts that the results are measured against."""
        return [
            ReferenceTask(case, instance)
            for case in self.problems
            if self.exact
            and not case.files  # of which nobody knows how hard they are
            and has_exact_front(_example(self, case))
            for instance in self.instances_of(case)
        ]

    def require_runnable(self) -> None:
        """Raise for names and files that do not exist, and for limits of no use."""
        for contender in self.methods:
            method = method_for(changed_settings(contender))
            if isinstance(method, OtherMethod):
                digest_of(method.sources())  # which says what is missing
        for case in self.problems:
            example = _example(self, case)
            able = [one for one in self.methods if self.suits(case, one)]
            for contender in able:
                self._require_budget(contender, example)
            if not able:
                raise InputError(
                    f"none of the methods can treat {case.label}; leave it out, or add "
                    "another method."
                )

    def _require_budget(self, contender: Contender, example: Problem) -> None:
        """Refuse a limit that is none for a method."""
        method = method_for(changed_settings(contender))
        budget = self.limits_of(contender)[0]
        if budget == SCHEDULE and not isinstance(method, DivideAndLearn):
            raise InputError(
                f"{contender.label} has no schedule by which its runs could end; give "
                f"it a budget of its own, such as {contender.method}@10000."
            )
        if isinstance(method, OtherMethod):
            method.require_budget(example, planned(budget))


def _require_extras(suite: Suite, budget: int | None) -> None:
    """Check what a suite does beside its runs."""
    require_flag("exact", suite.exact)
    require_whole("initial", suite.initial, 0)
    require_whole("snapshots", suite.snapshots, 0)
    if suite.snapshots and budget is None:
        raise InputError(
            "snapshots must be 0 unless budget is a number of evaluations: they are "
            f"taken at equal distances; got snapshots = {suite.snapshots}."
        )
    if budget is not None and suite.initial >= budget:
        raise InputError(
            f"initial must be less than the budget of {budget:,} evaluations, got "
            f"{suite.initial:,}."
        )


def _example(suite: Suite, case: Case) -> Problem:
    """An instance of a problem, which stands for all of them."""
    return problem_of(case, suite.instances_of(case)[0])


def changed_settings(contender: Contender) -> str | Method:
    """Return what :func:`divlearn.solve` takes as method."""
    if not is_reference(contender.method):
        require_one_of("method", contender.method, all_methods())
    if not contender.settings:
        return contender.method
    try:
        return method_for(contender.method).replace(**contender.settings)
    except TypeError as error:  # a value of a kind that a setting cannot be
        raise InputError(f"settings of {contender.label}: {error}.") from None


def digest_of_method(method: str | Method) -> str:
    """Hash of the files that a method reads; empty if it reads none.

    Of a method, or an expert, that is not divlearn's own, its source is one of them.
    """
    chosen = method_for(method)
    parts: list[type] = [type(chosen)]
    if isinstance(chosen, DivideAndLearn):
        parts += [type(expert) for expert in chosen.mixture.experts]
    read = chosen.digest if isinstance(chosen, OtherMethod) else ""
    return read + source_digest(*parts)


def changed(
    suite: Suite,
    *,
    problems: Sequence[str] | None = None,
    methods: Sequence[str] | None = None,
    instances: int | None = None,
    first_instance: int | None = None,
    seeds: int | None = None,
    budget: Budget = None,
    seconds: float | None = None,
    columns: Sequence[str] | None = None,
) -> Suite:
    """Return a suite with what a user wants otherwise; None keeps what there is.

    Parameters
    ----------
    suite
        The suite to start from.
    problems
        Labels of the suite's problems, names of other problems, or families: a family
        stands for the suite's problems of that family, or for itself at all sizes of
        the suite.
    methods
        Labels or names of the suite's methods, which keep their budgets, or names of
        other methods.
    instances, first_instance
        How many instances, from which number on.
    seeds
        How many seeds, from 0 on.
    budget, seconds
        Another limit; one of the two.
    columns
        Measures that the table shows.

    Examples
    --------
    >>> from divlearn.lab.bench import built_in
    >>> suite = changed(built_in("table1"), problems=["bikp"], instances=2)
    >>> [case.label for case in suite.problems], suite.instances
    (['bikp-50', 'bikp-100', 'bikp-200'], (0, 1))
    """
    changes: dict[str, Any] = {}
    if problems is not None:
        changes["problems"] = _chosen_problems(suite, problems)
    if methods is not None:
        known = {contender.label: contender for contender in suite.methods}
        by_name = {c.method: c for c in suite.methods[::-1] if not c.settings}
        changes["methods"] = tuple(
            known.get(word) or by_name.get(word) or _method_named(word, known)
            for word in methods
        )
    if instances is not None or first_instance is not None:
        count = len(suite.instances) if instances is None else instances
        first = suite.instances[0] if first_instance is None else first_instance
        changes |= {"instances": tuple(range(first, first + count))}
        changes |= {"own_instances": {}}
    if columns is not None:
        changes["columns"] = tuple(columns)
    if seeds is not None:
        changes["seeds"] = tuple(range(seeds))
    if budget is not None or seconds is not None:
        changes |= {"budget": budget, "seconds": seconds}
    return dataclasses.replace(suite, **changes)


def _method_named(word: str, known: Iterable[str]) -> Contender:
    """Return a method by its name; the message names the suite's own ones too.

    A budget of its own stands behind an @, as in ``qnehvi@200``.
    """
    name, _, budget = word.partition("@")
    if not is_reference(name):
        require_one_of("method", name, dict.fromkeys([*known, *all_methods()]))
    if not budget:
        return Contender(name)
    digits = budget.replace("_", "")
    if not digits.isdecimal() or int(digits) < 1:
        raise InputError(
            f"method {word!r} must have a number of evaluations behind the @, such as "
            f"{name}@200, got {budget!r}."
        )
    return Contender(name, budget=int(digits))


def _chosen_problems(suite: Suite, words: Sequence[str]) -> tuple[Case, ...]:
    """Look up labels, names and families."""
    known = {case.label: case for case in suite.problems}
    chosen: dict[str, Case] = {}
    for word in words:
        if word in known:
            cases = [known[word]]
        elif word in families():
            cases = [case for case in suite.problems if family_of(case.name) == word]
            sizes = dict.fromkeys(size_of(case.name) for case in suite.problems)
            cases = cases or [Case(f"{word}-{size}") for size in sizes]
        else:
            cases = [Case(word)]
        chosen |= {case.label: case for case in cases}
    return tuple(chosen.values())


def _require_different(name: str, labels: Sequence[Any]) -> None:
    """Refuse an empty list and entries that stand twice."""
    if not labels:
        raise InputError(f"{name} must hold at least one entry, got none.")
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(
                f"{name} must differ from each other, got {label!r} twice; leave one "
                "out, or give it a label of its own."
            )

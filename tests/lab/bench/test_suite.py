import dataclasses
import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest

import divlearn as dl
from divlearn.basics.errors import InputError
from divlearn.lab.baselines import BASELINES, AskTell
from divlearn.lab.bench import Case, Contender, Suite, built_in, changed
from divlearn.lab.bench import suite as suite_module
from divlearn.lab.bench.built_in import SUITES
from divlearn.methods.names import all_methods, method_for
from divlearn.methods.paper.method import PAPER_BUDGET


def labels(entries):
    """What tables call problems or methods."""
    return [entry.label for entry in entries]


@pytest.mark.parametrize("name", SUITES)
def test_every_built_in_suite_can_run(name):
    """Names of problems and methods are checked only when they are used."""
    suite = built_in(name)
    suite.require_runnable()
    assert suite.name == name
    assert suite.description


def test_table1_is_the_main_table_of_the_paper():
    """12 problems at the paper's sizes and budget."""
    suite = built_in("table1")
    assert labels(suite.problems) == [
        *("bitsp-20", "bitsp-50", "bitsp-100"),
        *("bikp-50", "bikp-100", "bikp-200"),
        *("tritsp-20", "tritsp-50", "tritsp-100"),
        *("bicvrp-20", "bicvrp-50", "bicvrp-100"),
    ]
    assert suite.budget == PAPER_BUDGET
    assert set(labels(suite.methods)) <= set(all_methods())


def test_table1_all_has_every_method_of_the_paper_that_is_installed(monkeypatch):
    """On the problems of table1, with budgets that each of them can spend."""
    suite = built_in("table1-all")
    assert labels(suite.problems) == labels(built_in("table1").problems)
    assert min(suite.instances) >= 100
    budgets = {contender.method: contender.budget for contender in suite.methods}
    assert {"dl", "paper-ts", "random", "ppls-dc", "ws-2opt", "ws-dp"} <= set(budgets)
    assert budgets["paper-ts"] is None
    assert {"dl@100000", "dl@200", "random", "random@200"} <= set(labels(suite.methods))
    there = {name for name, method in BASELINES.items() if method.installed}
    assert {"nsga2", "pmoco", "qnehvi"} & there == {"nsga2", "pmoco", "qnehvi"} & set(
        budgets
    )
    monkeypatch.setitem(sys.modules, "pymoo", None)
    assert not {"nsga2", "moead"} & {c.method for c in built_in("table1-all").methods}


def test_a_method_of_the_suite_keeps_its_budget_when_it_is_asked_for_by_name():
    """Another budget stands behind the @."""
    chosen = changed(built_in("table1-all"), methods=["dl", "ppls-dc@70", "paper-ts"])
    assert [c.budget for c in chosen.methods] == [100_000, 70, None]
    ablation = changed(built_in("ablation"), methods=["dl"])
    assert ablation.methods[0].settings == {}


def test_a_file_that_a_method_reads_must_be_there_before_anything_runs():
    """Otherwise every run would fail by itself."""
    reader = Contender("pmoco", {"model": "gone.npz"})
    suite = Suite("s", "", (Case("bitsp-20"),), (reader,), budget=10)
    with pytest.raises(InputError, match=r"'gone\.npz' cannot be read"):
        suite.require_runnable()


def test_bitsp50_is_the_diversity_table_of_the_paper():
    """10,000 evaluations, 5 seeds, and all its measures, with standard deviations."""
    suite = built_in("bitsp50-10k")
    assert (suite.budget, suite.seeds, suite.deviation) == (
        10_000,
        (0, 1, 2, 3, 4),
        "deviation",
    )
    assert {"coverage", "adjusted_diversity", "knn_diversity"} <= set(suite.columns)


def test_scaling_doubles_the_size():
    """From 25 to 400."""
    assert labels(built_in("scaling").problems) == [
        f"bitsp-{n}" for n in (25, 50, 100, 200, 400)
    ]


def test_every_method_meets_every_instance_with_every_seed():
    """The runs are the product of all that is listed, each one once."""
    suite = Suite(
        "s",
        "",
        (Case("bitsp-8"), Case("bikp-10")),
        (Contender("uniform"), Contender("paper-ts")),
        budget=10,
        instances=(0, 5),
        own_instances={"bikp-10": (7,)},
        seeds=(0, 1),
    )
    places = {
        (t.case.name, t.contender.method, t.instance, t.seed) for t in suite.tasks()
    }
    assert len(places) == len(suite.tasks()) == (2 + 1) * 2 * 2
    assert ("bitsp-8", "uniform", 5, 1) in places
    assert ("bikp-10", "paper-ts", 7, 0) in places


def test_exact_fronts_are_found_for_knapsacks_alone(suite):
    """One per instance, whatever the number of methods and seeds."""
    places = [(r.case.name, r.instance) for r in suite.references()]
    assert places == [("bikp-10", 0), ("bikp-10", 1)]


def test_changes_replace_what_they_name_and_keep_the_rest(suite):
    """Options of the command line change a suite, and nothing else in it."""
    other = changed(suite, instances=3, first_instance=100, seeds=2, seconds=1.5)
    assert other.instances == (100, 101, 102)
    assert other.seeds == (0, 1)
    assert (other.budget, other.seconds) == (None, 1.5)
    assert other.problems == suite.problems
    assert changed(suite) == suite


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["bikp-10"], ["bikp-10"]),  # of the suite
        (["bitsp-9"], ["bitsp-9"]),  # any other
        (["bitsp"], ["bitsp-8"]),  # a family of the suite
        (["tritsp"], ["tritsp-8", "tritsp-10"]),  # another one, at the suite's sizes
        (["bitsp-8", "bitsp"], ["bitsp-8"]),  # once
    ],
)
def test_problems_are_chosen_by_label_name_or_family(suite, words, expected):
    """``scaling --problems bikp`` is the same suite for another family."""
    assert labels(changed(suite, problems=words).problems) == expected


def test_methods_of_a_suite_are_chosen_by_their_label(suite):
    """A method with settings of its own is found among those of all names."""
    patient = Contender("paper-ts", {"patience": 50}, label="patient")
    own = Suite("s", "", suite.problems, (patient,), budget=10)
    assert changed(own, methods=["uniform", "patient"]).methods[1] == patient


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"methods": ["paper-tz"]}, ["paper-tz", "'paper-ts'"]),
        ({"methods": ["uniform", "uniform"]}, ["uniform", "twice"]),
        ({"problems": []}, ["problems", "at least one"]),
        ({"budget": 10, "seconds": 1.0}, ["budget", "seconds"]),
        ({"seconds": 0.0}, ["seconds"]),
        ({"instances": 0}, ["instances", "at least one"]),
        ({"seeds": 0}, ["seeds", "at least one"]),
    ],
)
def test_a_change_that_means_nothing_is_refused(suite, change, words):
    """Each message names the argument and what came."""
    with pytest.raises(InputError) as caught:
        changed(suite, **change)
    assert all(word in str(caught.value) for word in words)


@pytest.mark.parametrize(
    ("contender", "words"),
    [
        (Contender("paper-ts", {"patienc": 5}), ["patienc", "patience"]),
        (Contender("paper-ts", {"patience": "soon"}), ["patience", "soon"]),
        (Contender("paper-tz"), ["paper-tz", "paper-ts"]),
    ],
)
def test_wrong_methods_and_settings_are_found_before_anything_runs(contender, words):
    """A thousand runs that fail in the same way help nobody."""
    suite = Suite("s", "", (Case("bitsp-8"),), (contender,), budget=10)
    with pytest.raises(InputError) as caught:
        suite.require_runnable()
    assert all(word in str(caught.value) for word in words)


def test_ablation_turns_one_part_off_at_a_time():
    """Beside the whole method, every contender differs from it in one setting."""
    suite = built_in("ablation")
    whole, *others = suite.methods
    assert whole.settings == {}
    for contender in others:
        assert contender.method == whole.method
        ((name, value),) = contender.settings.items()
        usual = method_for("dl").describe()
        assert usual[name] != value


@dataclass(frozen=True)
class OnlyTours(AskTell):
    """A baseline for tours alone."""

    name: ClassVar[str] = "only-tours"

    def require(self, problem):
        """Refuse everything but permutations."""
        if not isinstance(problem.space, dl.Permutation):
            raise dl.InputError("problem must be a tour.")

    def start(self, problem, budget, seed):
        """Draw tours."""
        return method_for("random").start(problem, budget, seed)


def test_methods_are_left_out_where_they_cannot_treat_a_problem(monkeypatch):
    """A table of many methods has gaps instead of failures."""
    known = all_methods() | {"only-tours": "a method for tours alone"}
    monkeypatch.setattr(suite_module, "all_methods", lambda: known)
    usual = suite_module.method_for
    monkeypatch.setattr(
        suite_module,
        "method_for",
        lambda method: OnlyTours() if method == "only-tours" else usual(method),
    )
    suite = Suite(
        "mine",
        "",
        (Case("bitsp-20"), Case("bikp-50")),
        (Contender("random"), Contender("only-tours")),
        budget=10,
    )
    pairs = [(t.case.name, t.contender.method) for t in suite.tasks()]
    assert ("bikp-50", "only-tours") not in pairs
    assert len(pairs) == 3
    alone = dataclasses.replace(suite, methods=(Contender("only-tours"),))
    with pytest.raises(dl.InputError, match="none of the methods can treat bikp-50"):
        alone.require_runnable()


def test_a_method_may_have_a_budget_of_its_own():
    """Some methods take seconds for each evaluation, others microseconds."""
    suite = changed(built_in("smoke"), methods=["uniform", "random@1_50"])
    budgets = {task.contender.label: task.budget for task in suite.tasks()}
    assert budgets == {"uniform": 2_000, "random@150": 150}
    with pytest.raises(dl.InputError, match="behind the @"):
        changed(suite, methods=["random@many"])


def test_the_suite_codesign_compares_in_both_spaces_by_fresh_draws():
    """150 evaluations, 10 seeds that nothing was tuned on, random search included."""
    suite = built_in("codesign")
    assert labels(suite.problems) == ["codesign-paper", "codesign-large"]
    assert (suite.budget, len(suite.seeds), min(suite.seeds)) == (150, 10, 100)
    assert {"dl", "paper-ucb", "paper-ts", "random"} <= set(labels(suite.methods))
    assert suite.columns[:2] == ("hypervolume", "observed_hypervolume")
    for contender in suite.methods:
        is_preset = contender.label.startswith("paper-")
        assert contender.settings == (
            {"scalarization": "tchebycheff"} if is_preset else {}
        )

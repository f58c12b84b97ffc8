"""Good files of every kind, and what is done with an altered one that is let in.

A case has the ``content`` of a good file, ``alter(rng, content)``, and
``open(content)``, which returns "same" or "harmless", or raises.
"""

import io
from contextlib import redirect_stdout

import numpy as np

import divlearn as dl
from divlearn.optimizer.checkpoint.members import require_members
from divlearn.problems import Noisy
from divlearn.study import replay
from divlearn.study.store import Store
from tests.soak import mutations
from tests.soak.mutated_stores import StoreCase
from tests.study.conftest import tiny

#: Questions and answers after an altered file was let in: damage shows later.
MORE = 20


class StateCase:
    """A state file of a search that is half done."""

    alter = staticmethod(mutations.npz)

    def __init__(self, folder, problem, method, told, budget=None):
        self.problem, self.path = problem, folder / "state.npz"
        optimizer = dl.Optimizer(problem, method, seed=7, budget=budget)
        for number in range(told):
            (candidate,) = optimizer.ask()
            values = problem.evaluate(candidate.x) if number % 9 else None
            optimizer.tell(candidate, values)
        optimizer.ask(3)
        optimizer.record()
        optimizer.save(self.path)
        self.content = self.path.read_bytes()
        self.expected = self._go_on()

    def open(self, content):
        """Load, and go on for a while."""
        self.path.write_bytes(content)
        return "same" if self._go_on() == self.expected else "harmless"

    def _go_on(self):
        """What a loaded search asks for, and the front it ends with."""
        self.problem.restart()
        optimizer = dl.Optimizer.load(self.path, self.problem)
        asked = []
        layout = self.problem.space.layout
        for candidate in optimizer.pending:
            optimizer.tell(candidate, self.problem.evaluate(candidate.x))
        for count in (1, MORE // 2, MORE // 2 - 1):
            batch = optimizer.ask(count)
            for candidate in batch:
                require_members("a candidate", candidate.codes[None], layout)
                asked.append(candidate.codes.tolist())
            optimizer.tell(batch, [self.problem.evaluate(c.x) for c in batch])
        return asked, _look_at(optimizer.result())


class CheckpointCase:
    """The state of the optimizer inside of a study; its checksum fits."""

    alter = staticmethod(mutations.npz)

    def __init__(self, folder, problem, method):
        self.problem, self.path = problem, folder / "study.db"
        with dl.Study(problem, self.path, method=method, seed=3, lag=2) as study:
            study.run(30, workers=0)
            replay.save(study._opened.rebuilt(), study._opened.store)
            self.at = study._opened.store.checkpoint(replay.stamp())[:2]
            self.content = study._opened.store.checkpoint(replay.stamp())[2]
        self.good = self.path.read_bytes()
        self.expected = self._go_on()

    def open(self, content):
        """Put the state into the study, open it, and go on."""
        self.path.write_bytes(self.good)
        store = Store(self.path)
        store.write_checkpoint(*self.at, replay.stamp(), content)
        store.close()
        return "same" if self._go_on() == self.expected else "harmless"

    def _go_on(self):
        """The front after some more evaluations."""
        with dl.Study(self.problem, self.path) as study:
            return _look_at(study.run(30 + MORE, workers=0))


class ResultCase:
    """A file of a result."""

    alter = staticmethod(mutations.json_file)

    def __init__(self, folder, problem):
        self.path = folder / "front.json"
        dl.solve(problem, 60, seed=1).save(self.path)
        self.content = self.path.read_bytes()
        self.expected = self._read()

    def open(self, content):
        """Load, and look at everything."""
        self.path.write_bytes(content)
        return "same" if self._read() == self.expected else "harmless"

    def _read(self):
        """All that a result says of itself."""
        result = dl.load(self.path)
        text = _look_at(result)
        result.to_csv(self.path.with_suffix(".csv"))
        result.save(self.path)
        return text


class NetworkCase:
    """A file of a network, finished or in training."""

    alter = staticmethod(mutations.npz)

    def __init__(self, folder, finished):
        from divlearn.lab.baselines.pmoco.files import save_training
        from divlearn.lab.baselines.pmoco.plan import Plan
        from divlearn.lab.baselines.pmoco.shape import Shape
        from divlearn.lab.baselines.pmoco.training import Trainer

        self.path, self.finished = folder / "network.npz", finished
        self.problem = dl.problems.get("bitsp-6")
        tiny_one = Shape(8, 1, 2, 8, 1)
        plan = Plan("bitsp-6", epochs=2, steps=2, preferences=2, shape=tiny_one)
        trainer = Trainer(plan)
        for _ in range(4 if finished else 3):
            trainer.advance()
        save_training(trainer, self.path)
        self.content = self.path.read_bytes()
        self.expected = self._read()

    def open(self, content):
        """Use it as a network, or go on with its training."""
        self.path.write_bytes(content)
        return "same" if self._read() == self.expected else "harmless"

    def _read(self):
        """What the network gives, or where its training ends."""
        from divlearn.lab.baselines.pmoco.files import read_training
        from divlearn.lab.baselines.pmoco.methods import PMOCO

        if self.finished:
            method = PMOCO(model=str(self.path), weights=3, augment=1)
            return _look_at(dl.solve(self.problem, 40, method=method))
        trainer = read_training(self.path)
        if not trainer.finished:
            trainer.advance()
        return [value.tolist() for value in trainer.parameters.values()]


class InstanceCase:
    """A file of an instance."""

    alter = staticmethod(mutations.json_file)

    def __init__(self, folder, name):
        self.path = folder / "instance.json"
        dl.problems.get(name).write(self.path)
        self.content = self.path.read_bytes()
        self.expected = self._solve()

    def open(self, content):
        """Read the problem, and evaluate some solutions."""
        self.path.write_bytes(content)
        return "same" if self._solve() == self.expected else "harmless"

    def _solve(self):
        """What some solutions are worth."""
        problem = dl.problems.read(self.path)
        solutions = [problem.space.sample(seed) for seed in range(5)]
        return [problem.evaluate(x).tolist() for x in solutions]


def _look_at(result):
    """Everything a user would look at; the front has only numbers in it."""
    assert np.isfinite(result.F).all()
    with redirect_stdout(io.StringIO()):
        print(result, result.explain())  # noqa: T201
    if len(result.F):
        result.knee()
    return result.F.tolist(), str(result.X)


# --- problems


def _linear(n=12):
    """Sums over positions, which tables learn exactly and plans are made of."""
    worth = np.random.default_rng(0).integers(1, 99, (n, 2))
    return dl.Problem(
        dl.Subset(n, min=1, max=n - 2),
        lambda x: (-worth[x, 0].sum(), worth[x, 1].sum(), len(x) - 9),
        ["gain", "cost"],
        constraints=["size"],
    )


def _assignment():
    """Sums over pairs, which the pair model is made for."""
    return dl.problems.get("qap-8")


def _noisy():
    """The same answers with errors."""
    return Noisy(dl.problems.get("ubqp-10"))


def _many(objectives=4):
    """More than two objectives over values in order."""
    return dl.Problem(
        dl.Integer(0, 6, n=5),
        lambda x: [
            float((x * np.roll([1, 2, 4, 3, 5], k)).sum() % 17)
            for k in range(objectives)
        ],
        [f"f{k}" for k in range(objectives)],
    )


def _state(problem, method, told, budget=None):
    """A case of a state file."""
    return lambda folder: StateCase(folder, problem(), method, told, budget)


CASES = {
    "dl-permutation": _state(lambda: tiny("permutation"), "dl", 90, 5000),
    "dl-tour": _state(lambda: dl.problems.get("bitsp-12"), "dl", 250, 5000),
    "dl-assignment": _state(_assignment, "dl", 160, 300),
    "dl-subset": _state(_linear, "dl", 120, 5000),
    "dl-binary": _state(lambda: dl.problems.get("ubqp-10"), "dl", 80, 5000),
    "dl-categorical": _state(lambda: tiny("categorical"), "dl", 40, 5000),
    "dl-ordinal": _state(lambda: tiny("ordinal"), "dl", 40, 5000),
    "dl-composite": _state(lambda: tiny("composite"), "dl", 70),
    "dl-small": _state(lambda: tiny("integer"), "dl", 25, 60),
    "dl-noisy": _state(_noisy, "dl", 60, 5000),
    "dl-many": _state(_many, "dl", 60, 5000),
    "ts-tour": _state(lambda: dl.problems.get("bitsp-12"), "paper-ts", 120, 2000),
    "ts-composite": _state(lambda: tiny("composite"), "paper-ts", 60),
    "ucb-subset": _state(_linear, "paper-ucb", 60),
    "ts-many": _state(_many, "paper-ts", 60),
    "nsga2": _state(lambda: tiny("composite"), "nsga2", 60),
    "moead": _state(lambda: tiny("permutation"), "moead", 60),
    "random": _state(lambda: tiny("integer"), "random", 40),
    "study-dl": lambda folder: CheckpointCase(folder, tiny("permutation"), "dl"),
    "study-ts": lambda folder: CheckpointCase(folder, tiny("subset"), "paper-ts"),
    "result": lambda folder: ResultCase(folder, tiny("composite")),
    "result-many": lambda folder: ResultCase(folder, _many()),
    "instance-tour": lambda folder: InstanceCase(folder, "bitsp-8"),
    "instance-items": lambda folder: InstanceCase(folder, "bikp-10"),
    "network": lambda folder: NetworkCase(folder, finished=True),
    "store": StoreCase,
    "training": lambda folder: NetworkCase(folder, finished=False),
}

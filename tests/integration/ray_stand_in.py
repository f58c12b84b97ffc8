"""As much of Ray Tune as a searcher sees, where Ray is not installed."""

import sys
import types


class Searcher:
    """The base class of searchers."""

    def __init__(self, metric=None, mode=None):
        self._metric, self._mode = metric, mode


class Domain:
    """A hyperparameter."""

    domain_str = "a domain"

    def __init__(self, lower=None, upper=None, sampler=None):
        self.lower, self.upper, self._sampler = lower, upper, sampler

    def get_sampler(self):
        """How it is drawn."""
        return self._sampler


class Float(Domain):
    """A float."""


class Integer(Domain):
    """An integer; the upper limit does not belong to it, except in steps."""


class Categorical(Domain):
    """A choice."""

    def __init__(self, categories):
        super().__init__()
        self.categories = categories


class Uniform:
    """Evenly."""


class LogUniform:
    """Evenly on a logarithmic scale."""


class Normal:
    """Without limits."""


class Quantized:
    """In steps."""

    def __init__(self, sampler, q):
        self.sampler, self.q = sampler, q


def install(monkeypatch):
    """Let ``from ray.tune.search import Searcher, sample`` find this."""
    sample = sys.modules[__name__]
    search = types.SimpleNamespace(Searcher=Searcher, sample=sample)
    for name in ("ray", "ray.tune"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    monkeypatch.setitem(sys.modules, "ray.tune.search", search)

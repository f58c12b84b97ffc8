"""How torch runs inside a call: quietly, on one thread, from a seed of its own."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from divlearn.lab.baselines.threads import one_thread


@contextmanager
def own_torch(seed: int) -> Iterator[None]:
    """Run torch on one thread with its own random numbers, without warnings.

    What was set before is set again afterwards.
    """
    import torch

    with warnings.catch_warnings(), torch.random.fork_rng(devices=[]), one_thread():
        warnings.simplefilter("ignore")
        torch.manual_seed(seed)
        yield

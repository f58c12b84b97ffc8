"""How torch runs inside a call: quietly, on one thread, with its own seed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from divlearn.lab.baselines.threads import one_thread


@contextmanager
def own_torch(seed: int) -> Iterator[None]:
    """Run torch on one thread with its own random numbers, without warnings.

    The former settings are restored afterwards.
    """
    import torch

    with warnings.catch_warnings(), torch.random.fork_rng(devices=[]), one_thread():
        warnings.simplefilter("ignore")
        torch.manual_seed(seed)
        yield

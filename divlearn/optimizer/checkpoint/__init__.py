"""State files: everything a search remembers, in one NumPy archive without pickle.

A file may come from anyone. Before a kernel sees it, every array is compared with the
state that the problem and the settings imply, and every number that could do harm
has a rule (:mod:`divlearn.optimizer.checkpoint.rules`).
"""

from divlearn.optimizer.checkpoint.file import load, pack, save, unpack

__all__ = ["load", "pack", "save", "unpack"]

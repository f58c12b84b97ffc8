"""Array aliases, with their shapes in words.

``Codes``
    One solution inside the optimizer: an integer per position, shape ``(n,)``.
``Objectives``
    Objective values, shape ``(m,)`` for one solution or ``(q, m)`` for many.
``Value``
    A solution as the user declared it: array, number, string, or dict of these.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Codes: TypeAlias = NDArray[np.int64]
Objectives: TypeAlias = NDArray[np.float64]
Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Words: TypeAlias = NDArray[np.uint64]
#: Array of records, whose fields are read and written by name.
Records: TypeAlias = Any
Value: TypeAlias = Any
#: Metrics besides objectives and constraints: numbers or short texts, by name.
Extras = dict[str, float | str]

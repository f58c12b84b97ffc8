"""Solutions as plain data, for programs in any language."""

from __future__ import annotations

from typing import Any

import numpy as np

from divlearn.basics.typing import Value


def as_plain(value: Value) -> Any:
    """Turn a solution into what JSON can say.

    Examples
    --------
    >>> as_plain({"order": np.arange(3), "width": np.int64(4)})
    {'order': [0, 1, 2], 'width': 4}
    """
    if isinstance(value, dict):
        return {name: as_plain(part) for name, part in value.items()}
    if isinstance(value, (np.ndarray, np.generic)):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [as_plain(part) for part in value]
    return value

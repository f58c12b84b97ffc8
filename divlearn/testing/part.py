"""What settings rely on in every part that a user may write."""

from __future__ import annotations

import json
import pickle
from typing import Any

from divlearn.testing.require import require


def check_description(part: Any, kind: str) -> None:
    """Check that a part has a name, describes itself as plain data, and pickles.

    Parameters
    ----------
    part
        An expert or encoding.
    kind
        The key under which its description holds its name.
    """
    name = getattr(part, "name", None)
    require(isinstance(name, str) and name, f"{part!r} needs a name, got {name!r}.")
    try:
        described = json.loads(json.dumps(part.describe()))
        twin = pickle.loads(pickle.dumps(part)).describe()
    except (TypeError, ValueError, AttributeError, pickle.PicklingError) as error:
        raise AssertionError(
            f"{part!r} must pickle and describe itself as plain data: {error}"
        ) from error
    require(
        described.get(kind) == name and twin == part.describe(),
        f"describe() must hold {name!r} and outlive pickling, got {described}.",
    )

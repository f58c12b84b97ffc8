"""Exit codes, and how JSON tells of one that is not 0."""

from __future__ import annotations

import json
from typing import Any

DONE = 0
FAILED = 1
WRONG_REQUEST = 2
INTERRUPTED = 130


def error_as_json(message: str, code: int, **more: Any) -> str:
    """Write that and why there is no result, with the exit code."""
    entry = {"message": message, "exit_code": code, **more}
    return json.dumps({"error": entry}, indent=2)

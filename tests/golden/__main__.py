"""Write the hashes: ``python -m tests.golden``, where fronts may change on purpose."""

import json
from pathlib import Path

from tests.golden.cases import CASES, case_name, front_hash

FILE = Path(__file__).with_name("fronts.json")

if __name__ == "__main__":
    hashes = {}
    for case in CASES:
        hashes[case_name(case)] = front_hash(case)
    FILE.write_text(json.dumps(hashes, indent=1) + "\n")

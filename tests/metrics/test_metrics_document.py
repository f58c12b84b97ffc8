"""The document on metrics says what the code does."""

import re
from pathlib import Path

from divlearn import metrics

DOCUMENT = Path(__file__).parents[2] / "docs/metrics.md"


def test_the_code_in_the_document_runs_from_top_to_bottom(capsys):
    """A reader copies it block by block; what it says is returned is returned."""
    text = DOCUMENT.read_text()
    names = {}
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(block, str(DOCUMENT), "exec"), names)
    assert "solutions on the front" in capsys.readouterr().out
    for value in (metrics.summarize(names["ours"]), names["result"]):
        assert repr(value) in text.replace("\n#  ", " ")


def test_every_public_name_is_in_the_document_or_its_own_documentation():
    """A metric that nobody can find is not there."""
    text = DOCUMENT.read_text()
    functions = [name for name in metrics.__all__ if name[0].islower()]
    inner = {"student_quantile", "wilcoxon_signed_rank", "non_dominated"}
    missing = [name for name in functions if f"{name}(" not in text]
    assert set(missing) <= inner
    assert all(">>> " in getattr(metrics, name).__doc__ for name in functions)

from divlearn.lab.paper.claims import FAILS, HOLDS
from divlearn.lab.paper.settings import TABLE_ONE
from divlearn.lab.paper.studies import literal
from tests.lab.paper.conftest import made_up


def value(problem, label, measure, instance, seed):
    """The text 0.1 below the paper, everything else as the paper has it."""
    if measure == "front_size":
        return 15.0 + 0.1 * instance
    column = 1 if label == literal.TS else 0
    below = 0.1 if label == literal.LITERAL else 0.0
    number = TABLE_ONE[problem.partition(",")[0]][column]
    return number - below + 0.001 * (instance % 3) + 0.001 * len(problem)


def test_what_lacks_a_tenth_does_not_reach_the_papers_table():
    """And an archive of twenty solutions has no front of 45."""
    findings = literal.STUDY.findings(made_up(literal.STUDY, value))
    assert [one.verdict for one in findings.claims] == [
        *(FAILS, HOLDS, HOLDS, HOLDS),
        FAILS,
    ]
    assert findings.figures[0].draw().axes
    rows = findings.tables[0].rows
    assert [row["problem"] for row in rows][-1] == "bicvrp-20, greedy routes"


def test_routes_are_compared_by_the_decoder_that_the_variant_means():
    """Greedy ones for the text, the others for the presets."""

    def by_decoder(problem, label, measure, instance, seed):
        return TABLE_ONE[problem.partition(",")[0]][0] + problem.endswith("routes")

    evidence = made_up(literal.STUDY, by_decoder)
    assert list(literal.from_paper(evidence, literal.LITERAL, 0).round(9)) == [0, 0, 1]
    assert list(literal.from_paper(evidence, literal.UCB, 0).round(9)) == [0, 0, 0]

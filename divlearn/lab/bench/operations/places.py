"""Which functions of a method do the work of which component of its model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from divlearn.lab.bench.operations.stopwatch import ELSEWHERE, Place

BASELINES = "divlearn.lab.baselines"


@dataclass(frozen=True)
class Watched:
    """How the time of a method is measured.

    Attributes
    ----------
    places
        Functions by component.
    joined
        Components of the model that one function does together, and what that is
        called.
    evaluations
        Length of a run that tells the shares.
    """

    places: tuple[Place, ...]
    joined: Mapping[str, str] = field(default_factory=dict)
    evaluations: int = 20_000


def _places(module: str, components: Mapping[str, str]) -> tuple[Place, ...]:
    """Places in one module."""
    return tuple(Place(module, path, part) for path, part in components.items())


#: Evaluations and the archive, for methods that are asked.
ASKED = _places(
    "divlearn.methods.others.search",
    {
        "OtherSearch.run": "evaluation",
        "OtherSearch.propose": ELSEWHERE,
        "OtherSearch.observe": ELSEWHERE,
        "OtherSearch.keep": "archive",
    },
)
#: The same for methods that solve in one go.
WHOLE = (
    Place("divlearn.problems.base", "Problem.evaluate", "evaluation"),
    Place("divlearn.methods.others.search", "OtherSearch.keep", "archive"),
)
BREEDING = (
    Place(f"{BASELINES}.breeding", "RandomCodes._do", "draws"),
    Place(f"{BASELINES}.breeding", "MadeBefore.new", "repair"),
    *_places(
        f"{BASELINES}.operators.space",
        {"SpaceOperators.cross": "crossover", "SpaceOperators.mutate": "mutation"},
    ),
    *_places(
        f"{BASELINES}.operators.special",
        {"RepairedOperators.repair": "repair", "KnapsackOperators.repair": "repair"},
    ),
)
NSGA2 = Watched(
    (
        *ASKED,
        *BREEDING,
        Place(f"{BASELINES}.breeding", "tournament", "parents"),
        Place(
            "pymoo.util.nds.non_dominated_sorting", "NonDominatedSorting.do", "sorting"
        ),
        *_places(
            "pymoo.operators.survival.rank_and_crowding.classes",
            {"RankAndCrowding._do": "survival"},
        ),
        Place(
            "pymoo.algorithms.moo.nsga3", "ReferenceDirectionSurvival._do", "survival"
        ),
    )
)
MOEAD = Watched(
    (
        *ASKED,
        *BREEDING,
        *_places(
            f"{BASELINES}.decomposed",
            {"NearBreeding.do": "parents", "Decomposed._advance": "neighbours"},
        ),
    )
)
RANDOM = Watched(
    (*ASKED, Place("divlearn.methods.others.sampling", "Sampler.draw", "draws"))
)
BANDIT = Watched(
    (
        *RANDOM.places,
        *_places(f"{BASELINES}.bandits", {"Arms.propose": "scores"}),
    ),
    {"copies": "scores"},
    evaluations=2_000,
)
BAYES = Watched(
    (
        *ASKED,
        *_places(
            f"{BASELINES}.bayes.proposer",
            {
                "initial_design": "design",
                "fit": "fits",
                "Posterior": "conditioning",
            },
        ),
        *_places(
            f"{BASELINES}.bayes.model",
            {"Posterior.at": "predictions", "Posterior.between": "predictions"},
        ),
        Place(f"{BASELINES}.bayes.draws", "Draws.at", "predictions"),
        Place(f"{BASELINES}.bayes.features", "Encoder.__call__", "predictions"),
        Place(f"{BASELINES}.bayes.boxes", "Boxes.__init__", "improvements"),
        *_places(
            f"{BASELINES}.bayes.search",
            {
                "Pool.add": "improvements",
                "Pool.best": "candidates",
                "children": "candidates",
                "evolve": "candidates",
            },
        ),
        Place(f"{BASELINES}.bayes.reparameterization", "Ascent.run", "candidates"),
    ),
    evaluations=60,
)
LOCAL_SEARCH = Watched(
    (
        Place("divlearn.methods.others.search", "OtherSearch.keep", "entries"),
        *(
            Place(f"{BASELINES}.local_search.{module}", f"{kind}.scan", "neighbours")
            for module, kind in (
                ("tours", "TourMoves"),
                ("items", "ItemMoves"),
                ("routes", "RouteMoves"),
            )
        ),
        *_places(
            f"{BASELINES}.local_search.search",
            {
                "LocalSearch.settle": "entries",
                "LocalSearch.welcome": "regions",
                "LocalSearch.scan": "regions",
                "LocalSearch.explore": "regions",
                "LocalSearch.cooperate": "regions",
            },
        ),
    ),
    {"moves": "neighbours", "differences": "neighbours", "archive": "neighbours"},
    evaluations=300_000,
)
TWO_OPT = Watched(
    (
        *WHOLE,
        Place("divlearn.lab.kernels.two_opt", "descend", "neighbours"),
        *_places(
            f"{BASELINES}.weighted_two_opt",
            {"weighted_matrix": "weighted matrices", "_improve": "evaluation"},
        ),
    ),
    {"improvements": "neighbours"},
    evaluations=1_000_000,
)
LKH = Watched(
    (
        *WHOLE,
        *_places(
            f"{BASELINES}.weighted_lkh",
            {"whole_distances": "weighted matrices", "shortest_tour": "LKH"},
        ),
    ),
    {"ascent": "LKH", "trials": "LKH"},
    evaluations=40,
)
DYNAMIC_PROGRAM = Watched(
    (
        *WHOLE,
        Place(f"{BASELINES}.weighted_knapsack", "best_choice", "dynamic programs"),
    ),
    {"weighted values": "dynamic programs"},
    evaluations=40,
)
NETWORK = Watched(
    (
        *WHOLE,
        *_places(
            f"{BASELINES}.pmoco.inference",
            {"encode": "encoder", "make_decoder": "decoder", "roll_out": "walks"},
        ),
    ),
    evaluations=2_000,
)
TRAINED = Watched(
    (
        *NETWORK.places,
        *_places(
            f"{BASELINES}.pmoco.training",
            {"Trainer.step": "training", "roll_out": "training walks"},
        ),
    ),
    {"descent": "training"},
    evaluations=5_000,
)

#: By the name of the method; the paper's methods are timed part by part instead.
WATCHED: dict[str, Watched] = {
    "random": RANDOM,
    "pure-ucb": BANDIT,
    "pure-thompson": BANDIT,
    "pure-exp3": BANDIT,
    "nsga2": NSGA2,
    "moead": MOEAD,
    "ppls-dc": LOCAL_SEARCH,
    "ws-2opt": TWO_OPT,
    "ws-lkh": LKH,
    "ws-dp": DYNAMIC_PROGRAM,
    "pmoco": NETWORK,
    "pmoco-matched": TRAINED,
    "qnehvi": BAYES,
    "qparego": BAYES,
    "bopr": BAYES,
}

"""Parts of Pareto local search: moves of each kind of problem, and regions."""

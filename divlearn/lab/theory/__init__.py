"""The paper's theory on instances: constants, bounds, and exact regret."""

"""UpdateExperts and SelectAction as the paper prints them, over plain lists."""

import math


class Tables:
    """V, N, W and L of every position and action, with W kept normalised."""

    def __init__(self, arities):
        self.V = [[0.0] * arity for arity in arities]
        self.N = [[0] * arity for arity in arities]
        self.W = [[1.0 / arity] * arity for arity in arities]
        self.L = [[0.0] * arity for arity in arities]
        self.rewards = [[[] for _ in range(arity)] for arity in arities]
        self.clips, self.clip_bias = 0, 0.0

    def update(self, x, reward, eta=0.5, p_min=0.01, cap=100.0):
        """Algorithm UpdateExperts for a normalised reward."""
        n, loss = len(x), 1.0 - reward
        for i, a in enumerate(x):
            self.N[i][a] += 1
            share = self.W[i][a] / sum(self.W[i])
            probability = max(share, p_min)
            if share < p_min:
                self.clips += 1
                self.clip_bias += abs(reward - share * reward / p_min)
            self.V[i][a] += (reward - self.V[i][a]) / self.N[i][a]
            self.W[i][a] *= math.exp(eta * reward / probability / n)
            self.L[i][a] += min(loss / probability, cap)
            self.rewards[i][a].append(reward)
        for i in range(n):
            total = sum(self.W[i])
            self.W[i] = [w / total for w in self.W[i]]


def uncertainty(visits):
    """u_i = 1 / (1 + log(1 + mean visits))."""
    return 1.0 / (1.0 + math.log(1.0 + sum(visits) / len(visits)))


def mixture(visits, rho_0, hybrid_ratio=0.5, count=3):
    """Probabilities at a position, of three experts in Algorithm 2; of more alike."""
    u = uncertainty(visits) * (1.0 - hybrid_ratio)
    others = [rho_0 / (count - 2)] * (count - 2)
    return [(1.0 - rho_0) * u, (1.0 - rho_0) * (1.0 - u), *others]


def mixture_of_fixed_first(visits, p_1, hybrid_ratio=0.5):
    """The other form of the appendix: p_1, (1 - p_1) rho_t, (1 - p_1)(1 - rho_t)."""
    rho_t = 1.0 - uncertainty(visits) * (1.0 - hybrid_ratio)
    return [p_1, (1.0 - p_1) * rho_t, (1.0 - p_1) * (1.0 - rho_t)]


def expected_improvement(value, best, deviation, steps=20_000):
    """Mean of max(0, X - best) for a normal X, by the trapezoidal rule."""
    width = 20.0 / steps
    zs = [-10.0 + width * k for k in range(steps + 1)]
    gains = (max(0.0, value + deviation * z - best) for z in zs)
    densities = (math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi) for z in zs)
    return width * sum(g * d for g, d in zip(gains, densities, strict=True))


def exp4(shares, advice, rewards, rate, p_min=0.01, even=0.1):
    """Shares of experts after some updates.

    ``advice[t][i][e]`` is the probability under expert e alone of what was chosen at
    position i, at update t.
    """
    seen, count = [], len(shares)
    for rows, reward in zip(advice, rewards, strict=True):
        seen.append(reward)
        surprise = reward - sum(seen) / len(seen)
        gains = [0.0] * count
        for row in rows:
            mixed = sum(s * p for s, p in zip(shares, row, strict=True))
            for e in range(count):
                gains[e] += rate * surprise * row[e] / max(mixed, p_min) / len(rows)
        earned = [max(1e-6, (s - even / count) / (1 - even)) for s in shares]
        grown = [w * math.exp(g) for w, g in zip(earned, gains, strict=True)]
        shares = [even / count + (1 - even) * w / sum(grown) for w in grown]
    return shares


def softmax(logarithms):
    """Probabilities in proportion to exponentials."""
    weights = [math.exp(value - max(logarithms)) for value in logarithms]
    return [weight / sum(weights) for weight in weights]

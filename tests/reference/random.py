"""xoshiro256++ and splitmix64 over Python's integers, as their authors print them."""

MASK = 2**64 - 1


def splitmix64(seed, count):
    """The first ``count`` numbers of splitmix64."""
    numbers = []
    for _ in range(count):
        seed = (seed + 0x9E3779B97F4A7C15) & MASK
        z = seed
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        numbers.append(z ^ (z >> 31))
    return numbers


def rotated(word, bits):
    """``word`` turned to the left within 64 bits."""
    return ((word << bits) | (word >> (64 - bits))) & MASK


def xoshiro256pp(words, count):
    """The first ``count`` numbers from four words, and the words after them."""
    s = list(words)
    numbers = []
    for _ in range(count):
        numbers.append((rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK)
        t = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotated(s[3], 45)
    return numbers, s

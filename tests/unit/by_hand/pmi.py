"""The worksheet of chapter 7 once more, without `attn`: one function a problem, given -> answers."""

import math
from collections import Counter
from fractions import Fraction


def beyond_chance(days):
    (a, b), (c, d) = days
    n, rows, columns = a + b + c + d, (a + b, c + d), (a + c, b + d)
    chance = [[Fraction(r * s, n) for s in columns] for r in rows]
    ratios = [[days[i][j] / chance[i][j] for j in range(2)] for i in range(2)]
    return {
        "skies": rows,
        "streets": columns,
        "chance": chance,
        "ratios": ratios,
        "bits": math.log2(ratios[0][0]),
        "weights": [Fraction(a, a + b), Fraction(b, a + b)],
    }


def windows(tokens, window):
    words = sorted(set(tokens))
    met = Counter(
        (tokens[i], tokens[j])
        for i in range(len(tokens))
        for j in range(len(tokens))
        if i != j and abs(i - j) <= window
    )
    return {"counts": [[met[one, two] for two in words] for one in words], "sum": sum(met.values())}


def once(n):
    return {"ratio": n, "bits": math.log2(n)}


def rivals(near, n, negative):
    cubes = [round(count**0.25) ** 3 for count in n]
    given_fog = [Fraction(count, sum(near)) for count in near]
    by_p, by_power = ([Fraction(one, sum(all_of)) for one in all_of] for all_of in (n, cubes))
    plain, powered = (
        [share / (negative * chance) for share, chance in zip(given_fog, chances, strict=True)]
        for chances in (by_p, by_power)
    )
    return {"given_fog": given_fog, "by_p": by_p, "plain": plain, "by_power": by_power, "powered": powered}


PROBLEMS = (beyond_chance, windows, once, rivals)

"""The worksheet of chapter 9 once more, without `attn`: one function a problem, given -> answers."""


def notes_and_who_finds_them(text):
    words = [0, *text]
    found = [place for place in range(1, 6) if words[place - 1] == words[5]]
    return {"note": words[:5], "place": found[0], "says": words[found[0]]}


def four_sums(votes):
    ab, ba, one_zero, zero_one = votes
    sums = {"A1B0A": ab + one_zero, "A0B1A": ab + zero_one, "B1A0A": ba + one_zero, "B0A1A": ba + zero_one}
    right = 0
    for question, total in sums.items():
        behind_a = question[question.index("A") + 1]
        right += ("1" if total > 0 else "0") == behind_a
    return {
        "sums": list(sums.values()),
        "right": right,
        "outer": sums["A1B0A"] + sums["B0A1A"],
        "inner": sums["A0B1A"] + sums["B1A0A"],
    }


def a_norm_with_two_divisors(x):
    mean = sum(x) / 3
    squares = sum((number - mean) ** 2 for number in x)
    return {
        "away": [number - mean for number in x],
        "squares": squares,
        "variance": squares / 3,
        "sample": squares / 2,
    }


PROBLEMS = (notes_and_who_finds_them, four_sums, a_norm_with_two_divisors)

"""How well a word of a question and a word of the store agree; pure."""

from enum import IntEnum

# What agreement is worth, the best of each way; the ways do not overlap.
_PREFIX, _LEAST_PREFIX, _NEAR = 0.8, 0.6, 0.6
_SHORTEST_NEAR = 3
# Words from this length on may differ in so many letters.
_ALLOWED = ((10, 3), (5, 2), (_SHORTEST_NEAR, 1))


class How(IntEnum):
    """In which way two words agree, the best first."""

    EXACT = 0
    PREFIX = 1
    NEAR = 2


def agreement(asked: str, word: str) -> tuple[How, float] | None:
    """How a word agrees with the one asked for, and what that is worth: 1 for the same word, None for another.

    >>> agreement("order", "order"), agreement("order", "zebra")
    ((<How.EXACT: 0>, 1.0), None)
    >>> agreement("cust", "customer")
    (<How.PREFIX: 1>, 0.7)
    >>> agreement("custmoer", "customer")
    (<How.NEAR: 2>, 0.525)
    """
    if asked == word:
        return How.EXACT, 1.0
    if word.startswith(asked):
        return How.PREFIX, _LEAST_PREFIX + (_PREFIX - _LEAST_PREFIX) * len(asked) / len(word)
    most = allowed(asked)
    if not most or abs(len(asked) - len(word)) > most:
        return None
    differs = distance(asked, word, most)
    return None if differs > most else (How.NEAR, _NEAR * (1 - differs / max(len(asked), len(word))))


def allowed(asked: str) -> int:
    """In how many letters a word may differ and still be meant; another number is another thing.

    >>> allowed("id"), allowed("amount"), allowed("2024")
    (0, 2, 0)
    """
    if asked.isdigit():
        return 0
    return next((most for length, most in _ALLOWED if len(asked) >= length), 0)


def distance(left: str, right: str, most: int) -> int:
    """How many letters to add, drop, replace or swap with the next; anything above `most` where it is more.

    >>> distance("amuont", "amount", 2), distance("colour", "color", 2), distance("abc", "xyz", 1) > 1
    (1, 1, True)
    """
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        before, last, row = row, before, [i]
        for j, against in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == against:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return row[-1]

"""Merging done the slow and obvious way: relabel, recompute, compare everything, in fractions."""

from collections import Counter
from fractions import Fraction
from itertools import combinations


def items_of(codes):
    """The labels of each item, missing ones left out."""
    return [[int(label) for label in row if label >= 0] for row in codes]


def scott_pi(codes):
    rows = [row for row in items_of(codes) if len(row) == 2]
    agreed = Fraction(sum(a == b for a, b in rows), len(rows))
    habits = Counter(label for row in rows for label in row)
    expected = sum(Fraction(n, 2 * len(rows)) ** 2 for n in habits.values())
    return beyond(agreed, expected)


def cohen_kappa(codes):
    rows = [row for row in items_of(codes) if len(row) == 2]
    agreed = Fraction(sum(a == b for a, b in rows), len(rows))
    first, second = (Counter(row[side] for row in rows) for side in (0, 1))
    expected = sum(Fraction(first[k] * second[k], len(rows) ** 2) for k in first)
    return beyond(agreed, expected)


def fleiss_kappa(codes):
    agreed, shares = per_item(codes)
    return beyond(agreed, sum(share**2 for share in shares.values()))


def krippendorff_alpha(codes):
    rows = [row for row in items_of(codes) if len(row) > 1]
    n = sum(map(len, rows))
    observed = sum(Fraction(sum(a != b for a in row for b in row), len(row) - 1) for row in rows) / n
    totals = Counter(label for row in rows for label in row)
    expected = Fraction(sum(totals[a] * totals[b] for a in totals for b in totals if a != b), n * (n - 1))
    return None if expected == 0 else 1 - observed / expected


def per_item(codes):
    rows = [row for row in items_of(codes) if row]
    several = [row for row in rows if len(row) > 1]
    agreed = sum(
        Fraction(sum(a == b for a, b in combinations(row, 2)), len(row) * (len(row) - 1) // 2) for row in several
    ) / len(several)
    shares = Counter()
    for row in rows:
        for label in row:
            shares[label] += Fraction(1, len(row) * len(rows))
    return agreed, shares


def gwet_ac1(codes, n_categories):
    agreed, shares = per_item(codes)
    return beyond(agreed, sum(p * (1 - p) for p in shares.values()) / (n_categories - 1))


def bennett_s(codes, n_categories):
    return beyond(per_item(codes)[0], Fraction(1, n_categories))


def beyond(agreed, expected):
    return None if expected == 1 else (agreed - expected) / (1 - expected)


def relabelled(codes, classes):
    place = {category: k for k, members in enumerate(classes) for category in members}
    return [[place[label] if label >= 0 else -1 for label in row] for row in codes]


def greedy(codes, categories, coefficient, threshold, *, faithful=False):
    """Figure 1, every value from the labels; the first of equal merges wins, classes in order of their first member."""
    classes = [[k] for k in categories]
    steps = []
    value = coefficient(relabelled(codes, classes))
    while len(classes) > 1 and ((faithful and not steps) or value < threshold):
        best = None
        for i, j in combinations(range(len(classes)), 2):
            merged = [*classes[:i], sorted(classes[i] + classes[j]), *classes[i + 1 : j], *classes[j + 1 :]]
            reached = coefficient(relabelled(codes, merged)) if len(merged) > 1 else None
            if best is None or (reached is not None and reached > best[0]):
                best = (reached, merged)
        value, classes = best
        steps.append(value)
        if len(classes) == 1:
            break
    return [tuple(members) for members in classes], steps


def partitions(names):
    """All ways to divide names into classes."""
    if not names:
        yield []
        return
    head, *rest = names
    for smaller in partitions(rest):
        yield [[head], *smaller]
        for k in range(len(smaller)):
            yield [*smaller[:k], [head, *smaller[k]], *smaller[k + 1 :]]

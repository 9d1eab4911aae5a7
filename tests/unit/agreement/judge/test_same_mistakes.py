"""Judges that copy each other; how often independent ones are accused is measured in ``benchmarks/trust/judge.py``."""

import numpy as np
import pytest
from scipy.stats import t as student

from concurrence import judge
from concurrence.agreement.judge.same_mistakes import shared_mistakes
from concurrence.core import Labels


def two_judges(copies, n=200, humans=3, size=2, right=0.85, missing=0.0, seed=1):
    """Humans and two judges who err independently, but for the items on which the second copies the first."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, size, n)
    shape = (n, humans + 2)
    wrong = (truth[:, None] + random.integers(1, size, shape)) % size
    codes = np.where(random.random(shape) < right, truth[:, None], wrong)
    codes[:, -1] = np.where(random.random(n) < copies, codes[:, -2], codes[:, -1])
    codes[:, :humans] = np.where(random.random((n, humans)) < missing, -1, codes[:, :humans])
    names = (*(f"h{k}" for k in range(humans)), "gpt", "llama")
    return Labels(codes=codes.astype(np.int32), categories=tuple("abc"[:size]), coders=names)


def slow_test(labels):
    """The test item by item, with every two humans."""
    rows = [row for row in labels.codes.tolist() if min(row[-2:]) >= 0 and sum(code >= 0 for code in row[:-2]) >= 2]
    size = len(labels.categories)
    rates = []
    for column in zip(*rows, strict=True):
        given = [code for code in column if code >= 0]
        rates.append([given.count(k) / len(given) for k in range(size)])

    def product(row, i, j):
        return sum(((row[i] == k) - rates[i][k]) * ((row[j] == k) - rates[j][k]) for k in range(size))

    judges, among, one, other = [], [], [], []
    first, second = len(rates) - 2, len(rates) - 1
    for row in rows:
        humans = [h for h in range(first) if row[h] >= 0]
        judges.append(product(row, first, second))
        among.append(np.mean([product(row, h, g) for h in humans for g in humans if h != g]))
        one.append(np.mean([product(row, first, h) for h in humans]))
        other.append(np.mean([product(row, second, h) for h in humans]))
    n = len(rows)
    a, hh, ah, bh = (np.sum(each) / (n - 1) for each in (judges, among, one, other))
    added = np.array(judges) * hh + np.array(among) * a - np.array(one) * bh - np.array(other) * ah
    return a, ah * bh / hh, student.sf((a * hh - ah * bh) / (np.std(added, ddof=1) / np.sqrt(n)), n - 1)


@pytest.mark.parametrize(("missing", "size", "humans"), [(0.0, 2, 2), (0.3, 3, 4)])
def test_the_figures_are_those_of_the_obvious_loop(missing, size, humans):
    labels = two_judges(0.3, n=60, missing=missing, size=size, humans=humans)
    (found,) = shared_mistakes(labels, ["gpt", "llama"])
    assert (found.agreement, found.expected, found.p_value) == pytest.approx(slow_test(labels))


def told(labels, judges=("gpt", "llama")):
    report = judge(labels, list(judges))
    return [warning.text for warning in report.warnings if warning.code == "same_mistakes"]


def test_copies_are_noticed_and_independent_judges_are_not():
    (text,) = told(two_judges(0.7))
    assert text.startswith("gpt and llama give the same label more often than their agreement with the humans explains")
    assert not told(two_judges(0.0))
    assert not told(two_judges(0.0, right=0.97))  # they agree on nearly everything, since both are right


def test_perfect_judges_and_few_items_are_not_accused():
    assert not told(two_judges(1.0, right=1.0))
    few = judge(two_judges(1.0, n=29), ["gpt", "llama"])
    assert np.isnan(few.same_mistakes[0].p_value)
    assert not [warning for warning in few.warnings if warning.code == "same_mistakes"]
    assert judge(two_judges(1.0, humans=1), ["gpt", "llama"]).same_mistakes == ()


def test_only_the_pair_that_copies_is_named():
    labels = two_judges(0.9, humans=4)
    codes = labels.codes[:, [0, 1, 2, 3, 4, 5]]
    names = ("h0", "h1", "h2", "good", "gpt", "llama")
    (text,) = told(Labels(codes=codes, categories=labels.categories, coders=names), ("good", "gpt", "llama"))
    assert text.startswith("gpt and llama")


def test_the_command_shows_judges_among_themselves(concur, tmp_path):
    labels = two_judges(0.8)
    rows = np.array(labels.categories)[labels.codes].tolist()
    lines = [",".join(["item", *labels.coders]), *(",".join([str(n), *row]) for n, row in enumerate(rows))]
    (tmp_path / "wide.csv").write_text("\n".join(lines) + "\n")
    arguments = ("judge", tmp_path / "wide.csv", "--wide", "--judge", "gpt,llama")
    assert "do they share mistakes?" in concur(*arguments).out
    found = concur(*arguments, "--json").json
    assert found["same_mistakes"][0]["judges"] == ["gpt", "llama"]
    assert found["same_mistakes"][0]["p_value"] < 0.01

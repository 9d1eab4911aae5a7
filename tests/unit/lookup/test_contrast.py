"""Contrasts against slow twins: counts, measures, and every way to deal out the documents."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb, inf, log, log2

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import contrast, contrast_counts, count_pairs
from concurrence.core import InvalidInputError
from concurrence.core.corpus import Corpus, Documents
from concurrence.kernels.document_tests import document_p_values
from concurrence.report.pages.contrast import contrast_document
from concurrence.report.render.terminal import terminal

DOCUMENTS = st.lists(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), min_size=1, max_size=2), min_size=1, max_size=4
)


def corpus(documents, **metadata):
    tokens = Corpus.from_sentences([sentence for document in documents for sentence in document])
    sizes = [sum(len(sentence) + 1 for sentence in document) for document in documents]
    names = tuple(f"d{k}" for k in range(len(documents)))
    values = {name: tuple(texts) for name, texts in metadata.items()}
    return Corpus(
        layers=tokens.layers,
        documents=Documents(starts=np.cumsum(sizes) - sizes, names=names, metadata=values),
    )


def words_in(documents):
    return [Counter(word for sentence in document for word in sentence) for document in documents]


def slow_p(counts, sizes, n_a):
    """All ways to deal out the documents, in fractions; the largest of three p-values where lengths differ by side."""
    rates = [Fraction(int(f), int(n)) for f, n in zip(counts, sizes, strict=True)]
    lengths = [Fraction(1, int(n)) for n in sizes]
    n_b = len(rates) - n_a
    p_values = [shuffled_p(lambda chosen: squared_welch(rates, chosen), len(rates), n_a)]
    if p_values == [None]:
        return None
    means = sum(lengths[:n_a]) / n_a, sum(lengths[n_a:]) / n_b
    if max(means) > Fraction(12, 10) * min(means):
        p_values.append(shuffled_p(lambda chosen: squared_t_of_lengths(rates, lengths, chosen), len(rates), n_a))
        total, share = sum(counts), sum(sizes[:n_a]) / sum(sizes)
        p_values.append(
            min(1, 2 * min(tail(sum(counts[:n_a]), total, share), tail(sum(counts[n_a:]), total, 1 - share)))
        )
    return max(p_values)


def shuffled_p(statistic, n, n_a):
    ways = [statistic(set(chosen)) for chosen in combinations(range(n), n_a)]
    return sum(one >= statistic(set(range(n_a))) for one in ways) / len(ways) if len(ways) >= 20 else None


def tail(least, total, share):
    return sum(comb(total, k) * share**k * (1 - share) ** (total - k) for k in range(least, total + 1))


def split(values, chosen):
    return [[value for k, value in enumerate(values) if (k in chosen) == side] for side in (True, False)]


def squares_around_mean(values):
    return sum((value - sum(values) / len(values)) ** 2 for value in values)


def squared(difference, variance):
    return difference / variance if variance else inf if difference else 0


def squared_welch(rates, chosen):
    a, b = split(rates, chosen)
    difference = (sum(a) / len(a) - sum(b) / len(b)) ** 2
    if min(len(a), len(b)) < 2:
        return difference
    return squared(difference, sum(squares_around_mean(side) / (len(side) - 1) / len(side) for side in (a, b)))


def squared_t_of_lengths(rates, lengths, chosen):
    """The variance of a side's mean is that of bursts, one for both sides, and that of counts in such lengths."""
    a, b = split(rates, chosen)
    mean = sum(rates) / len(rates)
    counts = [[mean * length for length in side] for side in split(lengths, chosen)]
    left = sum(squares_around_mean(side) for side in (a, b)) - sum(
        sum(side) / len(side) * (len(side) - 1) for side in counts
    )
    bursts = max(left, 0) / (len(rates) - 2)
    variance = sum((bursts + sum(side) / len(side)) / len(side) for side in counts)
    return squared((sum(a) / len(a) - sum(b) / len(b)) ** 2, variance)


def slow_likelihood(f_a, f_b, n_a, n_b):
    n, f = n_a + n_b, f_a + f_b
    cells = [(f_a, f * n_a / n), (f_b, f * n_b / n), (n_a - f_a, (n - f) * n_a / n), (n_b - f_b, (n - f) * n_b / n)]
    return 2 * sum(o * log(o / e) for o, e in cells if o) * (1 if f_a * n_b >= f_b * n_a else -1)


@given(DOCUMENTS, DOCUMENTS)
def test_words_are_those_of_a_slow_twin(first, second):
    found = contrast(corpus(first), corpus(second), draws=999)
    counts = [words_in(first), words_in(second)]
    sizes = [[sum(one.values()) for one in side] for side in counts]
    rows = {row["word"]: row for row in found.words.iter_rows(named=True)}
    assert set(rows) == {word for side in counts for one in side for word in one}
    n_a, n_b = sum(sizes[0]), sum(sizes[1])
    for word, row in rows.items():
        by_document = [[one[word] for one in side] for side in counts]
        f_a, f_b = (sum(side) for side in by_document)
        assert (row["f_a"], row["f_b"]) == (f_a, f_b)
        assert (row["range_a"], row["range_b"]) == tuple(sum(f > 0 for f in side) for side in by_document)
        assert row["log_likelihood"] == pytest.approx(slow_likelihood(f_a, f_b, n_a, n_b), abs=1e-9)
        ratio = inf if not f_b else -inf if not f_a else log2((f_a / n_a) / (f_b / n_b))
        assert row["log_ratio"] == pytest.approx(ratio)
        assert row["percent_diff"] == pytest.approx(100 * (f_a / n_a - f_b / n_b) / (f_b / n_b) if f_b else inf)
        assert abs(row["log_ratio_conservative"]) <= abs(ratio) + 1e-9
        means = [
            sum(Fraction(f, n) for f, n in zip(*side, strict=True)) / len(side[0])
            for side in zip(by_document, sizes, strict=True)
        ]
        assert row["direction"] == ("a" if means[0] > means[1] else "b" if means[0] < means[1] else None)
        if (means[0] - means[1]) * (f_a * n_b - f_b * n_a) < 0:
            assert row["p_documents"] is None
        else:
            assert row["p_documents"] == pytest.approx(
                slow_p([*by_document[0], *by_document[1]], [*sizes[0], *sizes[1]], len(first))
            )


@pytest.mark.parametrize("rule", ["adjacent", "window-pairs:2", "window:2", "sentence"])
@given(first=DOCUMENTS, second=DOCUMENTS)
def test_pairs_are_those_of_counting(rule, first, second):
    sides = [corpus(first), corpus(second)]
    tables = [count_pairs(side, rule=rule).table for side in sides]
    if not all(map(len, tables)):
        return
    found = contrast(*sides, rule=rule, draws=0)
    for column, table in zip(("f_a", "f_b"), tables, strict=True):
        rows = found.words.filter(pl.col(column) > 0).select("l1", "l2", column).rows()
        assert sorted(rows) == sorted(table.select("l1", "l2", "f").rows())
    of_rule = rule.partition(":")[0]
    sizes = [side.n_tokens if of_rule == "window" else table["N"][0] for side, table in zip(sides, tables, strict=True)]
    assert [found.a.size, found.b.size] == sizes
    for column, side in zip(("range_a", "range_b"), (first, second), strict=True):
        seen = Counter(
            pair for one in side for pair in count_pairs(corpus([one]), rule=rule).table.select("l1", "l2").rows()
        )
        rows = found.words.filter(pl.col(column) > 0)
        assert {(l1, l2): n for l1, l2, n in rows.select("l1", "l2", column).iter_rows()} == seen


@given(DOCUMENTS, DOCUMENTS)
def test_collocates_are_those_of_windows(first, second):
    sides = [corpus(first), corpus(second)]
    tables = [count_pairs(side, rule="window:2").table.filter(pl.col("l1") == "a") for side in sides]
    if not all(map(len, tables)):
        return
    found = contrast(*sides, node="a", span=2, draws=0)
    for column, table in zip(("f_a", "f_b"), tables, strict=True):
        rows = found.words.filter(pl.col(column) > 0).select("word", column).rows()
        assert sorted(rows) == sorted(table.select("l2", "f").rows())
    assert (found.a.size, found.b.size) == tuple(table["f1"][0] for table in tables)


@given(DOCUMENTS, DOCUMENTS)
def test_turning_the_sides_round_turns_the_scores_round(first, second):
    one, other = contrast(corpus(first), corpus(second)), contrast(corpus(second), corpus(first))
    here, there = (side.words.sort("word") for side in (one, other))
    assert here["log_likelihood"].to_list() == pytest.approx([-x for x in there["log_likelihood"]], abs=1e-9)
    assert here["log_ratio_conservative"].to_list() == pytest.approx(
        [-x for x in there["log_ratio_conservative"]], abs=1e-9
    )
    assert here["note"].is_null().to_list() == there["note"].is_null().to_list()
    if one.warnings:
        assert here["p_documents"].to_list() == [None] * len(here)
    else:
        assert here["p_documents"].to_list() == pytest.approx(there["p_documents"].to_list())


def test_random_ways_come_near_all_ways():
    random = np.random.default_rng(1)
    counts = random.integers(0, 6, 12)
    entries = np.zeros(12, dtype=np.int64), np.arange(12), counts
    given_ = {"sizes": np.arange(40, 52), "is_a": np.arange(12) < 6, "n_words": 1, "seed": 0}
    exact = document_p_values(*entries, **given_, draws=924)[0]
    some = document_p_values(*entries, **given_, draws=900)[0]
    assert exact == pytest.approx(slow_p(counts.tolist(), range(40, 52), 6))
    assert some == pytest.approx(exact, abs=4 * (exact * (1 - exact) / 900) ** 0.5)


@pytest.mark.parametrize("small", [2000, 500])
def test_the_test_keeps_its_level_where_words_come_in_bursts(small):
    """Words that do not differ: tokens are called different far too often, documents as often as promised."""
    random = np.random.default_rng(3)
    is_a = np.arange(40) < 20
    sizes = np.where(is_a, 2000, small)
    counts = random.poisson(random.gamma(0.3, 1 / 0.3, size=(500, 40)) * sizes / 500)
    words, documents = np.nonzero(counts)
    p = document_p_values(words, documents, counts[words, documents], sizes, is_a, n_words=500, draws=499, seed=1)
    totals = [(int(row[is_a].sum()), int(row[~is_a].sum())) for row in counts]
    naive = [abs(slow_likelihood(f_a, f_b, 40_000, 20 * small)) > 3.841 for f_a, f_b in totals]
    assert np.mean(naive) > 0.4
    assert 0.02 < np.mean(p <= 0.05) < 0.08


def test_one_document_that_repeats_a_word_is_no_evidence():
    """The log-likelihood of all tokens is far beyond 3.84; the documents say that it may well be chance."""
    bursty = [[["a"] * 30 + ["b"] * 10], *[[["b"] * 40]] * 5]
    plain = [[["b"] * 40]] * 6
    row = contrast(corpus(bursty), corpus(plain)).words.row(by_predicate=pl.col("word") == "a", named=True)
    assert row["log_likelihood"] > 30
    assert row["p_documents"] == 1
    spread = [[["a"] * 5 + ["b"] * 35]] * 6
    row = contrast(corpus(spread), corpus(plain)).words.row(by_predicate=pl.col("word") == "a", named=True)
    assert row["p_documents"] == pytest.approx(2 / 924)


def one_huge_document():
    """A word in every document of B, and in none of A but a huge one, where it is more frequent than B is long."""
    b = [[["a"] * 4 + ["b"] * 36]] * 8
    return corpus([[["a"] * 800 + ["b"] * 1200], *[[["b"] * 40]] * 7]), corpus(b)


def text_of(document):
    return " ".join(map(str, terminal(document)))


def test_documents_that_contradict_the_row_give_no_p_value():
    found = contrast(*one_huge_document())
    row = found.words.row(by_predicate=pl.col("word") == "a", named=True)
    assert row["log_ratio"] > 0
    assert (row["direction"], row["p_documents"]) == ("b", None)
    assert row["note"] == "the mean document has more in B"
    shown = text_of(contrast_document(found, most=10))
    assert "No p (documents) for 'a'" in shown
    turned = contrast(*reversed(one_huge_document())).words.row(by_predicate=pl.col("word") == "a", named=True)
    assert (turned["log_ratio"] < 0, turned["direction"], turned["p_documents"]) == (True, "a", None)


def test_documents_that_agree_with_the_row_have_its_direction_and_no_note():
    plain = [[["b"] * 40]] * 6
    found = contrast(corpus([[["a"] * 5 + ["b"] * 35]] * 6), corpus(plain))
    row = found.words.row(by_predicate=pl.col("word") == "a", named=True)
    assert (row["direction"], row["note"]) == ("a", None)
    assert "No p (documents)" not in text_of(contrast_document(found, most=10))
    again = type(found).from_json(found.to_json())
    assert again.words["note"].to_list() == found.words["note"].to_list()


@pytest.mark.parametrize("burst", [0.3, None])
@pytest.mark.parametrize(("n_a", "length_a", "n_b", "length_b"), [(5, 500, 20, 3000), (10, 3000, 40, 500)])
def test_the_test_keeps_its_level_where_one_side_has_longer_documents(n_a, length_a, n_b, length_b, burst):
    random = np.random.default_rng(4)
    is_a = np.arange(n_a + n_b) < n_a
    sizes = np.where(is_a, length_a, length_b)
    rates = random.gamma(burst, 1 / burst, size=(400, n_a + n_b)) if burst else np.ones((400, n_a + n_b))
    counts = random.poisson(rates * sizes * 0.0005)
    words, documents = np.nonzero(counts)
    p = document_p_values(words, documents, counts[words, documents], sizes, is_a, n_words=400, draws=199, seed=1)
    assert np.mean(p <= 0.05) <= 0.06


def test_few_documents_are_said_and_many_are_not():
    one, ten = corpus([[["a", "b"]]]), corpus([[["a", "b"]], [["a"]]] * 5)
    found = contrast(one, one)
    assert [warning.code for warning in found.warnings] == ["few_documents"]
    assert found.words["p_documents"].to_list() == [None, None]
    assert contrast(ten, ten).warnings == ()


def test_parts_of_one_corpus_are_two_corpora():
    documents = [[["a", "b"]], [["a", "a"]], [["c"]], [["b", "c"]]]
    whole = corpus(documents, year=("1990", "1995", "2001", "2010"), genre=("x", "y", "x", "y"))
    expected = contrast(corpus(documents[:2]), corpus(documents[2:]))
    for parts in ((["1990..1999"], []), (["1990", "1995"], ["2000..2020"])):
        found = contrast(whole, by="year", parts=parts)
        assert found.words.equals(expected.words)
    assert found.a.name == "year 1990, 1995"
    assert contrast(whole, by="genre").words.equals(contrast(corpus(documents[::2]), corpus(documents[1::2])).words)
    for options, words in (
        ({"by": "month"}, "property of the documents"),
        ({"by": "year"}, "4 values of year"),
        ({"by": "year", "parts": (["1800"], [])}, "No document has year 1800"),
        ({"by": "year", "parts": (["1990..x"], [])}, "no range"),
        ({"by": "year", "parts": (["1990"], ["1990..1999"])}, "both sides"),
        ({}, "two corpora"),
    ):
        with pytest.raises(InvalidInputError, match=words):
            contrast(whole, **options)


def test_a_table_of_counts():
    table = pl.DataFrame({"verb": ["x", "y", "z"], "one": [8, 1, 5], "two": [1, 8, 5]})
    found = contrast_counts(table)
    assert (found.a.name, found.a.size, found.b.size) == ("one", 14, 14)
    strength = dict(found.words.select("word", "collostruction").iter_rows())
    assert strength["x"] == pytest.approx(-strength["y"])
    assert strength["x"] > 1
    for wrong, words in (
        (table.select("verb", "one"), "two of counts"),
        (table.with_columns(two=pl.lit("many")), "Row 1: two is 'many'"),
        (table.with_columns(two=pl.lit(-1)), "whole number"),
    ):
        with pytest.raises(InvalidInputError, match=words):
            contrast_counts(wrong)
    with pytest.raises(InvalidInputError, match="totals"):
        contrast_counts(table, totals=(10, 100))


@pytest.fixture
def folders(tmp_path):
    for side, line in (("old", "thou art here"), ("new", "you are here")):
        (tmp_path / side).mkdir()
        for k in range(4):
            (tmp_path / side / f"{k}.txt").write_text(f"{line}\n" * (k + 1))
    return tmp_path


def test_the_command(folders, concur):
    found = concur("contrast", folders / "old", folders / "new", "--json").json
    rows = {row["word"]: row for row in found["words"]}
    assert (rows["thou"]["f_a"], rows["thou"]["f_b"], rows["thou"]["log_ratio"]) == (10, 0, "inf")
    assert (rows["thou"]["log_ratio_conservative"] > 0, rows["you"]["log_ratio_conservative"] < 0) == (True, True)
    assert rows["thou"]["p_documents"] == pytest.approx(2 / 70)
    assert rows["here"]["p_documents"] == 1
    assert (found["a"]["name"], found["b"]["documents"]) == ("old", 4)
    shown = concur("contrast", folders / "old", folders / "new").out
    assert "More frequent in old" in shown
    assert "More frequent in new" in shown
    assert concur("contrast", folders / "old", folders / "new", "-o", folders / "c.csv").code == 0
    assert len((folders / "c.csv").read_text().splitlines()) == 6


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        ("old",),
        ("old", "new", "--by", "year"),
        ("old", "new", "--a", "x"),
        ("old", "--by", "path", "--b", "x"),
        ("old", "new", "--table", "x.csv"),
        ("old", "new", "--totals", "1,2"),
        ("old", "new", "--rule", "adjacent", "--node", "here"),
        ("old", "new", "--sort", "beauty"),
        ("old", "new", "--node", "nowhere"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(arguments, folders, concur, monkeypatch):
    monkeypatch.chdir(folders)
    refused = concur("contrast", *arguments)
    assert (refused.code, refused.err.count("\n")) == (2, 1), refused.err

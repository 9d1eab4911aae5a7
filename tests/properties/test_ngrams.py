"""Sequences are counted and scored as loops over all of them say."""

from math import copysign, log, log2, sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import Contingency, Pairs, count_pairs, evaluate, score
from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.core.sequences import SequenceTable, counts_of, key_of, subsets
from concurrence.core.spill import Spill
from concurrence.counting import ngrams
from concurrence.counting.count import CountOptions, count_any
from concurrence.measures.table import MEASURES
from support.counting_twins import SENTENCES
from support.examples import examples

SIZES = st.integers(2, 5)
GENERAL = {name: row for name, row in MEASURES.items() if row.sequences is not None}


def sequences_of(sentences, n, *, removed=(), longer=()):
    """Every sequence of n words, one after the other, unless it lies inside a longer one."""
    found = []
    for words in sentences:
        covered = {
            (at, at + len(row)) for row in longer for at in range(len(words)) if tuple(words[at : at + len(row)]) == row
        }
        for at in range(len(words) - n + 1):
            inside = any(begin <= at and at + n <= end for begin, end in covered)
            if not inside and not set(removed) & set(words[at : at + n]):
                found.append(tuple(words[at : at + n]))
    return found


def rows_of(found, n, least=1):
    """The rows of a table, slowly: each count is a look at all sequences."""
    rows = []
    for sequence in set(found):
        if found.count(sequence) >= least:
            counts = {"f": found.count(sequence), "N": len(found)}
            for places in subsets(n):
                name = "f" + "".join(map(str, places))
                counts[name] = sum(all(other[k - 1] == sequence[k - 1] for k in places) for other in found)
            rows.append((*sequence, *(counts[name] for name in counts_of(n))))
    return sorted(rows, key=lambda row: (-row[n], row[:n]))


@given(SENTENCES, SIZES, st.integers(1, 2), st.sampled_from([(), ("a",)]))
def test_sequences_are_counted_as_a_loop_counts_them(sentences, n, least, removed):
    pairs = count_pairs(Corpus.from_sentences(sentences), rule=f"ngram:{n}", min_freq=least, stop=removed)
    assert pairs.table.columns == [*key_of(n), *counts_of(n)]
    assert pairs.table.rows() == rows_of(sequences_of(sentences, n, removed=removed), n, least)


@given(SENTENCES, SIZES)
@examples(30)
def test_a_part_of_the_words_at_a_time_gives_the_same(tmp_path_factory, sentences, n):
    tokens, how = Corpus.from_sentences(sentences), CountOptions(rule=f"ngram:{n}")
    whole = count_any(tokens, how)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "AT_ONCE", 3)
        patch.setattr(ngrams, "BITS", 7)  # too few for all words at once, so that the first few get numbers
        parts = count_any(tokens, how)
    assert whole.pairs().table.equals(parts.pairs().table)
    assert whole.spectrum == parts.spectrum


@given(SENTENCES, SIZES, st.data())
def test_what_lies_inside_a_longer_sequence_is_not_counted(sentences, n, data):
    size = data.draw(st.integers(n + 1, 6))
    candidates = sorted(set(sequences_of(sentences, size))) or [("a",) * size]
    longer = data.draw(st.lists(st.sampled_from(candidates), max_size=3, unique=True))
    table = pl.DataFrame([dict(zip(key_of(size), row, strict=True)) for row in longer], schema=list(key_of(size)))
    nested = Pairs(table=table.with_columns(pl.col(pl.Null).cast(pl.String), f=1, f1=1, f2=1, N=1), key=key_of(size))
    pairs = count_pairs(Corpus.from_sentences(sentences), rule=f"ngram:{n}", nested_in=nested)
    assert pairs.table.rows() == rows_of(sequences_of(sentences, n, longer=longer), n)


@given(SENTENCES)
def test_sequences_of_two_are_neighbours(sentences):
    tokens = Corpus.from_sentences(sentences)
    assert count_pairs(tokens, rule="ngram:2").table.equals(count_pairs(tokens, rule="adjacent").table)


@st.composite
def cells(draw, n):
    found = [draw(st.integers(0, 30) | st.just(0)) for _ in range(2**n)]
    found[-1] += not any(found)
    return found


def margins(table, n):
    """The columns of counts from the cells, slowly."""
    counts = {"f": table[-1], "N": sum(table)}
    for places in subsets(n):
        inside = sum(1 << (k - 1) for k in places)
        name = "f" + "".join(map(str, places))
        counts[name] = sum(entry for number, entry in enumerate(table) if number & inside == inside)
    return counts


def by_definition(table, n):
    """Every measure as it is written down."""
    total = sum(table)
    shares = [sum(entry for number, entry in enumerate(table) if number & (1 << k)) / total for k in range(n)]
    expected = [
        total * np.prod([share if number & (1 << k) else 1 - share for k, share in enumerate(shares)])
        for number in range(2**n)
    ]
    evidence = 2 * sum(o * log(o / e) for o, e in zip(table, expected, strict=True) if o)
    interaction = sum((-1) ** (n - number.bit_count()) * log(o + 0.5) for number, o in enumerate(table))
    return {
        "frequency": table[-1],
        "log_likelihood": copysign(max(evidence, 0), table[-1] - expected[-1]),
        "MI": log2(table[-1] / expected[-1]) if table[-1] else None,
        "lambda": interaction,
        "lambda_z": interaction / sqrt(sum(1 / (o + 0.5) for o in table)),
    }


@given(SIZES, st.data())
def test_measures_of_sequences_are_their_definitions(n, data):
    table = data.draw(cells(n))
    t = SequenceTable.of({name: [count] for name, count in margins(table, n).items()}, n)
    assert t.cells.tolist() == [table]
    for name, value in by_definition(table, n).items():
        if value is not None:
            found = abs(GENERAL[name].sequences(t)[0]) if name == "log_likelihood" else GENERAL[name].sequences(t)[0]
            assert found == pytest.approx(abs(value) if name == "log_likelihood" else value, rel=1e-9, abs=1e-7), name


@pytest.mark.parametrize("name", GENERAL)
@given(st.data())
def test_a_sequence_of_two_scores_like_a_pair(name, data):
    table = data.draw(cells(2))
    counts = margins(table, 2)
    t = SequenceTable.of({key: [count] for key, count in counts.items()}, 2)
    pair = Contingency.from_signature(f=[counts["f"]], f1=counts["f1"], f2=counts["f2"], n=counts["N"])
    one, other = GENERAL[name].sequences(t), GENERAL[name](pair)
    if name == "log_likelihood":  # the sign of a difference that is none but for rounding
        one, other = np.abs(one), np.abs(other)
    np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-7, equal_nan=True)


@pytest.mark.parametrize("name", GENERAL)
@given(st.data())
def test_the_order_of_places_does_not_matter(name, data):
    table = data.draw(cells(3))
    order = data.draw(st.permutations(range(3)))
    moved = [0] * 8
    for number, entry in enumerate(table):
        moved[sum(1 << order[k] for k in range(3) if number & (1 << k))] = entry
    values = [
        GENERAL[name].sequences(SequenceTable(cells=np.array([c], dtype=float), size=3))[0] for c in (table, moved)
    ]
    assert abs(values[0]) == pytest.approx(abs(values[1]), rel=1e-9, abs=1e-7, nan_ok=True)


def test_independent_words_have_no_association():
    shares = ((3, 2), (4, 1), (2, 2))  # without and with the word, at each place
    table = [np.prod([pair[number >> k & 1] for k, pair in enumerate(shares)]) for number in range(8)]
    t = SequenceTable(cells=np.array([table], dtype=float), size=3)
    assert GENERAL["log_likelihood"].sequences(t)[0] == pytest.approx(0, abs=1e-9)
    assert GENERAL["MI"].sequences(t)[0] == pytest.approx(0, abs=1e-12)


ROSES = [["a", "red", "rose", "is", "a", "red", "rose"], ["the", "red", "rose"], ["a", "rose"]]


def test_sequences_go_through_score_and_evaluate():
    scored = score(count_pairs(Corpus.from_sentences(ROSES), rule="ngram:3"))
    assert scored.key == ("l1", "l2", "l3")
    assert set(GENERAL) <= set(scored.table.columns)
    gold = scored.table.select(*scored.key).with_columns(tp=pl.Series([1, 0, 0, 1, 0][: len(scored)]))
    found = evaluate(scored, gold, measures=["frequency", "MI"], n=[1, 2])
    assert found.measures["frequency"].precision[0] == 1


@pytest.mark.parametrize(
    ("names", "define", "words"),
    [
        ("t_score", (), "t_score has no published form for more than two words"),
        ("lambada", (), "Did you mean 'lambda'"),
        ("MI", ("own = O / E",), "A formula of your own is one of pairs"),
    ],
)
def test_measures_of_pairs_alone_are_refused(names, define, words):
    counted = count_pairs(Corpus.from_sentences(ROSES), rule="ngram:3")
    with pytest.raises(InvalidInputError, match=words):
        score(counted, names, define=define)


def test_impossible_counts_are_refused():
    table = count_pairs(Corpus.from_sentences(ROSES), rule="ngram:3").table
    with pytest.raises(InvalidInputError, match=r"row 1: .* are not the counts of a sequence"):
        Pairs(table=table.with_columns(f12=pl.col("N") + 1), key=key_of(3))
    with pytest.raises(InvalidInputError, match="need a column 'f13'"):
        Pairs(table=table.drop("f13"), key=key_of(3))


def test_what_does_not_fit_is_refused(tmp_path):
    tokens = Corpus.from_sentences([[f"w{k}" for k in range(60)]])
    with pytest.raises(InvalidInputError, match=r"58 sequences with their parts would take .* GB"):
        count_any(tokens, CountOptions(rule="ngram:3"), spill=Spill(budget=1000, folder=tmp_path))


@given(SENTENCES)
@examples(30)
def test_examples_hold_the_sequence(sentences):
    table = count_pairs(Corpus.from_sentences(sentences), rule="ngram:3", examples=2).table
    for row in table.iter_rows(named=True):
        words = " ".join((row["l1"], row["l2"], row["l3"]))
        assert 1 <= len(row["examples"]) <= min(2, row["f"])
        assert all(f" {words} " in f" {text} " for text in row["examples"])

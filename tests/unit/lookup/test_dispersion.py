"""Dispersion: the published example, a slow twin, and what must hold."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.api.words import words
from concurrence.corpus.reader import read_corpus
from concurrence.kernels.dispersion import NAMES, average_reduced_frequency, dispersion
from support.dispersion_twins import slow, slow_arf

COUNTS = np.array([2, 0, 1, 1, 3, 0, 3, 0, 0, 0])
SIZES = np.array([8143, 8058, 8271, 8125, 7959, 7941, 8146, 8001, 8003, 7930])


def of_one(counts, sizes):
    (parts,) = np.nonzero(counts)
    found = dispersion(np.zeros(len(parts), dtype=np.int64), parts, counts[parts], sizes, n_words=1)
    return {name: float(column[0]) for name, column in found.items()}


def test_the_figures_of_the_r_package_tlda():
    """Sönning's tlda prints 1 - dp = .5009 for this word, as it turns DP round."""
    found = of_one(COUNTS, SIZES)
    expected = {
        "range": 0.5,
        "juilland_d": 0.60388,
        "carroll_d2": 0.65214,
        "rosengren_s": 0.47637,
        "dp": 0.49907,
        "dp_norm": 0.55355,
        "da": 0.30816,
        "dkl": 0.46651,
    }
    assert {name: round(value, 5) for name, value in found.items()} == expected


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(10, 90)), min_size=2, max_size=8))
def test_every_measure_is_its_definition(parts):
    counts, sizes = (np.array(column) for column in zip(*parts, strict=True))
    if not counts.sum():
        assert all(np.isnan(value) for value in of_one(counts, sizes).values())
        return
    assert of_one(counts, sizes) == pytest.approx(slow(counts.tolist(), sizes.tolist()), abs=1e-9)


@given(st.integers(1, 5), st.lists(st.integers(1, 50), min_size=2, max_size=8))
def test_an_even_word_is_even_for_every_measure(times, shares):
    sizes = np.array(shares) * 100
    found = of_one(np.array(shares) * times, sizes)
    assert found == pytest.approx({name: float(name not in ("dp", "dp_norm")) for name in NAMES}, abs=1e-6)


@given(st.lists(st.integers(0, 29), min_size=1, max_size=8, unique=True))
def test_the_reduced_frequency_is_its_definition(places):
    places, n = sorted(places), 30
    found = average_reduced_frequency(np.zeros(len(places), dtype=np.int64), np.array(places), n, n_words=1)
    assert found[0] == pytest.approx(slow_arf(places, n))


DOCUMENTS = st.lists(
    st.lists(st.lists(st.sampled_from("aAb."), min_size=1, max_size=5), min_size=1, max_size=3), min_size=1, max_size=4
)


@given(DOCUMENTS, st.booleans())
def test_words_of_a_corpus_with_documents(tmp_path_factory, documents, lower):
    folder = tmp_path_factory.mktemp("documents")
    for k, sentences in enumerate(documents):
        (folder / f"{k}.txt").write_text("".join(f"{' '.join(one)}\n" for one in sentences))
    counted = [Counter(word.lower() if lower else word for one in sentences for word in one) for sentences in documents]
    found = {row["word"]: row for row in words(read_corpus(folder), lower=lower).words.iter_rows(named=True)}
    assert {word: row["f"] for word, row in found.items()} == dict(sum(counted, Counter()))
    if len(documents) == 1:
        assert all(row["juilland_d"] is None and row["dp"] == 0 for row in found.values())
        return
    sizes = [sum(one.values()) for one in counted]
    for word, row in found.items():
        expected = slow([one[word] for one in counted], sizes)
        assert {name: row[name] for name in expected} == pytest.approx(expected, abs=1e-9)


def test_the_command_lists_every_word(concur, tmp_path):
    (tmp_path / "1.txt").write_text("a b a\n")
    (tmp_path / "2.txt").write_text("a c\n")
    found = concur("words", tmp_path, "--json").json
    assert [(row["word"], row["f"], row["range"]) for row in found["words"]] == [
        ("a", 3, 1),
        ("b", 1, 0.5),
        ("c", 1, 0.5),
    ]
    assert (found["tokens"], found["documents"], found["types"]) == (5, 2, 3)
    assert [
        row["word"] for row in concur("words", tmp_path, "--json", "--sort", "word", "--top", "2").json["words"]
    ] == ["a", "b"]
    assert [row["word"] for row in concur("words", tmp_path, "--json", "--min-freq", "2").json["words"]] == ["a"]
    assert "Juilland's D" in concur("words", tmp_path).out
    assert concur("words", tmp_path, "--sort", "beauty").code == 2
    assert (tmp_path / "w.csv").exists() is False
    concur("words", tmp_path / "1.txt", "-o", tmp_path / "w.csv")
    assert (tmp_path / "w.csv").read_text().splitlines()[1].startswith("a,2,1")


def test_the_most_evenly_spread_words_come_first(tmp_path):
    for name, text in (("1.txt", "a a b c c c\n"), ("2.txt", "a a b d d d\n")):
        (tmp_path / name).write_text(text)
    for measure in NAMES:
        assert words(read_corpus(tmp_path), sort=measure).words["word"].to_list() == ["a", "b", "c", "d"]
    assert words(read_corpus(tmp_path), sort="word", top=2).words["word"].to_list() == ["a", "b"]

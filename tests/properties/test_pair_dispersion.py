"""The dispersion of pairs is that of their occurrences, by every rule, and ranks lists in the right direction."""

from collections import defaultdict
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.api.counting import count_pairs
from concurrence.core import InvalidInputError
from concurrence.core.corpus import Corpus, Documents
from concurrence.core.layers import Layer, Vocabulary
from concurrence.core.spill import Spill
from concurrence.counting import document_spread as spread
from concurrence.counting.count import CountOptions, count_to_rows
from concurrence.kernels.dispersion import COLUMNS, SMALLEST_FIRST
from concurrence.kernels.ranking import rank_candidates
from concurrence.measures.scoring import score
from support.dispersion_twins import slow, slow_arf

DOCUMENTS = st.lists(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=6), min_size=1, max_size=3), min_size=2, max_size=4
)
RULES = ("adjacent", "window-pairs:3", "window:2", "sentence", "pos:NOUN VERB")
TAGS = {"a": "NOUN", "b": "NOUN", "c": "VERB", "d": "VERB"}


def tokens_of(documents):
    tokens = Corpus.from_sentences([sentence for document in documents for sentence in document])
    sizes = [sum(len(sentence) + 1 for sentence in document) for document in documents]
    starts = np.cumsum(sizes) - sizes
    form = tokens.layers["form"]
    of_word = np.array([int(TAGS[word] == "VERB") for word in form.words] + [-1], dtype=np.int32)
    pos = Layer(codes=of_word[form.codes], vocabulary=Vocabulary.of(["NOUN", "VERB"]))
    names = tuple(f"d{k}" for k in range(len(documents)))
    return replace(tokens, layers={"form": form, "pos": pos}, documents=Documents(starts=starts, names=names))


def pairs_in(words, rule, stop):
    """Pairs of a sentence, each with the place of the word it is counted at."""
    name, _, span = rule.partition(":")
    if name == "sentence":
        kept = sorted(set(words) - stop)
        return [((one, two), 0) for k, one in enumerate(kept) for two in kept[k + 1 :]]
    found = []
    for i, one in enumerate(words):
        for j, two in enumerate(words):
            if {one, two} & stop:
                continue
            if name in ("adjacent", "window-pairs") and 1 <= j - i <= (int(span) if span else 1):
                found.append(((one, two), i))
            if name == "pos" and j == i + 1 and (TAGS[one], TAGS[two]) == ("NOUN", "VERB"):
                found.append(((one, two), i))
            if name == "window" and one != two and abs(i - j) <= int(span):
                found.append(((one, two), j))
    return list(set(found)) if name == "window" else found


def obvious(documents, rule, stop):
    """Counts by document and places of every pair; a place is a token, or a sentence where these are counted."""
    counts, places = defaultdict(lambda: [0] * len(documents)), defaultdict(list)
    by_sentence, at, sizes = rule == "sentence", 0, []
    for number, document in enumerate(documents):
        before = at
        for words in document:
            for pair, place in pairs_in(words, rule, stop):
                counts[pair][number] += 1
                places[pair].append(at + place)
            at += 1 if by_sentence else len(words)
        sizes.append(at - before)
    return {pair: {**slow(counts[pair], sizes), "arf": slow_arf(places[pair], at)} for pair in counts}


@pytest.mark.parametrize("rule", RULES)
@given(documents=DOCUMENTS, stop=st.sets(st.sampled_from("ab"), max_size=1))
def test_dispersion_is_that_of_the_occurrences(rule, documents, stop):
    table = count_pairs(tokens_of(documents), rule=rule, dispersion=True, stop=stop).table
    expected = obvious(documents, rule, stop)
    assert {(row["l1"], row["l2"]) for row in table.iter_rows(named=True)} == set(expected)
    for row in table.iter_rows(named=True):
        one = expected[row["l1"], row["l2"]]
        assert {name: row[name] for name in one} == pytest.approx(one, abs=1e-9)


@pytest.mark.parametrize("rule", RULES)
@given(documents=DOCUMENTS)
def test_nothing_else_changes_and_neither_batches_nor_disks_matter(rule, tmp_path_factory, documents):
    tokens = tokens_of(documents)
    plain, known = (count_pairs(tokens, rule=rule, dispersion=wanted).table for wanted in (False, True))
    assert known.drop(COLUMNS).equals(plain)
    how = CountOptions(rule=rule, dispersion=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spread, "AT_ONCE", 2)
        spilled = (
            count_to_rows(tokens, how, spill=Spill(budget=1, folder=tmp_path_factory.mktemp("spill"))).pairs().table
        )
        least = count_pairs(tokens, rule=rule, dispersion=True, min_freq=2).table
    assert spilled.equals(known)
    assert least.equals(known.filter(pl.col("f") >= 2))


def test_one_document_is_no_dispersion_and_several_are_no_warning():
    one = Corpus.from_sentences([["a", "b"], ["a", "b"]])
    (warning,) = count_to_rows(one, CountOptions(dispersion=True)).warnings
    assert warning.code == "single_document"
    assert count_to_rows(one, CountOptions()).warnings == ()
    two = tokens_of([[["a", "b"]], [["a", "b"]]])
    assert count_to_rows(two, CountOptions(dispersion=True)).warnings == ()
    assert count_pairs(one, dispersion=True).table["juilland_d"].to_list() == [None]


def test_what_is_spread_evenly_ranks_first():
    """Of dp and dp_norm the smallest, of all others the largest."""
    even, uneven = [["a", "b"]] * 2, [["c", "d"]] * 2
    table = count_pairs(tokens_of([[*even, *uneven], even, even]), dispersion=True, min_freq=2).table
    assert table["l1"].to_list() == ["a", "c"]
    for name in COLUMNS:
        assert rank_candidates(table, [name])[name].ranks.tolist() == [1, 2], name
        assert rank_candidates(table, [name], within=1)[name].ranks.tolist() == [1, 2], name
        assert (table[name][0] < table[name][1]) == (name in SMALLEST_FIRST)


@pytest.fixture
def folder(tmp_path):
    for name, text in {"1": "a b\na b\nc d\nc d\nc d\n", "2": "a b\n", "3": "a b\ne f\n"}.items():
        (tmp_path / f"{name}.txt").write_text(text)
    return tmp_path


def test_the_commands_rank_by_dispersion(folder, concur):
    assert concur("pairs", folder, "--dispersion", "-o", folder / "pairs.csv").code == 0
    scored = concur("score", folder / "pairs.csv", "-m", "dp,MI")
    assert scored.code == 0
    assert [line.split()[:2] for line in scored.out.splitlines() if line[:2] in ("a ", "c ", "e ")] == [
        ["a", "b"],
        ["c", "d"],
        ["e", "f"],
    ]
    concur("score", folder / "pairs.csv", "-m", "MI", "-o", folder / "scored.csv")
    (folder / "gold.csv").write_text("l1,l2,tp\na,b,1\nc,d,0\ne,f,0\n")
    found = concur(
        "evaluate", folder / "scored.csv", "--gold", folder / "gold.csv", "-m", "dp,arf", "--n", "1", "--json"
    ).json
    assert [found["measures"][name]["precision"] for name in ("dp", "arf")] == [[1], [1]]
    assert [one["code"] for one in found["sentences"]].count("smallest_first") == 1
    plain = concur(
        "evaluate", folder / "scored.csv", "--gold", folder / "gold.csv", "-m", "MI,arf", "--n", "1", "--json"
    ).json
    assert "smallest_first" not in [one["code"] for one in plain["sentences"]]
    drawn = concur(
        "sample", folder / "scored.csv", "--design", "union", "--best", "1", "-m", "dp", "--size", "1",
        "-o", folder / "sample.csv",
    )  # fmt: skip
    assert drawn.code == 0
    assert (folder / "sample.csv").read_text().splitlines()[1].startswith("a,b,")


def test_a_data_set_of_ucs_ranks_the_same(folder, concur):
    concur("pairs", folder, "--dispersion", "-o", folder / "pairs.ds")
    scored = concur("score", folder / "pairs.ds", "-m", "dp,MI", "--json").json
    assert scored["measures"] == ["am.dp", "MI"]
    assert "am.dp" in concur("score", folder / "pairs.ds", "-m", "dp").out
    (folder / "gold.csv").write_text("l1,l2,tp\na,b,1\nc,d,0\ne,f,0\n")
    for name in ("dp", "am.dp.norm"):
        found = concur(
            "evaluate", folder / "pairs.ds", "--gold", folder / "gold.csv", "-m", name, "--n", "1", "--json"
        ).json
        assert [curve["precision"] for curve in found["measures"].values()] == [[1]]


def test_a_threshold_of_dp_keeps_the_smallest(folder, concur):
    concur("pairs", folder, "--dispersion", "-o", folder / "pairs.csv")
    (folder / "gold.csv").write_text("l1,l2,tp\na,b,1\nc,d,0\ne,f,0\n")
    found = concur(
        "evaluate", folder / "pairs.csv", "--gold", folder / "gold.csv", "-m", "dp", "--n", "2",
        "--threshold", "dp=0.3", "--json",
    ).json  # fmt: skip
    (sentence,) = [one["text"] for one in found["sentences"] if one["code"] == "threshold"]
    assert sentence == "DP <= 0.3 keeps 1 candidates; see n = 1."


def test_what_cannot_be_had_is_one_sentence(folder, concur):
    concur("pairs", folder, "-o", folder / "plain.csv")
    refused = concur("score", folder / "plain.csv", "-m", "dp")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "--dispersion" in refused.err
    with pytest.raises(InvalidInputError, match="--dispersion"):
        score(count_pairs(Corpus.from_sentences([["a", "b"]])), "dp")
    for options in (("--partial", "-o", folder / "x.parquet"), ("--engine", "spark")):
        refused = concur("pairs", folder, "--dispersion", *options)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert "--dispersion" in refused.err

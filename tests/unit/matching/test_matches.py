import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence.api.evaluation import match
from concurrence.core.errors import InvalidInputError
from concurrence.matching.sentences import Annotated


def corpus(rows, **more):
    columns = {name: [row[k] for row in rows] for k, name in enumerate(("id", "text", "word"))}
    return pl.DataFrame({**columns, "label": [f"s{row[0]}" for row in rows], **more})


def common_subsequence(a, b):
    """The textbook table."""
    lengths = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            lengths[i + 1][j + 1] = lengths[i][j] + 1 if x == y else max(lengths[i][j + 1], lengths[i + 1][j])
    return lengths[-1][-1]


def bare(text):
    return text.replace(".", "").replace("-", "").split()


def obvious_match(left, right, threshold):
    """Every left sentence with every right one, best first."""
    pairs = []
    for i, (a_id, a, word) in enumerate(left):
        for b_id, b, other in right:
            if word == other:
                exact = bare(a) == bare(b)
                share = 1.0 if exact else common_subsequence(a.split(), b.split()) / len(a.split())
                if share >= threshold:
                    pairs.append((not exact, -share, a_id, b_id, i))
    taken, found = set(), []
    for close, share, a_id, b_id, _ in sorted(pairs):
        if ("l", a_id) not in taken and ("r", b_id) not in taken:
            taken |= {("l", a_id), ("r", b_id)}
            found.append((a_id, b_id, "close" if close else "exact", -share))
    return found


texts = st.lists(st.sampled_from(["a", "b", "c", "d.", "d", "-", "e-f", "ef"]), min_size=1, max_size=9).map(" ".join)
sides = st.lists(st.tuples(texts, st.sampled_from(["x", "y"])), max_size=12).map(
    lambda rows: [(str(n), text, word) for n, (text, word) in enumerate(rows, start=5)]
)


@given(sides, sides, st.sampled_from([0.5, 0.6, 0.75, 0.8, 1.0]))
def test_the_index_finds_exactly_what_comparing_all_pairs_finds(left, right, threshold):
    schema = dict.fromkeys(("id", "text", "word", "label"), pl.String)
    a, b = (corpus(rows).cast(schema) if rows else pl.DataFrame(schema=schema) for rows in (left, right))
    table = match(a, b, similarity=threshold).table
    found = list(table.select("left_id", "right_id", "kind", "similarity").iter_rows())
    assert sorted(found) == sorted(obvious_match(left, right, threshold))


def planted(seed=3, n=40):
    """Sentences of 20 words with known partners: identical, punctuation changed, a fifth dropped, decoys at 70 %."""
    rng = np.random.default_rng(seed)
    left, right, truth = [], [], {}
    for k in range(n):
        words = [f"w{w}" for w in rng.permutation(5000)[:20]]
        left.append((f"l{k:02}", " ".join(words), f"t{k % 3}"))
        kind = k % 4
        if kind == 0:
            other = words
        elif kind == 1:
            other = [*words[:3], words[3] + ".", "-", *words[4:]]
        elif kind == 2:
            gone = set(rng.permutation(20)[:4].tolist())
            other = [w for i, w in enumerate(words) if i not in gone]
        else:
            other = [f"z{i}" if i in set(range(0, 18, 3)) else w for i, w in enumerate(words)]
        right.append((f"r{k:02}", " ".join(other), f"t{k % 3}"))
        truth[f"l{k:02}"] = (f"r{k:02}", ("exact", "exact", "close", None)[kind])
    return left, [right[i] for i in rng.permutation(n)], truth


def test_planted_pairs_are_found_and_decoys_are_not():
    left, right, truth = planted()
    matches = match(corpus(left), corpus(right))
    found = {a: (b, kind) for a, b, kind in matches.table.select("left_id", "right_id", "kind").iter_rows()}
    assert found == {a: pair for a, pair in truth.items() if pair[1] is not None}
    assert (matches.exact, matches.close, matches.unmatched_left, matches.unmatched_right) == (20, 10, 10, 10)
    assert set(matches.table.filter(kind="close")["similarity"]) == {0.8}


def test_only_exact_and_verified_matches_enter_the_labels():
    left, right, _ = planted()
    matches = match(corpus(left), corpus(right))
    assert len(matches.labels()) == 2 * matches.exact
    close = matches.table.filter(kind="close").with_columns(
        verified=pl.Series(["yes", "no"] + [None] * 8, dtype=pl.String)
    )
    decided = matches.verify(close)
    assert (decided.accepted, decided.rejected, decided.undecided) == (21, 1, 8)
    assert decided.labels()["item"].n_unique() == 21
    assert decided.accept_close().labels()["item"].n_unique() == 29
    assert decided.labels().columns == ["item", "coder", "label", "word"]
    assert decided.labels()["coder"].to_list()[:2] == ["left", "right"]


def test_a_decision_on_a_pair_that_is_no_match_is_refused():
    left, right, _ = planted()
    matches = match(corpus(left), corpus(right))
    decisions = pl.DataFrame({"left_id": ["l00"], "right_id": ["nobody"], "verified": ["yes"]})
    with pytest.raises(InvalidInputError, match="'l00' and 'nobody' are not a pair"):
        matches.verify(decisions)
    with pytest.raises(InvalidInputError, match="yes, no or empty, not 'perhaps'"):
        matches.verify(decisions.with_columns(verified=pl.lit("perhaps")))


def test_positions_tell_two_occurrences_in_one_sentence_apart():
    left = corpus([("a", "run - and run .", "run"), ("b", "run - and run .", "run")], position=["0", "3"])
    right = corpus([("x", "run and run", "run"), ("y", "run and run", "run")], position=["2", "0"])
    found = match(left, right).table.select("left_id", "right_id").rows()
    assert found == [("a", "y"), ("b", "x")]
    assert match(left[:1], right[:1]).table.is_empty()


def test_tokens_may_be_lists():
    left = pl.DataFrame({"id": ["1"], "tokens": [["He", "ran"]], "word": ["run"], "label": ["a"]})
    right = pl.DataFrame({"id": ["1"], "tokens": ['["He", "ran", "."]'], "word": ["run"], "label": ["b"]})
    assert match(left, right).exact == 1


def test_labels_are_converted_then_dropped():
    side = Annotated.from_frame(corpus([("1", "a", "w"), ("2", "b", "w"), ("3", "c", "w")]), name="left.csv")
    converted = side.convert({"s1": "new", "s2": "0"}, drop=["0", "s3"])
    assert converted.table["label"].to_list() == ["new"]
    assert converted.dropped == 2
    with pytest.raises(InvalidInputError, match=r"left.csv, row 3: the map has no entry for the label 's3'"):
        side.convert({"s1": "new", "s2": "0"})


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (corpus([("1", "a", "w"), ("2", "b", "w"), ("1", "c", "w")]), "row 3: row 1 has the same id '1'"),
        (corpus([("1", "a", "w")]).drop("word"), "has no column 'word'; its columns are id, text, label"),
        (corpus([("1", None, "w")]), "row 1: the text is missing"),
        (corpus([("1", "a", "w")], position=["x"]), "row 1: the position must be a whole number"),
    ],
)
def test_a_bad_side_is_refused_in_words(frame, sentence):
    with pytest.raises(InvalidInputError, match=sentence):
        match(frame, corpus([("1", "a", "w")]))


def test_the_share_must_be_one():
    with pytest.raises(InvalidInputError, match="above 0 and at most 1"):
        match(corpus([("1", "a", "w")]), corpus([("1", "a", "w")]), similarity=1.5)

"""A corpus in splits is the corpus: the same tokens wherever it is cut, and the same counts under every rule."""

import gzip
import random

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import read_corpus
from concurrence.core.errors import InvalidInputError
from concurrence.corpus.splits import SplitReader, cut_splits, plan_splits
from concurrence.counting.count import CountOptions, count_to_rows
from concurrence.counting.spark.partial import Bucket, bucket_of, hash_words
from concurrence.counting.stream import Filters
from support.clusters import conllu_text, count_by_hand, splits_of, vrt_text
from support.examples import examples

ALL = frozenset({"form", "lemma", "pos", "xpos", "deprel", "head"})
RULES = {
    "txt": ("adjacent", "window:2", "window-pairs:3", "sentence"),
    "conllu": (
        *("dep:obj", "pos:A N", "pos:X1 .{0,2} N", "within:s", "within:clause", "pos:Q .{0,1} N"),
        'pos:[pos="NOUN"] []{0,2} [pos!="ADP"]',
        'pos:a:[pos="N.*"] ([]? | [lower="b"])+ c:[lemma=".*"] => a, c',
    ),
    "vrt": (
        "within:clause",
        "within:s: <chapter head> & <vc head>",
        "within:chapter: <pp> & <vc>",
        "within:s: <rare> & <pp>",
        'pos:[pos=".*"] []{0,2} [word!="x"] within clause',
    ),
}


def text_of(kind, size, seed):
    if kind == "conllu":
        return conllu_text(size, seed)
    if kind == "vrt":
        return vrt_text(size, seed)
    draw = random.Random(seed)
    return "\n".join(" ".join(draw.choices(["a", "b", "é", "zz", "ß"], k=draw.randrange(9))) for _ in range(size))


def sentences_of(tokens):
    """Every sentence as a list of tokens, each with all its attributes and the place of its head inside."""
    found, start = [], 0
    columns = {name: (layer.codes.tolist(), layer.words.to_list()) for name, layer in tokens.layers.items()}
    for place, code in enumerate(columns["form"][0]):
        if code == -1:
            heads = [None if tokens.heads is None else int(tokens.heads[k]) for k in range(start, place)]
            inside = [h if h is None or h < 0 else h - start for h in heads]
            words = [
                {n: words[codes[k]] if codes[k] >= 0 else None for n, (codes, words) in columns.items()}
                for k in range(start, place)
            ]
            found.append(list(zip(words, inside, strict=True)))
            start = place + 1
    return found


@pytest.mark.parametrize("kind", RULES)
@examples(30)
@given(size=st.integers(1, 12), seed=st.integers(0, 99), most=st.integers(20, 900))
def test_splits_hold_every_sentence_once_and_whole(kind, size, seed, most, tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / f"c.{kind}"
    path.write_text(text_of(kind, size, seed), "utf-8")
    reader = SplitReader(attributes=ALL)
    parts = [reader(split) for split in splits_of(path, reader, most)]
    assert [s for part in parts for s in sentences_of(part)] == sentences_of(read_corpus(path, attributes=ALL))


@pytest.mark.parametrize(("kind", "rule"), [(kind, rule) for kind, rules in RULES.items() for rule in rules])
@examples(15)
@given(size=st.integers(8, 20), seed=st.integers(0, 99), most=st.integers(100, 1500), salt=st.integers(0, 3))
def test_sums_over_splits_are_the_counts_of_the_whole(kind, rule, size, seed, most, salt, tmp_path_factory):
    path = tmp_path_factory.mktemp("corpus") / f"c.{kind}"
    path.write_text(text_of(kind, size, seed), "utf-8")
    unit = "form" if kind == "txt" else "lemma"
    how = CountOptions(rule=rule, unit=unit, lower=True, min_freq=2, filters=Filters(stop=frozenset({"b"})))
    whole = count_to_rows(read_corpus(path), how)
    rows, spectrum = count_by_hand(path, how, most=most, salt=salt)
    assert rows == whole.pairs().table.select("l1", "l2", "f", "f1", "f2").rows()
    assert int(spectrum.sum()) == sum(level.pairs for level in whole.spectrum)


@given(rows=st.dictionaries(st.tuples(st.integers(0, 40), st.integers(0, 999)), st.integers(1, 10**9), min_size=1))
def test_a_bucket_is_the_same_after_the_way_through_bytes(rows):
    numbers = np.sort(np.random.default_rng(0).integers(0, 2**63, 1000).astype(np.uint64))
    keys = sorted(rows)
    left, right = (np.array([key[side] for key in keys]) for side in (0, 1))
    f = np.array([rows[key] for key in keys])
    bucket = Bucket.unpacked(bucket_of(numbers, left, right, f).packed())
    assert np.repeat(bucket.left, bucket.sizes).tolist() == numbers[left].tolist()
    assert bucket.right[bucket.rights].tolist() == numbers[right].tolist()
    assert bucket.f.tolist() == f.tolist()
    assert len(set(bucket.right.tolist())) == len(bucket.right)


def test_a_structure_over_a_cut_stays_one(tmp_path):
    path = tmp_path / "c.vrt"
    path.write_text(vrt_text(30), "utf-8")
    reader = SplitReader(attributes=ALL)
    splits = splits_of(path, reader, 300)
    assert any(b"<chapter" in split.before for split in splits)
    path.write_text(vrt_text(30).replace("</chapter>\n", "", 1), "utf-8")
    with pytest.raises(InvalidInputError, match="<chapter> is never closed"):
        splits_of(path, reader, 300)


def test_a_broken_line_keeps_its_number(tmp_path):
    path = tmp_path / "c.txt"
    path.write_bytes(b"a b\n" * 100 + b"\xff\n" + b"a b\n" * 100)
    reader = SplitReader(attributes=ALL)
    with pytest.raises(InvalidInputError, match="line 101: not valid"):
        [reader(split) for split in splits_of(path, reader, 50)]


def test_what_cannot_be_cut_is_one_split(tmp_path):
    (tmp_path / "a.txt.gz").write_bytes(gzip.compress(b"a b\nc d\n"))
    (tmp_path / "b.txt").write_text("a b\nc d\n", "utf-16")
    packed = cut_splits(plan_splits([str(tmp_path / "a.txt.gz")], format_=None, encoding="utf-8"), 3)
    wide = cut_splits(plan_splits([str(tmp_path / "b.txt")], format_=None, encoding="utf-16"), 3)
    assert [len(packed), len(wide)] == [1, 1]
    reader = SplitReader(attributes=ALL)
    assert sentences_of(reader(packed[0])) == sentences_of(reader(wide[0]))


def test_addresses_are_read_like_paths(tmp_path):
    (tmp_path / "a.txt").write_text("a b\n")
    (tmp_path / "b.txt").write_text("c d\n")
    for address in (tmp_path.as_uri(), f"{tmp_path.as_uri()}/*.txt"):
        files = plan_splits([address], format_=None, encoding="utf-8")
        assert [split.path for split in files] == [(tmp_path / name).as_uri() for name in ("a.txt", "b.txt")]
        assert SplitReader(attributes=ALL)(files[1]).n_tokens == 2
    with pytest.raises(InvalidInputError, match="does not exist"):
        plan_splits([f"{tmp_path.as_uri()}/nowhere.txt"], format_=None, encoding="utf-8")


def test_numbers_of_words_differ_and_follow_the_salt():
    words = pl.Series([f"word{k}" for k in range(10_000)] + ["", "a", "b", "ab"])
    numbers = hash_words(words, 0)
    assert len(set(numbers.tolist())) == len(words)
    assert not set(numbers.tolist()) & set(hash_words(words, 1).tolist())
    assert hash_words(words[::-1], 0).tolist() == numbers[::-1].tolist()

"""Treebanks with multiword expressions: read, and counted as a loop over their lines would."""

from collections import Counter

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concurrence
from concurrence.core import InvalidInputError
from concurrence.counting.mwe import ATTRIBUTES, marked_pairs

HEADER = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC PARSEME:MWE\n"
SMALL = (
    HEADER
    + """# source_sent_id = . . 1
1	They	they	PRON	_	_	2	nsubj	_	_	*
2	take	take	VERB	_	_	0	root	_	_	1:LVC.full
3	walks	Walk	NOUN	_	_	2	obj	_	_	1
4	and	and	CCONJ	_	_	5	cc	_	_	*
5	dogs	dog	NOUN	_	_	2	conj	_	_	*

# source_sent_id = . . 2
1-2	Tookwalk	_	_	_	_	_	_	_	_	*
1	Took	take	VERB	_	_	0	root	_	_	2:LVC.full;1:VID
2	walk	walk	NOUN	_	_	1	obj	_	_	1;2
2.1	him	he	NOUN	_	_	_	_	_	_	*
3	home	_	NOUN	_	_	1	obj	_	_	*

1	take	take	VERB	_	_	0	root	_	_	1:VID
2	dog	dog	NOUN	_	_	1	obj	_	_	2:VID
"""
)


def written(folder, text=SMALL, name="x.cupt"):
    (folder / name).write_text(text)
    return folder / name


def counted(path, **options):
    return marked_pairs(concurrence.read_corpus(path, attributes=ATTRIBUTES), **options)


def test_a_small_treebank(tmp_path):
    found = counted(written(tmp_path))
    assert found.rows.rows() == [
        ("take", "dog", 2, 4, 2, 4, 0, 0),
        ("take", "walk", 2, 4, 2, 4, 2, 1),
    ]
    assert (found.pairs, found.true_positives, found.n, found.marked) == (2, 1, 4, 2)
    assert "2 pairs by the rule" in str(found)


def test_half_of_the_occurrences_are_not_most(tmp_path):
    more = SMALL + "\n1\ttake\ttake\tVERB\t_\t_\t0\troot\t_\t_\t*\n2\twalk\twalk\tNOUN\t_\t_\t1\tobj\t_\t_\t*\n"
    rows = {row["l2"]: row for row in counted(written(tmp_path, more)).rows.iter_rows(named=True)}
    assert (rows["walk"]["f"], rows["walk"]["marked"], rows["walk"]["tp"]) == (3, 2, 1)
    rows = counted(written(tmp_path, more + more.split("\n\n")[-1].join(["\n", "\n"]))).rows
    assert rows.filter(pl.col("l2") == "walk").select("f", "marked", "tp").row(0) == (4, 2, 0)


def test_other_parts_of_speech(tmp_path):
    found = counted(written(tmp_path), dependent="NOUN|PRON")
    assert "they" in found.rows["l2"].to_list()
    assert counted(written(tmp_path), head="ADJ").pairs == 0


def test_a_cupt_file_is_a_corpus_like_any_other(tmp_path):
    tokens = concurrence.read_corpus(written(tmp_path))
    assert "mwe" not in tokens.layers
    plain = "\n".join(line.rpartition("\t")[0] if "\t" in line else line for line in SMALL.split("\n"))
    other = concurrence.read_corpus(written(tmp_path, plain, "x.conllu"))
    assert tokens.layers == other.layers
    assert tokens.heads.tolist() == other.heads.tolist()
    asked = concurrence.read_corpus(tmp_path / "x.cupt", attributes=["mwe"])
    assert asked.layers["mwe"].words.to_list()[:3] == ["*", "1:LVC.full", "1"]
    assert [line.node for line in concurrence.kwic(tmp_path / "x.cupt", "Took").lines] == ["Tookwalk"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SMALL.replace(" PARSEME:MWE", " OTHER:X"), "line 1: the columns are ID FORM"),
        (SMALL.replace("obj\t_\t_\t1\n", "obj\t_\t_\t_\n", 1), "not annotated"),
        (SMALL.replace("\t*\n", "\n"), "10 fields instead of 11"),
    ],
)
def test_what_is_no_annotated_treebank_is_refused(text, words, tmp_path):
    with pytest.raises(InvalidInputError, match=words):
        counted(written(tmp_path, text))


def test_a_corpus_without_expressions_is_refused(tmp_path):
    plain = "\n".join(line.rpartition("\t")[0] if "\t" in line else line for line in SMALL.split("\n"))
    with pytest.raises(InvalidInputError, match=r"no mwe; multiword expressions are read from \.cupt"):
        counted(written(tmp_path, plain, "x.conllu"))


def by_lines(text):
    """The obvious loop: sentence by sentence, word by word."""
    f, marked = Counter(), Counter()
    for block in text.split("\n\n"):
        lines = [line.split("\t") for line in block.split("\n") if "\t" in line]
        words = {line[0]: line for line in lines}
        for word in lines:
            head = words.get(word[6])
            if word[3] == "NOUN" and head is not None and head[3] == "VERB":
                pair = (head[2].lower(), word[2].lower())
                f[pair] += 1
                ids = [{part.split(":")[0] for part in one[10].split(";")} - {"*"} for one in (head, word)]
                marked[pair] += bool(ids[0] & ids[1])
    left, right = Counter(), Counter()
    for (l1, l2), count in f.items():
        left[l1] += count
        right[l2] += count
    n = sum(f.values())
    return {
        (*pair, k, left[pair[0]], right[pair[1]], n, marked[pair], int(marked[pair] > k / 2)) for pair, k in f.items()
    }


MARKS = st.sampled_from(["*", "*", "1:VID", "1", "2:LVC.full", "1;2", "2"])
WORDS = st.tuples(st.sampled_from(["a", "b", "Ä"]), st.sampled_from(["VERB", "NOUN", "DET"]), st.integers(0, 5), MARKS)


@given(st.lists(st.lists(WORDS, min_size=1, max_size=6), min_size=1, max_size=8))
def test_counts_are_those_of_the_obvious_loop(tmp_path_factory, sentences):
    text = HEADER
    for words in sentences:
        for place, (lemma, pos, head, mark) in enumerate(words, start=1):
            above = head if head <= len(words) and head != place else 0
            text += f"{place}\tx\t{lemma}\t{pos}\t_\t_\t{above}\tdep\t_\t_\t{mark}\n"
        text += "\n"
    path = written(tmp_path_factory.mktemp("bank"), text)
    found = counted(path)
    assert set(found.rows.iter_rows()) == by_lines(text)
    other = concurrence.count_pairs(
        concurrence.read_corpus(path), rule="dep:H[pos=VERB] > D[pos=NOUN] => H, D", unit="lemma", lower=True
    )
    same = ("l1", "l2", "f", "f1", "f2", "N")
    assert set(other.table.select(same).iter_rows()) == set(found.rows.select(same).iter_rows())


def test_the_command_makes_what_a_benchmark_takes(tmp_path, concur):
    marked = "".join(
        f"1\ttake\ttake{i}\tVERB\t_\t_\t0\troot\t_\t_\t{'1:VID' if i % 2 else '*'}\n"
        f"2\tdog\tdog{i % 5}\tNOUN\t_\t_\t1\tobj\t_\t_\t{'1' if i % 2 else '*'}\n\n"
        for i in range(30)
    )
    path = written(tmp_path, HEADER + marked)
    found = concur("mwe", path, "--json").json
    assert (found["pairs"], found["true_positives"], len(found["rows"])) == (30, 15, 30)
    assert concur("mwe", path, "-o", tmp_path / "x.csv").code == 0
    assert concurrence.read_pairs(tmp_path / "x.csv").counted.unit == "lemma"
    assert concur("benchmark", tmp_path / "x.csv", "-m", "frequency,MI", "--json").json["tables"]["x"]["n"] == [15]
    refused = concur("mwe", tmp_path / "none.cupt")
    assert (refused.code, refused.err.count("\n")) == (2, 1)

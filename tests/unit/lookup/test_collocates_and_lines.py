"""Collocates and concordances against counting and against the text itself."""

import json
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from concurrence.api.counting import count_pairs
from concurrence.api.words import collocates, kwic
from concurrence.core import InvalidInputError
from concurrence.core.corpus import Corpus
from concurrence.core.query import parse_query
from concurrence.core.rules import parse_rule
from concurrence.corpus.index import open_index
from concurrence.corpus.index_writer import join_corpora, write_index
from concurrence.corpus.reader import read_corpus
from concurrence.counting.pair_places import places
from concurrence.counting.stream import REMOVED, make_stream
from concurrence.kernels.matcher import Matcher, QueryMatches
from concurrence.lookup.collocates import count_collocates
from concurrence.report.pages.words import collocates_document
from concurrence.report.render.document import Chart
from support.examples import examples

WORDS = st.sampled_from(["a", "b", "c", "A", "de", "."])
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=8), min_size=1, max_size=8)


@given(SENTENCES, st.integers(1, 4), st.booleans())
def test_collocates_are_the_rows_of_pairs(sentences, span, lower):
    tokens = Corpus.from_sentences(sentences)
    rows = count_pairs(tokens, rule=f"window:{span}", lower=lower).table
    for node in ("a", "b", "."):
        expected = {row["l2"]: row for row in rows.filter(pl.col("l1") == node).iter_rows(named=True)}
        found = {row.word: row for row in collocates(tokens, node, span=span, lower=lower).collocates}
        assert set(found) == set(expected)
        for word, row in expected.items():
            one = found[word]
            assert (one.f, one.f1, one.f2, one.N, one.n1, one.n2) == tuple(
                row[name] for name in ("f", "f1", "f2", "N", "n1", "n2")
            )


@given(SENTENCES, st.integers(0, 3), st.integers(0, 3))
def test_a_span_may_differ_on_both_sides(sentences, left, right):
    if left + right == 0:
        return
    found = {
        row.word: row.f for row in collocates(Corpus.from_sentences(sentences), "a", span=(left, right)).collocates
    }
    near: dict[str, int] = {}
    for words in sentences:
        for place, word in enumerate(words):
            around = [*words[max(place - right, 0) : place], *words[place + 1 : place + 1 + left]]
            if word != "a" and "a" in around:
                near[word] = near.get(word, 0) + 1
    assert found == near


@given(SENTENCES)
def test_the_spread_is_where_the_node_stands(sentences):
    result = collocates(Corpus.from_sentences(sentences), "a")
    words = [word for sentence in sentences for word in (*sentence, "")]  # a place between sentences
    places = [100 * place // len(words) for place, word in enumerate(words) if word == "a"]
    assert result.spread == tuple(places.count(part) for part in range(100))
    assert any(isinstance(block, Chart) for block in collocates_document(result).sections[0].blocks) is bool(places)


def by_document(texts, tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder


def test_range_counts_documents_and_one_that_carries_a_word_is_named(tmp_path):
    texts = {"1.txt": "tea strong\n" * 6 + "tea mild\n", "2.txt": "tea mild\n" * 5, "3.txt": "tea mild\n" * 4}
    tokens = read_corpus(by_document(texts, tmp_path))
    result = collocates(tokens, "tea")
    assert {row.word: row.range for row in result.collocates} == {"strong": 1, "mild": 3}
    (warning,) = result.warnings
    assert warning.code == "one_document"
    assert "'strong'" in warning.text
    assert "'mild'" not in warning.text
    alone = read_corpus(tmp_path / "texts" / "1.txt")
    assert collocates(alone, "tea").warnings == ()


def test_collocates_by_part_of_speech_and_of_a_pattern(data_set):
    tokens = read_corpus(data_set("corpora/de_gsd-ud-test.conllu"))
    corpus = tokens
    lemma, pos = tokens.layers["lemma"], tokens.layers["pos"]
    nouns = collocates(corpus, "groß", unit="lemma", span=3, pos=("NOUN",))
    tags = {word: set() for word in (row.word for row in nouns.collocates)}
    for code, tag in zip(lemma.codes.tolist(), pos.codes.tolist(), strict=True):
        if code >= 0 and lemma.words[code] in tags:
            tags[lemma.words[code]].add(pos.words[tag])
    assert nouns.collocates
    assert all("NOUN" in seen for seen in tags.values())
    totals = sum(1 for tag in pos.codes.tolist() if tag >= 0 and pos.words[tag] == "NOUN")
    assert totals == nouns.collocates[0].N
    pattern = collocates(corpus, '[lemma="groß"]', unit="lemma", span=3)
    word = collocates(corpus, "groß", unit="lemma", span=3)
    assert [(row.word, row.f, row.f2) for row in pattern.collocates] == [
        (row.word, row.f, row.f2) for row in word.collocates
    ]


def places_of_pair(corpus, l1, l2, rule, *, lower):
    """Both positions of every occurrence, by way of counting: all other words are taken out of the positions."""
    rule = parse_rule(rule)
    stream = make_stream(corpus, lower=lower)
    is_first, is_second = (
        np.append((stream.words == word).to_numpy(), [False, False])[stream.codes] for word in (l1, l2)
    )
    codes = np.where(is_first | is_second | (stream.codes == -1), stream.codes, np.int32(REMOVED))
    parts = [(a, b) for a, b in places(codes, rule) if len(a)]
    left, right = (np.concatenate([np.zeros(0, dtype=np.int64), *(part[k] for part in parts)]) for k in (0, 1))
    if rule.name == "sentence":
        _, first = np.unique(corpus.sentence_of(left), return_index=True)
        return left[first], right[first]
    fits = is_first[left] & is_second[right]
    left, right = left[fits], right[fits]
    if rule.name == "window":  # distances come ascending: the first is the nearest node
        right, first = np.unique(right, return_index=True)
        left = left[first]
    return left, right


@given(SENTENCES, st.sampled_from(["adjacent", "window:1", "window:3", "window-pairs:2", "sentence"]), st.booleans())
def test_lines_of_a_pair_are_the_places_that_counting_finds(sentences, rule, lower):
    tokens = Corpus.from_sentences(sentences)
    for pair in (("a", "b"), ("b", "a"), ("a", "de"), ("a", "x")):
        left, right = places_of_pair(tokens, *pair, rule, lower=lower)
        found = kwic(tokens, *pair, rule=rule, lower=lower, lines=None)
        assert found.total == len(left)
        if rule != "sentence":
            sentence = np.searchsorted(tokens.sentences, np.sort(np.minimum(left, right)), side="right")
            assert [line.sentence for line in found.lines] == sentence.tolist()


@given(SENTENCES)
def test_the_three_parts_of_a_line_are_the_sentence(sentences):
    found = kwic(Corpus.from_sentences(sentences), "a", lines=None)
    assert [line.left + line.node + line.right for line in found.lines] == [
        " ".join(sentences[line.sentence - 1]) for line in found.lines
    ]
    assert found.total == sum(words.count("a") for words in sentences)


def test_text_is_shown_as_it_was_written(tmp_path, data_set):
    path = data_set("corpora/de_gsd-ud-test.conllu")
    texts = [line[9:].rstrip("\n") for line in path.read_text().splitlines() if line.startswith("# text = ")]
    tokens = read_corpus(path, keeps_text=True)
    write_index(tokens, tmp_path / "index")
    for corpus in (tokens, open_index(tmp_path / "index")):
        whole = [
            corpus.text(int(start), int(end) - 1)
            for start, end in zip(corpus.sentences, corpus.sentences[1:], strict=False)
        ]
        assert whole == texts
    lines = kwic(tmp_path / "index", "dem", lines=None).lines
    assert all(line.node for line in lines)  # "im" is shown for the "dem" in it
    assert {"im", "dem"} <= {line.node for line in lines}
    assert all(line.left + line.node + line.right == texts[line.sentence - 1] for line in lines)


def test_running_text_keeps_its_spacing(tmp_path):
    text = 'He said: "It\'s (very) late," and left.  Then - nothing...\n\nA new  paragraph; the end.'
    (tmp_path / "a.txt").write_text(text)
    tokens = read_corpus(tmp_path / "a.txt", format="text", keeps_text=True)
    corpus = tokens
    whole = " ".join(
        corpus.text(int(start), int(end) - 1)
        for start, end in zip(corpus.sentences, corpus.sentences[1:], strict=False)
    )
    assert whole == " ".join(text.split())


@pytest.mark.parametrize("sort", ["left", "right", "node", "random"])
def test_lines_come_in_the_order_asked_for(sort):
    sentences = [["x", "a", "c"], ["b", "a", "b"], ["a", "A", "a"], ["c", "a", "d"], ["a", "a"]]
    found = kwic(Corpus.from_sentences(sentences), '[lower="a"]', sort=sort, lines=None, seed=3)
    keys = {
        "left": [line.left.split()[::-1] for line in found.lines],
        "right": [[word.lower() for word in line.right.split()] for line in found.lines],
        "node": [line.node.lower() for line in found.lines],
    }
    if sort == "random":
        again = kwic(Corpus.from_sentences(sentences), '[lower="a"]', sort=sort, lines=None, seed=3)
        other = kwic(Corpus.from_sentences(sentences), '[lower="a"]', sort=sort, lines=None, seed=4)
        assert found.lines == again.lines != other.lines
        assert sorted(map(str, found.lines)) == sorted(map(str, other.lines))
    else:
        lowered = [[word.lower() for word in key] if sort == "left" else key for key in keys[sort]]
        assert lowered == sorted(lowered)


def test_pages_follow_each_other():
    tokens = Corpus.from_sentences([["a", str(n)] for n in range(7)])
    pages = [kwic(tokens, "a", lines=3, page=page).lines for page in (1, 2, 3, 4)]
    assert [line.right.strip() for page in pages for line in page] == list("0123456")
    assert [len(page) for page in pages] == [3, 3, 1, 0]


CORPORA = {
    "lines": ("a.txt", "one two  three\n\ntwo\tone .\n"),
    "vrt": ("a.vrt", '<text id="t1" year="1999">\n<s>\nDo\tVV\tdo\n<g/>\nn\'t\tNEG\tnot\n</s>\n</text>\n'
                     '<text id="t2">\n<s>\nDo\tVV\tdo\n</s>\n</text>\n'),
    "conllu": ("a.conllu", "# newdoc id = d1\n# genre = news\n# sent_id = 1\n# text = im Haus.\n"
                           "1-2\tim\t_\t_\t_\t_\t_\t_\t_\t_\n1\tin\tin\tADP\t_\t_\t3\tcase\t_\t_\n"
                           "2\tdem\tder\tDET\t_\t_\t3\tdet\t_\t_\n3\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No\n"
                           "4\t.\t.\tPUNCT\t_\t_\t3\tpunct\t_\t_\n\n# newdoc id = d2\n# text = Haus\n"
                           "1\tHaus\tHaus\tNOUN\t_\t_\t0\troot\t_\t_\n\n"),
}  # fmt: skip


@pytest.mark.parametrize("name", CORPORA)
def test_an_index_is_the_corpus(name, tmp_path):
    file, text = CORPORA[name]
    (tmp_path / file).write_text(text)
    tokens = read_corpus(tmp_path / file, keeps_text=True)
    write_index(tokens, tmp_path / "index")
    back = read_corpus(tmp_path / "index", keeps_text=True)
    assert set(back.layers) == set(tokens.layers)
    for column in tokens.layers:
        np.testing.assert_array_equal(back.layers[column].codes, tokens.layers[column].codes)
        assert back.layers[column].words.to_list() == tokens.layers[column].words.to_list()
    assert back.documents == tokens.documents
    assert set(back.regions) == set(tokens.regions)
    assert count_pairs(back, rule="adjacent").table.equals(count_pairs(tokens, rule="adjacent").table)


def test_documents_have_their_names_and_what_is_known_of_them(tmp_path):
    for file, text in CORPORA.values():
        (tmp_path / file).write_text(text)
    vrt = read_corpus(tmp_path / "a.vrt").documents
    assert vrt.names == ("t1", "t2")
    assert vrt.metadata["year"] == ("1999", "")
    conllu = read_corpus(tmp_path / "a.conllu").documents
    assert conllu.names == ("d1", "d2")
    assert conllu.metadata["genre"] == ("news", "")
    assert read_corpus(tmp_path / "a.txt").documents.names == ("a.txt",)
    (line,) = kwic(read_corpus(tmp_path / "a.vrt", keeps_text=True), "n't").lines
    assert (line.document, line.left, line.node) == ("t1", "Do", "n't")
    (line, other) = kwic(read_corpus(tmp_path / "a.conllu", keeps_text=True), "Haus").lines
    assert (line.document, line.left, line.node, line.right) == ("d1", "im ", "Haus", ".")
    assert other.document == "d2"


@examples(25)
@given(SENTENCES, SENTENCES)
def test_what_is_appended_is_as_if_read_together(tmp_path_factory, first, second):
    folder = tmp_path_factory.mktemp("parts")
    for name, sentences in (("1.txt", first), ("2.txt", second)):
        (folder / name).write_text("".join(f"{' '.join(words)}\n" for words in sentences))
    one, two = (read_corpus(folder / name, keeps_text=True) for name in ("1.txt", "2.txt"))
    whole, joined = read_corpus(folder, keeps_text=True), join_corpora(one, two)
    for rule in ("adjacent", "window:2"):
        assert count_pairs(joined, rule=rule).table.equals(count_pairs(whole, rule=rule).table)
    assert joined.documents == whole.documents
    assert kwic(joined, "a", lines=None).lines == kwic(whole, "a", lines=None).lines


@pytest.fixture
def index(tmp_path):
    write_index(Corpus.from_sentences([["a", "red", "rose"]]), tmp_path / "index")
    return tmp_path / "index"


@pytest.mark.parametrize(
    "damage",
    ["flip", "cut", "missing", "version", "unfinished", "garbage", "foreign", "no parts", "other files"],
)
def test_a_damaged_half_written_or_older_index_is_refused(index, damage, concur):
    manifest = index / "index.json"
    known = json.loads(manifest.read_text())
    victim = index / known["data"] / "form.codes.npy"
    data = victim.read_bytes()
    if damage == "flip":
        victim.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    elif damage == "cut":
        victim.write_bytes(data[:-3])
    elif damage == "missing":
        victim.unlink()
    elif damage == "version":
        manifest.write_text(json.dumps({**known, "version": 0}))
    elif damage == "unfinished":
        manifest.unlink()
    elif damage == "garbage":
        manifest.write_text("{")
    elif damage == "no parts":
        manifest.write_text(json.dumps({key: known[key] for key in ("format", "version", "data")}))
    elif damage == "other files":
        manifest.write_text(json.dumps({**known, "layers": ["form", "lemma"]}))
    else:
        manifest.write_text("[]")
    for command in (("kwic", index, "rose"), ("collocates", index, "rose"), ("pairs", index)):
        refused = concur(*command)
        assert refused.code == 2
        assert "make it again with concur index" in refused.err
        assert refused.err.count("\n") == 1


@pytest.mark.parametrize("command", ["kwic", "collocates", "words", "contrast", "pairs"])
def test_damage_in_a_large_file_is_told_by_what_fails_on_it(index, command, concur, monkeypatch):
    monkeypatch.setattr("concurrence.corpus.index.CHECKED_AT_ONCE", 0)
    data = index / json.loads((index / "index.json").read_text())["data"]
    victim = "form.postings.npy" if command == "words" else "form.codes.npy"
    numbers = np.load(data / victim)
    np.save(data / victim, np.where(numbers < 0, numbers, numbers + 1_000_000))
    more = {"kwic": ["rose"], "collocates": ["rose"], "contrast": [index]}.get(command, [])
    refused = concur(command, index, *more)
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert f"{victim} of the index is damaged; make it again with concur index" in refused.err


def test_an_index_that_cannot_be_made_leaves_nothing(tmp_path, concur):
    (tmp_path / "bad.conllu").write_text("1\tx\n\n")
    refused = concur("index", tmp_path / "bad.conllu", "-o", tmp_path / "index")
    assert refused.code == 2
    assert not (tmp_path / "index").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "mine.txt").write_text("keep me")
    (tmp_path / "good.txt").write_text("a b\n")
    refused = concur("index", tmp_path / "good.txt", "-o", tmp_path / "other")
    assert refused.code == 2
    assert "exists and is not an index" in refused.err
    assert (tmp_path / "other" / "mine.txt").read_text() == "keep me"


def test_a_new_index_takes_the_place_of_the_old_one(tmp_path, concur):
    (tmp_path / "1.txt").write_text("a b\n")
    (tmp_path / "2.txt").write_text("b c\nc d\n")
    concur("index", tmp_path / "1.txt", "-o", tmp_path / "index")
    concur("index", tmp_path / "2.txt", "-o", tmp_path / "index")
    assert [line["document"] for line in concur("kwic", tmp_path / "index", "b", "--json").json["lines"]] == ["2.txt"]
    assert len(list((tmp_path / "index").iterdir())) == 2
    grown = concur("index", tmp_path / "1.txt", "-o", tmp_path / "index", "--append", "--json").json
    assert (grown["tokens"], grown["sentences"], grown["documents"]) == (6, 3, 2)
    assert concur("index", "-o", tmp_path / "index", "--check").code == 0
    again = concur("index", tmp_path / "1.txt", "-o", tmp_path / "index", "--append")
    assert f"{tmp_path / '1.txt'} was in the index before" in " ".join(again.err.split())
    concur("index", tmp_path / "2.txt", "-o", tmp_path / "index")
    grown = concur("index", tmp_path / "1.txt", "-o", tmp_path / "index", "--append")
    assert "in the index before" not in grown.err
    assert open_index(tmp_path / "index").sources == (str(tmp_path / "2.txt"), str(tmp_path / "1.txt"))


def test_only_files_with_the_same_attributes_are_appended_and_only_to_an_index(tmp_path, concur):
    for file, text in CORPORA.values():
        (tmp_path / file).write_text(text)
    concur("index", tmp_path / "a.conllu", "-o", tmp_path / "index")
    refused = concur("index", tmp_path / "a.txt", "-o", tmp_path / "index", "--append")
    assert refused.code == 2
    assert (
        "have the attributes form, but the index has form, lemma, pos, xpos, feats, deprel, deps, misc, head"
        in refused.err
    )
    refused = concur("index", tmp_path / "a.txt", "-o", tmp_path / "other", "--append")
    assert refused.code == 2
    assert "is not an index, so nothing can be appended to it; without --append a new one is made" in refused.err


def test_documents_of_token_tables(tmp_path):
    table = pl.DataFrame({"sentence": [1, 1, 2, 1], "form": ["strong", "tea", "tea", "tea"]})
    table.write_parquet(tmp_path / "1.parquet")
    table.head(2).write_parquet(tmp_path / "2.parquet")
    assert read_corpus(tmp_path).documents.names == ("1.parquet", "2.parquet")
    assert [line.document for line in kwic(read_corpus(tmp_path), "tea").lines] == [*["1.parquet"] * 3, "2.parquet"]
    named = table.with_columns(document=pl.Series(["x", "x", "x", "y"]))
    tokens = read_corpus(named)
    assert (tokens.documents.names, tokens.documents.starts.tolist()) == (("x", "y"), [0, 5])
    placed = named.with_columns(position=pl.Series([1, 2, 1, 3]))
    assert read_corpus(placed).documents.starts.tolist() == [0, 5]
    assert read_corpus(placed.with_columns(sentence=pl.Series([1, 1, 2, 3]))).documents.names == ("x", "y")


def test_nothing_found_is_no_error(index, concur):
    found = concur("kwic", index, "tulip", "--json")
    assert (found.code, found.json["total"], found.json["lines"]) == (0, 0, [])
    assert concur("kwic", index, "tulip").out == "tulip never occurs.\n"
    assert concur("collocates", index, "tulip", "--json").json["collocates"] == []
    assert concur("collocates", index, "tulip").out == "tulip never occurs.\n"
    written = index.parent / "none.csv"
    assert concur("collocates", index, "tulip", "-m", "MI", "-o", written).code == 0
    assert written.read_text() == "l1,l2,f,f1,f2,N,n1,n2,range,MI\n"


LONG = ["This", "is", "a", "very", "long", "sentence", "with", "a", "strong", "tea", "in", "the", "middle"] * 2


def test_every_line_of_a_concordance_fits_on_one_of_the_screen(tmp_path, concur):
    for name in ("a-document-with-a-very-long-name-2001.txt", "a-document-with-a-very-long-name-2002.txt"):
        (tmp_path / name).write_text(
            f"{' '.join(LONG)}\nstrong\ttea 強い お茶 強い お茶 強い お茶 強い お茶 強い お茶\n"
        )
    for query in (("tea",), ("strong", "middle"), ("This", "お茶")):
        told = concur("kwic", tmp_path, *query, "--rule", "sentence").out.splitlines()
        rows = concur("kwic", tmp_path, *query, "--rule", "sentence", "--json").json["lines"]
        assert len(told) == (len(rows) + 5 if rows else 2)
        assert all(cell_len(line) <= 120 for line in told)
    columns = {line.index(" tea ") for line in concur("kwic", tmp_path, "tea").out.splitlines() if "very long" in line}
    assert len(columns) == 1
    alone = concur("kwic", tmp_path / "a-document-with-a-very-long-name-2001.txt", "middle", "--lines", "1").out
    assert "In the order of the corpus, all in a-document-with-a-very-long-name-2001.txt" in alone
    concur("kwic", tmp_path, "middle", "-o", tmp_path / "page.html")
    assert "<th scope='col' class='right'>left</th>" in (tmp_path / "page.html").read_text()


def test_a_pair_of_queries_may_have_wildcards_and_patterns(tmp_path, data_set, concur):
    index = tmp_path / "index"
    write_index(read_corpus(data_set("corpora/de_gsd-ud-test.conllu"), keeps_text=True), index)
    found = kwic(index, "d*", '[pos="NOUN" & lemma="J.*"]', rule="adjacent", lines=None)
    assert found.total == kwic(index, '[word="d.*"] [pos="NOUN" & lemma="J.*"]', lines=None).total > 0
    words = kwic(index, "hab*", "*e*", rule="dep:obj", unit="lemma", lines=None)
    assert words.total == int(
        count_pairs(read_corpus(index), rule="dep:obj", unit="lemma")
        .table.filter(pl.col("l1").str.starts_with("hab") & pl.col("l2").str.contains("e"))["f"]
        .sum()
    )
    refused = concur("kwic", index, '[pos="VERB"]', "Jahr", "--rule", "dep:obj")
    assert (refused.code, "needs two words, not a pattern" in refused.err) == (2, True)
    refused = concur("kwic", index, "in der", "Jahr")
    assert (refused.code, "each must be a single token, and 'in der' is not" in refused.err) == (2, True)
    told = concur("kwic", index, "xq*", "Jahr").out
    assert "'xq*' does not occur in the corpus." in told
    assert "a word is never paired with itself" in concur("kwic", index, "Jahr", "Jahr").out


def test_an_order_or_a_span_that_is_none_is_refused(index):
    with pytest.raises(InvalidInputError, match="order of lines"):
        kwic(index, "rose", sort="sideways")
    with pytest.raises(InvalidInputError, match="order of collocates"):
        collocates(index, "rose", sort="beauty")
    with pytest.raises(InvalidInputError, match="from 1 on"):
        collocates(index, "rose", span=0)


def test_own_measures_and_examples(index, concur):
    found = concur(
        "collocates", index, "rose", "-m", "MI,own", "--define", "own = O + 1", "--examples", "1", "--json"
    ).json
    assert found["node"] == {"query": "rose", "frequency": 1}
    assert all(row["scores"]["own"] == row["f"] + 1 for row in found["collocates"])
    assert found["collocates"][0]["examples"] == ["a red rose"]


def test_opening_an_index_loads_neither_polars_nor_the_compiler(index):
    import subprocess
    import sys

    code = (
        "import sys; from concurrence.api.words import collocates, kwic; "
        f"assert kwic({str(index)!r}, '[word=\"r.*\"]', lines=5).total == 2; "
        f"assert collocates({str(index)!r}, 'rose').node.frequency == 1; "
        "print([name for name in ('polars', 'numba', 'scipy', 'pandas') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_spark_wants_the_corpus_itself(index, concur):
    told = concur("pairs", index, "--engine", "spark")
    assert told.code == 2
    assert "is an index; Spark reads the files themselves, so name these." in told.err


@given(SENTENCES, st.integers(1, 40), st.sampled_from(['"a" []? "b"', '[] "c"', '"a" | "b" "c"']))
def test_matches_at_drawn_places_are_some_of_all(sentences, places, query):
    matcher = Matcher(corpus=Corpus.from_sentences(sentences), query=parse_query(query))
    every, (some, share) = matcher.matches(), matcher.sample_matches(places, seed=1)
    pairs = [set(zip(found.starts.tolist(), found.ends.tolist(), strict=True)) for found in (some, every)]
    assert pairs[0] <= pairs[1]
    assert 0 < share <= 1
    assert some.complete == (share == 1)
    if share == 1:
        assert pairs[0] == pairs[1]


@given(SENTENCES, st.integers(1, 3), st.randoms(use_true_random=False))
def test_around_some_of_the_nodes_no_node_is_a_collocate(sentences, span, random):
    corpus = Corpus.from_sentences(sentences)
    form = corpus.layers["form"]
    every = Matcher(corpus=corpus, query=parse_query("a")).matches()
    chosen = sorted(random.sample(range(len(every.starts)), len(every.starts) // 2))
    some = QueryMatches(starts=every.starts[chosen], ends=every.ends[chosen])
    found = count_collocates(corpus, some, form, left=span, right=span, nodes=every)
    expected = Counter()
    for position, code in enumerate(form.codes.tolist()):
        sentence = corpus.sentence_of(np.array([position]))[0]
        near = any(
            abs(position - start) <= span and corpus.sentence_of(np.array([start]))[0] == sentence
            for start in some.starts.tolist()
        )
        if code >= 0 and position not in every.starts and near:
            expected[form.vocabulary.word(code)] += 1
    assert dict(zip(form.vocabulary.words_of(found.words), found.f.tolist(), strict=True)) == expected
    assert found.n == corpus.n_tokens - len(every.starts)

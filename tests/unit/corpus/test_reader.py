"""What each reader makes of its format, and what it refuses."""

import gzip

import polars as pl
import pytest

from concurrence import collocates, count_pairs, kwic, open_index, read_corpus, words, write_index
from concurrence.core.errors import InvalidInputError, UnknownNameError

CONLLU = """# sent_id = 1
# text = vámonos al mar
1-2	vámonos	_	_	_	_	_	_	_	_
1	vamos	ir	VERB	_	_	0	root	_	_
2	nos	nosotros	PRON	_	_	1	obj	_	_
2.1	x	x	X	_	_	_	_	0:root	_
3-4	al	_	_	_	_	_	_	_	_
3	a	a	ADP	_	_	5	case	5:case	_
4	el	el	DET	_	_	5	det	_	_
5	mar	mar	NOUN	_	_	1	obl	_	SpaceAfter=No

1	fin	fin	NOUN	_	_	0	root	_	_
"""
VRT = """<?xml version="1.0"?>
<text id="1">
<s>
<clause>
Die\tART\tdie
<pp head="in+Frage">
in\tAPPR\tin
Frage\tNN\tFrage
</pp>
A&amp;B\tNE\tA&amp;B
</clause>
</s>
<s>
<\t$(\t&lt;
&lt;\t$(\t&lt;
</s>
</text>
"""


def sentences(tokens, column="form"):
    found = tokens.layers[column]
    words, out = found.words.to_list(), [[]]
    for code in found.codes.tolist():
        if code < 0:
            out.append([])
        else:
            out[-1].append(words[code])
    assert out.pop() == []
    return out


@pytest.fixture
def file(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_lines_end_at_lf_and_words_at_five_kinds_of_white_space(file):
    text = b"\xef\xbb\xbfa\tb\rc\x0cd\x0be f\r\n\n \r\n" + "x\u00a0y\u2028z \u0085".encode() + b"\nlast"
    expected = [list("abcdef"), ["x\u00a0y\u2028z", "\u0085"], ["last"]]
    assert sentences(read_corpus(file("a.txt", text))) == expected


def test_gz_folders_globs_and_standard_input_are_read(file, tmp_path, concur, monkeypatch):
    import io
    import sys

    file("b.txt", "b b\n")
    file("a.txt.gz", gzip.compress(b"a a\n"))
    file("notes.md", "not a corpus\n")
    assert sentences(read_corpus(tmp_path)) == [["a", "a"], ["b", "b"]]
    assert sentences(read_corpus(str(tmp_path / "*.txt"))) == [["b", "b"]]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"x y\n"))))
    assert concur("pairs", "-", "--json").json["pairs"] == 1


def test_blocks_cut_words_nowhere(file, monkeypatch):
    from concurrence.corpus import source_files as sources

    lines = [f"w{n} x{n % 7} é" for n in range(500)]
    path = file("a.txt", "\n".join(lines))
    conllu = file("a.conllu", (CONLLU + "\n") * 40)
    whole = sentences(read_corpus(conllu))
    monkeypatch.setattr(sources, "BLOCK_BYTES", 11)
    assert sentences(read_corpus(path)) == [line.split() for line in lines]
    assert sentences(read_corpus(conllu)) == whole


def test_words_of_any_length_are_told_apart(file):
    words = [f"{'x' * n}{k}" for n in range(20) for k in range(60)] + [f"w{n}" for n in range(40_000)]
    found = read_corpus(file("a.txt", " ".join(words * 2) + "\n"))
    assert found.layers["form"].words.to_list() == list(dict.fromkeys(words))
    assert sentences(found) == [words * 2]


def test_conllu_keeps_syntactic_words_and_their_heads(file):
    for text in (CONLLU, CONLLU.replace("\n", "\r\n")):
        tokens = read_corpus(file("a.conllu", text))
        assert sentences(tokens) == [["vamos", "nos", "a", "el", "mar"], ["fin"]]
        assert sentences(tokens, "lemma")[0] == ["ir", "nosotros", "a", "el", "mar"]
        assert tokens.heads.tolist() == [-1, 0, 4, 4, 0, -1, -1, -1]


def test_vertical_text_has_borders_regions_and_character_references(file):
    tokens = read_corpus(file("a.vrt", VRT))
    assert sentences(tokens) == [["Die", "in", "Frage", "A&B"], ["<", "<"]]
    assert sentences(tokens, "lemma")[0] == ["die", "in", "Frage", "A&B"]
    pp = tokens.regions["pp"]
    assert (pp.starts.tolist(), pp.ends.tolist(), pp.attributes) == ([1], [3], {"head": ("in+Frage",)})
    assert tokens.regions["clause"].ends.tolist() == [4]


def test_vertical_text_may_name_its_attributes(file):
    text = (
        "<!-- #vrt positional-attributes: word lemma dephead deprel -->\n<s>\nsee\tsee\t0\troot\nit\tit\t1\tobj\n</s>\n"
    )
    tokens = read_corpus(file("a.vrt", text))
    assert tokens.heads.tolist() == [-1, 0, -1]
    assert sentences(tokens, "deprel") == [["root", "obj"]]
    other = read_corpus(file("b.vrt", "a\tNN\tA\n"), columns=["form", "pos", "lemma"])
    assert sentences(other, "lemma") == [["A"]]


def test_running_text_is_split_into_sentences_and_words(file):
    text = "Dr. Miller didn't pay 1,500.50 euros. Why?\n\nNobody\nknows."
    expected = [
        ["Dr", ".", "Miller", "did", "n't", "pay", "1,500.50", "euros", "."],
        ["Why", "?"],
        ["Nobody", "knows", "."],
    ]
    assert sentences(read_corpus(file("a.txt", text), format="text")) == expected
    french = read_corpus(file("b.txt", "L'homme s'en va."), format="text", language="fr")
    assert sentences(french) == [["L'", "homme", "s'", "en", "va", "."]]


@pytest.mark.parametrize("library", ["polars", "pandas", "pyarrow"])
def test_a_table_of_tokens_is_a_corpus(file, library, tmp_path):
    columns = {"sentence": [2, 2, 1], "position": [1, 0, 0], "form": ["rose", "a", "is"], "head": [0, 1, 0]}
    table = pl.DataFrame(columns)
    tokens = read_corpus({"polars": table, "pandas": table.to_pandas(), "pyarrow": table.to_arrow()}[library])
    assert sentences(tokens) == [["is"], ["a", "rose"]]
    table.drop("position").write_parquet(tmp_path / "t.parquet")
    again = read_corpus(tmp_path / "t.parquet")
    assert sentences(again) == [["rose", "a"], ["is"]]
    assert again.heads.tolist() == [-1, 0, -1, -1, -1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.txt", "tea\n"),
        ("a.vrt", '<text id="d1">\n<s>\ntea\tNN\ttea\n</s>\n</text>\n'),
        ("a.conllu", "# newdoc id = d1\n1\ttea\ttea\tNOUN\t_\t_\t0\troot\t_\t_\n\n"),
    ],
)
def test_a_byte_order_mark_and_line_ends_of_windows_change_nothing(tmp_path, name, text):
    (tmp_path / "plain").mkdir()
    (tmp_path / "windows").mkdir()
    (tmp_path / "plain" / name).write_text(text)
    (tmp_path / "windows" / name).write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    plain, windows = (read_corpus(tmp_path / folder / name) for folder in ("plain", "windows"))
    assert {key: column.words.to_list() for key, column in windows.layers.items()} == {
        key: column.words.to_list() for key, column in plain.layers.items()
    }
    assert windows.documents.names == plain.documents.names
    assert windows.n_sentences == 1


@pytest.mark.parametrize("name", ["a.txt", "a.conllu", "a.vrt"])
def test_the_command_line_is_told_its_own_options(file, concur, name):
    refused = concur("words", file(name, b"caf\xe9\n"))
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    assert "line 1: not valid utf-8. The file reads as cp1252: read it with --encoding cp1252, or with" in refused.err
    refused = concur("words", file(name, "très déjà été\n".encode() + b"caf\xe9\n"))
    lost = "sentences" if name.endswith("conllu") else "lines"
    assert f"or koi8-r, or leave such {lost} out with --skip-broken." in refused.err


def test_other_encodings(file):
    assert sentences(read_corpus(file("a.txt", "é ü".encode("latin-1")), encoding="latin-1")) == [["é", "ü"]]
    assert sentences(read_corpus(file("b.txt", "é ü\n".encode("utf-16")), encoding="utf-16")) == [["é", "ü"]]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", b"good\nb\xffd\n", "a.txt, line 2: not valid utf-8"),
        ("a.txt", b"good\nb\0d\n", "a.txt, line 2: a NUL byte"),
        ("a.conllu", "1\ta\n", "a.conllu, line 1: 2 fields instead of 10"),
        ("a.conllu", CONLLU.replace("\n5\tmar", "\n7\tmar"), "a.conllu, line 10: ID '7'"),
        ("a.conllu", CONLLU.replace("\t1\tobl", "\t9\tobl"), "a.conllu, line 10: ID '5' with HEAD '9'"),
        ("a.vrt", "<s>\na\tb\nc\n</s>\n", "a.vrt, line 3"),
        ("a.vrt", "<s>\na\n</np>\n</s>\n", "a.vrt, line 3"),
        ("a.vrt", "<s>\n<np>\na\n</s>\n", "<np> is never closed"),
        ("a.txt.gz", gzip.compress(b"a b\n" * 999, mtime=0)[:-9], "damaged or cut off"),
        ("a.parquet", b"PAR1", "not a Parquet file"),
        ("a.doc", b"x", "format="),
    ],
)
def test_broken_files_are_refused_with_their_place(file, name, content, words):
    with pytest.raises(InvalidInputError) as refused:
        read_corpus(file(name, content))
    assert words in str(refused.value)


def test_broken_lines_can_be_left_out_and_are_counted(file):
    lines = read_corpus(file("a.txt", b"good\nb\xffd\nx\0\nend\n"), skip_broken=True)
    assert (sentences(lines), lines.broken) == ([["good"], ["end"]], 2)
    conllu = read_corpus(file("a.conllu", CONLLU.replace("\n5\tmar", "\n7\tmar")), skip_broken=True)
    assert (sentences(conllu), conllu.broken) == ([["fin"]], 1)
    vrt = read_corpus(file("a.vrt", "<s>\na\tX\nc\n</np>\nb\tX\n</s>\n"), skip_broken=True)
    assert (sentences(vrt), vrt.broken) == ([["a", "b"]], 2)


def test_unknown_names_are_refused(file):
    with pytest.raises(UnknownNameError):
        read_corpus(file("a.txt", "x"), format="linse")
    with pytest.raises(InvalidInputError, match="Unknown encoding"):
        read_corpus(file("a.txt", "x"), encoding="utf-88")
    with pytest.raises(InvalidInputError, match="does not exist"):
        read_corpus("nowhere.txt")


def test_treebanks_have_the_words_their_makers_count(data_set):
    english = read_corpus(data_set("corpora/en_ewt.conllu.gz"))
    parts = [data_set(f"corpora/de_gsd-ud-{part}.conllu") for part in ("dev", "test")]
    german = read_corpus(parts[0].parent / "de_gsd-ud-*.conllu")
    assert (english.n_tokens, german.n_tokens) == (254_818, 28_979)


def test_a_file_is_counted_once(tmp_path):
    (tmp_path / "a.txt").write_text("red rose\n")
    (tmp_path / "b.txt").write_text("red rose\n")
    assert read_corpus(tmp_path / "a.txt", tmp_path / "b.txt").n_tokens == 4
    with pytest.raises(InvalidInputError, match=r"a\.txt is given twice, and its words would be counted twice"):
        read_corpus(tmp_path / "a.txt", tmp_path / "a.txt")
    with pytest.raises(InvalidInputError, match="are the same file"):
        read_corpus(tmp_path, tmp_path / ".." / tmp_path.name / "a.txt")


def tokens_of(documents):
    """A table with a row for each token of the sentences of documents, which all count from 1."""
    return pl.DataFrame(
        [
            {"document": name, "sentence": s, "position": p, "form": word}
            for name, sentences in documents.items()
            for s, sentence in enumerate(sentences, 1)
            for p, word in enumerate(sentence.split(), 1)
        ]
    )


DOCUMENTS = {"b": ["a red rose", "it is red"], "a": ["a white rose", "so it is", "is it"]}


def test_sentences_may_be_numbered_within_documents(tmp_path, concur):
    expected = [sentence.split() for texts in DOCUMENTS.values() for sentence in texts]
    table = tokens_of(DOCUMENTS)
    for rows in (table, table.sample(fraction=1, shuffle=True, seed=3).sort("document", descending=True)):
        corpus = read_corpus(rows)
        assert (sentences(corpus), corpus.documents.names) == (expected, ("b", "a"))
    tokens_of(DOCUMENTS).write_parquet(tmp_path / "t.parquet")
    found = concur("index", tmp_path / "t.parquet", "-o", tmp_path / "index", "--json").json
    assert (found["tokens"], found["sentences"], found["documents"]) == (14, 5, 2)


def test_two_tokens_in_one_place_are_refused_with_the_first_of_them():
    with pytest.raises(InvalidInputError) as refused:
        read_corpus(tokens_of(DOCUMENTS).drop("document"))
    assert str(refused.value) == (
        "Sentence 1 has two tokens at position 1, 'a' and 'a'; of the 14 tokens, 6 stand where another one does. "
        "If sentences are numbered within documents, add a column 'document'."
    )
    table = tokens_of(DOCUMENTS)
    with pytest.raises(InvalidInputError, match="Sentence 1 of document 'b' has two tokens at position 1, 'a' and 'a'"):
        read_corpus(pl.concat([table, table]))


def test_tables_are_read_as_udpipe_and_spacyr_write_them():
    udpipe = pl.DataFrame(
        {
            "doc_id": ["d1"] * 5 + ["d2"] * 2,
            "sentence_id": [1, 1, 1, 1, 1, 1, 1],
            "sentence": ["Im Haus war es."] * 5 + ["Es war."] * 2,
            "token_id": ["1-2", "1", "2", "3", "3.1", "1", "2"],
            "token": ["Im", "In", "dem", "Haus", "e", "Es", "war"],
            "lemma": [None, "in", "der", "Haus", "e", "es", "sein"],
            "upos": [None, "ADP", "DET", "NOUN", "X", "PRON", "AUX"],
            "head_token_id": [None, "3", "3", "0", None, "2", "0"],
            "dep_rel": [None, "case", "det", "root", None, "nsubj", "root"],
        }
    )
    corpus = read_corpus(udpipe)
    assert sentences(corpus) == [["In", "dem", "Haus"], ["Es", "war"]]
    assert (corpus.documents.names, corpus.heads.tolist()) == (("d1", "d2"), [2, 2, -1, -1, 5, -1, -1])
    spacyr = pl.DataFrame(
        {
            "doc_id": ["text1"] * 3,
            "sentence_id": [1, 1, 1],
            "token_id": [1.0, 3.0, 4.0],
            "token": ["She", "drinks", "tea"],
            "pos": ["PRON", "VERB", "NOUN"],
            "tag": ["PRP", "VBZ", "NN"],
            "head_token_id": [3, 3, 3],
        }
    )
    corpus = read_corpus(spacyr)
    assert (corpus.heads.tolist(), sentences(corpus, "xpos")) == ([1, -1, 1, -1], [["PRP", "VBZ", "NN"]])
    with pytest.raises(InvalidInputError, match="The head 2 of 'She' is no token of its sentence"):
        read_corpus(spacyr.with_columns(head_token_id=pl.Series([2, 3, 3])))
    with pytest.raises(InvalidInputError, match=r"the position 1\.5 of a token is not a whole number"):
        read_corpus(spacyr.with_columns(token_id=pl.Series([1.5, 2, 3])))


GAPS = """# newdoc id = d
1\tA\t_\tDET\tDT\tDefinite=Ind\t2\tdet\t_\t_
2\trose\trose\tNOUN\tNN\tNumber=Sing\t3\tnsubj\t3:nsubj\tGloss=Rose
3\t_\t_\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
4\tflowers\tflower\tNOUN\tNNS\tCase=Acc|Number=Plur\t3\tobj\t_\t_

"""


def test_an_underscore_is_a_missing_value_but_for_an_underscore(file, tmp_path):
    corpus = read_corpus(file("a.conllu", GAPS))
    lemmas = corpus.layers["lemma"]
    assert (lemmas.vocabulary.words, lemmas.codes.tolist()) == (["rose", "_", "flower"], [-2, 0, 1, 2, -1])
    assert corpus.layers["feats"].codes.tolist() == [0, 1, -2, 2, -1]
    assert corpus.form.vocabulary.words == ["A", "rose", "_", "flowers"]
    write_index(corpus, tmp_path / "index")
    opened = open_index(tmp_path / "index")
    for one in (corpus, opened):
        rows = count_pairs(one, rule="window:3", unit="lemma").table
        assert (len(rows), rows["N"].unique().to_list()) == (6, [2])
        assert count_pairs(one, rule="window:3").table["N"].unique().to_list() == [3]
        tagged = count_pairs(one, rule="adjacent", unit="lemma_pos").table
        assert tagged["l1"].sort().to_list() == ["__VERB", "rose_NOUN"]
        found = words(one, unit="lemma").words
        assert sorted(found["word"].to_list()) == ["_", "flower", "rose"]
        near = collocates(one, "rose", unit="lemma")
        assert (sorted(each.word for each in near.collocates), near.collocates[0].f1) == (["_", "flower"], 2)
        assert count_pairs(one, rule="dep:X >det D", unit="lemma").table.height == 0
        assert count_pairs(one, rule="dep:X >det D").table.height == 1


def test_every_column_can_be_asked_for_and_features_by_their_names(file, tmp_path):
    corpus = read_corpus(file("a.conllu", GAPS))
    write_index(corpus, tmp_path / "index")
    for one in (corpus, open_index(tmp_path / "index")):
        for query, total in (
            ('[feats.Number="Plur"]', 1),
            ('[feats.Number="Sing|Plur"]', 2),
            ('[feats.Number!="Plur"]', 3),
            ('[misc.Gloss="Rose"] [xpos="VB"]', 1),
            ('[deps=".*nsubj"]', 1),
            ('[feats=".*"]', 3),
        ):
            assert kwic(one, query).total == total, query
    by_feature = count_pairs(corpus, rule='pos:[feats.Number="Sing"] []* [feats.Number="Plur"]').table
    assert by_feature.rows() == [("rose", "flowers", 1, 1, 1, 1)]
    with pytest.raises(UnknownNameError, match=r"There is no feature 'Numbr'\. Did you mean 'Number'"):
        kwic(corpus, '[feats.Numbr="Plur"]')
    vertical = read_corpus(file("a.vrt", "<s>\ntea\tNN\tdrink\n</s>\n"), columns=["form", "pos", "sense"])
    assert kwic(vertical, '[sense="drink"]').total == 1
    table = pl.DataFrame({"sentence": [1, 1], "form": ["green", "tea"], "lemma": ["green", None], "sense": ["x", "y"]})
    assert kwic(read_corpus(table), '[sense="y"]').total == 1
    assert read_corpus(table).layers["lemma"].codes.tolist() == [0, -2, -1]


@pytest.mark.parametrize("text", [GAPS.replace("\t3\t", "\t_\t").replace("\t2\t", "\t_\t").replace("\t0\t", "\t_\t")])
def test_rules_that_need_heads_are_refused_where_there_are_none(file, concur, text):
    path = file("a.conllu", text)
    assert read_corpus(path).heads is None
    refused = concur("pairs", path, "--rule", "dep:det")
    assert (refused.code, "This corpus has no dependencies" in refused.err) == (2, True)
    lemmas = concur("words", file("b.conllu", "1\ttea\t_\tNOUN\t_\t_\t_\t_\t_\t_\n\n"), "--unit", "lemma")
    assert (lemmas.code, "No token of the corpus has a lemma" in lemmas.err) == (2, True)


def test_an_index_and_what_is_added_to_it_miss_the_same(file, tmp_path, concur):
    concur("index", file("a.conllu", GAPS), "-o", tmp_path / "index")
    concur("index", file("b.conllu", GAPS.replace("= d", "= e")), "-o", tmp_path / "index", "--append")
    lemmas = open_index(tmp_path / "index").layers["lemma"]
    assert lemmas.codes.tolist() == [-2, 0, 1, 2, -1] * 2
    assert lemmas.frequencies.tolist() == [2, 2, 2]


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "Don't! It's what we'll do; he'd can't.", "Do n't ! It 's what we 'll do ; he 'd ca n't ."),
        ("en", "O'Brien’s won’t rock'n'roll.", "O'Brien ’s wo n’t rock'n'roll ."),
        ("en", "In the U.S. it is 3 p.m. already.", "In the U.S. it is 3 p.m. already ."),
        ("en", "Well... yes… no.", "Well ... yes … no ."),
        ("en", "See https://a.org/b?c=1, or (www.x.org).", "See https://a.org/b?c=1 , or ( www.x.org ) ."),
        ("en", "Mail to ann.b-c@x.co.uk.", "Mail to ann.b-c@x.co.uk ."),
        ("en", "Tea 👍🏽 ❤️ 🇩🇪 👩‍👧!", "Tea 👍🏽 ❤️ 🇩🇪 👩‍👧 !"),
        ("en", "He paid 1,500.50 euros at 10:30.", "He paid 1,500.50 euros at 10:30 ."),
        ("de", "Das gilt z.B. hier, d.h. immer.", "Das gilt z.B. hier , d.h. immer ."),
        ("de", "Wie geht's dir?", "Wie geht 's dir ?"),
        ("fr", "L'homme s'en va, aujourd'hui.", "L' homme s' en va , aujourd' hui ."),
    ],
)
def test_contractions_are_divided_and_what_belongs_together_is_not(language, text, expected):
    from concurrence.core.tokenizer import token_spans, tokens_of

    assert " ".join(tokens_of(text, language)) == expected
    spans = list(token_spans(text, language))
    assert "".join(text[begin:end] for begin, end in spans) == "".join(text.split())


def test_running_text_is_noticed_however_many_stops_stand_free(file, concur):
    prose = "\n".join(f"We drank tea number {n}, and then some more; nobody said why. Oh no! . . ." for n in range(40))
    assert "If it is running text, use --format text" in concur("words", file("a.txt", prose)).err
    tokenised = "\n".join(
        f"Mr. Smith drank tea number {n} , at 3 p.m. , and then ; nobody said why ." for n in range(40)
    )
    assert concur("words", file("b.txt", tokenised)).err == ""


def test_a_word_that_occurs_in_pieces_is_found_as_these_and_that_is_said(file, tmp_path, concur):
    concur("index", file("a.txt", "I don't know. We don't care."), "--format", "text", "-o", tmp_path / "index")
    found = concur("kwic", tmp_path / "index", "don't", "--json").json
    assert (found["total"], [line["node"] for line in found["lines"]]) == (2, ["don't", "don't"])
    assert "don't is do n't in this corpus." in concur("kwic", tmp_path / "index", "don't").out
    near = collocates(tmp_path / "index", "don't")
    assert {each.word: each.f for each in near.collocates}["know"] == 1
    assert next((each.code, each.text) for each in near.warnings) == ("divided_word", "don't is do n't in this corpus.")
    whole = read_corpus(file("b.txt", "i don't know\n"))
    assert (kwic(whole, "don't").total, kwic(whole, "don't").sentences) == (1, ())
    assert kwic(whole, "can't").total == 0

"""``concur pairs`` as a user calls it."""

import polars as pl
import pytest

from concurrence import read_pairs

ROSES = "a red rose\na red rose\nthe red rose\n"


@pytest.fixture
def roses(tmp_path):
    path = tmp_path / "roses.txt"
    path.write_text(ROSES)
    return path


def test_json_says_what_was_counted(concur, roses):
    found = concur("pairs", roses, "--rule", "adjacent", "--json").json
    assert {key: found[key] for key in ("pairs", "N", "tokens", "sentences", "rule")} == {
        "pairs": 3,
        "N": 6,
        "tokens": 9,
        "sentences": 3,
        "rule": "adjacent",
    }
    assert found["top"][0] == {"l1": "red", "l2": "rose", "f": 3, "f1": 3, "f2": 3, "N": 6}
    assert [level["pairs"] for level in found["spectrum"]] == [1, 1, 1]
    assert found["provenance"]["inputs"]
    assert concur("pairs", roses, "--rule", "window:2", "--json").json["N"] is None


@pytest.mark.parametrize("ending", ["csv", "tsv.gz", "jsonl", "parquet", "ds"])
def test_files_keep_rows_order_and_rule(concur, roses, tmp_path, ending):
    path = tmp_path / f"pairs.{ending}"
    done = concur("pairs", roses, "--rule", "window-pairs:2", "-o", path)
    assert done.code == 0
    assert "window-pairs:2" in done.out
    pairs = read_pairs(path)
    expected = [("red", "rose", 3), ("a", "red", 2), ("a", "rose", 2), ("the", "red", 1), ("the", "rose", 1)]
    assert pairs.table.select("l1", "l2", "f").rows() == expected
    assert pairs.counted.rule == "window-pairs:2"
    assert pairs.counted.tokens == 9


def test_an_empty_corpus_has_no_pairs(concur, tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text("\n \n")
    for rule in ("adjacent", "window:2", "window-pairs:2", "sentence"):
        found = concur("pairs", path, "--rule", rule, "--json", "-o", tmp_path / "none.parquet").json
        assert (found["pairs"], found["tokens"], found["sentences"]) == (0, 0, 0)
        words = ["n1", "n2"] if rule == "window:2" else []
        assert pl.read_parquet(tmp_path / "none.parquet").columns == ["l1", "l2", "f", "f1", "f2", "N", *words]


def test_stop_lists_lower_case_and_thresholds(concur, roses, tmp_path):
    stop = tmp_path / "stop.txt"
    stop.write_text("red\n")
    found = concur("pairs", roses, "--rule", "window-pairs:2", "--stop", stop, "--json").json
    assert [(row["l1"], row["l2"], row["f"]) for row in found["top"]] == [("a", "rose", 2), ("the", "rose", 1)]
    roses.write_text("A Rose\na rose\n")
    assert concur("pairs", roses, "--lower", "--min-freq", "2", "--json").json["top"][0]["f"] == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--rule", "windw:3"), "There is no co-occurrence rule 'windw'"),
        (("--rule", "window"), "must be written as window:K"),
        (("--rule", "window:0"), "whole number from 1 on"),
        (("--min-freq", "0"), "least frequency must be 1"),
        (("--unit", "stem"), "There is no unit 'stem'"),
        (("--unit", "lemma"), "There is no token attribute 'lemma'"),
        (("--max-memory", "2"), "at least 250MB"),
        (("--stop", "nowhere.txt"), "nowhere.txt does not exist"),
    ],
)
def test_mistakes_are_one_sentence_and_leave_nothing(concur, roses, tmp_path, arguments, words):
    done = concur("pairs", roses, *arguments, "-o", tmp_path / "out.csv")
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["roses.txt"]


def test_a_dash_is_no_file_to_write_to(concur, roses, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = concur("pairs", roses, "-o", "-")
    assert (done.code, done.err) == (2, "concur: - is standard input; name a file to write to.\n")
    assert [path.name for path in tmp_path.iterdir()] == ["roses.txt"]


def test_a_small_budget_gives_the_same_file(concur, roses, tmp_path):
    concur("pairs", roses, "--rule", "sentence", "-o", tmp_path / "a.csv")
    concur("pairs", roses, "--rule", "sentence", "--max-memory", "250MB", "-o", tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    assert not list(tmp_path.glob(".concur-spill-*"))


def test_prose_read_as_tokens_is_noticed(concur, tmp_path):
    prose = tmp_path / "prose.txt"
    prose.write_text("They pay attention, mostly. They take the time, too.\n" * 4)
    said = concur("pairs", prose, "--json")
    assert said.json["sentences"] == 4
    assert "so 'attention,' counts as a word. If it is running text, use --format text." in said.err
    assert concur("kwic", prose, "pay", "attention").err == said.err
    assert concur("pairs", prose, "--format", "text").err == ""
    assert concur("pairs", prose, "--format", "lines").err == ""


def test_tokenised_text_is_taken_as_it_is(concur, tmp_path):
    tokens = tmp_path / "tokens.txt"
    tokens.write_text("They pay attention , mostly . Dr. No takes the time , too .\n" * 40)
    assert concur("pairs", tokens).err == ""


def test_a_concordance_without_lines_says_which_rule_would_find_the_pair(concur, tmp_path):
    corpus = tmp_path / "roses.txt"
    corpus.write_text("the rose that is red\nred wine\n" + "a b c d e f g h i j k l m\n")
    near = concur("kwic", corpus, "red", "rose", "--rule", "adjacent")
    assert near.code == 0
    assert "red and rose never occur together by the rule adjacent." in near.out
    assert "The rule window-pairs:5 finds rose and red once." in near.out
    far = concur("kwic", corpus, "a", "m", "--json").json
    assert [one["code"] for one in far["sentences"]] == ["other_rule"]
    assert "The rule sentence finds a and m once." in far["sentences"][0]["text"]
    assert "never occur in the same sentence" in concur("kwic", corpus, "red", "a").out
    assert "'blue' does not occur in the corpus." in concur("kwic", corpus, "blue", "rose").out
    assert concur("kwic", corpus, "red", "wine", "--json").json["sentences"] == []


def test_the_order_of_a_relation_is_told(concur, tmp_path):
    rows = ["1\tred\tred\tADJ\t_\t_\t2\tamod\t_\t_", "2\troses\trose\tNOUN\t_\t_\t0\troot\t_\t_"]
    corpus = tmp_path / "roses.conllu"
    corpus.write_text("\n".join(rows) + "\n\n")
    assert "l1 is the head and l2 its dependent." in concur("pairs", corpus, "--rule", "dep:amod").out
    assert "is the head" not in concur("pairs", corpus, "--rule", "dep:N >amod A => A, N").out


def test_sequences_go_from_counting_to_an_evaluation(concur, tmp_path):
    path = tmp_path / "roses.txt"
    path.write_text("a red rose is a red rose\nthe red rose\nthe red rose is here\na rose\n")
    triples, scored, sample = (tmp_path / name for name in ("three.csv", "scored.csv", "sample.csv"))
    counted = concur("pairs", path, "--rule", "ngram:3", "--json", "-o", triples).json
    assert (counted["pairs"], counted["N"], counted["rule"]) == (6, 9, "ngram:3")
    assert counted["top"][0]["f13"] == 2
    concur("score", triples, "-m", "all", "-o", scored)
    header = scored.read_text().splitlines()[0]
    assert header.startswith("l1,l2,l3,f,f1,f2,f3,N,f12,f13,f23,frequency,")
    concur("sample", scored, "--size", "4", "-o", sample)
    assert sample.read_text().startswith("l1,l2,l3,part,")
    gold = pl.read_csv(sample).select("l1", "l2", "l3").with_columns(tp=pl.Series([1, 0, 1, 0]))
    gold.write_csv(tmp_path / "gold.csv")
    asked = ("--gold", tmp_path / "gold.csv", "--sample", sample, "-m", "MI,lambda", "--n", "2,4", "--json")
    found = concur("evaluate", scored, *asked).json
    assert set(found["measures"]) == {"MI", "lambda"}
    assert concur("score", triples, "-m", "MI").out.startswith("6 sequences, rule ngram:3")


def test_what_lies_inside_longer_sequences_is_left_out(concur, roses, tmp_path):
    concur("pairs", roses, "--rule", "ngram:3", "--min-freq", "2", "-o", tmp_path / "three.csv")
    asked = ("pairs", roses, "--rule", "ngram:2", "--nested-in", tmp_path / "three.csv", "--json")
    found = concur(*asked).json
    assert [(row["l1"], row["l2"], row["f"]) for row in found["top"]] == [("red", "rose", 1), ("the", "red", 1)]
    assert found["N"] == 2
    assert found["filters"] == [f"nested in 1 of {tmp_path / 'three.csv'}"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--engine", "spark"), "--engine spark does not work with the rule ngram:3"),
        (("--partial", "-o", "x.parquet"), "--partial does not work with the rule ngram:3"),
        (("-o", "x.ds"), "A .ds file holds pairs"),
        (("--rule", "ngram:6"), "from 2 to 5"),
        (("--rule", "adjacent", "--nested-in", "longer.csv"), "--nested-in is for sequences"),
        (("--nested-in", "pairs.csv"), "longer sequences need the columns l1, l2, l3"),
        (("--rule", "ngram:4", "--nested-in", "longer.csv"), "must be longer"),
    ],
)
def test_what_sequences_cannot_do_is_a_sentence(concur, roses, options, words, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "longer.csv").write_text("l1,l2,l3\na,red,rose\n")
    (tmp_path / "pairs.csv").write_text("l1,l2\na,red\n")
    rule = () if "--rule" in options else ("--rule", "ngram:3")
    said = concur("pairs", roses, *rule, *options)
    assert said.code == 2
    assert words in said.err

"""The Spark engine against the local one, row for row, with a real Java virtual machine."""

import os
import random
import sys
from dataclasses import replace

import polars as pl
import pytest

from concurrence import read_corpus
from concurrence.cli.corpus_options import CorpusOptions
from concurrence.core.errors import InvalidInputError
from concurrence.counting.count import CountOptions, count_to_rows
from concurrence.counting.drop_patterns import parse_patterns
from concurrence.counting.stream import Filters
from support.clusters import SHORT_LIVED, conllu_text, needs_java, vrt_text

pytestmark = needs_java

WORDS = [
    *("a", "b", "B", "é", "É", "ΟΔΟΣ", "\U0001f600", "\uffee", "x\u00a0y", "l'", '"', "\\", "tag", "Montag"),
    *("1.0", "01"),
]
LIGHT = {
    "spark.driver.extraJavaOptions": SHORT_LIVED,
    "spark.sql.adaptive.enabled": "false",
    "spark.ui.enabled": "false",
}
SPACES = [" ", "  ", "\t", "\x0b", "\x0c", "\r"]
READING = CorpusOptions(format=None, encoding="utf-8", language="en", attribute_names=(), skip_broken=False)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    from pyspark.sql import SparkSession

    from concurrence.counting.spark.session import QUIET, SPLIT_SETTING, Cluster

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]")
    for key, value in {**QUIET, **LIGHT}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield Cluster(folder=tmp_path_factory.mktemp("spark"), master=None, settings={SPLIT_SETTING: "2k"})
    session.stop()


@pytest.fixture(scope="module")
def lines(tmp_path_factory):
    draw = random.Random(7)
    text = "\ufeff" + "".join(
        "".join(draw.choice(WORDS) + draw.choice(SPACES) for _ in range(draw.randrange(0, 12))) + "\n"
        for _ in range(120)
    )
    path = tmp_path_factory.mktemp("lines") / "corpus.txt"
    path.write_bytes(text.encode() + b"a b\r\n\r\n \nlast line")
    return path


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    draw = random.Random(8)
    rows = [
        {"sentence": s, "position": p, "form": draw.choice(WORDS), "lemma": draw.choice(["x", "Y", "z"]), "pos": pos}
        for s in range(40)
        for p, pos in enumerate(draw.choices(["NOUN", "VERB", "PUNCT"], k=draw.randrange(1, 10)))
    ]
    draw.shuffle(rows)
    folder = tmp_path_factory.mktemp("table")
    pl.DataFrame(rows[:60]).write_parquet(folder / "a.parquet")
    pl.DataFrame(rows[60:]).write_parquet(folder / "b.parquet")
    return folder


@pytest.fixture(scope="module")
def annotated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("annotated")
    (folder / "trees.conllu").write_text(conllu_text(60), "utf-8")
    (folder / "chunks.vrt").write_text(vrt_text(40), "utf-8")
    return folder


def both(path, how, cluster, **options):
    from concurrence.cli.spark import count_on_cluster

    here = count_to_rows(read_corpus(path, attributes=how.needed_attributes()), how, **options)
    return here, count_on_cluster((str(path),), how, READING, cluster, options.get("true_pairs"))


def assert_same(here, there):
    assert there.pairs().table.rows() == here.pairs().table.rows()
    assert (there.n_pairs, there.sample_size, there.spectrum) == (here.n_pairs, here.sample_size, here.spectrum)
    assert there.counted == here.counted
    assert there.dropped == here.dropped


@pytest.mark.parametrize("rule", ["window:2", "sentence"])
def test_lines_with_stop_words_lower_case_and_examples(rule, lines, cluster):
    how = CountOptions(rule=rule, lower=True, min_freq=2, filters=Filters(stop=frozenset({"é"})), examples=2, seed=3)
    assert_same(*both(lines, how, cluster))


def test_plain_lines_with_dropped_pairs(lines, cluster):
    how = CountOptions(rule="adjacent", patterns=parse_patterns(["l1: tag$", "^01$"]))
    assert_same(*both(lines, how, cluster, true_pairs=[("tag", "a"), ("a", "b")]))


def test_tables_of_tokens_with_units_and_parts_of_speech(table, cluster):
    how = CountOptions(
        rule="window-pairs:2", unit="lemma_pos", lower=True, filters=Filters(drop_pos=frozenset({"PUNCT"}))
    )
    assert_same(*both(table, how, cluster))


@pytest.mark.parametrize(
    ("file", "rule"),
    [
        ("trees.conllu", "dep:obj"),
        ("chunks.vrt", "within:clause"),
        pytest.param("trees.conllu", "pos:A N", marks=pytest.mark.thorough),
        pytest.param(
            "trees.conllu", 'pos:[pos="ADJ|DET"] []{0,2} [pos="N.*" & lemma!="x"]', marks=pytest.mark.thorough
        ),
    ],
)
def test_patterns(file, rule, annotated, cluster):
    assert_same(*both(annotated / file, CountOptions(rule=rule, unit="lemma", examples=2), cluster))


def test_what_is_wrong_is_the_sentence_of_the_local_engine(annotated, cluster, tmp_path):
    from concurrence.cli.spark import count_on_cluster
    from concurrence.counting.spark.session import parse_settings

    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"ok ok\n" * 400 + b"b\xffd\n" + b"ok ok\n" * 400)
    for corpus, how in (
        (bad, CountOptions()),
        (annotated / "trees.conllu", CountOptions(rule="pos:A FOO")),
        (annotated / "chunks.vrt", CountOptions(rule="dep:obj")),
        (tmp_path / "nowhere.txt", CountOptions()),
    ):
        with pytest.raises(InvalidInputError) as here:
            count_to_rows(read_corpus(corpus, attributes=how.needed_attributes()), how)
        with pytest.raises(InvalidInputError) as there:
            count_on_cluster((str(corpus),), how, READING, cluster, None)
        assert str(there.value) == str(here.value)
    with pytest.raises(InvalidInputError, match="standard input"):
        count_on_cluster(("-",), CountOptions(), READING, cluster, None)
    with pytest.raises(InvalidInputError, match="key=value"):
        parse_settings(["spark.executor.memory"])


def parts_of(path, how):
    from concurrence.corpus.splits import SplitReader, cut_splits, plan_splits
    from concurrence.counting.spark.engine import SplitParts

    splits = cut_splits(plan_splits([str(path)], format_=None, encoding="utf-8"), 1000)
    parts = SplitParts(splits=splits, files=(str(path),), n_bytes=path.stat().st_size)
    return parts, SplitReader(attributes=how.needed_attributes())


def test_words_that_share_a_number_are_counted_again(lines, cluster, monkeypatch):
    from pyspark.sql import SparkSession

    from concurrence.counting.spark import engine as spark

    salts, real = [], spark.vocabulary_of

    def clashing_at_first(data):
        words = real(data)
        salts.append(words.sorted.tolist())
        return replace(words, sorted=words.sorted * 0) if len(salts) == 1 else words

    monkeypatch.setattr(spark, "vocabulary_of", clashing_at_first)
    how = CountOptions(rule="adjacent")
    parts, read = parts_of(lines, how)
    there = spark.count_with_spark(SparkSession.getActiveSession(), parts, how, read, cluster)
    assert_same(count_to_rows(read_corpus(lines), how), there)
    assert len(salts) == 2
    assert salts[0] != salts[1]


def test_a_python_worker_that_dies_is_one_sentence(lines, cluster):
    from pyspark.sql import SparkSession

    from concurrence.counting.spark.engine import count_with_spark

    def read_and_die(split):
        os._exit(1)

    parts, _ = parts_of(lines, CountOptions())
    with pytest.raises(InvalidInputError, match=r"^Spark gave up: .*--spark-conf spark.driver.memory=8g") as told:
        count_with_spark(SparkSession.getActiveSession(), parts, CountOptions(), read_and_die, cluster)
    assert "\n" not in str(told.value)


def test_an_empty_corpus_has_no_pairs(cluster, tmp_path):
    (tmp_path / "empty.txt").write_text("\n\n")
    assert_same(*both(tmp_path / "empty.txt", CountOptions(), cluster))


def test_the_command_writes_the_same_file(concur, lines, cluster, tmp_path):
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    assert concur("pairs", lines, "--rule", "sentence", "-o", here).code == 0
    done = concur("pairs", lines, "--rule", "sentence", "--engine", "spark", "-o", there)
    assert done.code == 0, done.err
    assert here.read_bytes() == there.read_bytes()
    assert "(spark.driver.memory), splits of at most 4 MB" in done.err
    assert [path.name for path in tmp_path.glob(".*")] == []

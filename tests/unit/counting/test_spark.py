"""The Spark engine against the local one, row for row, with a real Java virtual machine."""

import os
import random
import shutil

import polars as pl
import pytest

from concurrence import read_corpus
from concurrence.core.errors import InvalidInputError
from concurrence.counting import Counting, Filters, count
from concurrence.counting.dropping import parse_patterns

has_java = shutil.which("java") is not None or "JAVA_HOME" in os.environ
pytestmark = [
    pytest.mark.spark,
    pytest.mark.skipif(not has_java, reason="no Java runtime is installed, which Spark needs"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

WORDS = [
    "a",
    "b",
    "B",
    "é",
    "É",
    "ΟΔΟΣ",
    "\U0001f600",
    "\uffee",
    "x\u00a0y",
    "l'",
    '"',
    "\\",
    "tag",
    "Montag",
    "1.0",
    "01",
]
# A session of a minute is over before Java has compiled its code well: to compile it quickly takes half the time.
SHORT_LIVED = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
}
SPACES = [" ", "  ", "\t", "\x0b", "\x0c", "\r"]


@pytest.fixture(scope="session")
def cluster(tmp_path_factory):
    from pyspark.sql import SparkSession

    from concurrence.counting.spark import QUIET, Cluster

    builder = SparkSession.builder.master("local[2]")
    for key, value in {**QUIET, **SHORT_LIVED}.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield Cluster(folder=tmp_path_factory.mktemp("spark"), master=None, settings={})
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


def both(path, how, cluster, format_, **options):
    from concurrence.counting.spark import count_with_spark

    here = count(read_corpus(path, format=format_), how, **options)
    there = count_with_spark([str(path)], how, cluster, format=format_, **options)
    return here, there


def assert_same(here, there):
    assert there.pairs().table.rows() == here.pairs().table.rows()
    assert (there.n_pairs, there.sample_size, there.spectrum) == (here.n_pairs, here.sample_size, here.spectrum)
    assert (there.counted.tokens, there.counted.sentences) == (here.counted.tokens, here.counted.sentences)
    assert there.dropped == here.dropped


@pytest.mark.parametrize("rule", ["adjacent", "window:2", "window-pairs:3", "sentence"])
def test_lines_with_stop_words_lower_case_and_examples(rule, lines, cluster):
    how = Counting(rule=rule, lower=True, min_freq=2, filters=Filters(stop=frozenset({"é"})), examples=2, seed=3)
    assert_same(*both(lines, how, cluster, "lines"))


def test_plain_lines_with_dropped_pairs(lines, cluster):
    how = Counting(rule="adjacent", patterns=parse_patterns(["l1: tag$", "^01$"]))
    assert_same(*both(lines, how, cluster, "lines", true_pairs=[("tag", "a"), ("a", "b")]))


def test_tables_of_tokens_with_units_and_parts_of_speech(table, cluster):
    how = Counting(rule="window-pairs:2", unit="lemma_pos", lower=True, filters=Filters(drop_pos=frozenset({"PUNCT"})))
    assert_same(*both(table, how, cluster, "parquet"))


def test_what_spark_cannot_do_is_a_sentence(lines, table, cluster, tmp_path):
    from concurrence.counting.spark import count_with_spark, parse_settings

    (tmp_path / "bad.txt").write_bytes(b"ok ok\nb\xffd\n")
    for corpus, how, format_, words in (
        (lines, Counting(rule="pos:A N"), "lines", "only by the local engine"),
        (lines, Counting(unit="lemma"), "lines", "no lemmas"),
        (lines, Counting(), "conllu", "lines and parquet"),
        (tmp_path / "nowhere.txt", Counting(), "lines", "Spark says"),
        (tmp_path / "bad.txt", Counting(), "lines", "1 lines of the corpus"),
    ):
        with pytest.raises(InvalidInputError, match=words):
            count_with_spark([str(corpus)], how, cluster, format=format_)
    with pytest.raises(InvalidInputError, match="key=value"):
        parse_settings(["spark.executor.memory"])


def test_the_command_writes_the_same_file(concur, lines, cluster, tmp_path):
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    assert concur("pairs", lines, "--rule", "sentence", "-o", here).code == 0
    assert concur("pairs", lines, "--rule", "sentence", "--engine", "spark", "-o", there).code == 0
    assert here.read_bytes() == there.read_bytes()
    assert [path.name for path in tmp_path.glob(".*")] == []

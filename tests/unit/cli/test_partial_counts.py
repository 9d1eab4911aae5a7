"""``concur pairs --partial`` and ``--merge`` as a user calls them."""

import polars as pl
import pytest

HALVES = ("a red rose\na red rose\nalone\n", "the red rose\nred\na rose\n")


@pytest.fixture
def parts(concur, tmp_path, monkeypatch):
    """Two halves of a text, counted."""
    monkeypatch.chdir(tmp_path)
    for number, text in enumerate(HALVES, start=1):
        (tmp_path / f"half{number}.txt").write_text(text)
        concur("pairs", f"half{number}.txt", "--rule", "sentence", "--partial", "-o", f"part{number}.parquet")
    (tmp_path / "whole.txt").write_text("".join(HALVES))
    return ("part1.parquet", "part2.parquet")


@pytest.mark.parametrize("options", [(), ("--min-freq", "2"), ("--max-memory", "300MB")])
def test_merged_parts_are_the_counts_of_the_whole(concur, parts, options):
    merged = concur("pairs", "--merge", *parts, *options, "-o", "merged.csv", "--json").json
    whole = concur("pairs", "whole.txt", "--rule", "sentence", *options, "-o", "whole.csv", "--json").json
    for told in (merged, whole):
        del told["provenance"]
    assert merged == whole
    assert pl.read_csv("merged.csv").equals(pl.read_csv("whole.csv"))


def test_merged_counts_can_be_merged_again(concur, parts):
    concur("pairs", "--merge", parts[0], "--partial", "-o", "again.parquet")
    merged = concur("pairs", "--merge", "again.parquet", parts[1], "--json").json
    assert merged["top"] == concur("pairs", "--merge", *parts, "--json").json["top"]


def test_patterns_are_dropped_when_counts_are_merged(concur, parts, tmp_path):
    (tmp_path / "drop.txt").write_text("^a$\n")
    found = concur("pairs", "--merge", *parts, "--drop-pairs", "drop.txt", "--json").json
    assert found["dropped"] == [{"pattern": "^a$", "pairs": 2, "true_positives": None}]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("whole.txt", "--partial"), "--partial writes a .parquet file; name it with -o."),
        (("whole.txt", "--partial", "-o", "x.csv"), "--partial writes a .parquet file; name it with -o."),
        (("whole.txt", "--partial", "--min-freq", "2", "-o", "x.parquet"), "--min-freq needs the counts of the whole"),
        (("whole.txt", "--partial", "--examples", "2", "-o", "x.parquet"), "--examples cannot be combined"),
        (("--merge", "part1.parquet", "--rule", "adjacent"), "--rule cannot be combined with --merge"),
        (("--merge", "part1.parquet", "--lower"), "--lower cannot be combined with --merge"),
        (("--merge", "part1.parquet", "part1.parquet"), "both hold the counts of half1.txt"),
        (("--merge", "nowhere.parquet"), "nowhere.parquet does not exist."),
        (("--merge", "whole.txt"), "whole.txt was not written by concur pairs --partial"),
        (("--merge", "pairs.parquet"), "pairs.parquet was not written by concur pairs --partial"),
        (("--merge", "broken.parquet"), "broken.parquet is not a Parquet file"),
    ],
)
def test_mistakes_are_one_sentence(concur, parts, tmp_path, arguments, words):
    concur("pairs", "whole.txt", "-o", "pairs.parquet")
    (tmp_path / "broken.parquet").write_text("no table")
    done = concur("pairs", *arguments)
    assert done.code == 2
    assert words in done.err
    assert done.err.count("\n") == 1
    assert not (tmp_path / "x.parquet").exists()

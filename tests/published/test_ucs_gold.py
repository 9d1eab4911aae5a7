"""The scores of the UCS toolkit for 94 pairs; am.random is random and left out."""

import numpy as np
import polars as pl
import pytest

from concurrence import read_pairs, score
from concurrence.measures.table import MEASURES
from support.expect import PUBLISHED, all_close

GOLD = PUBLISHED / "ucs-gold-100.ds"
BEYOND_THE_FILE = ("binomial_pv", "liddell", "MI_conf")  # UCS has them in add-on packages
IN_THE_FILE = [
    row for row in MEASURES.values() if row.ucs and row.kind != "likelihood" and row.name not in BEYOND_THE_FILE
]


@pytest.mark.parametrize("row", IN_THE_FILE, ids=lambda row: row.name)
def test_scores_are_those_of_ucs(row):
    pairs = read_pairs(GOLD)
    ours = score(pairs, row.name, ucs=True).table[row.name].to_numpy()
    all_close(ours, pairs.table[f"am.{row.ucs}"].to_numpy(), rtol=1e-8)


def test_there_are_94_pairs_and_23_measures():
    pairs = read_pairs(GOLD)
    assert len(pairs) == 94
    columns = {name for name in pairs.table.columns if name.startswith("am.")}
    assert columns - {"am.random"} == {f"am.{row.ucs}" for row in IN_THE_FILE}
    assert len(IN_THE_FILE) == 23


def test_an_infinite_odds_ratio_is_infinite_here_and_ten_millions_there(concur, tmp_path):
    for options, infinity in (((), float("inf")), (("--ucs",), 1e7)):
        assert concur("score", GOLD, "-m", "odds_ratio", *options, "-o", tmp_path / "out.csv").code == 0
        table = read_pairs(tmp_path / "out.csv").table
        perfect = table.filter(pl.col("am.odds.ratio") == 1e7)
        assert len(perfect) == 8
        assert perfect["odds_ratio"].to_list() == [infinity] * 8


def test_a_data_set_keeps_ucs_names(concur, tmp_path):
    out = tmp_path / "again.ds.gz"
    assert concur("score", GOLD, "-m", "all", "--ucs", "-o", out).code == 0
    ours, gold = read_pairs(out).table, read_pairs(GOLD).table
    for row in IN_THE_FILE:
        np.testing.assert_allclose(ours[f"am.{row.ucs}"], gold[f"am.{row.ucs}"], rtol=1e-8)
    assert {"am.logDice", "am.delta.p.12"} <= set(ours.columns)

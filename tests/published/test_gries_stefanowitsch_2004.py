"""Gries & Stefanowitsch (2004), Extending collostructional analysis, on the dative alternation in the ICE-GB.

The ditransitive has 1,035 tokens, the to-dative 1,919; the p-values are those of their table of distinctive collexemes.
"""

import polars as pl
import pytest

from concurrence import contrast_counts

VERBS = pl.DataFrame({"verb": ["give", "tell"], "ditransitive": [461, 128], "to-dative": [146, 2]})
PRINTED = {"give": "1.84e-120", "tell": "8.77e-58"}


def significant_digits(text):
    """A number printed in three digits, to half a unit of the last."""
    exponent = text.partition("e")[2]
    return pytest.approx(float(text), abs=0.005 * 10 ** float(exponent) + float(text) * 1e-9)


def test_distinctive_collexemes():
    found = contrast_counts(VERBS, totals=(1035, 1919)).words
    assert found["word"].to_list() == ["give", "tell"]
    for word, p in found.select("word", "p_fisher").iter_rows():
        assert p == significant_digits(PRINTED[word])


def test_the_command_prints_the_same(tmp_path, concur):
    VERBS.write_csv(tmp_path / "verbs.csv")
    rows = concur("contrast", "--table", tmp_path / "verbs.csv", "--totals", "1035,1919", "--json").json["words"]
    assert {row["word"]: row["p_fisher"] for row in rows} == {
        word: significant_digits(text) for word, text in PRINTED.items()
    }

import json

import polars as pl
import pytest

from concurrence import read_sample, write_sample
from concurrence.core.errors import InvalidInputError
from concurrence.core.samples import Sample, Stratum

STRATA = {"500": Stratum(size=4, sampled=2), "-": Stratum(size=10, sampled=1)}
TABLE = pl.DataFrame(
    {
        "l1": ["a", "b", "c"],
        "l2": ["x", "y", "z"],
        "part": ["1", "all", "2"],
        "stratum": ["500", "-", "500"],
        "probability": [0.5, 0.1, 0.5],
        "weight": [2.0, 10.0, 2.0],
    }
)


def sample(**changes):
    settings = {"table": TABLE, "design": "strata", "population": 14, "strata": STRATA, "best": (500,), **changes}
    return Sample(**settings)


@pytest.mark.parametrize("ending", ["csv", "tsv", "jsonl", "parquet", "csv.gz"])
def test_a_sample_comes_back_with_its_design(tmp_path, ending):
    path = tmp_path / f"sample.{ending}"
    write_sample(sample(measures=("t_score", "MI"), rank_seed=7, strata_by="bands"), path)
    back = read_sample(path)
    assert back.table.equals(TABLE)
    assert back.details == sample(measures=("t_score", "MI"), rank_seed=7, strata_by="bands").details
    assert back.size == 3


@pytest.mark.parametrize(
    ("column", "values", "words"),
    [
        ("probability", [0.5, 0.2, 0.5], "Row 2 of the sample: probability 0.2"),
        ("weight", [2.0, 10.0, 3.0], "Row 3 of the sample"),
        ("stratum", ["500", "-", "-"], "rows in stratum"),
        ("stratum", ["500", "-", "900"], "rows in stratum"),
        ("l1", ["a", "a", "a"], None),
    ],
)
def test_a_table_that_does_not_fit_its_design_is_refused(column, values, words):
    table = TABLE.with_columns(pl.Series(column, values))
    if words is None:
        table = table.with_columns(l2=pl.lit("x"))
        words = "occurs twice"
    with pytest.raises(InvalidInputError, match=words):
        sample(table=table)


def test_a_sample_without_its_design_is_refused(tmp_path):
    path = tmp_path / "sample.csv"
    TABLE.write_csv(path)
    with pytest.raises(InvalidInputError, match=r"has no design: the file sample\.csv\.meta\.json"):
        read_sample(path)
    (tmp_path / "sample.csv.meta.json").write_text(json.dumps({"details": {"design": "strata"}}))
    with pytest.raises(InvalidInputError, match="incomplete"):
        read_sample(path)

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import concurrence
from concurrence.report.pages.plan import confidence_chart
from concurrence.report.pages.precision import precision_chart, side_by_side
from concurrence.sampling.precision_plan import confidence_limits as bounds
from support.lazy_modules import LazyModule
from support.simulated_lists import simulated_list

altair = LazyModule("altair")
SIZE = 900
TRUTH, SCORES = simulated_list([1.6, 1.5, 0.2], size=SIZE, true=90, seed=2)
TABLE = pl.DataFrame({"l1": [f"w{i}" for i in range(SIZE)], "l2": "x"}).with_columns(
    pl.Series(name, row) for name, row in zip(("a", "b", "c"), SCORES, strict=True)
)
GOLD = TABLE.select("l1", "l2", tp=pl.Series(TRUTH.astype(int)))


@pytest.fixture(scope="module")
def sampled():
    return concurrence.evaluate(TABLE, GOLD, measures=["a", "b", "c"], simulate=0.3)


def texts(value):
    """All strings in a specification."""
    if isinstance(value, dict):
        return [text for entry in value.values() for text in texts(entry)]
    if isinstance(value, list):
        return [text for entry in value for text in texts(entry)]
    return [value] if isinstance(value, str) else []


def test_every_measure_is_labelled_at_its_line_and_there_is_no_legend(sampled):
    specification = precision_chart(sampled)
    words = texts(specification)
    assert {"a", "b", "c"} <= set(words)
    assert any(text.startswith("baseline ") for text in words)
    assert '"legend": null' in json.dumps(specification)


def test_the_title_says_what_is_drawn(sampled):
    words = " ".join(texts(precision_chart(sampled)))
    assert "270 of 900 candidates judged (simple)" in words
    assert "95% pointwise confidence regions (hypergeometric)" in words
    assert "dotted: true precision of the whole list" in words


def test_marks_stand_where_a_difference_is_significant(sampled):
    specification = precision_chart(sampled)
    marks = specification["vconcat"][1]["data"]["values"]
    pair = next(c for c in sampled.comparisons if (c.a, c.b) == ("a", "c"))
    expected = {int(n) for n, p in zip(pair.n, pair.p, strict=True) if p <= 0.05}
    assert {mark["n"] for mark in marks if mark["pair"] == "a / c"} <= expected
    assert all(mark["p"] <= 0.05 for mark in marks)


def test_precision_by_recall_and_side_by_side(sampled):
    by_recall = precision_chart(replace(sampled, chart_by="recall"))
    assert by_recall["layer"][-1]["encoding"]["x"] == {"value": 636}
    assert "'field': 'recall'" in str(by_recall)
    assert "vconcat" not in by_recall
    both = side_by_side({"one": sampled, "two": sampled})
    assert len(both["concat"]) == 2
    assert set(both["datasets"]) == {"near_0_lines", "near_1_lines"}


def test_a_long_curve_is_thinned():
    found = concurrence.evaluate(TABLE, GOLD, measures=["a"], n=list(range(1, SIZE + 1)))
    specification = precision_chart(found)
    assert [len(rows) for rows in specification["datasets"].values()] == [400]
    assert np.isfinite(found.measures["a"].precision).all()


def with_few_rows(value):
    """A specification with the first rows of its data: all have the same fields, and each is looked at."""
    if isinstance(value, dict):
        return {key: entry[:3] if key == "values" else with_few_rows(entry) for key, entry in value.items()}
    return list(map(with_few_rows, value)) if isinstance(value, list) else value


@pytest.mark.parametrize("by", ["n", "recall"])
def test_charts_are_valid_vega_lite(sampled, by):
    along = replace(sampled, chart_by=by)
    altair.Chart.from_dict(with_few_rows(precision_chart(along)))
    altair.Chart.from_dict(with_few_rows(side_by_side({"one": along, "two": along})))


def test_the_confidence_chart_is_valid_vega_lite():
    altair.Chart.from_dict(confidence_chart(bounds([25, 100]), level=0.95))

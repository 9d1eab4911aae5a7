"""What is known bounds a rate, and people alone are told by the same kind of interval as the rate."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import concurrence
from concurrence import rate
from support.examples import examples


def in_strata(seed, share=0.05, size=300):
    """A list whose best-ranked candidates are judged almost all, the others hardly."""
    rng = np.random.default_rng(seed)
    true = rng.random(size) < np.where(np.arange(size) < 40, 0.6, share)
    said = np.where(rng.random(size) < 0.7, true, rng.random(size) < 0.3)
    table = pl.DataFrame(
        {
            "l1": [f"w{n}" for n in range(size)],
            "l2": "x",
            "f": np.arange(size)[::-1],
            "judge": said.astype(int),
            "doc": np.arange(size) % 12,
        }
    )
    sample = concurrence.draw_sample(table, size=60, design="strata", best=[20, 50], measures=["f"], seed=seed)
    places = [int(name[1:]) for name in sample.table["l1"]]
    gold = sample.table.select("l1", "l2").with_columns(tp=pl.Series(true[places].astype(int)))
    return table, gold, sample


@examples(25)
@given(st.integers(0, 10_000), st.booleans())
def test_no_more_and_no_fewer_than_people_found(seed, anytime):
    table, gold, sample = in_strata(seed)
    found = rate(table, gold, judges=["judge"], sample=sample, anytime=anytime)
    true = gold["tp"].sum()
    assert true / 300 <= found.interval.low <= found.rate <= found.interval.high <= 1 - (len(gold) - true) / 300
    if anytime:
        assert found.interval.low <= found.fixed.low <= found.fixed.high <= found.interval.high


def by_documents():
    rng = np.random.default_rng(0)
    table = pl.DataFrame(
        {
            "l1": [f"w{n}" for n in range(1000)],
            "l2": "x",
            "judge": rng.integers(0, 2, 1000),
            "doc": np.arange(1000) % 20,
        }
    )
    true = (table["doc"] < 5).cast(int)  # all of five documents, none of the others
    rows = np.sort(rng.choice(1000, 300, replace=False))
    return table, table[rows].select("l1", "l2").with_columns(tp=true[rows])


def test_people_alone_know_of_documents():
    """A judge who guesses cannot make the interval of documents three times as wide as that of people alone."""
    table, gold = by_documents()
    found = rate(table, gold, judges=["judge"], clusters="doc")
    plain = rate(table, gold, judges=["judge"])
    assert found.people_only.interval.method == "clusters"
    assert found.people_only.interval.width > 2 * plain.people_only.interval.width
    assert found.width_ratio == pytest.approx(1, abs=0.1)
    assert "wider here" not in str(found)


def test_people_alone_vary_by_document_as_the_obvious_sums_do():
    table, gold = by_documents()
    found = rate(table, gold, judges=["judge"], clusters="doc").people_only
    residuals = gold.join(table, on=["l1", "l2"]).group_by("doc").agg(sum=(pl.col("tp") - found.value).sum())["sum"]
    error = np.sqrt(20 / 19 * (residuals**2).sum()) / 300
    assert found.interval.width == pytest.approx(2 * 2.093 * error, rel=0.1)  # Student's t with 19 degrees of freedom


def test_at_every_look_all_intervals_are_for_every_look():
    table, gold = by_documents()
    once, always = (rate(table, gold, judges=["judge"], anytime=way) for way in (False, True))
    assert always.people_only.interval.method == "prior_posterior_ratio"
    assert always.people_only.interval.width > once.people_only.interval.width
    assert always.rogan_gladen.interval is None
    assert "no interval that holds at every look" in always.rogan_gladen.note
    assert "every look" not in (once.rogan_gladen.note or "")
    assert 1 < always.width_ratio < 1.2  # the price of a judge who guesses

"""Every printed figure of the five papers is ours to its last digit, or is a misprint whose right value is ours."""

import pytest

from pages.reproductions import PAPERS, reproductions


@pytest.mark.parametrize(("title", "rows"), [(title, rows) for title, _, rows in PAPERS], ids=[t for t, _, _ in PAPERS])
def test_no_figure_differs_without_a_reason(title, rows):
    found = list(rows())
    assert len(found) >= 6
    assert [row for row in found if row.verdict == "DIFFERS"] == []


def test_the_known_misprints_are_named_and_no_others():
    wrong = {(row.where, row.what) for _, _, rows in PAPERS for row in rows() if not row.agrees}
    glass = {entry for entry in wrong if entry[0].startswith("example")}
    assert {("example 6", "kappa Co"), ("example 3", "kappa Co"), ("example 1", "kappa S&C")} <= glass
    assert len(glass) == 14
    assert {what for where, what in wrong if where == "containers"} == {"observed, %", "expected, %"}
    assert all(what.endswith("interval size") for where, what in wrong if where == "Table 2")


def test_the_page_says_what_was_wrong():
    page = reproductions()
    assert "DIFFERS" not in page
    assert "right: 0.364" in page
    assert "min(n_{11}, m)" in page

"""What comparisons leave in doubt: certainty, an item named tie, rows without a winner, nothing but ties."""

from math import exp, log

import pytest

from concurrence import preferences
from concurrence.core.errors import InvalidInputError, UndefinedError
from concurrence.files.comparisons import read_comparisons


@pytest.fixture
def file(tmp_path):
    def written(text):
        path = tmp_path / "made.csv"
        path.write_text(text, "utf-8")
        return path

    return written


def circle(*coders):
    """Every coder says x > y, y > z and z > x."""
    return [(a, b, a, coder) for coder in coders for a, b in ("xy", "yz", "zx")]


def texts(report):
    return " ".join(one.text for one in (*report.warnings, *report.sentences))


def test_perfect_agreement_between_coders_is_not_certainty():
    report = preferences(circle("c0", "c1", "c2"))
    assert report.coder_agreement.value == 1
    assert "that is not certainty" in report.coder_agreement.note
    assert report.coder_agreement.note in [one.text for one in report.warnings]
    assert "Agreement beyond chance is 1.00." in texts(report)
    assert "1.00 to 1.00" not in texts(report)
    apart = preferences([*circle("c0", "c1"), ("x", "y", "y", "c2"), ("y", "z", "y", "c2"), ("z", "x", "z", "c2")])
    assert "rests on 3 items" in apart.coder_agreement.note
    assert apart.coder_agreement.trusted is False
    assert "certainty" not in texts(apart)
    assert "Agreement beyond chance is" in texts(apart)
    assert "(95% interval" not in next(one.text for one in apart.sentences if one.code == "coder_agreement")


def test_the_caution_is_printed_once(file, concur):
    rows = "".join(",".join(row) + "\n" for row in circle("c0", "c1", "c2"))
    done = concur("preferences", file(f"a,b,winner,coder\n{rows}"))
    assert done.out.count("certainty") == 1


def test_the_error_of_ties_is_on_the_scale_of_their_value():
    """A slope written out: one log step of the error up and down, and the interval that it has on the log scale."""
    made = [("x", "y", w) for w in ("x", "x", "y", "tie", "tie")] + [("y", "z", w) for w in ("y", "z", "y", "tie")]
    ties = preferences(made).ties
    low, high = ties.interval
    of_logarithm = (log(high) - log(low)) / 2 / 1.959963984540054
    assert (low * high) ** 0.5 == pytest.approx(ties.value)
    slope = (ties.value * exp(1e-6) - ties.value * exp(-1e-6)) / 2e-6
    assert ties.standard_error == pytest.approx(slope * of_logarithm)


def test_an_item_named_tie_is_refused_where_it_may_have_won(file):
    with pytest.raises(InvalidInputError, match=r"made.csv, line 2: an item is named 'tie'"):
        read_comparisons(file("a,b,winner\ntie,y,tie\ny,tie,y\ntie,z,z\nz,y,y\n"))
    with pytest.raises(InvalidInputError, match=r"line 3: an item is named 'tie'"):
        read_comparisons(file("a,b,winner\nx,y,tie\ny,Tie,TIE\n"))
    assert read_comparisons(file("a,b,winner\nx,y,tie\ny,tie,y\n")).outcome.tolist() == [2, 0]


def test_rows_without_a_winner_are_counted(file, concur):
    path = file("a,b,winner\nx,y,\nx,y,x\ny,x,y\n")
    assert [one.code for one in preferences(path).warnings] == ["winner_missing"]
    assert "1 row without a winner was left out." in concur("preferences", path).out
    two = read_comparisons(file("a,b,winner\nx,y,\nx,y,x\ny,x,\n"))
    assert two.warnings[0].text == "2 rows without a winner were left out."
    assert not read_comparisons(file("a,b,winner\nx,y,y\nx,y,x\n")).warnings


def test_nothing_but_ties_says_nothing_of_strength():
    with pytest.raises(UndefinedError, match="nothing is known of which item is stronger; strengths take comparisons"):
        preferences([("x", "y", "tie"), ("y", "z", "tie"), ("x", "z", "tie")])

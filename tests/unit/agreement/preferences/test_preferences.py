"""Strengths from comparisons: twins, properties, existence, groups, sentences and their absence, the command."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.optimize import minimize

import concurrence
from concurrence.agreement.preferences.between_coders import coder_agreement
from concurrence.agreement.preferences.model import ComparisonCounts, fit, is_finite, outcome_probabilities
from concurrence.agreement.preferences.network import alike_groups, network_of
from concurrence.agreement.preferences.options import PreferenceOptions
from concurrence.core import InvalidInputError, UndefinedError, UnknownNameError
from concurrence.core.comparisons import Comparisons
from concurrence.core.values import to_json
from support.examples import examples

NAMES = "wxyz"


@st.composite
def comparisons(draw, ties=True):
    outcomes = st.sampled_from(("first", "second", "tie") if ties else ("first", "second"))
    size = draw(st.integers(3, 4))
    rows = []
    for _ in range(draw(st.integers(6, 25))):
        first, second = draw(st.permutations(NAMES[:size]))[:2]
        won = {"first": first, "second": second, "tie": "tie"}[draw(outcomes)]
        rows.append((first, second, won, draw(st.sampled_from(("ann", "bob", "cy")))))
    assume({name for row in rows for name in row[:2]} == set(NAMES[:size]))
    made = Comparisons.from_rows(rows)
    assume(len(network_of(made).parts) == 1)
    assume(any(row[2] != "tie" for row in rows))
    return rows


def log_likelihood(rows, strengths, nu, delta):
    """The model written out, one comparison at a time."""
    total = 0.0
    for first, second, won, *_ in rows:
        a, b = np.exp(strengths[first] + delta / 2), np.exp(strengths[second] - delta / 2)
        tie = nu * np.sqrt(a * b)
        total += np.log({first: a, second: b, "tie": tie}[won] / (a + b + tie))
    return total


@examples(15)
@given(rows=comparisons())
def test_maximum_likelihood_is_that_of_the_obvious_search(rows):
    made = Comparisons.from_rows(rows)
    report = concurrence.preferences(rows)
    assume(report.method == "maximum_likelihood")
    names = made.items
    ties = any(row[2] == "tie" for row in rows)

    def loss(parameters):
        strengths = dict(
            zip(names, np.append(parameters[: len(names) - 1], -parameters[: len(names) - 1].sum()), strict=True)
        )
        return -log_likelihood(rows, strengths, np.exp(parameters[-1]) if ties else 0.0, 0.0)

    found = minimize(loss, np.zeros(len(names)), method="BFGS")
    ours = {name: one.strength for name, one in report.items.items()}
    assert -log_likelihood(rows, ours, report.ties.value, 0.0) <= found.fun + 1e-7
    assert sum(ours.values()) == pytest.approx(0, abs=1e-9)


@examples(15)
@given(rows=comparisons(), position=st.booleans())
def test_reduced_bias_is_the_peak_of_the_penalized_likelihood(rows, position):
    made = Comparisons.from_rows(rows)
    design = ComparisonCounts.of(made, position=position, ties=bool((made.outcome == 2).any()))
    found = fit(design, design.together, reduced=True)
    assume(np.linalg.matrix_rank(found.covariance) == len(found.parameters))

    def penalized(parameters):
        """The information summed over pairs, from the covariance of the outcomes."""
        chances = outcome_probabilities(design, parameters)
        features = np.array([0.5, -0.5, 0.0])[None, :, None] * design.predictors[:, None, :]
        if design.ties:
            extra = np.broadcast_to(np.array([0.0, 0.0, 1.0])[None, :, None], (*features.shape[:2], 1))
            features = np.concatenate([features, extra], axis=-1)
        information = 0.0
        for pair, counts in enumerate(design.together):
            mean = chances[pair] @ features[pair]
            centred = features[pair] - mean
            information = information + counts.sum() * (centred.T * chances[pair]) @ centred
        likelihood = (design.together * np.log(np.maximum(chances, 1e-300))).sum()
        return likelihood + np.linalg.slogdet(information)[1] / 2

    top = penalized(found.parameters)
    random = np.random.default_rng(0)
    for _ in range(10):
        assert penalized(found.parameters + 1e-3 * random.standard_normal(len(found.parameters))) <= top + 1e-9


@examples(20)
@given(rows=comparisons(), data=st.data())
def test_names_order_and_sides_do_not_matter(rows, data):
    new = dict(zip(NAMES, data.draw(st.permutations(NAMES)), strict=True)) | {"tie": "tie"}
    turned = [(new[b], new[a], new[won], who) for a, b, won, who in data.draw(st.permutations(rows))]
    one, other = concurrence.preferences(rows), concurrence.preferences(turned)
    for name, item in one.items.items():
        assert other[new[name]].strength == pytest.approx(item.strength, abs=1e-6)
        assert other[new[name]].standard_error == pytest.approx(item.standard_error, rel=1e-5)
    assert other.position_bias.value == pytest.approx(-one.position_bias.value, abs=1e-5, nan_ok=True)
    assert other.deviance == pytest.approx(one.deviance, abs=1e-6)


@examples(40)
@given(rows=comparisons())
def test_fords_condition_is_that_of_the_linear_programme(rows):
    made = Comparisons.from_rows(rows)
    design = ComparisonCounts.of(made, position=False, ties=bool((made.outcome == 2).any()))
    finite = is_finite(design, design.together)
    assert finite <= network_of(made).strong
    assert design.ties or finite == network_of(made).strong  # Ford (1957)
    report = concurrence.preferences(rows)
    assert report.method == ("maximum_likelihood" if finite else "bias_reduced")
    assert ("no_maximum_likelihood" in {one.code for one in report.warnings}) != finite
    json.dumps(to_json(report), allow_nan=False)


def test_ties_alone_do_not_hold_items_together():
    """Every win is of w, and ties would not stop it: the linear programme sees what the network does not."""
    rows = [("w", "x", "w")] * 4 + [("w", "x", "tie"), ("w", "y", "tie")]
    assert network_of(Comparisons.from_rows(rows)).strong
    report = concurrence.preferences(rows)
    assert report.method == "bias_reduced"
    assert "no finite solution" in report.warnings[0].text


def test_a_position_that_cannot_be_told_from_strengths_is_said():
    rows = [("w", "x", "w"), ("w", "x", "x"), ("w", "y", "w"), ("w", "y", "y")]
    bias = concurrence.preferences(rows).position_bias
    assert np.isnan(bias.value)
    assert "cannot tell" in bias.note
    with pytest.raises(UndefinedError, match="Leave out"):
        concurrence.preferences(rows, position=True)


@given(st.sets(st.sampled_from(list(combinations(NAMES, 2)))))
def test_groups_are_the_largest_without_a_difference(apart):
    groups = [set(group) for group in alike_groups(NAMES, apart)]
    possible = [set(some) for size in range(1, 5) for some in combinations(NAMES, size)]
    free = [some for some in possible if not any({a, b} <= some for a, b in apart)]
    largest = [some for some in free if not any(some < other for other in free)]
    assert sorted(map(sorted, groups)) == sorted(map(sorted, largest))


def test_agreement_without_ties_is_kendalls_u():
    """Every one of m coders compares all pairs: u = 8 Σ C(wins, 2) / (m (m - 1) n (n - 1)) - 1."""
    random = np.random.default_rng(5)
    rows = [(a, b, (a, b)[random.random() < 0.3], str(m)) for m in range(6) for a, b in combinations(NAMES, 2)]
    wins = {
        (a, b): sum(row[2] == a for row in rows if {row[0], row[1]} == {a, b}) for a in NAMES for b in NAMES if a != b
    }
    kendall = 8 * sum(w * (w - 1) / 2 for w in wins.values()) / (6 * 5 * 4 * 3) - 1
    found = concurrence.preferences(rows).coder_agreement
    assert found.value == pytest.approx(kendall)
    assert (found.expected, found.pairs) == (0.5, 6)


def test_agreement_says_why_it_has_no_value():
    def note(rows, *, coders_known=True):
        design = ComparisonCounts.of(Comparisons.from_rows(rows), position=False, ties=True)
        return coder_agreement(design, coders_known=coders_known, level=0.95).note

    assert "who made them" in note([("x", "y", "x", "ann"), ("x", "y", "y", "bob")], coders_known=False)
    assert "same two items" in note([("x", "y", "x", "ann"), ("x", "z", "x", "bob")])
    assert "is a tie" in note([("x", "y", "tie", "ann"), ("x", "y", "tie", "bob")])


def chosen(strengths, n, *, seed=0, coders=4, delta=0.0):
    """Comparisons drawn from the model; every pair is shown in both orders."""
    random = np.random.default_rng(seed)
    rows = []
    for a, b in combinations(strengths, 2):
        for turn in range(n):
            first, second = (a, b) if turn % 2 else (b, a)
            p = 1 / (1 + np.exp(-(strengths[first] - strengths[second] + delta)))
            rows.append((first, second, first if random.random() < p else second, str(turn % coders)))
    return rows


def codes(report):
    return {one.code for one in report.sentences}


def test_sentences_come_where_the_data_carry_them_and_nowhere_else():
    clear = concurrence.preferences(chosen({"x": 2.0, "y": 0.0, "z": -2.0}, 80))
    assert "ahead" in codes(clear)
    assert not {"position_bias", "misfit", "no_maximum_likelihood", "interval_untrusted"} & codes(clear)
    assert clear.groups == (("x",), ("y",), ("z",))
    equal = concurrence.preferences(chosen({"x": 0.0, "y": 0.0, "z": 0.0}, 40, seed=3))
    assert "no_difference" in codes(equal)
    first = concurrence.preferences(chosen({"x": 1.0, "y": 0.0, "z": -1.0}, 80, delta=1.0))
    assert "position_bias" in {one.code for one in first.warnings}
    taken = concurrence.preferences(chosen({"x": 1.0, "y": 0.0, "z": -1.0}, 80, delta=1.0), position=True)
    assert not taken.warnings
    assert taken.position_bias.in_model
    cycle = [row for a, b in (("x", "y"), ("y", "z"), ("z", "x")) for row in [(a, b, a)] * 30 + [(b, a, b)] * 10]
    assert "misfit" in {one.code for one in concurrence.preferences(cycle).warnings}


def test_coders_of_different_taste_widen_the_intervals():
    rows = []
    for coder in range(8):
        liked = "x" if coder % 2 else "y"
        rows += [("x", "y", liked, str(coder))] * 20 + [("y", "z", ("y", "z")[coder % 2], str(coder))] * 20
    report = concurrence.preferences(rows)
    assert "errors_by_coders" in codes(report)
    for item in report.items.values():
        assert (item.interval_method, item.trusted) == ("coders", True)
        assert item.interval == item.intervals["coders"]
        assert item.interval.width > 1.5 * item.intervals["information"].width


def test_with_three_coders_intervals_and_tests_rest_on_the_coders():
    report = concurrence.preferences(chosen({"x": 0.8, "y": 0.0, "z": -0.8}, 60, coders=3))
    assert {one.interval_method for one in report.items.values()} == {"coders"}
    assert report.position_bias.interval_method == "coders"
    assert not {"errors_by_coders", "interval_untrusted"} & codes(report)
    assert np.isnan(report.deviance_p_value)


def test_leaving_out_coders_is_what_it_says():
    rows = chosen({"x": 0.5, "y": 0.0, "z": -0.5}, 30, coders=5)
    report = concurrence.preferences(rows)
    left = [
        {
            name: one.bias_reduced
            for name, one in concurrence.preferences([r for r in rows if r[3] != str(c)]).items.items()
        }
        for c in range(5)
    ]
    for name, one in report.items.items():
        values = np.array([entry[name] for entry in left])
        independent = one.intervals["information"].width / 2 / 1.959964
        error = max(np.sqrt(4 / 5 * ((values - values.mean()) ** 2).sum()), independent)
        assert one.intervals["coders"].width == pytest.approx(2 * 2.776445 * error, rel=1e-4)


def test_further_comparisons_bring_the_error_down_to_what_was_asked():
    rows = chosen({"x": 0.5, "y": 0.2, "z": -0.7}, 20)
    report = concurrence.preferences(rows, separation=0.7)
    one = report.further[0]
    first = next(pair for pair in report.differences if {pair.a, pair.b} == {one.a, one.b})
    each = 0.7 * 0.3
    after = 1 / np.sqrt(1 / first.standard_error**2 + one.comparisons * each)
    assert one.difference / after == pytest.approx(1.959964 + 0.841621, rel=0.05)
    assert one.win_rate == pytest.approx(0.7)


def test_what_cannot_be_compared_is_said():
    with pytest.raises(UndefinedError, match="2 groups that were never compared with each other"):
        concurrence.preferences([("w", "x", "w"), ("y", "z", "z")])
    with pytest.raises(UndefinedError, match="Every comparison is a tie"):
        concurrence.preferences([("w", "x", "tie")])
    with pytest.raises(InvalidInputError, match="between 0\\.5 and 1"):
        PreferenceOptions(separation=0.4)
    with pytest.raises(InvalidInputError, match="compared with itself"):
        Comparisons.from_rows([("x", "x", "x")])
    with pytest.raises(UnknownNameError, match="no item 'q'"):
        _ = concurrence.preferences([("x", "y", "x"), ("x", "y", "y")])["q"]


CHOICES = "a,b,winner,coder\nx,y,x,ann\ny,x,x,bob\nx,z,z,ann\nz,x,x,bob\ny,z,tie,ann\nz,y,y,bob\n"


@pytest.fixture
def choices(tmp_path):
    (tmp_path / "choices.csv").write_text(CHOICES, "utf-8")
    return tmp_path / "choices.csv"


def test_the_command_and_its_json(choices, concur, tmp_path):
    found = concur("preferences", choices, "--json").json
    assert {"items", "ties", "position_bias", "deviance"} <= set(found)
    assert all({"strength", "standard_error", "interval"} <= set(one) for one in found["items"].values())
    assert sum(one["strength"] for one in found["items"].values()) == pytest.approx(0)
    sides = CHOICES.replace("y,x,x,bob", "y,x,b,bob").replace("x,y,x,ann", "x,y,a,ann")
    (tmp_path / "sides.csv").write_text(sides, "utf-8")
    assert concur("preferences", tmp_path / "sides.csv", "--json").json["items"] == found["items"]
    counted = "a,b,winner,count\nx,y,x,2\nx,z,z,1\nx,z,x,1\ny,z,tie,1\nz,y,y,1\nz,y,z,0\n"
    (tmp_path / "counted.csv").write_text(counted, "utf-8")
    again = concur("preferences", tmp_path / "counted.csv", "--json").json["items"]
    assert again["x"]["strength"] == pytest.approx(found["items"]["x"]["strength"])


def test_files_of_the_command(choices, concur, tmp_path):
    for ending in (".csv", ".html", ".md", ".tex", ".svg", ".png"):
        assert concur("preferences", choices, "-o", tmp_path / f"out{ending}").code == 0
    assert "Bradley & Terry (1952)" in (tmp_path / "out.md").read_text("utf-8")


def test_other_names_of_columns(concur, tmp_path):
    (tmp_path / "other.csv").write_text("one,two,better\nx,y,x\nx,y,y\n", "utf-8")
    assert "has no column 'a'" in concur("preferences", tmp_path / "other.csv").err
    named = concur("preferences", tmp_path / "other.csv", "--columns", "a=one,b=two,winner=better", "--json")
    assert named.json["data"]["comparisons"] == 2


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ("x,x,x\n", "line 2: 'x' is compared with itself"),
        ("x,y,x\nx,y,q\n", "line 3: the winner 'q' is neither 'a', 'b' or 'tie' nor one of the two items"),
        ("x,,x\n", "line 2: the column 'b' is empty"),
        ("x,y,\n", "holds no comparison"),
        ("w,x,w\ny,z,z\n", "never compared with each other"),
        ("b,a,a\nb,a,b\n", "may be the side or the item"),
    ],
)
def test_bad_input_is_one_sentence(rows, complaint, concur, tmp_path):
    (tmp_path / "bad.csv").write_text("a,b,winner\n" + rows, "utf-8")
    done = concur("preferences", tmp_path / "bad.csv")
    assert (done.code, done.out) == (2, "")
    assert complaint in done.err
    assert done.err.count("\n") == 1


def test_items_named_a_and_b_in_capitals_are_items(concur, tmp_path):
    """Systems A and B, shown in both orders: a winner 'A' is the item, and a lower-case 'a' the side."""
    (tmp_path / "capitals.csv").write_text("a,b,winner\nA,B,A\nB,A,A\nB,A,B\n", "utf-8")
    (tmp_path / "sides.csv").write_text("a,b,winner\nA,B,a\nB,A,b\nB,A,a\n", "utf-8")
    named, sides = (concur("preferences", tmp_path / f"{name}.csv", "--json").json for name in ("capitals", "sides"))
    assert (named["items"]["A"]["wins"], named["items"]["B"]["wins"]) == (2, 1)
    assert named["items"] == sides["items"]


def test_items_of_equal_strength_share_the_lead():
    report = concurrence.preferences(
        [("x", "y", "x"), ("y", "x", "y"), ("x", "z", "x"), ("y", "z", "y"), ("z", "x", "z"), ("z", "y", "z")]
    )
    assert report.sentences[0].text == "x, y and z share the highest strength."


def test_bad_counts_and_a_missing_winner(concur, tmp_path):
    (tmp_path / "bad.csv").write_text("a,b,winner,count\nx,y,x,two\n", "utf-8")
    assert "counts are whole numbers" in concur("preferences", tmp_path / "bad.csv").err
    (tmp_path / "gap.csv").write_text("a,b,winner\nx,y,x\nx,y,\nx,y,y\n", "utf-8")
    assert concur("preferences", tmp_path / "gap.csv", "--json").json["data"]["missing"] == 1

import json

import numpy as np
import polars as pl
import pytest
from scipy.stats import ttest_1samp

from concurrence import agree, judge
from concurrence.agreement.judge import alternative_annotator
from concurrence.agreement.judge.alternative_annotator import alternative_test, benjamini_yekutieli
from concurrence.agreement.judge.judge import judge_disagreements
from concurrence.agreement.labels import analytic_pairs
from concurrence.core import InvalidInputError, Labels, UndefinedError, UnknownNameError


def judged(slips=(0.15, 0.15, 0.2, 0.05), n=120, missing=0.0, seed=1):
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, n)
    shape = (n, len(slips))
    codes = np.where(random.random(shape) < np.array(slips), random.integers(0, 3, shape), truth[:, None])
    codes = np.where(random.random(shape) < missing, -1, codes).astype(np.int32)
    names = (*(f"h{k}" for k in range(1, len(slips))), "model")
    return Labels(codes=codes, categories=("1", "2", "3"), coders=names)


def slow_alternative_test(labels, judge, epsilon, closeness):
    """Item by item, as the paper describes it."""
    rows = [dict(zip(labels.coders, row, strict=True)) for row in labels.codes.tolist()]
    found = {}
    for left_out in (coder for coder in labels.coders if coder != judge):
        differences, wins = [], []
        for row in rows:
            humans = {c: v for c, v in row.items() if c != judge and v >= 0}
            if row[judge] < 0 or len(humans) < 2 or left_out not in humans:
                continue
            rest = [value for coder, value in humans.items() if coder != left_out]
            mine, theirs = closeness(row[judge], rest), closeness(row[left_out], rest)
            wins.append(mine >= theirs)
            differences.append(int(theirs >= mine) - int(mine >= theirs))
        found[left_out] = np.mean(wins), ttest_1samp(differences, epsilon, alternative="less").pvalue
    return found


def accuracy(label, others):
    return np.mean([label == other for other in others])


def negative_rmse(label, others):
    return -np.sqrt(np.mean([(label - other) ** 2 for other in others]))


@pytest.mark.parametrize("missing", [0.0, 0.2])
@pytest.mark.parametrize(("score", "closeness"), [("accuracy", accuracy), ("rmse", negative_rmse)])
def test_the_alternative_test_is_that_of_the_obvious_loop(score, closeness, missing):
    labels = judged(missing=missing, n=200)
    found = alternative_test(labels, "model", epsilon=0.1, score=score)
    slow = slow_alternative_test(labels, "model", 0.1, closeness)
    for human in found.humans:
        advantage, p_value = slow[human.coder]
        assert human.advantage == pytest.approx(advantage)
        assert human.p_value == pytest.approx(p_value)
    assert found.advantage_probability == pytest.approx(np.mean([advantage for advantage, _ in slow.values()]))
    won = benjamini_yekutieli(np.array([p for _, p in slow.values()]), 0.05)
    assert found.winning_rate == won.mean()


def test_a_good_judge_passes_and_a_guessing_one_does_not():
    assert alternative_test(judged(), "model").passed
    assert not alternative_test(judged(slips=(0.1, 0.1, 0.1, 1.0)), "model").passed


@pytest.mark.parametrize(
    ("slips", "told"),
    [
        ((0.15, 0.15, 0.2, 0.05), "was shown to represent the others as well as all 3 humans do."),
        ((0.02, 0.02, 0.5, 0.3), "was shown to represent the others as well as 1 of the 3 humans does."),
        ((0.1, 0.1, 0.1, 1.0), "was not shown to represent the others as well as any of the 3 humans does."),
    ],
)
def test_whom_the_judge_may_stand_in_for_is_told(slips, told):
    (sentence,) = (one.text for one in judge(judged(slips), "model").sentences if one.code == "alt_test")
    assert told in sentence


def test_benjamini_yekutieli_steps_up():
    assert benjamini_yekutieli(np.array([0.02, 0.0001, 0.013]), 0.05).tolist() == [True, True, True]
    assert benjamini_yekutieli(np.array([0.5, 0.9]), 0.05).tolist() == [False, False]


def test_one_human_is_the_pair_itself():
    labels = judged(slips=(0.2, 0.2), n=400)
    found = judge(labels, "model")
    pair = agree(labels)["cohen_kappa"]
    assert found.judge_human.value == pytest.approx(pair.value)
    assert tuple(found.judge_human.interval) == pytest.approx(tuple(pair.interval))
    assert found.human_human is None
    assert found.alt_test is None
    assert "at least two human" in found.warnings[0].text


def test_the_mean_over_humans():
    labels = judged(n=400)
    found = judge(labels, "model")
    pairs = [agree(labels.select_coders([h, "model"]))["cohen_kappa"].value for h in ("h1", "h2", "h3")]
    assert found.judge_human.value == pytest.approx(np.mean(pairs))
    assert len(found.human_human.pairs) == 3
    assert sum(found.base_rates["model"].values()) == pytest.approx(1)
    assert 0 < found.constant_guess.value < found.constant_guess.judge < 1


@pytest.mark.parametrize(
    ("gate", "passed"),
    [("cohen_kappa>=0.5", True), ("cohen_kappa >= 0.99", False), ("winning_rate>=0.5", True), ("gwet_ac1>0.9", False)],
)
def test_gates_look_at_the_lower_bound(gate, passed):
    found = judge(judged(n=400), "model", gate=gate)
    assert found.gate.passed is passed
    if found.gate.quantity == "cohen_kappa":
        assert found.gate.bound < found.judge_human.value


@pytest.mark.parametrize(
    ("error", "gate"),
    [(InvalidInputError, "kappa=0.7"), (UnknownNameError, "cohen_kapa>=0.7"), (InvalidInputError, "")],
)
def test_gates_that_cannot_be_read(error, gate):
    with pytest.raises(error):
        judge(judged(), "model", gate=gate)


def test_a_judge_alone():
    with pytest.raises(UndefinedError, match="only coder"):
        judge(Labels.from_rows([["a"], ["b"]]), "1")


def test_disagreements_put_the_clearest_first():
    labels = Labels.from_rows([["a", "a", "b"], ["a", "b", "b"], ["a", "a", "a"], ["b", None, "a"]])
    frame = judge_disagreements(labels, "3")
    assert frame["item"].to_list() == ["1", "4", "2"]
    assert frame["humans_against_judge"].to_list() == [1.0, 1.0, 0.5]


def test_the_command_and_its_exit_codes(concur, tmp_path):
    labels = judged(n=200)
    path = tmp_path / "judged.csv"
    names = np.array(labels.categories)
    columns = {coder: names[labels.codes[:, k]] for k, coder in enumerate(labels.coders)}
    pl.DataFrame({"item": range(200), **columns}).write_csv(path)
    done = concur("judge", path, "--wide", "--judge", "model", "--json", "--gate", "cohen_kappa>=0.5")
    assert done.code == 0
    assert done.json["gate"] == done.json["gate"] | {"expression": "cohen_kappa>=0.5", "passed": True}
    assert {"winning_rate", "epsilon", "p_values"} <= set(done.json["alt_test"])
    assert set(done.json["base_rates"]) == set(labels.coders)
    missed = concur("judge", path, "--wide", "--judge", "model", "--json", "--gate", "cohen_kappa>=0.99")
    assert (missed.code, missed.json["gate"]["passed"]) == (3, False)
    assert "lower bound" in missed.err
    assert concur("judge", path, "--wide", "--judge", "modell").code == 2
    assert concur("judge", path, "--wide", "--judge", "model", "--disagreements", tmp_path / "d.csv").code == 0
    assert (tmp_path / "d.csv").is_file()


def graded(n=200, seed=3):
    random = np.random.default_rng(seed)
    truth = random.integers(1, 6, n)
    rows = [[str(np.clip(grade + random.integers(-1, 2), 1, 5)) for _ in range(4)] for grade in truth]
    return Labels.from_rows(rows, coders=("ann", "bob", "m1", "m2"))


@pytest.mark.parametrize(
    ("options", "leads"),
    [
        ({}, "cohen_kappa"),
        ({"score": "rmse"}, "weighted_kappa"),
        ({"scale": "ordinal"}, "weighted_kappa"),
        ({"weights": "linear"}, "weighted_kappa"),
        ({"scale": "circular"}, "krippendorff_alpha"),
        ({"scale": "ordinal", "coefficient": "krippendorff_alpha"}, "krippendorff_alpha"),
    ],
)
def test_grades_are_judged_by_a_coefficient_for_grades(options, leads):
    labels = graded().select_coders(["ann", "bob", "m1"])
    found = judge(labels, "m1", **options)
    assert found.judge_human.coefficient == leads
    assert np.isfinite(found.judge_human.value)


def test_several_judges_are_compared_with_the_same_humans(concur, tmp_path):
    labels = graded()
    path = tmp_path / "wide.csv"
    names = [[labels.categories[code] for code in row] for row in labels.codes]
    lines = [",".join(["item", *labels.coders]), *(",".join([str(k), *row]) for k, row in enumerate(names))]
    path.write_text("\n".join(lines) + "\n")
    found = concur("judge", path, "--wide", "--judge", "m1,m2", "--scale", "ordinal", "--json").json
    assert list(found["judges"]) == ["m1", "m2"]
    for name, one in found["judges"].items():
        alone = judge(labels.select_coders(["ann", "bob", name]), name, scale="ordinal")
        assert one["judge_human"]["value"] == pytest.approx(alone.judge_human.value)
        assert one["judge_human"]["coefficient"] == "weighted_kappa"
        assert list(one["base_rates"]) == ["ann", "bob", name]
    assert "Mean Weighted kappa" not in concur("judge", path, "--wide", "--judge", "m1,m2").out
    assert concur("judge", path, "--wide", "--judge", "m1,m2", "--gate", "cohen_kappa>=0.9").code == 3
    assert concur("judge", path, "--wide", "--judge", "m1,m2", "-o", tmp_path / "pairs.csv").code == 0


def test_people_in_one_file_and_judges_in_another(concur, tmp_path):
    labels = judged(n=60)
    by_coder = {
        c: {str(i): labels.categories[x] for i, x in enumerate(labels.codes[:, k])} for k, c in enumerate(labels.coders)
    }
    people = {coder: given for coder, given in by_coder.items() if coder != "model"}
    (tmp_path / "human_annotations.json").write_text(json.dumps(people, indent=4))
    (tmp_path / "llm_annotations.json").write_text(json.dumps({"model": by_coder["model"]}, indent=4))
    files = (tmp_path / "human_annotations.json", tmp_path / "llm_annotations.json")
    found = concur("judge", *files, "--judge", "model", "--json")
    assert found.code == 0
    assert found.json["alt_test"]["p_values"] == pytest.approx(judge(labels, "model").alt_test.p_values)


def test_many_judges_are_in_one_table(concur, tmp_path):
    labels = judged(slips=(0.1,) * 8, n=40)
    names = np.array(labels.categories)
    columns = {coder: names[labels.codes[:, k]] for k, coder in enumerate(labels.coders)}
    path = tmp_path / "wide.csv"
    pl.DataFrame({"item": range(40), **columns}).write_csv(path)
    few = concur("judge", path, "--wide", "--judge", "h6,h7,model", "--coders", "h1,h2,h6,h7,model").out
    assert few.count("humans among themselves") == 1
    assert few.count("\nhumans  ") == 1
    many = concur(
        "judge", path, "--wide", "--judge", "h2,h3,h4,h5,h6,h7,model", "--coders", ",".join(labels.coders)
    ).out
    assert [line.split()[0] for line in many.splitlines() if " and humans " in line and " mean " in line][:2] == [
        "h2",
        "h3",
    ]


@pytest.mark.parametrize(
    ("options", "score"),
    [
        ({}, "accuracy"),
        ({"scale": "ordinal"}, "accuracy"),
        ({"scale": "interval"}, "rmse"),
        ({"scale": "ratio"}, "rmse"),
        ({"scale": "interval", "score": "accuracy"}, "accuracy"),
        ({"score": "rmse"}, "rmse"),
    ],
)
def test_closeness_is_distance_where_the_scale_has_distances(options, score):
    labels = graded().select_coders(["ann", "bob", "m1"])
    found = judge(labels, "m1", **options)
    assert found.alt_test == alternative_test(labels, "m1", score=score)


def test_items_without_a_label_of_the_judge_are_told():
    labels = judged(n=100)
    codes = labels.codes.copy()
    codes[:7, 3] = -1
    gaps = Labels(codes=codes, categories=labels.categories, coders=labels.coders)
    told = {warning.code: warning.text for warning in judge(gaps, "model").warnings}
    assert told["judge_unlabelled"].startswith("model has no label for 7 of the 100 items that humans labelled")
    codes[:7, :3] = -1
    both = Labels(codes=codes, categories=labels.categories, coders=labels.coders)
    for fine in (labels, both):
        assert "judge_unlabelled" not in {warning.code for warning in judge(fine, "model").warnings}


def test_a_missed_gate_names_its_judge(concur, tmp_path):
    labels = judged(n=60, slips=(0.1, 0.1, 0.1, 0.9))
    rows = np.array(labels.categories)[labels.codes].tolist()
    path = tmp_path / "wide.csv"
    path.write_text(
        "\n".join(["item,h1,h2,h3,model", *(",".join([str(k), *row]) for k, row in enumerate(rows))]) + "\n"
    )
    done = concur("judge", path, "--wide", "--judge", "h3,model", "--gate", "cohen_kappa>=0.5")
    assert done.code == 3
    assert "model misses the gate cohen_kappa>=0.5: the lower bound is" in done.err
    assert "h3 misses" not in done.err
    rate = concur("judge", path, "--wide", "--judge", "model", "--gate", "winning_rate>=0.5")
    assert "model misses the gate winning_rate>=0.5: the value is 0.000." in rate.err


@pytest.mark.parametrize(
    ("n", "p_value", "passed"), [(2, 0.8**2, False), (4, 0.8**4, False), (10, 0.8**10, False), (40, 0.0, True)]
)
def test_a_few_items_on_which_all_agree_show_little(n, p_value, passed):
    labels = Labels.from_rows([["a", "a", "a", "a"], ["b", "b", "b", "b"]] * (n // 2))
    found = judge(labels, "4").alt_test
    assert list(found.p_values.values()) == pytest.approx([p_value] * 3)
    assert found.passed is passed


@pytest.mark.parametrize("missing", [0.0, 0.3])
@pytest.mark.parametrize("options", [{}, {"coefficient": "scott_pi"}, {"weights": "linear"}])
def test_many_pairs_at_once_are_as_one_by_one(options, missing, monkeypatch):
    labels = judged(slips=(0.1, 0.3) * 8, n=300, missing=missing)
    at_once = judge(labels, "model", **options)
    assert len(at_once.human_human.pairs) > analytic_pairs.MANY_PAIRS
    monkeypatch.setattr(analytic_pairs, "MANY_PAIRS", 1000)
    one_by_one = judge(labels, "model", **options)
    for some, other in zip(at_once.human_human.pairs, one_by_one.human_human.pairs, strict=True):
        assert (some.coders, some.items, some.interval_method) == (other.coders, other.items, other.interval_method)
        assert some.note == other.note
        assert some.value == pytest.approx(other.value)
        assert tuple(some.interval) == pytest.approx(tuple(other.interval))
    assert at_once.human_human.standard_error == pytest.approx(one_by_one.human_human.standard_error)
    assert tuple(at_once.human_human.interval) == pytest.approx(tuple(one_by_one.human_human.interval))


def test_votes_are_as_close_as_labels(monkeypatch):
    labels = judged(n=80, missing=0.2)
    by_votes = alternative_test(labels, "model")
    monkeypatch.setattr(alternative_annotator, "MOST_VOTES", 0)
    assert alternative_test(labels, "model") == by_votes

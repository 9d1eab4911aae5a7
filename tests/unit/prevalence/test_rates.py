"""How many of a list are true: by classes, by strata, by documents, corrected, and without gold."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import betabinom

import concurrence
from concurrence import InvalidInputError, UndefinedError, rate, rate_from_counts, rate_without_gold
from concurrence.prevalence.cells import ClassCells, drawn_totals, total_chances
from concurrence.prevalence.corrected import rogan_gladen


def made(size=400, share=0.25, sensitivity=0.9, specificity=0.9, seed=0):
    rng = np.random.default_rng(seed)
    true = (np.arange(size) < size * share)[rng.permutation(size)]
    said = np.where(true, rng.random(size) < sensitivity, rng.random(size) >= specificity)
    names = [f"w{i}" for i in range(size)]
    table = pl.DataFrame(
        {"l1": names, "l2": "x", "judge": said.astype(int), "doc": [f"d{i % 20}" for i in range(size)]}
    )
    return table, true


def judged(table, true, rows):
    return table[rows].select("l1", "l2").with_columns(tp=pl.Series(true[rows].astype(int)))


def some(size, n, seed=0):
    return np.sort(np.random.default_rng(seed).choice(size, n, replace=False))


def codes(report):
    return {sentence.code for sentence in report.sentences}


def test_each_class_counts_for_all_of_it():
    table = pl.DataFrame({"l1": list("abcdefghij"), "l2": "x", "judge": [1] * 4 + [0] * 6})
    gold = pl.DataFrame({"l1": ["a", "b", "e", "f", "g"], "l2": "x", "tp": [1, 0, 0, 0, 1]})
    found = rate(table, gold, judges=["judge"])
    assert found.rate == pytest.approx((4 * 1 / 2 + 6 * 1 / 3) / 10)
    assert found.naive.value == pytest.approx(0.4)
    assert found.people_only.value == pytest.approx(2 / 5)
    assert found.sensitivity == pytest.approx(1 / 2)
    assert found.specificity == pytest.approx(2 / 3)
    assert found.rogan_gladen.value == pytest.approx(rogan_gladen(0.4, 1 / 2, 2 / 3))


def test_people_alone_are_the_baseline_of_evaluate():
    table, true = made()
    gold = judged(table, true, some(400, 80))
    found = rate(table, gold, judges=["judge"]).people_only
    baseline = concurrence.evaluate(table, gold, measures=["judge"], n=[10]).baseline
    assert (found.value, list(found.interval)) == (baseline.value, list(baseline.interval))


@given(st.integers(0, 10_000))
def test_what_is_judged_bounds_the_interval(seed):
    table, true = made(60, seed=seed)
    rows = some(60, 20, seed)
    found = rate(table, judged(table, true, rows), judges=["judge"])
    known_true, known_false = true[rows].sum(), (~true[rows]).sum()
    assert known_true / 60 <= found.interval.low <= found.rate <= found.interval.high <= 1 - known_false / 60


def test_the_order_of_the_list_and_the_names_do_not_matter():
    table, true = made()
    gold = judged(table, true, some(400, 80))
    one = rate(table, gold, judges=["judge"])
    other = rate(table.reverse().rename({"judge": "model"}), gold.reverse(), judges=["model"])
    assert (one.rate, list(one.interval)) == (other.rate, list(other.interval))


def test_a_judge_without_errors_leaves_little_doubt():
    table, true = made(sensitivity=1.0, specificity=1.0)
    found = rate(table, judged(table, true, some(400, 100)), judges=["judge"])
    assert found.rate == pytest.approx(0.25)
    assert found.interval.width < 0.4 * found.people_only.interval.width
    assert "gain" in codes(found)


def test_a_judge_that_guesses_is_said_to_add_little():
    table, true = made(2000, sensitivity=0.5, specificity=0.5)
    found = rate(table, judged(table, true, some(2000, 300)), judges=["judge"])
    assert found.interval.width < 1.1 * found.people_only.interval.width
    assert "gain" not in codes(found)


def test_a_judge_whose_share_lies_inside_is_not_warned_of():
    table, true = made(sensitivity=1.0, specificity=1.0)
    good = rate(table, judged(table, true, some(400, 100)), judges=["judge"])
    assert "naive_outside" not in codes(good)
    table, true = made(specificity=0.5)
    bad = rate(table, judged(table, true, some(400, 100)), judges=["judge"])
    assert "naive_outside" in {warning.code for warning in bad.warnings}


def test_all_judged_is_a_census():
    table, true = made()
    found = rate(table, judged(table, true, np.arange(400)), judges=["judge"])
    assert (found.rate, found.interval.low, found.interval.high) == (0.25, 0.25, 0.25)
    assert found.method == "census"


def test_a_class_in_which_nobody_judged_is_told():
    table, true = made()
    rows = np.flatnonzero(table["judge"].to_numpy() == 0)[:50]
    found = rate(table, judged(table, true, rows), judges=["judge"])
    assert "class_not_judged" in {warning.code for warning in found.warnings}
    assert found.interval.width > 0.2
    every = rate(table, judged(table, true, some(400, 100)), judges=["judge"])
    assert "class_not_judged" not in codes(every)


def test_classes_that_were_judged_at_different_rates_are_told():
    table, true = made(1000)
    said = table["judge"].to_numpy()
    rows = np.concatenate([np.flatnonzero(said == 1)[:150], np.flatnonzero(said == 0)[:50]])
    uneven = rate(table, judged(table, true, rows), judges=["judge"])
    assert "uneven_classes" in {warning.code for warning in uneven.warnings}
    assert uneven.interval.low < 0.25 < uneven.interval.high
    assert "uneven_classes" not in codes(rate(table, judged(table, true, some(1000, 200)), judges=["judge"]))


def test_several_judges_each_have_their_figures():
    table, true = made()
    second = made(seed=5)[0]["judge"].alias("other")
    found = rate(table.with_columns(second), judged(table, true, some(400, 120)), judges=["judge", "other"])
    assert set(found.judges) == {"judge", "other"}
    assert sum(one.size for one in found.classes) == 400
    assert sum(one.judged for one in found.classes) == 120


def test_scores_are_cut_into_classes_with_enough_judgements():
    table, true = made(1000)
    scored = table.with_columns(
        score=pl.Series(np.where(true, 0.8, 0.2) + np.random.default_rng(1).normal(0, 0.1, 1000))
    )
    found = rate(scored, judged(table, true, some(1000, 100)), judges=["score"])
    assert min(one.judged for one in found.classes) >= 10
    assert found.interval.width < 0.7 * found.people_only.interval.width
    assert np.isnan(found.sensitivity)


def test_strata_are_weighted_by_their_size():
    table, true = made(3000)
    scored = table.with_columns(f=pl.Series(np.arange(3000)[::-1]))
    sample = concurrence.draw_sample(scored, size=400, design="strata", best=[300, 1000], measures=["f"], seed=3)
    rows = np.array([int(name[1:]) for name in sample.table["l1"]])
    found = rate(scored, judged(table, true, rows), judges=["judge"], sample=sample)
    assert found.method == "regression"
    assert found.interval.low <= 0.25 <= found.interval.high
    assert found.interval.width < found.people_only.interval.width


def test_a_union_sample_says_nothing_of_the_rest():
    table, true = made(500)
    scored = table.with_columns(f=pl.Series(np.arange(500)[::-1]))
    sample = concurrence.draw_sample(scored, size=50, design="union", best=[100], measures=["f"])
    rows = np.array([int(name[1:]) for name in sample.table["l1"]])
    with pytest.raises(InvalidInputError, match="simple or a strata sample"):
        rate(scored, judged(table, true, rows), judges=["judge"], sample=sample)


def test_documents_that_differ_widen_the_interval():
    table, _ = made(1000, sensitivity=0.5, specificity=0.5)
    true = np.array([int(name[1:]) for name in table["doc"]]) < 5  # all of five documents, none of the others
    gold = judged(table, true, some(1000, 300))
    alone, by_document = (rate(table, gold, judges=["judge"], clusters=name) for name in (None, "doc"))
    assert by_document.interval.width > 2 * alone.interval.width
    assert by_document.data.clusters == 20


def test_coders_who_disagree_widen_the_interval():
    table, true = made()
    rows = some(400, 120)
    rng = np.random.default_rng(2)
    votes = pl.concat(
        judged(table, true ^ (rng.random(400) < 0.2), rows).with_columns(coder=pl.lit(name)) for name in "abc"
    )
    sure, unsure = (rate(table, votes, judges=["judge"], coder_uncertainty=how) for how in (None, "votes"))
    assert unsure.interval.width > sure.interval.width


def test_every_look_costs_width():
    table, true = made(2000)
    gold = judged(table, true, some(2000, 300))
    once, always = (rate(table, gold, judges=["judge"], anytime=way) for way in (False, True))
    assert always.interval.low < once.interval.low < once.interval.high < always.interval.high
    assert (always.fixed.low, always.fixed.high) == (once.interval.low, once.interval.high)
    assert once.fixed is None
    assert "anytime" in codes(always) - codes(once)


def test_further_judgements_go_where_the_judge_is_in_doubt():
    table, true = made(5000, share=0.1, sensitivity=0.99, specificity=0.8)
    found = rate(table, judged(table, true, some(5000, 100)), judges=["judge"], width=0.02).next
    assert found.more > 0
    assert found.shares["judge = yes"] / 1300 > found.shares["judge = no"] / 3700
    wide = rate(table, judged(table, true, some(5000, 100)), judges=["judge"], width=0.5).next
    assert wide.more == 0


def test_what_to_judge_next_is_not_judged_yet_and_lies_where_the_judge_is_in_doubt():
    table, true = made(5000, share=0.1, sensitivity=0.99, specificity=0.8)
    gold = judged(table, true, some(5000, 200))
    found = rate(table, gold, judges=["judge"], next_items=300)
    drawn = pl.DataFrame(found.next.items)
    assert drawn.columns == ["l1", "l2"]  # nothing of what the judge said
    assert len(drawn) == drawn.n_unique() == found.next.more == sum(found.next.shares.values()) == 300
    assert drawn.join(gold, on=["l1", "l2"], how="inner").is_empty()
    said = drawn.join(table, on=["l1", "l2"])["judge"]
    assert said.sum() == found.next.shares["judge = yes"]
    assert said.mean() > 1.5 * table["judge"].mean()
    assert "next" in codes(found)


def test_judging_them_gives_about_the_width_that_was_promised():
    table, true = made(5000, share=0.3, sensitivity=0.9, specificity=0.9)
    gold = judged(table, true, some(5000, 100))
    plan = rate(table, gold, judges=["judge"], next_items=300).next
    names = {name: place for place, name in enumerate(table["l1"])}
    more = judged(table, true, [names[name] for name in plan.items["l1"]])
    after = rate(table, pl.concat([gold, more]), judges=["judge"])
    assert after.interval.width == pytest.approx(plan.width, rel=0.2)
    assert after.interval.low <= true.mean() <= after.interval.high


@given(st.integers(0, 1000), st.integers(1, 60))
def test_the_next_are_as_many_as_were_asked_for(seed, wanted):
    table, true = made(80, seed=seed)
    found = rate(table, judged(table, true, some(80, 20, seed)), judges=["judge"], next_items=wanted, seed=seed).next
    assert len(found.items["l1"]) == wanted
    assert all(n >= 0 for n in found.shares.values())


def test_the_next_cannot_be_more_than_there_are_nor_follow_a_stratified_sample():
    table, true = made()
    gold = judged(table, true, some(400, 80))
    with pytest.raises(InvalidInputError, match="Only 320 candidates"):
        rate(table, gold, judges=["judge"], next_items=321)
    with pytest.raises(InvalidInputError, match="not for both"):
        rate(table, gold, judges=["judge"], next_items=3, width=0.1)
    table = table.with_columns(f=pl.Series(np.arange(400)))
    sample = concurrence.draw_sample(table, size=60, design="strata", best=[50, 100], measures=["f"])
    drawn = sample.table.select("l1", "l2").join(judged(table, true, np.arange(400)), on=["l1", "l2"])
    with pytest.raises(InvalidInputError, match="simple sample"):
        rate(table, drawn, judges=["judge"], sample=sample, next_items=10)


def test_the_command_writes_what_to_judge_next(tmp_path, concur):
    table, true = made()
    table.write_csv(tmp_path / "list.csv")
    judged(table, true, some(400, 80)).write_csv(tmp_path / "gold.csv")
    asked = ("rate", tmp_path / "list.csv", "--judge", "judge", "--gold", tmp_path / "gold.csv", "--next", "30")
    told = concur(*asked, "-o", tmp_path / "next.csv")
    assert "judged next" in " ".join(told.out.split())
    assert pl.read_csv(tmp_path / "next.csv").shape == (30, 2)
    assert len(concur(*asked, "--json").json["next"]["items"]["l1"]) == 30


def test_errors_that_were_estimated_widen_the_interval():
    known = rate_from_counts(45, 150, sensitivity=0.96, specificity=0.89)
    found = rate_from_counts(45, 150, sensitivity=(48, 50), specificity=(89, 100))
    assert found.rate == pytest.approx(known.rate)
    assert found.interval.width > known.interval.width
    half = rate_from_counts(45, 150, sensitivity=0.96, specificity=(89, 100))
    assert known.interval.width < half.interval.width < found.interval.width


def test_a_judge_that_guesses_cannot_be_corrected():
    found = rate_from_counts(45, 150, sensitivity=0.5, specificity=0.5)
    assert np.isnan(found.rate)
    assert "undefined" in {warning.code for warning in found.warnings}


def test_a_share_below_the_judges_errors_is_cut_and_told():
    found = rate_from_counts(5, 100, sensitivity=0.9, specificity=0.9)
    assert found.rate == 0
    assert "cut_off" in {warning.code for warning in found.warnings}
    assert "cut_off" not in codes(rate_from_counts(45, 150, sensitivity=0.96, specificity=0.89))


def drawn(rates, errors, size, seed=0):
    """Verdicts by the model of latent classes."""
    rng = np.random.default_rng(seed)
    parts = []
    for name, share in rates.items():
        true = rng.random(size) < share
        said = {
            judge: np.where(true, rng.random(size) < se, rng.random(size) >= sp) for judge, (se, sp) in errors.items()
        }
        parts.append(
            pl.DataFrame({judge: values.astype(int) for judge, values in said.items()}).with_columns(part=pl.lit(name))
        )
    return pl.concat(parts)


def test_three_judges_need_no_parts_and_no_gold():
    errors = {"a": (0.9, 0.95), "b": (0.8, 0.9), "c": (0.85, 0.85)}
    found = rate_without_gold(drawn({"all": 0.3}, errors, 20_000), judges=["a", "b", "c"])
    assert found.rate == pytest.approx(0.3, abs=0.02)
    assert found.interval.low < 0.3 < found.interval.high
    for name, (se, sp) in errors.items():
        assert found.judges[name].sensitivity.interval.low < se < found.judges[name].sensitivity.interval.high
        assert found.judges[name].specificity.value == pytest.approx(sp, abs=0.02)
    assert "not_testable" in codes(found)


def test_judges_who_make_the_same_mistakes_do_not_fit():
    errors = {"a": (0.9, 0.9), "b": (0.8, 0.9), "c": (0.85, 0.85)}
    table = drawn({"one": 0.2, "two": 0.6}, errors, 5000)
    fits = rate_without_gold(table, judges=["a", "b", "c"], by="part")
    assert "does_not_fit" not in codes(fits)
    assert "not_testable" not in codes(fits)
    same = table.with_columns(c=pl.when(pl.int_range(pl.len()) % 2 == 0).then("a").otherwise("c"))
    assert "does_not_fit" in codes(rate_without_gold(same, judges=["a", "b", "c"], by="part"))


@pytest.mark.parametrize(
    ("table", "judges", "by"),
    [
        (pl.DataFrame({"a": [1, 0], "b": [1, 0]}), ["a", "b"], None),  # more unknown than counts
        (drawn({"one": 0.3, "two": 0.3}, {"a": (0.9, 0.9), "b": (0.8, 0.8)}, 500)[:500].with_columns(
            part=pl.lit("one")).pipe(lambda t: pl.concat([t, t.with_columns(part=pl.lit("two"))])), ["a", "b"], "part"),
    ],
)  # fmt: skip
def test_where_the_data_cannot_tell_that_is_said(table, judges, by):
    with pytest.raises(UndefinedError, match="The data cannot tell"):
        rate_without_gold(table, judges=judges, by=by)


def test_the_command_gives_the_keys_of_the_contract(tmp_path, concur):
    table, true = made()
    table.write_csv(tmp_path / "list.csv")
    judged(table, true, some(400, 80)).write_csv(tmp_path / "gold.csv")
    told = concur("rate", tmp_path / "list.csv", "--judge", "judge", "--gold", tmp_path / "gold.csv", "--json")
    found = told.json
    keys = {"rate", "interval", "method", "naive", "people_only", "sensitivity", "specificity", "rogan_gladen"}
    assert keys <= set(found)
    assert set(found["people_only"]) >= {"value", "interval"}
    counts = concur("rate", "--counts", "45/150", "--sensitivity", ".96", "--specificity", ".89", "--json")
    assert counts.json["rogan_gladen"]["value"] == pytest.approx(0.2235, abs=5e-5)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "--counts"),
        (("--counts", "45/150"), "--sensitivity"),
        (("--counts", "45", "--sensitivity", "1", "--specificity", "1"), "45/150"),
        (("--counts", "45/150", "--sensitivity", "2", "--specificity", "1"), "between 0 and 1"),
        (("LIST", "--judge", "judge", "--gold", "GOLD", "--by", "doc"), "--by"),
        (("LIST", "--judge", "nobody", "--gold", "GOLD"), "no column 'nobody'"),
        (("LIST", "--gold", "GOLD"), "--judge"),
        (("LIST", "--judge", "judge"), "two judges"),
        (("LIST", "--judge", "judge", "--gold", "GOLD", "--cluster", "docs"), "no column 'docs'"),
    ],
)
def test_bad_calls_get_one_sentence(tmp_path, concur, arguments, told):
    table, true = made(50)
    table.write_csv(tmp_path / "list.csv")
    judged(table, true, some(50, 20)).write_csv(tmp_path / "gold.csv")
    places = {"LIST": str(tmp_path / "list.csv"), "GOLD": str(tmp_path / "gold.csv")}
    answer = concur("rate", *(places.get(argument, argument) for argument in arguments))
    assert answer.code == 2
    assert told in answer.err
    assert len(answer.err.strip().splitlines()) == 1


@given(st.data(), st.integers(1, 5), st.integers(1, 4))
def test_the_chances_of_all_totals_are_those_of_the_obvious_sum(data, strata, classes):
    """Cell by cell, with scipy's beta-binomial distribution."""
    sizes = [data.draw(st.integers(0, 20)) for _ in range(strata * classes)]
    judged_of = [data.draw(st.integers(0, size)) for size in sizes]
    true_of = [data.draw(st.integers(0, n)) for n in judged_of]
    size, judged_, true = (np.reshape(part, (strata, classes)) for part in (sizes, judged_of, true_of))
    found = total_chances(ClassCells(size=size, judged=judged_, true=true.astype(float)), replacement=False)
    prior = min(0.5, 1 / classes) * min(1, 3 / strata)
    expected = np.ones(1)
    for n, k, t in zip(sizes, judged_of, true_of, strict=True):
        left = betabinom.pmf(np.arange(n - k + 1), n - k, t + prior, k - t + prior)
        expected = np.convolve(expected, np.concatenate([np.zeros(t), left]))
    assert len(found) == sum(sizes) + 1
    assert found[: len(expected)] == pytest.approx(expected, abs=1e-11)
    assert found[len(expected) :] == pytest.approx(0)


def test_a_thin_stratum_without_a_true_one_leaves_doubt():
    """Nobody found a true one in the tail, which is most of the list; that does not show that it has none."""
    table, true = made(3000, share=0.02, sensitivity=0.8)
    scored = table.with_columns(f=pl.Series(true * 3000 + np.arange(3000)[::-1]))
    sample = concurrence.draw_sample(scored, size=150, design="strata", best=[60, 200], measures=["f"], seed=1)
    gold = sample.table.select("l1", "l2").join(judged(table, true, np.arange(3000)), on=["l1", "l2"])
    found = rate(scored, gold, judges=["judge"], sample=sample)
    tail = [one for one in found.classes if one.size > 1000]
    assert sum(one.true for one in tail) == 0
    unjudged = sum(one.size for one in tail) / 3000
    alone = 1 - 0.025 ** (1 / sum(one.judged for one in tail))  # of a judge who tells nothing
    assert 0.02 + 0.5 * alone * unjudged < found.interval.high < 0.02 + 1.5 * alone * unjudged


def test_the_interval_is_that_of_many_draws():
    table, true = made(2000)
    gold = judged(table, true, some(2000, 300))
    study = rate(table, gold, judges=["judge"])
    cells = ClassCells(
        size=np.array([[one.size for one in study.classes]]),
        judged=np.array([[one.judged for one in study.classes]]),
        true=np.array([[one.true for one in study.classes]]),
    )
    totals = drawn_totals([cells], replacement=False, seed=1)
    assert list(study.interval) == pytest.approx(np.quantile(totals / 2000, [0.025, 0.975]), abs=0.003)


def test_nothing_depends_on_the_seed_where_nothing_is_drawn():
    table, true = made()
    gold = judged(table, true, some(400, 80))
    one, other = (rate(table, gold, judges=["judge"], seed=seed) for seed in (1, 2))
    assert one == other
    assert one.seed is None
    assert rate(table, gold, judges=["judge"], next_items=5, seed=1).seed == 1


@pytest.mark.parametrize(
    ("asked", "ignored"),
    [
        (["--counts", "4/9", "--sensitivity", "0.9", "--specificity", "0.9", "--by", "part"], "--by"),
        (["--counts", "4/9", "--sensitivity", "0.9", "--specificity", "0.9", "--cluster", "doc"], "--cluster"),
        (["LIST", "--judge", "judge,doc", "--coder", "ann"], "--coder"),
        (["LIST", "--judge", "judge", "--gold", "GOLD", "--sensitivity", "0.9"], "--sensitivity"),
        (["LIST", "--counts", "4/9", "--sensitivity", "0.9", "--specificity", "0.9"], "one of them"),
    ],
)
def test_no_option_is_ignored(tmp_path, concur, asked, ignored):
    table, true = made()
    table.write_csv(tmp_path / "list.csv")
    judged(table, true, some(400, 80)).write_csv(tmp_path / "gold.csv")
    files = {"LIST": tmp_path / "list.csv", "GOLD": tmp_path / "gold.csv"}
    done = concur("rate", *(files.get(word, word) for word in asked))
    assert done.code == 2
    assert f"leave out {ignored}." in done.err


def test_a_coder_models_probabilities_are_not_ignored(tmp_path, concur):
    table, true = made()
    table.with_columns(f=pl.Series(np.arange(400))).write_csv(tmp_path / "list.csv")
    judged(table, true, some(400, 80)).with_columns(chance=pl.lit(0.5)).write_csv(tmp_path / "gold.csv")
    files = tmp_path / "list.csv", "--gold", tmp_path / "gold.csv", "--posterior", "chance"
    for asked in (("rate", *files, "--judge", "judge"), ("evaluate", *files, "-m", "f", "--n", "50")):
        done = concur(*asked)
        assert done.code == 2
        assert "add --coder-uncertainty." in done.err
        assert concur(*asked, "--coder-uncertainty").code == 0

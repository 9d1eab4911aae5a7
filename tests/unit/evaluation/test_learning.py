"""Learned rankings: they gain from what measures say, and not from words learned by heart."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

import concurrence
from concurrence import InvalidInputError
from concurrence.evaluation.learning import FOLDS, folds_of_words, logistic
from support.examples import examples


def candidates(size=1500, seed=1, gain=(1.2, 1.2), words=400):
    rng = np.random.default_rng(seed)
    true = rng.random(size) < 0.3
    columns = {name: rng.normal(size=size) + more * true for name, more in zip("AB", gain, strict=True)}
    pairs = rng.choice(words * words, size, replace=False)
    keys = {"l1": [f"n{p // words}" for p in pairs], "l2": [f"v{p % words}" for p in pairs]}
    return pl.DataFrame({**keys, **columns}), true


def gold(table, true):
    return table.select("l1", "l2", tp=pl.Series(true.astype(int)))


def precision(found, name, n):
    curve = found.measures[name]
    return float(curve.precision[curve.n.tolist().index(n)])


def test_two_halves_of_the_truth_are_better_together():
    table, true = candidates()
    found = concurrence.evaluate(table, gold(table, true), measures=["A", "B"], n=[300], learn=True)
    assert precision(found, "learned", 300) > max(precision(found, name, 300) for name in "AB") + 0.05
    assert found.learned.weights["A"] > 0.5
    assert found.learned.weights["B"] > 0.5
    assert "learned" in {one.code for one in found.sentences}
    assert {(pair.a, pair.b) for pair in found.comparisons} >= {("A", "learned"), ("B", "learned")}


def test_data_that_can_be_separated_are_ranked_perfectly():
    table, true = candidates(gain=(0.0, 100.0))
    found = concurrence.evaluate(table, gold(table, true), measures=["A", "B"], n=[100], learn=True)
    assert precision(found, "learned", 100) == 1
    assert found.measures["learned"].average_precision.value > 0.995


@pytest.mark.parametrize("seed", range(5))
def test_measures_that_say_nothing_gain_nothing(seed):
    table, true = candidates(seed=seed, gain=(0.0, 0.0))
    found = concurrence.evaluate(table, gold(table, true), measures=["A", "B"], n=[300], learn=True)
    curve = found.measures["learned"]
    assert not (curve.p_baseline[0] < 0.01 and curve.precision[0] > found.baseline.value)


def test_words_learned_by_heart_gain_nothing():
    """Every noun is always true or always false, and a column for each noun gives it away."""
    rng, nouns, size = np.random.default_rng(2), 8, 1600
    of = rng.integers(0, nouns, size)
    true = of < 4
    table = pl.DataFrame(
        {
            "l1": [f"n{noun}" for noun in of],
            "l2": [f"v{i}" for i in range(size)],
            **{f"is{noun}": (of == noun).astype(float) for noun in range(nouns)},
        }
    )
    names = [f"is{noun}" for noun in range(nouns)]
    features = table.select(names).to_numpy()
    cheat = features @ logistic(features, true.astype(float), np.ones(size))[1:]
    assert true[np.argsort(-cheat)[:200]].all()  # a model that saw the words knows them
    found = concurrence.evaluate(table, gold(table, true), measures=names, n=[200], learn=True)
    assert precision(found, "learned", 200) <= found.baseline.value + 0.02


def test_no_word_of_a_candidate_is_in_what_its_model_saw():
    table, _ = candidates(size=300, words=40)
    held = folds_of_words(table.select("l1", "l2"), seed=0)
    words = table.select("l1", "l2").rows()
    for candidate in range(0, 300, 17):
        away = [i for i in range(300) if not set(held[i]) & set(held[candidate])]
        assert away
        assert not {word for i in away for word in words[i]} & set(words[candidate])
    assert set(np.unique(held)) == set(range(FOLDS))


def test_a_word_has_one_fold_wherever_it_stands():
    keys = pl.DataFrame({"l1": ["a", "b", "c"], "l2": ["b", "c", "a"]})
    held = folds_of_words(keys, seed=3)
    assert held[0, 1] == held[1, 0]
    assert held[1, 1] == held[2, 0]


@examples(25)
@given(st.integers(0, 10**6), st.integers(1, 3), st.sampled_from([0.1, 1.0, 5.0]))
def test_the_weights_are_those_of_a_general_optimiser(seed, measures, ridge):
    rng = np.random.default_rng(seed)
    features, weights = rng.normal(size=(60, measures)), rng.uniform(0.5, 2, 60)
    true = (rng.random(60) < 0.4).astype(float)

    def loss(model):
        line = model[0] + features @ model[1:]
        return (weights * (np.logaddexp(0, line) - true * line)).sum() + ridge * (model[1:] ** 2).sum() / 2

    theirs = minimize(loss, np.zeros(measures + 1), method="BFGS", options={"gtol": 1e-8}).x
    assert logistic(features, true, weights, ridge=ridge) == pytest.approx(theirs, abs=1e-4)


@pytest.mark.parametrize(
    ("judged", "options", "told"),
    [
        (60, {}, "Too few judgements to learn from"),
        (1500, {"measures": ["A"]}, "at least two measures"),
        (1500, {"anytime": True}, "changes with every judgement"),
    ],
)
def test_what_cannot_be_learned_is_refused(judged, options, told):
    table, true = candidates()
    asked = {"measures": ["A", "B"], "n": [100], **options}
    with pytest.raises(InvalidInputError, match=told):
        concurrence.evaluate(table, gold(table, true).head(judged), learn=True, **asked)


def test_candidates_that_all_share_a_word_leave_nothing_to_learn_from():
    table, true = candidates()
    table = table.with_columns(l2=pl.lit("v"), l1=pl.Series([f"n{i}" for i in range(len(true))]))
    with pytest.raises(InvalidInputError, match="more different words"):
        concurrence.evaluate(table, gold(table, true), measures=["A", "B"], n=[100], learn=True)


def test_a_sample_of_lists_alone_is_refused():
    table, true = candidates()
    sample = concurrence.draw_sample(table, size=400, design="union", best=[400], measures=["A", "B"])
    judged = sample.table.select("l1", "l2").join(gold(table, true), on=["l1", "l2"])
    with pytest.raises(InvalidInputError, match="whole list"):
        concurrence.evaluate(table, judged, measures=["A", "B"], n=[100], sample=sample, learn=True)


def test_the_command_shows_the_learned_ranking(tmp_path, concur):
    table, true = candidates()
    table.write_csv(tmp_path / "scored.csv")
    gold(table, true).write_csv(tmp_path / "gold.csv")
    asked = ("evaluate", tmp_path / "scored.csv", "--gold", tmp_path / "gold.csv", "-m", "A,B", "--n", "100", "--learn")
    found = concur(*asked, "--json").json
    assert set(found["learned"]) == {"measures", "folds", "models", "judged", "weights"}
    assert "learned" in found["measures"]
    assert "unseen words" in " ".join(concur(*asked).out.split())

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from concurrence import latent_classes
from concurrence.agreement.labels.coders.latent import LatentClasses
from concurrence.agreement.labels.coders.models import dawid_skene, mace
from concurrence.core import InvalidInputError, Labels, UndefinedError, UnknownNameError
from concurrence.core.values import to_json

tables = (
    st.integers(2, 12)
    .flatmap(
        lambda n: st.lists(
            st.lists(st.sampled_from(["a", "b", "c", None]), min_size=3, max_size=3), min_size=n, max_size=n
        )
    )
    .filter(lambda rows: {"a", "b", "c"} <= {label for row in rows for label in row})
)


def slow_log_likelihood(rows, categories, prevalence, confusion):
    """Item by item and coder by coder, as the model is written down."""
    total = 0.0
    for row in rows:
        chance = 0.0
        for k in range(len(categories)):
            product = prevalence[k]
            for coder, label in enumerate(row):
                if label is not None:
                    product *= confusion[coder][k][categories.index(label)]
            chance += product
        total += np.log(chance)
    return total


@given(tables)
def test_log_likelihood_is_that_of_the_obvious_loop(rows):
    labels = Labels.from_rows(rows)
    model = dawid_skene(labels)
    again = slow_log_likelihood(rows, labels.categories, model.prevalence, model.confusion)
    assert model.log_likelihood == pytest.approx(again, abs=1e-6)


@given(tables)
def test_more_steps_never_lower_the_likelihood(rows):
    labels = Labels.from_rows(rows)
    steps = [dawid_skene(labels, max_iterations=n).log_likelihood for n in (1, 2, 5, 20)]
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(steps))


@pytest.mark.parametrize("model", [dawid_skene, mace])
@given(rows=tables)
def test_what_a_model_gives_are_probabilities(model, rows):
    fitted = model(Labels.from_rows(rows))
    assert fitted.posterior.sum(axis=1) == pytest.approx(1)
    assert fitted.confusion.sum(axis=2) == pytest.approx(1)
    assert ((fitted.competence >= 0) & (fitted.competence <= 1)).all()


@pytest.mark.parametrize("model", [dawid_skene, mace])
def test_a_coder_who_guesses_is_found_out(model):
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, 400)
    codes = np.repeat(truth[:, None], 4, axis=1)
    slips = random.random(codes.shape) < np.array([0.1, 0.1, 0.2, 1.0])
    codes = np.where(slips, random.integers(0, 3, codes.shape), codes).astype(np.int32)
    labels = Labels(codes=codes, categories=("x", "y", "z"), coders=("good", "fine", "fair", "guessing"))
    fitted = model(labels)
    assert fitted.competence.argmin() == 3
    assert np.mean(np.array(fitted.labels) == np.array(labels.categories)[truth]) > 0.97


def test_an_item_without_labels_gets_none():
    fitted = dawid_skene(Labels.from_rows([["a", "a"], ["b", "b"], [None, None]]))
    assert fitted.labels == ("a", "b", None)
    assert np.isnan(fitted.probabilities[2])


def test_inputs_that_no_model_can_use():
    empty = Labels.from_rows([[None, None]], categories=["a"])
    with pytest.raises(UndefinedError, match="at least one label"):
        dawid_skene(empty)
    with pytest.raises(UnknownNameError, match="coder"):
        dawid_skene(Labels.from_rows([["a", "b"]]), same=[("1", "9")])
    with pytest.raises(InvalidInputError, match="at least 1"):
        latent_classes(Labels.from_rows([["a", "b"]]), 0)


def test_what_mace_reaches_is_called_a_bound():
    labels = Labels.from_rows([["a", "a", "b"], ["b", "b", "b"], ["a", "a", "a"], ["b", "b", "a"]])
    assert "variational bound" in str(mace(labels))
    assert to_json(mace(labels))["bound"] is True
    assert "log-likelihood" in str(dawid_skene(labels))
    assert to_json(dawid_skene(labels))["bound"] is False


def test_a_fit_that_one_start_reached_is_doubted_and_no_other():
    rows = [["y"] * 4] * 9 + [["n"] * 4] * 9 + [["y", "n", "y", "y"], ["n", "n", "y", "n"]]
    result = to_json(latent_classes(Labels.from_rows(rows), 2, starts=6))
    assert result["starts_at_best"] > 1
    codes = [
        [sentence.code for sentence in LatentClasses.from_json({**result, "starts_at_best": number}).sentences]
        for number in (result["starts_at_best"], 1)
    ]
    assert codes == [["classes"], ["single_start", "classes"]]


def slow_rate(labels, model, coder):
    """The interval of a coder's share of right labels, item by item."""
    from scipy.stats import beta

    probabilities = [model.posterior[row, code] for row, code in enumerate(labels.codes[:, coder]) if code >= 0]
    n, share = len(probabilities), model.competence[coder]
    moderate = (share * n + 1) / (n + 2)
    doubt = sum(p * (1 - p) for p in probabilities)
    draws = moderate * (1 - moderate) / (moderate * (1 - moderate) / n + doubt / n**2)
    right = share * draws
    return n, beta.ppf(0.025, right, draws - right + 1), beta.ppf(0.975, right + 1, draws - right)


def test_rates_have_intervals_and_items():
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, (40, 1))
    codes = np.where(random.random((40, 6)) < 0.7, truth, random.integers(0, 3, (40, 6)))
    codes = np.where(random.random((40, 6)) < 0.2, -1, codes).astype(np.int32)
    labels = Labels(codes=codes, categories=tuple("abc"), coders=tuple("uvwxyz"))
    model = dawid_skene(labels)
    for coder, rate in enumerate(model.rates):
        n, low, high = slow_rate(labels, model, coder)
        assert rate.items == n
        assert tuple(rate.interval) == pytest.approx((low, high))
    assert not any(rate.trusted for rate in model.rates)
    data = model.to_json()
    assert set(data["coders"]["u"]) == {"competence", "interval", "items", "trusted"}
    assert "95% interval" in data["sentences"][0]["text"]
    assert data["sentences"][-1]["code"] == "rates_rough"


def test_clear_votes_are_trusted_and_few_items_are_not():
    random = np.random.default_rng(1)
    truth = random.integers(0, 2, (60, 1))
    codes = np.where(random.random((60, 7)) < 0.95, truth, 1 - truth).astype(np.int32)
    labels = Labels(codes=codes, categories=("a", "b"), coders=tuple("tuvwxyz"))
    assert all(rate.trusted for rate in dawid_skene(labels).rates)
    assert "rates_rough" not in {sentence.code for sentence in dawid_skene(labels).sentences}
    assert not any(rate.trusted for rate in mace(labels).rates)
    few = Labels(codes=codes[:20], categories=("a", "b"), coders=tuple("tuvwxyz"))
    assert not any(rate.trusted for rate in dawid_skene(few).rates)

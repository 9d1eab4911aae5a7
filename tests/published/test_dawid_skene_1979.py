"""Dawid & Skene 1979; Pullin, Gurrin & Vukcevic 2023 (R package rater); Agresti 2002 (carcinoma slides)."""

import numpy as np
import polars as pl
import pytest

from concurrence import latent_classes
from concurrence.agreement.labels.coders.models import dawid_skene, mace, majority_shares
from concurrence.agreement.labels.coders.sampling import bayesian_dawid_skene
from concurrence.core import Labels
from support.expect import PUBLISHED, printed

FIRST_RATER = (("r1.1", "r1.2", "r1.3"),)


def read(path):
    table = pl.read_csv(path, infer_schema=False)
    wide = table.pivot(on="coder", index="item", values="label")
    rows = wide.drop("item").rows()
    labels = Labels.from_rows(rows, coders=wide.columns[1:], items=wide["item"].to_list())
    gold = dict(table.select("item", "gold").iter_rows()) if "gold" in table.columns else {}
    return labels, [gold.get(item) for item in labels.items.tolist()]


def test_prevalence_by_maximum_likelihood():
    labels, _ = read(PUBLISHED / "dawidskene_anesthesia.csv")
    model = dawid_skene(labels, same=FIRST_RATER)
    assert model.prevalence.tolist() == [printed("0.40"), printed("0.42"), printed("0.11"), printed("0.07")]
    assert model.converged


def test_prevalence_by_posterior_mean():
    # both the printed figures and ours are averages over draws: their last digit is uncertain by about one
    labels, _ = read(PUBLISHED / "dawidskene_anesthesia.csv")
    model = bayesian_dawid_skene(labels, same=FIRST_RATER, draws=6000)
    shares = [printed(text, within=0.0025) for text in ("0.375", "0.406", "0.144", "0.075")]
    assert model.prevalence.tolist() == shares


@pytest.mark.parametrize(("classes", "log_likelihood"), [(2, "-317.2568"), (3, "-293.705"), (4, "-289.2858")])
def test_latent_classes_of_the_carcinoma_slides(classes, log_likelihood):
    labels, _ = read(PUBLISHED / "carcinoma_pathologists.csv")
    model = latent_classes(labels, classes)
    assert model.log_likelihood == printed(log_likelihood)
    assert model.starts_at_best >= 3


def test_three_classes_describe_the_carcinoma_slides_best():
    # Agresti (2002), section 13.1.2: two classes fit poorly, three well, and the third holds the slides in dispute
    labels, _ = read(PUBLISHED / "carcinoma_pathologists.csv")
    model = latent_classes(labels, starts=5)
    assert model.n_classes == 3
    assert min(model.bic, key=model.bic.get) == 3


@pytest.mark.parametrize("model", [dawid_skene, mace])
@pytest.mark.parametrize("name", ["snow_rte.csv", "snow_temp.csv", "snow_wsd.csv"])
def test_model_labels_are_at_least_as_right_as_the_majority(name, model, data_set):
    labels, gold = read(data_set(f"labels/{name}"))
    shares = majority_shares(labels)
    right = np.array([labels.categories.index(answer) for answer in gold])
    first = shares == shares.max(axis=1, keepdims=True)
    majority = (first[np.arange(len(right)), right] / first.sum(axis=1)).mean()
    assert np.mean(np.array(model(labels).labels) == np.array(gold)) >= majority

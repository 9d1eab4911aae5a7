"""Fleiss 1971; Agresti 1992 (after Landis & Koch); Cohen 1960; Feinstein & Cicchetti 1990; Artstein & Poesio 2008."""

import json

import pytest

from concurrence import read_labels
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.agreement.labels.diagnosis.categories import category_agreement
from concurrence.agreement.labels.diagnosis.diagnose import mean_rank_correlation, two_coder_indices
from concurrence.core import Labels
from support.expect import PUBLISHED, printed


def by_category(table):
    labels = Labels.from_table(table)
    return category_agreement(LabelStudy.of(labels), labels.categories)


def test_kappa_max():
    assert two_coder_indices([[88, 14, 18], [10, 40, 10], [2, 6, 12]]).kappa_max == printed("0.831")


def test_indices_of_the_paradox():
    found = two_coder_indices([[80, 10], [5, 5]])
    assert found.three_numbers.cohen_kappa == printed("0.32")
    assert (found.prevalence_index, found.bias_index) == (pytest.approx(0.75), pytest.approx(0.05))
    assert found.positive_agreement == pytest.approx(0.9142857142857143)
    assert found.negative_agreement == pytest.approx(0.4)


def test_kappa_of_each_category_of_two_coders():
    table = [[22, 2, 2, 0], [5, 7, 14, 0], [0, 2, 36, 0], [0, 1, 17, 10]]
    kappas = [entry.kappa for entry in by_category(table).values()]
    assert kappas == [printed("0.781"), printed("0.247"), printed("0.402"), printed("0.435")]


def test_specific_agreement():
    shares = [entry.specific_agreement for entry in by_category([[20, 20], [10, 50]]).values()]
    assert shares == [printed("0.571"), printed("0.769")]


def test_kappa_of_each_category_of_six_coders():
    cases = json.loads((PUBLISHED / "published_agreement.json").read_text())
    case = next(case for case in cases if case["name"] == "fleiss1971_psychiatric_diagnoses")
    rows = [[str(label) for label in row] for row in case["data"]["ratings_items_by_raters"]]
    labels = Labels.from_rows(rows)
    kappas = [entry.kappa for entry in category_agreement(LabelStudy.of(labels), labels.categories).values()]
    assert kappas == [printed(text) for text in ("0.245", "0.245", "0.520", "0.471", "0.566")]


def test_mean_pairwise_spearman_of_nordiachange(data_set):
    labels = read_labels(data_set("labels/nordiachange1.csv"), missing=["0"])
    assert mean_rank_correlation(labels).mean == printed("0.77755")  # Kutuzov et al. 2022

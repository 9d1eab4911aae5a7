"""Worked examples from papers, books and package documentation, each with its source, to their printed digits.

Data and figures are read from ``data/published_agreement.json``; every key of every case is either checked here
or named in ``ELSEWHERE`` or ``NOT_OURS``.
"""

import json

import numpy as np
import pytest
from scipy.stats import norm, t

from concurrence import Labels, agree
from support.expect import PUBLISHED, printed

FILE = PUBLISHED / "published_agreement.json"
CASES = {case["name"]: case for case in json.loads(FILE.read_text("utf-8"), parse_float=str)}

COHEN_1968 = [[0, 1, 3], [1, 0, 6], [3, 6, 0]]
FLEISS_COHEN_EVERITT = [[1, 0, 0.4444], [0, 1, 0.6667], [0.4444, 0.6667, 1]]
THREE_ACTS = [[0, 1, 0.5], [1, 0, 0.5], [0.5, 0.5, 0]]

COEFFICIENTS = {
    "percent_agreement": ("percent_agreement", {}),
    "cohen_kappa": ("cohen_kappa", {}),
    "scott_pi": ("scott_pi", {}),
    "scott_pi_intraclass_kappa": ("scott_pi", {}),
    "fleiss_kappa": ("fleiss_kappa", {}),
    "conger_kappa": ("davies_fleiss_kappa", {}),
    "hubert_conger_multi_kappa": ("davies_fleiss_kappa", {}),
    "light_average_pairwise_kappa": ("mean_pairwise_kappa", {}),
    "bennett_s": ("bennett_s", {}),
    "randolph_kappa": ("bennett_s", {}),
    "pabak": ("prevalence_adjusted_kappa", {}),
    "derived_pabak": ("prevalence_adjusted_kappa", {}),
    "brennan_prediger": ("brennan_prediger", {}),
    "gwet_ac1": ("gwet_ac1", {}),
    "gwet_ac2_quadratic": ("gwet_ac2", {"weights": "quadratic"}),
    "weighted_kappa_linear": ("weighted_kappa", {"weights": "linear"}),
    "weighted_kappa_quadratic": ("weighted_kappa", {"weights": "quadratic"}),
    "weighted_kappa_cohen1968": ("weighted_kappa", {"weights": COHEN_1968}),
    "krippendorff_alpha_nominal": ("krippendorff_alpha", {}),
    "krippendorff_alpha_ordinal": ("krippendorff_alpha", {"scale": "ordinal"}),
    "krippendorff_alpha_interval": ("krippendorff_alpha", {"scale": "interval"}),
    "krippendorff_alpha_ratio": ("krippendorff_alpha", {"scale": "ratio"}),
    "krippendorff_alpha_weighted": ("krippendorff_alpha", {"weights": THREE_ACTS}),
}
WEIGHTS_OF_CASE = {"fleiss_cohen_everitt1969": FLEISS_COHEN_EVERITT, "artstein_poesio2008_ex2": THREE_ACTS}

ELSEWHERE = {  # checked by name below
    "observed_disagreement_nominal",
    "expected_disagreement_nominal",
    "observed_disagreement_interval",
    "expected_disagreement_interval",
    "observed_disagreement",
    "expected_disagreement",
    "observed_agreement",
    "expected_agreement",
    "item_agreement",
    "fleiss_kappa_category",
    "fleiss_kappa_category_as_printed_1971",
    "cohen_kappa_category",
    "specific_agreement",
    "krippendorff_alpha_masi_dkpro",
    "krippendorff_alpha_set_distance_dkpro",
}
NOT_OURS = {
    *("icc1", "icc2", "icc3", "icc1k", "icc2k", "icc3k", "bangdiwala_b", "alpha_u", "alpha_u_category"),
    *("max_percent_agreement", "dice_agreement", "kappa_max", "n", "G1", "G2", "G1_minus_G2"),
    *("derived_p_pos", "derived_p_neg", "derived_prevalence_index", "derived_bias_index"),
    *("altman_cumprob", "landis_koch_cumprob", "fleiss_cumprob", "cicchetti_sparrow_cumprob", "regier_cumprob"),
}


def labels_of(case):
    data = CASES[case]["data"]
    if "contingency_table" in data:
        return Labels.from_table(data["contingency_table"])
    if "counts_items_by_category" in data:
        rows = [[str(k) for k, n in enumerate(row) for _ in range(n)] for row in data["counts_items_by_category"]]
        categories = [str(k) for k in range(len(data["counts_items_by_category"][0]))]
        return Labels.from_rows(rows, categories=categories)
    rows = data["ratings_items_by_raters"]
    return Labels.from_rows([[None if label is None else str(label) for label in row] for row in rows])


def near(text, case, figure=None):
    """To the printed digits, or to the tolerance the case gives with its reason."""
    tolerance = float((figure or {}).get("tol") or CASES[case].get("tolerance") or 0)
    return printed(str(text), within=tolerance)


def figures():
    for case, content in CASES.items():
        for key, figure in content["expected"].items():
            if key in COEFFICIENTS or key == "weighted_kappa":
                yield pytest.param(case, key, figure, id=f"{case}-{key}")


def found(case, key):
    name, options = COEFFICIENTS.get(key, (key, {"weights": WEIGHTS_OF_CASE.get(case)}))
    return agree(labels_of(case), coefficients=[name], **options)[name]


@pytest.mark.parametrize(("case", "key", "figure"), list(figures()))
def test_value_error_and_parts(case, key, figure):
    ours = found(case, key)
    assert ours.value == near(figure["value"], case, figure)
    if "exact" in figure:
        above, below = figure["exact"].split("/")
        assert ours.value == pytest.approx(int(above) / int(below), abs=1e-12)
    if "se" in figure:
        assert ours.standard_error == near(figure["se"], case)
    if "pe" in figure and ours.measures == "agreement":
        assert ours.expected == near(figure["pe"], case)
    if "pa" in figure and ours.measures == "agreement":
        assert ours.observed == near(figure["pa"], case)
    agreement = ours.measures == "agreement"
    if "do" in figure:
        assert (1 - ours.observed if agreement else ours.observed) == near(figure["do"], case)
        assert (1 - ours.expected if agreement else ours.expected) == printed(figure["de"], within=1e-3)


@pytest.mark.parametrize(("case", "key", "figure"), list(figures()))
def test_interval_and_test(case, key, figure):
    ours = found(case, key)
    if "ci" in figure:
        assert interval_as_printed(case, ours) == [near(bound, case) for bound in figure["ci"]]
    test = printed_test(ours)
    if "se0" in figure:
        assert test.standard_error == near(figure["se0"], case)
    if "z" in figure:
        assert test.statistic == near(figure["z"], case)
    if "ci_null_se" in figure:
        reach = norm.ppf(0.975) * test.standard_error
        assert [ours.value - reach, ours.value + reach] == [near(bound, case) for bound in figure["ci_null_se"]]
    if "p_two" in figure:
        assert test.p_value == near(figure["p_two"], case)
        assert test.p_value / 2 == near(figure["p_one"], case)
    if "p" in figure and test:  # the package prints one-sided values, also for bare percent agreement
        assert test.p_value / 2 == pytest.approx(float(figure["p"]), rel=1e-6)


def printed_test(ours):
    """Our test on an error; where items are few we report an exact one or a permutation test, which nobody printed."""
    return next((test for test in ours.tests if test.method not in ("fisher_exact", "permutation")), None)


def interval_as_printed(case, ours):
    """Our analytic or exact interval; with Student's t where the source puts t on an error with our normal one.

    Where the data are few we report a posterior interval, or one on the logarithm, and of a number of agreements the
    exact one, which nobody printed for more than two categories; the others stand beside it.
    """
    ours_alone = ("posterior", "log_t") if len(labels_of(case).categories) == 2 else ("posterior", "log_t", "exact")
    method, interval = next(entry for entry in ours.intervals.items() if entry[0] not in ours_alone)
    if CASES[case]["ci_method"] == "normal" or method != "fleiss_cohen_everitt":
        return list(interval)
    reach = t.ppf(0.975, ours.items - 1) * ours.standard_error
    return [ours.value - reach, ours.value + reach]


def test_every_published_figure_is_accounted_for():
    keys = {key for case in CASES.values() for key in case["expected"]}
    assert keys - set(COEFFICIENTS) - ELSEWHERE - NOT_OURS == {"weighted_kappa"}


@pytest.mark.parametrize(
    ("case", "scale", "observed", "expected"),
    [
        ("krippendorff2011_C_4x12", "nominal", "observed_disagreement_nominal", "expected_disagreement_nominal"),
        ("krippendorff2011_C_4x12", "interval", "observed_disagreement_interval", "expected_disagreement_interval"),
        ("krippendorff2011_A_binary", "nominal", "observed_disagreement", "expected_disagreement"),
    ],
)
def test_disagreements_of_alpha(case, scale, observed, expected):
    ours = agree(labels_of(case), scale=scale)["krippendorff_alpha"]
    figures = CASES[case]["expected"]
    assert ours.observed == printed(figures[observed]["value"], within=1e-3)
    assert ours.expected == printed(figures[expected]["value"], within=1e-3)


def test_the_item_that_nobody_else_labelled_is_dropped_and_said_to_be():
    report = agree(labels_of("krippendorff2011_C_4x12"))
    assert report["krippendorff_alpha"].dropped == report.data.dropped == 1


def test_ordinal_means_three_things():
    labels = labels_of("krippendorff2011_C_4x12")
    report = agree(labels, scale="ordinal")
    assert report["krippendorff_alpha"].value == printed("0.815")
    assert report["weighted_alpha"].value == printed("0.834")
    assert agree(labels, weights="quadratic")["weighted_alpha"].value == printed("0.849")
    assert "Krippendorff" in report["krippendorff_alpha"].convention
    assert "Gwet" in report["weighted_alpha"].convention


@pytest.mark.parametrize(("case", "observed", "expected"), [("fleiss1971_psychiatric_diagnoses", "0.5556", "0.220")])
def test_observed_and_expected_agreement_of_fleiss(case, observed, expected):
    ours = agree(labels_of(case))["fleiss_kappa"]
    assert (ours.observed, ours.expected) == (printed(observed), printed(expected))


def one_against_the_rest(labels, place):
    codes = np.where(labels.codes < 0, -1, labels.codes == place).astype(np.int32)
    return Labels(codes=codes, categories=("rest", "this"), coders=labels.coders)


@pytest.mark.parametrize("key", ["fleiss_kappa_category", "fleiss_kappa_category_as_printed_1971"])
def test_fleiss_kappa_of_each_diagnosis(key):
    case = "fleiss1971_psychiatric_diagnoses"
    labels = labels_of(case)
    for category, figure in CASES[case]["expected"][key].items():
        place = labels.categories.index(category)
        ours = agree(one_against_the_rest(labels, place))["fleiss_kappa"]
        assert ours.value == near(figure["value"], case, figure)
        if "z" in figure:
            assert printed_test(ours).statistic == near(figure["z"], case)


def test_kappa_of_each_category_of_two_coders():
    """The printed values pool both coders' marginals, so they are Scott's and not Cohen's of each category."""
    case = "agresti1992_landis_koch"
    for category, figure in CASES[case]["expected"]["cohen_kappa_category"].items():
        ours = agree(one_against_the_rest(labels_of(case), int(category) - 1))["scott_pi"]
        assert ours.value == near(figure["value"], case)


def test_item_agreement_of_the_wikipedia_example():
    case = "wikipedia_fleiss_10x14"
    labels = labels_of(case)
    ours = [agree(labels.select_items(np.array([i])))["percent_agreement"].value for i in range(labels.n_items)]
    assert ours == [near(text, case) for text in CASES[case]["expected"]["item_agreement"]]


def test_set_distances_of_another_definition_come_in_as_a_matrix():
    """DKPro's MASI weighs the distance, not the similarity, so its value needs its own matrix."""
    case = "dkpro_set_annotations_masi_jaccardlike"
    labels = labels_of(case)
    sets = [frozenset(category) for category in labels.categories]
    for key, apart in (("masi", dkpro_masi), ("set_distance", dkpro_set_distance)):
        matrix = [[apart(a, b) for b in sets] for a in sets]
        ours = agree(labels, weights=matrix)["krippendorff_alpha"]
        figure = CASES[case]["expected"][f"krippendorff_alpha_{key}_dkpro"]
        assert ours.value == printed(figure["value"], within=1.5e-3)
        assert ours.observed == printed(figure["do"], within=1.5e-3)


def dkpro_masi(a, b):
    return dkpro_set_distance(a, b) * (1 - len(a & b) / len(a | b)) if a | b else 0.0


def dkpro_set_distance(a, b):
    if a == b:
        return 0.0
    return 1 / 3 if a <= b or b <= a else 2 / 3 if a & b else 1.0

"""How often 95 % intervals of agreement cover the true value, 2,048 replications a setting.

Two or three coders, two categories; a share kappa of the items is called by all coders alike, the rest
independently, so that every chance-corrected coefficient but AC1 and Bennett's S has the true value kappa.
Replications are scrambled Sobol points through the inverse binomial, which has less noise than plain draws.

In the comfortable region (200 items, prevalence .2 to .8, kappa .2 to .8) every interval promises 93 %. Gwet's of
percent agreement is beside the exact one in the result; its coverage is printed. Outside, analytic intervals promise
nothing: their map is printed; the posterior interval promises 92 % for two coders. Replications in which the
coefficient is undefined, since every label is the same, have no interval and are not counted.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product

import numpy as np
from scipy.special import stdtrit
from scipy.stats import binom, qmc

from benchmarks.rows import Row
from concurrence.agreement.labels.assess import StudyEvidence, assess_coefficient
from concurrence.agreement.labels.coefficients.inference import (
    reasons_for_doubt,
    why_undefined,
)
from concurrence.agreement.labels.coefficients.parts import values
from concurrence.agreement.labels.coefficients.posterior import interval_of_draws, posterior_weights
from concurrence.agreement.labels.coefficients.resampled import bootstrap_coefficients
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core import Labels
from concurrence.kernels.coefficients import coefficient

REPLICATIONS = 2048
DRAWS = 1000
LEVEL = 0.95
PROMISE = 0.93  # in the comfortable region, of every interval
COMFORTABLE = [(200, prevalence, kappa) for prevalence, kappa in product((0.2, 0.5, 0.8), (0.2, 0.5, 0.8))]
OUTSIDE = [(50, prevalence, kappa) for prevalence, kappa in product((0.05, 0.1, 0.2), (0.2, 0.5, 0.8))]
QUICK = {"REPLICATIONS": 8, "DRAWS": 20, "COMFORTABLE": COMFORTABLE[4:5], "OUTSIDE": OUTSIDE[4:5]}
ANALYTIC = (
    "percent_agreement",
    "cohen_kappa",
    "scott_pi",
    "fleiss_kappa",
    "davies_fleiss_kappa",
    "bennett_s",
    "prevalence_adjusted_kappa",
    "brennan_prediger",
    "gwet_ac1",
    "krippendorff_alpha",
    "bangdiwala_b",
)

Ends = tuple[float, float]
Method = Callable[[LabelStudy], Ends]


def patterns(n_coders: int) -> Labels:
    """One item of every label pattern of two categories."""
    codes = np.array(list(product((0, 1), repeat=n_coders)), dtype=np.int32)
    return Labels(codes=codes, categories=("yes", "no"), coders=tuple(map(str, range(n_coders))))


PATTERNS = {n_coders: patterns(n_coders) for n_coders in (2, 3)}


def chances(labels: Labels, prevalence: float, kappa: float) -> np.ndarray:
    """How probable each pattern is."""
    shares = np.array([prevalence, 1 - prevalence])[labels.codes]
    alike = (labels.codes == labels.codes[:, :1]).all(axis=1)
    return kappa * alike * shares[:, 0] + (1 - kappa) * shares.prod(axis=1)


def replications(n: int, p: np.ndarray, seed: int) -> np.ndarray:
    """Tables of n items: (replications, patterns)."""
    points = qmc.Sobol(len(p) - 1, scramble=True, rng=np.random.default_rng(seed)).random(REPLICATIONS)
    remaining, probability_left, columns = np.full(REPLICATIONS, n), 1.0, []
    for k in range(len(p) - 1):
        counts = binom.ppf(points[:, k], remaining, min(p[k] / probability_left, 1.0))
        columns.append(counts)
        remaining, probability_left = remaining - counts, probability_left - p[k]
    return np.stack([*columns, remaining], axis=1)


def analytic(name: str) -> Method:
    def interval(study: LabelStudy) -> Ends:
        agreement, _ = assess_coefficient(
            coefficient(name), study, PATTERNS[study.n_coders], StudyEvidence(level=LEVEL)
        )
        low, high = agreement.interval
        return low, high

    return interval


def gwets_share(study: LabelStudy) -> Ends:
    agreement, _ = assess_coefficient(
        coefficient("percent_agreement"), study, PATTERNS[study.n_coders], StudyEvidence(level=LEVEL)
    )
    low, high = agreement.intervals["gwet_t"]
    return low, high


def resampled(name: str, kind: str) -> Method:
    def interval(study: LabelStudy) -> Ends:
        row, draws = coefficient(name), DRAWS if kind != "jackknife" else 1
        result = bootstrap_coefficients(study, [row], draws=draws, level=LEVEL)[row.name]
        if kind == "jackknife":
            estimate = float(values(row, study, study.weights))
            reach = float(stdtrit(study.n_items - 1, (1 + LEVEL) / 2)) * result.jackknife_error
            return estimate - reach, estimate + reach
        low, high = result.bca if kind == "bca" else result.percentile
        return low, high

    return interval


def posterior(name: str) -> Method:
    def interval(study: LabelStudy) -> Ends:
        row, draws = coefficient(name), posterior_weights(study, draws=4000)
        if draws is None:
            return float("nan"), float("nan")
        low, high = interval_of_draws(values(row, *draws), float(values(row, study, study.weights)), LEVEL)
        return low, high

    return interval


def coverage_of(method: Method, name: str, n_coders: int, setting: tuple[int, float, float]) -> float:
    """How often the method's interval holds the true value, of the replications where the coefficient exists."""
    n, prevalence, kappa = setting
    labels = PATTERNS[n_coders]
    p = chances(labels, prevalence, kappa)
    template = replace(LabelStudy.of(labels), codes=labels.codes)
    truth = float(values(coefficient(name), template, p * 1e9))
    tables, counts = np.unique(replications(n, p, seed=1), axis=0, return_counts=True)
    hits = n_defined = 0
    for table, count in zip(tables, counts, strict=True):
        study = replace(template, weights=table)
        if why_undefined(coefficient(name), study) is None:
            low, high = method(study)
            hits += int(count) * bool(low - 1e-12 <= truth <= high + 1e-12)
            n_defined += int(count)
    return hits / n_defined


def lowest(title: str, method: Method, name: str, n_coders: int, limit: float | None, settings: Iterable) -> Row:
    """The lowest coverage over settings, as one promise."""
    coverages = {setting: coverage_of(method, name, n_coders, setting) for setting in settings}
    worst = min(coverages, key=lambda setting: coverages[setting])
    where = "n={}, prevalence {:g}, kappa {:g}".format(*worst)
    return _row(f"{name}, {n_coders} coders, {title}, lowest at {where}", coverages[worst], limit)


def trusted_share(settings: Iterable[tuple[int, float, float]], *, expected: bool) -> float:
    """How often the rule of thumb on trust says what it should in the settings."""
    labels = PATTERNS[2]
    blank = LabelStudy.of(labels)
    correct = []
    for n, prevalence, kappa in settings:
        tables = replications(n, chances(labels, prevalence, kappa), seed=2)[:256]
        correct += [(not reasons_for_doubt(replace(blank, weights=table))) is expected for table in tables]
    return float(np.mean(correct))


def run() -> list[Row]:
    rows = [lowest("analytic", analytic(name), name, 2, PROMISE, COMFORTABLE) for name in ANALYTIC]
    rows.append(lowest("Gwet's beside the exact", gwets_share, "percent_agreement", 2, None, COMFORTABLE))
    comfortable_few = COMFORTABLE[:6]
    rows += [
        lowest("analytic", analytic(n), n, 3, PROMISE, comfortable_few) for n in ("fleiss_kappa", "krippendorff_alpha")
    ]
    for kind in ("percentile", "bca", "jackknife"):
        rows.append(lowest(kind, resampled("cohen_kappa", kind), "cohen_kappa", 2, PROMISE, comfortable_few))
    rows.append(lowest("posterior", posterior("cohen_kappa"), "cohen_kappa", 2, PROMISE, comfortable_few))
    for setting in OUTSIDE:
        where = "n={}, prevalence {:g}, kappa {:g}".format(*setting)
        for title, method in (("analytic", analytic("cohen_kappa")), ("bca", resampled("cohen_kappa", "bca"))):
            rows.append(
                _row(f"map, cohen_kappa, {title}, {where}", coverage_of(method, "cohen_kappa", 2, setting), None)
            )
        share = coverage_of(posterior("cohen_kappa"), "cohen_kappa", 2, setting)
        rows.append(_row(f"map, cohen_kappa, posterior, {where}", share, 0.92))
    rows.append(
        _row("outside, results that warn of the analytic interval", trusted_share(OUTSIDE, expected=False), 0.99)
    )
    return rows


def _row(work: str, value: float, limit: float | None) -> Row:
    return Row(
        area="coverage",
        work=work,
        quantity="share of replications",
        ours=value,
        peer="always",
        against=1.0,
        limit=limit,
        limit_is="at least",
    )

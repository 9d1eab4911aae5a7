"""How sure one can be of an agreement study: diagnosis, scales, intervals for small samples, in one value."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from concurrence.agreement.categories import CategoryAgreement, category_agreement
from concurrence.agreement.coefficients import COEFFICIENTS
from concurrence.agreement.diagnosis import FEW_GRADES, Diagnosis, diagnose, mean_spearman
from concurrence.agreement.scales import Estimate, all_probabilities, straddling_warnings
from concurrence.agreement.sentences import Facts, write_sentences
from concurrence.agreement.small_samples import posterior_draws, posterior_interval
from concurrence.agreement.study import Study
from concurrence.core import Interval, Labels

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Certainty:
    """What stands beside the coefficients.

    ``scales`` is by scale, coefficient and band; ``main`` is the coefficient that the sentences speak of;
    ``posterior`` has the intervals to trust where analytic ones cannot be.
    """

    main: str
    diagnosis: Diagnosis
    categories: dict[str, CategoryAgreement]
    scales: dict[str, dict[str, dict[str, float]]]
    scales_method: str
    warnings: tuple[str, ...]
    posterior: dict[str, Interval]


def certainty_of(
    labels: Labels,
    study: Study,
    estimates: Mapping[str, Estimate],
    *,
    scale: str = "nominal",
    level: float = 0.95,
    seed: int = 0,
) -> Certainty:
    """Diagnose a study whose coefficients are known; ``estimates`` has those with a value and a standard error."""
    main = main_coefficient(labels, scale)
    numeric = scale != "nominal" and _numeric(labels)
    found = diagnose(labels, study, main=main, finely_graded=numeric and len(labels.categories) > FEW_GRADES)
    if numeric and not labels.anonymous and labels.n_coders <= 100:
        found = replace(found, spearman=mean_spearman(labels))
    known = estimates.get(main)
    interval = None if known is None else known.interval
    draws = {} if found.trust.analytic else posterior_draws(study, list(COEFFICIENTS), seed=seed)
    posterior = {name: posterior_interval(study, name, values, level=level) for name, values in draws.items()}
    categories = category_agreement(study, labels.categories)
    facts = _facts(labels, study, main, posterior.get(main, interval), categories, numeric=numeric)
    corrected = {
        name: replace(entry, interval=posterior.get(name, entry.interval), draws=draws.get(name))
        for name, entry in estimates.items()
        if COEFFICIENTS[name].corrects_for_chance
    }
    return Certainty(
        main=main,
        diagnosis=write_sentences(facts, found),
        categories=categories,
        scales=all_probabilities(corrected),
        scales_method="dirichlet" if draws else "normal_truncated",
        warnings=straddling_warnings(corrected, main=main),
        posterior=posterior,
    )


def main_coefficient(labels: Labels, scale: str) -> str:
    """The coefficient that the sentences speak of."""
    if scale != "nominal":
        return "krippendorff_alpha"
    if labels.anonymous or labels.n_coders != 2:
        return "fleiss_kappa"
    return "cohen_kappa"


def _facts(
    labels: Labels,
    study: Study,
    main: str,
    interval: Interval | None,
    categories: Mapping[str, CategoryAgreement],
    *,
    numeric: bool,
) -> Facts:
    row = COEFFICIENTS[main]
    chance_row = row if row.measures == "agreement" else COEFFICIENTS["fleiss_kappa"]
    observed, chance = chance_row.parts(study, study.weights)
    two = labels.n_coders == 2 and not labels.anonymous
    return Facts(
        coders=labels.coders,
        categories=labels.categories,
        items=labels.n_items,
        pairable=int(study.weights[study.pairable].sum()),
        missing_share=float((labels.codes < 0).mean()) if labels.codes.size else 0.0,
        observed=float(observed),
        chance=float(chance),
        title=row.title,
        value=float(row.values(study, study.weights)),
        interval=interval,
        shares=np.array([entry.share for entry in categories.values()]),
        coder_shares=_two_coder_shares(study) if two else None,
        counts={name: entry.count for name, entry in categories.items()},
        specific={name: entry.specific_agreement for name, entry in categories.items()},
        anonymous=labels.anonymous,
        distance=_mean_differences(labels, study) if numeric else None,
        graded=row.measures == "disagreement" and study.metric.kind != "nominal",
    )


def _two_coder_shares(study: Study) -> Array:
    table = study.confusion()
    return np.asarray(np.stack([table.sum(axis=1), table.sum(axis=0)]) / max(table.sum(), 1))


def _numeric(labels: Labels) -> bool:
    try:
        return all(np.isfinite(float(category)) for category in labels.categories)
    except ValueError:
        return False


def _mean_differences(labels: Labels, study: Study) -> tuple[float, float]:
    """How far apart two ratings of one item are on average, and two ratings of any items."""
    numbers = np.array([float(category) for category in labels.categories])
    values = np.sort(np.where(study.present, numbers[study.codes], np.inf), axis=1)
    place = np.arange(study.n_coders)
    factor = np.where(place < study.sizes[:, None], 2 * place - study.sizes[:, None] + 1, 0.0)
    within = np.where(np.isfinite(values), values, 0.0) * factor
    pairs = study.sizes * (study.sizes - 1) / 2
    same = float(study.weights @ within.sum(axis=1)) / max(float(study.weights @ pairs), 1.0)
    totals = np.asarray(study.weights @ study.counts)
    order = np.argsort(numbers)
    below = np.cumsum(totals[order]) / totals.sum()
    spread = 2 * float((below[:-1] * (1 - below[:-1])) @ np.diff(numbers[order]))
    return same, spread

"""Agreement on numbers: the six intraclass correlations, concordance, limits of agreement, and ranks."""

from itertools import combinations
from math import isnan, nan

import numpy as np

from concurrence.agreement.ratings import sentences
from concurrence.agreement.ratings.coefficients import assess_rating_coefficient
from concurrence.agreement.ratings.concordance import concordance_correlation
from concurrence.agreement.ratings.limits import (
    LimitsOfAgreement,
    limits_of_any_two,
    limits_of_two,
    widening,
)
from concurrence.agreement.ratings.options import RatingOptions
from concurrence.agreement.ratings.ranks import spearman
from concurrence.agreement.ratings.results import (
    CoderRatings,
    DifferencePoints,
    RatedPair,
    RatingAgreement,
    RatingsData,
    RatingsReport,
)
from concurrence.agreement.ratings.study import RatingStudy, rating_study
from concurrence.agreement.ratings.table import RATING_COEFFICIENTS
from concurrence.core import Labels

MOST_POINTS = 2000  # in the chart of differences
MOST_PAIRS = 500  # of coders that are listed


def analyse_ratings(labels: Labels, options: RatingOptions) -> RatingsReport:
    """Analyse ratings, which are labels that are numbers."""
    study = rating_study(labels)
    coefficients = {name: assess_rating_coefficient(row, study, options) for name, row in RATING_COEFFICIENTS.items()}
    leading = _leading(coefficients, study)
    limits, limits_note = limits_of_study(study, options)
    test = study.levels[1] if study.separable else None
    two = study.n_coders == 2 and not study.anonymous
    widening_p = widening(study.shared_centred) if two and limits is not None else nan
    remarks = [
        *sentences.which_to_report(coefficients, leading, study),
        *sentences.of_shift(study, test),
        *sentences.of_limits(limits, widening_p, study.rounding),
        *sentences.of_gaps(study, coefficients[leading]),
        *sentences.of_trust(coefficients[leading]),
    ]
    read = [one for one in labels.warnings if one.code not in sentences.CATEGORICAL]
    return RatingsReport(
        data=_data(labels, study),
        coefficients=coefficients,
        leading=leading,
        limits_of_agreement=limits,
        limits_note=limits_note,
        shift_test=test,
        widening_p_value=widening_p,
        variance=study.components if study.separable and study.varies else None,
        coders=_coders(study),
        pairs=_pairs(study, options),
        points=None if study.anonymous else _points(study),
        level=options.level,
        seed=options.seed,
        sentences=tuple(remarks),
        warnings=(*read, *(one for one in remarks if one.warning)),
        apa=_apa(study, coefficients[leading]),
    )


def _leading(coefficients: dict[str, RatingAgreement], study: RatingStudy) -> str:
    """The coefficient to report: absolute agreement of one coder, if it can be estimated."""
    order = ("icc_1_1",) if study.anonymous else ("icc_2_1", "icc_1_1", "lin_ccc", "kendall_w", "mean_spearman")
    return next((name for name in order if coefficients[name].defined), order[0])


def limits_of_study(study: RatingStudy, options: RatingOptions) -> tuple[LimitsOfAgreement | None, str | None]:
    """The limits of two coders, or of any two of more; otherwise why there are none."""
    if study.anonymous:
        return None, "Limits of agreement need to know which coder gave which rating."
    if study.n_coders == 2:
        if len(study.shared) < 2:
            return None, "Limits of agreement take at least two items that both coders rated."
        return limits_of_two(study.shared, study.coders, level=options.level), None
    if not study.separable:
        return None, "Limits of agreement cannot be estimated: coders and items cannot be told apart."
    return limits_of_any_two(study.squares("2"), study.coders, study.n_items, level=options.level), None


def _data(labels: Labels, study: RatingStudy) -> RatingsData:
    given = labels.n_labels
    return RatingsData(
        items=labels.n_items,
        coders=labels.coders,
        ratings=given,
        missing=0 if labels.anonymous else labels.codes.size - given,
        dropped=labels.n_items - study.n_items,
        complete=len(study.shared),
        anonymous=labels.anonymous,
    )


def _coders(study: RatingStudy) -> dict[str, CoderRatings]:
    if study.anonymous:
        return {}
    shifts = study.levels[0] if study.separable else np.full(study.n_coders, np.nan)
    columns = [column[np.isfinite(column)] for column in study.ratings.T]
    return {
        coder: CoderRatings(
            ratings=len(own),
            mean=float(own.mean()),
            sd=float(own.std(ddof=1)) if len(own) > 1 else nan,
            shift=float(shift),
        )
        for coder, own, shift in zip(study.coders, columns, shifts, strict=True)
    }


def _pairs(study: RatingStudy, options: RatingOptions) -> tuple[RatedPair, ...]:
    """Every two coders with at least three items in common; left out if there are more than ``MOST_PAIRS``."""
    places = list(combinations(range(study.n_coders), 2))
    if study.anonymous or len(places) > MOST_PAIRS:
        return ()
    pairs = []
    for a, b in places:
        both = study.ratings[:, [a, b]]
        both = both[np.isfinite(both).all(axis=1)]
        if len(both) < 3:
            continue
        names = (study.coders[a], study.coders[b])
        limits = limits_of_two(both, names, level=options.level)
        pairs.append(
            RatedPair(
                coders=names,
                items=len(both),
                difference=limits.mean,
                sd=limits.sd,
                low=limits.low,
                high=limits.high,
                lin_ccc=concordance_correlation(both, level=options.level).value,
                spearman=float(spearman(both[:, 0], both[:, 1], np.ones(len(both)))),
            )
        )
    return tuple(pairs)


def _points(study: RatingStudy) -> DifferencePoints:
    """Means and differences for the chart, evenly thinned to at most ``MOST_POINTS``."""
    if study.n_coders == 2:
        mean, difference = study.shared.mean(axis=1), study.shared[:, 0] - study.shared[:, 1]
    else:
        several = np.isfinite(study.ratings).sum(axis=1) > 1
        table = study.ratings[several]
        of_item = np.nanmean(table, axis=1) if len(table) else np.empty(0)
        present = np.isfinite(table)
        mean, difference = np.broadcast_to(of_item[:, None], table.shape)[present], (table - of_item[:, None])[present]
    order = np.argsort(mean, kind="stable")
    kept = order[:: max(1, -(-len(order) // MOST_POINTS))]
    return DifferencePoints(mean=mean[kept], difference=difference[kept], shown=len(kept), all=len(mean))


def _apa(study: RatingStudy, one: RatingAgreement) -> str | None:
    """One sentence in APA style."""
    if not one.defined:
        return None
    value, low, high = (f"{x:.2f}".replace("0.", ".", 1) for x in (one.value, *one.interval))
    ends = (
        ""
        if isnan(one.interval.low) or one.interval.low == one.interval.high
        else f", {one.level:.0%} CI [{low}, {high}]"
    )
    who = "Coders" if study.anonymous else f"{study.n_coders:,} coders"
    return f"{who} rated {study.n_items:,} items: {one.title} = {value}{ends}."

"""Sentences about agreement on ratings; differences are mentioned only if a test shows them."""

from collections.abc import Mapping
from math import isnan

from concurrence.agreement.ratings.limits import LimitsOfAgreement, ShiftTest
from concurrence.agreement.ratings.results import RatingAgreement
from concurrence.agreement.ratings.study import RatingStudy
from concurrence.core.sentences import Sentence, count_noun, format_p

ALPHA = 0.05
CATEGORICAL = ("same_number", "near_duplicate_labels", "categories_inferred")
"""Warnings about categories, which ratings have none of."""


def which_to_report(coefficients: Mapping[str, RatingAgreement], leading: str, study: RatingStudy) -> list[Sentence]:
    """Which coefficient to report, and when to report another."""
    one = coefficients[leading]
    if not one.defined:
        return [Sentence(code="undefined", text=one.note or "There is nothing to report.", warning=True)]
    k = study.n_coders
    first = f"Report {_with_interval(one)}:"
    if leading == "icc_1_1":
        many = coefficients["icc_1_k"]
        why = (
            "who gave which rating is not known"
            if study.anonymous
            else study.why_inseparable or "ICC(2,1) is undefined"
        )
        text = f"{first} {why}. Differences between coders count as error."
        mean = f" If you use the mean of {k} ratings, report {_with_interval(many)}." if many.defined else ""
        return [Sentence(code="report", text=text + mean)]
    if leading != "icc_2_1":
        return [Sentence(code="report", text=f"{first} it is the form that these ratings allow.")]
    text = (
        f"{first} the reliability of one coder, if the same coders rate all items and a coder who rates higher than "
        "the others counts as disagreement."
    )
    rest = []
    if coefficients["icc_2_k"].defined:
        rest.append(f"{_with_interval(coefficients['icc_2_k'])} if you use the mean of the {k} coders")
    if coefficients["icc_3_1"].defined:
        rest.append(f"{_with_interval(coefficients['icc_3_1'])} if only the differences between items matter")
    other = Sentence(code="other_forms", text=f"Report {', and '.join(rest)}.")
    return [Sentence(code="report", text=text), *([other] if rest else [])]


def _with_interval(one: RatingAgreement) -> str:
    low, high = one.interval
    ends = "" if isnan(low) or low == high else f" ({one.level:.0%} interval {low:.3f} to {high:.3f})"
    return f"{one.title} = {one.value:.3f}{ends}"


def of_shift(study: RatingStudy, test: ShiftTest | None) -> list[Sentence]:
    """Whether coders rate at different levels, and what the disagreement is about."""
    if not study.separable:
        return []
    shift, _ = study.levels
    high, low = (study.coders[int(place)] for place in (shift.argmax(), shift.argmin()))
    reach = float(shift.max() - shift.min())
    if test is None:
        if reach > max(1e-9 * float(abs(study.gaps.ratings).max()), study.rounding):
            text = (
                f"The coders differ by a constant shift and nothing else; {high} rates {reach:.3g} higher than {low}."
            )
            return [Sentence(code="shift", text=text)]
        return [Sentence(code="no_difference", text="The coders give the same ratings.")]
    if test.p_value >= ALPHA:
        text = f"No shift between the coders was shown ({format_p(test.p_value, '.2g')})."
        return [Sentence(code="no_shift", text=text)]
    part = study.components
    share = part.coders / (part.coders + part.error) if part.coders + part.error > 0 else 0.0
    if study.n_coders == 2:
        text = f"{high} rates {reach:.3g} higher than {low} on average ({format_p(test.p_value, '.2g')})."
    else:
        text = (
            f"The coders rate at different levels ({format_p(test.p_value, '.2g')}): {high} rates {reach:.3g} "
            f"higher than {low} on average."
        )
    about = f" Shift between coders makes up {share:.0%} of the variance of disagreement, scatter the rest."
    return [Sentence(code="shift", text=text + about)]


def of_limits(limits: LimitsOfAgreement | None, widening: float, rounding: float) -> list[Sentence]:
    """Between which differences ratings lie; ``rounding`` is how exact the ratings are."""
    if limits is None or limits.sd <= max(1e-12 * abs(limits.mean), rounding):
        return []
    share = f"{limits.share:.0%}"
    if limits.of == "two_coders":
        text = (
            f"About {share} of the differences between {limits.coders[0]} and {limits.coders[1]} lie between "
            f"{limits.low:.3g} and {limits.high:.3g}, if the differences are normally distributed."
        )
    else:
        text = (
            f"The ratings of an item by any two coders differ by at most {limits.high:.3g} in about {share} of the "
            "cases, if the differences are normally distributed."
        )
    remarks = [Sentence(code="limits", text=text)]
    if widening < ALPHA:
        grows = (
            f"The differences between {limits.coders[0]} and {limits.coders[1]} change with the size of the ratings "
            f"({format_p(widening, '.2g')}), so that the limits of agreement do not hold alike along the scale."
        )
        remarks.append(Sentence(code="widening", text=grows, warning=True))
    return remarks


def of_gaps(study: RatingStudy, leading: RatingAgreement) -> list[Sentence]:
    """How missing ratings were handled."""
    if study.complete or not leading.defined:
        return []
    missing = study.ratings.size - int(study.gaps.present.sum())
    text = (
        f"{count_noun(missing, 'rating')} of {study.ratings.size:,} "
        f"{'is' if missing == 1 else 'are'} missing: the intraclass correlations rest on variances estimated by "
        "restricted maximum likelihood, which assumes that ratings are missing at random."
    )
    return [Sentence(code="missing_ratings", text=text)]


def of_trust(one: RatingAgreement) -> list[Sentence]:
    """A warning if the interval of the coefficient to report may not have its nominal level."""
    if one.trusted is not False or not one.note:
        return []
    return [Sentence(code="interval_untrusted", text=f"{one.title}: {one.note}", warning=True)]

"""Every two coders on the items both labelled."""

from itertools import combinations
from typing import Any

from concurrence.agreement.pair_kernel import MANY_PAIRS, many_pairs
from concurrence.agreement.paired import cohen_kappa, complete, scott_pi
from concurrence.agreement.results import PairAgreement
from concurrence.agreement.study import Study
from concurrence.core import Labels
from concurrence.kernels.chance import corrected

MOST_CELLS = 1_000_000
"""Confusion tables of all pairs are kept up to this many cells; beyond, none is."""


def pair_agreements(labels: Labels, study: Study) -> tuple[PairAgreement, ...]:
    """Percent agreement, Cohen's kappa, Scott's pi and confusion of every two coders."""
    places = list(combinations(range(study.n_coders), 2))
    keep = len(places) * study.n_categories**2 <= MOST_CELLS
    if len(places) > MANY_PAIRS:
        return _many(labels, study, places, keep=keep)
    return tuple(_one(labels, study, place, keep=keep) for place in places)


def _one(labels: Labels, study: Study, place: tuple[int, int], *, keep: bool) -> PairAgreement:
    two = study.only(*place)
    observed, expected = cohen_kappa(two, two.weights)
    return PairAgreement(
        coders=(labels.coders[place[0]], labels.coders[place[1]]),
        items=int(two.weights[complete(two)].sum()),
        percent_agreement=float(observed),
        cohen_kappa=float(corrected(observed, expected)),
        scott_pi=float(corrected(*scott_pi(two, two.weights))),
        confusion=study.confusion(*place) if keep else None,
    )


def _many(labels: Labels, study: Study, places: list[tuple[int, int]], *, keep: bool) -> tuple[PairAgreement, ...]:
    totals = many_pairs(study, study.weights)
    columns: list[Any] = [totals.items, totals.observed, totals.kappas, totals.scott]
    rows = zip(places, *(column.tolist() for column in columns), strict=True)
    return tuple(
        PairAgreement(
            coders=(labels.coders[place[0]], labels.coders[place[1]]),
            items=int(items),
            percent_agreement=observed,
            cohen_kappa=kappa,
            scott_pi=pi,
            confusion=study.confusion(*place) if keep else None,
        )
        for place, items, observed, kappa, pi in rows
    )

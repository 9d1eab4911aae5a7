"""The alpha family of Krippendorff, Mathet, Bouvry & Widlöcher (2016), over units and the gaps between them.

Coincidences are lengths that two coders marked in the same place. Documents are one continuum; neither units nor gaps
cross their borders. The first category is the gap.
"""

from dataclasses import dataclass

import numpy as np

from concurrence.agreement.spans.positions import Pieces, why_not_exclusive
from concurrence.agreement.spans.study import ROUNDING, Estimator, Parts, SpanStudy
from concurrence.core.arrays import Reals

GAP = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Coincidences:
    """By document: the coincident lengths of categories, and what a unit would have in common with itself."""

    lengths: Reals
    own: Reals

    def at(self, weights: Reals) -> tuple[Reals, Reals]:
        """Observed and expected coincidences of weighted documents, as shares of the whole."""
        n = self.own.shape[1]
        observed = (weights @ self.lengths.reshape(len(self.lengths), -1)).reshape(*weights.shape[:-1], n, n)
        total = observed.sum(axis=(-1, -2))[..., None, None]
        own = weights @ self.own
        sides = observed.sum(axis=-1)
        pairs = sides[..., :, None] * sides[..., None, :] - own[..., None, :] * np.eye(n)
        left = total**2 - own.sum(axis=-1)[..., None, None]
        with np.errstate(invalid="ignore", divide="ignore"):
            return observed / total, pairs / np.where(left > ROUNDING * total**2, left, np.nan)


def coincidences(study: SpanStudy, pieces: Pieces) -> Coincidences:
    """Units and gaps of all coders."""
    k = len(study.spans.labels) + 1
    lengths = np.zeros((study.n_documents, k, k))
    for a, b in _ordered(pieces):
        both = pieces.read[:, a] & pieces.read[:, b]
        cells = pieces.document[both], pieces.label[both, a] + 1, pieces.label[both, b] + 1
        np.add.at(lengths, cells, pieces.length[both])
    own = np.zeros((study.n_documents, k))
    real = (study.spans.end - study.spans.start).astype(float)
    np.add.at(own, (study.spans.document, study.spans.label + 1), real**2)
    gaps = ((pieces.label == -1) * pieces.length[:, None]).sum(axis=1)
    own[:, GAP] = study.per_document(pieces.document, gaps)
    return Coincidences(lengths=lengths / (study.readers - 1)[:, None, None], own=own)


def intersections(study: SpanStudy, pieces: Pieces, whole: Coincidences) -> Coincidences:
    """What two coders both marked, whatever the label."""
    own = np.zeros_like(whole.own[:, 1:])
    spans = study.spans
    for a, b in _ordered(pieces):
        both = (pieces.label[:, a] >= 0) & (pieces.label[:, b] >= 0)
        common = np.bincount(pieces.span[both, a], weights=pieces.length[both], minlength=len(spans))
        share = common**2 / (study.readers[spans.document] - 1)
        np.add.at(own, (spans.document, spans.label), share)
    return Coincidences(lengths=whole.lengths[:, 1:, 1:], own=own)


def _ordered(pieces: Pieces) -> list[tuple[int, int]]:
    n = pieces.label.shape[1]
    return [(a, b) for a in range(n) for b in range(n) if a != b]


def u_alpha(study: SpanStudy, pieces: Pieces) -> Estimator:
    r"""Units of every label and the gaps between them: agreement on where and what together.

    .. math:: {}_u\alpha = 1 - \frac{\ell_{..} - \sum_c \ell_{cc}}{\varepsilon_{..} - \sum_c \varepsilon_{cc}}

    References: Krippendorff, Mathet, Bouvry & Widlöcher (2016).
    """
    return _estimator(study, pieces, "u-alpha", lambda: _off_diagonal(coincidences(study, pieces)))


def u_alpha_binary(study: SpanStudy, pieces: Pieces) -> Estimator:
    r"""Marked against unmarked: agreement on where, whatever the label.

    .. math:: {}_{|u}\alpha = 1 - \frac{\ell_{\phi .} - \ell_{\phi\phi}}{\varepsilon_{\phi .} - \varepsilon_{\phi\phi}}

    References: Krippendorff, Mathet, Bouvry & Widlöcher (2016).
    """

    def build() -> Parts:
        table = coincidences(study, pieces)

        def parts(weights: Reals) -> tuple[Reals, Reals]:
            observed, expected = table.at(weights)
            return _gap_side(observed), _gap_side(expected)

        return parts

    return _estimator(study, pieces, "|u-alpha", build)


def cu_alpha(study: SpanStudy, pieces: Pieces) -> Estimator:
    r"""The labels of what both of two coders marked: agreement on what, where they agree on where.

    .. math::
        {}_{cu}\alpha = 1 - \frac{\ell^*_{..} - \sum_c \ell^*_{cc}}{\varepsilon^*_{..} - \sum_c \varepsilon^*_{cc}}

    References: Krippendorff, Mathet, Bouvry & Widlöcher (2016).
    """
    note = why_not_exclusive(study, pieces, "cu-alpha")
    if note is not None:
        return Estimator(kind="disagreement", parts=None, note=note)
    coincidence = intersections(study, pieces, coincidences(study, pieces))
    by_category = {
        label: Estimator(kind="disagreement", parts=_of_one(coincidence, number))
        for number, label in enumerate(study.spans.labels)
    }
    return Estimator(kind="disagreement", parts=_off_diagonal(coincidence), by_category=by_category)


def _estimator(study: SpanStudy, pieces: Pieces, title: str, build) -> Estimator:  # type: ignore[no-untyped-def]
    note = why_not_exclusive(study, pieces, title)
    return Estimator(kind="disagreement", parts=None if note else build(), note=note)


def _off_diagonal(coincidence: Coincidences) -> Parts:
    def parts(weights: Reals) -> tuple[Reals, Reals]:
        observed, expected = coincidence.at(weights)
        return _differing(observed), _differing(expected)

    return parts


def _differing(table: Reals) -> Reals:
    return np.asarray(table.sum(axis=(-1, -2)) - np.einsum("...kk->...", table))


def _gap_side(table: Reals) -> Reals:
    return 2 * np.asarray(table[..., GAP, :].sum(axis=-1) - table[..., GAP, GAP])


def _of_one(coincidence: Coincidences, number: int) -> Parts:
    """(k)u-alpha: how often the others used another label where one used this."""

    def parts(weights: Reals) -> tuple[Reals, Reals]:
        with np.errstate(invalid="ignore", divide="ignore"):
            observed, expected = (
                1 - table[..., number, number] / table[..., number, :].sum(axis=-1) for table in coincidence.at(weights)
            )
        return observed, expected

    return parts

"""Kappa over positions: every position is an item, and unmarked is a category."""

import numpy as np

from concurrence.agreement.spans.positions import Pieces, why_not_exclusive
from concurrence.agreement.spans.study import Estimator, Parts, SpanStudy
from concurrence.core.arrays import Reals


def token_kappa(study: SpanStudy, pieces: Pieces) -> Estimator:
    r"""Every position is an item and unmarked is a category; Cohen's kappa for two coders, Fleiss's kappa for more.

    .. math:: \kappa = \frac{A_o - A_e}{1 - A_e}

    References: Cohen (1960); Fleiss (1971).
    """
    note = why_not_exclusive(study, pieces, "Token-level kappa")
    if note is not None:
        return Estimator(kind="agreement", parts=None, note=note)
    if len(study.spans.coders) == 2:
        return Estimator(kind="agreement", parts=_of_two(study, pieces, 0, 1), convention="Cohen's kappa")
    return _fleiss(study, pieces)


def kappa_of_two(study: SpanStudy, pieces: Pieces, a: int, b: int) -> Estimator:
    """Cohen's kappa of two coders on what both read; undefined where spans of one coder overlap."""
    parts = None if pieces.overlapping is not None else _of_two(study, pieces, a, b)
    return Estimator(kind="agreement", parts=parts)


def _of_two(study: SpanStudy, pieces: Pieces, a: int, b: int) -> Parts:
    n, k = study.n_documents, len(study.spans.labels) + 1
    both = pieces.read[:, a] & pieces.read[:, b]
    cell = (pieces.document[both] * k + pieces.label[both, a] + 1) * k + pieces.label[both, b] + 1
    tables = np.bincount(cell, weights=pieces.length[both], minlength=n * k * k).reshape(n, k * k)

    def parts(weights: Reals) -> tuple[Reals, Reals]:
        table = (weights @ tables).reshape(*weights.shape[:-1], k, k)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = table / table.sum(axis=(-1, -2), keepdims=True)
        agreed = np.einsum("...kk->...", shares)
        return agreed, (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)

    return parts


def _fleiss(study: SpanStudy, pieces: Pieces) -> Estimator:
    k = len(study.spans.labels) + 1
    given = np.stack([(pieces.label == code - 1).sum(axis=1) for code in range(k)], axis=1).astype(float)
    readers = study.readers[pieces.document].astype(float)
    agreed = (given * (given - 1)).sum(axis=1) / (readers * (readers - 1)) * pieces.length
    shares = given / readers[:, None] * pieces.length[:, None]
    agreed_in = study.per_document(pieces.document, agreed)
    shares_in = np.stack([study.per_document(pieces.document, column) for column in shares.T], axis=1)
    length = study.spans.lengths.astype(float)

    def parts(weights: Reals) -> tuple[Reals, Reals]:
        whole = weights @ length
        return weights @ agreed_in / whole, ((weights @ shares_in / whole[..., None]) ** 2).sum(axis=-1)

    return Estimator(kind="agreement", parts=parts, convention="Fleiss's kappa")

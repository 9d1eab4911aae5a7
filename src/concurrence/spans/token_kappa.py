"""Kappa over positions: every position is an item, and unmarked is a category."""

import numpy as np

from concurrence.spans.positions import Pieces, why_not_exclusive
from concurrence.spans.study import Array, Estimator, Study


def token_kappa(study: Study, pieces: Pieces) -> Estimator:
    r"""Every position is an item and unmarked is a category; Cohen's kappa for two coders, Fleiss's kappa for more.

    .. math:: \kappa = \frac{A_o - A_e}{1 - A_e}

    References: Cohen (1960); Fleiss (1971).
    """
    note = why_not_exclusive(study, pieces, "Token-level kappa")
    if note is not None:
        return Estimator(kind="agreement", parts=None, note=note)
    if len(study.spans.coders) == 2:
        return _cohen(study, pieces)
    return _fleiss(study, pieces)


def _cohen(study: Study, pieces: Pieces) -> Estimator:
    n, k = study.n_documents, len(study.spans.labels) + 1
    cell = (pieces.document * k + pieces.label[:, 0] + 1) * k + pieces.label[:, 1] + 1
    tables = np.bincount(cell, weights=pieces.length, minlength=n * k * k).reshape(n, k * k)

    def parts(weights: Array) -> tuple[Array, Array]:
        table = (weights @ tables).reshape(*weights.shape[:-1], k, k)
        shares = table / table.sum(axis=(-1, -2), keepdims=True)
        agreed = np.einsum("...kk->...", shares)
        return agreed, (shares.sum(axis=-1) * shares.sum(axis=-2)).sum(axis=-1)

    return Estimator(kind="agreement", parts=parts, convention="Cohen's kappa")


def _fleiss(study: Study, pieces: Pieces) -> Estimator:
    n, k = study.n_documents, len(study.spans.labels) + 1
    given = np.stack([(pieces.label == code - 1).sum(axis=1) for code in range(k)], axis=1).astype(float)
    readers = study.readers[pieces.document].astype(float)
    agreed = (given * (given - 1)).sum(axis=1) / (readers * (readers - 1)) * pieces.length
    shares = given / readers[:, None] * pieces.length[:, None]
    agreed_in = study.per_document(pieces.document, agreed)
    shares_in = np.stack([study.per_document(pieces.document, column) for column in shares.T], axis=1)
    length = study.spans.lengths.astype(float)

    def parts(weights: Array) -> tuple[Array, Array]:
        whole = weights @ length
        return weights @ agreed_in / whole, ((weights @ shares_in / whole[..., None]) ** 2).sum(axis=-1)

    return Estimator(kind="agreement", parts=parts, convention="Fleiss's kappa")

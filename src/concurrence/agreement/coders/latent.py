"""Latent classes: kinds of items behind the labels, which need not be the categories."""

from dataclasses import dataclass

import numpy as np

from concurrence.agreement.coders.models import Floats, maximise, votes_of
from concurrence.core.errors import InvalidInputError
from concurrence.core.labels import Labels


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LatentClasses:
    """Classes found behind the labels; ``response`` is coders x class x label."""

    posterior: Floats
    prevalence: Floats
    response: Floats
    log_likelihood: float
    bic: float
    starts_at_best: int


def latent_classes(
    labels: Labels, n_classes: int, *, starts: int = 30, seed: int = 0, max_iterations: int = 5000
) -> LatentClasses:
    """Classes of items, each with its own habits of every coder, from the best of several seeded starts.

    The classes need not be the categories: two categories may hide three kinds of item.

    References: Lazarsfeld and Henry (1968); Agresti (2002, section 13.1).
    """
    if n_classes < 1:
        raise InvalidInputError(f"The number of classes must be at least 1, not {n_classes}.")
    votes, random = votes_of(labels, ()), np.random.default_rng(seed)
    fits = [
        maximise(votes, random.dirichlet(np.ones(n_classes), labels.n_items), max_iterations=max_iterations)
        for _ in range(starts)
    ]
    posterior, prevalence, response, log_likelihood, _, _ = max(fits, key=lambda fit: fit[3])
    parameters = n_classes - 1 + n_classes * votes.n_coders * (votes.n_labels - 1)
    order = np.argsort(-prevalence)
    return LatentClasses(
        posterior=posterior[:, order],
        prevalence=prevalence[order],
        response=response.transpose(0, 2, 1)[:, order],
        log_likelihood=log_likelihood,
        bic=parameters * float(np.log(labels.n_items)) - 2 * log_likelihood,
        starts_at_best=sum(fit[3] > log_likelihood - 1e-4 for fit in fits),
    )

"""The Bayesian form of the Dawid-Skene model, by Gibbs sampling: it stays sensible where data are few."""

from collections.abc import Sequence

import numpy as np

from concurrence.agreement.labels.coders.models import CoderModel, LabelVotes, accuracy_of, dawid_skene, label_votes
from concurrence.agreement.labels.coders.rates import coder_rates
from concurrence.core.arrays import Reals
from concurrence.core.errors import InvalidInputError
from concurrence.core.labels import Labels


def bayesian_dawid_skene(
    labels: Labels,
    *,
    same: Sequence[Sequence[str]] = (),
    draws: int = 4000,
    burn_in: int = 500,
    seed: int = 0,
    prevalence_prior: float = 3.0,
    prior_judgements: float = 8.0,
    prior_accuracy: float = 0.6,
) -> CoderModel:
    """Posterior means of the Dawid-Skene model under weak priors.

    Every category has seen ``prevalence_prior`` items beforehand; every coder ``prior_judgements`` items of
    each category, of which ``prior_accuracy`` were called right. A category that is rare in the data then no
    longer has confusion rates of exactly 0 and 1. The log-likelihood is that at the maximum, for comparison.

    References: Pullin, Gurrin and Vukcevic (2023), whose default priors these are.
    """
    if draws < 1:
        raise InvalidInputError(f"The number of draws must be at least 1, not {draws}.")
    start, votes = dawid_skene(labels, same=same), label_votes(labels, same)
    size = votes.n_labels
    prior = np.full((size, size), prior_judgements * (1 - prior_accuracy) / max(size - 1, 1))
    np.fill_diagonal(prior, prior_judgements * prior_accuracy)
    posterior, prevalence, response = _sampled(
        votes, start.posterior, prior, prevalence_prior, draws=draws, burn_in=burn_in, seed=seed
    )
    confusion = response.transpose(0, 2, 1)
    return CoderModel(
        name="bayesian_dawid_skene",
        coders=start.coders,
        categories=start.categories,
        items=start.items,
        labelled=start.labelled,
        posterior=posterior,
        prevalence=prevalence,
        competence=accuracy_of(confusion, prevalence),
        confusion=confusion,
        log_likelihood=start.log_likelihood,
        iterations=draws,
        converged=True,
        rates=coder_rates(votes, posterior, accuracy_of(confusion, prevalence), simulated=False),
    )


def _sampled(
    votes: LabelVotes, start: Reals, prior: Reals, prevalence_prior: float, *, draws: int, burn_in: int, seed: int
) -> tuple[Reals, Reals, Reals]:
    """Means over the draws of the posterior, the prevalence and the coders x label x class responses."""
    random = np.random.default_rng(seed)
    one_hot, chosen = np.eye(votes.n_labels), start.argmax(axis=1)
    sums = [np.zeros_like(start), np.zeros(votes.n_labels), np.zeros((votes.n_coders, *prior.shape))]
    for draw in range(burn_in + draws):
        truth = one_hot[chosen]
        shares, counts = truth.sum(axis=0) + prevalence_prior, votes.counts(truth) + prior
        prevalence = random.dirichlet(shares)
        response = random.standard_gamma(counts)
        response /= response.sum(axis=1, keepdims=True)
        evidence = votes.evidence(np.log(np.maximum(response, 1e-300))) + np.log(prevalence)
        weights = np.exp(evidence - evidence.max(axis=1, keepdims=True))
        weights /= weights.sum(axis=1, keepdims=True)
        chosen = (weights.cumsum(axis=1) < random.random((len(weights), 1))).sum(axis=1)
        chosen = np.minimum(chosen, votes.n_labels - 1)
        if draw >= burn_in:
            # means given the drawn truth vary less than the drawn parameters themselves
            parts = (weights, shares / shares.sum(), counts / counts.sum(axis=1, keepdims=True))
            sums = [total + part for total, part in zip(sums, parts, strict=True)]
    posterior, prevalence, response = (total / draws for total in sums)
    return posterior, prevalence, response

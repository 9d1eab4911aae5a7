r"""Bradley and Terry's model with Davidson's ties, by maximum likelihood and with Firth's reduction of bias.

Of two items with strengths a and b the first is preferred with probability proportional to exp((a - b + d)/2), the
second to exp(-(a - b + d)/2), and neither to v: v is Davidson's parameter of ties, d the advantage of being shown
first. That is an exponential family, so that Newton's steps are Fisher's, and Firth's penalty is half the logarithm of
the determinant of the information.

References: Bradley and Terry (1952); Davidson (1970); Davidson and Beaver (1977); Firth (1993).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from concurrence.core.arrays import Reals
from concurrence.core.comparisons import Comparisons

MOST_STEPS = 200
CLOSE = 1e-10
HALVINGS = 30


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparisonCounts:
    """Pairs that were compared, and how often each side was preferred or neither: (..., pairs, 3).

    ``predictors`` gives the log odds of the first item: one column per item but the last, whose strength makes the sum
    zero, and one for the position, where there is one. ``ties``: whether the model has any.
    """

    first: NDArray[np.int64]
    second: NDArray[np.int64]
    counts: Reals
    predictors: Reals
    n_items: int
    position: bool
    ties: bool

    @classmethod
    def of(cls, comparisons: Comparisons, *, position: bool, ties: bool) -> "ComparisonCounts":
        """All comparisons together; without a position it does not matter which item was shown first."""
        first, second, outcome = comparisons.first.copy(), comparisons.second.copy(), comparisons.outcome.copy()
        if not position:
            turned = first > second
            first, second = np.where(turned, second, first), np.where(turned, first, second)
            outcome = np.where(turned & (outcome < 2), 1 - outcome, outcome)
        size = len(comparisons.items)
        pairs, place = np.unique(first * size + second, return_inverse=True)
        n_coders = max(len(comparisons.coders), 1)
        counts = np.zeros((n_coders, len(pairs), 3))
        np.add.at(counts, (comparisons.coder, place, outcome), comparisons.count)
        first, second = pairs // size, pairs % size
        contrasts = np.zeros((len(pairs), size))
        contrasts[np.arange(len(pairs)), first] += 1
        contrasts[np.arange(len(pairs)), second] -= 1
        predictors = contrasts[:, :-1] - contrasts[:, -1:]
        if position:
            predictors = np.column_stack([predictors, np.ones(len(pairs))])
        return cls(
            first=first,
            second=second,
            counts=counts,
            predictors=predictors,
            n_items=size,
            position=position,
            ties=ties,
        )

    @property
    def identified(self) -> bool:
        """Whether the comparisons tell all parameters apart."""
        return bool(np.linalg.matrix_rank(self.predictors) == self.predictors.shape[1])

    @property
    def together(self) -> Reals:
        """The counts of all coders: (pairs, 3)."""
        total: Reals = self.counts.sum(axis=0)
        return total


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """Parameters with their covariance: log odds per predictor, then the logarithm of the parameter of ties."""

    design: ComparisonCounts
    parameters: Reals
    covariance: Reals
    log_likelihood: float
    converged: bool

    @property
    def strengths(self) -> Reals:
        """One per item; their sum is zero."""
        own = self.parameters[: self.design.n_items - 1]
        return np.append(own, -own.sum())

    @property
    def strength_contrasts(self) -> Reals:
        """The strengths as sums of the parameters: items x parameters."""
        own = self.design.n_items - 1
        contrasts = np.zeros((own + 1, len(self.parameters)))
        contrasts[:own, :own] = np.eye(own)
        contrasts[own, :own] = -1
        return contrasts

    @property
    def strength_covariance(self) -> Reals:
        """The covariance of the strengths, items x items."""
        own: Reals = self.strength_contrasts @ self.covariance @ self.strength_contrasts.T
        return own

    def contrast(self, name: str) -> Reals:
        """The ``position`` or the logarithm of the ``ties`` among the parameters."""
        place = self.design.n_items - 1 if name == "position" else len(self.parameters) - 1
        return np.asarray(np.arange(len(self.parameters)) == place, dtype=np.float64)

    @property
    def probabilities(self) -> Reals:
        return outcome_probabilities(self.design, self.parameters)


def outcome_probabilities(design: ComparisonCounts, parameters: Reals) -> Reals:
    """How probable each outcome of each pair is: (pairs, 3)."""
    p = design.predictors.shape[1]
    odds = design.predictors @ parameters[:p] / 2
    tie = np.full(len(odds), parameters[p] if design.ties else -np.inf)
    logits = np.stack([odds, -odds, tie], axis=-1)
    logits -= logits.max(axis=-1, keepdims=True)
    weights = np.exp(logits)
    chances: Reals = weights / weights.sum(axis=-1, keepdims=True)
    return chances


def fit(design: ComparisonCounts, counts: Reals, *, reduced: bool, start: Reals | None = None) -> Fit:
    """The most likely parameters, or those with reduced bias, by Newton's steps that never go down."""
    size = design.predictors.shape[1] + design.ties
    parameters = np.zeros(size) if start is None else start.copy()
    value, score, information = _likelihood_and_score(design, counts, parameters, reduced=reduced)
    converged = False
    for _ in range(MOST_STEPS):
        step = np.linalg.lstsq(information, score, rcond=None)[0]
        for _ in range(HALVINGS):
            ahead = _likelihood_and_score(design, counts, parameters + step, reduced=reduced)
            if ahead[0] >= value - 1e-12:
                break
            step = step / 2
        parameters, (value, score, information) = parameters + step, ahead
        if np.abs(step).max() < CLOSE * (1 + np.abs(parameters).max()):
            converged = True
            break
    likelihood = float((counts * np.log(np.maximum(outcome_probabilities(design, parameters), 1e-300))).sum())
    return Fit(
        design=design,
        parameters=parameters,
        covariance=np.asarray(np.linalg.pinv(information, hermitian=True), dtype=np.float64),
        log_likelihood=likelihood,
        converged=converged,
    )


def _likelihood_and_score(
    design: ComparisonCounts, counts: Reals, parameters: Reals, *, reduced: bool
) -> tuple[float, Reals, Reals]:
    """The (penalized) log-likelihood, its slope and the information."""
    chances = outcome_probabilities(design, parameters)
    n = counts.sum(axis=-1)
    side = chances[:, 0] - chances[:, 1]
    tie = chances[:, 2]
    spread, mixed, own = chances[:, 0] + chances[:, 1] - side**2, -side * tie, tie * (1 - tie)
    predictors = design.predictors
    information = (predictors * (n * spread / 4)[:, None]).T @ predictors
    score = predictors.T @ (counts[:, 0] - counts[:, 1] - n * side) / 2
    if design.ties:
        edge = predictors.T @ (n * mixed) / 2
        information = np.block([[information, edge[:, None]], [edge[None, :], np.array([[(n * own).sum()]])]])
        score = np.append(score, (counts[:, 2] - n * tie).sum())
    value = float((counts * np.log(np.maximum(chances, 1e-300))).sum())
    if reduced:
        sign, logarithm = np.linalg.slogdet(information)
        value = value + logarithm / 2 if sign > 0 else -np.inf
        score = score + _bias_score(design, n, chances, side, information)
    return value, score, information


def _bias_score(design: ComparisonCounts, n: Reals, chances: Reals, side: Reals, information: Reals) -> Reals:
    """The slope of half the logarithm of the determinant of the information: third cumulants of the outcomes."""
    p = design.predictors.shape[1]
    inverse = np.linalg.pinv(information, hermitian=True)
    ways = np.array([1.0, -1.0, 0.0])[None, :] - side[:, None]
    of_ties = np.array([0.0, 0.0, 1.0])[None, :] - chances[:, 2:]
    own = np.einsum("pi,ij,pj->p", design.predictors, inverse[:p, :p], design.predictors) / 4
    distance = ways**2 * own[:, None]
    if design.ties:
        edge = design.predictors @ inverse[:p, p] / 2
        distance = distance + 2 * ways * of_ties * edge[:, None] + of_ties**2 * inverse[p, p]
    weighed = n[:, None] * chances * distance / 2
    score = design.predictors.T @ (weighed * ways).sum(axis=-1) / 2
    return np.append(score, (weighed * of_ties).sum()) if design.ties else score


def deviance(fitted: Fit, counts: Reals) -> tuple[float, int]:
    """How far the comparisons are from the model, and the degrees of freedom."""
    n = counts.sum(axis=-1, keepdims=True)
    shares = np.divide(counts, n, out=np.zeros_like(counts), where=n > 0)
    whole = float((counts * np.log(np.where(counts > 0, shares, 1.0))).sum())
    kinds = 3 if fitted.design.ties else 2
    free = int((n > 0).sum()) * (kinds - 1) - len(fitted.parameters)
    return max(2 * (whole - fitted.log_likelihood), 0.0), free


def is_finite(design: ComparisonCounts, counts: Reals) -> bool:
    """Whether maximum likelihood has a finite solution: no direction makes every outcome that was seen likelier.

    References: Albert and Anderson (1984).
    """
    both = (counts[:, 0] > 0) & (counts[:, 1] > 0)
    if np.linalg.matrix_rank(design.predictors[both]) == design.predictors.shape[1]:
        return True  # pairs that went both ways fix every parameter, and there is no need to search
    sides = np.array([0.5, -0.5, 0.0])
    features = sides[None, :, None] * design.predictors[:, None, :]
    if design.ties:
        of_ties = np.broadcast_to(np.array([0.0, 0.0, 1.0])[None, :, None], (*features.shape[:2], 1))
        features = np.concatenate([features, of_ties], axis=-1)
    kinds = 3 if design.ties else 2
    differences = [
        features[pair, seen] - features[pair, other]
        for pair, seen in zip(*np.nonzero(counts), strict=True)
        for other in range(kinds)
        if other != seen
    ]
    from scipy.optimize import linprog  # takes longer to load than to run

    rows = np.array(differences)
    solution = linprog(-rows.sum(axis=0), A_ub=-rows, b_ub=np.zeros(len(rows)), bounds=[(-1, 1)] * rows.shape[1])
    return bool(solution.status == 0 and -solution.fun < 1e-7)

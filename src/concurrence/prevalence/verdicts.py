"""The verdicts of several judges on the same candidates, and their model without judgements by people.

Given what a candidate truly is, judges err independently, and equally often in every part of the corpus.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import polars as pl
from scipy.special import expit, logit

from concurrence.core.arrays import Booleans, Reals
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.prevalence.judges import judge_column

STARTS = 12
ROUGH, EXACT = {"ftol": 1e-7, "maxiter": 60}, {"ftol": 1e-14, "maxiter": 1000}
INSIDE = (2.0, 4.0)
"""Logits that starts are drawn back to, since at an edge the likelihood has no slope."""
EDGE = 12.0
"""A logit at which a share is 0 or 1."""
HALF = 0.5
WHOLE = "all"

Loss = Callable[[Reals], tuple[float, Reals]]
"""What is to be small, and its slope."""


@dataclass(frozen=True, kw_only=True, eq=False)
class VerdictPatterns:
    """Counts of candidates by part (rows) and pattern of verdicts (columns)."""

    parts: tuple[str, ...]
    judges: tuple[str, ...]
    counts: Reals

    @cached_property
    def said_yes(self) -> Booleans:
        return np.array(list(product((False, True), repeat=len(self.judges))))

    @property
    def parameters(self) -> int:
        return len(self.parts) + 2 * len(self.judges)

    @property
    def freedom(self) -> int:
        return len(self.parts) * ((1 << len(self.judges)) - 1) - self.parameters

    @cached_property
    def weights(self) -> Reals:
        """The share of each part in all candidates."""
        return np.asarray(self.counts.sum(axis=1) / self.counts.sum())

    def chances(self, at: Reals) -> tuple[Reals, Reals]:
        """The probability of each pattern in each part, and its slopes (unknowns x parts x patterns).

        ``at`` holds the logits of rates, sensitivities and specificities.
        """
        s, j = len(self.parts), len(self.judges)
        shares = expit(at)
        rate, se, sp = shares[:s, None], shares[s : s + j], shares[s + j :]
        true = rate * np.where(self.said_yes, se, 1 - se).prod(axis=1)
        false = (1 - rate) * np.where(self.said_yes, 1 - sp, sp).prod(axis=1)
        slopes = np.zeros((len(at), *true.shape))
        slopes[range(s), range(s)] = (1 - rate) * true - rate * false
        slopes[s : s + j] = (self.said_yes - se).T[:, None, :] * true
        slopes[s + j :] = (1 - self.said_yes - sp).T[:, None, :] * false
        return np.maximum(true + false, 1e-300), slopes

    def loss(self, at: Reals) -> tuple[float, Reals]:
        """Minus the logarithm of the likelihood, and its slope."""
        chances, slopes = self.chances(at)
        return -float((self.counts * np.log(chances)).sum()), -(slopes * (self.counts / chances)).sum(axis=(1, 2))

    def cautious_loss(self, at: Reals) -> tuple[float, Reals]:
        """The same with half a verdict of each kind for every share, so that no share is certain from few verdicts."""
        loss, slope = self.loss(at)
        return loss + HALF * float((np.logaddexp(0, at) + np.logaddexp(0, -at)).sum()), slope + HALF * np.tanh(at / 2)

    def deviance(self, at: Reals) -> float:
        """How far the counts are from what is expected of them."""
        occurs, expected = self.counts > 0, self.counts.sum(axis=1, keepdims=True) * self.chances(at)[0]
        return 2 * float((self.counts[occurs] * np.log(self.counts[occurs] / expected[occurs])).sum())

    def only(self, judges: Sequence[str]) -> "VerdictPatterns":
        """The patterns of some of the judges."""
        keeps = [name in judges for name in self.judges]
        cube = self.counts.reshape(-1, *(2,) * len(self.judges))
        counts = cube.sum(axis=tuple(place + 1 for place, keep in enumerate(keeps) if not keep))
        names = tuple(name for name, keep in zip(self.judges, keeps, strict=True) if keep)
        return VerdictPatterns(parts=self.parts, judges=names, counts=counts.reshape(len(self.parts), -1))

    def fitted(self, seed: int) -> Reals:
        """The logits of largest likelihood, from several starts; judges are right more often than not."""
        rng = np.random.default_rng((seed, 5))
        s, j = len(self.parts), len(self.judges)
        yes_rates = (self.counts @ self.said_yes).sum(axis=1) / (self.counts.sum(axis=1) * j)
        starts = [np.concatenate([logit(np.clip(yes_rates, 0.05, 0.95)), np.full(2 * j, 2.0)])]
        starts += [np.concatenate([rng.normal(0, 1.5, s), rng.normal(1.5, 1.0, 2 * j)]) for _ in range(STARTS - 1)]
        rough = sorted((minimise(self.loss, start, ROUGH) for start in starts), key=lambda fit: float(fit.fun))
        exact = (minimise(self.loss, fit.x, EXACT) for fit in rough[:2])
        best: Reals = min(exact, key=lambda fit: float(fit.fun)).x
        wrong = float((expit(best[s : s + j]) + expit(best[s + j :])).sum()) < j
        return np.concatenate([-best[:s], -best[s + j :], -best[s : s + j]]) if wrong else best


def fitted_near(loss: Loss, best: Reals) -> Reals:
    """The logits of the smallest loss, from starts beside the best ones of another loss or of other counts."""
    fits = (minimise(loss, np.clip(best, -most, most), ROUGH) for most in INSIDE)
    near: Reals = min(fits, key=lambda fit: float(fit.fun)).x
    return near


def minimise(loss: Loss, start: Reals, options: dict[str, float]) -> Any:
    from scipy.optimize import minimize  # takes longer to load than to run

    return minimize(loss, start, jac=True, method="SLSQP", bounds=[(-EDGE, EDGE)] * len(start), options=options)


def count_verdicts(table: pl.DataFrame, judges: Sequence[str], by: str | None) -> VerdictPatterns:
    """The patterns of verdicts in each part; a column ``count`` says for how many candidates a row stands."""
    if len(judges) < 2:
        raise InvalidInputError(
            f"Without {option_or_keyword('--gold', 'gold')} it takes at least two judges, and parts of the "
            "corpus, or three "
            f"judges; name them with {option_or_keyword('--judge A,B', 'judges=')}."
        )
    if by is not None and by not in table.columns:
        raise UnknownNameError("column", by, table.columns)
    columns = [judge_column(table, name) for name in judges]
    for column in columns:
        if not column.binary:
            raise InvalidInputError(f"Without people's judgements a judge says yes or no; {column.name!r} has scores.")
    times = table["count"].cast(pl.Float64).to_numpy() if "count" in table.columns else np.ones(len(table))
    part = np.full(len(table), WHOLE) if by is None else table[by].cast(pl.String).fill_null("").to_numpy()
    names, first, row = np.unique(part, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.argsort(order)[row]
    code = np.zeros(len(table), dtype=np.int64)
    for column in columns:
        code = 2 * code + column.values.astype(np.int64)
    size = 2 ** len(columns)
    counts = np.bincount(place * size + code, weights=times, minlength=len(names) * size).astype(np.float64)
    return VerdictPatterns(
        parts=tuple(str(names[k]) for k in order), judges=tuple(judges), counts=counts.reshape(-1, size)
    )

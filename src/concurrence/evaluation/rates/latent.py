"""No gold at all: rates and errors from judges alone (Hui & Walter 1980, and latent classes).

The model: given what a candidate truly is, judges err independently, and equally often in every part of the corpus. Two
judges and two parts with different rates, or three judges, then determine everything. The estimates are those of
maximum likelihood, the intervals those of the profile likelihood.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import isnan, nan
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import chdtrc, chdtri, expit, logit

from concurrence.core.errors import InvalidInputError, UndefinedError, UnknownNameError, way_out
from concurrence.core.frames import as_frame, frame_of
from concurrence.core.interval import Interval
from concurrence.core.notebook import html_sentences
from concurrence.core.sentences import Sentence, listed, warnings_first, warnings_of
from concurrence.core.values import value
from concurrence.evaluation.rates.judges import judge_column, judge_names
from concurrence.evaluation.rates.options import RateOptions
from concurrence.evaluation.rates.results import EstimatedShare

Reals = NDArray[np.float64]

STARTS = 12
EDGE = 18.0  # a logit beyond which a share is 0 or 1
SINGULAR = 1e-6
FINE = 1e-3
INSIDE = 5.0
FITS = 0.05
WHOLE = "all"


@value
class LatentJudge:
    """What a judge finds of the true ones, and clears of the false ones, by the model."""

    sensitivity: EstimatedShare
    specificity: EstimatedShare


@value
class LatentReport:
    """Rates of the parts and errors of the judges without any gold; ``rate`` is that of all parts together."""

    rate: float
    interval: Interval
    method: str
    parts: dict[str, EstimatedShare]
    judges: dict[str, LatentJudge]
    candidates: dict[str, int]
    deviance: float
    degrees_of_freedom: int
    p_value: float
    level: float
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]

    def to_frame(self) -> Any:
        """The estimates as a table (polars)."""
        return as_frame(self)

    def __str__(self) -> str:
        return " ".join(str(sentence) for sentence in warnings_first(self.sentences))

    def _repr_html_(self) -> str:
        return html_sentences([str(sentence) for sentence in warnings_first(self.sentences)])


@dataclass(frozen=True, kw_only=True, eq=False)
class Verdicts:
    """How many candidates of each part (rows) the judges gave which pattern of verdicts (columns)."""

    parts: tuple[str, ...]
    judges: tuple[str, ...]
    counts: Reals

    @cached_property
    def patterns(self) -> Reals:
        return np.array(list(product((0.0, 1.0), repeat=len(self.judges))))

    @property
    def parameters(self) -> int:
        return len(self.parts) + 2 * len(self.judges)

    @property
    def freedom(self) -> int:
        return len(self.parts) * ((1 << len(self.judges)) - 1) - self.parameters

    def chances(self, at: Reals) -> tuple[Reals, Reals]:
        """The probability of each pattern in each part, and its slopes (unknowns x parts x patterns).

        ``at`` holds the logits of rates, sensitivities and specificities.
        """
        s, j = len(self.parts), len(self.judges)
        rate, se, sp = expit(at[:s])[:, None], expit(at[s : s + j]), expit(at[s + j :])
        true = rate * np.where(self.patterns > 0, se, 1 - se).prod(axis=1)
        false = (1 - rate) * np.where(self.patterns > 0, 1 - sp, sp).prod(axis=1)
        of_rates = np.eye(s)[:, :, None] * ((1 - rate) * true - rate * false)
        of_se = (self.patterns - se).T[:, None, :] * true
        of_sp = (1 - self.patterns - sp).T[:, None, :] * false
        return np.maximum(true + false, 1e-300), np.concatenate([of_rates, of_se, of_sp])

    def loss(self, at: Reals) -> tuple[float, Reals]:
        """Minus the logarithm of the likelihood, and its slope."""
        chances, slopes = self.chances(at)
        return -float((self.counts * np.log(chances)).sum()), -(slopes * (self.counts / chances)).sum(axis=(1, 2))

    def information(self, at: Reals) -> Reals:
        """The expected information on the scale of logits."""
        chances, slopes = self.chances(at)
        flat, weight = slopes.reshape(len(at), -1), (self.counts.sum(axis=1)[:, None] / chances).ravel()
        return np.asarray((flat * weight) @ flat.T)


def rate_without_gold(
    candidates: Any, *, judges: str | Sequence[str], by: str | None = None, level: float = 0.95, seed: int = 0
) -> LatentReport:
    """Rates and errors from what judges said alone: two judges and two parts (``by``), or three judges and more.

    ``candidates`` has a column of 1/0, yes/no or true/false for each judge, and may have a column ``count``.

    >>> counts = [14, 4, 9, 528, 887, 31, 37, 367]
    >>> table = pl.DataFrame({"a": [1, 1, 0, 0] * 2, "b": [1, 0, 1, 0] * 2, "part": [1] * 4 + [2] * 4, "count": counts})
    >>> found = rate_without_gold(table, judges=["a", "b"], by="part")
    >>> [round(part.value, 4) for part in found.parts.values()]
    [0.0268, 0.7168]
    """
    RateOptions(level=level)
    held = _counted(frame_of(candidates), judge_names(judges), by)
    _require_enough(held)
    best = _fitted(held, seed)
    _require_information(held, best)
    return _report(held, best, level, seed)


def _counted(table: pl.DataFrame, judges: Sequence[str], by: str | None) -> Verdicts:
    if len(judges) < 2:
        raise InvalidInputError(
            f"Without {way_out('--gold', 'gold')} it takes at least two judges, and parts of the corpus, or three "
            f"judges; name them with {way_out('--judge A,B', 'judges=')}."
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
    return Verdicts(parts=tuple(str(names[k]) for k in order), judges=tuple(judges), counts=counts.reshape(-1, size))


def _require_enough(held: Verdicts) -> None:
    if held.freedom < 0:
        raise UndefinedError(
            f"The data cannot tell: {len(held.judges)} judges and {len(held.parts)} "
            f"part{'s' * (len(held.parts) != 1)} of the corpus leave more unknown than there are counts; add a judge, "
            f"or name a column of parts with different rates, with {way_out('--by', 'by=')}."
        )


def _fitted(held: Verdicts, seed: int) -> Reals:
    """The logits of largest likelihood, from several starts; judges are those who are right more often than not."""
    rng = np.random.default_rng((seed, 5))
    s, j = len(held.parts), len(held.judges)
    said = (held.counts @ held.patterns).sum(axis=1) / (held.counts.sum(axis=1) * j)
    starts = [np.concatenate([logit(np.clip(said, 0.05, 0.95)), np.full(2 * j, 2.0)])]
    starts += [np.concatenate([rng.normal(0, 1.5, s), rng.normal(1.5, 1.0, 2 * j)]) for _ in range(STARTS - 1)]
    best = min((_least(held.loss, start) for start in starts), key=lambda fit: float(fit.fun)).x
    wrong = float((expit(best[s : s + j]) + expit(best[s + j :])).sum()) < j
    return np.concatenate([-best[:s], -best[s + j :], -best[s : s + j]]) if wrong else best


def _least(loss: Callable[[Reals], tuple[float, Reals]], start: Reals) -> Any:
    bounds = [(-EDGE, EDGE)] * len(start)
    exact = {"ftol": 1e-13, "gtol": 1e-6, "maxiter": 1000, "maxcor": 20}
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options=exact)


def _require_information(held: Verdicts, best: Reals) -> None:
    """Refuse what the counts do not determine, as two parts with equal rates."""
    info = held.information(np.clip(best, -INSIDE, INSIDE))  # at an edge, a share looks known that is not
    own = np.sqrt(np.maximum(np.diag(info), 1e-300))
    smallest = float(np.linalg.eigvalsh(info / np.outer(own, own))[0])
    if smallest < SINGULAR:
        raise UndefinedError(
            "The data cannot tell: many rates and errors explain the counts equally well, as where two parts have the "
            "same rate or a judge only guesses; add a judge, or parts that differ."
        )


def _report(held: Verdicts, best: Reals, level: float, seed: int) -> LatentReport:
    s, j = len(held.parts), len(held.judges)
    found = [_profiled(held, best, place, level) for place in range(held.parameters)]
    sizes = held.counts.sum(axis=1)
    rate, interval = _overall(held, best, sizes / sizes.sum(), level)
    seen = held.counts > 0
    expected = sizes[:, None] * held.chances(best)[0]
    deviance = 2 * float((held.counts[seen] * np.log(held.counts[seen] / expected[seen])).sum())
    p = float(chdtrc(held.freedom, deviance)) if held.freedom else nan
    parts = dict(zip(held.parts, found[:s], strict=True))
    judges = {
        name: LatentJudge(sensitivity=found[s + n], specificity=found[s + j + n]) for n, name in enumerate(held.judges)
    }
    told = _sentences(held, rate, interval, parts, judges, p)
    return LatentReport(
        rate=rate,
        interval=interval,
        method="latent_classes",
        parts=parts,
        judges=judges,
        candidates={name: int(n) for name, n in zip(held.parts, sizes, strict=True)},
        deviance=max(deviance, 0.0),
        degrees_of_freedom=held.freedom,
        p_value=p,
        level=level,
        seed=seed,
        sentences=tuple(told),
        warnings=warnings_of(told),
    )


def _profiled(held: Verdicts, best: Reals, place: int, level: float) -> EstimatedShare:
    """A share with the interval of its profile likelihood.

    From the estimate outward, each fit starts where the one before ended, so that true and false never change places.
    """
    limit = held.loss(best)[0] + float(chdtri(1, 1 - level)) / 2
    others = np.arange(len(best)) != place
    ends = []
    for side in (-1.0, 1.0):
        at, rest, step = float(best[place]), best[others], 0.2
        while abs(at) < EDGE and step > FINE:
            fit = _least(_with_fixed(held, place, at + side * step), rest)
            at, rest, step = (at, rest, step / 3) if fit.fun > limit else (at + side * step, fit.x, step)
        ends.append(float(expit(at)) if abs(at) < EDGE else float(side > 0))
    interval = Interval(low=ends[0], high=ends[1], level=level, method="profile_likelihood")
    return EstimatedShare(value=float(expit(best[place])), interval=interval)


def _with_fixed(held: Verdicts, place: int, at: float) -> Callable[[Reals], tuple[float, Reals]]:
    """The loss of all others where one is fixed."""

    def loss(rest: Reals) -> tuple[float, Reals]:
        found, slope = held.loss(np.insert(rest, place, at))
        return found, np.delete(slope, place)

    return loss


def _overall(held: Verdicts, best: Reals, weight: Reals, level: float) -> tuple[float, Interval]:
    """The rate of all parts together: in one part its own, else by the information on the scale of logits."""
    s = len(held.parts)
    rates = expit(best[:s])
    rate = float(weight @ rates)
    if s == 1:
        own = _profiled(held, best, 0, level)
        return rate, own.interval
    errors = np.linalg.pinv(held.information(best), hermitian=True)[:s, :s]
    slope = weight * rates * (1 - rates) / max(rate * (1 - rate), 1e-12)
    half = float(np.sqrt(chdtri(1, 1 - level) * max(float(slope @ errors @ slope), 0.0)))
    low, high = (float(expit(logit(np.clip(rate, 1e-12, 1 - 1e-12)) + side * half)) for side in (-1, 1))
    return rate, Interval(low=low, high=high, level=level, method="information")


def _sentences(
    held: Verdicts,
    rate: float,
    interval: Interval,
    parts: dict[str, EstimatedShare],
    judges: dict[str, LatentJudge],
    p: float,
) -> list[Sentence]:
    ends = f"{interval.level:.0%} interval {interval.low:.1%} to {interval.high:.1%}"
    told = [
        Sentence(
            code="rate", text=f"According to the model, {rate:.1%} are true ({ends}); people checked none of them."
        )
    ]
    if len(parts) > 1:
        rates = listed([f"{one.value:.1%} in {name}" for name, one in parts.items()])
        told.append(Sentence(code="parts", text=f"The rates of the parts are {rates}."))
    for name, one in judges.items():
        text = (
            f"According to the model, {name} finds {one.sensitivity.value:.0%} of the true ones and rejects "
            f"{one.specificity.value:.0%} of the false ones."
        )
        told.append(Sentence(code="judge", text=text))
    if held.freedom == 0:
        text = (
            "The model has as many unknowns as there are counts, so the data cannot show whether it holds: judges who "
            "make the same mistakes would look better than they are."
        )
        told.append(Sentence(code="not_testable", text=text, warning=True))
    elif not isnan(p) and p < FITS:
        text = (
            f"The model does not fit (p = {p:.2g}): the judges' errors are not independent, or they differ between the "
            "parts. Do not rely on these rates."
        )
        told.append(Sentence(code="does_not_fit", text=text, warning=True))
    wide = [name for name, one in parts.items() if one.interval.width > 0.5]
    if wide:
        text = f"The data can hardly tell the rate of {listed(wide)}: its interval is wider than 50 percentage points."
        told.append(Sentence(code="data_cannot_tell", text=text, warning=True))
    return told

"""Soft labels: how the labels of each item are distributed, and how certain their spread is.

An item with two opinions is no worse than one with a single opinion. Whoever trains or tests a model on all labels
instead of one takes shares, and should know how little three labels tell of them.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import entr

from concurrence.agreement.labels.coefficients.metrics import label_sets
from concurrence.agreement.labels.item_diagnosis import item_verdicts
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.core.arrays import Reals
from concurrence.core.labels import MISSING, Labels
from concurrence.core.results import Result
from concurrence.core.values import value
from concurrence.kernels.intervals import clopper_pearson

if TYPE_CHECKING:
    import polars as pl


HALVINGS = 60
ROUNDING = 1e-12


@value
class SoftLabels(Result):
    """One row per item: the ``shares`` of the categories among its labels, and their ``entropy`` in bits.

    ``low`` and ``high`` bound the entropy of the labels that all coders would give, at the ``level``. ``members`` are
    the labels that the columns of ``shares`` stand for: the categories, or the members of set-valued ones, whose shares
    do not add up to 1. NaN where an item has no label. ``verdicts`` say what the disagreement on an item comes from,
    where the data can tell.
    """

    labels: Labels
    members: tuple[str, ...]
    shares: Reals
    entropy: Reals
    low: Reals
    high: Reals
    level: float
    verdicts: tuple[str | None, ...]

    @property
    def majority(self) -> list[str | None]:
        """The label that most coders gave to each item; none where two were given as often."""
        counts = _counts(self.labels)
        first = counts.argmax(axis=1) if counts.size else np.zeros(len(counts), dtype=np.intp)
        best = counts.max(axis=1, initial=0)
        clear = (best > 0) & ((counts == best[:, None]).sum(axis=1) == 1)
        return [self.labels.categories[k] if sure else None for k, sure in zip(first, clear, strict=True)]

    def __str__(self) -> str:
        entropies = self.entropy[np.isfinite(self.entropy)]
        mean = "none" if not len(entropies) else f"{entropies.mean():.3f} bits"
        return f"Soft labels of {len(self.shares):,} items; mean entropy {mean}."

    def to_frame(self) -> "pl.DataFrame":
        """One row per item as a table (polars): its labels, the share of each category, entropy and its interval."""
        import polars as pl

        labels = self.labels
        columns: dict[str, Any] = {"item": [str(item) for item in labels.items]}
        if labels.groups is not None:
            columns["group"] = [str(group) for group in labels.groups]
        columns["labels"] = (labels.codes != MISSING).sum(axis=1)
        columns["majority"] = pl.Series(self.majority, dtype=pl.String)
        columns |= {f"p_{name}": self.shares[:, place] for place, name in enumerate(self.members)}
        columns |= {"entropy": self.entropy, "entropy_low": self.low, "entropy_high": self.high}
        columns["verdict"] = pl.Series(self.verdicts, dtype=pl.String)
        return pl.DataFrame(columns).with_columns(pl.selectors.float().fill_nan(None))

    def as_lewidi(self) -> dict[str, dict[str, Any]]:
        """The items in the JSON form of the shared tasks on learning with disagreements (LeWiDi).

        Text, task, language and split are not in a label file and stay empty. ``hard_label`` is that of the second
        edition; entropy and its interval stand in ``other_info``. Set-valued labels have a share of 0 and 1 for each.

        References: Leonardelli et al. (2023).
        """
        labels, majority = self.labels, self.majority
        names = [str(item) for item in labels.items]
        if labels.groups is not None:
            names = [f"{group}:{item}" for group, item in zip(labels.groups, names, strict=True)]
        return {name: self._entry(row, majority[row]) for row, name in enumerate(names)}

    def _entry(self, row: int, majority: str | None) -> dict[str, Any]:
        labels = self.labels
        given = {
            coder: labels.categories[code]
            for coder, code in zip(labels.coders, labels.codes[row].tolist(), strict=True)
            if code != MISSING
        }
        shares = {name: _number(share) for name, share in zip(self.members, self.shares[row], strict=True)}
        soft: dict[str, Any] = shares
        if labels.set_separator is not None:
            soft = {name: {"0": None if p is None else 1 - p, "1": p} for name, p in shares.items()}
        return {
            "annotation task": None,
            "text": None,
            "number of annotators": None if labels.anonymous else len(given),
            "annotators": None if labels.anonymous else ",".join(given),
            "number of annotations": len(given),
            "annotations": list(given.values()) if labels.anonymous else given,
            "hard_label": majority,
            "soft_label": soft,
            "split": None,
            "lang": None,
            "other_info": {
                "entropy": _number(self.entropy[row]),
                "entropy_interval": [_number(self.low[row]), _number(self.high[row])],
                "verdict": self.verdicts[row],
            },
        }


def soft_labels(labels: Labels, options: AgreeOptions) -> SoftLabels:
    """The distribution of the labels of each item, its entropy in bits, and an interval of the entropy.

    >>> soft = soft_labels(Labels.from_rows([["yes", "yes", "no", "no"], ["no", "no", "no", "no"]]), AgreeOptions())
    >>> soft.shares.tolist(), soft.entropy.tolist(), soft.low.round(3).tolist()
    ([[0.5, 0.5], [1.0, 0.0]], [1.0, 0.0], [0.357, 0.0])
    """
    counts = _counts(labels)
    patterns, where = np.unique(counts, axis=0, return_inverse=True)
    low, high = entropy_interval(patterns, level=options.level)
    sizes = counts.sum(axis=1, keepdims=True)
    shares = np.divide(counts, sizes, out=np.full(counts.shape, np.nan), where=sizes > 0)
    members, member_shares = labels.categories, shares
    if labels.set_separator is not None:
        sets = label_sets(labels.categories, labels.set_separator)
        members = tuple(sorted(frozenset[str]().union(*sets)))
        member_shares = shares @ np.array([[float(name in one) for name in members] for one in sets])
    return SoftLabels(
        labels=labels,
        members=members,
        shares=member_shares,
        entropy=entr(shares).sum(axis=1) / np.log(2) + 0.0,
        low=low[where.ravel()],
        high=high[where.ravel()],
        level=options.level,
        verdicts=tuple(
            item_verdicts(labels, coder_groups=options.coder_groups, level=options.level, seed=options.seed)
        ),
    )


def entropy_interval(counts: NDArray[Any], *, level: float = 0.95) -> tuple[Reals, Reals]:
    """Bounds of the entropy (bits) of multinomial shares, one row of counts each; never less sure than the level.

    Each share lies in its interval of Clopper and Pearson at ``1 - (1 - level) / k`` for ``k`` categories, so that all
    hold together (Bonferroni); with two categories one interval says all. The bounds are the smallest and the largest
    entropy of any shares within. NaN where there are no counts.

    References: Clopper and Pearson (1934).

    >>> low, high = entropy_interval(np.array([[50, 50], [100, 0]]))
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.97, 0.0], [1.0, 0.225])
    """
    counts = np.sort(np.asarray(counts, dtype=np.float64), axis=-1)[..., ::-1]
    sizes, k = counts.sum(axis=-1, keepdims=True), counts.shape[-1]
    tests = 1 if k <= 2 else k
    low, high = clopper_pearson(counts, np.maximum(sizes, 1), level=1 - (1 - level) / tests)
    least, most = _most_uneven(low, high), _most_even(low, high)
    bounds = np.stack([entr(shares).sum(axis=-1) / np.log(2) for shares in (least, most)])
    bounds = np.clip(np.where(bounds < ROUNDING, 0.0, bounds), 0.0, np.log2(max(k, 1)))
    low, high = np.where(sizes[..., 0] > 0, bounds, np.nan)
    return low, high


def _most_uneven(low: Reals, high: Reals) -> Reals:
    """The shares within bounds with the least entropy: what is free goes to the most common category, then the next.

    Bounds fall with the counts, so this has the largest sum of the first m shares for every m: it majorises all others.
    """
    free = 1 - low.sum(axis=-1, keepdims=True)
    room = high - low
    before = np.cumsum(room, axis=-1) - room
    return np.asarray(low + np.clip(free - before, 0, room))


def _most_even(low: Reals, high: Reals) -> Reals:
    """The shares within bounds with the most entropy: all as near to one common level as their bounds allow."""
    below, above = np.zeros((*low.shape[:-1], 1)), np.ones((*low.shape[:-1], 1))
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        too_much = np.clip(middle, low, high).sum(axis=-1, keepdims=True) > 1
        below, above = np.where(too_much, below, middle), np.where(too_much, middle, above)
    return np.clip((below + above) / 2, low, high)


def _counts(labels: Labels) -> Reals:
    """Items x categories: how many coders gave which."""
    k = len(labels.categories)
    rows, columns = np.nonzero(labels.codes != MISSING)
    cells = rows * k + labels.codes[rows, columns]
    return np.bincount(cells, minlength=labels.n_items * k).astype(np.float64).reshape(labels.n_items, k)


def _number(number: float) -> float | None:
    return None if np.isnan(number) else float(number)

"""What the disagreement on an item comes from, where the data can tell: an opinion, one coder, or noise.

Most items have too few labels for any verdict, and then there is none.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtrc

from concurrence.agreement.labels.coder_groups import (
    MOST_ARRANGEMENTS,
    arrangement_count,
    arrangements,
    permutation_test,
)
from concurrence.agreement.labels.coefficients.study import LabelStudy
from concurrence.core.arrays import Codes
from concurrence.core.labels import MISSING, Labels
from concurrence.kernels.intervals import clopper_pearson

ALPHA = 0.05
FEWEST_LABELS = 4
"""A coder dissents alone only where at least three others agree."""
DRAWS = 9_999


def item_verdicts(
    labels: Labels, *, coder_groups: Mapping[str, str] | None = None, level: float = 0.95, seed: int = 0
) -> list[str | None]:
    """A verdict for each item, ``None`` where coders agree or the data do not tell.

    * ``opinion``: the groups of coders differ over all items, and on this one more than if its labels had been dealt
      to its coders at random (false discovery rate of 5%);
    * ``coder``: one coder dissents alone, and does so over all items more often than the others (5%, Bonferroni);
    * ``noise``: neither holds, and the interval of the share of the most common label is above one half, so that
      most coders would give it.
    """
    verdicts: list[str | None] = [None] * labels.n_items
    if labels.anonymous:
        return verdicts
    dissent = (labels.codes != MISSING).any(axis=1) & ~_unanimous(labels.codes)
    for row in np.flatnonzero(dissent & clear_majorities(labels, level=level)):
        verdicts[row] = "noise"
    alone, apart = lone_dissenters(labels.codes), coders_apart(labels)
    for row in np.flatnonzero((alone >= 0) & np.isin(alone, apart)):
        verdicts[row] = "coder"
    for row in divided_items(labels, coder_groups or {}, seed=seed):
        verdicts[row] = "opinion"
    return verdicts


def clear_majorities(labels: Labels, *, level: float) -> NDArray[np.bool_]:
    """Where most coders would give the most common label: the interval of its share is above one half."""
    top = np.array([np.bincount(row[row >= 0]).max(initial=0) for row in labels.codes], dtype=np.float64)
    sizes = (labels.codes != MISSING).sum(axis=1)
    low, _ = clopper_pearson(top, np.maximum(sizes, 1), level=level)
    return np.asarray((sizes > 0) & (low > 0.5))


def lone_dissenters(codes: NDArray[np.signedinteger]) -> Codes:
    """The place of the one coder who differs from all others on an item, -1 where there is none."""
    dissenters = np.full(len(codes), -1, dtype=np.intp)
    for row, given in enumerate(codes):
        places = np.flatnonzero(given != MISSING)
        kinds, counts = np.unique(given[places], return_counts=True)
        if len(places) >= FEWEST_LABELS and len(kinds) == 2 and counts.min() == 1:
            dissenters[row] = places[given[places] == kinds[counts.argmin()]][0]
    return dissenters


def coders_apart(labels: Labels) -> Codes:
    """The coders who dissent alone more often than the others.

    Were all coders alike, each of the n coders of an item would be the lone dissenter with probability 1/n. The tail is
    that of a binomial with the largest of these probabilities, which errs on the side of calling nobody.
    """
    alone = lone_dissenters(labels.codes)
    has_label = labels.codes[alone >= 0] != MISSING
    dissents = np.bincount(alone[alone >= 0], minlength=labels.n_coders)
    chance = 1 / has_label.sum(axis=1)
    largest = np.where(has_label, chance[:, None], 0.0).max(axis=0, initial=0.0)
    p_values = np.where(dissents > 0, bdtrc(dissents - 1.0, has_label.sum(axis=0), largest), 1.0)
    return np.flatnonzero(p_values * labels.n_coders <= ALPHA)


def divided_items(labels: Labels, groups: Mapping[str, str], *, seed: int) -> Codes:
    """The items on which groups of coders differ, where they differ over all items."""
    coders = [coder for coder in labels.coders if coder in groups]
    names = sorted({groups[coder] for coder in coders})
    if len(names) < 2 or len(names) == len(coders):
        return np.empty(0, dtype=np.intp)
    some = labels.select_coders(coders)
    places = np.array([names.index(groups[coder]) for coder in coders], dtype=np.intp)
    p_value = permutation_test(LabelStudy.of(some), places, seed=seed)[0]
    if not p_value <= ALPHA:
        return np.empty(0, dtype=np.intp)
    by_table: dict[bytes, float | None] = {}
    tested = {}
    for row, given in enumerate(some.codes):
        table = _table(given, places, len(names))
        if table not in by_table:
            by_table[table] = _division(given, places, seed)
        tested[row] = by_table[table]
    rows = sorted((row for row, p in tested.items() if p is not None), key=lambda row: tested[row] or 0.0)
    passed = [k for k, row in enumerate(rows, 1) if (tested[row] or 0.0) <= ALPHA * k / len(rows)]
    return np.array(sorted(rows[: max(passed, default=0)]), dtype=np.intp)


def _table(given: NDArray[np.signedinteger], places: Codes, groups: int) -> bytes:
    """How often each group gave which label; the test of an item depends on nothing else."""
    labelled = given != MISSING
    kinds, codes = np.unique(given[labelled], return_inverse=True)
    return np.bincount(codes * groups + places[labelled], minlength=len(kinds) * groups).tobytes()


def _division(given: NDArray[np.signedinteger], places: Codes, seed: int) -> float | None:
    """How often labels dealt at random agree within groups as often as here; ``None`` where nothing can differ."""
    labelled = given != MISSING
    codes, groups = given[labelled], places[labelled]
    if len(np.unique(codes)) < 2 or len(np.unique(groups)) < 2:
        return None
    _, codes = np.unique(codes, return_inverse=True)
    sizes = np.bincount(codes)
    if arrangement_count(sizes) <= MOST_ARRANGEMENTS:
        dealt = np.array(list(arrangements(sizes.tolist())))
        extra = 0
    else:
        dealt = np.random.default_rng(seed).permuted(np.repeat(codes[None, :], DRAWS, axis=0), axis=1)
        extra = 1
    same = groups[:, None] == groups[None, :]
    inside = np.triu(same, k=1)
    first, second = np.nonzero(inside)
    agreed = (dealt[:, first] == dealt[:, second]).sum(axis=1)
    reached = int((agreed >= (codes[first] == codes[second]).sum()).sum())
    return (reached + extra) / (len(dealt) + extra)


def _unanimous(codes: NDArray[np.signedinteger]) -> NDArray[np.bool_]:
    highest = codes.max(axis=1, initial=MISSING)
    lowest = np.where(codes == MISSING, highest[:, None], codes).min(axis=1)
    return np.asarray(lowest == highest)

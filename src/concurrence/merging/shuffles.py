"""Whether unstructured disagreement would merge just as well: shuffle it and search again.

Agreements stay as they are; the labels in disagreement are permuted without creating agreements. For two
coders the labels of the second move among the disagreeing items. For more, the labels within an item form
blocks of equal labels, and blocks of the same size move, so that every item keeps its number of labels and the
number of its agreeing pairs.

A random walk of exchanges makes the shuffles: from the observed labels to a hub, and from there to each
shuffle. Since an exchange can be undone with the same probability, observed and shuffled labels are
exchangeable whatever the length of the walk (Besag & Clifford 1989), so that the p-value is valid.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from concurrence.core.arrays import Integers
from concurrence.kernels.coefficients import CoefficientRow
from concurrence.kernels.machine_code import machine_code
from concurrence.merging.search import Paths, SearchSetup
from concurrence.merging.tables import Tables, tables_of
from concurrence.merging.units import MergingItems

EXCHANGES_PER_LABEL = 4


def chance_p_value(setup: SearchSetup, *, observed: Paths, shuffles: int) -> float:
    """How often shuffled disagreement merges to as many classes with as high a value, the observed included."""
    if observed.n_classes[0] == 1:
        return 1.0  # no shuffle can do worse than one class
    paths = setup.run(shuffled_tables(setup.units, setup.coefficient, shuffles=shuffles, seed=setup.seed))
    n_classes, value = int(observed.n_classes[0]), float(observed.value[0])
    as_good = paths.n_classes > n_classes
    with np.errstate(invalid="ignore"):
        same = (paths.n_classes == n_classes) & ~(paths.value < value - 1e-12)
    return float(1 + (as_good | same).sum()) / (1 + shuffles)


def shuffled_tables(units: MergingItems, coefficient: CoefficientRow, *, shuffles: int, seed: int) -> Tables:
    """The matrices of all shuffles as one batch."""
    labels_by_shuffle = shuffled_labels(units, two_coders=coefficient.pairs == "both", shuffles=shuffles, seed=seed)
    each = [tables_of(replace(units, labels=labels), coefficient) for labels in labels_by_shuffle]
    return Tables(
        pairs=np.concatenate([t.pairs for t in each]),
        total=np.concatenate([t.total for t in each]),
        chance=np.concatenate([t.chance for t in each]),
        mass=np.concatenate([t.mass for t in each]),
        rule=each[0].rule,
        unused=each[0].unused,
        exact=each[0].exact,
    )


def shuffled_labels(units: MergingItems, *, two_coders: bool, shuffles: int, seed: int) -> Integers:
    """Shuffles x labels: what the coders might as well have said, were their disagreements unstructured."""
    block, size, item = blocks_of(units, two_coders=two_coders)
    label_of_block = np.empty(len(size), dtype=np.int64)
    label_of_block[block] = units.labels
    movable = _movable(item, two_coders=two_coders)
    by_size = movable[np.argsort(size[movable], kind="stable")]
    begin = np.searchsorted(size[by_size], size[by_size], side="left")
    end = np.searchsorted(size[by_size], size[by_size], side="right")
    first = np.searchsorted(item, np.arange(len(units.sizes) + 1))
    n_exchanges = EXCHANGES_PER_LABEL * len(by_size)
    rng = np.random.default_rng(seed)
    labels_by_shuffle: Integers = _walks(label_of_block, by_size, begin, end, item, first, shuffles, n_exchanges, rng)
    return labels_by_shuffle[:, block]


def blocks_of(units: MergingItems, *, two_coders: bool) -> tuple[Integers, Integers, Integers]:
    """The block of each label, and the size and the item of each block; items stand one after the other.

    Equal labels on an item are one block. Disagreeing labels of two coders are two, the first coder's first.
    """
    if two_coders:
        labels = units.labels.reshape(-1, 2)
        agree = np.repeat(labels[:, 0] == labels[:, 1], 2)
        key = units.item * 2 + np.where(agree, 0, np.arange(len(units.labels)) % 2)
    else:
        key = units.item * len(units.categories) + units.labels
    keys, block, size = np.unique(key, return_inverse=True, return_counts=True)
    item = keys // (2 if two_coders else max(len(units.categories), 1))
    return block.astype(np.int64), size.astype(np.int64), item.astype(np.int64)


def _movable(item: Integers, *, two_coders: bool) -> Integers:
    """Blocks that are moved: those of items in disagreement, of two coders the second's alone."""
    crowd = np.bincount(item, minlength=int(item.max(initial=-1)) + 1)
    several = crowd[item] > 1
    if two_coders:
        several &= np.concatenate([[False], item[1:] == item[:-1]]) if len(item) else several
    return np.flatnonzero(several)


@machine_code
def _walks(
    labels: Any, movable: Any, begin: Any, end: Any, item: Any, first: Any, shuffles: int, n_exchanges: int, rng: Any
) -> Any:  # pragma: no cover - compiled
    walks = np.empty((shuffles, len(labels)), dtype=np.int64)
    hub = labels.copy()
    _walk(hub, movable, begin, end, item, first, n_exchanges, rng)
    for k in range(shuffles):
        walks[k] = hub
        _walk(walks[k], movable, begin, end, item, first, n_exchanges, rng)
    return walks


@machine_code
def _walk(
    labels: Any, movable: Any, begin: Any, end: Any, item: Any, first: Any, n_exchanges: int, rng: Any
) -> None:  # pragma: no cover - compiled
    """Exchange the labels of two blocks, or pass those of three around, wherever no agreement arises."""
    n = len(movable)
    for _ in range(n_exchanges):
        p = int(rng.random() * n)
        width = end[p] - begin[p]
        a = movable[p]
        b = movable[begin[p] + int(rng.random() * width)]
        c = movable[begin[p] + int(rng.random() * width)]
        if rng.random() < 0.5:
            c = a
        if item[a] == item[b] or (c != a and (item[c] == item[a] or item[c] == item[b])):
            continue
        x, y, z = labels[a], labels[b], labels[c]
        if c == a:
            if _fits(labels, first, item[a], a, y) and _fits(labels, first, item[b], b, x):
                labels[a], labels[b] = y, x
        elif (
            _fits(labels, first, item[a], a, y)
            and _fits(labels, first, item[b], b, z)
            and _fits(labels, first, item[c], c, x)
        ):
            labels[a], labels[b], labels[c] = y, z, x


@machine_code
def _fits(labels: Any, first: Any, item: int, block: int, label: int) -> bool:  # pragma: no cover - compiled
    """Whether no other block of the item has this label."""
    taken = False
    for other in range(first[item], first[item + 1]):
        taken |= other != block and labels[other] == label
    return not taken

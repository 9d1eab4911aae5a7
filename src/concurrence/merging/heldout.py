"""Agreement on items that had no part in the merging: classes from some items, the coefficient on the others.

The items are dealt into folds. For each fold, classes are found on the other folds, and the disagreement that is
left is counted on the fold itself; chance is read from the habits of all items under those classes, since a fold
of five items has no habits to speak of. The sums over all folds make one coefficient.
"""

from dataclasses import dataclass, replace

import numpy as np

from concurrence.core.arrays import Integers, Reals
from concurrence.core.values import value
from concurrence.kernels.chance import ratio
from concurrence.merging.search import Paths, SearchSetup, Stop, classes_after
from concurrence.merging.tables import Tables, predicted_share, tally_of

FOLDS, ROUNDS = 2, 10


@value
class Heldout:
    """The cross-validated value, and how it was made."""

    kappa: float
    percent_agreement: float
    folds: int
    rounds: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Split:
    """One way to deal the items: what each fold's search found, each fold's own tables, and the whole."""

    paths: Paths
    folds: Tables
    whole: Tables


def heldout_value(setup: SearchSetup) -> Heldout:
    """Cross-validate a search that ends as its ``stop`` says."""
    sums = np.zeros(3)
    for split in _split_items(setup):
        for fold in range(len(split.folds.total)):
            classes = classes_after(setup.start, split.paths.first[fold], split.paths.second[fold])
            sums += _fold_sums(split, fold, classes)
    kappa, agreement = 1 - ratio(sums[[0, 0]], sums[1:])
    folds = min(FOLDS, len(setup.units.sizes))
    return Heldout(kappa=float(kappa), percent_agreement=float(agreement), folds=folds, rounds=ROUNDS)


def heldout_curve(setup: SearchSetup) -> Reals:
    """The cross-validated value after 0, 1, 2, … merges, as long as two classes are left."""
    longest = int(setup.start.max(initial=-1))
    sums = np.zeros((max(longest, 1), 3))
    for split in _split_items(replace(setup, stop=Stop())):
        for fold in range(len(split.folds.total)):
            first, second = split.paths.first[fold], split.paths.second[fold]
            for n_merges in range(len(sums)):
                classes = classes_after(setup.start, first[:n_merges], second[:n_merges])
                sums[n_merges] += _fold_sums(split, fold, classes)
    return 1 - ratio(sums[:, 0], sums[:, 1])


def _split_items(setup: SearchSetup) -> list[_Split]:
    rng = np.random.default_rng(setup.seed)
    n_items = len(setup.units.sizes)
    whole = tally_of(setup.units, setup.coefficient).tables()
    rounds = []
    for _ in range(ROUNDS):
        part = rng.permutation(np.arange(n_items, dtype=np.int64) % min(FOLDS, n_items))
        tally = tally_of(setup.units, setup.coefficient, part)
        rounds.append(_Split(paths=setup.run(tally.others().tables()), folds=tally.tables(), whole=whole))
    return rounds


def _fold_sums(split: _Split, fold: int, classes: Integers) -> Reals:
    """Disagreement on a fold under these classes, what chance predicts for it, and its pairs of labels."""
    same = classes[:, None] == classes[None, :]
    total = split.folds.total[fold]
    own = np.asarray((split.whole.chance[0] * same).sum())
    share = predicted_share(split.whole, own, int(classes.max(initial=-1)) + 1)
    disagreement = total - (split.folds.pairs[fold] * same).sum()
    return np.array([disagreement, float(share.item()) * total, total])

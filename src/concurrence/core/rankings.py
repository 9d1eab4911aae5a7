"""Rankings: the order in which each measure puts the same candidates."""

from dataclasses import replace
from weakref import WeakValueDictionary

import numpy as np
import polars as pl

from concurrence.core.arrays import Integers, Numbers
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.values import value

_CHECKED: WeakValueDictionary[int, pl.DataFrame] = WeakValueDictionary()

Ranks = Numbers
Levels = Numbers
"""For each candidate, how many of some lists do not hold it."""


@value
class Ranking:
    """One order of the candidates: their ranks, and which of the ranks an equal score makes arbitrary.

    ``run_ends`` holds, for each rank from 1 on, the last rank of its run of equal scores.

    >>> Ranking.untied(np.array([2, 1])).run_ends.tolist()
    [1, 2]
    """

    ranks: Ranks
    run_ends: Ranks

    @classmethod
    def untied(cls, ranks: Numbers) -> "Ranking":
        """A ranking whose order counts as it stands."""
        return cls(ranks=np.asarray(ranks), run_ends=np.arange(1, len(ranks) + 1))

    def __len__(self) -> int:
        return len(self.ranks)

    def runs(self, n: Ranks) -> tuple[Ranks, Ranks]:
        """For each n the largest list up to it and the smallest from it on that cut no run of equal scores."""
        before, end = self.run_of(n)
        return np.where(end == n, n, before), end

    def run_of(self, ranks: Ranks) -> tuple[Ranks, Ranks]:
        """For each rank how many stand before its run of equal scores, and the last rank of the run."""
        end = self.run_ends[ranks - 1]
        return np.searchsorted(self.run_ends, end), end

    def levels(self, *sizes: Ranks) -> tuple[Levels, ...]:
        """For each candidate how many of the lists, which grow, are too short to hold it; for several sets of lists."""
        return tuple(np.searchsorted(one, self.ranks) for one in sizes)

    def ranks_of(self, rows: Integers) -> Ranks:
        """The ranks of some candidates."""
        return self.ranks[rows]


@value
class Rankings:
    """Measures x candidates, each cell a rank from 1 (best) to the number of candidates.

    ``keys`` is a table with one row per candidate, whose columns together identify it. ``sizes`` holds,
    for an unranked filter, how many candidates it lets pass: only its list of that size is meaningful.
    ``seed`` is the one that broke ties; ``run_ends`` holds, for each rank of each measure, the last rank of its run
    of equal scores, so that one can tell which lists depend on the seed. Ranks beyond ``within`` are not told apart:
    all are ``within + 1``.

    >>> keys = pl.DataFrame({"l1": ["a", "b"], "l2": ["x", "y"]})
    >>> rankings = Rankings(keys=keys, names=("t_score",), ranks=np.array([[2, 1]]))
    >>> len(rankings), rankings.of("t_score").tolist()
    (2, [2, 1])
    """

    keys: pl.DataFrame
    names: tuple[str, ...]
    ranks: Ranks
    sizes: tuple[int | None, ...] = ()
    seed: int = 0
    run_ends: Ranks | None = None
    within: int | None = None

    def __post_init__(self) -> None:
        ranks = np.ascontiguousarray(self.ranks)
        if ranks.shape != (len(self.names), len(self.keys)):
            raise InvalidInputError(
                f"The ranks have shape {ranks.shape}, but there are {len(self.names)} measures "
                f"and {len(self.keys)} candidates."
            )
        if len(set(self.names)) < len(self.names):
            twice = next(name for name in self.names if self.names.count(name) > 1)
            raise InvalidInputError(f"The measure {twice!r} is named twice.")
        if not all(_each_once(row, len(self.keys) if self.within is None else self.within) for row in ranks):
            raise InvalidInputError("Ranks must run from 1 to the number of candidates, each used once.")
        check_keys(self.keys)
        ranks.flags.writeable = False
        object.__setattr__(self, "ranks", ranks)
        object.__setattr__(self, "sizes", self.sizes or (None,) * len(self.names))

    def __len__(self) -> int:
        return len(self.keys)

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that identify a candidate."""
        return tuple(self.keys.columns)

    def of(self, name: str) -> Ranks:
        """The ranks of one measure."""
        row: Ranks = self.ranks[self._index(name)]
        return row

    def ranking(self, name: str) -> Ranking:
        """One measure's ranks with its runs of equal scores."""
        if self.run_ends is None:
            return Ranking.untied(self.of(name))
        return Ranking(ranks=self.of(name), run_ends=self.run_ends[self._index(name)])

    def size_of(self, name: str) -> int | None:
        """How many candidates pass a filter; None for a ranking."""
        return self.sizes[self._index(name)]

    def with_ranking(self, name: str, added: Ranking, *, size: int | None = None) -> "Rankings":
        """The same with one more ranking, or filter where its size is given."""
        untied = np.broadcast_to(np.arange(1, len(self) + 1), self.ranks.shape)
        return replace(
            self,
            names=(*self.names, name),
            ranks=np.vstack([self.ranks, added.ranks[None]]),
            sizes=(*self.sizes, size),
            run_ends=np.vstack([untied if self.run_ends is None else self.run_ends, added.run_ends[None]]),
        )

    def _index(self, name: str) -> int:
        if name not in self.names:
            raise UnknownNameError("ranking", name, self.names)
        return self.names.index(name)


def _each_once(ranks: Ranks, within: int) -> bool:
    """Whether the ranks up to the last that counts are used once each, and no others but the one after it."""
    if not len(ranks):
        return True
    if int(ranks.min()) < 1 or int(ranks.max()) > min(within + 1, len(ranks)):
        return False
    return bool((np.bincount(ranks, minlength=within + 1)[1 : within + 1] == 1).all())


def check_keys(keys: pl.DataFrame) -> None:
    """Refuse candidates that are not unique; a table that was found to be right is not looked through again."""
    if _CHECKED.get(id(keys)) is keys:
        return
    # Different rows seldom have the same hash; only those that do are compared.
    hashes = keys.hash_rows()
    ordered = hashes.sort()
    alike = ordered.filter(ordered == ordered.shift(1)).unique()
    some = keys.filter(hashes.is_in(alike.implode())) if len(alike) else keys[:0]
    twice = some.filter(some.is_duplicated())
    if len(twice):
        shown = ", ".join(f"{name}={value!r}" for name, value in twice.row(0, named=True).items())
        raise InvalidInputError(
            f"The candidate {shown} occurs twice; the columns {', '.join(keys.columns)} must identify each candidate."
        )
    _CHECKED[id(keys)] = keys

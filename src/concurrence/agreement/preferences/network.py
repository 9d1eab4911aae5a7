"""Which items are linked by comparisons, and which can be told apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from concurrence.core.comparisons import FIRST, SECOND, Comparisons


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """Groups of items that were never compared with each other, and why maximum likelihood may have no solution.

    ``above`` are items that no other item beat or tied with, ``below`` items that never beat or tied with another;
    one of them is there where maximum likelihood does not exist (Ford's condition).
    """

    parts: tuple[tuple[str, ...], ...]
    strong: bool
    above: tuple[str, ...]
    below: tuple[str, ...]


def network_of(comparisons: Comparisons) -> Network:
    """The network of wins; a tie counts both ways."""
    size = len(comparisons.items)
    first, second = comparisons.first, comparisons.second
    wins = np.concatenate([first[comparisons.outcome != SECOND], second[comparisons.outcome != FIRST]])
    losses = np.concatenate([second[comparisons.outcome != SECOND], first[comparisons.outcome != FIRST]])
    graph = coo_array((np.ones(len(wins)), (wins, losses)), shape=(size, size)).tocsr()
    n_parts, part = connected_components(graph, directed=False)
    n_strong, strong = connected_components(graph, directed=True, connection="strong")
    between = strong[wins] != strong[losses]
    beaten, beating = set(strong[losses[between]].tolist()), set(strong[wins[between]].tolist())
    above = next((group for group in range(n_strong) if group not in beaten), None)
    below = next((group for group in range(n_strong) if group not in beating), None)
    return Network(
        parts=tuple(_names(comparisons, part == number) for number in range(n_parts)),
        strong=n_strong == 1,
        above=() if n_strong == 1 or above is None else _names(comparisons, strong == above),
        below=() if n_strong == 1 or below is None else _names(comparisons, strong == below),
    )


def _names(comparisons: Comparisons, chosen: NDArray[np.bool_]) -> tuple[str, ...]:
    return tuple(name for name, there in zip(comparisons.items, chosen, strict=True) if there)


def alike_groups(names: Sequence[str], apart: set[tuple[str, str]]) -> tuple[tuple[str, ...], ...]:
    """The largest groups in which no two are known to differ; an item may be in several (Piepho 2004).

    >>> alike_groups(["x", "y", "z"], {("x", "z")})
    (('x', 'y'), ('y', 'z'))
    """
    groups = [set(names)]
    for one, other in sorted(apart):
        split = [group for group in groups if one in group and other in group]
        groups = [group for group in groups if group not in split]
        for part in [group - {name} for group in split for name in (one, other)]:
            if not any(part <= group for group in groups):
                groups = [group for group in groups if not group <= part]
                groups.append(part)
    place = {name: number for number, name in enumerate(names)}
    ordered = [tuple(sorted(group, key=lambda name: place[name])) for group in groups]
    return tuple(sorted(ordered, key=lambda group: [place[name] for name in group]))

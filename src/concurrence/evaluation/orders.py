"""The orders that an evaluation compares: by columns of scores, by rankings of other tools, and unranked filters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from concurrence.core.arrays import Numbers
from concurrence.core.errors import InvalidInputError
from concurrence.kernels.orders import Order, TieBreak


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Orders:
    """Orders of the same candidates by name; ``sizes`` tells how many candidates a filter lets pass."""

    ties: TieBreak
    orders: Mapping[str, Order] = field(default_factory=dict)
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def keys(self) -> pl.DataFrame:
        return self.ties.keys

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.orders)

    def __len__(self) -> int:
        return len(self.keys)

    def ranking(self, name: str) -> Order:
        return self.orders[name]

    def size_of(self, name: str) -> int | None:
        """How many candidates pass a filter; None for a ranking."""
        return self.sizes.get(name)

    def with_scores(
        self, name: str, scores: Numbers, *, seed: int | Sequence[int], size: int | None = None
    ) -> "Orders":
        """The same with one more order, or filter where its size is given."""
        if name in self.orders:
            raise InvalidInputError(f"The measure {name!r} is named twice.")
        added = Order.by_score(scores, self.ties, seed=seed)
        sizes = self.sizes if size is None else {**self.sizes, name: size}
        return replace(self, orders={**self.orders, name: added}, sizes=sizes)

    def as_broken(self) -> "Orders":
        """The same, in which the order of equal scores counts as it stands."""
        return replace(self, orders={name: order.as_broken() for name, order in self.orders.items()})

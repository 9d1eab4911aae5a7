"""Plans: what a wish costs, in sentences and in rows."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Generic, TypeVar

from concurrence.core.frames import rows_as_frame
from concurrence.core.results import Result

if TYPE_CHECKING:
    import polars as pl

P = TypeVar("P")


class Plans(Result, Generic[P]):
    """Several plans of one kind, in the order of the wishes; each says its price as text and in ``rows`` of a table."""

    __slots__ = ()
    plans: tuple[P, ...]

    def __len__(self) -> int:
        return len(self.plans)

    def __iter__(self) -> Iterator[P]:
        return iter(self.plans)

    def __getitem__(self, place: int) -> P:
        return self.plans[place]

    def to_frame(self) -> "pl.DataFrame":
        """One row per plan, or per design of a plan, as a table (polars)."""
        return rows_as_frame(row for plan in self.plans for row in plan.rows)  # type: ignore[attr-defined]

    def __str__(self) -> str:
        return "\n".join(map(str, self.plans))

"""Plans: what a wish costs, in sentences and in rows."""

from collections.abc import Iterator
from typing import Generic, TypeVar

from concurrence.core.frames import as_frame
from concurrence.core.notebook import html_records, html_sentences

P = TypeVar("P")


class Plans(Generic[P]):
    """Several plans of one kind, in the order of the wishes; each says its price as text and in ``rows`` of a table."""

    __slots__ = ()
    plans: tuple[P, ...]
    to_frame = as_frame

    def __len__(self) -> int:
        return len(self.plans)

    def __iter__(self) -> Iterator[P]:
        return iter(self.plans)

    def __getitem__(self, place: int) -> P:
        return self.plans[place]

    def __str__(self) -> str:
        return "\n".join(map(str, self.plans))

    def _repr_html_(self) -> str:
        rows = [row for plan in self.plans for row in plan.rows]  # type: ignore[attr-defined]
        return html_sentences(map(str, self.plans)) + html_records(rows)

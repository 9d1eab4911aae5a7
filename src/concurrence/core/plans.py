"""Plans: what a wish costs, in sentences and in rows."""

from collections.abc import Iterator, Mapping
from typing import Any, Generic, Protocol, TypeVar

from concurrence.core.notebook import html_records, html_sentences


class Priced(Protocol):
    """Whatever says its price in a sentence and in rows of a table, all of a kind with the same names."""

    @property
    def rows(self) -> list[Mapping[str, Any]]: ...


P = TypeVar("P", bound=Priced)


class Plans(Generic[P]):
    """Several plans of one kind, in the order of the wishes; each kind has its own result with a field ``plans``."""

    __slots__ = ()
    plans: tuple[P, ...]

    def __len__(self) -> int:
        return len(self.plans)

    def __iter__(self) -> Iterator[P]:
        return iter(self.plans)

    def __getitem__(self, place: int) -> P:
        return self.plans[place]

    def __str__(self) -> str:
        return "\n".join(map(str, self.plans))

    def _repr_html_(self) -> str:
        return html_sentences(map(str, self.plans)) + html_records([row for plan in self.plans for row in plan.rows])

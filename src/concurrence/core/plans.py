"""Plans: what a wish costs, in sentences and in rows."""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

from concurrence.core.notebook import html_records, html_sentences


class Plan(Protocol):
    """Whatever says its price in a sentence and in rows of a table."""

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The plan as rows, all plans of a kind with the same names."""
        ...


P = TypeVar("P", bound=Plan)


class Plans(tuple[P, ...]):
    """Several plans of one kind: a tuple that shows itself in notebooks."""

    __slots__ = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def _repr_html_(self) -> str:
        return html_sentences(map(str, self)) + html_records([row for plan in self for row in plan.rows])

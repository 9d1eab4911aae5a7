"""What every result can do: print itself, show itself in a notebook, become a table, JSON or a file.

How results are drawn is known to ``report``, which registers itself when it is imported.
"""

from collections.abc import Iterator
from os import PathLike
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from concurrence.core.errors import UndefinedError, UnknownNameError
from concurrence.core.sentences import Sentence

if TYPE_CHECKING:
    import polars as pl

    from concurrence.core.coefficient import Coefficient

C = TypeVar("C", bound="Coefficient")


class Renderer(Protocol):
    """What draws results."""

    def html(self, result: Any) -> str:
        """What a notebook shows."""

    def table(self, result: Any) -> "pl.DataFrame":
        """The table that the command writes."""

    def json(self, result: Any) -> dict[str, Any]:
        """What the command prints with ``--json``."""

    def save(self, result: Any, path: str | PathLike[str]) -> None:
        """Write what the command writes with ``-o path``."""


_registered: list[Renderer] = []


def register_renderer(renderer: Renderer) -> None:
    """Let results be drawn by this one from now on."""
    _registered[:] = [renderer]


class Result:
    """A value that shows itself; a class that is a ``value`` adds its fields and its ``str``."""

    __slots__ = ()

    def __repr__(self) -> str:
        first_line = "" if type(self).__str__ is object.__str__ else str(self).partition("\n")[0]
        return f"<{type(self).__name__}{first_line and f': {first_line}'}>"

    def _repr_html_(self) -> str:
        return _registered[0].html(self)

    def to_frame(self) -> "pl.DataFrame":
        """The result as a table (polars), as its command writes it with ``-o result.csv``."""
        return _registered[0].table(self)

    def to_json(self) -> dict[str, Any]:
        """The result as JSON can hold it, as its command prints it with ``--json``: nothing is rounded."""
        return _registered[0].json(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the result in the format of the ending, as its command does with ``-o``.

        A table (.csv .tsv .jsonl .parquet), a page (.html .md .tex), its first chart (.svg .png), or .json, which
        ``concur report`` reads.
        """
        _registered[0].save(self, path)


class CoefficientReport(Result, Generic[C]):
    """A report with coefficients by their names: ``report["cohen_kappa"]``; ``list(report)`` has the names."""

    __slots__ = ()
    coefficients: dict[str, C]
    sentences: tuple[Sentence, ...]

    def __getitem__(self, name: str) -> C:
        if name not in self.coefficients:
            raise UnknownNameError("coefficient", name, self.coefficients)
        return self.coefficients[name]

    def __contains__(self, name: object) -> bool:
        return name in self.coefficients

    def __iter__(self) -> Iterator[str]:
        return iter(self.coefficients)

    def defined(self, name: str) -> C:
        """A coefficient that must have a value; raises the sentence that says why it has none."""
        coefficient = self[name]
        if not coefficient.defined:
            raise UndefinedError(coefficient.note or f"{name} is undefined.")
        return coefficient

    def rows(self) -> list[C]:
        """The coefficients that have a value, each once, whatever other names it has."""
        return [entry for name, entry in self.coefficients.items() if entry.defined and entry.coefficient == name]

    def __str__(self) -> str:
        return "\n".join(map(str, self.rows())) or "\n".join(map(str, self.sentences))

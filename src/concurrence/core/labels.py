"""Judgements: who called which item what."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.coder_kinds import HUMAN
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.numerals import parse_numbers
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value

if TYPE_CHECKING:
    import polars as pl

MISSING = -1

LOSSES = frozenset(
    {"machines_left_out", "columns_left_out", "looks_missing", "transposed", "rows_left_out", "annotations_left_out"}
)

Codes = NDArray[np.signedinteger[Any]]


@value
class Labels(Result):
    """Items x coders, each cell the index of a category, or -1 where there is no label.

    ``categories_declared`` tells whether the category set was given or is merely what was seen, since
    some coefficients depend on it. ``anonymous`` marks labels of which only the counts per item are
    known: a column is then no coder. ``set_separator`` is the mark between the members of a set-valued
    label. ``groups`` is one text per item, such as the word an occurrence belongs to. ``kinds`` holds what is known of
    coders: ``human``, ``model`` or ``scorer``; ``machines_named`` tells whether the machines among them were chosen by
    name. ``warnings`` are what reading them found doubtful; every result made of them repeats it.

    >>> labels = Labels.from_rows([["yes", "no"], ["no", "no"]], coders=("a", "b"))
    >>> labels.categories, labels.codes.tolist()
    (('no', 'yes'), [[1, 0], [0, 0]])
    """

    codes: Codes
    categories: tuple[str, ...]
    coders: tuple[str, ...]
    items: NDArray[Any] = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    groups: NDArray[Any] | None = None
    categories_declared: bool = False
    anonymous: bool = False
    set_separator: str | None = None
    kinds: dict[str, str] = field(default_factory=dict)
    machines_named: bool = False
    warnings: tuple[Sentence, ...] = ()

    def __post_init__(self) -> None:
        codes = np.asarray(self.codes)
        if codes.ndim != 2 or not np.issubdtype(codes.dtype, np.signedinteger):
            raise InvalidInputError("Codes must be a table of integers, one row per item and one column per coder.")
        if codes.size and not (codes.min() >= MISSING and codes.max() < len(self.categories)):
            raise InvalidInputError(f"Codes must lie between -1 (missing) and {len(self.categories) - 1}.")
        if len(self.coders) != codes.shape[1]:
            raise InvalidInputError(f"There are {codes.shape[1]} columns of codes, but {len(self.coders)} coders.")
        _check_unique("coder", self.coders)
        _check_unique("category", self.categories)
        items = np.arange(1, len(codes) + 1) if len(self.items) == 0 and len(codes) else np.asarray(self.items)
        if len(items) != len(codes):
            raise InvalidInputError(f"There are {len(codes)} rows of codes, but {len(items)} items.")
        if self.groups is not None and len(self.groups) != len(codes):
            raise InvalidInputError(f"There are {len(codes)} rows of codes, but {len(self.groups)} groups.")
        compact = np.ascontiguousarray(codes, dtype=code_dtype(len(self.categories)))
        groups = {} if self.groups is None else {"groups": np.asarray(self.groups)}
        for name, array in {"codes": compact, "items": items, **groups}.items():
            view = array.view()
            view.flags.writeable = False
            object.__setattr__(self, name, view)

    @classmethod
    def from_rows(
        cls,
        rows: Sequence[Sequence[str | None]],
        *,
        coders: Sequence[str] | None = None,
        items: Sequence[str] | None = None,
        categories: Sequence[str] | None = None,
    ) -> "Labels":
        """Labels from a small table of texts, ``None`` where there is none."""
        seen = {label for row in rows for label in row if label is not None}
        order = tuple(categories) if categories is not None else ordered_categories(seen)
        if unknown := seen - set(order):
            raise UnknownNameError("declared category", min(unknown), order)
        index = {category: code for code, category in enumerate(order)}
        n_coders = len(rows[0]) if rows else len(coders or ())
        codes = np.array([[MISSING if v is None else index[v] for v in row] for row in rows], dtype=np.int32)
        return cls(
            codes=codes.reshape(len(rows), n_coders),
            categories=order,
            coders=tuple(coders) if coders is not None else tuple(str(c + 1) for c in range(n_coders)),
            items=np.array(items, dtype=object) if items is not None else np.empty(0, dtype=np.int64),
            categories_declared=categories is not None,
        )

    @classmethod
    def from_table(cls, table: Any, *, categories: Sequence[str] | None = None) -> "Labels":
        """Labels of two coders from their contingency table, rows the first coder.

        >>> Labels.from_table([[40, 15], [20, 25]]).codes.shape
        (100, 2)
        """
        counts = np.asarray(table)
        if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
            raise InvalidInputError(
                "A contingency table of two coders must be square, with the same categories for both."
            )
        if (counts < 0).any() or (counts != np.floor(counts)).any():
            raise InvalidInputError("A contingency table holds counts: whole numbers from 0 up.")
        size = len(counts)
        cells = np.repeat(np.arange(size * size, dtype=np.int32), counts.astype(np.int64).ravel())
        names = tuple(categories) if categories is not None else tuple(str(k + 1) for k in range(size))
        codes = np.stack([cells // size, cells % size], axis=1)
        return cls(codes=codes, categories=names, coders=("1", "2"), categories_declared=True)

    def __str__(self) -> str:
        who = "coders unknown" if self.anonymous else count_noun(self.n_coders, "coder")
        gaps = f", {self.n_missing:,} missing" if self.n_missing else ""
        sizes = (count_noun(self.n_items, "item"), who, f"{len(self.categories):,} categories")
        return f"{', '.join(sizes)}; {count_noun(self.n_labels, 'label')}{gaps}."

    def to_frame(self) -> "pl.DataFrame":
        """One row per label as a table (polars): item, coder, label, and group and kind of coder if there are any."""
        import polars as pl

        rows, columns = np.nonzero(self.codes != MISSING)
        cells = {
            "item": np.asarray(self.items)[rows],
            "coder": np.asarray(self.coders)[columns],
            "label": np.asarray(self.categories)[self.codes[rows, columns]],
            **({} if self.groups is None else {"group": np.asarray(self.groups)[rows]}),
            **({"kind": np.array([self.kinds.get(c, HUMAN) for c in self.coders])[columns]} if self.kinds else {}),
        }
        return pl.DataFrame({name: column.tolist() for name, column in cells.items()})

    @property
    def n_items(self) -> int:
        """How many items there are, labelled or not."""
        return int(self.codes.shape[0])

    @property
    def n_coders(self) -> int:
        return int(self.codes.shape[1])

    @property
    def n_labels(self) -> int:
        return int(np.count_nonzero(self.codes != MISSING))

    @property
    def n_missing(self) -> int:
        """How many cells of the table have no label."""
        return int(self.codes.size) - self.n_labels

    @property
    def losses(self) -> tuple[Sentence, ...]:
        """The warnings that something was not read, or perhaps not as it was meant; no result leaves them out."""
        return tuple(sentence for sentence in self.warnings if sentence.code in LOSSES)

    def coder_index(self, coder: str) -> int:
        """Where a coder's column is."""
        if coder not in self.coders:
            raise UnknownNameError("coder", coder, self.coders)
        return self.coders.index(coder)

    def select_coders(self, coders: Sequence[str]) -> "Labels":
        """The labels of these coders alone, in this order."""
        columns = [self.coder_index(coder) for coder in coders]
        kinds = {coder: kind for coder, kind in self.kinds.items() if coder in coders}
        return replace(self, codes=self.codes[:, columns], coders=tuple(coders), kinds=kinds)

    def select_items(self, rows: NDArray[Any]) -> "Labels":
        """The labels of these items alone (a mask or positions)."""
        return replace(
            self,
            codes=self.codes[rows],
            items=self.items[rows],
            groups=None if self.groups is None else self.groups[rows],
        )

    def alone(self, *, keeping: str | None = None) -> "Labels":
        """The labels as if nothing else had been read with them.

        Coders who labelled none of the items are left out, but for the one named ``keeping`` and where fewer than two
        would be left; so are categories that nobody gave, unless they were declared.
        """
        given = (self.codes != MISSING).any(axis=0)
        active = [coder for coder, labelled in zip(self.coders, given, strict=True) if labelled or coder == keeping]
        return (self.select_coders(active) if 2 <= len(active) < self.n_coders else self).with_used_categories()

    def with_used_categories(self) -> "Labels":
        """The labels without the categories that nobody gave, unless they were declared."""
        used = np.unique(self.codes[self.codes != MISSING])
        if self.categories_declared or len(used) in (0, len(self.categories)):
            return self
        lookup = np.full(len(self.categories) + 1, MISSING, dtype=self.codes.dtype)
        lookup[used] = np.arange(len(used))
        return replace(self, codes=lookup[self.codes], categories=tuple(self.categories[code] for code in used))


def code_dtype(n_categories: int) -> np.dtype[np.signedinteger[Any]]:
    """The smallest signed type that holds codes, and the number of a pair of codes, ``a * k + b``.

    >>> [str(code_dtype(k)) for k in (2, 11, 12, 441)]
    ['int8', 'int8', 'int16', 'int32']
    """
    return np.dtype(np.min_scalar_type(-max(n_categories * n_categories, 1)))


def ordered_categories(labels: set[str]) -> tuple[str, ...]:
    """The order of categories nobody declared: numerically if all are numbers, else by code point.

    >>> ordered_categories({"10", "9", "1.5"})
    ('1.5', '9', '10')
    >>> ordered_categories({"b", "a", "10"})
    ('10', 'a', 'b')
    """
    by_code_point = sorted(labels)
    numbers = parse_numbers(by_code_point)
    if numbers is None:
        return tuple(by_code_point)
    return tuple(by_code_point[place] for place in np.argsort(numbers, kind="stable"))


def _check_unique(kind: str, names: Sequence[str]) -> None:
    if len(set(names)) != len(names):
        twice = Counter(names).most_common(1)[0][0]
        raise InvalidInputError(f"The {kind} {twice!r} is named twice.")

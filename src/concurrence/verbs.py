"""Verbs for people: what the rooms take as ``Labels`` may be a frame or two lists here."""

from collections.abc import Iterable, Sequence
from math import isnan
from typing import Any

from concurrence.agreement.agree import agree as agree_on_labels
from concurrence.agreement.options import CUTS, Convention
from concurrence.agreement.results import AgreementReport
from concurrence.core import InvalidInputError, Labels
from concurrence.files.labels import read_labels


def agree(
    labels: Any,
    other: Iterable[Any] | None = None,
    *,
    shape: str = "auto",
    scale: str = "nominal",
    weights: Any = None,
    convention: Convention = "items",
    period: float | None = None,
    level: float = 0.95,
    coefficients: Sequence[str] | None = None,
    pairs: bool = True,
    expert: str | None = None,
    cuts: Sequence[float] = CUTS,
    agreement_table: bool = False,
    confusion: bool = False,
    bootstrap: int = 0,
    seed: int = 0,
) -> AgreementReport:
    """How well the coders agree, and how sure one can be of it.

    ``labels`` are ``Labels``, a frame (or a file's name) as ``read_labels`` takes it, or the labels of one coder, with
    ``other`` those of the second, item by item. The other keywords are those of ``concurrence.agreement.agree.agree``.

    >>> report = agree(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"])
    >>> report["cohen_kappa"].value
    0.5
    """
    return agree_on_labels(
        labels_of(labels, other, shape=shape),
        scale=scale,
        weights=weights,
        convention=convention,
        period=period,
        level=level,
        coefficients=coefficients,
        pairs=pairs,
        expert=expert,
        cuts=cuts,
        agreement_table=agreement_table,
        confusion=confusion,
        bootstrap=bootstrap,
        seed=seed,
    )


def labels_of(labels: Any, other: Iterable[Any] | None = None, *, shape: str = "auto") -> Labels:
    """Labels from what people have: Labels, a frame or file, or two lists."""
    if other is None and isinstance(labels, list | tuple):
        raise InvalidInputError("agree takes two lists, one per coder, or Labels or a frame (see read_labels).")
    if other is None:
        return labels if isinstance(labels, Labels) else read_labels(labels, shape=shape)
    first, second = ([_label(entry) for entry in side] for side in (labels, other))
    if len(first) != len(second):
        raise InvalidInputError(
            f"Both coders must label the same items; one has {len(first)}, the other {len(second)}."
        )
    return Labels.from_rows(list(zip(first, second, strict=True)), coders=("first", "second"))


def _label(entry: Any) -> str | None:
    """A label as text; nothing and NaN are missing, whole numbers are written as such."""
    if entry is None or (isinstance(entry, float) and isnan(entry)):
        return None
    return f"{entry:g}" if isinstance(entry, float) else str(entry)

"""The largest n-best lists that reach a precision."""

from collections.abc import Iterator, Mapping, Sequence

from concurrence.core.arrays import Booleans, Integers
from concurrence.core.sentences import Sentence
from concurrence.evaluation.results import Above, Curve


def largest_above(curves: dict[str, Curve], values: Sequence[float]) -> tuple[Above, ...]:
    """The largest lists whose precision, and whose lower bound, reach each value."""
    return tuple(
        Above(
            measure=name,
            value=value,
            n=_largest(curve.n, curve.precision >= value),
            n_lower_bound=_largest(curve.n, curve.low >= value),
        )
        for value in values
        for name, curve in curves.items()
    )


def above_sentences(rows: Sequence[Above], curves: Mapping[str, Curve]) -> Iterator[Sentence]:
    """How far down each list is worth reading."""
    for row in rows:
        curve = curves[row.measure]
        text = f"{row.measure}: precision {row.value:.0%} or more {_reach(curve.n, curve.precision >= row.value)}"
        if row.n is not None and row.n_lower_bound is None:
            text += "; the lower bound reaches it nowhere"
        elif row.n is not None:
            text += f"; the lower bound reaches it {_reach(curve.n, curve.low >= row.value)}"
        yield Sentence(code="above", text=f"{text}.")


def _reach(n: Integers, holds: Booleans) -> str:
    """The largest list size at which something holds, and whether it does at all sizes before.

    >>> import numpy as np
    >>> _reach(np.array([20, 50, 100]), np.array([True, True, False]))
    'at every list size tested up to n = 50'
    >>> _reach(np.array([20, 50, 100]), np.array([False, True, False]))
    'at n = 50, the largest size tested that reaches it'
    """
    if not holds.any():
        return "at no list size tested"
    largest = int(n[holds].max())
    if holds[n <= largest].all():
        return f"at every list size tested up to n = {largest:,}"
    return f"at n = {largest:,}, the largest size tested that reaches it"


def _largest(n: Integers, holds: Booleans) -> int | None:
    return int(n[holds].max()) if holds.any() else None

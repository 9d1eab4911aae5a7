"""How much two measures differ in precision: as a table, and as a chart where nothing else is known of them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from concurrence.evaluation.results import Evaluation, MeasureComparison, PrecisionDifference
from concurrence.report.render.charts import finished, forest
from concurrence.report.render.document import Block, Chart, Table


def difference_blocks(prefix: str, evaluation: Evaluation, *, charts: bool) -> list[Block]:
    """The counts in both difference sets, and the difference in precision with its interval."""
    pairs = [(pair, pair.difference) for pair in evaluation.comparisons if pair.difference is not None]
    rows = [row for pair, difference in pairs for row in _rows(pair, difference)]
    level = f"{evaluation.method.level:.0%} interval"
    caption = f"{prefix}Difference in precision [{level}], and true/judged in what only one list has"
    columns = ("n", "measures", "shared", "only in the first", "only in the second", "difference", "p")
    drawn = [
        Chart(
            specification=_chart(pair, difference, level), caption=f"{prefix}Difference in precision with its {level}."
        )
        for pair, difference in pairs
        if charts and np.isfinite(difference.value).any()
    ]
    return [Table.of(caption, columns, rows), *drawn]


def difference_rows(evaluation: Evaluation) -> list[dict[str, Any]]:
    """One row per two measures and n, for tables in files."""
    counts = ("n", "overlap", "sampled_a", "sampled_b", "true_a", "true_b", "p")
    rows = []
    for pair in evaluation.comparisons:
        difference = pair.difference
        if difference is None:
            continue
        columns = {name: getattr(pair, name).tolist() for name in counts}
        columns |= {
            "difference": difference.value.tolist(),
            "low": difference.low.tolist(),
            "high": difference.high.tolist(),
        }
        cells = zip(*columns.values(), strict=True)
        rows += [{"a": pair.a, "b": pair.b, **dict(zip(columns, row, strict=True))} for row in cells]
    return rows


def _rows(pair: MeasureComparison, difference: PrecisionDifference) -> list[Sequence[Any]]:
    columns = (pair.n, pair.overlap, pair.true_a, pair.sampled_a, pair.true_b, pair.sampled_b, pair.p)
    ends = (difference.value, difference.low, difference.high)
    return [
        (
            int(n),
            f"{pair.a}, {pair.b}",
            round(float(shared)),
            f"{true_a:g}/{judged_a:g}",
            f"{true_b:g}/{judged_b:g}",
            f"{100 * value:+.1f} points [{100 * low:+.1f}, {100 * high:+.1f}]" if value == value else "–",
            f"{p:.2g}",
        )
        for n, shared, true_a, judged_a, true_b, judged_b, p, value, low, high in zip(*columns, *ends, strict=True)
    ]


def _chart(pair: MeasureComparison, difference: PrecisionDifference, level: str) -> dict[str, Any]:
    """The difference at each n as a point with its interval; zero is marked."""
    rows = [
        {"label": f"n = {n:,}", "value": 100 * value, "low": 100 * low, "high": 100 * high}
        for n, value, low, high in zip(
            pair.n.tolist(), difference.value.tolist(), difference.low.tolist(), difference.high.tolist(), strict=True
        )
        if value == value
    ]
    title = f"precision of {pair.a} minus that of {pair.b}, in percentage points ({level})"
    return finished({"title": f"{pair.a} against {pair.b}", **forest(rows, title, form=".1f", width=520)})

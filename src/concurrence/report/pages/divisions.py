"""The dual model in a picture: how well chance explains what each amount of true agreement leaves."""

from typing import Any

from concurrence.agreement.labels.dual.divisions import Divisions, divisions
from concurrence.agreement.labels.dual.true_agreement import TrueAgreement
from concurrence.report.render.charts import DASHES, PALETTE, QUIET, finished, layer, quantity
from concurrence.report.render.document import Block, Chart, Table

LINES = {
    "homogeneity": "same share of yes",
    "conservative": "any division (Fisher)",
    "conservative_kappa": "any division (kappa)",
}
ROWS = 11


def division_blocks(truth: TrueAgreement) -> tuple[Block, ...]:
    """The p-value of every amount of true agreement, and which divisions some of them mean; none for many items."""
    all_divisions = divisions(truth)
    if all_divisions is None or len(all_divisions.m) < ROWS:
        return ()
    alpha = 1 - truth.level
    caption = (
        "For each number m of truly agreed items, how well chance explains the agreement on the rest: the p-value if "
        "the m have the overall share of yes, and the largest p-value of any division. The intervals of true agreement "
        f"are where a line is not below {alpha:.2g} (dashed). The table below shows the divisions."
    )
    return Chart(specification=_chart(all_divisions, truth), caption=caption), _table(all_divisions, truth)


def _chart(all_divisions: Divisions, truth: TrueAgreement) -> dict[str, Any]:
    rows = [
        {"m": m, "p": p, "line": title, "yes": round(yes, 1), "no": round(m - yes, 1)}
        for name, title in LINES.items()
        for m, p, yes in zip(all_divisions.m, getattr(all_divisions, name), _positive(all_divisions, name), strict=True)
        if p == p
    ]
    titles = list(LINES.values())
    legend = {"title": None, "orient": "top", "symbolType": "stroke", "symbolSize": 500, "labelLimit": 260}
    line = {"field": "line", "type": "nominal", "legend": legend}
    colour = {**line, "scale": {"domain": titles, "range": list(PALETTE[: len(titles)])}}
    dash = {**line, "scale": {"domain": titles, "range": list(DASHES[: len(titles)])}}
    x = quantity(
        "m", {"title": f"m: truly agreed items, of {truth.n:,}", "scale": {"domain": [0, all_divisions.m[-1]]}}
    )
    y = quantity("p", {"title": "p of what is left to chance", "scale": {"domain": [0, 1]}})
    tooltip_fields = [
        quantity("m"),
        {"field": "line", "type": "nominal", "title": "division"},
        quantity("p", {"format": ".3f"}),
        *(quantity(name, {"title": f"truly agreed: {name}"}) for name in ("yes", "no")),
    ]
    rule = {"type": "rule", "color": QUIET, "strokeDash": [4, 3]}
    unseen = {"type": "point", "filled": True, "size": 200, "opacity": 0}
    parts = {
        "width": 560,
        "height": 260,
        "layer": [
            layer([{"p": 1 - truth.level}], rule, {"y": y}),
            layer(rows, {"type": "line", "strokeWidth": 2}, {"x": x, "y": y, "color": colour, "strokeDash": dash}),
            layer(rows, unseen, {"x": x, "y": y, "tooltip": tooltip_fields}),
        ],
    }
    return finished(parts)


def _positive(all_divisions: Divisions, name: str) -> tuple[float, ...]:
    return all_divisions.positive_homogeneity if name == "homogeneity" else tuple(map(float, all_divisions.positive))


def _table(all_divisions: Divisions, truth: TrueAgreement) -> Table:
    """Some m at even distances: what is truly agreed (yes and no), and the table that is left to chance."""
    (n11, n12), (n21, n22) = truth.table
    step = max(1, (len(all_divisions.m) - 1) // (ROWS - 1))
    rows = []
    for at in range(0, len(all_divisions.m), step):
        m, yes, share = all_divisions.m[at], all_divisions.positive[at], all_divisions.positive_homogeneity[at]
        rows.append(
            (
                m,
                f"{share:.1f} + {m - share:.1f}",
                all_divisions.homogeneity[at],
                f"{yes} + {m - yes}",
                f"{n11 - yes} {n12} / {n21} {n22 - m + yes}",
                all_divisions.conservative[at],
            )
        )
    columns = ("m", "yes + no, same share", "p", "yes + no, most like chance", "left to chance", "p (Fisher)")
    return Table.of("Divisions of the items into truly agreed and left to chance", columns, rows)

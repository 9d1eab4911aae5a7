"""Scored pairs as a document: the best by the first measure, and the formulas behind the scores."""

from collections.abc import Sequence

from concurrence.core.pairs import Pairs
from concurrence.core.shown import number_of
from concurrence.measures import Measure
from concurrence.report.document import Document, Section, Table
from concurrence.report.methods import methods_section

SHOWN = 20
WIDEST = 7


def scores_document(scored: Pairs, names: Sequence[str]) -> Document:
    """The pairs that the first measure ranks highest."""
    best = scored.table.sort(names[0], descending=True, nulls_last=True).head(SHOWN)
    columns = (*scored.key, "f", *names[:WIDEST])
    more = f"; {len(names) - WIDEST} more measures with -o or --json" if len(names) > WIDEST else ""
    rule = f", rule {scored.counted.rule}" if scored.counted else ""
    caption = f"The first {len(best)} by {names[0]}{more}"
    table = Table.of(caption, columns, best.select(columns).rows())
    return Document(
        title="Scores",
        question="Which pairs do the measures rank highest?",
        answer=(f"{number_of(len(scored), 'pair')}{rule}, scored by {', '.join(names)}.",),
        sections=(Section(title="Best pairs", blocks=(table,)), methods_section(measures=names)),
    )


def measures_document(rows: Sequence[Measure]) -> Document:
    """The list of measures, and every formula with its source."""
    table = Table.of(
        "In the formulas O is the observed and E the expected frequency of the pair",
        ("name", "formula", "side", "kind"),
        [(row.name, row.formula, row.side, row.kind) for row in rows],
    )
    return Document(
        title="Association measures",
        question="Which measures are there, and what do they compute?",
        answer=(f"{number_of(len(rows), 'association measure')}.",),
        sections=(
            Section(title="All measures" if len(rows) > 1 else rows[0].name, blocks=(table,)),
            methods_section(measures=[row.name for row in rows]),
        ),
    )

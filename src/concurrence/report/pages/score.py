"""Scored pairs as documents, with the formulas behind the scores."""

from typing import TYPE_CHECKING

from concurrence.measures.scoring import ScoredPairs, best_first
from concurrence.report.pages.methods import methods_section
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Section, Table

if TYPE_CHECKING:
    import polars as pl

SHOWN = 20
WIDEST = 7


def scores_document(scored: ScoredPairs) -> Document:
    """The pairs that the first measure ranks highest."""
    names = scored.measures
    best = best_first(scored.rows, names[0]).head(SHOWN)
    columns = (*scored.key, "f", *names[:WIDEST])
    more = f"; {len(names) - WIDEST} more measures with -o or --json" if len(names) > WIDEST else ""
    caption = f"The first {len(best)} by {names[0]}{more}"
    table = Table.of(caption, columns, best.select(columns).rows())
    return Document(
        title="Scores",
        question="Which candidates do the measures rank highest?",
        answer=(str(scored),),
        warnings=tuple(map(str, scored.warnings)),
        sections=(Section(title="Best candidates", blocks=(table,)), methods_section(measures=names)),
    )


def scores_table(scored: ScoredPairs) -> "pl.DataFrame":
    return scored.rows


PRESENTERS: Presenters = (Presenter(ScoredPairs, scores_document, scores_table),)

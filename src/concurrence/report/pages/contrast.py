"""A contrast as a document and as a table."""

from typing import TYPE_CHECKING, Any

from concurrence.core.sentences import join_words
from concurrence.lookup.contrast import EXACT, SCORES, Contrast
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Block, Document, Paragraph, Section, Table

if TYPE_CHECKING:
    import polars as pl

TITLES = {
    "word": "word",
    "f_a": "f in A",
    "f_b": "f in B",
    "range_a": "documents in A",
    "range_b": "documents in B",
    "log_likelihood": "log-likelihood",
    "log_ratio": "log ratio",
    "log_ratio_conservative": "conservative",
    "percent_diff": "%DIFF",
    "p_documents": "p (documents)",
    "p_fisher": "p (Fisher)",
    "collostruction": "strength",
}
MOST_NAMED = 5
ON_SCREEN = ("word", "f_a", "f_b", *SCORES, *EXACT)


def contrast_document(result: Contrast, *, most: int | None = None) -> Document:
    """What is more frequent on either side, the strongest first; all, or so many."""
    columns = [name for name in (ON_SCREEN if most is not None else TITLES) if name in result.words.columns]
    ratio = result.words["log_ratio"].fill_null(0)
    sections = []
    for side, own in ((result.a, result.words.filter(ratio > 0)), (result.b, result.words.filter(ratio < 0))):
        rows = own if side is result.a or not _is_signed(result.sort) else own.reverse()
        visible = rows if most is None else rows.head(most)
        if len(visible):
            cut = "" if len(visible) == len(rows) else f", the first {len(visible):,}"
            caption = f"More frequent in {side.name} (by {TITLES[result.sort]}{cut})"
            table = Table.of(caption, [TITLES[name] for name in columns], _rows(visible, columns))
            blocks: tuple[Block, ...] = (table, *_contradictions(visible))
            sections.append(Section(title=f"More frequent in {side.name}", blocks=blocks))
    return Document.of(
        "Contrast",
        f"What sets {result.a.name} and {result.b.name} apart?",
        (str(result),),
        (*sections, _methods(result)),
        warnings=result.warnings,
    )


def _rows(words: "pl.DataFrame", columns: list[str]) -> list[tuple[Any, ...]]:
    """Cells as they are shown; a p-value too small for three digits is told as such."""
    place = columns.index("p_fisher") if "p_fisher" in columns else None
    return [
        tuple("<.001" if k == place and cell < 0.0005 else cell for k, cell in enumerate(row))
        for row in words.select(columns).iter_rows()
    ]


def _contradictions(words: "pl.DataFrame") -> list[Paragraph]:
    """Why there is no p-value by documents where the documents contradict the row."""
    if "note" not in words.columns or not len(without := words.filter(words["note"].is_not_null())):
        return []
    names = join_words([repr(word) for word in without["word"].head(MOST_NAMED)])
    more = f" and {len(without) - MOST_NAMED:,} more" if len(without) > MOST_NAMED else ""
    text = (
        f"No p (documents) for {names}{more}: all tokens together point to this side, the mean document to the other, "
        "as where one long document has most of them."
    )
    return [Paragraph(text=text)]


def _is_signed(sort: str) -> bool:
    return sort in ("log_likelihood", "log_ratio", "log_ratio_conservative", "percent_diff", "collostruction")


def _methods(result: Contrast) -> Any:
    from concurrence.report.pages.methods import methods_section

    return methods_section(measures=[name for name in SCORES if name in result.words.columns])


def contrast_table(result: Contrast) -> "pl.DataFrame":
    table: pl.DataFrame = result.words
    return table


PRESENTERS: Presenters = (Presenter(Contrast, contrast_document, contrast_table),)

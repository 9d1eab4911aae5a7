"""A sample as a document: what was drawn, and what its judgements can show."""

from typing import TYPE_CHECKING

from concurrence.report.document import Document, Paragraph, Section, Table
from concurrence.sampling.budget import Expected, SampleBudget

if TYPE_CHECKING:
    import polars as pl


def sample_document(bought: SampleBudget) -> Document:
    """The sample in a sentence, then the widths that each design would give for the same work."""
    told = (Paragraph(text=sentence.text, warning=sentence.warning) for sentence in bought.sentences)
    widths = (_widths(bought),) if bought.expected else ()
    return Document(
        title="Sample",
        question="What will be judged, and what can that show?",
        answer=(str(bought.sample),),
        sections=(Section(title="What these judgements can show", blocks=(*widths, *told)),),
    )


def sample_table(bought: SampleBudget) -> "pl.DataFrame":
    return bought.sample.table


def _widths(bought: SampleBudget) -> Table:
    rows, sample = bought.expected, bought.sample
    sizes = list(dict.fromkeys(row.n for row in rows))
    lines = []
    for design, by in dict.fromkeys((row.design, row.strata_by) for row in rows):
        own = {row.n: row for row in rows if (row.design, row.strata_by) == (design, by)}
        chosen = " (this sample)" if (design, by) == (sample.design, sample.strata_by) else ""
        baseline = any(row.baseline for row in own.values())
        lines.append((f"{design}{f', {by}' if by else ''}{chosen}", *(_cell(own[n]) for n in sizes), baseline))
    caption = (
        f"Expected width of the {bought.level:.0%} interval with {len(sample):,} judgements if the precision is "
        f"{bought.expect:g}, and how many of the list are judged (means over the measures)"
    )
    return Table.of(caption, ("design", *(f"n = {n:,}" for n in sizes), "baseline"), lines)


def _cell(row: Expected) -> str:
    return "in full" if row.sampled > row.n - 1e-9 else f"{row.width:.3f} ({row.sampled:,.0f})"

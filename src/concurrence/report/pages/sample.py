"""A sample as a document: what was drawn, and what its judgements can show."""

from typing import TYPE_CHECKING

from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.document import Document, Paragraph, Section, Table
from concurrence.sampling.budget import Expected, SampleBudget

if TYPE_CHECKING:
    import polars as pl

IN_TABLE = ("difference_sets_fit", "more_difference_sets_fit")


def sample_document(bought: SampleBudget) -> Document:
    """The sample in a sentence, then the widths that each design would give for the same work, and what it settles."""
    told = (
        Paragraph(text=sentence.text, warning=sentence.warning)
        for sentence in bought.sentences
        if sentence.code not in IN_TABLE
    )
    widths = (_widths(bought),) if bought.expected else ()
    settled = (_settled(bought),) if any(one.code in IN_TABLE for one in bought.sentences) else ()
    return Document(
        title="Sample",
        question="What will be judged, and what can that show?",
        answer=(str(bought.sample),),
        sections=(Section(title="What these judgements can show", blocks=(*widths, *told, *settled)),),
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


def _settled(bought: SampleBudget) -> Table:
    """How many candidates tell two measures apart, at every list size."""
    from concurrence.measures.table import titles_of

    sets = bought.difference_sets
    titles = titles_of({name: None for one in sets for name in (one.a, one.b)})
    sizes = sorted({one.n for one in sets})
    found = {(one.a, one.b, one.n): one.candidates for one in sets}
    rows = [
        (titles[a], titles[b], *(found.get((a, b, n)) for n in sizes))
        for a, b in dict.fromkeys((one.a, one.b) for one in sets)
    ]
    caption = (
        "Candidates in the difference sets of two measures; the budget allows judging both difference sets in full "
        f"where there are at most {len(bought.sample):,}, which settles the comparison without sampling error"
    )
    return Table.of(caption, ("measure", "measure", *(f"n = {n:,}" for n in sizes)), rows)


def _cell(row: Expected) -> str:
    return "in full" if row.sampled > row.n - 1e-9 else f"{row.width:.3f} ({row.sampled:,.0f})"


PRESENTERS: Presenters = (Presenter(SampleBudget, sample_document, sample_table),)

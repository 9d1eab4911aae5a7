"""A sample as a document: what was drawn, and what its judgements will buy."""

from concurrence.core.samples import Sample
from concurrence.report.document import Block, Document, Paragraph, Section, Table
from concurrence.sampling.budget import DifferenceSets, Expected

SHOWN = 6


def sample_document(
    sample: Sample, expected: list[Expected], sets: list[DifferenceSets], *, precision: float, level: float
) -> Document:
    """The sample in a sentence, then the widths that each design would give for the same work."""
    widths = _widths(expected, sample, precision=precision, level=level)
    blocks: tuple[Block, ...] = (widths, *(Paragraph(text=sentence) for sentence in _in_full(sets)))
    return Document(
        title="Sample",
        question="What will people judge, and what will that buy?",
        answer=(str(sample),),
        sections=(Section(title="What the judgements buy", blocks=blocks),),
    )


def _widths(rows: list[Expected], sample: Sample, *, precision: float, level: float) -> Table:
    sizes = list(dict.fromkeys(row.n for row in rows))
    lines = []
    for design, by in dict.fromkeys((row.design, row.strata_by) for row in rows):
        own = {row.n: row for row in rows if (row.design, row.strata_by) == (design, by)}
        chosen = " (this sample)" if (design, by) == (sample.design, sample.strata_by) else ""
        baseline = any(row.baseline for row in own.values())
        lines.append((f"{design}{f', {by}' if by else ''}{chosen}", *(_cell(own[n]) for n in sizes), baseline))
    caption = (
        f"What {len(sample):,} judgements buy: expected width of the {level:.0%} interval where the precision is "
        f"{precision:g}, and how many of the list are judged (means over the measures)"
    )
    return Table.of(caption, ("design", *(f"n = {n:,}" for n in sizes), "baseline"), lines)


def _cell(row: Expected) -> str:
    return "in full" if row.sampled > row.n - 1e-9 else f"{row.width:.3f} ({row.sampled:,.0f})"


def _in_full(sets: list[DifferenceSets]) -> list[str]:
    """The comparisons that the budget can settle, the first few of them in words."""
    fitting = [entry for entry in sets if entry.fits]
    more = [f"{len(fitting) - SHOWN} more comparisons can be settled so; see --json."] if len(fitting) > SHOWN else []
    if sets and not fitting:
        least = min(sets, key=lambda entry: entry.candidates)
        which = f"{least.a} and {least.b} at n = {least.n:,}"
        return [f"No two difference sets fit the budget; the smallest have {least.candidates:,} candidates ({which})."]
    return [*map(str, fitting[:SHOWN]), *more]

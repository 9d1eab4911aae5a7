"""Agreement on set-valued labels as blocks of a report."""

from concurrence.agreement.labels.results import SetAgreement
from concurrence.report.render.document import Block, Table, told


def set_blocks(found: SetAgreement, *, level: float, brief: bool = False) -> tuple[Block, ...]:
    """What is told of sets, and the table of their labels; the labels that stand for each other where there is room."""
    columns = ("label", "sets", "share", "agreement", "left out", "replaced", "kappa", f"{level:.0%} interval")
    rows = [
        (name, one.count, one.share, one.specific_agreement, one.omitted, one.replaced, one.kappa, one.interval)
        for name, one in found.labels.items()
    ]
    caption = "Label by label: when one coder gives it, another gives it too (agreement), leaves it out, or replaces it"
    tables = [Table.of(caption, columns, rows)]
    if found.confused and not brief:
        confused = [(*one.categories, one.pairs, one.share) for one in found.confused]
        title = "Labels that stand for each other (a pair of sets counts once)"
        tables.append(Table.of(title, ("label", "label", "pairs of sets", "share"), confused))
    return (*told(found.sentences), *tables)

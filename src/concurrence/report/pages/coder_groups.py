"""Agreement within and between groups of coders as blocks of a report."""

from concurrence.agreement.labels.results import CoderGroups
from concurrence.report.render.document import Block, Table, told

MOST_CATEGORIES = 6


def coder_group_blocks(found: CoderGroups, *, level: float) -> tuple[Block, ...]:
    """What is told of the groups, and each group with its agreement and, where they are few, its use of categories."""
    categories = list(next(iter(found.groups.values())).shares)
    shown = categories if len(categories) <= MOST_CATEGORIES else []
    rows = [
        (
            name,
            len(one.coders),
            None if one.krippendorff_alpha is None else one.krippendorff_alpha.value,
            None if one.krippendorff_alpha is None else one.krippendorff_alpha.interval,
            *(one.shares[category] for category in shown),
        )
        for name, one in found.groups.items()
    ]
    columns = ("group", "coders", "alpha within", f"{level:.0%} interval", *(f"share of {name}" for name in shown))
    sentences = [sentence for sentence in found.sentences if not sentence.warning]
    return (*told(sentences), Table.of("Groups of coders", columns, rows))

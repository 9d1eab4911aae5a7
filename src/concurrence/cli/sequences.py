"""What ``concur pairs`` does with sequences longer than two words."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from concurrence.counting.ngrams import Longer


def check_sequences(rule: str, *, spark: bool, partial: bool, gold: bool) -> None:
    """Refuse what is for pairs alone before anything is read."""
    from concurrence.core.rules import parse_rule, refuse_sequences

    parsed = parse_rule(rule)
    for in_use, option in ((spark, "--engine spark"), (partial, "--partial"), (gold, "--gold")):
        if in_use:
            refuse_sequences(parsed, option)


def read_longer_sequences(path: Path | None) -> "Longer | None":
    """The sequences of a file, as ``concur pairs --rule ngram:N`` or ``concur score`` wrote them."""
    from concurrence.core.errors import InvalidInputError
    from concurrence.core.sequences import key_of
    from concurrence.counting.ngrams import Longer
    from concurrence.files.tables.formats import read_table

    if path is None:
        return None
    table = read_table(path)
    key = [name for name in key_of(9) if name in table.columns]
    if tuple(key) != key_of(len(key)) or len(key) < 3:
        raise InvalidInputError(
            f"{path}: longer sequences need the columns l1, l2, l3 and so on; its columns are "
            f"{', '.join(table.columns)}."
        )
    return Longer(name=str(path), rows=tuple(table.select(key).iter_rows()))

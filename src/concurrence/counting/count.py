"""Tokens to pairs: one function for all rules."""

from collections.abc import Callable, Collection
from typing import Any

from concurrence.core.errors import InvalidInputError
from concurrence.core.pairs import Counted, Pairs
from concurrence.core.spill import Spill
from concurrence.core.tokens import Tokens
from concurrence.counting.local import Tally, following_pairs, sentence_pairs, surface_pairs
from concurrence.counting.result import Counts, levels
from concurrence.counting.rules import Rule, parse_rule
from concurrence.counting.stream import Filters, Stream, make_stream

Progress = Callable[[int, int], None] | None


def count_pairs(
    tokens: Tokens,
    *,
    rule: str = "adjacent",
    unit: str = "form",
    lower: bool = False,
    min_freq: int = 1,
    stop: Collection[str] = (),
    pos: Collection[str] = (),
    drop_pos: Collection[str] = (),
) -> Pairs:
    """Count co-occurrences by a rule; exact counts, with the margins that belong to the rule.

    >>> tokens = Tokens.from_sentences([["a", "rose", "is", "a", "rose"]])
    >>> count_pairs(tokens, rule="adjacent").table.row(0)
    ('a', 'rose', 2, 2, 2, 4)
    """
    filters = Filters(stop=frozenset(stop), pos=frozenset(pos), drop_pos=frozenset(drop_pos))
    return count(tokens, rule=rule, unit=unit, lower=lower, min_freq=min_freq, filters=filters).pairs()


def count(
    tokens: Tokens,
    *,
    rule: str = "adjacent",
    unit: str = "form",
    lower: bool = False,
    min_freq: int = 1,
    filters: Filters | None = None,
    spill: Spill | None = None,
    progress: Progress = None,
) -> Counts:
    """The same as :func:`count_pairs`, as rows that need not fit into memory."""
    if min_freq < 1:
        raise InvalidInputError(f"The least frequency must be 1 or more, not {min_freq}.")
    parsed, filters = parse_rule(rule), filters or Filters()
    counted = Counted(
        rule=parsed.text,
        span=parsed.span,
        unit=unit,
        corpus=tokens.sources,
        filters=(*(["lower"] if lower else []), *filters.named(), *([f"min-freq {min_freq}"] if min_freq > 1 else [])),
        tokens=tokens.n_tokens,
        sentences=tokens.n_sentences,
    )
    stream = make_stream(tokens, unit=unit, lower=lower, filters=filters)
    tally = _tally(parsed, stream, least=min_freq, spill=spill, progress=progress)
    words = stream.sorted_words
    return Counts(
        left=words,
        right=words,
        runs=tally.runs,
        f1=tally.f1,
        f2=tally.f2,
        n=tally.n,
        spectrum=levels(tally.spectrum),
        counted=counted,
    )


def _tally(rule: Rule, stream: Stream, *, least: int, spill: Spill | None, progress: Progress) -> Tally:
    options: dict[str, Any] = {"least": least, "spill": spill, "progress": progress}
    match rule:
        case Rule(name="adjacent" | "window-pairs", span=int(span)):
            return following_pairs(stream, span, **options)
        case Rule(name="window", span=int(span)):
            return surface_pairs(stream, span, **options)
        case _:
            return sentence_pairs(stream, **options)

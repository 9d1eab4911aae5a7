"""The verbs that count in a corpus, which may be a corpus, the folder of an index, or files."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from concurrence.api.inputs import pairs_from
from concurrence.api.words import corpus_of
from concurrence.core.frames import refuse_in_fork

if TYPE_CHECKING:  # a verb loads what it needs and nothing else
    from concurrence.core.pairs import Pairs
    from concurrence.counting.mwe import MarkedPairs


def count_pairs(
    corpus: Any,
    *,
    rule: str = "adjacent",
    unit: str = "form",
    lower: bool = False,
    min_freq: int = 1,
    stop: Collection[str] = (),
    pos: Collection[str] = (),
    drop_pos: Collection[str] = (),
    drop: Sequence[str] = (),
    examples: int = 0,
    dispersion: bool = False,
    seed: int = 0,
    nested_in: Any = None,
) -> "Pairs":
    """Count co-occurrences by a ``rule``; exact counts, with the margins that belong to the rule.

    ``unit`` and ``lower`` say what counts as one word. ``stop``, ``pos`` (those to keep) and ``drop_pos`` remove tokens
    before pairs are formed, positions kept; ``min_freq`` and ``drop`` (regular expressions) remove rows after counting.
    ``examples`` adds a column of up to so many random sentences, ``dispersion`` columns that tell how evenly each pair
    is spread over documents. With ``rule="ngram:3"`` (2 to 5) the result is sequences ``l1 l2 l3`` with the counts of
    all their parts; those that lie inside a longer one of ``nested_in`` are not counted.

    >>> from concurrence.core import Corpus
    >>> count_pairs(Corpus.from_sentences([["a", "rose", "is", "a", "rose"]])).table.row(0)
    ('a', 'rose', 2, 2, 2, 4)
    """
    refuse_in_fork()
    from concurrence.counting.count import CountOptions, count_any
    from concurrence.counting.drop_patterns import parse_patterns
    from concurrence.counting.ngrams import Longer
    from concurrence.counting.stream import Filters

    nested = None if nested_in is None else pairs_from(nested_in)
    how = CountOptions(
        rule=rule,
        unit=unit,
        lower=lower,
        min_freq=min_freq,
        filters=Filters(stop=frozenset(stop), pos=frozenset(pos), drop_pos=frozenset(drop_pos)),
        patterns=parse_patterns(drop),
        examples=examples,
        dispersion=dispersion,
        seed=seed,
        longer=None if nested is None else Longer(name="nested_in", rows=tuple(nested.table.select(nested.key).rows())),
    )
    return count_any(corpus_of(corpus), how).pairs()


def marked_pairs(corpus: Any, *, head: str = "VERB", dependent: str = "NOUN") -> "MarkedPairs":
    """Count each head with each word that depends on it, by their lemmas in lower case.

    The corpus needs lemmas, parts of speech, heads and ``mwe``, as ``.cupt`` files have them; ``head`` and
    ``dependent`` are parts of speech, several with ``|`` between them. Words without a lemma are left out.
    """
    from concurrence.counting.mwe import marked_pairs as count

    return count(corpus_of(corpus), head=head, dependent=dependent)

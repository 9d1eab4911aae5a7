"""Tokens to pairs: exact counts, with the margins that belong to the rule; one function for all rules."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import UNITS, Corpus
from concurrence.core.errors import InvalidInputError, UnknownNameError, option_or_keyword
from concurrence.core.options import Progress
from concurrence.core.pairs import Counted
from concurrence.core.rules import PATTERNS, Rule, parse_rule, refuse_sequences
from concurrence.core.spill import Spill
from concurrence.counting.document_spread import document_spread, too_few_documents
from concurrence.counting.drop_patterns import Pattern, drop_pairs
from concurrence.counting.examples import choose, key_places, key_tokens
from concurrence.counting.local import RankedCounts, Work, following_pairs, sentence_pairs, surface_pairs
from concurrence.counting.ngrams import Longer, NgramCounts, count_ngrams, drop_ngrams, with_examples
from concurrence.counting.pair_places import pattern_tokens
from concurrence.counting.result import Counts, spectrum_levels
from concurrence.counting.stream import Filters, make_stream

PairPlaces = Iterable[tuple[NDArray[np.int64], NDArray[np.int64]]]

NAMED_ATTRIBUTE = re.compile(r"([\w.]+)\s*!?\s*=")
"""An attribute that a pattern names, such as ``feats.Number`` in ``[feats.Number="Plur"]``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountOptions:
    """How to count: the rule, the unit, the filters, how many examples to keep, and whether to tell dispersion."""

    rule: str = "adjacent"
    unit: str = "form"
    lower: bool = False
    min_freq: int = 1
    filters: Filters = field(default_factory=Filters)
    patterns: tuple[Pattern, ...] = ()
    examples: int = 0
    dispersion: bool = False
    seed: int = 0
    longer: Longer | None = None

    def __post_init__(self) -> None:
        if parse_rule(self.rule).name != "ngram" and self.longer is not None:
            raise InvalidInputError(
                f"{option_or_keyword('--nested-in', 'nested_in=')} is for sequences; use the rule ngram:2 for "
                "neighbours."
            )
        if self.min_freq < 1:
            raise InvalidInputError(f"The least frequency must be 1 or more, not {self.min_freq}.")
        if self.examples < 0:
            raise InvalidInputError(f"The number of examples must be 0 or more, not {self.examples}.")
        if self.unit not in UNITS:
            raise UnknownNameError("unit", self.unit, UNITS)

    def named_filters(self) -> tuple[str, ...]:
        """All that was left out or changed before the pairs were written, in words."""
        lower = ("lower",) if self.lower else ()
        least = (f"min-freq {self.min_freq}",) if self.min_freq > 1 else ()
        longer = () if self.longer is None else (f"nested in {len(self.longer.rows)} of {self.longer.name}",)
        return lower + self.filters.named() + longer + least

    def needed_attributes(self) -> frozenset[str]:
        """The attributes of tokens that this way of counting looks at."""
        needed = {"form"} if self.unit == "form" else {"form", "lemma"}
        if self.unit == "lemma_pos" or self.filters.pos or self.filters.drop_pos:
            needed |= {"pos"}
        if parse_rule(self.rule).name in PATTERNS:
            needed |= {"lemma", "pos", "xpos", "deprel", "head"}
            needed |= {name.partition(".")[0] for name in NAMED_ATTRIBUTE.findall(self.rule)}
        return frozenset(needed)


def count_to_rows(
    corpus: Corpus,
    how: CountOptions,
    *,
    true_pairs: Iterable[tuple[str, str]] | None = None,
    spill: Spill | None = None,
    progress: Progress | None = None,
) -> Counts:
    """The pairs of a corpus as rows that need not fit into memory.

    With ``true_pairs``, each pattern that drops pairs tells how many of them it dropped. Sequences are no pairs.
    """
    rule = parse_rule(how.rule)
    refuse_sequences(rule, "Counting pairs", instead="; use count_any")
    if rule.name in PATTERNS:
        counts, places = _count_patterns(corpus, rule, how)
    else:
        counts, places = _count_stream(corpus, rule, how, spill, progress)
    if how.patterns:
        counts = drop_pairs(counts, how.patterns, true_pairs=true_pairs, spill=spill)
    if how.examples:
        width = max(len(counts.right), 1)
        chosen = choose(corpus, counts.runs, places, width=width, k=how.examples, seed=how.seed)
        counts = replace(counts, examples=chosen)
    return counts


def count_any(
    corpus: Corpus,
    how: CountOptions,
    *,
    true_pairs: Iterable[tuple[str, str]] | None = None,
    spill: Spill | None = None,
    progress: Progress | None = None,
) -> Counts | NgramCounts:
    """Count pairs, or sequences where the rule is ``ngram``."""
    rule = parse_rule(how.rule)
    if rule.name != "ngram":
        return count_to_rows(corpus, how, true_pairs=true_pairs, spill=spill, progress=progress)
    if how.dispersion:
        raise InvalidInputError(
            "How evenly sequences are spread is not counted; leave out "
            f"{option_or_keyword('--dispersion', 'dispersion=')}."
        )
    stream = make_stream(corpus, unit=how.unit, lower=how.lower, filters=how.filters)
    counted = _counted(corpus, rule, how)
    counts = count_ngrams(
        corpus, stream, rule.size, least=how.min_freq, counted=counted, longer=how.longer, spill=spill
    )
    counts = drop_ngrams(counts, how.patterns) if how.patterns else counts
    if how.examples:
        counts = with_examples(counts, corpus, stream, k=how.examples, seed=how.seed, longer=how.longer)
    return counts


def _count_patterns(corpus: Corpus, rule: Rule, how: CountOptions) -> tuple[Counts, PairPlaces]:
    pairs = pattern_tokens(corpus, rule, unit=how.unit, lower=how.lower, filters=how.filters)
    tally = pairs.tally(least=how.min_freq, spread=document_spread(corpus) if how.dispersion else None)
    counts = _counts(corpus, rule, how, tally, pairs.left.words, pairs.right.words)
    return replace(counts, sample_size=len(pairs.left.codes)), key_tokens(pairs)


def _count_stream(
    corpus: Corpus, rule: Rule, how: CountOptions, spill: Spill | None, progress: Progress | None
) -> tuple[Counts, PairPlaces]:
    stream = make_stream(corpus, unit=how.unit, lower=how.lower, filters=how.filters)
    spread = None
    if how.dispersion:
        spread = document_spread(corpus, by_sentence=rule.name == "sentence", kept=stream.codes >= 0)
    work = Work(least=how.min_freq, spill=spill, progress=progress, spread=spread)
    match rule:
        case Rule(name="window", span=int(span)):
            tally = surface_pairs(stream, span, work)
        case Rule(span=int(span)):
            tally = following_pairs(stream, span, work)
        case _:
            tally = sentence_pairs(stream, work)
    words = stream.sorted_words
    return _counts(corpus, rule, how, tally, words, words), key_places(stream, rule)


def _counts(
    corpus: Corpus, rule: Rule, how: CountOptions, tally: RankedCounts, left: pl.Series, right: pl.Series
) -> Counts:
    constant = rule.name != "window"
    return Counts(
        left=left,
        right=right,
        runs=tally.runs,
        f1=tally.f1,
        f2=tally.f2,
        n=tally.n,
        words=tally.words,
        sample_size=(int(tally.n[0]) if len(tally.n) else 0) if constant else None,
        spectrum=spectrum_levels(tally.spectrum),
        broken=corpus.broken,
        dispersion=how.dispersion,
        warnings=too_few_documents(corpus) if how.dispersion else (),
        counted=_counted(corpus, rule, how),
    )


def _counted(corpus: Corpus, rule: Rule, how: CountOptions) -> Counted:
    return Counted(
        rule=rule.text,
        span=rule.span,
        unit=how.unit,
        corpus=corpus.sources,
        filters=how.named_filters(),
        tokens=corpus.n_tokens,
        sentences=corpus.n_sentences,
    )

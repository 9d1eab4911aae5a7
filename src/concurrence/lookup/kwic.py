"""Concordances: every place where a query fits, with its context as it was written."""

import numpy as np

from concurrence.core.corpus import Corpus
from concurrence.core.errors import UnknownNameError
from concurrence.core.layers import Integers
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence
from concurrence.core.values import value
from concurrence.kernels.matcher import QueryMatches

ORDERS = ("corpus", "left", "right", "node", "random")
KEYS = 5
"""How many tokens on a side decide the order of lines."""


@value
class KwicLine:
    """An occurrence: where it stands, and the sentence in three parts, which together are as it was written."""

    document: str
    sentence: int
    left: str
    node: str
    right: str


@value
class Kwic(Result):
    """Lines of a concordance; ``total`` counts those not shown, too, of which there are more where not ``complete``.

    ``sentence`` of a line counts the sentences of the corpus from 1. Where nothing was found, ``sentences`` may say
    why.
    """

    query: str
    second: str | None
    rule: str | None
    total: int
    complete: bool
    page: int
    sort: str
    seed: int | None
    lines: tuple[KwicLine, ...]
    sentences: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        if not self.total and self.second is None:
            return f"{self.query} never occurs."
        times = "once" if self.total == 1 else f"{self.total:,} times"
        times += "" if self.complete else " or more"
        part = "" if len(self.lines) == self.total else f", {len(self.lines):,} shown"
        part = part if self.lines else f"; page {self.page:,} is past the last one"
        if self.second is None:
            return f"{self.query} occurs {times}{part}."
        if not self.total:
            return f"{self.query} and {self.second} never occur together by the rule {self.rule}."
        return f"{self.query} and {self.second} occur {times} by the rule {self.rule}{part}."


def concordance_page(
    corpus: Corpus,
    matches: QueryMatches,
    *,
    query: str,
    second: str | None = None,
    rule: str | None = None,
    sort: str = "corpus",
    lines: int | None = None,
    page: int = 1,
    seed: int = 0,
) -> Kwic:
    """One page of the lines of some matches, in the order asked for."""
    if sort not in ORDERS:
        raise UnknownNameError("order of lines", sort, ORDERS)
    order = line_order(corpus, matches, sort, seed)
    size = len(order) if lines is None else lines
    chosen = order[(page - 1) * size : page * size]
    starts, ends = matches.starts[chosen].tolist(), matches.ends[chosen].tolist()
    return Kwic(
        query=query,
        second=second,
        rule=rule,
        total=len(order),
        complete=matches.complete,
        page=page,
        sort=sort,
        seed=seed if sort == "random" else None,
        lines=tuple(line_of(corpus, start, end) for start, end in zip(starts, ends, strict=True)),
    )


def line_of(corpus: Corpus, start: int, end: int) -> KwicLine:
    """A match with the rest of its sentence; of a token that was written with its neighbour, all is shown."""
    number = int(corpus.sentence_of(np.array([start]))[0])
    begin, stop = int(corpus.sentences[number]), int(corpus.sentences[number + 1]) - 1
    while start > begin and corpus.spacing.written.get(start) == "":
        start -= 1
    while end < stop and corpus.spacing.written.get(end) == "":
        end += 1
    return KwicLine(
        document=corpus.documents.names[int(corpus.document_of(np.array([start]))[0])],
        sentence=number + 1,
        left=corpus.text(begin, start) + (corpus.before(start) if start > begin else ""),
        node=corpus.text(start, end),
        right=(corpus.before(end) + corpus.text(end, stop)) if end < stop else "",
    )


def line_order(corpus: Corpus, matches: QueryMatches, sort: str, seed: int) -> Integers:
    """The places of some matches in the order asked for."""
    size = len(matches.starts)
    if sort == "random":
        return np.random.default_rng(seed).permutation(size)
    if sort == "corpus":
        return np.arange(size)
    number = corpus.sentence_of(matches.starts)
    begins, ends = corpus.sentences[number], corpus.sentences[number + 1] - 1
    if sort == "left":
        columns = [matches.starts - k for k in range(1, KEYS + 1)]
    elif sort == "right":
        columns = [matches.ends + k for k in range(KEYS)]
    else:
        columns = [np.where(matches.starts + k < matches.ends, matches.starts + k, -1) for k in range(KEYS)]
    keys = [_ranks(corpus, np.where((at >= begins) & (at < ends), at, -1)) for at in columns]
    return np.lexsort((np.arange(size), *reversed(keys)))


def _ranks(corpus: Corpus, positions: Integers) -> Integers:
    """The place of the words at some positions in the order of their small letters; nothing comes first."""
    lower = corpus.lower
    ranks = np.empty(len(lower.vocabulary) + 1, dtype=np.int64)
    ranks[lower.vocabulary.order] = np.arange(len(lower.vocabulary))
    ranks[-1] = -1
    return np.where(positions < 0, -1, ranks[lower.at(np.maximum(positions, 0))])

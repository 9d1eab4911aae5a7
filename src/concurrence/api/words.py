"""Questions about a word, for people: a corpus may be an index, its folder, tokens, or files."""

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from concurrence.core.corpus import Corpus, unit_layer
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.layers import Integers, Layer
from concurrence.core.query import is_pattern
from concurrence.core.rules import parse_rule, refuse_sequences
from concurrence.core.sentences import Sentence, join_words
from concurrence.core.tokenizer import tokens_of
from concurrence.corpus.index import is_index, open_index
from concurrence.kernels.matcher import QueryMatches, node_matcher
from concurrence.lookup.kwic import Kwic, concordance_page
from concurrence.lookup.pair_positions import LIGHT, absent_words, pair_positions, why_none

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from concurrence.lookup.collocates import Collocate, CollocateCounts, Collocates
    from concurrence.lookup.words import WordList

READ_BY_WORDS = [f"{name}.{part}.npy" for name in ("form", "lemma", "pos") for part in ("codes", "postings")]
READ_BY_PATTERNS = ["heads.npy", *(f"{name}.codes.npy" for name in ("form", "lemma", "pos", "xpos", "deprel"))]
"""Files of an index that a question reads in full, so that comparing them with their checksums costs little."""
DEFAULT_MEASURES = ("logDice", "log_likelihood", "t_score", "MI")

Question = TypeVar("Question", bound=Callable[..., Any])


def verifies_index(question: Question) -> Question:
    """A question about a corpus that names the damaged file where it fails on an index.

    Large files are not compared with their checksums before a question is answered, since that would take longer than
    the answer.
    """

    @wraps(question)
    def verified(*corpora: Any, **options: Any) -> Any:
        try:
            return question(*corpora, **options)
        except InvalidInputError:
            raise
        except (IndexError, OverflowError, ValueError):
            for corpus in corpora:
                if isinstance(corpus, str | Path) and is_index(corpus):
                    open_index(corpus, check=True)
            raise

    return cast("Question", verified)


@verifies_index
def kwic(
    corpus: Any,
    query: str,
    second: str | None = None,
    *,
    rule: str = "window:5",
    unit: str = "form",
    lower: bool = False,
    sort: str = "corpus",
    lines: int | None = 50,
    page: int = 1,
    seed: int = 0,
) -> Kwic:
    """Where a word, a pair of words or a pattern occurs, with its context as it was written.

    ``query`` is a word, in which ``*`` stands for any letters, or a pattern such as ``[lemma="take"] [pos="N.*"]``;
    with a ``second`` one, each of a single token, the pair is looked up by ``rule``. ``sort`` is ``corpus``, ``left``,
    ``right``, ``node`` or ``random``; ``lines`` is how many a ``page`` has. ``unit`` and ``lower`` say what plain words
    are compared with.
    """
    refuse_in_fork()
    if second is None:
        opened = corpus_of(corpus)
        enough = lines * page if lines is not None and sort == "corpus" else None
        layer = unit_layer(opened, unit, lower=lower)
        tokens, sentences = as_tokenized(query, layer, lower=lower)
        matches = node_matcher(opened, tokens, layer, lower=lower).matches(at_least=enough)
        result = concordance_page(opened, matches, query=query, sort=sort, lines=lines, page=page, seed=seed)
        return replace(result, sentences=(*sentences, *result.sentences)) if sentences else result
    words, light = (query, second), rule.partition(":")[0].strip() in LIGHT
    opened = corpus_of(corpus, check=() if light else READ_BY_PATTERNS)
    matches, rule, sentences = _pair_matches(opened, words, rule, unit, lower)
    result = concordance_page(
        opened, matches, query=query, second=second, rule=rule, sort=sort, lines=lines, page=page, seed=seed
    )
    if not result.total and not sentences:
        sentences = _hint(opened, words, rule, unit, lower)
    return replace(result, sentences=sentences)


@verifies_index
def collocates(
    corpus: Any,
    node: str,
    *,
    span: int | tuple[int, int] = 5,
    unit: str = "form",
    lower: bool = False,
    pos: Collection[str] = (),
    measures: str | Iterable[str] = DEFAULT_MEASURES,
    define: Iterable[str] = (),
    sort: str | None = None,
    top: int | None = None,
    min_freq: int = 1,
    examples: int = 0,
    seed: int = 0,
) -> "Collocates":
    """What stands around a word, or around the matches of a pattern, with its association scores, best first.

    The counts are those of ``count_pairs(..., rule="window:K")`` for this node. ``span`` is a number of tokens on
    either side, or one for the left and one for the right; ``pos`` keeps collocates of these parts of speech; ``sort``
    is a measure, ``f`` or ``word``, and the ``top`` rows with at least ``min_freq`` occurrences are given. ``measures``
    and formulas in ``define`` are the scores; ``examples`` counts sentences per word. ``unit`` and ``lower`` say what
    counts as one word.
    """
    refuse_in_fork()
    import numpy as np

    from concurrence.lookup.collocates import Collocates, NodeCount, count_collocates, counts_by_part, one_document

    left, right = (span, span) if isinstance(span, int) else span
    if min(left, right) < 0 or left + right == 0:
        raise InvalidInputError("The span must be a number of tokens from 1 on, or two, such as 3,5.")
    opened = corpus_of(corpus)
    layer = unit_layer(opened, unit, lower=lower)
    tokens, sentences = as_tokenized(node, layer, lower=lower)
    matches = node_matcher(opened, tokens, layer, lower=lower).matches()
    counts = count_collocates(opened, matches, layer, left=left, right=right, pos=pos)
    frequent, scores = collocate_scores(counts, measures, define, min_freq=min_freq)
    words = np.array(layer.vocabulary.words_of(counts.words[frequent]), dtype=object)
    sort = sort or next(iter(scores))
    order = order_words(words, counts.f[frequent], scores, sort, what="order of collocates by")[:top]
    best = frequent[order]
    rows = [
        _collocate(
            opened, counts, at, words[k], {name: float(column[k]) for name, column in scores.items()}, examples, seed
        )
        for k, at in zip(order.tolist(), best.tolist(), strict=True)
    ]
    largest = {row.word: (row.f, n) for row, n in zip(rows, counts.largest[best].tolist(), strict=True)}
    return Collocates(
        node=NodeCount(query=node, frequency=counts.n1),
        span=(left, right),
        unit=unit,
        sort=sort,
        types=len(frequent),
        measures=tuple(scores),
        collocates=tuple(rows),
        spread=tuple(counts_by_part(matches.starts, opened.size).tolist()),
        warnings=(*sentences, *one_document(largest, len(opened.documents.names))),
    )


def as_tokenized(query: str, layer: Layer, *, lower: bool) -> tuple[str, tuple[Sentence, ...]]:
    """A query of plain words as the corpus has them: a word that occurs only in pieces is these, and that is said."""
    if is_pattern(query.strip()):
        return query, ()
    words = query.split()
    pieces = [_pieces_in(word.lower() if lower else word, layer) for word in words]
    divided = [(word, " ".join(own)) for word, own in zip(words, pieces, strict=True) if len(own) > 1]
    if not divided:
        return query, ()
    text = f"{join_words([f'{word} is {own}' for word, own in divided])} in this corpus."
    sentence = Sentence(code="divided_word", text=text, warning=True)
    return " ".join(piece for own in pieces for piece in own), (sentence,)


def _pieces_in(word: str, layer: Layer) -> list[str]:
    """A word, or its pieces where only these occur."""
    vocabulary = layer.vocabulary
    if "*" in word or vocabulary.code(word) is not None:
        return [word]
    pieces = next((own for language in ("en", "fr") if len(own := tokens_of(word, language)) > 1), [word])
    return pieces if all(vocabulary.code(piece) is not None for piece in pieces) else [word]


def corpus_of(corpus: Any, *, check: Collection[str] = ()) -> Corpus:
    """A corpus from what people have; ``check`` names files of an index that will be read in full."""
    if isinstance(corpus, Corpus):
        return corpus
    if isinstance(corpus, str | Path) and is_index(corpus):
        return open_index(corpus, check=check)
    from concurrence.corpus.reader import read_corpus

    return read_corpus(corpus, keeps_text=True)


def _pair_matches(
    corpus: Corpus, words: tuple[str, str], rule: str, unit: str, lower: bool
) -> tuple[QueryMatches, str, tuple[Sentence, ...]]:
    """Where two words occur together, the rule as it is written, and which of them does not occur."""
    import numpy as np

    sentences: tuple[Sentence, ...] = ()
    if rule.partition(":")[0].strip() in LIGHT:
        parsed = parse_rule(rule)
        layer = unit_layer(corpus, unit, lower=lower)
        first, second = (_positions(corpus, word, layer, lower=lower) for word in words)
        left, right = pair_positions(corpus, layer, first, second, parsed)
        rule = parsed.text
        sentences = absent_words(
            word for word, positions in zip(words, (first, second), strict=True) if not len(positions)
        )
    else:
        left, right = _by_pattern(corpus, words, rule, unit, lower)
    starts, ends = np.minimum(left, right), np.maximum(left, right) + 1
    order = np.lexsort((ends, starts))
    return QueryMatches(starts=starts[order], ends=ends[order]), rule, sentences


def _by_pattern(
    corpus: Corpus, words: tuple[str, str], rule: str, unit: str, lower: bool
) -> "tuple[Integers, Integers]":
    """Both positions of every occurrence of two words by a rule that needs more than positions."""
    from concurrence.counting.pair_places import pattern_positions

    if pattern := next((word for word in words if is_pattern(word)), None):
        raise InvalidInputError(
            f"The rule {rule} needs two words, not a pattern such as {pattern!r}; "
            "patterns go with adjacent, window:K, window-pairs:K and sentence."
        )
    parsed = parse_rule(rule)
    refuse_sequences(parsed, "The concordance of a pair", instead='; ask for them in a row, as in \'"a" "red" "rose"\'')
    l1, l2 = (word.lower() if lower else word for word in words)
    return pattern_positions(corpus, l1, l2, parsed, unit=unit, lower=lower)


def _hint(corpus: Corpus, words: tuple[str, str], rule: str, unit: str, lower: bool) -> tuple[Sentence, ...]:
    """Why two words never occur together; nothing where one of them is a pattern."""
    one, two = (word.lower() if lower else word for word in words)
    if any(is_pattern(word) or "*" in word for word in (one, two)):
        return ()
    return (why_none(corpus, unit_layer(corpus, unit, lower=lower), one, two, parse_rule(rule)),)


def _positions(corpus: Corpus, text: str, layer: Layer, *, lower: bool) -> Integers:
    """Where one of two queries fits, which is a token each."""
    code = layer.vocabulary.code(text.lower() if lower else text)
    if code is not None:
        return layer.positions([code])
    matcher = node_matcher(corpus, text, layer, lower=lower)
    if matcher.query.single is None:
        raise InvalidInputError(
            f"With two queries, each must be a single token, and {text!r} is not; "
            'write both as one query to find them in a row, such as "of" "course" []{0,3} "not".'
        )
    return matcher.matches().starts


def collocate_scores(
    counts: "CollocateCounts", measures: str | Iterable[str], define: Iterable[str] = (), *, min_freq: int = 1
) -> "tuple[Integers, dict[str, NDArray[np.float64]]]":
    """Which collocates are frequent enough, by their places among the counts, and their scores by each measure."""
    import numpy as np

    from concurrence.core.contingency import Contingency
    from concurrence.measures.table import functions_of

    functions = functions_of(measures, define)
    frequent = np.flatnonzero(counts.f >= min_freq)
    table = Contingency.from_signature(f=counts.f[frequent], f1=counts.f1, f2=counts.f2[frequent], n=counts.n)
    own = np.broadcast_to(np.float64(counts.n1), table.o11.shape)
    table = replace(table, n1=own, n2=counts.n2[frequent].astype(np.float64))
    return frequent, {name: np.asarray(function(table), dtype=np.float64) for name, function in functions.items()}


def _collocate(
    corpus: Corpus,
    counts: "CollocateCounts",
    at: int,
    word: str,
    scores: dict[str, float],
    examples: int,
    seed: int,
) -> "Collocate":
    from concurrence.lookup.collocates import Collocate, example_texts

    return Collocate(
        word=word,
        f=int(counts.f[at]),
        f1=counts.f1,
        f2=int(counts.f2[at]),
        N=counts.n,
        n1=counts.n1,
        n2=int(counts.n2[at]),
        range=int(counts.range[at]),
        scores=scores,
        examples=example_texts(corpus, counts, int(counts.words[at]), most=examples, seed=seed) if examples else (),
    )


def order_words(
    words: "NDArray[np.object_]", f: Integers, scores: "Mapping[str, NDArray[np.float64]]", by: str, *, what: str
) -> Integers:
    """The order of some words by a score, ``f`` or ``word``, best first; equal ones by frequency, then as written.

    ``what`` says in errors what ``by`` is.
    """
    import numpy as np

    from concurrence.kernels.digits import round_scores

    if by not in (*scores, "f", "word"):
        raise UnknownNameError(what, by, (*scores, "f", "word"))
    if by == "word":
        return np.argsort(words)
    keys = f.astype(np.float64) if by == "f" else scores[by]
    return np.lexsort((words, -f, -np.nan_to_num(round_scores(keys), nan=-np.inf)))


@verifies_index
def words(
    corpus: Any,
    *,
    unit: str = "form",
    lower: bool = False,
    sort: str = "f",
    top: int | None = None,
    min_freq: int = 1,
) -> "WordList":
    """Every word with its frequency and how evenly it is spread over the documents.

    ``sort`` is a column of the table: ``f``, a measure of dispersion, or ``word``; the ``top`` rows with at least
    ``min_freq`` occurrences are given. ``unit`` (``form``, ``lemma`` …) and ``lower`` say what counts as one word.
    """
    refuse_in_fork()
    import polars as pl

    from concurrence.lookup.words import WordList, ordered, word_columns

    opened = corpus_of(corpus, check=READ_BY_WORDS)
    layer = unit_layer(opened, unit, lower=lower)
    columns = word_columns(opened, layer)
    names = layer.vocabulary.words_of(columns.pop("codes"))
    chosen = ordered(columns, names, sort, top, min_freq).tolist() if columns else []
    table = {"word": [names[k] for k in chosen], **{name: column[chosen] for name, column in columns.items()}}
    return WordList(
        unit=unit,
        tokens=opened.n_tokens,
        documents=len(opened.documents.names),
        types=len(names),
        sort=sort,
        words=pl.DataFrame(table, nan_to_null=True),
    )

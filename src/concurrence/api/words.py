"""Questions about a word, for people: a corpus may be an index, its folder, tokens, or files."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from concurrence.core.encoded import UNIT, EncodedCorpus, Integers
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.forks import refuse_in_fork
from concurrence.core.query import Query, is_pattern, parse_query
from concurrence.core.sentences import Sentence, join_words
from concurrence.corpus.indexed import index_among, is_index, open_index
from concurrence.lookup.concordance import Kwic, concordance_page
from concurrence.lookup.matching import Matcher, QueryMatches
from concurrence.lookup.pairing import LIGHT, pair_places
from concurrence.lookup.units import unit_layer

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from concurrence.core.tokens import Tokens
    from concurrence.lookup.collocates import Collocate, CollocateCounts, Collocates
    from concurrence.lookup.frequency import WordList

DEFAULT_MEASURES = ("logDice", "log_likelihood", "t_score", "MI")

Question = TypeVar("Question", bound=Callable[..., Any])


def verifies_index(question: Question) -> Question:
    """A question about a corpus that names the damaged file where it fails on an index.

    Large files are not compared with their checksums before a question is answered, since that would take longer than
    the answer.
    """

    @wraps(question)
    def asked(*corpora: Any, **options: Any) -> Any:
        try:
            return question(*corpora, **options)
        except InvalidInputError:
            raise
        except (IndexError, OverflowError, ValueError):
            for corpus in corpora:
                if isinstance(corpus, str | Path) and is_index(corpus):
                    open_index(corpus, check=True)
            raise

    return cast("Question", asked)


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
    ``right``, ``node`` or ``random``.
    """
    refuse_in_fork()
    known = encoded_corpus(corpus)
    if second is not None:
        return _pair(corpus, known, (query, second), rule, unit, lower, sort=sort, lines=lines, page=page, seed=seed)
    asked = node_query(query, unit, lower=lower)
    enough = lines * page if lines is not None and sort == "corpus" else None
    matches = Matcher(corpus=with_unit(known, unit, lower=lower), query=asked).matches(at_least=enough)
    return concordance_page(known, matches, query=query, sort=sort, lines=lines, page=page, seed=seed)


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
    either side, or one for the left and one for the right; ``pos`` keeps collocates of these parts of speech;
    ``sort`` is a measure, ``f`` or ``word``.
    """
    refuse_in_fork()
    from concurrence.lookup.collocates import Collocates, NodeCount, count_collocates, counts_by_part, one_document

    left, right = (span, span) if isinstance(span, int) else span
    if min(left, right) < 0 or left + right == 0:
        raise InvalidInputError("The span must be a number of tokens from 1 on, or two, such as 3,5.")
    known = with_unit(encoded_corpus(corpus), unit, lower=lower)
    matches = Matcher(corpus=known, query=node_query(node, unit, lower=lower)).matches()
    counts = count_collocates(known, matches, known.layers[UNIT], left=left, right=right, pos=pos)
    names, rows = _scored(known, counts, measures, define, sort=sort, top=top, min_freq=min_freq)
    words = known.layers[UNIT].vocabulary.words_of(counts.words[[k for k, _ in rows]])
    listed = [
        _collocate(known, counts, word, k, scores, examples, seed)
        for word, (k, scores) in zip(words, rows, strict=True)
    ]
    shown = {row.word: (row.f, int(counts.largest[k])) for row, (k, _) in zip(listed, rows, strict=True)}
    return Collocates(
        node=NodeCount(query=node, frequency=counts.n1),
        span=(left, right),
        unit=unit,
        sort=sort or names[0],
        types=int((counts.f >= min_freq).sum()),
        measures=tuple(names),
        collocates=tuple(listed),
        spread=tuple(counts_by_part(matches.starts, known.size).tolist()),
        warnings=one_document(shown, len(known.document_names)),
    )


def encoded_corpus(corpus: Any, *, check: Collection[str] = ()) -> EncodedCorpus:
    """A corpus to ask about, from what people have; ``check`` names files of an index that will be read in full."""
    if isinstance(corpus, EncodedCorpus):
        return corpus
    if isinstance(corpus, str | Path) and index_among([corpus]) is not None:
        return open_index(corpus, check=check)
    from concurrence.corpus.indexing import encoded

    return encoded(tokens_of(corpus))


def tokens_of(corpus: Any) -> "Tokens":
    """The tokens of a corpus, from what people have."""
    from concurrence.core.tokens import Tokens
    from concurrence.corpus.reading import read_corpus

    if isinstance(corpus, EncodedCorpus):
        raise InvalidInputError("This rule needs the tokens; give the folder of the index, or tokens.")
    return corpus if isinstance(corpus, Tokens) else read_corpus(corpus, keeps_text=True)


def node_query(text: str, unit: str, *, lower: bool) -> Query:
    """A query whose plain words are compared with the unit."""
    plain = text.lower() if lower and not is_pattern(text) else text
    return parse_query(plain, attribute=UNIT if unit != "form" or lower else "word")


def with_unit(corpus: EncodedCorpus, unit: str, *, lower: bool) -> EncodedCorpus:
    """The corpus with a layer of what counts as one word."""
    return replace(corpus, layers={**corpus.layers, UNIT: unit_layer(corpus, unit, lower=lower)})


def _pair(
    corpus: Any,
    known: EncodedCorpus,
    words: tuple[str, str],
    rule: str,
    unit: str,
    lower: bool,
    *,
    sort: str,
    lines: int | None,
    page: int,
    seed: int,
) -> Kwic:
    import numpy as np

    text, sentences = rule, None
    if rule.partition(":")[0].strip() in LIGHT:
        from concurrence.core.rules import parse_rule

        parsed = parse_rule(rule)
        of_unit = with_unit(known, unit, lower=lower)
        first, second = (_positions(of_unit, word, unit, lower=lower) for word in words)
        left, right = pair_places(known, of_unit.layers[UNIT], first, second, parsed.name, parsed.span)
        text, sentences = parsed.text, _absent(words, (first, second))
    else:
        left, right = _by_pattern(corpus, words, rule, unit, lower)
    starts, ends = np.minimum(left, right), np.maximum(left, right) + 1
    order = np.lexsort((ends, starts))
    matches = QueryMatches(starts=starts[order], ends=ends[order])
    result = concordance_page(
        known, matches, query=words[0], second=words[1], rule=text, sort=sort, lines=lines, page=page, seed=seed
    )
    if result.total or sentences:
        return replace(result, sentences=sentences or ())
    return result if isinstance(corpus, EncodedCorpus) else _with_hint(result, corpus, unit, lower)


def _by_pattern(corpus: Any, words: tuple[str, str], rule: str, unit: str, lower: bool) -> "tuple[Integers, Integers]":
    """Both positions of every occurrence of two words by a rule that needs more than positions."""
    from concurrence.counting.concordance import pair_positions
    from concurrence.counting.count import Counting

    if pattern := next((word for word in words if is_pattern(word)), None):
        raise InvalidInputError(
            f"The rule {rule} needs two words, not a pattern such as {pattern!r}; "
            "patterns go with adjacent, window:K, window-pairs:K and sentence."
        )
    l1, l2 = (word.lower() if lower else word for word in words)
    return pair_positions(tokens_of(corpus), l1, l2, Counting(rule=rule, unit=unit, lower=lower))


def _absent(words: tuple[str, str], found: "tuple[Integers, Integers]") -> tuple[Sentence, ...]:
    """Which of two queries found nothing."""
    absent = list({repr(word): None for word, positions in zip(words, found, strict=True) if not len(positions)})
    verb = "does" if len(absent) == 1 else "do"
    text = f"{join_words(absent)} {verb} not occur in the corpus."
    return (Sentence(code="unknown_word", text=text),) if absent else ()


def _with_hint(result: Kwic, corpus: Any, unit: str, lower: bool) -> Kwic:
    """A concordance without lines, with the reason, if it was asked for two words."""
    from concurrence.counting.concordance import why_none
    from concurrence.counting.count import Counting

    one, two = (word.lower() if lower else word for word in (result.query, str(result.second)))
    if any(is_pattern(word) or "*" in word for word in (one, two)):
        return result
    how = Counting(rule=str(result.rule), unit=unit, lower=lower)
    return replace(result, sentences=(why_none(tokens_of(corpus), one, two, how),))


def _positions(corpus: EncodedCorpus, text: str, unit: str, *, lower: bool) -> Integers:
    """Where one of two queries fits, which is a token each."""
    layer = corpus.layers[UNIT]
    code = layer.vocabulary.code(text.lower() if lower else text)
    if code is not None:
        return layer.positions([code])
    query = node_query(text, unit, lower=lower)
    if query.single is None:
        raise InvalidInputError(
            f"With two queries, each must be a single token, and {text!r} is not; "
            'write both as one query to find them in a row, such as "of" "course" []{0,3} "not".'
        )
    return Matcher(corpus=corpus, query=query).matches().starts


def collocate_scores(
    counts: "CollocateCounts", measures: str | Iterable[str], define: Iterable[str] = (), *, min_freq: int = 1
) -> "tuple[Integers, dict[str, NDArray[np.float64]]]":
    """Which collocates are frequent enough, by their places among the counts, and their scores by each measure."""
    import numpy as np

    from concurrence.core.contingency import Contingency
    from concurrence.measures.functions import functions_of

    functions = functions_of(measures, define)
    kept = np.flatnonzero(counts.f >= min_freq)
    table = Contingency.from_signature(f=counts.f[kept], f1=counts.f1, f2=counts.f2[kept], n=counts.n)
    own = np.broadcast_to(np.float64(counts.n1), table.o11.shape)
    table = replace(table, n1=own, n2=counts.n2[kept].astype(np.float64))
    return kept, {name: np.asarray(function(table), dtype=np.float64) for name, function in functions.items()}


def _scored(
    corpus: EncodedCorpus,
    counts: "CollocateCounts",
    measures: str | Iterable[str],
    define: Iterable[str],
    *,
    sort: str | None,
    top: int | None,
    min_freq: int,
) -> tuple[list[str], list[tuple[int, dict[str, float]]]]:
    """The names of the measures, and the chosen collocates, best first, with their scores."""
    import numpy as np

    from concurrence.kernels.digits import round_scores

    kept, scores = collocate_scores(counts, measures, define, min_freq=min_freq)
    by = sort or next(iter(scores))
    if by not in (*scores, "f", "word"):
        raise UnknownNameError("order of collocates by", by, (*scores, "f", "word"))
    words = np.array(corpus.layers[UNIT].vocabulary.words_of(counts.words[kept]), dtype=object)
    keys = {"f": counts.f[kept].astype(np.float64), "word": np.zeros(len(kept)), **scores}[by]
    order = np.lexsort((words, -counts.f[kept], -np.nan_to_num(round_scores(keys), nan=-np.inf)))
    if by == "word":
        order = np.argsort(words)
    chosen = order[:top].tolist()
    rows = [(int(kept[k]), {name: float(column[k]) for name, column in scores.items()}) for k in chosen]
    return list(scores), rows


def _collocate(
    corpus: EncodedCorpus,
    counts: "CollocateCounts",
    word: str,
    k: int,
    scores: dict[str, float],
    examples: int,
    seed: int,
) -> "Collocate":
    from concurrence.lookup.collocates import Collocate, example_texts

    code = int(counts.words[k])
    return Collocate(
        word=word,
        f=int(counts.f[k]),
        f1=counts.f1,
        f2=int(counts.f2[k]),
        N=counts.n,
        n1=counts.n1,
        n2=int(counts.n2[k]),
        range=int(counts.range[k]),
        scores=scores,
        examples=example_texts(corpus, counts, code, most=examples, seed=seed) if examples else (),
    )


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

    ``sort`` is a column of the table: ``f``, a measure of dispersion, or ``word``.
    """
    refuse_in_fork()
    import polars as pl

    from concurrence.lookup.frequency import WordList, ordered, word_columns

    read = [f"{name}.{part}.npy" for name in ("form", "lemma", "pos") for part in ("codes", "postings")]
    known = encoded_corpus(corpus, check=read)
    layer = unit_layer(known, unit, lower=lower)
    columns = word_columns(known, layer)
    names = layer.vocabulary.words_of(columns.pop("codes"))
    chosen = ordered(columns, names, sort, top, min_freq).tolist() if columns else []
    table = {"word": [names[k] for k in chosen], **{name: column[chosen] for name, column in columns.items()}}
    return WordList(
        unit=unit,
        tokens=known.n_tokens,
        documents=len(known.document_names),
        types=len(names),
        sort=sort,
        words=pl.DataFrame(table, nan_to_null=True),
    )

"""What sets two corpora apart, for people: words, pairs or collocates, and counts from elsewhere."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from concurrence.api.inputs import frame_from
from concurrence.api.words import READ_BY_PATTERNS, corpus_of, verifies_index
from concurrence.core.corpus import unit_layer
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.sentences import Sentence
from concurrence.kernels.matcher import node_matcher
from concurrence.lookup.contrast import (
    COUNTS,
    EXACT,
    OF_DOCUMENTS,
    SCORES,
    BothSides,
    Contrast,
    ContrastSide,
    Entries,
    collocate_entries,
    documents_by,
    join_sides,
    word_entries,
)

if TYPE_CHECKING:
    import polars as pl

    from concurrence.core.options import Progress

DRAWS = 999
MEASURES = ("log_likelihood", "log_ratio", "log_ratio_conservative")


@verifies_index
def contrast(
    a: Any,
    b: Any = None,
    *,
    by: str | None = None,
    parts: tuple[Sequence[str], Sequence[str]] = ((), ()),
    names: tuple[str, str] = ("A", "B"),
    rule: str | None = None,
    node: str | None = None,
    span: int | tuple[int, int] = 5,
    unit: str = "form",
    lower: bool = False,
    sort: str = "log_likelihood",
    top: int | None = None,
    min_freq: int = 1,
    draws: int = DRAWS,
    seed: int = 0,
    progress: "Progress | None" = None,
) -> Contrast:
    """Which words set two corpora apart, or two parts of one.

    ``b`` is the other corpus; without it, ``by`` names what is known of the documents of ``a``, and ``parts`` the
    values of either side. With ``rule`` pairs are compared, with ``node`` its collocates within ``span`` tokens. Scores
    are positive where something is more frequent in the first corpus. ``p_documents`` is a p-value from ``draws``
    random ways to deal out the documents to the two sides, about the mean over documents, whose ``direction`` is ``a``
    or ``b``; where all tokens together say otherwise, it is missing, with a ``note``. ``min_freq`` is over both sides;
    ``top`` rows by ``sort`` are given. ``names`` are those of the two sides; ``unit`` and ``lower`` say what counts as
    one word.
    """
    refuse_in_fork()
    if (b is None) == (by is None):
        raise InvalidInputError("Give two corpora, or one corpus and what to divide its documents by.")
    if rule is not None and node is not None:
        raise InvalidInputError("Contrast pairs or the collocates of a word, not both.")
    count = _Counter(rule=rule, node=node, span=(span, span) if isinstance(span, int) else span, unit=unit, lower=lower)
    first = count.entries(a)
    if by is None:
        sides = join_sides(first, count.entries(b))
    else:
        (name_a, in_a), (name_b, in_b) = documents_by(corpus_of(a).documents.metadata, by, *parts)
        names = (name_a, name_b)
        sides = join_sides(first.of_documents(in_a), first.of_documents(in_b))
    table = _scored(sides, draws=draws, seed=seed, with_pairs=rule is not None, progress=progress)
    return Contrast(
        a=_side(names[0], sides, True),
        b=_side(names[1], sides, False),
        what=count.what,
        which=count.which,
        counted=count.counted,
        sort=sort,
        types=int((table["f_a"] + table["f_b"] >= min_freq).sum()),
        draws=draws,
        words=_ordered(table, sort, top, min_freq),
        warnings=_few_documents(sides, draws),
    )


def contrast_counts(
    table: Any, *, totals: tuple[int, int] | None = None, sort: str = "collostruction", top: int | None = None
) -> Contrast:
    """Which words prefer one of two constructions, from a table of counts: a word and how often it is in either.

    This is Gries and Stefanowitsch's (2004) analysis of distinctive collexemes: ``p_fisher`` is Fisher's one-sided
    exact test in the direction of the preference, ``collostruction`` its logarithm to base 10 without the sign, and
    negative where the word prefers the second construction. ``totals`` are all occurrences of the constructions, if the
    table is not complete; the ``top`` rows by ``sort`` are given.

    >>> import polars as pl
    >>> verbs = pl.DataFrame({"verb": ["give", "tell"], "ditransitive": [461, 128], "dative": [146, 2]})
    >>> contrast_counts(verbs, totals=(1035, 1919)).words["collostruction"].round(2).to_list()
    [119.74, 57.06]
    """
    refuse_in_fork()
    import polars as pl

    frame = frame_from(table)
    if frame.width < 3:
        raise InvalidInputError("A table of counts needs a column of words and two of counts.")
    word, *counts = frame.columns[:3]
    f_a, f_b = (_whole(frame, name) for name in counts)
    sizes = totals or (int(f_a.sum()), int(f_b.sum()))
    if sizes[0] < f_a.sum() or sizes[1] < f_b.sum():
        raise InvalidInputError("The totals must not be smaller than the sums of the counts.")
    columns = {"word": frame[word].cast(pl.String), "f_a": f_a, "f_b": f_b, **_measures(f_a, f_b, *sizes)}
    columns |= _exact(f_a, f_b, *sizes)
    rows = pl.DataFrame(columns, nan_to_null=True)
    return Contrast(
        a=ContrastSide(name=counts[0], size=sizes[0], documents=0),
        b=ContrastSide(name=counts[1], size=sizes[1], documents=0),
        what="words",
        which="",
        counted="occurrences",
        sort=sort,
        types=len(rows),
        draws=0,
        words=_ordered(rows, sort, top, 1),
    )


class _Counter:
    """What is counted on either side."""

    def __init__(self, *, rule: str | None, node: str | None, span: tuple[int, int], unit: str, lower: bool) -> None:
        self.rule, self.node, self.span, self.unit, self.lower = rule, node, span, unit, lower

    @property
    def what(self) -> str:
        if self.rule is not None:
            return "pairs"
        return "words" if self.node is None else "collocates"

    @property
    def which(self) -> str:
        if self.rule is not None:
            return f" by the rule {self.rule}"
        return "" if self.node is None else f" of {self.node}"

    @property
    def counted(self) -> str:
        if self.node is not None:
            return "tokens near it"
        rule = (self.rule or "").partition(":")[0]
        return {"": "tokens", "window": "tokens", "sentence": "sentences"}.get(rule, "pair tokens")

    def entries(self, corpus: Any) -> Entries:
        if self.rule is not None:
            return self._pairs(corpus)
        opened = corpus_of(corpus)
        layer = unit_layer(opened, self.unit, lower=self.lower)
        if self.node is None:
            return word_entries(opened, layer)
        matches = node_matcher(opened, self.node, layer, lower=self.lower).matches()
        return collocate_entries(opened, layer, matches, *self.span)

    def _pairs(self, corpus: Any) -> Entries:
        from concurrence.counting.by_document import pair_entries
        from concurrence.counting.count import CountOptions

        how = CountOptions(rule=str(self.rule), unit=self.unit, lower=self.lower)
        entries = pair_entries(corpus_of(corpus, check=READ_BY_PATTERNS), how)
        pairs, numbers = np.unique(entries.pairs, return_inverse=True)
        width = max(len(entries.right), 1)
        left, right = entries.left.gather(pairs // width).to_list(), entries.right.gather(pairs % width).to_list()
        return Entries(
            names=list(zip(left, right, strict=True)),
            words=numbers,
            documents=entries.documents,
            f=entries.f,
            sizes=entries.sizes,
        )


def _side(name: str, sides: BothSides, is_a: bool) -> ContrastSide:
    sizes = sides.sizes[sides.is_a == is_a]
    return ContrastSide(name=name, size=int(sizes.sum()), documents=int((sizes > 0).sum()))


def _scored(
    sides: BothSides, *, draws: int, seed: int, with_pairs: bool, progress: "Progress | None"
) -> "pl.DataFrame":
    """Every word with its counts, measures and p-value by documents."""
    import polars as pl

    from concurrence.kernels.document_tests import document_p_values, mean_rate_differences

    (f_a, range_a), (f_b, range_b) = sides.totals(True), sides.totals(False)
    sizes = [int(sides.sizes[sides.is_a == side].sum()) for side in (True, False)]
    if not all(sizes):
        raise InvalidInputError("One of the two sides is empty, so there is nothing to compare.")
    columns: dict[str, Any] = {"word": [" ".join(name) for name in sides.names]}
    if with_pairs:
        columns |= {f"l{k + 1}": [name[k] for name in sides.names] for k in range(2)}
    columns |= dict(zip(COUNTS, (f_a, f_b, range_a, range_b), strict=True)) | _measures(f_a, f_b, *sizes)
    cells = (sides.words, sides.documents, sides.f, sides.sizes, sides.is_a)
    p = np.full(len(f_a), np.nan)
    if draws:
        p = document_p_values(*cells, n_words=len(f_a), draws=draws, seed=seed, progress=progress)
    columns |= evidence_by_documents(p, mean_rate_differences(*cells, len(f_a)), columns["log_ratio"])
    text = dict.fromkeys(("word", "l1", "l2", *OF_DOCUMENTS), pl.String)
    return pl.DataFrame(columns, nan_to_null=True, schema_overrides={k: v for k, v in text.items() if k in columns})


def evidence_by_documents(p_values: Any, differences: Any, log_ratio: Any) -> dict[str, Any]:
    """The p-values by documents with their direction; none where it is not that of the row, with a note."""
    contradicts = (differences * np.nan_to_num(np.sign(log_ratio)) < 0) & ~np.isnan(p_values)
    return {
        "p_documents": np.where(contradicts, np.nan, p_values),
        "direction": [{1: "a", -1: "b"}.get(int(sign)) for sign in np.sign(differences)],
        "note": [
            f"the mean document has more in {side}" if side else None for side in _sides(contradicts, differences)
        ],
    }


def _sides(contradicts: Any, differences: Any) -> list[str | None]:
    """Which side the documents prefer, where the row says otherwise."""
    return [
        ("A" if difference > 0 else "B") if other else None
        for other, difference in zip(contradicts.tolist(), differences.tolist(), strict=True)
    ]


def _measures(f_a: Any, f_b: Any, n_a: int, n_b: int) -> dict[str, Any]:
    """The measures of the table for the 2x2 table of a word and the two sides, and %DIFF."""
    from concurrence.core.contingency import Contingency
    from concurrence.measures.table import functions_of

    table = Contingency.from_signature(f=f_a, f1=n_a, f2=f_a + f_b, n=n_a + n_b)
    scores = {name: function(table) for name, function in functions_of(MEASURES).items()}
    with np.errstate(divide="ignore", invalid="ignore"):
        scores["percent_diff"] = 100 * (f_a / n_a - f_b / n_b) / (f_b / n_b)
    return scores


def _exact(f_a: Any, f_b: Any, n_a: int, n_b: int) -> dict[str, Any]:
    """Fisher's test in the direction of the preference, in log space."""
    from concurrence.kernels.tails import hypergeometric_log_lower, hypergeometric_log_upper

    cells = (f_a, n_a, f_a + f_b, n_a + n_b)
    prefers_a = f_a * n_b >= f_b * n_a
    log_p = np.where(prefers_a, hypergeometric_log_upper(*cells), hypergeometric_log_lower(*cells))
    strength = np.maximum(-log_p / np.log(10), 0) + 0.0
    return {"p_fisher": np.exp(log_p), "collostruction": np.where(prefers_a, strength, -strength)}


def _whole(frame: "pl.DataFrame", name: str) -> Any:
    import polars as pl

    numbers = frame[name].cast(pl.Float64, strict=False)
    wrong = numbers.is_null() | (numbers < 0) | (numbers != numbers.floor())
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise InvalidInputError(f"Row {row + 1}: {name} is {frame[name][row]!r}, not a whole number of at least 0.")
    return numbers.cast(pl.Int64).to_numpy()


def _ordered(table: "pl.DataFrame", sort: str, top: int | None, min_freq: int) -> "pl.DataFrame":
    import polars as pl

    from concurrence.kernels.ranking import rounded_column

    columns = ("word", *(name for name in (*COUNTS, *SCORES, *EXACT) if name in table.columns))
    if sort not in columns:
        raise UnknownNameError("order of words", sort, columns)
    table = table.filter(table["f_a"] + table["f_b"] >= min_freq)
    falling = sort not in ("word", "p_documents", "p_fisher")
    by = table["word"] if sort == "word" else rounded_column(table, sort)
    table = table.sort([pl.lit(by), "word"], descending=[falling, False], nulls_last=True)
    return table if top is None else table.head(top)


def _few_documents(sides: BothSides, draws: int) -> tuple[Sentence, ...]:
    from concurrence.kernels.document_tests import FEWEST_SPLITS, n_splits, sides_of

    n_a, n_b = sides_of(sides.sizes, sides.is_a)
    if not draws or n_splits(n_a, n_b) >= FEWEST_SPLITS:
        return ()
    text = (
        f"With {n_a} and {n_b} documents, no difference could be significant, so there is no p_documents; "
        "log-likelihood treats all tokens as independent."
    )
    return (Sentence(code="few_documents", text=text, warning=True),)

"""Verbs with the nouns that depend on them, and how often the two are marked as parts of one multiword expression."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.corpus import Corpus
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.layers import MISSING, Layer
from concurrence.core.pairs import Counted, Pairs
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun
from concurrence.core.values import value

NOTHING = "*"
ATTRIBUTES = ("lemma", "pos", "head", "mwe")


@value
class MarkedPairs(Result):
    """Candidates of which each is marked or not, as a benchmark takes them.

    ``rows`` has l1, l2, f, f1, f2, N, ``marked`` (how often the two were marked as parts of one expression) and ``tp``
    (1 where in more than half of their occurrences). ``N`` counts all such pairs.
    """

    pairs: int
    true_positives: int
    n: int
    marked: int
    rule: str
    rows: pl.DataFrame
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        share = f" ({self.true_positives / self.pairs:.1%})" if self.pairs else ""
        return (
            f"{count_noun(self.pairs, 'pair')} by the rule {self.rule}, {count_noun(self.n, 'occurrence')}, of which "
            f"{self.marked:,} are marked; {count_noun(self.true_positives, 'true pair')}{share}."
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "MarkedPairs":
        return cls(
            **{name: data[name] for name in ("pairs", "true_positives", "n", "marked", "rule")},
            rows=pl.DataFrame(
                data["rows"], infer_schema_length=None, schema_overrides={"l1": pl.String, "l2": pl.String}
            ),
            warnings=tuple(Sentence(**one) for one in data.get("warnings", ())),
        )

    def as_pairs(self) -> Pairs:
        """The same as pairs, with how they were counted."""
        return Pairs(table=self.rows, counted=Counted(rule=self.rule, unit="lemma"))


def marked_pairs(corpus: Corpus, *, head: str = "VERB", dependent: str = "NOUN") -> MarkedPairs:
    """Count each head with each word that depends on it, by their lemmas in lower case.

    The corpus needs lemmas, parts of speech, heads and ``mwe``, as ``.cupt`` files have them; ``head`` and
    ``dependent`` are parts of speech, several with ``|`` between them. Words without a lemma are left out.
    """
    refuse_in_fork()
    if missing := [name for name in ATTRIBUTES if name != "head" and name not in corpus.layers]:
        raise InvalidInputError(f"The corpus has no {missing[0]}; multiword expressions are read from .cupt files.")
    if corpus.heads is None:
        raise InvalidInputError("The corpus has no heads, so nothing depends on anything.")
    _check_annotated(corpus.layer("mwe"))
    lemma, pos, heads = corpus.layer("lemma"), corpus.layer("pos"), corpus.heads
    has_lemma = lemma.codes >= 0
    right = np.flatnonzero(pos.has_any(dependent.split("|")) & has_lemma & (heads >= 0))
    right = right[(pos.has_any(head.split("|")) & has_lemma)[heads[right]]]
    left = heads[right]
    low = lemma.words.str.to_lowercase()
    counted = pl.DataFrame(
        {
            "l1": low.gather(lemma.codes[left]),
            "l2": low.gather(lemma.codes[right]),
            "marked": _in_one_expression(corpus.layer("mwe"), left, right),
        }
    )
    rows = _table(counted)
    return MarkedPairs(
        pairs=len(rows),
        true_positives=int(rows["tp"].sum()),
        n=len(counted),
        marked=int(counted["marked"].sum()),
        rule=f"dep:H[pos={head}] > D[pos={dependent}] => H, D",
        rows=rows,
    )


def _table(counted: pl.DataFrame) -> pl.DataFrame:
    """One row for each pair, the most frequent first."""
    rows = counted.group_by("l1", "l2").agg(f=pl.len().cast(pl.Int64), marked=pl.col("marked").sum().cast(pl.Int64))
    return (
        rows.with_columns(
            f1=pl.col("f").sum().over("l1"),
            f2=pl.col("f").sum().over("l2"),
            N=pl.lit(len(counted), dtype=pl.Int64),
            tp=(2 * pl.col("marked") > pl.col("f")).cast(pl.Int64),
        )
        .select("l1", "l2", "f", "f1", "f2", "N", "marked", "tp")
        .sort("f", "l1", "l2", descending=[True, False, False])
    )


def _check_annotated(mwe: Layer) -> None:
    if (mwe.codes == MISSING).any():
        raise InvalidInputError(
            "The column PARSEME:MWE holds '_', which means not annotated; use files with annotations, in which a word "
            "outside of expressions has '*'."
        )


def _in_one_expression(mwe: Layer, left: NDArray[Any], right: NDArray[Any]) -> NDArray[np.bool_]:
    """Whether two words of a sentence share the number of an expression; each pair of annotations is looked at once."""
    numbers = [expressions(text) for text in mwe.vocabulary.words]
    width = max(len(numbers), 1)
    both, of = np.unique(mwe.codes[left].astype(np.int64) * width + mwe.codes[right], return_inverse=True)
    shared = [bool(numbers[pair // width] & numbers[pair % width]) for pair in both.tolist()]
    return np.array(shared, dtype=bool)[of]


def expressions(text: str) -> frozenset[str]:
    """The numbers of the expressions that a word is part of.

    >>> sorted(expressions("1:LVC.full;3")), sorted(expressions("*"))
    (['1', '3'], [])
    """
    return frozenset(part.partition(":")[0] for part in text.split(";")) if text != NOTHING else frozenset()

"""A list of candidates in the explorer, sorted once by each measure, so that every page is quick."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.contingency import SIGNATURE, WORDS
from concurrence.core.designs import is_by_rank
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.judgements import NO, UNJUDGED, YES, Judgements
from concurrence.core.pairs import find_column
from concurrence.core.samples import Sample
from concurrence.evaluation.options import EvaluateOptions
from concurrence.evaluation.results import Evaluation
from concurrence.evaluation.study import evaluate
from concurrence.kernels.ranking import Ranking, rank_candidates
from concurrence.measures.table import MEASURES, titles_of
from concurrence.sampling.frame import Candidates, candidate_list

VERDICTS = {"true": YES, "false": NO, "unjudged": UNJUDGED}
NAMES = {code: name for name, code in VERDICTS.items()}
LONG = 20_000
"""Of a longer list, sizes are looked at in steps that grow with them."""

STEPS = 160
FIRST = 20
NOT_SCORES = {*SIGNATURE, *WORDS, "id", "rank", "range", "tp"}

Rows = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True, eq=False)
class ExplorerList:
    """A list with its name: candidates, their orders, and, where there are judgements, the evaluation."""

    name: str
    path: str
    table: pl.DataFrame
    key: tuple[str, ...]
    measures: tuple[str, ...]
    seed: int
    candidates: Candidates
    orders: dict[str, Ranking]
    judgements: Judgements | None = None
    sample: Sample | None = None
    evaluation: Evaluation | None = None
    gold_path: str | None = None
    sample_path: str | None = None

    def __len__(self) -> int:
        return len(self.table)

    @cached_property
    def titles(self) -> dict[str, str]:
        return titles_of(self.measures)

    def best(self, measure: str) -> Ranking:
        if measure not in self.orders:
            raise UnknownNameError("column of scores", measure, self.measures)
        return self.orders[measure]

    def first(self, measure: str, n: int) -> NDArray[np.int32]:
        """The rows of the n-best list, ties broken as recorded."""
        return self.best(measure).best_first[: self.size(n)]

    def size(self, n: int) -> int:
        if not 1 <= n <= len(self):
            raise InvalidInputError(f"The list has {len(self):,} candidates; choose n between 1 and that.")
        return n

    def verdicts(self, rows: NDArray[Any]) -> NDArray[np.int8]:
        if self.judgements is None:
            return np.full(len(rows), UNJUDGED, dtype=np.int8)
        return np.asarray(self.judgements.verdicts[rows])

    def difference(self, a: str, b: str, n: int) -> NDArray[np.int32]:
        """What the n-best list of one measure has and that of the other has not, best first."""
        first = self.first(a, n)
        return first[self.best(b).ranks[first] > n]

    @cached_property
    def judged(self) -> NDArray[np.int64]:
        """The rows that people judged."""
        return np.flatnonzero(self.judgements.judged) if self.judgements is not None else np.empty(0, dtype=np.int64)

    def counts(self, measure: str, n: int) -> dict[str, int]:
        """How many of an n-best list are true, false, and not judged."""
        inside = self.judged[self.best(measure).ranks[self.judged] <= n]
        verdicts = self.verdicts(inside)
        true, false = (int(np.count_nonzero(verdicts == code)) for code in (YES, NO))
        return {"true": true, "false": false, "unjudged": n - true - false}

    def within(self, measure: str, n: int, rows: NDArray[Any]) -> NDArray[np.int32]:
        """Those of some rows that are in an n-best list, best first."""
        best = self.best(measure)
        ranks = np.sort(best.ranks[rows])
        return np.asarray(best.best_first[ranks[: np.searchsorted(ranks, n, side="right")] - 1])

    def holding(self, text: str) -> NDArray[np.int64]:
        """The rows with a word that begins so, whatever the case."""
        holds = np.zeros(len(self), dtype=np.bool_)
        for words, codes in self.words:
            begins = words.str.to_lowercase().str.starts_with(text.lower()).to_numpy()
            holds |= begins[codes]
        return np.flatnonzero(holds)

    @cached_property
    def words(self) -> list[tuple[pl.Series, NDArray[np.uint32]]]:
        """Of each column of the key its different words, and the number of the word in each row."""
        columns = []
        for name in self.key:
            different = self.table[name].unique().sort()
            columns.append((different, self.table[name].cast(pl.Enum(different)).to_physical().to_numpy()))
        return columns


def open_list(
    name: str,
    path: Path,
    table: pl.DataFrame,
    key: tuple[str, ...],
    measures: Sequence[str],
    *,
    judgements: Judgements | None = None,
    sample: Sample | None = None,
    paths: tuple[Path | None, Path | None] = (None, None),
    seed: int = 0,
) -> ExplorerList:
    """Put the candidates in order by every measure, and evaluate them where they were judged."""
    columns = tuple(find_column(table, measure, key) for measure in measures) or scores_of(table, key)
    candidates = candidate_list(table, key)
    rank_seed = sample.rank_seed if sample is not None else seed
    orders = rank_candidates(table, columns, key=key, seed=rank_seed, ties=candidates.ties)
    for column, ranking in orders.items():
        ranking.ranks, ranking.run_of(np.array([1]))
        candidates.rankings[column, rank_seed] = ranking
    evaluation = None
    if judgements is not None:
        options = EvaluateOptions(n=_sizes(len(table), sample), seed=seed, titles=titles_of(columns))
        evaluation = evaluate(table, judgements, options, measures=columns, key=key, sample=sample)
    gold, drawn = (None if one is None else str(one) for one in paths)
    explored = ExplorerList(
        name=name,
        path=str(path),
        table=table,
        key=key,
        measures=columns,
        seed=rank_seed,
        candidates=candidates,
        orders=orders,
        judgements=judgements,
        sample=sample,
        evaluation=evaluation,
        gold_path=gold,
        sample_path=drawn,
    )
    explored.words  # noqa: B018 - explored now, so that the first search need not wait
    return explored


def scores_of(table: pl.DataFrame, key: Sequence[str]) -> tuple[str, ...]:
    """The columns of scores: those of known measures, else every other column of numbers, else the frequency."""
    numeric = [name for name in table.columns if table[name].dtype.is_numeric() and name not in key]
    measures = tuple(name for name in numeric if name in MEASURES or name.startswith("am."))
    others = tuple(name for name in numeric if name not in NOT_SCORES)
    scores = measures or others or tuple(name for name in numeric if name == "f")
    if not scores:
        columns = ", ".join(table.columns)
        raise InvalidInputError(f"There is no column of scores to rank the candidates by; the columns are {columns}.")
    return scores


def _sizes(size: int, sample: Sample | None) -> list[int] | None:
    """The list sizes to evaluate; ``None`` leaves them to the design and to shorter lists."""
    if size <= LONG or (sample is not None and is_by_rank(sample.design)):
        return None
    spread = np.geomspace(FIRST, size, STEPS)
    digits = 10 ** np.maximum(np.floor(np.log10(spread)) - 1, 0)
    rounded = np.minimum(np.rint(spread / digits) * digits, size)
    return [int(n) for n in np.unique(np.append(rounded, size))]

"""Which measure finds what people marked, in one table or in many: scoring and evaluation put together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concurrence.api.inputs import pairs_from
from concurrence.core.errors import ConcurrenceError, InvalidInputError
from concurrence.core.forks import refuse_in_fork
from concurrence.core.pairs import KEY, Pairs
from concurrence.core.progress import Progress
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.evaluation.benchmark.results import (
    Benchmark,
    BenchmarkMethod,
    BenchmarkOptions,
    TableBenchmark,
)

if TYPE_CHECKING:
    import polars as pl

    from concurrence.core.judgements import Judgements


def benchmark(
    tables: Mapping[str, Any],
    *,
    measures: str | Sequence[str] = "all",
    tp: str = "tp",
    key: str | Sequence[str] = KEY,
    n: Sequence[int] | None = None,
    clusters: str | None = "l1",
    min_freq: int = 1,
    level: float = 0.95,
    draws: int = 1999,
    seed: int = 0,
    progress: Progress | None = None,
) -> Benchmark:
    """Rank all measures in tables of candidates of which each is marked as true or not.

    ``tables`` are pairs by name (frames or :class:`Pairs` with ``l1 l2 f f1 f2 N``), with a column ``tp`` of 1 and 0,
    and ``key`` the columns that identify a pair; only those that occur ``min_freq`` times count. ``measures`` are
    names, or ``all``. ``n`` are the list sizes; by default some round ones, and as many as there are true positives,
    which is the headline of each table. ``clusters`` names the column of words whose candidates count as drawn together
    (None: every candidate by itself). All pairs of measures at all sizes of a table are compared by one test of
    ``draws`` random exchanges at ``level``.

    >>> import polars as pl
    >>> rows = [(f"v{i % 9}", f"n{i}", 9 - i // 5, 40, 20, 900, int(i < 8)) for i in range(40)]
    >>> frame = pl.DataFrame(rows, schema=["l1", "l2", "f", "f1", "f2", "N", "tp"], orient="row")
    >>> found = benchmark({"toy": frame}, measures="frequency,MI", n=[8])
    >>> found.tables["toy"].measures["frequency"].precision.tolist()
    [0.85]
    """
    refuse_in_fork()
    from concurrence.evaluation.benchmark.sentences import overall, summaries, table_in_words
    from concurrence.measures.table import titles_of

    if not tables:
        raise InvalidInputError("There is no table to rank measures in.")
    options = BenchmarkOptions(
        n=None if n is None else tuple(n), clusters=clusters, level=level, draws=draws, seed=seed
    )
    found = {}
    for done, (name, one) in enumerate(tables.items(), start=1):
        found[name] = _of_table(name, one, measures, tp, key, min_freq, options)
        if progress is not None:
            progress(done, len(tables))
    titles = titles_of(dict.fromkeys(measure for table in found.values() for measure in table.measures))
    told = {name: tuple(table_in_words(name, table, titles, options)) for name, table in found.items()}
    rows = summaries(found, level=level)
    sentences: list[Sentence] = [*overall(rows, found, titles), *(one for part in told.values() for one in part)]
    return Benchmark(
        method=BenchmarkMethod(level=level, clusters=clusters, draws=draws),
        tables={name: replace(table, sentences=told[name]) for name, table in found.items()},
        summary=rows,
        sentences=tuple(sentences),
        warnings=warnings_of(sentences),
        titles=titles,
    )


def _of_table(
    name: str,
    given: Any,
    measures: str | Sequence[str],
    tp: str,
    key: Sequence[str],
    min_freq: int,
    options: BenchmarkOptions,
) -> TableBenchmark:
    from concurrence.evaluation.benchmark.one_list import benchmark_list
    from concurrence.measures.scoring import score, score_functions

    try:
        pairs = pairs_from(given, key)
        kept = pairs.table.filter(pairs.table["f"] >= min_freq)
        if kept.is_empty():
            raise InvalidInputError(f"No candidate occurs at least {min_freq} times.")
        scored = score(Pairs(table=kept, counted=pairs.counted, key=pairs.key), measures)
        names = list(score_functions(measures, columns=scored.table.columns, key=scored.key))
        once = int((kept["f"] == 1).sum())
        return benchmark_list(
            scored.table, _verdicts(scored.table, tp, scored.key), names, options, key=scored.key, once=once
        )
    except ConcurrenceError as error:
        if str(error).startswith(name):
            raise
        raise InvalidInputError(f"{name}: {error}") from error


def _verdicts(table: "pl.DataFrame", tp: str, key: Sequence[str]) -> "Judgements":
    from concurrence.core.candidates import check_keys
    from concurrence.kernels.verdicts import judgements_from_table

    keys = table.select(key)
    check_keys(keys)
    return judgements_from_table(table, keys, column=tp, place=lambda row: f"Row {row + 1}")


def table_names(paths: Sequence[Path]) -> dict[str, Path]:
    """Files by their names without the endings, or by their whole paths where names are the same."""
    places = [path.resolve() for path in paths]
    if twice := [path for number, path in enumerate(paths) if places[number] in places[:number]]:
        raise InvalidInputError(f"{twice[0]} is given twice; each table counts once, so name it once.")
    short = [path.name.split(".")[0] or str(path) for path in paths]
    return dict(zip(short if len(set(short)) == len(short) else map(str, paths), paths, strict=True))

"""Which measure finds what people marked, in one table or in many: scoring and evaluation put together."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from concurrence.api.inputs import pairs_from
from concurrence.core.errors import ConcurrenceError, InvalidInputError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.options import Progress
from concurrence.core.pairs import KEY, Pairs
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.evaluation.benchmark.options import BenchmarkOptions
from concurrence.evaluation.benchmark.results import Benchmark, BenchmarkMethod, TableBenchmark

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
    >>> result = benchmark({"toy": frame}, measures="frequency,MI", n=[8])
    >>> result.tables["toy"].measures["frequency"].precision.tolist()
    [0.85]
    """
    options = BenchmarkOptions(
        measures=measures,
        tp=tp,
        n=None if n is None else tuple(n),
        clusters=clusters,
        min_freq=min_freq,
        draws=draws,
        level=level,
        seed=seed,
    )
    return benchmark_tables(tables, options, key=key, progress=progress)


def benchmark_tables(
    tables: Mapping[str, Any],
    options: BenchmarkOptions,
    *,
    key: str | Sequence[str] = KEY,
    progress: Progress | None = None,
) -> Benchmark:
    """All measures in each table, and what holds over all of them."""
    refuse_in_fork()
    from concurrence.evaluation.benchmark.sentences import overall_sentences, summaries, table_sentences
    from concurrence.measures.table import titles_of

    if not tables:
        raise InvalidInputError("There is no table to rank measures in.")
    results = {}
    for done, (name, one) in enumerate(tables.items(), start=1):
        results[name] = _benchmark_table(name, one, key, options)
        if progress is not None:
            progress(done, len(tables))
    titles = titles_of(dict.fromkeys(measure for table in results.values() for measure in table.measures))
    by_table = {name: tuple(table_sentences(name, table, titles, options)) for name, table in results.items()}
    rows = summaries(results, level=options.level)
    sentences: list[Sentence] = [*overall_sentences(rows, results, titles), *chain.from_iterable(by_table.values())]
    return Benchmark(
        method=BenchmarkMethod(level=options.level, clusters=options.clusters, draws=options.draws),
        tables={name: replace(table, sentences=by_table[name]) for name, table in results.items()},
        summary=rows,
        sentences=tuple(sentences),
        warnings=warnings_of(sentences),
        titles=titles,
    )


def _benchmark_table(name: str, table: Any, key: str | Sequence[str], options: BenchmarkOptions) -> TableBenchmark:
    from concurrence.evaluation.benchmark.one_list import benchmark_list
    from concurrence.measures.scoring import score, score_functions

    try:
        pairs = pairs_from(table, key)
        rows = pairs.table.filter(pairs.table["f"] >= options.min_freq)
        if rows.is_empty():
            raise InvalidInputError(f"No candidate occurs at least {options.min_freq} times.")
        scored = score(Pairs(table=rows, counted=pairs.counted, key=pairs.key), options.measures)
        names = list(score_functions(options.measures, columns=scored.table.columns, key=scored.key))
        judgements = _verdicts(scored.table, options.tp, scored.key)
        once = int((rows["f"] == 1).sum())
        return benchmark_list(scored.table, judgements, names, options, key=scored.key, once=once)
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

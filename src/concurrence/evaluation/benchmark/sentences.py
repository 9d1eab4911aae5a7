"""What a benchmark allows to say, table by table and over all tables."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from concurrence.core.sentences import Sentence, count_noun, join_words
from concurrence.evaluation.benchmark.options import BenchmarkOptions
from concurrence.evaluation.benchmark.results import MeasureSummary, TableBenchmark
from concurrence.evaluation.sentences import percentage_points

MOST_NAMED = 5


def table_sentences(
    name: str, table: TableBenchmark, titles: Mapping[str, str], options: BenchmarkOptions
) -> Iterator[Sentence]:
    """What one table shows at its headline size."""
    left_out = sorted(set(options.n or ()) - set(table.n.tolist()))
    if left_out:
        sizes, verb = join_words([f"{size:,}" for size in left_out]), "was" if len(left_out) == 1 else "were"
        text = f"{name}: n = {sizes} {verb} left out, since the table has {table.data.candidates:,} candidates."
        yield Sentence(code="sizes_left_out", text=text, warning=True)
    at, best = table.place, table.headline_best
    figures = table.measures[best.measure]
    share = f"{figures.precision[at]:.1%} [{100 * figures.low[at]:.1f}, {100 * figures.high[at]:.1f}]"
    ties = [titles[twin] for twin in figures.same_ranking_as]
    who = titles[best.measure] + (f" (the same ranking: {join_words(ties)})" if ties else "")
    start = f"{name}: of the {table.headline:,} best candidates, {who} has {share} true"
    others = [m for m in best.not_significantly_worse if m not in figures.same_ranking_as]
    if len(ties) + 1 == len(table.measures):
        yield Sentence(code="best", text=f"{start}{'; no measure ranks them in another way' if ties else ''}.")
    else:
        yield Sentence(code="best", text=f"{start}, the highest share; {_others_in_words(table, others, titles)}.")
        if table.data.true_positives and not _any_worse(table, at):
            text = f"{name}: no two measures can be told apart at n = {table.headline:,}{_needed(table)}."
            yield Sentence(code="low_power", text=text, warning=True)
    below = [m for m in table.measures if against_chance(table, m, options.level) < 0]
    if below:
        text = (
            f"{name}: {count_noun(len(below), 'measure')} of {len(table.measures)} put fewer true positives among the "
            f"{table.headline:,} best than a random choice would ({table.baseline:.1%})."
        )
        yield Sentence(code="below_chance", text=text)


def _needed(table: TableBenchmark) -> str:
    """How far from the best list another had to be, if that is known; it cannot be farther than to have none true."""
    need, highest = table.detectable[table.place], table.measures[table.headline_best.measure].precision[table.place]
    if not np.isfinite(need):
        return ""
    if need >= highest:
        return (
            "; for half or more of the rankings with another list, even one without true positives would hardly have "
            "been shown to be worse"
        )
    return (
        f"; to be shown, a difference from the best list had to reach about {percentage_points(need)}, the "
        "median over the "
        "rankings with another list"
    )


def _any_worse(table: TableBenchmark, at: int) -> bool:
    return any(bool(figures.better[at] > 0) for figures in table.measures.values())


def _others_in_words(table: TableBenchmark, others: Sequence[str], titles: Mapping[str, str]) -> str:
    worse = sum(bool(figures.better[table.place] > 0) for figures in table.measures.values())
    if not others:
        return "all other rankings are shown to be worse"
    names = join_words([titles[m] for m in others[:MOST_NAMED]])
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    verb = "is" if len(others) == 1 else "are"
    if not worse:
        return "no measure is shown to be worse"
    return f"{names}{more} {verb} not shown to be worse, {count_noun(worse, 'other')} {'is' if worse == 1 else 'are'}"


def against_chance(table: TableBenchmark, measure: str, level: float) -> int:
    """1 where the headline list of a measure is shown to beat a random choice, -1 where to be worse, otherwise 0."""
    figures, at = table.measures[measure], table.place
    if figures.p_chance[at] > 1 - level:
        return 0
    return 1 if figures.precision[at] > table.baseline else -1


def summaries(tables: Mapping[str, TableBenchmark], *, level: float) -> tuple[MeasureSummary, ...]:
    """Each measure over all tables, first those that are among the best in most, then those worse in fewest."""
    measures = list(dict.fromkeys(measure for table in tables.values() for measure in table.measures))
    rows = [_summary(measure, tables, level) for measure in measures]
    return tuple(sorted(rows, key=lambda row: (-len(row.among_best_in), len(row.worse_in), -len(row.highest_in))))


def _summary(measure: str, tables: Mapping[str, TableBenchmark], level: float) -> MeasureSummary:
    own_tables = {name: table for name, table in tables.items() if measure in table.measures}

    def where(holds: list[bool]) -> tuple[str, ...]:
        return tuple(name for name, one in zip(own_tables, holds, strict=True) if one)

    at = [(table, table.measures[measure], table.headline_best) for table in own_tables.values()]
    chance = [against_chance(table, measure, level) for table in own_tables.values()]
    return MeasureSummary(
        measure=measure,
        highest_in=where([measure == best.measure or best.measure in own.same_ranking_as for _, own, best in at]),
        among_best_in=where([bool(own.better[table.place] == 0) for table, own, _ in at]),
        worse_in=where([bool(own.better[table.place] > 0) for table, own, _ in at]),
        above_chance_in=where([one > 0 for one in chance]),
        below_chance_in=where([one < 0 for one in chance]),
    )


def twins_of(tables: Mapping[str, TableBenchmark]) -> dict[str, tuple[str, ...]]:
    """The measures that differ in some table, each with those that order every table in the same way."""
    measures = list(dict.fromkeys(measure for table in tables.values() for measure in table.measures))
    twins: dict[str, tuple[str, ...]] = {}
    for measure in measures:
        same_by_table = [
            table.measures[measure].same_ranking_as for table in tables.values() if measure in table.measures
        ]
        same = next((first for first in twins if all(first in names for names in same_by_table)), None)
        twins[same or measure] = (*twins[same], measure) if same else ()
    return twins


def overall_sentences(
    rows: Sequence[MeasureSummary], tables: Mapping[str, TableBenchmark], titles: Mapping[str, str]
) -> Iterator[Sentence]:
    """What holds over all tables; figures of different tables are counted, never averaged."""
    n_tables, distinct = len(tables), twins_of(tables)
    if n_tables < 2 or len(distinct) < 2:
        return
    rows = [row for row in rows if row.measure in distinct]
    most = max(len(row.among_best_in) for row in rows)
    first = [titles[row.measure] for row in rows if len(row.among_best_in) == most]
    verb = "is" if len(first) == 1 else "are"
    whole = "both" if n_tables == 2 else f"all {n_tables}"
    count = whole if most == n_tables else f"{most} of {n_tables}"
    only = "" if most == n_tables else "; no measure is in all"
    text = f"{_join_names(first)} {verb} among those that no measure is shown to beat in {count} tables{only}."
    yield Sentence(code="among_best", text=text)
    never = [titles[row.measure] for row in rows if not row.among_best_in]
    if never:
        verb = "is" if len(never) == 1 else "are"
        yield Sentence(
            code="always_worse",
            text=f"{_join_names(never)} {verb} shown to be worse than another measure in every table.",
        )


def _join_names(names: Sequence[str]) -> str:
    return join_words(names) if len(names) <= 2 * MOST_NAMED else f"{', '.join(names[: 2 * MOST_NAMED])} and others"

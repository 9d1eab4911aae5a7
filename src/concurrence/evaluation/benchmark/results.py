"""What a benchmark finds: how well measures rank lists in which every candidate is judged."""

from dataclasses import field

from concurrence.core.arrays import Integers, Reals
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, warnings_first
from concurrence.core.values import value
from concurrence.evaluation.results import AveragePrecision, BestMeasure

SIZES = (50, 100, 200, 500, 1000, 2000)


@value
class BenchmarkData:
    """What one table holds; ``once`` counts the candidates that occur only once in the corpus."""

    candidates: int
    true_positives: int
    clusters: int
    once: int | None


@value
class MeasureFigures:
    """One measure in one table; arrays run along the list sizes of the table.

    ``p_best`` tests each list against the best one of its size, NaN where it is the best. ``better`` counts the
    rankings that are shown to be better. ``p_chance`` tests the list against the rest of the table, corrected for all
    measures and sizes. ``same_ranking_as`` are measures that order these candidates in the same way.
    """

    average_precision: AveragePrecision
    precision: Reals
    low: Reals
    high: Reals
    true_positives: Reals
    p_best: Reals
    better: Integers
    p_chance: Reals
    same_ranking_as: tuple[str, ...] = ()


@value
class TableBenchmark:
    """All measures in one table.

    ``headline`` is the size of the list that is as long as there are true positives, or the nearest one asked for.
    ``best`` names for each size the measure of highest precision and all that no other measure is shown to beat.
    ``detectable`` is the difference in precision from the best list that the test needed, in the median over the
    rankings with another list (those near to the best need less), and 1 where more was needed than there can be.
    """

    data: BenchmarkData
    baseline: float
    n: Integers
    headline: int
    measures: dict[str, MeasureFigures]
    best: tuple[BestMeasure, ...]
    detectable: Reals
    sentences: tuple[Sentence, ...] = ()

    @property
    def place(self) -> int:
        """Where the headline stands among the sizes."""
        return list(map(int, self.n)).index(self.headline)

    @property
    def headline_best(self) -> BestMeasure:
        return self.best[self.place]


@value
class MeasureSummary:
    """One measure over all tables, at the headline size of each: in which it is what."""

    measure: str
    highest_in: tuple[str, ...]
    among_best_in: tuple[str, ...]
    worse_in: tuple[str, ...]
    above_chance_in: tuple[str, ...]
    below_chance_in: tuple[str, ...]


@value
class BenchmarkMethod:
    """How the numbers were made."""

    level: float
    clusters: str | None
    draws: int


@value
class Benchmark(Result):
    """Which measures find true positives in which table, and where the data can tell."""

    method: BenchmarkMethod
    tables: dict[str, TableBenchmark]
    summary: tuple[MeasureSummary, ...]
    sentences: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = ()
    titles: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return "\n".join(map(str, warnings_first(self.sentences)))

"""The options of a benchmark; without arrays, so that the command line loads fast."""

from collections.abc import Sequence
from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import check_level, option


@dataclass(frozen=True, slots=True, kw_only=True)
class BenchmarkOptions:
    """The choices of a benchmark; without ``clusters``, every candidate counts as drawn by itself."""

    measures: str | Sequence[str] = option(
        "all", "Names separated by commas, or a set of them.", kind="text", flags=("-m", "--measures")
    )
    tp: str = option("tp", "Column that says what is true.")
    n: Sequence[int] | None = option(
        None, "List sizes. Default: round ones and see below.", kind="counts", metavar="N,N"
    )
    clusters: str | None = option(
        None,
        "Candidates with the same word here count as drawn together; 'none' counts all as independent.",
        cli_default="l1",
    )
    min_freq: int = option(1, "Least frequency.", kind="count")
    draws: int = option(1999, "Random exchanges.", kind="count", least=99)
    level: float = option(0.95, "Confidence level.", kind="level")
    seed: int = 0

    def __post_init__(self) -> None:
        check_level(self.level)
        if self.draws < 99:
            raise InvalidInputError(f"The test needs at least 99 draws, not {self.draws}.")
        if self.n is not None and any(size < 1 for size in self.n):
            raise InvalidInputError("List sizes must be whole numbers from 1 on.")

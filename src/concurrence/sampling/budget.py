"""What a budget of judgements can show, before anyone judges."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from statistics import NormalDist
from typing import Any, get_type_hints

import numpy as np
import polars as pl

from concurrence.core.arrays import Reals
from concurrence.core.designs import has_whole_lists
from concurrence.core.errors import InvalidInputError
from concurrence.core.results import Result
from concurrence.core.samples import Sample
from concurrence.core.sentences import Sentence, join_words
from concurrence.core.values import from_json, value
from concurrence.kernels.intervals import hypergeometric
from concurrence.kernels.ranking import Ranking, rounded_column
from concurrence.sampling.frame import FEWEST, Frame, candidate_list, make_frame, sampling_frame
from concurrence.sampling.options import SampleOptions

TOLD = 6
"""How many comparisons are put in words."""


@value
class ExpectedWidth:
    """What a design is expected to say about the n-best lists, as means over the measures."""

    design: str
    strata_by: str | None
    n: int
    sampled: float
    width: float
    baseline: bool


@value
class DifferenceSets:
    """The candidates that two measures do not share among their n best: only these can tell the two apart."""

    a: str
    b: str
    n: int
    overlap: int
    candidates: int
    fits: bool

    def __str__(self) -> str:
        if self.fits:
            return (
                f"{self.a} vs. {self.b} at n = {self.n:,}: the budget allows judging both difference sets in full "
                f"({self.candidates:,} candidates), which settles the comparison without sampling error."
            )
        return f"{self.a} vs. {self.b} at n = {self.n:,}: the difference sets have {self.candidates:,} candidates."


@value
class SampleBudget(Result):
    """A sample, and what its judgements are expected to show: interval widths, and comparisons settled in full.

    The widths are those at the precision ``expect``; ``sentences`` say which difference sets fit the budget.
    """

    sample: Sample
    expected: tuple[ExpectedWidth, ...]
    difference_sets: tuple[DifferenceSets, ...]
    expect: float
    level: float
    sentences: tuple[Sentence, ...]

    def __str__(self) -> str:
        return "\n".join(map(str, (self.sample, *self.sentences)))

    def as_json(self) -> dict[str, Any]:
        """The design's own keys, then the widths and sets, then the rows of the sample."""
        names = ("expected", "difference_sets", "expect", "level", "sentences")
        return {**self.sample.details, **{name: getattr(self, name) for name in names}, "sample": self.sample.table}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SampleBudget":
        sample = Sample.from_details(pl.DataFrame(data["sample"], infer_schema_length=None), data)
        kinds = {name: kind for name, kind in get_type_hints(cls).items() if name != "sample"}
        return cls(sample=sample, **{name: from_json(kind, data[name]) for name, kind in kinds.items()})


def sample_budget(sample: Sample, candidates: Any, options: SampleOptions) -> SampleBudget:
    """What judging a sample can show, compared with the same number of judgements under the other designs."""
    whole_list, expect, level = candidate_list(candidates, sample.key), options.expect, options.level
    frame = sampling_frame(sample, whole_list)
    sets = difference_sets(frame.rankings, frame.best, budget=len(sample))
    whole = has_whole_lists(sample.design)
    sentences = _difference_set_sentences(sets) if whole else [_sample_of_sets_sentence(sample, sets[0], expect, level)]
    return SampleBudget(
        sample=sample,
        expected=tuple(compare_designs(frame, len(sample), precision=expect, level=level)) if whole else (),
        difference_sets=tuple(sets),
        expect=expect,
        level=level,
        sentences=(*sentences, *_cut_runs(whole_list.table, frame.rankings, [entry.n for entry in sets if entry.fits])),
    )


def _sample_of_sets_sentence(sample: Sample, sets: DifferenceSets, expect: float, level: float) -> Sentence:
    """What a sample of the difference sets alone can show."""
    only = "It says nothing about the precision of either list, the baseline, other measures or other list sizes."
    if sets.fits:
        text = (
            f"The sample holds both difference sets in full ({sets.candidates:,} candidates): judging them settles "
            f"{sets.a} vs. {sets.b} at n = {sets.n:,} without sampling error. {only}"
        )
        return Sentence(code="difference_in_full", text=text)
    one, two = (
        expect * (1 - expect) * (1 - stratum.rate) / max(stratum.sampled, 1) for stratum in sample.strata.values()
    )
    width = 2 * NormalDist().inv_cdf((1 + level) / 2) * (one + two) ** 0.5 * sets.candidates / 2 / sets.n
    text = (
        f"{sets.a} vs. {sets.b} at n = {sets.n:,}: {len(sample):,} of {sets.candidates:,} candidates of both "
        f"difference sets. If the precision in both is {expect:g}, the {level:.0%} interval of the difference in "
        f"precision will be about {100 * width:.1f} percentage points wide. {only}"
    )
    return Sentence(code="difference_in_part", text=text)


def _difference_set_sentences(sets: Sequence[DifferenceSets]) -> list[Sentence]:
    """The comparisons that the budget can settle, the first few of them in words."""
    fitting = [entry for entry in sets if entry.fits]
    if sets and not fitting:
        least = min(sets, key=lambda entry: entry.candidates)
        which = f"{least.a} and {least.b} at n = {least.n:,}"
        text = (
            "The budget is too small to judge any two difference sets in full; "
            f"the smallest have {least.candidates:,} candidates ({which})."
        )
        return [Sentence(code="no_difference_sets_fit", text=text)]
    sentences = [Sentence(code="difference_sets_fit", text=str(entry)) for entry in fitting[:TOLD]]
    if len(fitting) > TOLD:
        more = f"{len(fitting) - TOLD} more comparisons can be settled this way; the JSON lists them."
        sentences.append(Sentence(code="more_difference_sets_fit", text=more))
    return sentences


def _cut_runs(table: pl.DataFrame, rankings: Mapping[str, Ranking], sizes: Sequence[int]) -> Iterator[Sentence]:
    """Where the seed decides which of some equal scores are in a list, and with them in the difference sets."""
    compared = {name: rounded_column(table, name) for name in rankings}
    for n in sorted(set(sizes)):
        lists = {name: compared[name].gather(ranking.best_first[:n]) for name, ranking in rankings.items()}
        runs = {name: int(compared[name].eq_missing(scores[-1]).sum()) for name, scores in lists.items()}
        cut = [name for name, scores in lists.items() if scores.eq_missing(scores[-1]).sum() < runs[name]]
        if not cut:
            continue
        ties = join_words([f"{runs[name]:,} equal scores of {name}" for name in cut])
        text = (
            f"Ties: n = {n:,} falls inside a run of {ties}, and the seed decides which of them are in the list; what "
            "its difference sets settle holds for that order of ties."
        )
        below = _largest_without_ties(lists.values(), n)
        offer = f" At n = {below:,}, no run is cut." if below else ""
        yield Sentence(code="ties", text=text + offer, warning=True)


def _largest_without_ties(lists: Iterable[pl.Series], n: int) -> int:
    """The next list size below n that cuts no run of equal scores; 0 if there is none."""
    goes_on = np.zeros(n - 1, dtype=bool)  # whether the last of a list of 1, 2, … equals the one behind it
    for scores in lists:
        goes_on |= scores.head(-1).eq_missing(scores.tail(-1)).to_numpy()
    return int(np.max(np.flatnonzero(~goes_on) + 1, initial=0))


def expected_widths(
    frame: Frame,
    total: int,
    *,
    at: Sequence[int] | None = None,
    precision: float = 0.5,
    level: float = 0.95,
) -> list[ExpectedWidth]:
    """The expected width of the interval of each list size, where the precision is as given in every stratum."""
    if not 0 <= precision <= 1:
        raise InvalidInputError(f"The expected precision must be a share between 0 and 1, not {precision:g}.")
    rates = frame.rates(frame.allocation(total))
    return [_expected(frame, rates, n, precision, level) for n in at or frame.best]


def compare_designs(frame: Frame, total: int, *, precision: float = 0.5, level: float = 0.95) -> list[ExpectedWidth]:
    """The same budget under every design that can be drawn with it."""
    choices: list[tuple[str, str]] = [("simple", "cells")]
    if frame.rankings:
        choices += [("union", "cells"), ("strata", "bands"), ("strata", "cells")]
    rows: list[ExpectedWidth] = []
    for design, strata in choices:
        other = make_frame(frame.keys, frame.rankings, design=design, best=frame.best, strata=strata, ties=frame.ties)
        if np.minimum(other.sizes, FEWEST).sum() <= total <= other.sizes.sum():
            rows += expected_widths(other, total, at=frame.best, precision=precision, level=level)
    return rows


def difference_sets(rankings: Mapping[str, Ranking], sizes: Iterable[int], *, budget: int) -> list[DifferenceSets]:
    """For all pairs of measures and list sizes: how many candidates their difference sets have."""
    rows = []
    for n in sizes:
        for a, b in combinations(rankings, 2):
            overlap = int(((rankings[a].ranks <= n) & (rankings[b].ranks <= n)).sum())
            rows.append(
                DifferenceSets(
                    a=a, b=b, n=n, overlap=overlap, candidates=2 * (n - overlap), fits=2 * (n - overlap) <= budget
                )
            )
    return rows


def _expected(frame: Frame, rates: Reals, n: int, precision: float, level: float) -> ExpectedWidth:
    lists = [rates[ranking.ranks <= n] for ranking in frame.rankings.values()] or [rates[:n]]
    return ExpectedWidth(
        design=frame.design,
        strata_by=frame.strata_by,
        n=n,
        sampled=float(np.mean([inside.sum() for inside in lists])),
        width=float(np.mean([_width(inside, precision, level) for inside in lists])),
        baseline=bool((rates > 0).all()),
    )


def _width(rates: Reals, precision: float, level: float) -> float:
    """Exact where all rates are equal; otherwise by the variance of the weighted mean, finite strata considered."""
    n, m = len(rates), round(float(rates.sum()))
    if (rates == 0).any():
        return 1.0
    if np.ptp(rates) < 1e-12:
        low, high = hypergeometric(round(precision * m), m, n, level=level)
        return float(high - low) / n
    variance = precision * (1 - precision) * float(((1 - rates) / rates).sum()) / n**2
    return float(min(1.0, 2 * NormalDist().inv_cdf((1 + level) / 2) * variance**0.5))

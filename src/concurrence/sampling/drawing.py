"""Drawing what people will judge, and drawing more of it later."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.arrays import Integers
from concurrence.core.candidates import find_places
from concurrence.core.designs import DESIGNS
from concurrence.core.errors import InvalidInputError
from concurrence.core.frames import refuse_in_fork
from concurrence.core.samples import EVERYBODY, Sample, Stratum, inclusion
from concurrence.kernels.ranking import key_order
from concurrence.sampling.frame import Frame, candidate_list, list_sizes, make_frame, sampling_frame
from concurrence.sampling.options import SampleOptions

# Independent streams of one seed; the bare seed itself breaks the ties of the ranks.
DRAW, ORDER, PARTS = 1, 2, 3


def draw_sample(candidates: Any, options: SampleOptions, *, key: Sequence[str] | None = None) -> Sample:
    """Draw a random sample of candidates, in random order, each with its probability.

    ``candidates`` are scored pairs, or any frame with key columns; the result does not depend on their order. The rate
    is a share of the whole list, whatever the design; without a size or rate, difference sets are drawn in full.

    >>> frame = pl.DataFrame({"l1": list("abcdefgh"), "l2": "x", "MI": range(8)})
    >>> sample = draw_sample(frame, SampleOptions(size=3, seed=1))
    >>> len(sample), sample.table["probability"].to_list()
    (3, [0.375, 0.375, 0.375])
    """
    refuse_in_fork()
    whole, design, seed = candidate_list(candidates, key), options.design, options.seed
    sizes = list_sizes(options.best, population=len(whole.table), design=design)
    rankings = whole.rank(options.measures, seed=seed, best=sizes)
    frame = make_frame(
        whole.ties.keys, rankings, design=design, best=options.best, strata=options.strata, ties=whole.ties
    )
    if options.strata == "bands" and design != "strata":
        raise InvalidInputError(f"Bands of best rank need the design 'strata', not {design!r}.")
    if options.replacement and design != "simple":
        raise InvalidInputError(f"Drawing with replacement needs the design 'simple', not {design!r}.")
    in_full = not DESIGNS[design].whole_lists and options.size is None and options.rate is None
    total = int(frame.sizes.sum()) if in_full else number_to_draw(options, population=len(frame))
    sampled = np.array([total]) if options.replacement else frame.allocation(total)
    none = np.zeros(len(frame), dtype=np.int64)
    drawn = _draw(frame, sampled, none, seed=(seed, DRAW), replacement=options.replacement)
    members = np.flatnonzero(drawn)
    rows = np.random.default_rng((seed, ORDER)).permutation(members[key_order(frame.keys[members])])
    parts = 1 if options.parts is None else options.parts
    labels = deal_parts(len(rows), parts, options.overlap, seed=(seed, PARTS))
    return _sample(frame, rows, drawn, sampled, labels, rank_seed=seed, replacement=options.replacement)


def extend_sample(sample: Sample, candidates: Any, options: SampleOptions) -> Sample:
    """Draw more from the same candidates, up to a size in total; what was drawn before stays and comes first.

    A random sample of the rest, added to a random sample, is again a random sample: every stratum
    keeps equal probabilities. The candidates must be those of the first draw, with the same scores.
    """
    refuse_in_fork()
    frame, seed = _same_frame(sample, candidates), options.seed
    total = number_to_draw(options, population=len(frame))
    if total <= sample.size:
        raise InvalidInputError(
            f"The sample already has {sample.size} candidates; ask for more than that in total, not for {total}."
        )
    before = np.array([sample.strata[name].sampled if name in sample.strata else 0 for name in frame.strata])
    sampled = np.array([total]) if sample.replacement else frame.allocation(total, least=before)
    old, counts = _old_rows(sample, frame)
    stream = (seed, DRAW, sample.size)
    drawn = _draw(frame, sampled - before, counts, seed=stream, replacement=sample.replacement)
    new = np.flatnonzero((drawn > 0) & (counts == 0))
    new = np.random.default_rng((seed, ORDER, sample.size)).permutation(new)
    parts = options.parts or _parts_of(sample)
    new_labels = deal_parts(len(new), parts, options.overlap, seed=(seed, PARTS, sample.size))
    labels = [*sample.table["part"].cast(pl.String).to_list(), *new_labels]
    rows = np.concatenate([old, new])
    return _sample(frame, rows, drawn, sampled, labels, rank_seed=sample.rank_seed, replacement=sample.replacement)


def number_to_draw(options: SampleOptions, *, population: int) -> int:
    """How many candidates to draw: a size, or a share of the whole list."""
    size, rate = options.size, options.rate
    if (size is None) == (rate is None):
        raise InvalidInputError("Give either a size or a rate, such as --size 500 or --rate 10%.")
    if rate is not None and not 0 < rate <= 1:
        raise InvalidInputError(f"The rate must be above 0 and at most 1 (100%), not {rate:g}.")
    total = round(rate * population) if rate is not None else int(size or 0)
    if total < 1:
        raise InvalidInputError(f"At least one candidate must be drawn, not {total}.")
    return total


def deal_parts(count: int, parts: int, overlap: float, *, seed: Sequence[int]) -> list[str]:
    """Who judges what: parts 1 … K of equal size, and a share ``overlap`` for everyone."""
    if parts < 1:
        raise InvalidInputError(f"There must be at least one part, not {parts}.")
    if not 0 <= overlap <= 1:
        raise InvalidInputError(f"The overlap must be a share between 0 and 1 (100%), not {overlap:g}.")
    common = round(overlap * count)
    labels = [EVERYBODY] * common + [str(i % parts + 1) for i in range(count - common)]
    return [labels[i] for i in np.random.default_rng(tuple(seed)).permutation(count)]


def _draw(frame: Frame, more: Integers, counts: Integers, *, seed: Sequence[int], replacement: bool) -> Integers:
    """How often each candidate is drawn when ``more`` of each stratum are added to ``counts``."""
    rng = np.random.default_rng(tuple(seed))
    result = counts.copy()
    for stratum, number in enumerate(more):
        members = frame.members(stratum)
        if replacement:
            result[members] += np.bincount(rng.integers(0, len(members), number), minlength=len(members))
        else:
            result[rng.choice(members[counts[members] == 0], number, replace=False)] = 1
    return result


def _sample(
    frame: Frame,
    rows: Integers,
    drawn: Integers,
    sampled: Integers,
    parts: list[str],
    *,
    rank_seed: int,
    replacement: bool,
) -> Sample:
    sizes = zip(frame.strata, frame.sizes, sampled, strict=True)
    strata = {name: Stratum(size=int(size), sampled=int(number)) for name, size, number in sizes}
    chance = np.array([inclusion(one, replacement=replacement) for one in strata.values()])[frame.stratum[rows]]
    table = frame.keys[rows].with_columns(
        pl.Series("part", parts, dtype=pl.String),
        pl.Series("stratum", [frame.strata[number] for number in frame.stratum[rows]], dtype=pl.String),
        pl.Series("probability", chance),
        pl.Series("weight", 1 / chance),
    )
    if replacement:
        table = table.with_columns(pl.Series("multiplicity", drawn[rows]))
    return Sample(
        table=table,
        design=frame.design,
        population=len(frame),
        strata=strata,
        key=tuple(frame.keys.columns),
        best=frame.best,
        measures=tuple(frame.rankings),
        rank_seed=rank_seed,
        strata_by=frame.strata_by,
        replacement=replacement,
    )


def _same_frame(sample: Sample, candidates: Any) -> Frame:
    frame = sampling_frame(sample, candidates)
    sizes = dict(zip(frame.strata, frame.sizes.tolist(), strict=True))
    stored = {name: stratum.size for name, stratum in sample.strata.items()}
    if len(frame) != sample.population or sizes != stored:
        raise InvalidInputError(
            "The sample was drawn from other candidates or other scores; it can only be extended from the same ones."
        )
    return frame


def _old_rows(sample: Sample, frame: Frame) -> tuple[Integers, Integers]:
    """Where the rows of the sample stand among the candidates, and how often each candidate was drawn."""
    places = find_places(sample.table, frame.keys)
    rows = places.drop_nulls().to_numpy().astype(np.int64)
    strata = [frame.strata[number] if number >= 0 else "" for number in frame.stratum[rows]]
    if places.null_count() or strata != sample.table["stratum"].to_list():
        raise InvalidInputError("The sample has rows that are not among these candidates, or are in another stratum.")
    counts = np.zeros(len(frame), dtype=np.int64)
    counts[rows] = sample.table["multiplicity"].to_numpy() if sample.replacement else 1
    return rows, counts


def _parts_of(sample: Sample) -> int:
    return max((int(part) for part in sample.table["part"].to_list() if str(part).isdecimal()), default=1)

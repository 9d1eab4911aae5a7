"""The verbs on candidates: score them, draw a sample, evaluate the measures, estimate a rate, match two corpora.

Candidates are ``Pairs``, a frame, rows (mappings), or a file; ``key`` names the columns that identify one, by default
``l1`` and ``l2`` (``key="id"`` where one column does). Judgements (``gold``) are a frame, rows or a file with these
columns and ``tp``.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from concurrence.api.inputs import (
    also_takes,
    candidates_from,
    frame_from,
    judgements_from,
    names_from,
    numbers_from,
    pairs_from,
    sample_from,
)
from concurrence.core.errors import InvalidInputError

if TYPE_CHECKING:  # a verb loads what it needs and nothing else
    from concurrence.core.pairs import Pairs
    from concurrence.core.samples import Sample
    from concurrence.evaluation.results import Evaluation
    from concurrence.matching.matches import SentenceMatches
    from concurrence.prevalence.latent import LatentReport
    from concurrence.prevalence.results import RateReport

Key = str | Sequence[str] | None


def score(
    pairs: Any,
    measures: str | Iterable[str] = "default",
    *,
    define: str | Iterable[str] = (),
    ucs: bool = False,
    key: Key = None,
) -> "Pairs":
    """Add association scores; rows and their order stay as they are.

    ``pairs`` have the columns ``l1 l2 f f1 f2 N``; as rows they are in this order; ``key`` names other columns for the
    words. ``measures`` are names, ``default``, ``all`` or ``ucs``. ``define`` adds formulas such as ``"cosine = O /
    sqrt(R1 * C1)"``, which may stand among the names; so may columns of dispersion that the pairs have (``dp``), which
    stay as they are. A score whose limit is infinite is infinite, and null where nothing is defined; with ``ucs``,
    infinite scores are UCS's 10,000,000. Sequences (``l1 l2 l3`` with ``f f1 f2 f3 N f12 f13 f23``) are scored by the
    measures that have a published form for them. What a reader must know stands in ``extras["warnings"]``.

    >>> round(score([("a", "b", 110, 2552, 221, 31777)], "log_likelihood").table["log_likelihood"][0], 2)
    270.72
    """
    from concurrence.measures.scoring import score as score_pairs

    formulas = (define,) if isinstance(define, str) else define
    return score_pairs(pairs_from(pairs, key), measures, define=formulas, ucs=ucs)


def draw_sample(
    candidates: Any,
    *,
    size: int | None = None,
    rate: float | None = None,
    design: str = "simple",
    best: int | Sequence[int] | None = None,
    measures: str | Sequence[str] = (),
    between: str | Sequence[str] = (),
    strata: str = "cells",
    replacement: bool = False,
    parts: int = 1,
    overlap: float = 0.0,
    seed: int = 0,
    key: Key = None,
) -> "Sample":
    """Draw a random sample of candidates, in random order, each with its probability.

    ``size`` is a number of candidates, ``rate`` a share of the whole list, whatever the ``design``. ``simple`` draws
    from the whole list, ``union`` from the union of the ``best`` lists of the ``measures``, ``strata`` from cells of
    n-best membership or bands of best rank (``strata="bands"``), ``difference`` from what the n-best lists of the two
    measures ``between`` which one has to decide do not share, in full without a size or rate. ``replacement`` may draw
    a candidate more than once. ``key`` names the columns that identify a candidate. ``parts`` deals the sample out to
    as many coders, who all judge the share ``overlap``. The result does not depend on the order of the candidates.
    """
    from concurrence.core.designs import DESIGNS
    from concurrence.sampling.drawing import draw_sample as draw
    from concurrence.sampling.options import SampleOptions

    if between and measures and names_from(between) != names_from(measures):
        raise InvalidInputError(
            f"The design {design!r} takes its score columns from measures= or from between=, not both."
        )
    if between and design in DESIGNS and DESIGNS[design].whole_lists:
        raise InvalidInputError(f"between= is for the design 'difference', not for {design!r}; use measures=.")
    options = SampleOptions(
        size=size,
        rate=rate,
        design=design,
        best=None if best is None else numbers_from(best),
        measures=names_from(measures or between),
        strata=strata,
        replacement=replacement,
        parts=parts,
        overlap=overlap,
        seed=seed,
    )
    table, columns = candidates_from(candidates, key)
    return draw(table, options, key=columns)


def extend_sample(
    sample: Any,
    candidates: Any,
    *,
    size: int | None = None,
    rate: float | None = None,
    parts: int | None = None,
    overlap: float = 0.0,
    seed: int = 0,
) -> "Sample":
    """Draw more from the same candidates, up to ``size`` in total; what was drawn before stays and comes first.

    ``sample`` is a sample or its file. A random sample of the rest, added to a random sample, is again a random sample:
    every stratum keeps equal probabilities. The candidates must be those of the first draw, with the same scores;
    ``size``, ``rate``, ``parts`` and ``overlap`` are those of :func:`draw_sample`.
    """
    from concurrence.sampling.drawing import extend_sample as extend
    from concurrence.sampling.options import SampleOptions

    first = sample_from(sample)
    if first is None:
        raise InvalidInputError("There is no sample to extend; draw one with draw_sample.")
    table, _ = candidates_from(candidates, first.key)
    options = SampleOptions(size=size, rate=rate, parts=parts, overlap=overlap, seed=seed)
    return extend(first, table, options)


@also_takes(rankings="ranking", filters="filter", thresholds="threshold", simulate="simulate_sample")
def evaluate(
    scored: Any,
    gold: Any,
    *,
    measures: str | Sequence[str],
    key: Key = None,
    sample: Any = None,
    ranking: Mapping[str, Any] | None = None,
    filter: Mapping[str, Any] | None = None,  # noqa: A002 - as on the command line
    n: int | Sequence[int] | None = None,
    interval: str | None = None,
    level: float = 0.95,
    band: str = "pointwise",
    test: str = "minlike",
    correct: bool = False,
    correction: str | None = None,
    above: float | Sequence[float] = (),
    threshold: Mapping[str, float] | None = None,
    window: int = 400,
    tie_draws: int = 1,
    simulate_sample: float | None = None,
    proxy: str | None = None,
    coder_uncertainty: str | None = None,
    chart_by: str = "n",
    anytime: bool = False,
    learn: bool = False,
    seed: int = 0,
    titles: Mapping[str, str] | None = None,
) -> "Evaluation":
    """Find out which measure ranks true positives highest, with confidence regions and tests.

    ``scored`` is a list of candidates, identified by ``key``, with a column of scores for each of the ``measures``;
    ``gold`` are the judgements. Without ``sample`` (a sample or its file) the judged candidates count as a simple
    random sample, or as a census where all are judged. ``ranking`` are tables with ``rank`` or ``score`` by name,
    ``filter`` tables of candidates, or None for a column of ``scored`` by that name; ``threshold`` cuts a measure at a
    score. ``n`` are the list sizes, by default about 150. ``interval`` names the method, ``level`` its level, ``band``
    is ``pointwise`` or ``simultaneous``; ``test`` compares two measures, ``correct`` adjusts for testing many sizes, by
    ``correction`` (``flips`` or ``holm``). ``above`` are precisions to find the largest list for; ``window`` smooths
    local precision. ``tie_draws`` breaks ties so often at random, ``simulate_sample`` evaluates a random share of a
    census. ``proxy`` is a column with a model's judgement of every candidate, ``coder_uncertainty`` (``votes`` or
    ``posterior``) carries the coders' errors into the intervals, ``anytime`` gives limits that hold at every look,
    ``learn`` adds a ranking learned from the judgements. ``chart_by`` is the axis of the chart, and ``titles`` are
    names of measures as sentences and charts write them.

    >>> rows = [{"l1": word, "l2": "x", "f": f, "tp": int(f > 2)} for word, f in zip("abcd", (4, 3, 2, 1))]
    >>> evaluate(rows, rows, measures="f", n=[2, 4]).measures["f"].precision.tolist()
    [1.0, 0.5]
    """
    from concurrence.evaluation.options import EvaluateOptions
    from concurrence.evaluation.study import evaluate as evaluate_list

    options = EvaluateOptions(
        n=None if n is None else numbers_from(n),
        interval=interval,
        level=level,
        band=band,
        test=test,
        correction=correction or ("flips" if correct else None),
        above=numbers_from(above),
        thresholds=threshold or {},
        window=window,
        tie_draws=tie_draws,
        simulate=simulate_sample,
        proxy=proxy,
        coder_uncertainty=coder_uncertainty,
        chart_by=chart_by,
        anytime=anytime,
        learn=learn,
        seed=seed,
        titles=titles or {},
    )
    table, columns = candidates_from(scored, key)
    return evaluate_list(
        table,
        judgements_from(gold),
        options,
        measures=names_from(measures),
        key=columns,
        sample=sample_from(sample),
        rankings=None if ranking is None else {name: frame_from(one) for name, one in ranking.items()},
        filters=None
        if filter is None
        else {name: None if one is None else frame_from(one) for name, one in filter.items()},
    )


@also_takes(judges="judge", clusters="cluster")
def rate(
    candidates: Any,
    gold: Any,
    *,
    judge: str | Sequence[str],
    key: Key = None,
    sample: Any = None,
    level: float = 0.95,
    coder_uncertainty: str | None = None,
    cluster: str | None = None,
    width: float | None = None,
    next_items: int | None = None,
    anytime: bool = False,
    seed: int = 0,
) -> "RateReport":
    """How many of a list are true, from judges of all of it and people on a sample.

    ``candidates`` is the whole list, identified by ``key``, with a column for each ``judge``: 1/0, yes/no, true/false,
    or a score. ``gold`` are people's judgements; without ``sample`` (a sample or its file) the judged ones count as a
    simple random sample. ``coder_uncertainty`` (``votes`` or ``posterior``) carries the coders' errors into the
    interval, ``cluster`` names a column of documents, ``width`` asks how many more judgements a width needs,
    ``next_items`` which so many candidates to judge next, and ``anytime`` gives the interval that holds at every look.
    """
    from concurrence.prevalence.estimate import rate as estimate_rate
    from concurrence.prevalence.options import RateOptions

    options = RateOptions(
        level=level,
        coder_uncertainty=coder_uncertainty,
        clusters=cluster,
        width=width,
        next_items=next_items,
        anytime=anytime,
        seed=seed,
    )
    table, columns = candidates_from(candidates, key)
    return estimate_rate(
        table, judgements_from(gold), options, judges=names_from(judge), key=columns, sample=sample_from(sample)
    )


@also_takes(judges="judge")
def rate_without_gold(
    candidates: Any, *, judge: str | Sequence[str], by: str | None = None, level: float = 0.95, seed: int = 0
) -> "LatentReport":
    """Rates and errors from what judges said alone: two judges and two parts (``by``), or three judges and more.

    ``candidates`` has a column of 1/0, yes/no or true/false for each ``judge``, and may have a column ``count``;
    ``level`` is that of the intervals, ``seed`` starts the search.
    """
    from concurrence.prevalence.latent import rate_without_gold as estimate
    from concurrence.prevalence.options import RateOptions

    options = RateOptions(level=level, seed=seed)
    return estimate(frame_from(candidates), options, judges=names_from(judge), by=by)


def match(
    left: Any,
    right: Any,
    *,
    similarity: float = 0.75,
    columns: Mapping[str, str] | None = None,
    progress: Any = None,
) -> "SentenceMatches":
    """Align two independently annotated corpora, one to one within each target word.

    ``left`` and ``right`` are frames, rows or files with the columns id, text, word and label, or those that
    ``columns`` names. Exact matches are identical, apart from full stops and hyphens. In close ones, at least the share
    ``similarity`` of the left sentence's words occurs in the right sentence, in the same order. Pairs are taken
    greedily by similarity, then left id, then right id (as text, by code point).

    References: Ng, Lim & Foo (1999), section 3.
    """
    from concurrence.matching.matches import match_sentences
    from concurrence.matching.options import MatchOptions
    from concurrence.matching.sentences import Annotated

    options = MatchOptions(similarity=similarity, progress=progress)
    first, second = (
        Annotated.from_frame(frame_from(side), name=name, columns=columns)
        for side, name in ((left, "left"), (right, "right"))
    )
    return match_sentences(first, second, options)

"""``spans``: agreement on marked stretches, with intervals, pairs of coders and a list of disagreements."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from concurrence.agreement.spans.alignment import Dissimilarity
from concurrence.agreement.spans.assess import (
    ENOUGH_DIFFERENCES,
    ENOUGH_DOCUMENTS,
    METHOD,
    Resampling,
    assess_span_coefficient,
)
from concurrence.agreement.spans.gamma import ChanceAlignment, ChanceSampling, align_with_chance
from concurrence.agreement.spans.matching import Matches, exact_matches, overlap_matches
from concurrence.agreement.spans.options import SpansOptions
from concurrence.agreement.spans.positions import Pieces, pieces_of
from concurrence.agreement.spans.results import (
    Disagreement,
    PositionDifferences,
    SpanCoefficient,
    SpanData,
    SpanPair,
    SpanReport,
)
from concurrence.agreement.spans.sentences import span_cautions, span_sentences
from concurrence.agreement.spans.study import Estimator, SpanStudy
from concurrence.agreement.spans.table import SPAN_MEASURES, SpanMeasure
from concurrence.agreement.spans.token_kappa import kappa_of_two
from concurrence.core.arrays import Integers, Reals
from concurrence.core.coder_kinds import coder_kinds
from concurrence.core.errors import InvalidInputError, UndefinedError, UnknownNameError
from concurrence.core.spans import Spans

MOST_PAIRS = 200  # of coders, up to which their figures have intervals
PAIR_FIGURES = ("f1_exact", "precision", "recall", "f1_overlap", "token_kappa")


_Mark = tuple[int, int, int]
"""Start and end in the document, and the number of the label."""
_Marks = tuple[_Mark, ...]


def analyse_spans(spans: Spans, options: SpansOptions) -> SpanReport:
    """Compute the coefficients with intervals, compare every two coders, and list where they differ."""
    if len(spans.coders) < 2:
        raise InvalidInputError(
            f"Agreement needs at least two coders; there is only {', '.join(spans.coders) or 'none'}."
        )
    study = SpanStudy.of(spans, options.reference)
    if not study.n_documents:
        raise InvalidInputError("No document was read by two coders, so there is nothing to compare.")
    pieces, resampling = pieces_of(study), Resampling.of(study.n_documents, options)
    coefficients = _coefficients(study, pieces, resampling, options)
    leading = next((name for name, one in coefficients.items() if one.defined), next(iter(coefficients)))
    data = _data(spans, study)
    differences, disagreements = position_differences(study, pieces, resampling), span_disagreements(study)
    uses_chance = bool({"gamma", "gamma_cat"} & set(coefficients))
    return SpanReport(
        data=data,
        coders=coder_kinds(data.coders, spans.kinds),
        coefficients=coefficients,
        leading=leading,
        pairs=_pairs(study, pieces, resampling),
        reference=options.reference,
        differences=differences,
        disagreements=disagreements,
        level=options.level,
        bootstrap=len(resampling.draws),
        seed=options.seed if len(resampling.draws) or uses_chance else None,
        sentences=span_sentences(data, coefficients[leading], differences, disagreements),
        warnings=span_cautions(data, spans.warnings, coefficients[leading], bool(len(resampling.draws))),
    )


def _coefficients(
    study: SpanStudy, pieces: Pieces, resampling: Resampling, options: SpansOptions
) -> dict[str, SpanCoefficient]:
    rows = _select_measures(options.coefficients)
    alignment, why = _alignment(study, options) if any(row.needs == "alignment" for row in rows) else (None, None)
    coefficients = {}
    for row in rows:
        if row.needs == "alignment" and alignment is None:
            estimator = Estimator(kind="disorder", parts=None, note=why)
        else:
            needs = {"study": (study,), "pieces": (study, pieces), "alignment": (alignment,)}[row.needs]
            estimator = row.function(*needs)
        coefficients[row.name] = assess_span_coefficient(row, estimator, resampling)
    return coefficients


def _select_measures(names: Sequence[str] | None) -> list[SpanMeasure]:
    for name in names or ():
        if name not in SPAN_MEASURES:
            raise UnknownNameError("coefficient for spans", name, SPAN_MEASURES)
    return [row for name, row in SPAN_MEASURES.items() if names is None or name in names]


def _alignment(study: SpanStudy, options: SpansOptions) -> tuple[ChanceAlignment | None, str | None]:
    if not len(study.spans):
        return None, "Gamma is undefined: nobody marked anything."
    how = Dissimilarity(alpha=options.alpha, beta=options.beta, empty=options.empty)
    chance = ChanceSampling(sampler=options.sampler, draws=options.samples, seed=options.seed)
    try:
        return align_with_chance(study, how, chance, options.progress), None
    except UndefinedError as error:
        return None, str(error)


def _data(spans: Spans, study: SpanStudy) -> SpanData:
    kept = study.spans
    table = np.zeros((len(kept.coders), len(kept.labels)), dtype=np.int64)
    np.add.at(table, (kept.coder, kept.label), 1)
    counts = {
        coder: dict(zip(kept.labels, row.tolist(), strict=True)) for coder, row in zip(kept.coders, table, strict=True)
    }
    return SpanData(
        documents=study.n_documents,
        coders=kept.coders,
        labels=kept.labels,
        spans=len(kept),
        positions=int(kept.lengths.sum()),
        dropped=len(spans.documents) - study.n_documents,
        counts=counts,
    )


def _pairs(study: SpanStudy, pieces: Pieces, resampling: Resampling) -> tuple[SpanPair, ...]:
    matches = list(zip(exact_matches(study), overlap_matches(study), strict=True))
    if len(matches) > MOST_PAIRS:
        resampling = replace(resampling, draws=resampling.draws[:0])
    return tuple(_pair(study, pieces, resampling, exact, overlap) for exact, overlap in matches)


def _pair(study: SpanStudy, pieces: Pieces, resampling: Resampling, exact: Matches, overlap: Matches) -> SpanPair:
    a, b = exact.coders
    both = study.spans.read[:, a] & study.spans.read[:, b]
    counts, touching, kappa = exact.counts(), overlap.counts(), kappa_of_two(study, pieces, a, b)

    def values(weights: Reals) -> Reals:
        others = [touching.f1(weights)[..., None], kappa.values(weights)[..., None]]
        return np.concatenate([counts.shares(weights), *others], axis=-1)

    figures = dict(zip(PAIR_FIGURES, values(resampling.ones).tolist(), strict=True))
    against_reference = study.reference is not None
    names = [name for name in PAIR_FIGURES if against_reference or name not in ("precision", "recall")]
    intervals = resampling.intervals(values, PAIR_FIGURES)
    return SpanPair(
        coders=(study.spans.coders[a], study.spans.coders[b]),
        documents=int(both.sum()),
        spans=(len(exact.document[0]), len(exact.document[1])),
        f1_exact=figures["f1_exact"],
        f1_overlap=figures["f1_overlap"],
        token_kappa=figures["token_kappa"],
        precision=figures["precision"] if against_reference else None,
        recall=figures["recall"] if against_reference else None,
        intervals={name: intervals[name] for name in names if name in intervals},
        trusted=len(counts.documents) >= ENOUGH_DOCUMENTS if intervals else None,
    )


def position_differences(study: SpanStudy, pieces: Pieces, resampling: Resampling) -> PositionDifferences:
    """Positions that two coders treat differently, summed over every two coders.

    About what: each has a label that the other lacks. About where: one of them marked nothing more than the other.
    """
    where, what = np.zeros(study.n_documents), np.zeros(study.n_documents)
    for a, b in study.pairs():
        one, other = pieces.signature[:, a], pieces.signature[:, b]
        both_read = pieces.read[:, a] & pieces.read[:, b]
        more, less = ((some & ~another).any(axis=-1) for some, another in ((one, other), (other, one)))
        exchanged, alone = both_read & more & less, both_read & (more ^ less)
        what += study.per_document(pieces.document[exchanged], pieces.length[exchanged])
        where += study.per_document(pieces.document[alone], pieces.length[alone])

    def parts(weights: Reals) -> tuple[Reals, Reals]:
        with np.errstate(invalid="ignore", divide="ignore"):
            share = np.asarray((weights @ what) / (weights @ (where + what)))
        return share, np.zeros_like(share)

    share = Estimator(kind="share", parts=parts)
    apart = int(np.count_nonzero(where + what))
    mixed = where.sum() > 0 and what.sum() > 0
    enough = apart >= ENOUGH_DOCUMENTS and mixed
    interval, _ = resampling.interval(resampling.replicates(share.values) if enough else np.zeros(0))
    return PositionDifferences(
        where=float(where.sum()),
        what=float(what.sum()),
        share=float(share.values(resampling.ones)),
        interval=interval,
        interval_method=None if np.isnan(interval.low) else METHOD,
        trusted=None if np.isnan(interval.low) else apart >= ENOUGH_DIFFERENCES,
        overlapping=pieces.overlapping is not None,
        documents=apart,
    )


def span_disagreements(study: SpanStudy) -> tuple[Disagreement, ...]:
    """The places, in order, where the readers of a document marked different spans."""
    texts: dict[_Marks, tuple[str, ...]] = {}
    each = (_disagreement(study, rows, texts) for rows in _places(study))
    return tuple(disagreement for disagreement in each if disagreement is not None)


def _places(study: SpanStudy) -> Iterator[Integers]:
    """Groups of overlapping spans, of all coders together."""
    start, end = study.start, study.end
    order = np.lexsort((end, start))
    if not len(order):
        return
    furthest = np.maximum.accumulate(end[order])
    breaks = np.flatnonzero(start[order][1:] >= furthest[:-1]) + 1
    for begin, after in pairwise([0, *breaks.tolist(), len(order)]):
        yield order[begin:after]


def _disagreement(study: SpanStudy, rows: Integers, texts: dict[_Marks, tuple[str, ...]]) -> Disagreement | None:
    """The disagreement at a place, if there is one; marks of the same positions and labels share their ``texts``."""
    spans = study.spans
    document = int(spans.document[rows[0]])
    readers = np.flatnonzero(spans.read[document]).tolist()
    marks: dict[int, list[_Mark]] = {reader: [] for reader in readers}
    for row in rows.tolist():
        marks[int(spans.coder[row])].append((int(spans.start[row]), int(spans.end[row]), int(spans.label[row])))
    sets = [frozenset(marked) for marked in marks.values()]
    if all(marked == sets[0] for marked in sets):
        return None
    start, end = int(spans.start[rows].min()), int(spans.end[rows].max())
    return Disagreement(
        document=spans.documents[document],
        start=start,
        end=end,
        kind=_kind(sets),
        text=spans.text(document, start, end),
        marks={spans.coders[reader]: _mark_texts(spans, marked, texts) for reader, marked in marks.items()},
    )


def _kind(sets: list[frozenset[_Mark]]) -> str:
    """``what`` where only labels differ, ``where`` where only extents do, otherwise both.

    Spans that all marked do not count, so that a span that some left out is about where, also inside another one.
    """
    common = frozenset.intersection(*sets)
    sets = [marked - common for marked in sets]
    if len({frozenset((start, end) for start, end, _ in marked) for marked in sets}) == 1:
        return "what"
    labels = {frozenset(label for _, _, label in marked) for marked in sets if marked}
    return "where" if len(labels) == 1 else "where and what"


def _mark_texts(spans: Spans, marked: list[_Mark], texts: dict[_Marks, tuple[str, ...]]) -> tuple[str, ...]:
    marks = tuple(sorted(marked))
    if marks not in texts:
        texts[marks] = tuple(f"{spans.labels[label]} {start}–{end}" for start, end, label in marks)
    return texts[marks]

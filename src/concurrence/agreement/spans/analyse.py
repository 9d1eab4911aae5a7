"""``spans``: how well coders agree on marked stretches, and how sure one can be of it."""

from collections.abc import Sequence

import numpy as np

from concurrence.agreement.spans.alignment import Dissimilarity
from concurrence.agreement.spans.assess import Resampling, assess_span_coefficient
from concurrence.agreement.spans.differences import position_differences, span_disagreements
from concurrence.agreement.spans.gamma import Aligned, ChanceSampling, aligned
from concurrence.agreement.spans.matching import PartnerCounts, exact_matches, overlap_matches
from concurrence.agreement.spans.options import SpansOptions
from concurrence.agreement.spans.positions import Pieces, pieces_of
from concurrence.agreement.spans.results import SpanCoefficient, SpanData, SpanPair, SpanReport
from concurrence.agreement.spans.sentences import span_cautions, span_sentences
from concurrence.agreement.spans.study import Estimator, SpanStudy
from concurrence.agreement.spans.table import SPAN_MEASURES, SpanMeasure
from concurrence.agreement.spans.token_kappa import kappa_of_two
from concurrence.core.errors import InvalidInputError, UndefinedError, UnknownNameError
from concurrence.core.spans import Spans


def analyse_spans(spans: Spans, options: SpansOptions) -> SpanReport:
    """Every coefficient with its interval, every two coders, and every place where they differ."""
    if len(spans.coders) < 2:
        raise InvalidInputError(
            f"Agreement needs at least two coders; there is only {', '.join(spans.coders) or 'none'}."
        )
    study = SpanStudy.of(spans, options.reference)
    if not study.n_documents:
        raise InvalidInputError("No document was read by two coders, so there is nothing to compare.")
    pieces, resampling = pieces_of(study), Resampling.of(study.n_documents, options)
    found = _coefficients(study, pieces, resampling, options)
    leading = next((name for name, one in found.items() if one.defined), next(iter(found)))
    data = _data(spans, study)
    apart, places = position_differences(study, pieces, resampling), span_disagreements(study)
    uses_chance = bool({"gamma", "gamma_cat"} & set(found))
    return SpanReport(
        data=data,
        coefficients=found,
        leading=leading,
        pairs=_pairs(study, pieces),
        reference=options.reference,
        differences=apart,
        disagreements=places,
        level=options.level,
        bootstrap=len(resampling.draws),
        seed=options.seed if len(resampling.draws) or uses_chance else None,
        sentences=span_sentences(data, found[leading], apart, places),
        warnings=span_cautions(data, spans.warnings, found[leading], bool(len(resampling.draws))),
    )


def _coefficients(
    study: SpanStudy, pieces: Pieces, resampling: Resampling, options: SpansOptions
) -> dict[str, SpanCoefficient]:
    rows = _wanted(options.coefficients)
    alignment, why = _aligned(study, options) if any(row.needs == "alignment" for row in rows) else (None, None)
    found = {}
    for row in rows:
        if row.needs == "alignment" and alignment is None:
            estimator = Estimator(kind="disorder", parts=None, note=why)
        else:
            needs = {"study": (study,), "pieces": (study, pieces), "alignment": (alignment,)}[row.needs]
            estimator = row.function(*needs)
        found[row.name] = assess_span_coefficient(row, estimator, resampling)
    return found


def _wanted(names: Sequence[str] | None) -> list[SpanMeasure]:
    for name in names or ():
        if name not in SPAN_MEASURES:
            raise UnknownNameError("coefficient for spans", name, SPAN_MEASURES)
    return [row for name, row in SPAN_MEASURES.items() if names is None or name in names]


def _aligned(study: SpanStudy, options: SpansOptions) -> tuple[Aligned | None, str | None]:
    if not len(study.spans):
        return None, "Gamma is undefined: nobody marked anything."
    how = Dissimilarity(alpha=options.alpha, beta=options.beta, empty=options.empty)
    chance = ChanceSampling(sampler=options.sampler, draws=options.samples, seed=options.seed)
    try:
        return aligned(study, how, chance, options.progress), None
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


def _pairs(study: SpanStudy, pieces: Pieces) -> tuple[SpanPair, ...]:
    matches = zip(exact_matches(study), overlap_matches(study), strict=True)
    return tuple(_pair(study, pieces, exact, overlap) for exact, overlap in matches)


def _pair(study: SpanStudy, pieces: Pieces, exact: PartnerCounts, overlap: PartnerCounts) -> SpanPair:
    a, b = exact.coders
    ones = np.ones(study.n_documents)
    first, second, matched = (int(sums.sum()) for sums in (exact.first, exact.second, exact.matched))
    reference = study.reference is not None
    return SpanPair(
        coders=(study.spans.coders[a], study.spans.coders[b]),
        documents=int((study.spans.read[:, a] & study.spans.read[:, b]).sum()),
        spans=(first, second),
        f1_exact=float(exact.f1(ones)),
        f1_overlap=float(overlap.f1(ones)),
        token_kappa=kappa_of_two(study, pieces, a, b),
        precision=(matched / second if second else float("nan")) if reference else None,
        recall=(matched / first if first else float("nan")) if reference else None,
    )

"""From candidates and judgements to an evaluation."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from concurrence.core.arrays import Reals
from concurrence.core.candidates import check_keys, score_column
from concurrence.core.designs import has_whole_lists, is_by_rank
from concurrence.core.errors import InvalidInputError, option_or_keyword
from concurrence.core.frames import frame_of, refuse_in_fork
from concurrence.core.judgements import YES, Judgements
from concurrence.core.pairs import candidates_of
from concurrence.core.samples import Sample
from concurrence.core.sentences import Sentence, warnings_of
from concurrence.evaluation import learning, pairwise, sources
from concurrence.evaluation import sentences as words
from concurrence.evaluation.above import above_sentences, largest_above
from concurrence.evaluation.comparisons import compare_all
from concurrence.evaluation.correction import ListCells, SignedLists, correct_against_rest
from concurrence.evaluation.curves import baseline, curve, tie_draws, ties_of, widen_intervals
from concurrence.evaluation.findings import baseline_findings
from concurrence.evaluation.lists import Counter, evaluated_sizes
from concurrence.evaluation.options import EvaluateOptions, choose_method
from concurrence.evaluation.proxy import proxy_estimate
from concurrence.evaluation.results import Curve, Data, Evaluation, Finding, MeasureComparison, Method
from concurrence.kernels import estimates
from concurrence.kernels.estimates import StratumCounts
from concurrence.kernels.ranking import (
    Ranking,
    TieBreak,
    add_ranking,
    is_smallest_first,
    rank_candidates,
    ranked_column,
)
from concurrence.kernels.strata import SampledList, judged_at_random, sampled_list
from concurrence.kernels.verdicts import as_judgements, draw_verdicts

SIMULATION = 11


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EvaluationStudy:
    """Everything one evaluation needs, put together once; ``thresholds`` are measure, value and list size."""

    table: pl.DataFrame
    ties: TieBreak
    measures: tuple[str, ...]
    judgements: Judgements
    design: SampledList
    method: Method
    options: EvaluateOptions
    rank_seed: int
    limit: int
    rankings: Mapping[str, pl.DataFrame]
    filters: Mapping[str, pl.DataFrame | None]
    thresholds: Sequence[tuple[str, float, int]]
    truth: Judgements | None = None


def evaluate(
    scored: Any,
    gold: Any,
    options: EvaluateOptions,
    *,
    measures: Sequence[str],
    key: Sequence[str] | None = None,
    sample: Sample | None = None,
    rankings: Mapping[str, Any] | None = None,
    filters: Mapping[str, Any] | None = None,
) -> Evaluation:
    """Evaluate rankings of candidates by judgements of some of them.

    ``scored`` are scored pairs, or a table of all candidates with a column of scores per measure; ``gold`` is a table
    of judgements or :class:`Judgements`. Without ``sample`` the judged candidates count as a simple random sample, or
    as a census where all are judged. ``rankings`` are tables with ``rank`` or ``score``, ``filters`` tables of
    candidates, or ``None`` for a column of ``scored`` by that name.

    >>> table = pl.DataFrame({"l1": list("abcd"), "l2": list("wxyz"), "f": [4, 3, 2, 1]})
    >>> judged = pl.DataFrame({"l1": list("abcd"), "l2": list("wxyz"), "tp": [1, 1, 0, 0]})
    >>> evaluate(table, judged, EvaluateOptions(n=[2, 4]), measures=["f"]).measures["f"].precision.tolist()
    [1.0, 0.5]
    """
    refuse_in_fork()
    table, keys = candidates_of(scored, key)
    judgements = as_judgements(gold, table.select(keys))
    truth = None
    if options.simulate is not None:
        truth, judgements = judgements, _simulate_sample(judgements, options)
    ties = TieBreak(keys=table.select(keys))
    check_keys(ties.keys)
    design, rank_seed, limit = _design(table, ties, judgements, sample, options)
    if sample is not None and not has_whole_lists(sample.design):
        measures = pairwise.pair_of(sample, measures, options, others=(*(rankings or ()), *(filters or ())))
    study = EvaluationStudy(
        table=table,
        ties=ties,
        measures=tuple(measures),
        judgements=judgements.restricted(design.times > 0),
        design=design,
        method=choose_method(options, design),
        options=options,
        rank_seed=rank_seed,
        limit=limit,
        rankings={name: frame_of(frame) for name, frame in (rankings or {}).items()},
        filters={name: None if frame is None else frame_of(frame) for name, frame in (filters or {}).items()},
        thresholds=_thresholds(table, measures, options) if options.thresholds else (),
        truth=truth,
    )
    kinds = {kind: _evaluate_study(_study_of_kind(study, kind)) for kind in study.judgements.kind_names}
    return replace(_evaluate_study(study), kinds=kinds)


def _design(
    table: pl.DataFrame, ties: TieBreak, judgements: Judgements, sample: Sample | None, options: EvaluateOptions
) -> tuple[SampledList, int, int]:
    """The design, the seed that breaks ties, and the largest n it was drawn for."""
    if sample is None:
        return judged_at_random(judgements), options.seed, len(table)
    design = sampled_list(sample, table, ties, judgements)
    if is_by_rank(design.kind):
        if options.tie_draws > 1:
            raise InvalidInputError(
                f"A {design.kind} sample was drawn for one way of breaking ties, so others cannot be averaged over."
            )
        return design, sample.rank_seed, max(sample.best)
    return design, sample.rank_seed, len(table)


def _evaluate_study(study: EvaluationStudy) -> Evaluation:
    rankings, learned = _rank_all(study, 0), None
    if study.options.learn:
        scores = {name: ranked_column(study.table, name) for name in study.measures}
        scores_learned, learned = learning.learn(
            scores, study.ties.keys, study.judgements, study.design, seed=study.options.seed
        )
        rankings = add_ranking(
            rankings, learning.LEARNED, Ranking(scores=scores_learned, ties=study.ties, seed=study.rank_seed)
        )
    evaluation = replace(_compute(study, rankings), learned=learned)
    if study.options.tie_draws > 1:
        evaluation = replace(evaluation, measures=_add_tie_draws(study, evaluation.measures))
    return _add_sentences(evaluation, study)


def _add_tie_draws(study: EvaluationStudy, curves: dict[str, Curve]) -> dict[str, Curve]:
    """The curves with what random ways of breaking ties give."""
    draws = [_rank_all(study, draw) for draw in range(study.options.tie_draws)]
    checked = {}
    for name, points in curves.items():
        counter = Counter(n=points.n, design=study.design, judgements=study.judgements)
        precisions = [estimates.shares(counter.best(draw[name].as_broken())) for draw in draws]
        checked[name] = replace(points, tie_draws=tie_draws(precisions))
    return checked


def _rank_all(study: EvaluationStudy, draw: int) -> dict[str, Ranking]:
    """All rankings with ties broken once; further draws have further seeds."""
    seed = study.rank_seed if draw == 0 else [study.rank_seed, draw]
    ties, whole_seed = study.ties, study.rank_seed + draw
    rankings = rank_candidates(study.table, study.measures, key=ties.keys.columns, seed=seed, ties=ties)
    for name, table in study.rankings.items():
        rankings = add_ranking(rankings, name, sources.ranking_from_table(name, table, ties, seed=whole_seed))
    for name, members in study.filters.items():
        if members is not None:
            ranking = sources.filter_from_table(name, members, ties, seed=whole_seed)
        else:
            if name not in study.table.columns:
                raise InvalidInputError(f"There is no column {name!r} to filter by; give a file as NAME=FILE.")
            ranking = sources.filter_from_column(name, study.table[name], ties, seed=whole_seed)
        rankings = add_ranking(rankings, name, ranking)
    if not rankings:
        raise InvalidInputError(
            "There is nothing to evaluate: name at least one column of scores (-m), ranking or filter."
        )
    return rankings


def _compute(study: EvaluationStudy, tied: Mapping[str, Ranking]) -> Evaluation:
    # Union and strata were drawn for one way of breaking ties; otherwise all ways are averaged over.
    broken = is_by_rank(study.design.kind)
    rankings = {name: one.as_broken() for name, one in tied.items()} if broken else tied
    extra = [one.filter_size for one in rankings.values() if one.filter_size is not None]
    extra += [size for _, _, size in study.thresholds]
    sizes = evaluated_sizes(study.options.n, rankings, study.design, extra, study.limit)
    counter = Counter(n=sizes, design=study.design, judgements=study.judgements)
    whole, method = counter.whole(), study.method
    curves = {name: _curve(study, rankings[name], counter, whole) for name in rankings}
    curves = {name: replace(one, ties=ties_of(one.n, tied[name])) for name, one in curves.items()}
    lists = SignedLists(rankings=rankings, counter=counter)
    comparisons, findings = compare_all(lists, method, titles=study.options.titles)
    base, verdicts = baseline(whole, counter, method), study.judgements.verdicts
    findings = (*findings, *_against_baseline(study, lists, whole, curves, base.value))
    whole_lists = has_whole_lists(study.design.kind)
    return Evaluation(
        data=Data(
            candidates=len(study.table),
            judged=int(study.judgements.judged.sum()),
            true_positives=int((verdicts == YES).sum()),
            design=study.design.kind,
            strata=study.design.n_strata,
            tie_seed=study.rank_seed,
        ),
        method=method,
        baseline=base,
        measures=curves,
        comparisons=comparisons,
        best=words.best_of(curves, findings) if whole_lists else pairwise.better_of(comparisons[0]),
        findings=findings,
        chart_by=study.options.chart_by,
        titles={name: study.options.titles.get(name, name) for name in curves},
    )


def _against_baseline(
    study: EvaluationStudy, signed: SignedLists, whole: StratumCounts, curves: Mapping[str, Curve], value: float
) -> Iterator[Finding]:
    """Which measures are shown to be better or worse than the baseline, and where, all of them considered."""
    if np.isnan(value):
        return iter(())
    counter, cells = signed.counter, []
    for name, points in curves.items():
        at_sizes = counter if len(points.n) == len(counter.n) else replace(counter, n=points.n)
        lists, places = at_sizes.best(signed.rankings[name]), np.searchsorted(counter.n, points.n)
        cells.append(ListCells(name=name, places=places, lists=lists, p=points.p_baseline))
    method, by_count = study.method, study.method.anytime or study.method.correction == "holm"
    corrected = correct_against_rest(cells, whole, signed, by_count=by_count)
    named = {one.name: p for one, p in zip(cells, corrected, strict=True)}
    return baseline_findings(curves, named, value, study.options.titles, alpha=1 - method.level)


def _curve(study: EvaluationStudy, ranking: Ranking, counter: Counter, whole: StratumCounts) -> Curve:
    size = ranking.filter_size
    own_sizes = counter if size is None else replace(counter, n=np.array([size]))
    points = curve(ranking, own_sizes, whole, study.method)
    if study.options.coder_uncertainty:
        drawn = draw_verdicts(study.judgements, study.options.coder_uncertainty, seed=study.options.seed)
        points = widen_intervals(points, ranking, drawn, study.design, level=study.method.level)
    if study.options.proxy:
        values = _proxy_values(study.table, study.options.proxy)
        proxy = proxy_estimate(ranking, study.options.proxy, values, own_sizes, level=study.method.level)
        points = replace(points, proxy=proxy)
    if study.truth is not None:
        census = Counter(n=own_sizes.n, design=judged_at_random(study.truth), judgements=study.truth)
        _, all_of, true = census.best(ranking).totals
        points = replace(points, true_precision=true / all_of)
    return points


def _proxy_values(table: pl.DataFrame, name: str) -> Reals:
    if name not in table.columns:
        raise InvalidInputError(
            f"There is no column {name!r} among the candidates; their columns are {', '.join(table.columns)}."
        )
    words_ = {"yes": "1", "no": "0", "true": "1", "false": "0"}
    column = table.select(pl.col(name).cast(pl.String).replace(words_))
    return score_column(column, name)


def _thresholds(table: pl.DataFrame, measures: Sequence[str], options: EvaluateOptions) -> list[tuple[str, float, int]]:
    """Each threshold with the size of the list that it cuts off."""
    thresholds = []
    for name, value in options.thresholds.items():
        if name not in measures:
            raise InvalidInputError(f"The threshold names {name!r}, which is not among the measures evaluated.")
        thresholds.append((name, value, sources.threshold_size(score_column(table, name), name, value)))
    return thresholds


def _simulate_sample(judgements: Judgements, options: EvaluateOptions) -> Judgements:
    """A random-sample evaluation of a list that is judged in full."""
    if not judgements.judged.all():
        missing = int((~judgements.judged).sum())
        raise InvalidInputError(f"A sample can be simulated only if all candidates are judged; {missing} are not.")
    size = len(judgements.verdicts)
    drawn = max(1, round(size * (options.simulate or 0)))
    in_sample = np.zeros(size, dtype=bool)
    # The bare seed breaks ties; a stream of its own keeps the draw independent of it.
    in_sample[np.random.default_rng([options.seed, SIMULATION]).choice(size, drawn, replace=False)] = True
    return judgements.restricted(in_sample)


def _study_of_kind(study: EvaluationStudy, kind: str) -> EvaluationStudy:
    truth = None if study.truth is None else study.truth.of_kind(kind)
    options = replace(study.options, coder_uncertainty=None, learn=False)
    return replace(study, judgements=study.judgements.of_kind(kind), truth=truth, options=options)


def _add_sentences(evaluation: Evaluation, study: EvaluationStudy) -> Evaluation:
    above = largest_above(evaluation.measures, study.options.above) if study.options.above else ()
    by_title = with_titles(replace(evaluation, above=above))
    curves = by_title.measures
    sentences = [comparison.sentence for comparison in evaluation.comparisons]
    sentences += [] if has_whole_lists(study.design.kind) else pairwise.pair_sentences(by_title, study.design)
    sentences += (
        [*words.anytime_sentences(by_title), *words.stopping_sentences(by_title)] if study.method.anytime else []
    )
    if len(sentences) and study.method.correction is None and any(len(c.n) > 1 for c in evaluation.comparisons):
        option = option_or_keyword("--correct", "correction")
        text = (
            "What is said here holds for all pairs and list sizes together. Single p-values and marks are of one test "
            f"each; {option} adjusts them, too."
        )
        sentences.append(Sentence(code="many_tests", text=text))
    sentences += words.baseline_sentences(curves, evaluation.baseline, by_title.findings)
    sentences += above_sentences(by_title.above, curves) if above else ()
    for name, value, size in study.thresholds:
        sign = "<=" if is_smallest_first(name) else ">="
        text = f"{evaluation.titles.get(name, name)} {sign} {value:g} keeps {size:,} candidates; see n = {size:,}."
        sentences.append(Sentence(code="threshold", text=text))
    sentences += (
        [learning.learned_ranking_sentence(evaluation.learned, evaluation.titles)] if evaluation.learned else []
    )
    sentences += words.interval_sentences(curves)
    sentences += words.smallest_first_sentences(evaluation.titles)
    sentences += words.low_power_sentences(
        evaluation.comparisons, census=study.design.judged_in_full, anytime=study.method.anytime
    )
    sentences += words.tie_sentences(curves, averaged=not is_by_rank(study.design.kind))
    sentences += words.rule_of_thumb_sentences(curves)
    sentences += words.sample_sentences(study.design)
    return replace(evaluation, above=above, sentences=tuple(sentences), warnings=warnings_of(sentences))


def with_titles(evaluation: Evaluation) -> Evaluation:
    """The evaluation with the title of each measure in the place of its name."""
    titles = evaluation.titles
    if all(name == title for name, title in titles.items()):
        return evaluation
    return replace(
        evaluation,
        measures={titles.get(name, name): curve for name, curve in evaluation.measures.items()},
        comparisons=tuple(_comparison_with_titles(pair, titles) for pair in evaluation.comparisons),
        best=tuple(
            replace(
                best,
                measure=titles.get(best.measure, best.measure),
                not_significantly_worse=tuple(titles.get(name, name) for name in best.not_significantly_worse),
            )
            for best in evaluation.best
        ),
        findings=tuple(
            replace(one, measures=tuple(titles.get(name, name) for name in one.measures)) for one in evaluation.findings
        ),
        above=tuple(replace(row, measure=titles.get(row.measure, row.measure)) for row in evaluation.above),
        kinds={kind: with_titles(part) for kind, part in evaluation.kinds.items()},
        titles={},
    )


def _comparison_with_titles(pair: MeasureComparison, titles: Mapping[str, str]) -> MeasureComparison:
    return replace(
        pair,
        a=titles.get(pair.a, pair.a),
        b=titles.get(pair.b, pair.b),
        better=tuple(None if name is None else titles.get(name, name) for name in pair.better),
        regions=tuple(replace(region, better=titles.get(region.better, region.better)) for region in pair.regions),
    )

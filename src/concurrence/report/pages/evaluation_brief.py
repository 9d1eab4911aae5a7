"""An evaluation on one screen: warnings, the decision, which measure beats which, and precision at a few sizes."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from concurrence.core.sentences import join_words
from concurrence.evaluation.findings import better_at
from concurrence.evaluation.results import BETTER, Curve, Evaluation, Evaluations
from concurrence.evaluation.sentences import few_sizes
from concurrence.evaluation.study import with_titles
from concurrence.report.pages.differences import difference_blocks
from concurrence.report.render.document import Document, Section, Table

ROUND_SIZES = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)
FEWEST_ROUND = 3
MOST_SIZES = 5
MOST_IN_MATRIX = 5
MOST_PAIRS = 3
MOST_WITH_COUNTS = 4
MOST_WITH_DECIMALS = 3
NONE = "–"
DIFFERENCE_CODES = ("difference", "difference_in_full", "difference_unknown", "no_baseline")
"""The sentences that an evaluation of difference sets alone consists of."""


def evaluation_brief(result: Evaluation | Evaluations) -> Document:
    """What a reader needs to decide."""
    sets = result.data_sets if isinstance(result, Evaluations) else {"": result}
    evaluations = {name: with_titles(evaluation) for name, evaluation in sets.items()}
    warnings, answers, sections = [], [], []
    for name, evaluation in evaluations.items():
        prefix = f"{name}: " if name else ""
        warnings += [f"{prefix}{one.text}" for one in evaluation.warnings]
        answers += [f"{prefix}{headline(evaluation)}", *(f"{prefix}{text}" for text in _decision(evaluation))]
        looks = ("may_stop", "go_on") if len(evaluation.comparisons) <= MOST_PAIRS else ()
        codes = ("anytime", "learned", *looks, *(DIFFERENCE_CODES if only_differences(evaluation) else ()))
        answers += [f"{prefix}{one.text}" for one in evaluation.sentences if one.code in codes and not one.warning]
        if only_differences(evaluation):
            blocks = difference_blocks(prefix, evaluation, charts=False)
        else:
            sizes = headline_sizes(evaluation)
            blocks = [_precisions(prefix, evaluation, sizes)]
            if len(evaluation.measures) > 1 or not np.isnan(evaluation.baseline.value):
                blocks.insert(0, beaten_table(prefix, evaluation, sizes))
        sections.append(Section(title=f"{prefix}Precision", blocks=tuple(blocks)))
    return Document(
        title="Evaluation",
        question="Which measure finds true positives here, and how sure is that?",
        answer=tuple(answers),
        sections=tuple(sections),
        warnings=tuple(warnings),
    )


def only_differences(evaluation: Evaluation) -> bool:
    """Whether the judgements tell two measures apart, but give no precision of either."""
    curves = evaluation.measures.values()
    judged = any(pair.difference is not None for pair in evaluation.comparisons)
    return judged and not any(np.isfinite(curve.precision).any() for curve in curves)


def headline(evaluation: Evaluation) -> str:
    """What was judged, and the baseline."""
    data, baseline = evaluation.data, evaluation.baseline
    start = f"{data.judged:,} of {data.candidates:,} candidates judged ({data.design}), {data.true_positives:,} true."
    if np.isnan(baseline.value):
        return start
    low, high = baseline.interval
    return f"{start} Baseline {baseline.value:.1%} [{low:.1%}, {high:.1%}]."


def headline_sizes(evaluation: Evaluation) -> list[int]:
    """The list sizes that were asked for, at most five of them; those of filters are always among them."""
    curves = evaluation.measures.values()
    special = sorted({curve.filter_size for curve in curves if curve.filter_size is not None})[:MOST_SIZES]
    others = sorted({int(n) for curve in curves for n in curve.n} - set(special))
    most = MOST_SIZES - len(special)
    rounded = [n for n in others if n in ROUND_SIZES]
    pool = rounded if len(others) > most and len(rounded) >= FEWEST_ROUND else others
    return sorted([*special, *(few_sizes(pool, most=most) if most else [])])


def marks(evaluation: Evaluation, n: int) -> dict[str, list[str]]:
    """Which measure beats which others at one list size, by the tests of that size, corrected on request alone."""
    better: dict[str, list[str]] = {}
    for pair in evaluation.comparisons:
        (at,) = np.nonzero(pair.n == n)
        p = pair.p if pair.p_corrected is None else pair.p_corrected
        winner = pair.better[int(at[0])] if at.size and p[at[0]] <= 1 - evaluation.method.level else None
        if winner is not None:
            better.setdefault(winner, []).append(pair.b if winner == pair.a else pair.a)
    return better


def _decision(evaluation: Evaluation) -> list[str]:
    """Which measures are left to choose from; where none can be told apart a warning says so."""
    sizes = headline_sizes(evaluation)
    worse = {loser for n in sizes for losers in better_at(evaluation.findings, n).values() for loser in losers}
    names = list(evaluation.measures)
    if len(names) < 2:
        return []
    if not worse:
        told_apart = any(one.code == BETTER for one in evaluation.findings)
        return ["No difference can be shown at these list sizes; --full shows the others."] if told_apart else []
    left = [name for name in names if name not in worse]
    unbeaten = f"Not shown to be worse than any other at these list sizes: {join_words(left)}. " if left else ""
    lost = [name for name in names if name in worse]
    return [f"{unbeaten}Shown to be worse than another at some: {join_words(lost)}."]


def beaten_table(prefix: str, evaluation: Evaluation, sizes: Sequence[int], *, most: int = MOST_IN_MATRIX) -> Table:
    """Rows beat columns at these list sizes; a column for each of not too many measures."""
    names, base = list(evaluation.measures), not np.isnan(evaluation.baseline.value)
    by_size = {n: marks(evaluation, n) for n in sizes}
    single = ", each test on its own" if evaluation.method.correction is None else ", corrected"
    level = f"p ≤ {1 - evaluation.method.level:.2g}{single}"
    caption = f"{prefix}List sizes at which the row beats the column ({evaluation.method.test}, {level})"
    columns = (["baseline"] if base else []) + (names if len(names) <= most else ["another measure"])
    rows = []
    for name in names:
        curve = evaluation.measures[name]
        own_sizes = [n for n in sizes if n in curve.n]
        cells = []
        if base:
            beats = (curve.p_baseline <= 1 - evaluation.method.level) & (curve.precision > evaluation.baseline.value)
            cells.append(_some_sizes([n for n in own_sizes if beats[curve.n == n].any()], own_sizes))
        if len(names) > most:
            cells.append(_others(name, by_size, own_sizes))
        for other in names if len(names) <= most else ():
            beaten = [n for n in own_sizes if other in by_size[n].get(name, [])]
            cells.append("" if name == other else _some_sizes(beaten, own_sizes))
        rows.append((name, *cells))
    return Table.of(caption, ("measure", *columns), rows)


def _others(name: str, by_size: dict[int, dict[str, list[str]]], sizes: Sequence[int]) -> str:
    beaten = dict.fromkeys(loser for n in sizes for loser in by_size[n].get(name, []))
    where = {other: [n for n in sizes if other in by_size[n].get(name, [])] for other in beaten}
    return "; ".join(f"{other} ({_some_sizes(part, sizes)})" for other, part in where.items()) or NONE


def _some_sizes(part: Sequence[int], sizes: Sequence[int]) -> str:
    """Some of the list sizes, in few words.

    >>> _some_sizes([1, 2], [1, 2]), _some_sizes([], [1]), _some_sizes([1, 2, 3], [1, 2, 3, 4])
    ('all', '–', 'all but 4')
    >>> _some_sizes([2], [1, 2, 3])
    '2'
    """
    if not part:
        return NONE
    left = [n for n in sizes if n not in part]
    if not left:
        return "all" if len(sizes) > 1 else f"{sizes[0]:,}"
    if len(left) < len(part):
        return f"all but {', '.join(map(str, left))}"
    return ", ".join(map(str, part))


def _precisions(prefix: str, evaluation: Evaluation, sizes: Sequence[int]) -> Table:
    curves = evaluation.measures
    level = f"{evaluation.method.level:.0%} interval"
    if len(curves) > MOST_WITH_COUNTS:
        rows = [
            (name, *(precision_cell(curve, n, decimals=0, counts=False, recall=False) for n in sizes))
            for name, curve in curves.items()
        ]
        caption = f"{prefix}Precision [{level}]"
        return Table.of(caption, ("measure", *(f"n = {n:,}" for n in sizes)), rows)
    decimals = 1 if len(curves) <= MOST_WITH_DECIMALS else 0
    cell = partial(precision_cell, decimals=decimals, counts=True, recall=True)
    cells = [(n, *(cell(curve, n) for curve in curves.values())) for n in sizes]
    caption = f"{prefix}Precision [{level}] true/judged, recall"
    return Table.of(caption, ("n", *curves), cells)


def precision_cell(curve: Curve, n: int, *, decimals: int, counts: bool, recall: bool) -> str:
    """The precision at one list size with its interval, then true/judged and the recall."""
    (at,) = np.nonzero(curve.n == n)
    if not at.size or not np.isfinite(curve.precision[at[0]]):
        return NONE
    i = int(at[0])
    low, high = (f"{100 * end[i]:.{decimals}f}" for end in (curve.low, curve.high))
    cell = f"{curve.precision[i]:.{decimals}%} [{low}, {high}]"
    cell += f" {format_count(curve.true_positives[i])}/{format_count(curve.sampled[i])}" if counts else ""
    return cell + (f", {curve.recall[i]:.{decimals}%}" if recall and np.isfinite(curve.recall[i]) else "")


def format_count(number: Any) -> str:
    """A count, or a mean of counts to one decimal.

    >>> format_count(1200), format_count(4.474)
    ('1200', '4.5')
    """
    return f"{float(number):.1f}".removesuffix(".0")

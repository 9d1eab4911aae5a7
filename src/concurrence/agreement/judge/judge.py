"""Judges: whether a coder, such as a model, can replace a human one."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from math import nan
from typing import Any

import numpy as np
import polars as pl

from concurrence.agreement.judge.alternative_annotator import (
    TWO_HUMANS,
    AlternativeTest,
    alternative_test,
    fewest_items,
)
from concurrence.agreement.judge.base_rates import BaseRate, base_rates
from concurrence.agreement.judge.drift import Drift, judge_drift, without_before
from concurrence.agreement.judge.groups import JudgeGroups, judge_groups
from concurrence.agreement.judge.options import ENOUGH_ITEMS, JudgeOptions
from concurrence.agreement.judge.roles import CoderRole, Roles, coder_roles, role_sentences, roles_of
from concurrence.agreement.labels.coefficients.parts import values
from concurrence.agreement.labels.coefficients.posterior import POSTERIOR
from concurrence.agreement.labels.coefficients.study import LabelStudy, label_study
from concurrence.agreement.labels.diagnosis.sentences import percent
from concurrence.agreement.labels.mean_agreement import MeanAgreement, mean_agreement
from concurrence.agreement.labels.one_more_item import METHOD as ONE_MORE_ITEM
from concurrence.agreement.labels.options import AgreeOptions
from concurrence.agreement.labels.shifts import SCORE, lean_names
from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.core.frames import frame_of
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence, count_noun, warnings_of
from concurrence.core.values import after, value
from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.kernels.coefficients import coefficient as row_named

GATE = re.compile(r"\s*([a-z_0-9]+)\s*(>=|>)\s*(-?[0-9]*\.?[0-9]+)\s*")
RATES = ("winning_rate", "advantage_probability")
DRAWN = (POSTERIOR, ONE_MORE_ITEM)


@value
class ConstantGuess:
    """Agreement with the humans of a coder who always gives their most frequent label.

    The category is None, and the shares are NaN, where the judge has no item in common with a human.
    """

    category: str | None
    value: float
    judge: float


@value
class Gate:
    """A condition on the judge, and whether its lower bound meets it."""

    expression: str
    quantity: str
    threshold: float
    bound: float
    passed: bool


@value
class JudgeComparison(Result):
    """What speaks for and against a judge; ``seed`` is given where an interval rests on random draws.

    ``drift`` is what changed since an earlier run, ``bias`` whether groups of items are judged alike.
    ``base_rate_intervals`` are the base rates again, each with its interval, ``coders`` are all coders with what they
    are and what they were taken for; a result that was kept without them has none.
    """

    judge: str
    judge_human: MeanAgreement
    human_human: MeanAgreement | None
    base_rates: dict[str, dict[str, float]]
    constant_guess: ConstantGuess
    alt_test: AlternativeTest | None
    gate: Gate | None
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]
    drift: Drift | None = None
    bias: JudgeGroups | None = None
    base_rate_intervals: dict[str, dict[str, BaseRate]] = after("base_rates", default_factory=dict)
    coders: dict[str, CoderRole] = after("judge", default_factory=dict)

    def __str__(self) -> str:
        return "\n".join(map(str, self.sentences))


def judge_labels(labels: Labels, judge: str, options: JudgeOptions) -> JudgeComparison:
    """Compare a judge with the humans, and the humans with each other."""
    roles = roles_of(labels, (judge,), options.before, options.humans)
    studied = roles.select_labels(labels)
    if why := not_comparable(studied, judge, options.before):
        raise UndefinedError(why)
    return with_roles(compare_judge(studied, judge, options), labels, roles)


def with_roles(comparison: JudgeComparison, labels: Labels, roles: Roles) -> JudgeComparison:
    """The comparison with what is to be said of who counts as what."""
    sentences = role_sentences(labels, roles)
    return replace(
        comparison,
        coders=coder_roles(labels, roles),
        sentences=(*(one for one in sentences if not one.warning), *comparison.sentences),
        warnings=(*warnings_of(sentences), *comparison.warnings),
    )


def not_comparable(labels: Labels, judge: str, before: str | None = None) -> str | None:
    """Why the judge cannot be compared with the humans, who are all coders but it and its earlier run."""
    own = labels.codes[:, labels.coder_index(judge)] >= 0
    humans = [place for place, name in enumerate(labels.coders) if name not in (judge, before)]
    if not humans:
        alone = f"{judge!r} is the only coder" if before is None else f"{judge!r} and {before!r} are the only coders"
        return f"{alone}; a judge is compared with humans."
    if not own.any():
        return f"{judge!r} has no label, so it cannot be compared with the humans; check where its labels stand."
    if not (labels.codes[own][:, humans] >= 0).any():
        return (
            f"{judge!r} labelled no item that a human labelled, so they cannot be compared; check that all coders' "
            "items have the same names."
        )
    return None


def compare_judge(labels: Labels, judge: str, options: JudgeOptions) -> JudgeComparison:
    """The comparison; its figures are NaN, and a warning says so, where the judge shares no item with a human."""
    scale = options.scale or ("interval" if options.score == "rmse" else "nominal")
    settings = AgreeOptions(scale=scale, weights=options.weights, level=options.level, seed=options.seed)
    before, whole, labels = options.before, labels, without_before(labels, judge, options.before)
    column = labels.coder_index(judge)
    humans = [k for k in range(labels.n_coders) if k != column]
    condition = None if options.gate is None else _parse_gate(options.gate)
    study = label_study(labels, settings, compress=True)
    row = row_named(options.coefficient or _default_coefficient(study))
    with_judge = mean_agreement(row, study, labels, [(column, k) for k in humans], settings)
    among = mean_agreement(row, study, labels, list(combinations(humans, 2)), settings) if len(humans) > 1 else None
    alternative, warnings = _alternative(labels, judge, options.epsilon, options.score or _default_score(labels, scale))
    guess = constant_guess(labels, study, column, humans)
    apart = guess.category is None
    gate = None if condition is None else _check_gate(condition, study, labels, column, humans, alternative, settings)
    drift, changed = (None, ()) if before is None else judge_drift(whole, row, judge, before, settings)
    by_group = labels.groups is not None and not apart
    bias, grouped = judge_groups(labels, row, column, humans, settings) if by_group else (None, ())
    drawn = _is_random(with_judge, among) or drift is not None or bias is not None
    rates = base_rates(labels, options.level)
    remarks = _sentences(judge, with_judge, among, guess, alternative, gate)
    return JudgeComparison(
        judge=judge,
        judge_human=with_judge,
        human_human=among,
        base_rates={coder: {name: rate.share for name, rate in own.items()} for coder, own in rates.items()},
        base_rate_intervals=rates,
        constant_guess=guess,
        alt_test=alternative,
        gate=gate,
        seed=options.seed if drawn else None,
        sentences=(*remarks[:-1], *changed, *(one for one in grouped if not one.warning), remarks[-1]),
        warnings=(
            *labels.warnings,
            *(() if apart else warnings),
            *_unlabelled(labels, column),
            *(one for one in grouped if one.warning),
        ),
        drift=drift,
        bias=bias,
    )


def _default_score(labels: Labels, scale: str) -> str:
    """The default measure of closeness: a distance if the scale has distances."""
    return "rmse" if lean_names(labels, scale) == (SCORE,) else "accuracy"


def _unlabelled(labels: Labels, judge: int) -> tuple[Sentence, ...]:
    """A warning if the judge gave no label to items that humans labelled, which may be the hard ones, or to all."""
    by_humans = (np.delete(labels.codes, judge, axis=1) >= 0).any(axis=1)
    lacking, total = int((by_humans & (labels.codes[:, judge] < 0)).sum()), int(by_humans.sum())
    if lacking == total:
        text = f"{labels.coders[judge]} labelled no item that a human labelled, so it is not compared with them."
        return (Sentence(code="no_common_items", text=text, warning=True),)
    if not lacking:
        return ()
    text = (
        f"{labels.coders[judge]} has no label for {lacking:,} of the {count_noun(total, 'item')} that humans labelled; "
        "its agreement is measured on the others."
    )
    return (Sentence(code="judge_unlabelled", text=text, warning=True),)


def _is_random(*means: MeanAgreement | None) -> bool:
    """Whether any interval rests on random draws."""
    present = [mean for mean in means if mean is not None]
    pairs = [pair for mean in present for pair in mean.pairs]
    return any(one.interval_method in DRAWN for one in present) or any(one.interval_method in DRAWN for one in pairs)


def _default_coefficient(study: LabelStudy) -> str:
    """The default coefficient for the scale and the weights."""
    if study.agreement_weights is not None:
        return "weighted_kappa"
    return "cohen_kappa" if study.metric.kind == "nominal" else "krippendorff_alpha"


def constant_guess(labels: Labels, study: LabelStudy, judge: int, humans: Sequence[int]) -> ConstantGuess:
    """Agreement of a constant guess and of the judge with the humans, on the items that the judge labelled.

    Agreement is the mean over humans of the share of items on which they are matched.
    """
    seen = labels.codes[:, judge] >= 0
    size = len(labels.categories)
    given = [labels.codes[seen & (labels.codes[:, k] >= 0), k] for k in humans]
    if not sum(map(len, given)):
        return ConstantGuess(category=None, value=nan, judge=nan)
    common = int(np.bincount(np.concatenate(given), minlength=size).argmax())
    guesses = [float(np.mean(one == common)) for one in given if len(one)]
    row = COEFFICIENTS["percent_agreement"]
    judged = [float(values(row, part, part.weights)) for part in (study.only(judge, k) for k in humans)]
    defined = [value for value in judged if np.isfinite(value)]
    return ConstantGuess(
        category=labels.categories[common],
        value=float(np.mean(guesses)),
        judge=float(np.mean(defined)),
    )


def judge_disagreements(labels: Labels, judge: str) -> pl.DataFrame:
    """Items on which the judge differs from the humans, the most unanimous ones first."""
    column = labels.coder_index(judge)
    names = np.array([*labels.categories, None], dtype=object)
    humans = [k for k in range(labels.n_coders) if k != column]
    codes, size = labels.codes[:, humans], len(labels.categories)
    rows, cells = np.nonzero(codes >= 0)
    votes = np.bincount(rows * size + codes[rows, cells], minlength=labels.n_items * size).reshape(-1, size)
    total, own = votes.sum(axis=1), labels.codes[:, column]
    with_judge = np.where(own >= 0, np.take_along_axis(votes, np.maximum(own, 0)[:, None], axis=1)[:, 0], 0)
    against = np.where((own >= 0) & (total > 0), 1 - with_judge / np.maximum(total, 1), 0.0)
    strength = votes.max(axis=1, initial=0) / np.maximum(total, 1)
    order = np.lexsort((np.arange(labels.n_items), -strength, -against))
    order = order[against[order] > 0]
    frame: dict[str, Any] = {
        "item": [str(item) for item in labels.items[order]],
        "judge": pl.Series(names[own[order]].tolist(), dtype=pl.String),
        "humans": pl.Series(names[votes[order].argmax(axis=1)].tolist(), dtype=pl.String),
        "humans_against_judge": against[order],
        "humans_of_one_mind": strength[order],
        "human_labels": total[order],
    }
    return frame_of(frame)


def _alternative(
    labels: Labels, judge: str, epsilon: float, score: Any
) -> tuple[AlternativeTest | None, tuple[Sentence, ...]]:
    """The test, and warnings if it is impossible or has few items."""
    column = labels.coder_index(judge)
    present = labels.codes >= 0
    others = [k for k in range(labels.n_coders) if k != column]
    usable = present[:, column] & (present[:, others].sum(axis=1) >= 2)
    most = int((usable[:, None] & present[:, others]).sum(axis=0).max(initial=0))
    if len(others) < 2 or most < 2:
        why = "items that the judge and two humans labelled"
        if len(others) < 2:
            why = "at least two human coders; there is one"
        elif most == 1:
            why = "a human with two items that the judge and another human labelled too; nobody has more than one"
        return None, (Sentence(code="no_alt_test", text=f"The alternative-annotator test needs {why}.", warning=True),)
    fewest = ENOUGH_ITEMS if most >= ENOUGH_ITEMS else min(most, fewest_items(1, epsilon) or most)
    test = alternative_test(labels, judge, epsilon=epsilon, score=score, min_items=fewest)
    few = (
        f"No human has {ENOUGH_ITEMS} items in common with the judge and another human; the test is exact instead of a "
        f"t-test and rests on {count_noun(most, 'item')}."
    )
    remarks = {"few_items": few if most < ENOUGH_ITEMS else "", "two_humans": TWO_HUMANS if len(others) < 3 else ""}
    return test, tuple(Sentence(code=code, text=text, warning=True) for code, text in remarks.items() if text)


def _parse_gate(expression: str) -> tuple[str, str, str, float]:
    parts = GATE.fullmatch(expression)
    if parts is None:
        raise InvalidInputError(f"A gate is written like 'cohen_kappa>=0.7', not {expression!r}.")
    quantity, sign, threshold = parts.groups()
    if quantity not in RATES:
        row_named(quantity)
    return expression, quantity, sign, float(threshold)


def _check_gate(
    condition: tuple[str, str, str, float],
    study: LabelStudy,
    labels: Labels,
    judge: int,
    humans: Sequence[int],
    alternative: AlternativeTest | None,
    options: AgreeOptions,
) -> Gate:
    expression, quantity, sign, threshold = condition
    if quantity in RATES:
        bound = nan if alternative is None else _rate(alternative, quantity)
    else:
        pairs = [(judge, k) for k in humans]
        mean = mean_agreement(row_named(quantity), study, labels, pairs, options)
        bound = mean.interval.low if mean.interval is not None else nan
    passed = bound >= threshold if sign == ">=" else bound > threshold
    return Gate(expression=expression, quantity=quantity, threshold=threshold, bound=bound, passed=bool(passed))


def _rate(test: AlternativeTest, quantity: str) -> float:
    """What a gate asks of the test; a winning rate counts as far as exact tests confirm it."""
    if quantity == "winning_rate":
        return min(test.winning_rate, test.exact_winning_rate)
    return test.advantage_probability


def _sentences(
    judge: str,
    with_judge: MeanAgreement,
    among: MeanAgreement | None,
    guess: ConstantGuess,
    alternative: AlternativeTest | None,
    gate: Gate | None,
) -> tuple[Sentence, ...]:
    texts = {}
    if guess.category is not None:
        texts["constant_guess"] = (
            f"{judge} gives the same label as a human in {percent(guess.judge)} of the cases; always choosing "
            f"{guess.category!r} would give {percent(guess.value)}."
        )
    if among is not None and np.isfinite(among.value) and np.isfinite(with_judge.value):
        title = row_named(with_judge.coefficient).title
        title = title if "'s" in title else title.lower()
        texts["judge_human"] = (
            f"Mean {title} is {with_judge.value:.2f}{_ends(with_judge)} between {judge} and the humans, "
            f"{among.value:.2f}{_ends(among)} among the humans."
        )
    if alternative is not None:
        texts["alt_test"] = _alternative_sentence(judge, alternative)
    if gate is not None:
        bound = f"{gate.bound:.3f}" if gate.bound == gate.bound else "undefined"
        texts["gate"] = (
            f"{judge} {'passes' if gate.passed else 'misses'} the gate {gate.expression}: the "
            f"{'value' if gate.quantity in RATES else 'lower bound'} is {bound}."
        )
    texts["caveat"] = "If judge and humans misread the task in the same way, none of these figures can show it."
    return tuple(Sentence(code=code, text=text) for code, text in texts.items())


def _alternative_sentence(judge: str, test: AlternativeTest) -> str:
    """Whether the judge passes, or why that cannot be said."""
    if test.verdict is None:
        return f"The alternative-annotator test (epsilon {test.epsilon:g}) gives no verdict on {judge}. {test.note}"
    return (
        f"{judge} {'passes' if test.verdict else 'does not pass'} the alternative-annotator test: with an allowance of "
        f"{test.epsilon:g} for the cost of a human, it {_won_clause(test)}."
    )


def _won_clause(test: AlternativeTest) -> str:
    """How many humans the judge was shown to be as good as, by either test, as a clause."""
    won, of = sum(human.won and human.exact_won for human in test.humans), len(test.humans)
    if not won:
        every = {1: "the one human", 2: "either of the 2 humans"}.get(of, f"any of the {of} humans")
        return f"was not shown to represent the others as well as {every} does"
    every = {1: "the one human does", 2: "both humans do"}.get(of, f"all {of} humans do")
    whom = every if won == of else f"{won} of the {of} humans {'does' if won == 1 else 'do'}"
    return f"was shown to represent the others as well as {whom}"


def _ends(mean: MeanAgreement) -> str:
    return "" if mean.interval is None else " [{:.2f}, {:.2f}]".format(*mean.interval)

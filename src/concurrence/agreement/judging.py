"""Judges: whether a coder, such as a model, can replace a human one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.special import ndtri

from concurrence.agreement.alternative import AlternativeTest, alternative_test
from concurrence.agreement.coefficients import COEFFICIENTS, Coefficient
from concurrence.agreement.coefficients import coefficient as row_named
from concurrence.agreement.options import AgreeOptions, study_of
from concurrence.agreement.small_samples import METHOD, middle, posterior_intervals, posterior_weights, trust_analytic
from concurrence.agreement.study import Study
from concurrence.core import Interval, InvalidInputError, Labels, UndefinedError
from concurrence.core.notebook import html_sentences, html_table
from concurrence.kernels.chance import ratio
from concurrence.kernels.resampling import bootstrap

Array = NDArray[np.float64]

GATE = re.compile(r"\s*([a-z_0-9]+)\s*(>=|>)\s*(-?[0-9]*\.?[0-9]+)\s*")
_PASSED = {True: "passed", False: "missed"}
RATES = ("winning_rate", "advantage_probability")
DRAWN = (METHOD, "bootstrap_percentile")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairValue:
    """A coefficient of two coders."""

    coders: tuple[str, str]
    items: int
    value: float
    interval: Interval | None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MeanAgreement:
    """The mean of a coefficient over pairs of coders, and the pairs."""

    coefficient: str
    value: float
    standard_error: float
    interval: Interval | None
    pairs: tuple[PairValue, ...]
    note: str | None = None

    @property
    def is_drawn(self) -> bool:
        """Whether an interval rests on random draws, so that the seed belongs to the result."""
        intervals = (self.interval, *(pair.interval for pair in self.pairs))
        return any(interval is not None and interval.method in DRAWN for interval in intervals)


@dataclass(frozen=True, slots=True, kw_only=True)
class ConstantGuess:
    """What always giving the commonest human label would reach: its share of agreement with the humans."""

    category: str
    value: float
    judge: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate:
    """A condition on the judge, and whether its lower bound meets it."""

    expression: str
    quantity: str
    threshold: float
    bound: float
    passed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What speaks for and against a judge."""

    judge: str
    judge_human: MeanAgreement
    human_human: MeanAgreement | None
    base_rates: dict[str, dict[str, float]]
    constant_guess: ConstantGuess
    alt_test: AlternativeTest | None
    gate: Gate | None
    notes: tuple[str, ...]
    sentences: tuple[str, ...]

    @property
    def is_drawn(self) -> bool:
        """Whether an interval rests on random draws, so that the seed belongs to the result."""
        return self.judge_human.is_drawn or (self.human_human is not None and self.human_human.is_drawn)

    def __str__(self) -> str:
        return "\n".join(self.sentences)

    def _repr_html_(self) -> str:
        means = (("judge and humans", self.judge_human), ("humans", self.human_human))
        rows = [
            (who, len(mean.pairs), mean.value, *_two_ends(mean.interval)) for who, mean in means if mean is not None
        ]
        table = html_table(("", "pairs", self.judge_human.coefficient, "from", "to"), rows)
        gate = [] if self.gate is None else [f"The gate {self.gate.expression} is {_PASSED[self.gate.passed]}."]
        return html_sentences([*self.sentences, *gate, *self.notes]) + table


def judge(
    labels: Labels,
    coder: str,
    *,
    coefficient: str | None = None,
    gate: str | None = None,
    epsilon: float = 0.2,
    score: Any = "accuracy",
    options: AgreeOptions | None = None,
) -> Judgement:
    """Hold a judge against the humans, and the humans against each other."""
    wanted = options or AgreeOptions()
    if labels.anonymous:
        raise InvalidInputError("These are counts of labels without coders, so that none of them can be the judge.")
    column = labels.coder_index(coder)
    humans = [k for k in range(labels.n_coders) if k != column]
    if not humans:
        raise UndefinedError(f"{coder!r} is the only coder; a judge needs humans to be held against.")
    condition = None if gate is None else _parsed(gate)
    row = row_named(coefficient or "cohen_kappa")
    study = study_of(labels, wanted, compress=True)
    with_judge = mean_agreement(row, study, labels, [(column, k) for k in humans], wanted)
    among = mean_agreement(row, study, labels, list(combinations(humans, 2)), wanted) if len(humans) > 1 else None
    alternative, notes = _alternative(labels, coder, epsilon, score)
    guess = constant_guess(labels, study, column, humans)
    return Judgement(
        judge=coder,
        judge_human=with_judge,
        human_human=among,
        base_rates=base_rates(labels),
        constant_guess=guess,
        alt_test=alternative,
        gate=None if condition is None else _checked(condition, study, labels, column, humans, alternative, wanted),
        notes=notes,
        sentences=_sentences(coder, with_judge, among, guess, alternative),
    )


def mean_agreement(
    row: Coefficient, study: Study, labels: Labels, pairs: Sequence[tuple[int, int]], wanted: AgreeOptions
) -> MeanAgreement:
    """The mean over pairs of coders, with an error that knows they share the items."""
    added, values, rows = np.zeros(len(study.weights)), [], []
    for pair in pairs:
        two = study.only(*pair)
        names = labels.coders[pair[0]], labels.coders[pair[1]]
        entry = _pair_value(row, two, names, wanted)
        rows.append(entry)
        if np.isfinite(entry.value):
            values.append(entry.value)
            added += np.nan_to_num(row.influence(two)) * (study.n_items / max(entry.items, 1))
    if not values:
        note = f"{row.name} is undefined for every pair."
        return MeanAgreement(
            coefficient=row.name, value=np.nan, standard_error=np.nan, interval=None, pairs=tuple(rows), note=note
        )
    error = float(np.sqrt(study.weights @ (added / len(values)) ** 2)) / study.n_items
    value = float(np.mean(values))
    interval = rows[0].interval if len(pairs) == 1 else _mean_interval(row, study, pairs, value, error, wanted)
    return MeanAgreement(coefficient=row.name, value=value, standard_error=error, interval=interval, pairs=tuple(rows))


def base_rates(labels: Labels) -> dict[str, dict[str, float]]:
    """How often each coder gives each category, as shares of that coder's labels."""
    size = len(labels.categories)
    rates = {}
    for k, coder in enumerate(labels.coders):
        given = labels.codes[:, k][labels.codes[:, k] >= 0]
        shares = np.bincount(given, minlength=size) / max(len(given), 1)
        rates[coder] = dict(zip(labels.categories, shares.tolist(), strict=True))
    return rates


def constant_guess(labels: Labels, study: Study, judge: int, humans: Sequence[int]) -> ConstantGuess:
    """How far a guess that never changes would get, beside the judge, on the items the judge labelled.

    Agreement is the mean over humans of the share of items on which they are matched.
    """
    seen = labels.codes[:, judge] >= 0
    size = len(labels.categories)
    given = [labels.codes[seen & (labels.codes[:, k] >= 0), k] for k in humans]
    common = int(np.bincount(np.concatenate(given), minlength=size).argmax())
    guesses = [float(np.mean(one == common)) for one in given if len(one)]
    row = COEFFICIENTS["percent_agreement"]
    judged = [float(row.values(part, part.weights)) for part in (study.only(judge, k) for k in humans)]
    known = [value for value in judged if np.isfinite(value)]
    return ConstantGuess(
        category=labels.categories[common],
        value=float(np.mean(guesses)) if guesses else float("nan"),
        judge=float(np.mean(known)) if known else float("nan"),
    )


def judge_disagreements(labels: Labels, judge: str) -> pl.DataFrame:
    """Items on which the judge differs from the humans, those first on which humans are most of one mind."""
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
    return pl.DataFrame(frame)


def _pair_value(row: Coefficient, two: Study, names: tuple[str, str], wanted: AgreeOptions) -> PairValue:
    if sentence := row.why_undefined(two):
        return PairValue(coders=names, items=0, value=float("nan"), interval=None, note=sentence)
    value, error = float(row.values(two, two.weights)), row.standard_error(two)
    interval, trust, note = _interval(value, error, wanted.level, row.error), trust_analytic(two), None
    if not trust.analytic:
        # the analytic interval is too short here; a bound that is relied on must not be
        posterior = posterior_intervals(_complete(two), [row.name], level=wanted.level, seed=wanted.seed).get(row.name)
        interval = posterior or interval
        note = (
            trust.sentence if posterior is None else "Too few data for an analytic interval; this is a posterior one."
        )
    return PairValue(coders=names, items=int(row.items_used(two)), value=value, interval=interval, note=note)


def _mean_interval(
    row: Coefficient, study: Study, pairs: Sequence[tuple[int, int]], value: float, error: float, wanted: AgreeOptions
) -> Interval | None:
    """Analytic where that can be trusted, else from a posterior over the label patterns, else from the bootstrap."""
    columns = sorted({column for pair in pairs for column in pair})
    part = study.only(*columns)
    if trust_analytic(part).analytic:
        return _interval(value, error, wanted.level, row.error)
    places = [(columns.index(a), columns.index(b)) for a, b in pairs]
    drawn = posterior_weights(part, seed=wanted.seed)
    if drawn is not None:
        whole, weights = drawn
        return middle(_mean_of_pairs(row, whole, places, weights), value, wanted.level)
    values = bootstrap(lambda w: _mean_of_pairs(row, part, places, w), part.weights, draws=2000, seed=wanted.seed)
    return middle(values, value, wanted.level, method="bootstrap_percentile")


def _mean_of_pairs(row: Coefficient, study: Study, pairs: Sequence[tuple[int, int]], weights: Array) -> Array:
    values = np.stack([row.values(study.only(*pair), weights) for pair in pairs])
    known = np.isfinite(values)
    return ratio(np.where(known, values, 0.0).sum(axis=0), known.sum(axis=0))


def _complete(two: Study) -> Study:
    both = two.present.all(axis=1)
    return replace(two, codes=two.codes[both], weights=two.weights[both])


def _interval(value: float, error: float, level: float, method: str) -> Interval | None:
    if not np.isfinite(error):
        return None
    reach = float(ndtri((1 + level) / 2)) * error
    return Interval(low=value - reach, high=min(1.0, value + reach), level=level, method=method)


def _two_ends(interval: Interval | None) -> tuple[float | None, float | None]:
    return (None, None) if interval is None else (interval.low, interval.high)


def _alternative(
    labels: Labels, judge: str, epsilon: float, score: Any
) -> tuple[AlternativeTest | None, tuple[str, ...]]:
    """The test, or the sentence why it cannot be had."""
    humans = labels.n_coders - 1
    if humans < 2:
        return None, ("The alternative-annotator test needs at least two human coders; there is one.",)
    column = labels.coder_index(judge)
    present = labels.codes >= 0
    others = [k for k in range(labels.n_coders) if k != column]
    usable = present[:, column] & (present[:, others].sum(axis=1) >= 2)
    most = int((usable[:, None] & present[:, others]).sum(axis=0).max(initial=0))
    if most < 2:
        return None, ("The alternative-annotator test needs items that the judge and two humans labelled.",)
    found = alternative_test(labels, judge, epsilon=epsilon, score=score, min_items=min(30, most))
    few = (f"No human has 30 items in common with the judge and another human; the test rests on {most}.",)
    return found, () if most >= 30 else few


def _parsed(expression: str) -> tuple[str, str, str, float]:
    found = GATE.fullmatch(expression)
    if found is None:
        raise InvalidInputError(f"A gate is written like 'cohen_kappa>=0.7', not {expression!r}.")
    quantity, sign, threshold = found.groups()
    if quantity not in RATES:
        row_named(quantity)
    return expression, quantity, sign, float(threshold)


def _checked(
    condition: tuple[str, str, str, float],
    study: Study,
    labels: Labels,
    judge: int,
    humans: Sequence[int],
    alternative: AlternativeTest | None,
    wanted: AgreeOptions,
) -> Gate:
    expression, quantity, sign, threshold = condition
    if quantity in RATES:
        bound = float("nan") if alternative is None else float(getattr(alternative, quantity))
    else:
        pairs = [(judge, k) for k in humans]
        found = mean_agreement(row_named(quantity), study, labels, pairs, wanted)
        bound = found.interval.low if found.interval is not None else float("nan")
    passed = bound >= threshold if sign == ">=" else bound > threshold
    return Gate(expression=expression, quantity=quantity, threshold=threshold, bound=bound, passed=bool(passed))


def _sentences(
    judge: str,
    with_judge: MeanAgreement,
    among: MeanAgreement | None,
    guess: ConstantGuess,
    alternative: AlternativeTest | None,
) -> tuple[str, ...]:
    said = [
        f"{judge} gives the same label as a human in {guess.judge:.1%} of the cases; always saying "
        f"{guess.category!r} would do so in {guess.value:.1%}."
    ]
    if among is not None and np.isfinite(among.value) and np.isfinite(with_judge.value):
        # what looks equal when printed must not be called less
        better = "at least as well as" if with_judge.value > among.value - 0.005 else "less well than"
        said.append(
            f"Beyond chance, {judge} agrees with the humans {better} they agree with each other "
            f"({with_judge.value:.2f} against {among.value:.2f}, {with_judge.coefficient})."
        )
    if alternative is not None:
        word = "passes" if alternative.passed else "does not pass"
        said.append(
            f"It {word} the alternative-annotator test: with an allowance of {alternative.epsilon:g} for what a human "
            f"costs more, it stands in for the other coders as well as {alternative.winning_rate:.0%} of the humans do."
        )
    said.append("If judge and humans share a misreading of the task, none of these figures can show it.")
    return tuple(said)

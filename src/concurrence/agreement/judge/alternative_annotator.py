"""The alternative-annotator test: whether a judge is as good a stand-in for the others as each human is."""

from collections.abc import Sequence
from math import ceil, log, log1p
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from concurrence.agreement.judge.noninferiority import noninferiority_p_values
from concurrence.agreement.judge.options import ENOUGH_ITEMS
from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.core.arrays import Reals
from concurrence.core.numerals import parse_numbers
from concurrence.core.values import value

MOST_NEEDED = 10_000
MOST_VOTES = 1 << 26
TWO_HUMANS = "With two humans there is no consensus to measure by; three or more are better."


@value
class AgainstHuman:
    """The judge against one human, both measured by the others.

    ``advantage`` is the share of items on which the judge is at least as close to the others as this human,
    ``disadvantage`` the share on which the human is at least as close as the judge. ``p_value`` and ``won`` are those
    of the paper's t-test or, with fewer than 30 items, of the exact test.
    """

    coder: str
    items: int
    advantage: float
    disadvantage: float
    p_value: float
    won: bool
    exact_p_value: float
    exact_won: bool


@value
class AlternativeTest:
    """Calderon et al.'s test: the judge may replace a human where ``winning_rate`` is at least one half.

    ``advantage_probability`` is the mean over humans; p-values are one-sided and tested at false discovery
    rate by Benjamini and Yekutieli. ``winning_rate`` is the paper's, ``exact_winning_rate`` that of exact tests.
    ``verdict`` says whether the judge passes by both, and is None, with a ``note``, where the items are too few to
    tell; ``passed`` is a verdict of yes.
    """

    winning_rate: float
    exact_winning_rate: float
    advantage_probability: float
    passed: bool
    verdict: bool | None
    epsilon: float
    false_discovery_rate: float
    score: str
    p_values: dict[str, float]
    humans: tuple[AgainstHuman, ...]
    left_out: tuple[str, ...]
    note: str | None = None


def alternative_test(
    labels: Labels,
    judge: str,
    *,
    epsilon: float = 0.2,
    rate: float = 0.05,
    score: Literal["accuracy", "rmse"] = "accuracy",
    min_items: int = ENOUGH_ITEMS,
) -> AlternativeTest:
    r"""Leave each human out in turn and ask who is closer to the remaining ones, that human or the judge.

    On item i the judge is at least as good (:math:`W^f = 1`) where its mean agreement with the remaining humans
    is not below that of the left-out one, and the other way round (:math:`W^h = 1`). The judge wins where
    :math:`\overline{W^h - W^f} < \varepsilon` significantly, a one-sided t-test; ``epsilon`` is what a human
    costs more (0.2 for experts, 0.15 for skilled coders, 0.1 for crowds). Items need two humans and the judge.

    The differences are -1, 0 or 1, and at its boundary a t-test of them at .05 rejects in up to 18% of the studies of
    30 items and 12% of those of 100. A judge therefore passes only if exact tests say so, too; with fewer than 30
    items, where the paper has Wilcoxon's test, they stand alone.

    References: Calderon, Reichart and Dror (2025); Hsueh, Liu and Chen (2001) for the exact test.
    """
    column = labels.coder_index(judge)
    others = [k for k in range(labels.n_coders) if k != column]
    if len(others) < 2:
        raise UndefinedError("The alternative-annotator test needs at least two human coders beside the judge.")
    present = labels.codes >= 0
    usable = present[:, column] & (present[:, others].sum(axis=1) >= 2)
    enough = [k for k in others if (usable & present[:, k]).sum() >= min_items]
    if not enough:
        raise UndefinedError(
            f"The alternative-annotator test needs a human with at least {min_items} items that the judge and another "
            "human labelled too."
        )
    differences = _differences(labels, column, others, enough, _numbers(labels, score))
    humans = _against_each([labels.coders[k] for k in enough], differences, epsilon, rate)
    verdict, why = _verdict(humans, epsilon, rate)
    return AlternativeTest(
        winning_rate=float(np.mean([human.won for human in humans])),
        exact_winning_rate=float(np.mean([human.exact_won for human in humans])),
        advantage_probability=float(np.mean([human.advantage for human in humans])),
        passed=verdict is True,
        verdict=verdict,
        epsilon=epsilon,
        false_discovery_rate=rate,
        score=score,
        p_values={human.coder: human.p_value for human in humans},
        humans=humans,
        left_out=tuple(labels.coders[k] for k in others if k not in enough),
        note=why or (TWO_HUMANS if len(others) < 3 else None),
    )


def fewest_items(humans: int, epsilon: float, rate: float = 0.05) -> int | None:
    """How many items a verdict takes: with fewer, not even a judge as close as every human on every item passes.

    Without an allowance a judge must be closer, and None says that there is no such number.

    >>> fewest_items(3, 0.2), fewest_items(3, 0.1), fewest_items(3, 0.0)
    (18, 36, None)
    """
    if epsilon <= 0:
        return None
    fewest = ceil(log(rate) / log1p(-epsilon))  # the items of one human, of whom none may be lost
    return next((n for n in range(fewest, MOST_NEEDED) if _could_pass([n] * humans, epsilon, rate)), None)


def _could_pass(items: Sequence[int], epsilon: float, rate: float) -> bool:
    """Whether a judge who is as close as every human on every item passes with so many items of each human."""
    p_values = np.array([float(noninferiority_p_values(0, 0, n, epsilon)) for n in items])
    return bool(benjamini_yekutieli(p_values, rate).mean() >= 0.5)


def _differences(
    labels: Labels, judge: int, others: list[int], humans: Sequence[int], numbers: Reals | None
) -> list[Reals]:
    """For each human, the items that they, the judge and another human labelled: 1 where the human is closer, or -1."""
    codes, present = labels.codes, labels.codes >= 0
    usable = present[:, judge] & (present[:, others].sum(axis=1) >= 2)
    by_votes = numbers is None and len(codes) * len(labels.categories) <= MOST_VOTES
    votes = _votes(codes[:, others], len(labels.categories)) if by_votes else None
    differences = []
    for human in humans:
        rows = np.flatnonzero(usable & present[:, human])
        if votes is None:
            own, of_judge = closeness(codes[rows], present[rows], others, human, judge, numbers)
            differences.append((own >= of_judge).astype(np.float64) - (of_judge >= own))
            continue
        label, judged = codes[rows, human], codes[rows, judge]
        with_human, with_judge = votes[rows, label] - 1, votes[rows, judged] - (label == judged)
        differences.append(np.sign(with_human - with_judge).astype(np.float64))
    return differences


def _votes(codes: NDArray[np.signedinteger], size: int) -> NDArray[np.int64]:
    """How many gave each label to each item."""
    rows, columns = np.nonzero(codes >= 0)
    places = rows * size + codes[rows, columns]
    return np.bincount(places, minlength=len(codes) * size).reshape(-1, size)


def _against_each(
    names: Sequence[str], differences: Sequence[Reals], epsilon: float, rate: float
) -> tuple[AgainstHuman, ...]:
    counts = [(int((each > 0).sum()), int((each < 0).sum()), len(each)) for each in differences]
    exact = np.array([float(noninferiority_p_values(*count, epsilon)) for count in counts])
    p_values = np.array(
        [p if len(each) < ENOUGH_ITEMS else _t_test(each, epsilon) for each, p in zip(differences, exact, strict=True)]
    )
    won, exact_won = benjamini_yekutieli(p_values, rate), benjamini_yekutieli(exact, rate)
    return tuple(
        AgainstHuman(
            coder=name,
            items=n,
            advantage=(n - behind) / n,
            disadvantage=(n - ahead) / n,
            p_value=float(p_values[k]),
            won=bool(won[k]),
            exact_p_value=float(exact[k]),
            exact_won=bool(exact_won[k]),
        )
        for k, (name, (behind, ahead, n)) in enumerate(zip(names, counts, strict=True))
    )


def _verdict(humans: Sequence[AgainstHuman], epsilon: float, rate: float) -> tuple[bool | None, str | None]:
    """Whether the judge passes, or why that cannot be said."""
    passed, shown = (float(np.mean(wins)) >= 0.5 for wins in zip(*((h.won, h.exact_won) for h in humans), strict=True))
    if passed and shown:
        return True, None
    items = [human.items for human in humans]
    if epsilon > 0 and not _could_pass(items, epsilon, rate):
        needed = fewest_items(len(humans), epsilon, rate)
        few = "too many" if needed is None else f"at least {needed:,}"
        return None, f"A verdict takes {few} items of each human; here a human has {max(items):,} at most."
    if passed:
        return None, (
            "The t-test passes the judge and exact tests do not; at its boundary the t-test passes too many, so more "
            "items are needed for a verdict."
        )
    return False, None


def benjamini_yekutieli(p_values: Reals, rate: float) -> NDArray[np.bool_]:
    """Which tests are significant at a false discovery rate, whatever their dependence; the last axis is one family.

    References: Benjamini and Yekutieli (2001).

    >>> benjamini_yekutieli(np.array([0.001, 0.02, 0.9]), 0.05).tolist()
    [True, False, False]
    """
    order = np.argsort(p_values, axis=-1, kind="stable")
    ranks = np.arange(1, p_values.shape[-1] + 1)
    below = np.take_along_axis(p_values, order, axis=-1) <= ranks / ranks[-1] * rate / (1 / ranks).sum()
    last = np.where(below, ranks, 0).max(axis=-1, keepdims=True)
    kept = np.zeros(p_values.shape, dtype=bool)
    np.put_along_axis(kept, order, ranks <= last, axis=-1)
    return kept


def _numbers(labels: Labels, score: str) -> Reals | None:
    if score == "accuracy":
        return None
    if score != "rmse":
        raise InvalidInputError(f"The score is 'accuracy' or 'rmse', not {score!r}.")
    numbers = parse_numbers(labels.categories)
    if numbers is None:
        raise InvalidInputError("The score rmse needs numbers as labels.")
    return numbers


def closeness(
    codes: NDArray[np.signedinteger],
    present: NDArray[np.bool_],
    others: list[int],
    left: int,
    judge: int,
    numbers: Reals | None,
) -> tuple[Reals, Reals]:
    """How close the left-out human and the judge are to the remaining humans, item by item."""
    rest = [k for k in others if k != left]
    sizes = np.maximum(present[:, rest].sum(axis=1), 1)

    def close(column: int) -> Reals:
        if numbers is None:
            alike = (codes[:, rest] == codes[:, [column]]) & present[:, rest]
            return np.asarray(alike.sum(axis=1) / sizes)
        gaps = np.where(present[:, rest], numbers[codes[:, rest]] - numbers[codes[:, [column]]], 0.0)
        return np.asarray(-np.sqrt((gaps**2).sum(axis=1) / sizes))

    return close(left), close(judge)


def _t_test(differences: Reals, epsilon: float) -> float:
    """The one-sided p-value of a mean below epsilon; 0 or 1 where all differences are the same."""
    if differences.min() == differences.max():
        return 0.0 if differences[0] < epsilon else 1.0
    n = len(differences)
    error = np.sqrt(differences.var() * (n / (n - 1)) / n)
    return float(stdtr(n - 1, (differences.mean() - epsilon) / error))

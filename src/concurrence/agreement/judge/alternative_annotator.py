"""The alternative-annotator test: whether a judge is as good a stand-in for the others as each human is."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from concurrence.agreement.judge.options import ENOUGH_ITEMS
from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.core.arrays import Reals
from concurrence.core.numerals import parse_numbers
from concurrence.core.values import value


@value
class AgainstHuman:
    """The judge against one human, both measured by the others.

    ``advantage`` is the share of items on which the judge is at least as close to the others as this human,
    ``disadvantage`` the share on which the human is at least as close as the judge.
    """

    coder: str
    items: int
    advantage: float
    disadvantage: float
    p_value: float
    won: bool


@value
class AlternativeTest:
    """Calderon et al.'s test: the judge may replace a human where ``winning_rate`` is at least one half.

    ``advantage_probability`` is the mean over humans; p-values are one-sided and tested at false discovery
    rate by Benjamini and Yekutieli.
    """

    winning_rate: float
    advantage_probability: float
    passed: bool
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

    References: Calderon, Reichart and Dror (2025).
    """
    column = labels.coder_index(judge)
    others = [k for k in range(labels.n_coders) if k != column]
    if len(others) < 2:
        raise UndefinedError("The alternative-annotator test needs at least two human coders beside the judge.")
    codes, present = labels.codes, labels.codes >= 0
    usable = present[:, column] & (present[:, others].sum(axis=1) >= 2)
    numbers = _numbers(labels, score)
    scores = {k: closeness(codes, present, others, k, column, numbers) for k in others}
    enough = [k for k in others if (usable & present[:, k]).sum() >= min_items]
    if not enough:
        raise UndefinedError(
            f"The alternative-annotator test needs a human with at least {min_items} items that the judge and another "
            "human labelled too."
        )
    against = [_against(usable & present[:, k], *scores[k], epsilon) for k in enough]
    won = benjamini_yekutieli(np.array([p_value for _, _, p_value in against]), rate)
    rows = tuple(
        AgainstHuman(
            coder=labels.coders[k],
            items=int((usable & present[:, k]).sum()),
            advantage=advantage,
            disadvantage=disadvantage,
            p_value=p_value,
            won=bool(win),
        )
        for k, (advantage, disadvantage, p_value), win in zip(enough, against, won, strict=True)
    )
    few = "With two humans there is no consensus to measure by; three or more are better."
    return AlternativeTest(
        winning_rate=float(won.mean()),
        advantage_probability=float(np.mean([row.advantage for row in rows])),
        passed=bool(won.mean() >= 0.5),
        epsilon=epsilon,
        false_discovery_rate=rate,
        score=score,
        p_values={row.coder: row.p_value for row in rows},
        humans=rows,
        left_out=tuple(labels.coders[k] for k in others if k not in enough),
        note=few if len(others) < 3 else None,
    )


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


def _against(used: NDArray[np.bool_], human: Reals, judge: Reals, epsilon: float) -> tuple[float, float, float]:
    """Advantage, disadvantage and the one-sided p-value against one human."""
    judge_wins, human_wins = judge[used] >= human[used], human[used] >= judge[used]
    difference = human_wins.astype(np.float64) - judge_wins
    return float(judge_wins.mean()), float(human_wins.mean()), _one_sided(difference, epsilon)


def _one_sided(difference: Reals, epsilon: float) -> float:
    """P of a mean below epsilon; the signed-rank test where items are too few for a t-test.

    Where all differences are the same, a t-test knows no doubt, but the signs of a few may be alike by chance.
    """
    if difference.min() == difference.max():
        alike = 0.5 ** len(difference) if len(difference) < ENOUGH_ITEMS else 0.0
        return alike if difference[0] < epsilon else 1.0
    if len(difference) < ENOUGH_ITEMS:
        from scipy.stats import wilcoxon  # takes longer to load than all the rest

        return float(wilcoxon(difference - epsilon, alternative="less").pvalue)
    n = len(difference)
    error = np.sqrt(difference.var() * (n / (n - 1)) / n)
    return float(stdtr(n - 1, (difference.mean() - epsilon) / error))

"""The options of ``judge`` and of its plan: each with its default, its help and the values it takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import option
from concurrence.kernels.choices import ORDERED_WEIGHTS, SCALES

ENOUGH_ITEMS = 30
"""From how many items on the alternative-annotator test has the paper's t-test beside the exact test."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """How a judge is compared with the humans; ``None`` leaves a choice to the scale and the labels.

    ``weights`` may also be a square matrix in the order of the categories.
    """

    humans: Sequence[str] | None = option(
        None,
        "The people among the coders. Default: all but judges and the models and scorers of exports and logs.",
        kind="names",
        metavar="A,B,…",
    )
    before: str | None = option(None, "Earlier labels of the same judge, to see what has changed.", metavar="CODER")
    coefficient: str | None = option(
        None,
        "Coefficient of agreement. Default: Cohen's kappa, or weighted kappa or alpha as the scale needs.",
        kind="coefficient",
    )
    scale: str | None = option(
        None,
        "Scale of the categories. Default: nominal, or interval with --score rmse.",
        choices=SCALES,
    )
    weights: str | Sequence[Sequence[float]] | None = option(
        None, "Weights for partial agreement.", choices=ORDERED_WEIGHTS
    )
    gate: str | None = option(
        None,
        "Condition such as 'cohen_kappa>=0.7'; exit code 3 if the lower bound misses it.",
        metavar="CONDITION",
    )
    epsilon: float = option(
        0.2, "Allowance for the cost of a human: 0.2 for experts, 0.1 for crowd workers.", kind="number"
    )
    score: str | None = option(
        None,
        "How the alternative-annotator test measures closeness. Default: rmse on an interval or ratio scale, else "
        "accuracy.",
        choices=("accuracy", "rmse"),
    )
    level: float = option(0.95, "Confidence level.", kind="number")
    seed: int = 0

    def __post_init__(self) -> None:
        check_epsilon(self.epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgePlanOptions:
    """The humans, the judge and the test: ``rate`` is its false discovery rate, ``power`` the wanted one."""

    humans: Sequence[int] = option((3,), "Number of humans.", kind="counts")
    kappa: float = option(0.6, "Kappa expected among the humans.", kind="number")
    judge_kappa: Sequence[float] | None = option(
        None, "Kappa expected between judge and humans. Default: as --kappa.", kind="list of numbers"
    )
    shares: Sequence[float] = option((0.5, 0.5), "Share of each category.", kind="list of numbers")
    items: Sequence[int] = option((30, 50, 100, 200), "Numbers of items.", kind="counts")
    epsilon: float = option(
        0.2, "Allowance for the cost of a human: 0.2 for experts, 0.1 for crowd workers.", kind="number"
    )
    rate: float = 0.05
    power: float = option(0.8, "Desired power.", kind="share")
    draws: int = option(2000, "Number of simulated studies.", kind="count", least=100)
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.humans or min(self.humans) < 2:
            raise InvalidInputError("The alternative-annotator test needs at least two humans.")
        if not self.items or min(self.items) < 2:
            raise InvalidInputError("The alternative-annotator test needs at least two items.")
        if not 0 < self.kappa < 1:
            raise InvalidInputError(
                f"The kappa expected among the humans must lie strictly between 0 and 1, not {self.kappa:g}."
            )
        if len(self.shares) < 2 or min(self.shares) <= 0 or not isclose(sum(self.shares), 1, abs_tol=1e-6):
            raise InvalidInputError("The category shares must be at least two positive numbers that sum to 1.")
        check_epsilon(self.epsilon)
        if not 0 < self.power < 1:
            raise InvalidInputError(f"The power must lie strictly between 0 and 1, not {self.power:g}.")


def check_epsilon(epsilon: float) -> None:
    """Refuse an allowance for the cost of a human that is no share."""
    if not 0 <= epsilon < 1:
        raise InvalidInputError(f"Epsilon must be at least 0 and below 1, not {epsilon:g}.")

"""What a plan for testing a judge can be asked for; without arrays, so that the command line reads the fields fast."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose

from concurrence.agreement.labels.options import check_epsilon
from concurrence.core.errors import InvalidInputError
from concurrence.core.options import option

ENOUGH_ITEMS = 30
"""From how many items on the alternative-annotator test is the t-test."""


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
        if not self.items or min(self.items) < ENOUGH_ITEMS:
            raise InvalidInputError(
                f"The plan is for at least {ENOUGH_ITEMS} items; with fewer, the test is another one."
            )
        if not 0 < self.kappa < 1:
            raise InvalidInputError(
                f"The kappa expected among the humans must lie strictly between 0 and 1, not {self.kappa:g}."
            )
        if len(self.shares) < 2 or min(self.shares) <= 0 or not isclose(sum(self.shares), 1, abs_tol=1e-6):
            raise InvalidInputError("The category shares must be at least two positive numbers that sum to 1.")
        check_epsilon(self.epsilon)
        if not 0 < self.power < 1:
            raise InvalidInputError(f"The power must lie strictly between 0 and 1, not {self.power:g}.")

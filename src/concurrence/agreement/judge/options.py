"""The options of ``judge``: each with its default, its help and the values it takes."""

from collections.abc import Sequence
from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError
from concurrence.core.options import option
from concurrence.kernels.choices import ORDERED_WEIGHTS, SCALES


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeOptions:
    """How a judge is compared with the humans; ``None`` leaves a choice to the scale and the labels.

    ``weights`` may also be a square matrix in the order of the categories.
    """

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


def check_epsilon(epsilon: float) -> None:
    """Refuse an allowance for the cost of a human that is no share."""
    if not 0 <= epsilon < 1:
        raise InvalidInputError(f"Epsilon must be at least 0 and below 1, not {epsilon:g}.")

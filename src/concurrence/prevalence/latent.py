"""Rates and errors from judges alone, without judgements by people (Hui & Walter 1980, and latent classes).

The model: given what a candidate truly is, judges err independently, and equally often in every part of the corpus. Two
judges and two parts with different rates, or three judges, then determine everything. The estimates are those of
maximum likelihood, the intervals those of the profile likelihood.
"""

from collections.abc import Sequence
from math import isnan
from typing import Any

from concurrence.core.arrays import Reals
from concurrence.core.errors import UndefinedError, option_or_keyword
from concurrence.core.frames import frame_of
from concurrence.core.results import Interval, Result
from concurrence.core.sentences import Sentence, join_words, warnings_first, warnings_of
from concurrence.core.values import value
from concurrence.prevalence.judges import judge_names
from concurrence.prevalence.options import RateOptions
from concurrence.prevalence.region import shares_in_region
from concurrence.prevalence.results import EstimatedShare
from concurrence.prevalence.verdict_tests import chance_of_equal_parts, chance_of_fit, chance_of_guessing
from concurrence.prevalence.verdicts import VerdictPatterns, count_verdicts

FITS = 0.05
WIDE, NEARLY_ALL = 0.5, 0.9
"""Widths of an interval at which the data can hardly tell a rate, and cannot."""
REACHED = 1e-8  # a deviance that is nothing but where the search stopped
WAYS_OUT = "add a judge or other parts, or have people judge a sample"


@value
class LatentJudge:
    """The sensitivity and specificity of a judge, as the model estimates them."""

    sensitivity: EstimatedShare
    specificity: EstimatedShare


@value
class LatentReport(Result):
    """Rates of the parts and errors of the judges without any gold; ``rate`` is that of all parts together."""

    rate: float
    interval: Interval
    method: str
    parts: dict[str, EstimatedShare]
    judges: dict[str, LatentJudge]
    candidates: dict[str, int]
    deviance: float
    degrees_of_freedom: int
    p_value: float
    level: float
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]

    def __str__(self) -> str:
        return " ".join(str(sentence) for sentence in warnings_first(self.sentences))


def rate_without_gold(
    candidates: Any, options: RateOptions, *, judges: str | Sequence[str], by: str | None = None
) -> LatentReport:
    """Rates and errors from what judges said alone: two judges and two parts (``by``), or three judges and more.

    ``candidates`` has a column of 1/0, yes/no or true/false for each judge, and may have a column ``count``.

    >>> import polars as pl
    >>> counts = [14, 4, 9, 528, 887, 31, 37, 367]
    >>> table = pl.DataFrame({"a": [1, 1, 0, 0] * 2, "b": [1, 0, 1, 0] * 2, "part": [1] * 4 + [2] * 4, "count": counts})
    >>> report = rate_without_gold(table, RateOptions(), judges=["a", "b"], by="part")
    >>> [round(part.value, 4) for part in report.parts.values()]
    [0.0268, 0.7168]
    """
    return report_patterns(count_verdicts(frame_of(candidates), judge_names(judges), by), options)


def report_patterns(patterns: VerdictPatterns, options: RateOptions) -> LatentReport:
    """Rates and errors from counts of verdicts; refused where these determine nothing."""
    require_identified(patterns, options.seed)
    return _report(patterns, patterns.fitted(options.seed), options.level, options.seed)


def require_identified(patterns: VerdictPatterns, seed: int) -> None:
    """Refuse counts that leave too much unknown: too few, judges who may only guess, or parts that may be alike."""
    _require_enough(patterns)
    _require_difference(patterns, seed)


def _require_enough(patterns: VerdictPatterns) -> None:
    if patterns.freedom < 0:
        raise UndefinedError(
            f"The data cannot tell: {len(patterns.judges)} judges and {len(patterns.parts)} "
            f"part{'s' * (len(patterns.parts) != 1)} of the corpus leave more unknown than there are counts; add a "
            f"judge, or name a column of parts with different rates, with {option_or_keyword('--by', 'by=')}."
        )


def _require_difference(patterns: VerdictPatterns, seed: int) -> None:
    """Refuse data that do not identify the errors: judges who may only guess, or parts that may be alike."""
    guessing = [name for place, name in enumerate(patterns.judges) if chance_of_guessing(patterns, place, seed) > FITS]
    judges = [name for name in patterns.judges if name not in guessing]
    needed = 2 if len(patterns.parts) > 1 else 3
    if len(judges) < needed:
        raise UndefinedError(
            f"The data cannot tell: nothing shows that {join_words(guessing)} "
            f"{'does' if len(guessing) == 1 else 'do'} better than guessing, and it takes {needed} judges who do; "
            f"{WAYS_OUT}."
        )
    if len(judges) == 2:
        _require_different_parts(patterns.only(judges), seed)


def _require_different_parts(patterns: VerdictPatterns, seed: int) -> None:
    p = chance_of_equal_parts(patterns, seed)
    if p > FITS:
        raise UndefinedError(
            f"The data cannot tell: two judges need parts of the corpus with different rates, and their verdicts in "
            f"{join_words(patterns.parts)} are too alike to show that (p = {p:.2g}); {WAYS_OUT}."
        )


def _require_bounds(overall: EstimatedShare) -> None:
    """Refuse a rate whose interval covers nearly all values."""
    if overall.interval.width > NEARLY_ALL:
        raise UndefinedError(
            f"The data cannot tell: any rate from {overall.interval.low:.0%} to {overall.interval.high:.0%} explains "
            f"the counts, as where a judge only guesses; {WAYS_OUT}."
        )


def _report(patterns: VerdictPatterns, best: Reals, level: float, seed: int) -> LatentReport:
    s, j = len(patterns.parts), len(patterns.judges)
    shares, overall = shares_in_region(patterns, best, level)
    _require_bounds(overall)
    sizes = patterns.counts.sum(axis=1)
    deviance = patterns.deviance(best)
    p = chance_of_fit(patterns, best, seed)
    parts = dict(zip(patterns.parts, shares[:s], strict=True))
    judges = {
        name: LatentJudge(sensitivity=shares[s + n], specificity=shares[s + j + n])
        for n, name in enumerate(patterns.judges)
    }
    sentences = _sentences(patterns, overall, parts, judges, p)
    return LatentReport(
        rate=overall.value,
        interval=overall.interval,
        method="latent_classes",
        parts=parts,
        judges=judges,
        candidates={name: int(n) for name, n in zip(patterns.parts, sizes, strict=True)},
        deviance=deviance if deviance > REACHED else 0.0,
        degrees_of_freedom=patterns.freedom,
        p_value=p,
        level=level,
        seed=seed,
        sentences=tuple(sentences),
        warnings=warnings_of(sentences),
    )


def _sentences(
    patterns: VerdictPatterns,
    overall: EstimatedShare,
    parts: dict[str, EstimatedShare],
    judges: dict[str, LatentJudge],
    p: float,
) -> list[Sentence]:
    text = f"According to the model, {overall.value:.1%} are true ({_ends(overall)}); people checked none of them."
    sentences = [Sentence(code="rate", text=text)]
    if len(parts) > 1:
        rates = join_words([f"{one.value:.1%} in {name}" for name, one in parts.items()])
        sentences.append(Sentence(code="parts", text=f"The rates of the parts are {rates}."))
    for name, one in judges.items():
        text = (
            f"According to the model, {name} finds {one.sensitivity.value:.0%} of the true ones "
            f"({_ends(one.sensitivity, digits=0)}) and rejects {one.specificity.value:.0%} of the false ones "
            f"({_ends(one.specificity, digits=0)})."
        )
        sentences.append(Sentence(code="judge", text=text))
    return sentences + _cautions(patterns, parts, p)


def _ends(one: EstimatedShare, *, digits: int = 1) -> str:
    low, high = one.interval
    return f"{one.interval.level:.0%} interval {low:.{digits}%} to {high:.{digits}%}"


def _cautions(patterns: VerdictPatterns, parts: dict[str, EstimatedShare], p: float) -> list[Sentence]:
    sentences = []
    if patterns.freedom == 0:
        text = (
            "The model has as many unknowns as there are counts, so the data cannot show whether it holds: judges who "
            "make the same mistakes would look better than they are."
        )
        sentences.append(Sentence(code="not_testable", text=text, warning=True))
    elif not isnan(p) and p < FITS:
        text = (
            f"The model does not fit (p = {p:.2g}): the judges' errors are not independent, or they differ between the "
            "parts. Do not rely on these rates."
        )
        sentences.append(Sentence(code="does_not_fit", text=text, warning=True))
    wide = [name for name, one in parts.items() if one.interval.width > WIDE]
    if wide:
        theirs = "its interval is" if len(wide) == 1 else "their intervals are"
        text = f"The data can hardly tell the rate of {join_words(wide)}: {theirs} wider than 50 percentage points."
        sentences.append(Sentence(code="data_cannot_tell", text=text, warning=True))
    return sentences

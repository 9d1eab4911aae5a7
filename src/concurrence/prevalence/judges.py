"""The verdicts of judges on every candidate, and the classes of candidates that follow from them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

import numpy as np
import polars as pl

from concurrence.core.arrays import Booleans, Integers, Reals
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.judgements import VERDICTS

MOST_CLASSES = 5
ENOUGH = 10
"""Judgements that a class of scores, or of several judges' verdicts, has at least; fewer are joined to the next."""
SAID = ("no", "yes")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JudgeColumn:
    """One judge: a number for every candidate; ``binary`` where it is 1 or 0."""

    name: str
    values: Reals

    @property
    def binary(self) -> bool:
        return bool(np.isin(self.values, (0.0, 1.0)).all())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Classes:
    """The class of every candidate, and the verdicts that name each class."""

    of: Integers
    names: tuple[str, ...]


def judge_names(judges: str | Sequence[str]) -> tuple[str, ...]:
    """The names of judges, each once; one name may stand by itself.

    >>> judge_names("model"), judge_names(["model", "other"])
    (('model',), ('model', 'other'))
    """
    names = (judges,) if isinstance(judges, str) else tuple(judges)
    twice = [name for place, name in enumerate(names) if name in names[:place]]
    if twice:
        raise InvalidInputError(f"The judge {twice[0]!r} is named twice; name every judge once.")
    return names


def judge_column(table: pl.DataFrame, name: str) -> JudgeColumn:
    """A judge's column: 1/0, yes/no or true/false, a probability, or any score."""
    if name not in table.columns:
        raise UnknownNameError("column", name, table.columns)
    column = table[name]
    if column.dtype.is_numeric():
        values = column.cast(pl.Float64)
    else:
        texts = column.cast(pl.String).str.strip_chars().str.to_lowercase()
        words = texts.replace_strict(VERDICTS, default=None, return_dtype=pl.Float64)
        values = words if words.null_count() == 0 else texts.cast(pl.Float64, strict=False)
    numbers = values.fill_null(float("nan")).to_numpy()
    if not np.isfinite(numbers).all():
        row = int(np.argmin(np.isfinite(numbers)))
        raise InvalidInputError(
            f"The judge {name!r} must say something of every candidate, 1/0, yes/no, true/false or a number; "
            f"candidate {row + 1} has {column[row]!r}."
        )
    return JudgeColumn(name=name, values=numbers)


def classes_of(judges: Sequence[JudgeColumn], judged: Booleans, *, most: int = MOST_CLASSES) -> Classes:
    """Classes of candidates with the same verdicts of the judges, or with similar scores.

    One judge who says yes or no makes two classes. Scores are cut where they divide the list into equal parts,
    and the verdicts of several judges are ordered by how many say yes; neighbours are joined until each class has
    enough judgements. What people said plays no part in it.
    """
    if len(judges) == 1 and judges[0].binary:
        return Classes(of=judges[0].values.astype(np.int64), names=tuple(f"{judges[0].name} = {word}" for word in SAID))
    patterned = all(judge.binary for judge in judges) and 2 ** len(judges) <= 2 * most
    of, names = _patterns(judges) if patterned else _graded(judges, most)
    return _join_classes(of, names, judged)


def _patterns(judges: Sequence[JudgeColumn]) -> tuple[Integers, list[str]]:
    """The patterns of verdicts that occur, those with fewer yeses first."""
    verdicts = np.stack([judge.values.astype(np.int64) for judge in judges])
    code = reduce(lambda total, row: 2 * total + row, verdicts[1:], verdicts[0]) + (verdicts.sum(axis=0) << len(judges))
    patterns, first, of = np.unique(code, return_index=True, return_inverse=True)
    return of, [
        ", ".join(f"{j.name} = {SAID[verdicts[n, at]]}" for n, j in enumerate(judges)) for at in first[: len(patterns)]
    ]


def _graded(judges: Sequence[JudgeColumn], most: int) -> tuple[Integers, list[str]]:
    """Classes of scores; those of several judges are averaged over their ranks in the list."""
    name = judges[0].name if len(judges) == 1 else "mean of " + ", ".join(judge.name for judge in judges)
    values = judges[0].values if len(judges) == 1 else np.mean([_ranks(judge.values) for judge in judges], axis=0)
    cuts = np.unique(np.quantile(values, np.arange(1, most) / most, method="inverted_cdf"))
    cuts = cuts[cuts < values.max()]
    of = np.searchsorted(cuts, values, side="left")
    ends = [f"{name} <= {cut:.4g}" for cut in cuts]
    return of, [*ends, f"{name} > {cuts[-1]:.4g}" if len(cuts) else name]


def _ranks(values: Reals) -> Reals:
    """Mean ranks from 0 to 1."""
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray(((np.cumsum(counts) - (counts + 1) / 2) / max(len(values) - 1, 1))[where])


def _join_classes(of: Integers, names: Sequence[str], judged: Booleans) -> Classes:
    """The classes with neighbours joined until each has enough judgements."""
    counts = np.bincount(of[judged], minlength=len(names))
    number, groups = np.zeros(len(names), dtype=np.int64), [[0]]
    for place in range(1, len(names)):
        if counts[groups[-1]].sum() >= ENOUGH:
            groups.append([])
        groups[-1].append(place)
        number[place] = len(groups) - 1
    if len(groups) > 1 and counts[groups[-1]].sum() < ENOUGH:
        few = groups.pop()
        groups[-1] += few
        number = np.minimum(number, len(groups) - 1)
    titles = [names[group[0]] if len(group) == 1 else f"{names[group[0]]} to {names[group[-1]]}" for group in groups]
    return Classes(of=number[of], names=tuple(titles))

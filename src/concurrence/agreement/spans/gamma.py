"""Mathet's gamma, gamma_cat and gamma_k: the disorder of the best alignment against that of random documents."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from concurrence.agreement.spans.alignment import AlignmentUnits, Dissimilarity, align
from concurrence.agreement.spans.samplers import draw
from concurrence.agreement.spans.study import Estimator, Parts, SpanStudy
from concurrence.core.arrays import Integers, Reals

FIRST_DRAWS = 30
FEWEST_DRAWS = 4
MOST_DRAWS = 1000
NORMAL = 1.96


@dataclass(frozen=True, slots=True, kw_only=True)
class ChanceSampling:
    """How the expected disorder is estimated: sampler, number of draws (or the precision to reach) and seed."""

    sampler: str = "shuffle"
    draws: int | None = None
    precision: float = 0.02
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disorders:
    """Sums by draw and document: disorder and units per coder, and categorical dissimilarity with its weight.

    The categorical sums are by label, too: those of pairs with a unit of the label; the last is of all pairs.
    """

    disorder: Reals
    units: Reals
    category: Reals
    weight: Reals

    def with_draws(self, more: "Disorders") -> "Disorders":
        """The draws of both."""
        both = {name: np.concatenate([getattr(self, name), getattr(more, name)]) for name in self.__slots__}
        return Disorders(**both)

    def mean(self, weights: Reals) -> Reals:
        """The disorder per unit of a coder of each draw: (..., draws)."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((weights @ self.disorder.T) / (weights @ self.units.T))

    def categorical(self, weights: Reals, label: int) -> Reals:
        """The weighted mean dissimilarity of the categories of aligned units of each draw."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((weights @ self.category[:, :, label].T) / (weights @ self.weight[:, :, label].T))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChanceAlignment:
    """The disorders of a study and of random documents."""

    observed: Disorders
    random: Disorders
    labels: tuple[str, ...]
    sampler: str
    draws: int = field(default=0)


def align_with_chance(
    study: SpanStudy, how: Dissimilarity, chance: ChanceSampling, progress: Callable[[int, int], None] | None = None
) -> ChanceAlignment:
    """Align the study and as many random draws as the precision of the expected disorder needs."""
    units = alignment_units(study)
    lengths = study.spans.lengths
    observed = disorders(units, how, len(study.spans.labels), draws=1)
    first = chance.draws or max(FEWEST_DRAWS, -(-FIRST_DRAWS // max(study.n_documents, 1)))
    random = _draw_disorders(units, lengths, how, chance, first, 0, progress)
    if chance.draws is None:
        needed = min(_needed(random, chance.precision), MOST_DRAWS)
        if needed > first:
            random = random.with_draws(_draw_disorders(units, lengths, how, chance, needed - first, 1, progress))
    return ChanceAlignment(
        observed=observed,
        random=random,
        labels=study.spans.labels,
        sampler=chance.sampler,
        draws=len(random.disorder),
    )


def _draw_disorders(
    units: AlignmentUnits, lengths: Integers, how: Dissimilarity, chance: ChanceSampling, times: int, batch: int,
    progress: Callable[[int, int], None] | None,
) -> Disorders:  # fmt: skip
    n_labels = int(units.label.max()) + 1
    parts = []
    step = max(1, 4000 // max(len(units), 1))
    for done in range(0, times, step):
        some = min(step, times - done)
        drawn = draw(units, lengths, chance.sampler, some, (chance.seed, batch, done))
        parts.append(disorders(drawn, how, n_labels, draws=some))
        if progress is not None:
            progress(done + some, times)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.with_draws(part)
    return whole


def _needed(random: Disorders, precision: float) -> int:
    """How many draws give the expected disorder at a relative precision (95%), by the formula of the paper."""
    means = random.mean(np.ones(random.disorder.shape[1]))
    if not means.mean() > 0:
        return 0
    return int(np.ceil((means.std(ddof=1) / means.mean() * NORMAL / precision) ** 2))


def alignment_units(study: SpanStudy) -> AlignmentUnits:
    """The spans as units; readers of a document are numbered from 0."""
    spans = study.spans
    number = np.cumsum(spans.read, axis=1) - 1
    return AlignmentUnits(
        task=spans.document,
        coder=number[spans.document, spans.coder],
        start=spans.start.astype(float),
        end=spans.end.astype(float),
        label=spans.label,
        n_coders=study.readers.astype(np.int64),
    )


def disorders(units: AlignmentUnits, how: Dissimilarity, n_labels: int, *, draws: int) -> Disorders:
    """The disorders of the best alignment, by draw and document."""
    n_tasks = len(units.n_coders)
    alignment = align(units, how)
    i, j, size = alignment.pairs()
    task = units.task[i]
    n = units.n_coders.astype(float)
    pairs = n * (n - 1) / 2
    far = (np.abs(units.start[i] - units.start[j]) + np.abs(units.end[i] - units.end[j])) / (
        units.end[i] - units.start[i] + units.end[j] - units.start[j]
    )
    position, differs = how.alpha * far**2, (units.label[i] != units.label[j]).astype(float)
    # a unitary alignment costs 1, and every pair in it its dissimilarity instead of that of an empty unit
    n_groups = np.bincount(units.task, minlength=n_tasks) - _n_joined(
        alignment.bounds, units.task[alignment.members], n_tasks
    )
    inside = np.bincount(task, weights=position + how.beta * differs - 1, minlength=n_tasks)
    weight = np.maximum(0, 1 - position * how.empty) / (size - 1)
    shape = (draws, n_tasks // draws)
    return Disorders(
        disorder=(how.empty * (n_groups + inside / pairs)).reshape(shape),
        units=(np.bincount(units.task, minlength=n_tasks) / n).reshape(shape),
        category=_by_label(units, i, j, weight * differs * how.empty, n_labels).reshape(*shape, -1),
        weight=_by_label(units, i, j, weight, n_labels).reshape(*shape, -1),
    )


def _n_joined(bounds: Integers, task: Integers, n_tasks: int) -> Reals:
    """Units minus unitary alignments, by task."""
    if not len(task):
        return np.zeros(n_tasks)
    units, first = np.bincount(task, minlength=n_tasks), np.bincount(task[bounds[:-1]], minlength=n_tasks)
    return (units - first).astype(float)


def _by_label(units: AlignmentUnits, i: Integers, j: Integers, amount: Reals, n_labels: int) -> Reals:
    """Sums by task and label of pairs with a unit of the label, and last of all pairs."""
    sums = np.zeros((len(units.n_coders), n_labels + 1))
    np.add.at(sums, (units.task[i], units.label[i]), amount)
    other = units.label[i] != units.label[j]
    np.add.at(sums, (units.task[j[other]], units.label[j[other]]), amount[other])
    np.add.at(sums, (units.task[i], np.full(len(i), n_labels)), amount)
    return sums


def gamma(alignment: ChanceAlignment) -> Estimator:
    r"""The disorder of the best alignment of all units, by position and label, against that of random documents.

    Units are aligned at the least total dissimilarity; one without a partner costs as much as an empty unit.

    .. math:: \gamma = 1 - \frac{\delta_o}{\delta_e}

    References: Mathet, Widlöcher & Métivier (2015).
    """

    def parts(weights: Reals) -> tuple[Reals, Reals]:
        return alignment.observed.mean(weights)[..., 0], _mean(alignment.random.mean(weights))

    return Estimator(kind="disorder", parts=parts, convention=_chance_note(alignment))


def gamma_cat(alignment: ChanceAlignment) -> Estimator:
    r"""The labels of units that the best alignment puts together, against those of random documents.

    The closer two units lie, the more their labels count; units without a partner do not count.

    .. math:: \gamma_{cat} = 1 - \frac{\delta_{cat,o}}{\delta_{cat,e}}

    References: Mathet (2017).
    """
    if len(alignment.labels) < 2:
        note = "gamma_cat is undefined: all spans have the same label."
        return Estimator(kind="disorder", parts=None, note=note)
    by_category = {
        label: Estimator(
            kind="disorder",
            parts=_categorical(alignment, number),
            documents=int(np.count_nonzero(alignment.observed.weight[0, :, number])),
        )
        for number, label in enumerate(alignment.labels)
    }
    every = _categorical(alignment, len(alignment.labels))
    return Estimator(kind="disorder", parts=every, by_category=by_category, convention=_chance_note(alignment))


def _categorical(alignment: ChanceAlignment, label: int) -> Parts:
    def parts(weights: Reals) -> tuple[Reals, Reals]:
        observed = alignment.observed.categorical(weights, label)[..., 0]
        return observed, _mean(alignment.random.categorical(weights, label))

    return parts


def _mean(values: Reals) -> Reals:
    """The mean of the draws that have a value."""
    finite = np.isfinite(values)
    with np.errstate(invalid="ignore"):
        return np.asarray(np.where(finite, values, 0).sum(axis=-1) / finite.sum(axis=-1))


def _chance_note(alignment: ChanceAlignment) -> str:
    return f"chance by {alignment.draws:,} draws of the {alignment.sampler} sampler"

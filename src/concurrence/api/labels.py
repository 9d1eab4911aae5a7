"""The verbs on labels: each takes what people have, and answers with a result.

Wherever ``labels`` stand, they are ``Labels``, a frame, a file's name, two lists (one per coder), a list of lists, or a
mapping from coders to lists; the keywords of :func:`~concurrence.read_labels` say how a file or frame is read, with
``wide=True`` and ``table=True`` as on the command line. Only :func:`judge` takes models and scorers that a source marks
as such; the other verbs leave them out, with a warning, unless ``coders`` names them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from concurrence.agreement.labels.agree import analyse_groups, analyse_labels
from concurrence.agreement.labels.options import CUTS, AgreeOptions, CoderOptions, CompareOptions, Convention
from concurrence.agreement.labels.results import AgreementReport
from concurrence.api.inputs import LabelsReading, also_takes, labels_from, names_from, people_labels
from concurrence.core.errors import InvalidInputError
from concurrence.core.labels import Labels
from concurrence.core.options import Progress

if TYPE_CHECKING:  # a verb loads what it needs and nothing else
    from concurrence.agreement.judge.judge import JudgeComparison
    from concurrence.agreement.judge.several import JudgeComparisons
    from concurrence.agreement.labels.coders.latent import LatentClasses
    from concurrence.agreement.labels.coders.models import CoderModel
    from concurrence.agreement.labels.compare import AgreementComparison
    from concurrence.agreement.labels.dual.true_agreement import TrueAgreement
    from concurrence.agreement.labels.results import GroupedReport
    from concurrence.agreement.labels.soft import SoftLabels
    from concurrence.merging.options import Constraints
    from concurrence.merging.results import Merging


@also_takes(coefficients="only")
def agree(
    labels: Any,
    other: Iterable[Any] | None = None,
    *,
    scale: str = "nominal",
    weights: Any = None,
    convention: Convention = "items",
    period: float | None = None,
    level: float = 0.95,
    only: Sequence[str] | None = None,
    pairs: bool = True,
    expert: str | None = None,
    cuts: Sequence[float] = CUTS,
    agreement_table: bool = False,
    confusion: bool = False,
    coder_groups: Mapping[str, str] | None = None,
    bootstrap: int = 0,
    seed: int = 0,
    **reading: Unpack[LabelsReading],
) -> AgreementReport:
    """How well the coders agree: every coefficient with its interval, and what to know before quoting one.

    ``scale`` is ``nominal``, ``ordinal``, ``interval``, ``ratio`` or ``circular`` (``period`` is once around);
    ``weights`` are ``linear``, ``quadratic`` … or a square matrix, for weighted coefficients. ``convention`` says
    whether every item counts alike (``items``) or every pair of labels (``pairs``). ``level`` is that of the
    intervals. ``only`` names the coefficients to compute. ``pairs`` compares every two coders, ``expert`` every
    coder with this one, divided into groups at the ``cuts``; ``agreement_table`` and ``confusion`` add tables.
    ``coder_groups`` gives the group of each coder, to compare groups. ``bootstrap`` draws of items replace the analytic
    intervals, and ``seed`` starts them.

    >>> report = agree(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"])
    >>> report["cohen_kappa"].value
    0.5
    """
    options = AgreeOptions(
        scale=scale,
        weights=weights,
        convention=convention,
        period=period,
        level=level,
        coefficients=only,
        pairs=pairs,
        expert=expert,
        cuts=cuts,
        agreement_table=agreement_table,
        confusion=confusion,
        coder_groups=coder_groups,
        bootstrap=bootstrap,
        seed=seed,
    )
    machines = (expert, *(coder_groups or ()))
    return analyse_labels(people_labels(labels, other, machines, **reading), options)


def agree_by_group(
    labels: Any,
    *,
    scale: str = "nominal",
    weights: Any = None,
    convention: Convention = "items",
    period: float | None = None,
    level: float = 0.95,
    pairs: bool = True,
    expert: str | None = None,
    cuts: Sequence[float] = CUTS,
    confusion: bool = False,
    bootstrap: int = 0,
    seed: int = 0,
    **reading: Unpack[LabelsReading],
) -> "GroupedReport":
    """One analysis per group of items, such as a word; ``by`` names the column of the group in a frame or file.

    The other keywords are those of :func:`agree`.
    """
    options = AgreeOptions(
        scale=scale,
        weights=weights,
        convention=convention,
        period=period,
        level=level,
        pairs=pairs,
        expert=expert,
        cuts=cuts,
        confusion=confusion,
        bootstrap=bootstrap,
        seed=seed,
    )
    return analyse_groups(people_labels(labels, machines=(expert,), **reading), options)


@also_takes(draws="bootstrap")
def compare(
    labels: Any,
    other: Any = None,
    *,
    a: str | Sequence[str] | None = None,
    b: str | Sequence[str] | None = None,
    reference: str | None = None,
    coefficient: str | None = None,
    scale: str = "nominal",
    weights: Any = None,
    convention: Convention = "items",
    level: float = 0.95,
    bootstrap: int = 4000,
    seed: int = 0,
    progress: Progress | None = None,
    **reading: Unpack[LabelsReading],
) -> "AgreementComparison":
    """Compare the agreement of two sets of coders.

    ``a`` and ``b`` are coders of ``labels``, or all of ``labels`` and all of ``other``, another study. Within one set
    of labels both sides are measured on the items that both labelled, so whole items are resampled and what the sides
    have in common cancels out; sides without a common item are independent, as are two sets of labels. With a
    ``reference`` each side is the mean agreement of its coders with that one. ``coefficient`` names what is compared;
    ``scale``, ``weights``, ``convention`` and ``level`` are those of :func:`agree`, ``bootstrap`` counts the draws.
    """
    from concurrence.agreement.labels.compare import compare_agreement

    options = CompareOptions(
        a=None if a is None else names_from(a),
        b=None if b is None else names_from(b),
        reference=reference,
        coefficient=coefficient,
        scale=scale,
        weights=weights,
        convention=convention,
        level=level,
        bootstrap=bootstrap,
        seed=seed,
        progress=progress,
    )
    machines = (*(options.a or ()), *(options.b or ()), reference)
    second = None if other is None else people_labels(other, machines=machines, **reading)
    return compare_agreement(people_labels(labels, machines=machines, **reading), second, options)


@also_takes(judge="judges")
def judge(
    labels: Any,
    judges: str | Sequence[str],
    *,
    humans: str | Sequence[str] | None = None,
    coefficient: str | None = None,
    scale: str | None = None,
    weights: Any = None,
    before: str | None = None,
    gate: str | None = None,
    epsilon: float = 0.2,
    score: Any = None,
    level: float = 0.95,
    seed: int = 0,
    **reading: Unpack[LabelsReading],
) -> "JudgeComparison | JudgeComparisons":
    """Whether a coder, such as a model, can replace a human one: it with the humans, and they with each other.

    ``judges`` is one judge, or several (``["gpt", "llama"]``), each then compared with the same ``humans``; the result
    of several has them by name in ``judges``. Without ``humans``, all coders count as such but the judges and those
    that an export or a log marks as models or scorers. ``scale`` and ``weights`` are those of :func:`agree`; the
    scale is interval by default where ``score`` is ``rmse``, and the ``score`` is ``rmse`` by default on an interval or
    ratio scale, else ``accuracy``. Without a ``coefficient``, agreement is Cohen's kappa on nominal labels, weighted
    kappa where there are weights, and Krippendorff's alpha on a circular scale. ``before`` is the coder with the
    judge's labels of an earlier run, which is not a human: what has changed since is reported. ``gate`` is a bound such
    as ``"kappa>=0.7"`` that the lower end of the interval must reach; ``epsilon`` the allowance for the cost of a
    human. Labels with groups (``by``) are compared group by group.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"item": [1, 2, 3, 4], "ann": list("ynyn"), "bob": list("ynnn"), "model": list("ynyn")})
    >>> judge(frame, "model", wide=True).judge_human.value
    0.75
    """
    from concurrence.agreement.judge.judge import judge_labels
    from concurrence.agreement.judge.options import JudgeOptions
    from concurrence.agreement.judge.several import judge_each

    options = JudgeOptions(
        coefficient=coefficient, scale=scale, weights=weights, before=before, gate=gate, epsilon=epsilon, score=score,
        level=level, seed=seed, humans=None if humans is None else names_from(humans),
    )  # fmt: skip
    names = (judges,) if isinstance(judges, str) else tuple(judges)
    study = labels_from(labels, named=(*names, *(options.humans or ()), *filter(None, [before])), **reading)
    if isinstance(judges, str):
        return judge_labels(study, judges, options)
    return judge_each(study, names, options)


def merge(
    labels: Any,
    *,
    coefficient: str | None = None,
    min_kappa: float = 0.8,
    stop: str = "threshold",
    faithful: bool = False,
    guards: bool = True,
    shuffles: int = 99,
    seed: int = 0,
    constraints: "Constraints | None" = None,
    classes: Any = None,
    reference: Any = None,
    progress: Progress | None = None,
    **reading: Unpack[LabelsReading],
) -> "Merging":
    """Find coarser categories that coders can agree on, group by group.

    The ``coefficient`` is Scott's pi (the paper's pooled kappa) if every group has two coders, and Fleiss's kappa
    otherwise. Merging joins the pair of classes that gives the highest value, until ``min_kappa`` is reached;
    ``faithful`` merges once before it tests, as the printed algorithm does, and ``stop="heldout"`` stops at the best
    cross-validated value instead. ``guards`` compare the gain with that of ``shuffles`` random mergings. ``classes``
    are used as given, without a search; ``reference`` are classes to compare the outcome with; ``constraints`` say what
    may be merged.

    References: Ng, Lim & Foo (1999).
    """
    from concurrence.merging.merge import merge_labels
    from concurrence.merging.options import Constraints, MergeOptions

    options = MergeOptions(
        coefficient=coefficient,
        min_kappa=min_kappa,
        stop=stop,
        faithful=faithful,
        guards=guards,
        shuffles=shuffles,
        seed=seed,
        constraints=constraints or Constraints(),
        classes=classes,
        reference=reference,
        progress=progress,
    )
    return merge_labels(people_labels(labels, **reading), options)


def soft_labels(
    labels: Any,
    *,
    coder_groups: Mapping[str, str] | None = None,
    level: float = 0.95,
    seed: int = 0,
    **reading: Unpack[LabelsReading],
) -> "SoftLabels":
    """The distribution of the labels of each item, its entropy in bits, and an interval of the entropy at ``level``.

    ``coder_groups`` gives the group of each coder, so that items on which groups differ can be named (``verdicts``).
    """
    from concurrence.agreement.labels.soft import soft_labels as soften

    return soften(people_labels(labels, **reading), AgreeOptions(coder_groups=coder_groups, level=level, seed=seed))


def fit_coder_model(
    labels: Any,
    model: str = "dawid-skene",
    *,
    same: Sequence[Sequence[str]] = (),
    seed: int = 0,
    **reading: Unpack[LabelsReading],
) -> "CoderModel":
    """Which label is right, and how far each coder can be relied on.

    ``model`` is ``dawid-skene``, ``dawid-skene-bayes`` or ``mace``. ``same`` names columns that are one coder who
    judged the items more than once.
    """
    from concurrence.agreement.labels.coders.models import fit_coder_model as fit

    return fit(people_labels(labels, **reading), CoderOptions(model=model, same=same, seed=seed))


def latent_classes(
    labels: Any,
    classes: int | None = None,
    *,
    same: Sequence[Sequence[str]] = (),
    starts: int = 30,
    seed: int = 0,
    max_iterations: int = 5000,
    **reading: Unpack[LabelsReading],
) -> "LatentClasses":
    """Classes of items, each with its own habits of every coder, from the best of several seeded ``starts``.

    The classes need not be the categories: two categories may hide three kinds of item. Without ``classes`` the number
    from 1 to 6 with the lowest BIC is taken, among those that as many coders and categories can tell apart. ``same``
    names columns that are one coder who judged the items more than once; a start ends after ``max_iterations``.

    References: Lazarsfeld and Henry (1968); Agresti (2002, section 13.1).
    """
    from concurrence.agreement.labels.coders.latent import latent_classes as fit

    options = CoderOptions(classes=classes, same=same, starts=starts, seed=seed, max_iterations=max_iterations)
    return fit(people_labels(labels, **reading), options)


def true_agreement(
    labels: Any,
    other: Iterable[Any] | None = None,
    *,
    level: float = 0.95,
    kappa_error: str = "null",
    **reading: Unpack[LabelsReading],
) -> "TrueAgreement":
    """How much of the agreement of two coders on a yes/no question is true, by the dual model.

    ``labels`` are also a 2x2 table, rows the first coder, *yes* first. ``kappa_error`` chooses the standard error of
    the kappa test: ``null`` (its square is chi-squared) or ``non-null``.

    >>> print(true_agreement([[40, 15], [20, 25]]))
    true agreement = 28.7% [9.0%, 44.0%] (95% CI, homogeneity, 100 items)
    """
    from concurrence.agreement.labels.dual.true_agreement import true_agreement as from_table

    if other is None and _is_table(labels):
        return from_table(labels, level=level, kappa_error=kappa_error)
    return from_table(_table_of_two(people_labels(labels, other, **reading)), level=level, kappa_error=kappa_error)


def _is_table(labels: Any) -> bool:
    """Whether these are the four counts of a 2x2 table."""
    rows = labels.tolist() if hasattr(labels, "tolist") else labels
    if not isinstance(rows, list | tuple) or len(rows) != 2:
        return False
    cells = [list(row) for row in rows if isinstance(row, list | tuple)]
    return [len(row) for row in cells] == [2, 2] and all(isinstance(cell, int | float) for row in cells for cell in row)


def _table_of_two(labels: Labels) -> list[list[int]]:
    """The table of two coders and two categories, the first category first."""
    if len(labels.coders) != 2 or len(labels.categories) != 2:
        raise InvalidInputError(
            "True agreement takes two coders and two categories, not "
            f"{len(labels.coders)} and {len(labels.categories)}; agree() reports it for every category and pair."
        )
    first, second = labels.codes.T
    return [[int(((first == row) & (second == column)).sum()) for column in (0, 1)] for row in (0, 1)]

"""The results of merging: each group, and the sums of the tables in Ng, Lim & Foo (1999)."""

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from math import isnan, nan

from concurrence.core.results import Result
from concurrence.core.sentences import Sentence
from concurrence.core.values import value
from concurrence.kernels.coefficients import coefficient as row_named
from concurrence.merging.groupings import Classes, GroupingComparison
from concurrence.merging.heldout import Heldout


@value
class GroupingScore:
    """Agreement under one set of categories: how many are used, on how many items, agreed on, beyond chance.

    ``agreed`` is a whole number if every item has two labels, and otherwise the sum of the items' shares.
    """

    categories: int
    items: int
    agreed: int | float
    percent_agreement: float
    kappa: float


@value
class MergeStep:
    """Two classes that became one, and the coefficient afterwards; ``given`` where the user asked for it."""

    merged: tuple[tuple[str, ...], tuple[str, ...]]
    kappa: float
    given: bool = False


@value
class MergedGroup:
    """One group before and after merging, the merges, and whether the classes are more than chance.

    ``reliable`` says whether the classes are better than unstructured disagreement would give; it is null if no merge
    was needed. ``names`` are the names of the classes, if they were given. ``sentences`` are what to keep in mind, and
    ``note`` is the same as one text.
    """

    key: str
    before: GroupingScore
    after: GroupingScore
    classes: Classes
    names: tuple[str, ...] = ()
    steps: tuple[MergeStep, ...] = ()
    collapsed: bool = False
    reached: bool = False
    reliable: bool | None = None
    chance_p_value: float = nan
    heldout: Heldout | None = None
    largest_class_share: float = nan
    reference: GroupingComparison | None = None
    under_reference: GroupingScore | None = None
    note: str | None = None
    sentences: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        classes = " | ".join(" ".join(members) for members in self.classes)
        return f"{self.key}: {classes} (kappa {self.before.kappa:.3f} to {self.after.kappa:.3f})"


@value
class SummaryRow:
    """A row of the paper's tables; kappa is the simple mean over groups, undefined ones counted apart."""

    groups: int
    categories: float
    agreed: int | float
    items: int
    percent_agreement: float
    kappa: float
    undefined: int


@value
class Summary:
    """All groups as they came (Table 1); before and after for those that did not collapse (Tables 2 and 3)."""

    raw: SummaryRow
    before: SummaryRow
    after: SummaryRow
    collapsed: int
    collapsed_groups: tuple[str, ...]


@value
class Merging(Result):
    """Every group and the sums over them, of all and of each part where groups have one."""

    coefficient: str
    min_kappa: float
    seed: int
    groups: dict[str, MergedGroup]
    summary: Summary
    summary_by: dict[str, Summary] = field(default_factory=dict)
    sentences: tuple[Sentence, ...] = ()
    warnings: tuple[Sentence, ...] = ()

    def __str__(self) -> str:
        return "\n".join(str(group) for group in self.groups.values())


def title_of(coefficient: str) -> str:
    """The name of a coefficient for people.

    >>> title_of("scott_pi")
    "Scott's pi"
    """
    return row_named(coefficient).title


def merging_of(groups: dict[str, MergedGroup], *, coefficient: str, min_kappa: float, seed: int) -> Merging:
    """All groups with their sums, sentences and warnings."""
    summary = summarise_groups(groups.values())
    warnings = [
        replace(sentence, text=f"{key}: {sentence.text}") if len(groups) > 1 else sentence
        for key, group in groups.items()
        for sentence in group.sentences
    ]
    return Merging(
        coefficient=coefficient,
        min_kappa=min_kappa,
        seed=seed,
        groups=groups,
        summary=summary,
        sentences=tuple(_answers(list(groups.values()), summary, coefficient)),
        warnings=tuple(warnings),
    )


def with_sentences(group: MergedGroup, sentences: Iterable[Sentence]) -> MergedGroup:
    """The group with more sentences."""
    whole = (*group.sentences, *sentences)
    return replace(group, sentences=whole, note=" ".join(map(str, whole)) or None)


def add_sums_by_part(result: Merging, part: Mapping[str, str]) -> Merging:
    """Add the sums for each part, such as nouns and verbs; ``part`` gives the part of each group."""
    names = dict.fromkeys(part[key] for key in result.groups)
    members = {name: [group for key, group in result.groups.items() if part[key] == name] for name in names}
    return replace(result, summary_by={name: summarise_groups(groups) for name, groups in members.items()})


def summarise_groups(groups: Iterable[MergedGroup]) -> Summary:
    whole = list(groups)
    kept = [group for group in whole if not group.collapsed]
    return Summary(
        raw=_row([group.before for group in whole]),
        before=_row([group.before for group in kept]),
        after=_row([group.after for group in kept]),
        collapsed=len(whole) - len(kept),
        collapsed_groups=tuple(group.key for group in whole if group.collapsed),
    )


def _row(scores: list[GroupingScore]) -> SummaryRow:
    defined = [one.kappa for one in scores if not isnan(one.kappa)]
    items, agreed = sum(one.items for one in scores), sum(one.agreed for one in scores)
    return SummaryRow(
        groups=len(scores),
        categories=sum(one.categories for one in scores) / len(scores) if scores else nan,
        agreed=agreed,
        items=items,
        percent_agreement=agreed / items if items else nan,
        kappa=sum(defined) / len(defined) if defined else nan,
        undefined=len(scores) - len(defined),
    )


def _answers(groups: list[MergedGroup], summary: Summary, coefficient: str) -> list[Sentence]:
    if len(groups) == 1:
        return [_answer(groups[0], coefficient)]
    merged = [group for group in groups if group.steps and not group.collapsed]
    text = (
        f"Of {len(groups)} groups, {len(merged)} were merged into two or more classes and {summary.collapsed} "
        f"collapsed into one class ({title_of(coefficient)})."
    )
    sentences = [Sentence(code="groups", text=text)]
    judged = [group for group in merged if group.reliable is not None]
    if judged:
        n_reliable = sum(bool(group.reliable) for group in judged)
        text = f"Of these {len(judged)} groups, {n_reliable} are better than unstructured disagreement would give"
        sentences.append(Sentence(code="reliable_groups", text=f"{text} (p < .05)."))
    return sentences


def _answer(group: MergedGroup, coefficient: str) -> Sentence:
    if isnan(group.before.kappa):
        return Sentence(code="undefined", text="Agreement on these labels is undefined.")
    if group.collapsed:
        return Sentence(code="collapsed", text=f"{group.before.categories} categories collapsed into one class.")
    title = title_of(coefficient)
    if group.after.categories == group.before.categories:
        text = f"The {group.before.categories} categories stay as they are: {title} is {group.before.kappa:.3f}."
        return Sentence(code="unmerged", text=text)
    classes = f"{group.before.categories} categories became {group.after.categories} classes"
    evidence = ", more than unstructured disagreement would give (p < .05)" if group.reliable else ""
    if group.reliable is False:
        evidence = ", which was not shown to be more than unstructured disagreement would give"
    return Sentence(
        code="merged",
        text=f"{classes}: {title} went from {group.before.kappa:.3f} to {group.after.kappa:.3f}{evidence}.",
    )

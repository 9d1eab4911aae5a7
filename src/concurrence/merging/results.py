"""What merging answers: each group, and the sums of the tables in Ng, Lim & Foo (1999)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import isnan, nan

from concurrence.core.notebook import html_sentences, html_table
from concurrence.merging.groupings import Classes, Comparison
from concurrence.merging.heldout import Heldout


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Agreement under one set of categories: how many are used, on how many items, agreed on, beyond chance."""

    categories: int
    items: int
    agreed: float
    percent_agreement: float
    kappa: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """Two classes that became one, and the coefficient afterwards; ``given`` where the user asked for it."""

    merged: tuple[tuple[str, ...], tuple[str, ...]]
    kappa: float
    given: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedGroup:
    """One group before and after, how it got there, and whether to believe it."""

    key: str
    before: Standing
    after: Standing
    classes: Classes
    steps: tuple[Step, ...] = ()
    collapsed: bool = False
    reached: bool = False
    chance_p_value: float = nan
    heldout: Heldout | None = None
    largest_class_share: float = nan
    reference: Comparison | None = None
    under_reference: Standing | None = None
    notes: tuple[str, ...] = ()

    @property
    def reliable(self) -> bool | None:
        """Whether the classes are better than unstructured disagreement gives; none where no merge was needed."""
        if isnan(self.chance_p_value):
            return None
        return self.reached and not self.collapsed and self.chance_p_value < 0.05

    def __str__(self) -> str:
        classes = " | ".join(" ".join(members) for members in self.classes)
        return f"{self.key}: {classes} (kappa {self.before.kappa:.3f} to {self.after.kappa:.3f})"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRow:
    """A row of the paper's tables; kappa is the simple mean over groups, undefined ones counted apart."""

    groups: int
    categories: float
    agreed: float
    items: int
    percent_agreement: float
    kappa: float
    undefined: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """All groups as they came (Table 1); before and after for those that did not collapse (Tables 2 and 3)."""

    raw: SummaryRow
    before: SummaryRow
    after: SummaryRow
    collapsed: int
    collapsed_groups: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merging:
    """Every group and the sums over them."""

    coefficient: str
    min_kappa: float
    seed: int
    groups: dict[str, MergedGroup]
    summary: Summary
    parts: dict[str, Summary] = field(default_factory=dict)

    @property
    def sentences(self) -> tuple[str, ...]:
        """The answer in words."""
        return tuple(_answers(self))

    def __str__(self) -> str:
        return "\n".join(str(group) for group in self.groups.values())

    def _repr_html_(self) -> str:
        found = self.groups.values()
        classes = [" | ".join(" ".join(members) for members in group.classes) for group in found]
        rows = [
            (group.key, merged, group.before.kappa, group.after.kappa, group.chance_p_value)
            for group, merged in zip(found, classes, strict=True)
        ]
        table = html_table(("group", "classes", f"{self.coefficient} before", "after", "chance p"), rows)
        return html_sentences(self.sentences) + table

    def summary_by(self, part: Mapping[str, str]) -> dict[str, Summary]:
        """The sums for each part, such as nouns and verbs, from the part of each group."""
        names = dict.fromkeys(part[key] for key in self.groups)
        return {name: summary_of([group for key, group in self.groups.items() if part[key] == name]) for name in names}


def summary_of(groups: Iterable[MergedGroup]) -> Summary:
    """Sum up groups."""
    whole = list(groups)
    kept = [group for group in whole if not group.collapsed]
    return Summary(
        raw=_row([group.before for group in whole]),
        before=_row([group.before for group in kept]),
        after=_row([group.after for group in kept]),
        collapsed=len(whole) - len(kept),
        collapsed_groups=tuple(group.key for group in whole if group.collapsed),
    )


def _row(standings: list[Standing]) -> SummaryRow:
    defined = [one.kappa for one in standings if not isnan(one.kappa)]
    items, agreed = sum(one.items for one in standings), sum(one.agreed for one in standings)
    return SummaryRow(
        groups=len(standings),
        categories=sum(one.categories for one in standings) / len(standings) if standings else nan,
        agreed=agreed,
        items=items,
        percent_agreement=agreed / items if items else nan,
        kappa=sum(defined) / len(defined) if defined else nan,
        undefined=len(standings) - len(defined),
    )


def _answers(result: Merging) -> list[str]:
    groups = list(result.groups.values())
    if len(groups) == 1:
        return [_answer(groups[0], result.coefficient)]
    merged = [group for group in groups if group.steps and not group.collapsed]
    sentences = [
        f"Of {len(groups)} groups, {len(merged)} were merged to two or more classes and {result.summary.collapsed} "
        f"collapsed to one class, measured by {result.coefficient}."
    ]
    judged = [group for group in merged if group.reliable is not None]
    if judged:
        held = sum(bool(group.reliable) for group in judged)
        sentences.append(f"Of the {len(judged)} merged, {held} are better than unstructured disagreement (p < .05).")
    return sentences


def _answer(group: MergedGroup, coefficient: str) -> str:
    if isnan(group.before.kappa):
        return "Nothing can be said of these labels."
    if group.collapsed:
        return f"{group.before.categories} categories collapsed to one class."
    change = f"{coefficient} {group.before.kappa:.3f}"
    if group.after.categories == group.before.categories:
        return f"The {group.before.categories} categories stay as they are: {change}."
    classes = f"{group.before.categories} categories became {group.after.categories} classes"
    held = ", which is better than unstructured disagreement (p < .05)" if group.reliable else ""
    return f"{classes}: {change} to {group.after.kappa:.3f}{held}."

"""Merged categories as tables, as a tree of words and as a tree chart."""

from collections.abc import Mapping, Sequence
from functools import partial
from math import isnan, nan
from typing import TYPE_CHECKING, Any

from concurrence.core.labels import LOSSES
from concurrence.merging.constraints import ByGroup
from concurrence.merging.groupings import class_names
from concurrence.merging.results import MergedGroup, Merging, title_of
from concurrence.report.pages.methods import methods_section
from concurrence.report.presenters import Presenter, Presenters
from concurrence.report.render.charts import PALETTE, QUIET, Rows, Spec, finished, layer, quantity
from concurrence.report.render.document import Block, Chart, Document, Formula, Paragraph, Section, Table

if TYPE_CHECKING:
    import polars as pl

Tree = tuple[tuple[str, ...], float, tuple[Any, ...]]

QUESTION = "Which categories can these coders tell apart reliably?"
SUMMED = ("groups", "categories", "agreed", "items", "percent_agreement", "kappa", "undefined")
GREEDY = Formula(
    name="Greedy merging",
    words="The pair of classes whose merging gives the highest value is merged, until that value is high enough.",
    reference="Ng, Lim & Foo (1999)",
)
POOLED = Formula(
    name="Scott's pi, the pooled kappa",
    words="With N items, a agreements and C_j uses of category j by both coders, the value is",
    latex=r"\kappa = \frac{4 N a - \sum_j C_j^2}{4 N^2 - \sum_j C_j^2}",
    reference="Ng, Lim & Foo (1999)",
)
GUARDS = (
    Formula(
        name="Held-out value",
        words="The items are split into halves ten times; classes are found on one half, and disagreement is counted "
        "on the other.",
    ),
    Formula(
        name="Chance p-value",
        words="Agreements are kept, labels in disagreement are permuted without creating agreements, and the search "
        "is repeated; p is the share of shuffles, including the observed labels, that end with more classes, or with "
        "as "
        "many classes and a value at least as high.",
        reference="Besag & Clifford (1989)",
    ),
)


def merging_document(result: Merging, *, unmerged: bool = False) -> Document:
    """The sums first, then every group with its tree; ``unmerged`` draws groups without a merge, too."""
    sums = (Section(title="Summary", blocks=(_summary_table(result),)),) if len(result.groups) > 1 else ()
    groups = (_group_section(group, result, unmerged=unmerged) for group in result.groups.values())
    return _document(result, *sums, *groups, _methods(result))


def merging_overview(result: Merging, *, steps: bool, glosses: ByGroup | None) -> Document:
    """One group per row, then the sums, then the classes of each group; as trees with ``steps`` or ``glosses``."""
    tables = (_groups_table(result), *([_summary_table(result)] if len(result.groups) > 1 else []))
    blocks = [block for group in result.groups.values() for block in _group_blocks(group, steps=steps, glosses=glosses)]
    return _document(result, Section(title="Groups", blocks=(*tables, *blocks)))


def classes_table(result: Merging) -> "pl.DataFrame":
    """Every category with its class, for a person to verify."""
    import polars as pl

    rows = [
        {"group": group.key, "category": category, "class": str(number), "name": name, "verified": None}
        for group in result.groups.values()
        for number, (members, name) in enumerate(
            zip(group.classes, group.names or class_names(group.classes), strict=True), start=1
        )
        for category in members
    ]
    return pl.DataFrame(rows, schema=dict.fromkeys(("group", "category", "class", "name", "verified"), pl.String))


def _document(result: Merging, *sections: Section) -> Document:
    answer = tuple(map(str, result.sentences))
    losses = tuple(one.text for one in result.warnings if one.code in LOSSES)
    return Document(title="Coarser categories", question=QUESTION, answer=answer, sections=sections, warnings=losses)


def _methods(result: Merging) -> Section:
    """The search, the coefficient it used, and the guards, if any."""
    name = result.coefficient
    value = (POOLED,) if name == "scott_pi" else methods_section(coefficients=[name]).blocks
    guarded = any(group.heldout for group in result.groups.values())
    return Section(title="Methods", blocks=(GREEDY, *value, *(GUARDS if guarded else ())), is_methods=True)


def _summary_table(result: Merging) -> Table:
    """The rows of the paper's Tables 1 to 3, for each part and for all."""
    rows = [
        (name, which, *(getattr(getattr(summary, which), column) for column in SUMMED))
        for name, summary in {**result.summary_by, "all": result.summary}.items()
        for which in ("raw", "before", "after")
    ]
    caption = "All groups before merging (raw); before and after for those that did not collapse."
    names = {"percent_agreement": "percent agreement", "kappa": title_of(result.coefficient)}
    return Table.of(caption, ("part", "row", *(names.get(column, column) for column in SUMMED)), rows)


def _groups_table(result: Merging) -> Table:
    columns = ("group", "items", "categories", "classes", "before", "after", "held out", "chance p", "")
    rows = [
        (
            group.key, group.before.items, group.before.categories, group.after.categories, group.before.kappa,
            group.after.kappa, group.heldout.kappa if group.heldout else nan, group.chance_p_value, _outcome(group),
        )
        for group in result.groups.values()
    ]  # fmt: skip
    return Table.of(f"Agreement beyond chance ({title_of(result.coefficient)}) before and after merging", columns, rows)


def _outcome(group: MergedGroup) -> str:
    if isnan(group.before.kappa):
        return "undefined"
    return "collapsed" if group.collapsed else "" if group.reached else "not reached"


def _group_blocks(group: MergedGroup, *, steps: bool, glosses: ByGroup | None) -> list[Block]:
    """The classes of a group, its warnings, and its similarity to the reference."""
    blocks: list[Block] = []
    if steps or glosses:
        texts = glosses.of(group.key) if glosses else {}
        blocks.append(Paragraph(text="\n".join([group.key, *_tree_lines(merge_tree(group), texts)])))
    elif any(len(members) > 1 for members in group.classes):
        blocks.append(Paragraph(text=f"{group.key}: {_class_list(group)}"))
    blocks += [Paragraph(text=f"{group.key}: {one.text}", warning=one.warning) for one in group.sentences]
    if group.reference is not None and not isnan(group.reference.adjusted_rand_index):
        text = f"{group.key}: adjusted Rand index {group.reference.adjusted_rand_index:.3f} with the reference"
        blocks.append(Paragraph(text=text))
    return blocks


def _class_list(group: MergedGroup) -> str:
    if not group.names:
        return " | ".join(" ".join(members) for members in group.classes)
    named = zip(group.names, group.classes, strict=True)
    return " | ".join(name if members == (name,) else f"{name}: {' '.join(members)}" for name, members in named)


def merge_tree(group: MergedGroup) -> tuple[Tree, ...]:
    """The classes as trees of the merges that made them: members, value after the merge, the two parts."""
    trees: dict[frozenset[str], Tree] = {
        frozenset([name]): ((name,), nan, ()) for members in group.classes for name in members
    }
    for step in group.steps:
        parts = tuple(trees.pop(frozenset(side)) for side in step.merged)
        members = tuple(name for part in parts for name in part[0])
        trees[frozenset(members)] = (members, step.kappa, parts)
    return tuple(_whole_class(members, trees) for members in group.classes)


def _whole_class(members: tuple[str, ...], trees: dict[frozenset[str], Tree]) -> Tree:
    """The tree of a class; one that was given and not searched for holds its members side by side."""
    parts = tuple(tree for names, tree in trees.items() if names <= set(members))
    return parts[0] if len(parts) == 1 else (members, nan, parts)


def _tree_lines(trees: Sequence[Tree], glosses: Mapping[str, str]) -> list[str]:
    """Trees in lines, the parts of each below it; a single category with its gloss."""
    lines = []
    for place, (members, value, parts) in enumerate(trees, start=1):
        last = place == len(trees)
        more = glosses.get(members[0], "") if not parts else "" if isnan(value) else f"{value:.3f}"
        lines.append(f"{'└── ' if last else '├── '}{' '.join(members)}  {more}".rstrip())
        lines += [f"{'    ' if last else '│   '}{line}" for line in _tree_lines(parts, glosses)]
    return lines


def _group_section(group: MergedGroup, result: Merging, *, unmerged: bool) -> Section:
    names = ("categories", "agreed", "items", "percent_agreement", "kappa")
    rows = [
        (which, *(getattr(score, name) for name in names))
        for which, score in (("before", group.before), ("after", group.after))
    ]
    columns = ("", "categories", "agreed", "items", "percent agreement", title_of(result.coefficient))
    several = len(result.groups) > 1
    table = Table.of(f"{group.key}: before and after merging" if several else "Before and after merging", columns, rows)
    warnings = [Paragraph(text=one.text, warning=one.warning) for one in group.sentences]
    guards = [Paragraph(text=_guard_sentence(group))] if group.heldout else []
    charts = [merge_chart(group, result.coefficient, several=several)] if group.steps or unmerged else []
    title = group.key if several else "Before and after"
    return Section(title=title, blocks=(table, *guards, *warnings, *charts))


def _guard_sentence(group: MergedGroup) -> str:
    kappa = group.heldout.kappa if group.heldout else nan
    text = "undefined" if isnan(kappa) else f"{kappa:.3f}"
    chance = f"shuffled disagreement gives p = {group.chance_p_value:.2f}."
    return f"On items that were not used for merging, it is {text}; {chance}"


def merge_chart(group: MergedGroup, coefficient: str, *, several: bool) -> Chart:
    """A tree from the categories on the left to the classes on the right, one column per merge.

    Where there are ``several`` groups, words say which one this is.
    """
    key = f"{group.key}: " if several else ""
    lines, marks, names = _drawing(group)
    values = [group.before.kappa, *(step.kappa for step in group.steps)]
    ticks = [
        {"step": k, "row": len(names), "title": "–" if isnan(value) else f"{value:.2f}"}
        for k, value in enumerate(values)
    ]
    n_steps = len(group.steps)
    parts = {
        "title": f"{key}{title_of(coefficient)} before and after each merge",
        "width": max(240, 60 * n_steps),
        "height": 22 * (len(names) + 1),
        "layer": _layers(lines, marks, names, ticks, n_steps=n_steps),
        "view": {"stroke": None},
    }
    merges = f"merges from left to right, with {title_of(coefficient)} after each below"
    classes = _class_list(group) if group.names else " | ".join(", ".join(members) for members in group.classes)
    caption = f"{key}{merges if several else merges[:1].upper() + merges[1:]}. Classes: {classes}."
    return Chart(specification=finished(parts), caption=caption)


def _layers(lines: Rows, marks: Rows, names: Rows, ticks: Rows, *, n_steps: int) -> list[Spec]:
    at = {
        "x": quantity("step", {"axis": None, "scale": {"domain": [0, max(n_steps, 1)]}}),
        "y": quantity("row", {"axis": None, "scale": {"domain": [-1, len(names)], "reverse": True}}),
    }
    ends = {"x2": {"field": "step2"}, "y2": {"field": "row2"}}
    tooltip = {"tooltip": [{"field": "members"}, {"field": "value"}]}
    return [
        layer(lines, {"type": "rule", "strokeWidth": 1.5, "color": QUIET}, at | ends),
        layer(marks, {"type": "circle", "size": 60, "color": PALETTE[0], "opacity": 1}, at | tooltip),
        layer(names, {"type": "text", "align": "right", "dx": -8, "limit": 220}, at | {"text": {"field": "name"}}),
        layer(ticks, {"type": "text", "baseline": "top", "dy": 2, "color": QUIET}, at | {"text": {"field": "title"}}),
    ]


def _drawing(group: MergedGroup) -> tuple[Rows, Rows, Rows]:
    """Lines, marks of merges and names; categories stand in the order of their trees, so that no lines cross."""
    order = [name for tree in merge_tree(group) for name in tree[0]]
    place = {frozenset([name]): (0, float(row)) for row, name in enumerate(order)}
    lines: list[Spec] = []
    marks: list[Spec] = []
    for number, step in enumerate(group.steps, start=1):
        sides = [frozenset(side) for side in step.merged]
        ends = [place.pop(side) for side in sides]
        middle = sum(row for _, row in ends) / 2
        lines.extend({"step": begin, "row": row, "step2": number, "row2": row} for begin, row in ends)
        lines.append({"step": number, "row": ends[0][1], "step2": number, "row2": ends[1][1]})
        members = sides[0] | sides[1]
        value = "undefined" if isnan(step.kappa) else f"{step.kappa:.3f}"
        marks.append({"step": number, "row": middle, "members": " ".join(sorted(members)), "value": value})
        place[members] = (number, middle)
    last = len(group.steps)
    lines.extend({"step": begin, "row": row, "step2": max(last, 1), "row2": row} for begin, row in place.values())
    return lines, marks, [{"step": 0, "row": float(row), "name": name} for row, name in enumerate(order)]


PRESENTERS: Presenters = (
    Presenter(Merging, merging_document, classes_table, brief=partial(merging_overview, steps=False, glosses=None)),
)

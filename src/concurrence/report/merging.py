"""Merged categories as tables, as a tree on the terminal and as a tree chart."""

from math import isnan
from typing import Any

from concurrence.merging.results import MergedGroup, Merging, Summary, SummaryRow
from concurrence.report.document import Chart, Document, Formula, Paragraph, Section, Table
from concurrence.report.methods import methods_section

Values = list[dict[str, Any]]
Tree = tuple[tuple[str, ...], float, tuple[Any, ...]]


GREEDY = Formula(
    name="Greedy merging",
    words="Of all pairs of classes, the one that gives the highest value is merged, until it is high enough.",
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
        words="Ten times the items are halved: classes come from one half, disagreement is counted on the other.",
    ),
    Formula(
        name="Chance p-value",
        words="Agreements are kept, labels in disagreement are permuted without creating agreements, and the search "
        "starts again; p is the share of shuffles, data included, with more classes, or as many and a value as high.",
        reference="Besag & Clifford (1989)",
    ),
)


def merging_document(result: Merging) -> Document:
    """The sums first, then every group with its tree."""
    several = len(result.groups) > 1
    sums = (Section(title="In sum", blocks=(summary_table(result),)),) if several else ()
    groups = (_group_section(group, result.coefficient, several=several) for group in result.groups.values())
    return Document(
        title="Coarser categories",
        question="Which categories can these coders tell apart reliably?",
        answer=result.sentences,
        sections=(*sums, *groups, _methods(result)),
    )


def _methods(result: Merging) -> Section:
    """The search, the coefficient it went by, and the guards where there were any."""
    name = result.coefficient
    value = (POOLED,) if name == "scott_pi" else methods_section(coefficients=[name]).blocks
    guarded = any(group.heldout for group in result.groups.values())
    return Section(title="Methods", blocks=(GREEDY, *value, *(GUARDS if guarded else ())))


def summary_table(result: Merging) -> Table:
    """The rows of the paper's Tables 1 to 3, for each part and for all."""
    rows = [
        (name, which, *_row_cells(getattr(summary, which)))
        for name, summary in _summaries(result).items()
        for which in ("raw", "before", "after")
    ]
    columns = ("part", "row", "groups", "categories", "agreed", "items", "percent_agreement", "kappa", "undefined")
    return Table.of("All groups as they came (raw); before and after for those not collapsed.", columns, rows)


def groups_table(result: Merging) -> Table:
    """A group a row."""
    columns = ("group", "items", "categories", "classes", "before", "after", "held out", "chance p", "")
    rows = [
        (
            group.key, group.before.items, group.before.categories, group.after.categories,
            _defined(group.before.kappa), _defined(group.after.kappa),
            _defined(group.heldout.kappa) if group.heldout else None, _defined(group.chance_p_value), _outcome(group),
        )
        for group in result.groups.values()
    ]  # fmt: skip
    return Table.of(f"Agreement beyond chance ({result.coefficient}) before and after merging.", columns, rows)


def merge_tree(group: MergedGroup) -> tuple[Tree, ...]:
    """The classes as trees of the merges that made them: members, value after the merge, the two parts."""
    trees: dict[frozenset[str], Tree] = {
        frozenset([name]): ((name,), float("nan"), ()) for members in group.classes for name in members
    }
    for step in group.steps:
        parts = tuple(trees.pop(frozenset(side)) for side in step.merged)
        members = tuple(name for part in parts for name in part[0])
        trees[frozenset(members)] = (members, step.kappa, parts)
    return tuple(_whole_class(members, trees) for members in group.classes)


def terminal_tree(group: MergedGroup, glosses: dict[str, str]) -> Any:
    """The trees of a group for the terminal, with the gloss of each category where there is one."""
    from rich.tree import Tree as RichTree

    root = RichTree(f"[bold]{_safe(group.key)}[/bold]")
    for tree in merge_tree(group):
        _grow(root, tree, glosses)
    return root


def merge_chart(group: MergedGroup, coefficient: str) -> Chart:
    """A tree from the categories on the left to the classes on the right, one column a merge."""
    lines, marks, names = _drawing(group)
    values = [group.before.kappa, *(step.kappa for step in group.steps)]
    ticks = [{"step": k, "title": "–" if isnan(value) else f"{value:.2f}"} for k, value in enumerate(values)]
    layers = _layers(lines, marks, names, ticks, n_steps=len(group.steps))
    title = f"{group.key}: {coefficient} before and after each merge"
    return Chart(
        specification={"title": title, **_specification(layers, len(names), len(group.steps))},
        caption=_caption(group, coefficient),
    )


def save_chart(chart: Chart, path: Any) -> None:
    """Write a chart as SVG or PNG, by the ending."""
    import vl_convert

    if path.suffix.lower() == ".svg":
        path.write_text(vl_convert.vegalite_to_svg(chart.specification), "utf-8")
    else:
        path.write_bytes(vl_convert.vegalite_to_png(chart.specification, scale=2))


def _layers(lines: Values, marks: Values, names: Values, ticks: Values, *, n_steps: int) -> list[dict[str, Any]]:
    x = {"field": "step", "type": "quantitative", "axis": None, "scale": {"domain": [0, max(n_steps, 1)]}}
    y = {"field": "row", "type": "quantitative", "axis": None, "scale": {"domain": [-1, len(names)], "reverse": True}}
    return [
        {
            "data": {"values": lines},
            "mark": {"type": "rule", "strokeWidth": 1.5, "color": "#6b7a8f"},
            "encoding": {"x": x, "y": y, "x2": {"field": "step2"}, "y2": {"field": "row2"}},
        },
        {
            "data": {"values": marks},
            "mark": {"type": "circle", "size": 60, "color": "#1f5fa8", "opacity": 1},
            "encoding": {"x": x, "y": y, "tooltip": [{"field": "members"}, {"field": "value"}]},
        },
        {
            "data": {"values": names},
            "mark": {"type": "text", "align": "right", "dx": -8, "limit": 220},
            "encoding": {"x": x, "y": y, "text": {"field": "name"}},
        },
        {
            "data": {"values": [{**tick, "row": len(names)} for tick in ticks]},
            "mark": {"type": "text", "baseline": "top", "dy": 2, "color": "#6b7a8f"},
            "encoding": {"x": x, "y": y, "text": {"field": "title"}},
        },
    ]


def _specification(layers: list[dict[str, Any]], n_names: int, n_steps: int) -> dict[str, Any]:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": max(120, 60 * n_steps),
        "height": 22 * (n_names + 1),
        "padding": 8,
        "layer": layers,
        "config": {"view": {"stroke": None}, "font": "sans-serif"},
    }


def _caption(group: MergedGroup, coefficient: str) -> str:
    classes = " | ".join(" ".join(members) for members in group.classes)
    return f"{group.key}: merges from left to right, {coefficient} after each below. Classes: {classes}."


def _drawing(group: MergedGroup) -> tuple[Values, Values, Values]:
    """Lines, marks of merges and names; categories stand in the order of their trees, so that no lines cross."""
    order = [name for tree in merge_tree(group) for name in tree[0]]
    place = {frozenset([name]): (0, float(row)) for row, name in enumerate(order)}
    lines: Values = []
    marks: Values = []
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


def _group_section(group: MergedGroup, coefficient: str, *, several: bool) -> Section:
    rows = [
        (
            which,
            standing.categories,
            standing.agreed,
            standing.items,
            _defined(standing.percent_agreement),
            _defined(standing.kappa),
        )
        for which, standing in (("before", group.before), ("after", group.after))
    ]
    columns = ("", "categories", "agreed", "items", "agreement", coefficient)
    table = Table.of("Before and after merging.", columns, rows)
    warnings = [Paragraph(text=note, warning=True) for note in group.notes]
    guards = [Paragraph(text=_guard_sentence(group))] if group.heldout else []
    charts = [merge_chart(group, coefficient)] if group.steps else []
    return Section(title=group.key if several else "Before and after", blocks=(table, *guards, *warnings, *charts))


def _guard_sentence(group: MergedGroup) -> str:
    held = group.heldout.kappa if group.heldout else float("nan")
    shown = "undefined" if isnan(held) else f"{held:.3f}"
    chance = f"shuffled disagreement gives p = {group.chance_p_value:.2f}."
    return f"On items that had no part in the merging it is {shown}; {chance}"


def _whole_class(members: tuple[str, ...], trees: dict[frozenset[str], Tree]) -> Tree:
    """The tree of a class; one that was given and not searched for holds its members side by side."""
    parts = tuple(tree for names, tree in trees.items() if names <= set(members))
    return parts[0] if len(parts) == 1 else (members, float("nan"), parts)


def _outcome(group: MergedGroup) -> str:
    if isnan(group.before.kappa):
        return "undefined"
    return "collapsed" if group.collapsed else "" if group.reached else "not reached"


def _defined(value: float) -> float | None:
    return None if isnan(value) else value


def _summaries(result: Merging) -> dict[str, Summary]:
    return {**result.parts, "all": result.summary}


def _row_cells(row: SummaryRow) -> tuple[Any, ...]:
    shares = (_defined(row.percent_agreement), _defined(row.kappa))
    return (row.groups, _defined(row.categories), row.agreed, row.items, *shares, row.undefined)


def _grow(root: Any, tree: Tree, glosses: dict[str, str]) -> None:
    members, value, parts = tree
    if not parts:
        gloss = f"  [dim]{_safe(glosses[members[0]])}[/dim]" if members[0] in glosses else ""
        root.add(f"{_safe(members[0])}{gloss}")
        return
    reached = "" if isnan(value) else f"  [dim]{value:.3f}[/dim]"
    branch = root.add(f"{_safe(' '.join(members))}{reached}")
    for part in parts:
        _grow(branch, part, glosses)


def _safe(text: str) -> str:
    from rich.markup import escape

    return escape(text)

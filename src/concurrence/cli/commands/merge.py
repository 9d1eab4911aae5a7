"""``concur merge``: coarser categories that coders can agree on."""

from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from concurrence.cli.labels_options import LabelOptions, label_options, read_from_options
from concurrence.cli.merging_files import group_parts, read_texts, relabelled_rows, write_merging
from concurrence.cli.merging_options import MergeOptions, merge_options
from concurrence.cli.output import (
    CHARTS,
    PAGES,
    TABLES,
    FilePath,
    announce_seed,
    json_option,
    note_written,
    output_option,
    print_json,
    print_rich,
    provenance,
    seed_option,
)
from concurrence.cli.progress import progress

if TYPE_CHECKING:
    from concurrence.merging.results import MergedGroup, Merging, Standing


@click.command("merge")
@click.argument("labels", type=FilePath())
@label_options
@merge_options
@output_option(
    "Write the classes (.csv .tsv .jsonl .parquet), the tree (.svg .png) or a page (.html .md .tex).",
    endings=(*TABLES, *PAGES, *CHARTS),
)
@seed_option
@json_option
def command(
    labels: Path, *, reading: LabelOptions, asked: MergeOptions, output: Path | None, json_: bool, seed: int
) -> None:
    r"""Merge categories until coders agree on what is left.

    The greedy search of Ng, Lim & Foo (1999), for each group of --by or for all labels together. Since merging
    is fitted to the sample, every result comes with the value on held-out items and with chance_p_value: how
    often shuffled disagreements merge as well.

    \b
    Example:
      printf 'a,b\ncat,cat\nlion,cat\ncat,lion\ndog,dog\nlion,cat\ndog,dog\n' > labels.csv
      concur merge labels.csv --wide --coders a,b --min-kappa 0.7 --steps
    """
    from concurrence.files.tables import write_table

    result = _merged(labels, reading, asked, seed)
    if asked.summary_by:
        result = group_parts(result, labels, reading, asked.summary_by)
    files = [path for path in (asked.tree, asked.classes, asked.reference, asked.glosses) if path]
    made = provenance(inputs=[labels, *files], seed=seed, coefficient=result.coefficient)
    applied = None if asked.apply_ is None else relabelled_rows(result, labels, reading, classes=asked.classes)
    if output is not None:
        write_merging(result, output, made)
    if asked.apply_ is not None and applied is not None:
        write_table(applied, asked.apply_, made)
    if asked.is_random:
        announce_seed(seed)
    if json_:
        from concurrence.report.merging import merging_document

        print_json({**_as_json(result), "document": merging_document(result)}, made)
    else:
        _show(result, asked)
    note_written(output, asked.apply_)


def _merged(labels: Path, reading: LabelOptions, asked: MergeOptions, seed: int) -> "Merging":
    from concurrence.merging.constraints import Constraints
    from concurrence.merging.merge import merge

    constraints = Constraints(tree=read_texts(asked.tree, "child", "parent"), keep=asked.keep, together=asked.together)
    classes, reference = (read_texts(path, "category", "class") for path in (asked.classes, asked.reference))
    read = read_from_options(labels, reading)
    with progress("merging") as report:
        return merge(
            read,
            coefficient=asked.coefficient,
            min_kappa=asked.min_kappa,
            stop=asked.stop,
            faithful=asked.faithful,
            guards=not asked.no_guards,
            shuffles=asked.shuffles,
            seed=seed,
            constraints=constraints,
            classes=classes,
            reference=reference,
            progress=report,
        )


def _as_json(result: "Merging") -> dict[str, Any]:
    return {
        "coefficient": result.coefficient,
        "min_kappa": result.min_kappa,
        "groups": {key: _group_json(group) for key, group in result.groups.items()},
        "summary": result.summary,
        **({"summary_by": result.parts} if result.parts else {}),
    }


def _group_json(group: "MergedGroup") -> dict[str, Any]:
    more = {} if group.reference is None else {"reference": group.reference, "under_reference": group.under_reference}
    return {
        "before": _standing(group.before),
        "after": _standing(group.after),
        "classes": group.classes,
        "steps": group.steps,
        "collapsed": group.collapsed,
        "reached": group.reached,
        "reliable": group.reliable,
        "chance_p_value": group.chance_p_value,
        "heldout": group.heldout,
        "largest_class_share": group.largest_class_share,
        "note": " ".join(group.notes) or None,
        **more,
    }


def _standing(standing: "Standing") -> dict[str, Any]:
    """Agreements are counts where every item has two labels, and shares of items in sum otherwise."""
    whole = standing.agreed == int(standing.agreed)
    return {
        "categories": standing.categories,
        "items": standing.items,
        "agreed": int(standing.agreed) if whole else standing.agreed,
        "percent_agreement": standing.percent_agreement,
        "kappa": standing.kappa,
    }


def _show(result: "Merging", asked: MergeOptions) -> None:
    from concurrence.report.merging import groups_table, summary_table, terminal_tree
    from concurrence.report.terminal import terminal_table

    print_rich(*result.sentences, "", *terminal_table(groups_table(result)), "")
    if len(result.groups) > 1:
        print_rich(*terminal_table(summary_table(result)), "")
    glosses = read_texts(asked.glosses, "category", "gloss")
    for group in result.groups.values():
        texts = glosses.of(group.key) if glosses else {}
        if asked.steps or glosses:
            print_rich(terminal_tree(group, texts))
        elif group.steps or asked.classes:
            print_rich(f"{group.key}: " + " | ".join(" ".join(members) for members in group.classes))
        for note in group.notes:
            print_rich(f"{group.key}: {note}")
        if group.reference is not None and not isnan(group.reference.adjusted_rand_index):
            print_rich(f"{group.key}: adjusted Rand index {group.reference.adjusted_rand_index:.3f} to the reference")

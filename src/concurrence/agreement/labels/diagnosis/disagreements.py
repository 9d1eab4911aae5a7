"""The items on which coders differ most, as a table for people to look at."""

from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from concurrence.core.labels import Labels

MOST_COLUMNS = 30


def item_disagreement(labels: Labels) -> NDArray[np.float64]:
    """The share of the pairs of labels on each item that differ; NaN where there are fewer than two labels."""
    sizes = (labels.codes >= 0).sum(axis=1).astype(np.float64)
    rows, columns = np.nonzero(labels.codes >= 0)
    keys = rows.astype(np.int64) * max(len(labels.categories), 1) + labels.codes[rows, columns]
    cells, counts = np.unique(keys, return_counts=True)
    owners = cells // max(len(labels.categories), 1)
    alike = np.bincount(owners, weights=counts * (counts - 1.0), minlength=labels.n_items)
    pairs = sizes * (sizes - 1)
    shares = np.divide(alike, pairs, out=np.full(labels.n_items, np.nan), where=pairs > 0)
    return np.asarray(1 - shares)


def disagreement_table(labels: Labels) -> pl.DataFrame:
    """Items with any disagreement, the most first: item, group, number of labels, share that differ, the labels.

    Up to thirty coders have a column of their own; beyond, the labels are counted.
    """
    share = item_disagreement(labels)
    order = np.lexsort((np.arange(labels.n_items), -np.nan_to_num(share)))
    order = order[np.nan_to_num(share[order]) > 0]
    differing = labels.select_items(order)
    columns: dict[str, Any] = {"item": [str(item) for item in differing.items]}
    if differing.groups is not None:
        columns["group"] = [str(group) for group in differing.groups]
    columns["labels"] = (differing.codes >= 0).sum(axis=1)
    columns["disagreement"] = share[order]
    columns["given"] = [_label_counts(row, labels.categories) for row in differing.codes]
    if labels.n_coders <= MOST_COLUMNS and not labels.anonymous:
        names = np.array([*labels.categories, None], dtype=object)
        for k, coder in enumerate(labels.coders):
            name = coder if coder not in columns else f"coder {coder}"
            columns[name] = pl.Series(names[differing.codes[:, k]].tolist(), dtype=pl.String)
    return pl.DataFrame(columns)


def _label_counts(row: NDArray[Any], categories: tuple[str, ...]) -> str:
    codes, counts = np.unique(row[row >= 0], return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return ", ".join(f"{categories[codes[i]]} × {counts[i]}" for i in order)

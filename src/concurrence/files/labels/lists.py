"""Labels in lists, one per coder, read as a file with a column per coder is read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from concurrence.core.cells import cell_texts
from concurrence.core.errors import InvalidInputError
from concurrence.core.labels import MISSING, Labels
from concurrence.files.labels.codes import Encoded, Marks, labels_from_marks
from concurrence.files.labels.options import LabelOptions

SOURCE = "The input"


def labels_from_lists(lists: Mapping[Any, Iterable[Any]], options: LabelOptions) -> Labels:
    """Labels of coders who labelled the same items, item by item. Nothing here computes with polars.

    >>> labels = labels_from_lists({"ann": ["1.0", 2, None], "bob": [1, 2, 2]}, LabelOptions())
    >>> labels.categories, labels.codes.tolist(), labels.warnings[0].code
    (('1', '2'), [[0, 0], [1, 1], [-1, 1]], 'same_number')
    """
    columns = {str(coder): cell_texts(cells, joint=options.sets) for coder, cells in lists.items()}
    height = _common_length([len(column) for column in columns.values()])
    coders = list(columns)
    marks = Marks(
        item=np.tile(np.arange(height), len(coders)),
        coder=np.repeat(np.arange(len(coders), dtype=np.int32), height),
        label=_encode_texts([text for column in columns.values() for text in column]),
        items=np.array([str(number) for number in range(1, height + 1)], dtype=object),
        coders=coders,
        place=lambda row: f"{SOURCE}, item {row % height + 1} of {coders[row // height]}",
        source=SOURCE,
    )
    return labels_from_marks(marks, options)


def _common_length(sizes: Sequence[int]) -> int:
    if len(sizes) == 2 and sizes[0] != sizes[1]:
        raise InvalidInputError(f"Both coders must label the same items; one has {sizes[0]}, the other {sizes[1]}.")
    if len(set(sizes)) > 1:
        raise InvalidInputError(f"All coders must label the same items; their lists have {min(sizes)} to {max(sizes)}.")
    return sizes[0] if sizes else 0


def _encode_texts(texts: Sequence[str | None]) -> Encoded:
    """Texts as numbers in the order of their first appearance."""
    numbers: dict[str | None, int] = {None: MISSING}
    codes = [numbers.setdefault(text, len(numbers) - 1) for text in texts]
    return Encoded(codes=np.array(codes, dtype=np.int32), names=[text for text in numbers if text is not None])

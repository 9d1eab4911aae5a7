"""Warnings about labels that were read; they stay with the labels."""

import shlex
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
from numpy.typing import NDArray

from concurrence.core.errors import option_or_keyword
from concurrence.core.labels import MISSING, Labels
from concurrence.core.numerals import parse_number
from concurrence.core.sentences import Sentence, join_words
from concurrence.kernels.runs import distinct

SHORTEST_WORD = 5
RARE = 10
MOST_SHOWN = 5
MOST_CATEGORIES_SHOWN = 12
MISSING_WORDS = frozenset(("NA", "N/A", "n/a", "#N/A", "<NA>", "NaN", "nan", "NaT", "None", "null", "NULL"))
TRUTH_NUMBERS = {"true": "1", "false": "0"}
VERDICT_NUMBERS = {**TRUTH_NUMBERS, "yes": "1", "no": "0", "pass": "1", "fail": "0"}
"""How judgements of candidates are written; beside 1 and 0, if both occur."""


def unify_number_spellings(
    meanings: Mapping[int, str | None], declared: Sequence[str], missing: Collection[str]
) -> tuple[dict[int, str | None], tuple[Sentence, ...]]:
    """One category for all spellings of a number, where every label is a number.

    It is written as declared, or else in the shortest way that occurs. A number that means no label does so in every
    spelling.

    >>> unify_number_spellings({0: "1", 1: "1.0", 2: "2"}, (), ())[0]
    {0: '1', 1: '1', 2: '2'}
    """
    names = {name for name in meanings.values() if name is not None}
    if not names or any(parse_number(name) is None for name in names):
        return dict(meanings), ()
    numbers = {name: Decimal(name.strip()) for name in names}
    categories: dict[Decimal, str | None] = {}
    for name in sorted(names, key=lambda name: (len(name), name)):
        categories.setdefault(numbers[name], name)
    categories |= {Decimal(name.strip()): name for name in declared if parse_number(name) is not None}
    categories |= {Decimal(name.strip()): None for name in missing if parse_number(name) is not None}
    spellings: dict[str, list[str]] = {}
    for name in sorted(names, key=lambda name: (numbers[name], len(name), name)):
        if (category := categories[numbers[name]]) is not None and category != name:
            spellings.setdefault(category, []).append(name)
    unified = {code: None if name is None else categories[numbers[name]] for code, name in meanings.items()}
    return unified, (_same_number_warning(spellings),) if spellings else ()


def unify_truth_values(
    meanings: Mapping[int, str | None], declared: Sequence[str]
) -> tuple[dict[int, str | None], tuple[Sentence, ...]]:
    """*True* and *false* as 1 and 0, where all other labels are 1 or 0 and no truth value is declared.

    So are *yes* and *no*, *pass* and *fail*, if both numbers occur.

    >>> unify_truth_values({0: "True", 1: "1.0", 2: "0", 3: "false"}, ())[0]
    {0: '1', 1: '1.0', 2: '0', 3: '0'}
    """
    names = {name for name in meanings.values() if name is not None}
    numbers = {parse_number(name) for name in names} - {None}
    known = VERDICT_NUMBERS if numbers == {0.0, 1.0} else TRUTH_NUMBERS
    words = {name: known[name.lower()] for name in names if name.lower() in known}
    others = {parse_number(name) for name in names - words.keys()}
    if not words or not others or not others <= {0.0, 1.0} or any(name.lower() in known for name in declared):
        return dict(meanings), ()
    unified = {code: name if name is None else words.get(name, name) for code, name in meanings.items()}
    readings = join_words([f"{name!r} as {number!r}" for name, number in sorted(words.items())])
    text = (
        f"All other labels are 0 or 1, so truth values were read as numbers: {readings}. "
        f"Use {option_or_keyword('--as-text', 'as_text=True')} to keep them apart."
    )
    return unified, (Sentence(code="truth_values", text=text, warning=True),)


def _same_number_warning(spellings: Mapping[str, Sequence[str]]) -> Sentence:
    readings = [
        f"{join_words([repr(name) for name in names])} as {category!r}" for category, names in spellings.items()
    ]
    examples = f"{', '.join(readings[:MOST_SHOWN])}{', …' if len(readings) > MOST_SHOWN else ''}"
    text = (
        f"Every label is a number, so different spellings of a number were read as one category: {examples}. "
        f"Use {option_or_keyword('--as-text', 'as_text=True')} to keep them apart."
    )
    return Sentence(code="same_number", text=text, warning=True)


def category_warnings(
    categories: Sequence[str], counts: Sequence[int], sets: str | None = None
) -> tuple[Sentence, ...]:
    """Warnings about undeclared categories: look-alikes, and that they were inferred.

    Of set-valued categories the members are compared, which are what ``recode`` replaces.
    """
    label_counts: Counter[str] = Counter()
    for category, count in zip(categories, counts, strict=True):
        label_counts.update(dict.fromkeys([category] if sets is None else category.split(sets), count))
    pairs = find_near_duplicates(label_counts)
    return (
        *_looks_missing(label_counts),
        *((_near_duplicate_warning(pairs),) if pairs else ()),
        _inferred_warning(categories),
    )


def _looks_missing(counts: Mapping[str, int]) -> tuple[Sentence, ...]:
    """A warning about labels that programs write where there is none; they stay labels."""
    names = [name for name in counts if name in MISSING_WORDS and counts[name]]
    if not names or len(names) == len(counts):
        return ()
    listed = join_words([f"{name!r} ({counts[name]:,})" for name in names])
    subject = "The label" if len(names) == 1 else "The labels"
    often = (
        "is often written where there is no label; it counts"
        if len(names) == 1
        else ("are often written where there is no label; they count")
    )
    option = option_or_keyword(f"--missing {shlex.quote(','.join(names))}", f"missing={names}")
    text = f"{subject} {listed} {often} as {'a label' if len(names) == 1 else 'labels'} here. If not, use {option}."
    return (Sentence(code="looks_missing", text=text, warning=True),)


def renew_category_warnings(labels: Labels) -> Labels:
    """Labels of which some were left out, with warnings about the categories that are left."""
    renewed = ("categories_inferred", "near_duplicate_labels", "looks_missing")
    kept = tuple(one for one in labels.warnings if one.code not in renewed)
    if labels.categories_declared or len(kept) == len(labels.warnings):
        return labels
    counts = np.bincount(labels.codes[labels.codes != MISSING], minlength=len(labels.categories)).tolist()
    warnings = category_warnings(labels.categories, counts, labels.set_separator)
    return replace(labels, warnings=(*kept, *warnings))


def _inferred_warning(categories: Sequence[str]) -> Sentence:
    more = len(categories) - MOST_CATEGORIES_SHOWN
    names = ", ".join(categories[:MOST_CATEGORIES_SHOWN]) + (f" and {more:,} more" if more > 0 else "")
    text = (
        f"The categories were inferred from the labels: {names}. If coders could choose others, declare all with "
        f"{option_or_keyword('--categories', 'categories=')}; some coefficients depend on their number."
    )
    return Sentence(code="categories_inferred", text=text, warning=True)


def find_near_duplicates(counts: Mapping[str, int]) -> list[tuple[str, int, str, int]]:
    """Labels that look like another one: the rarer with its count, then the commoner.

    They differ in case or outer spaces; or in one letter, in words of at least five, where the rarer is at most a
    tenth as common. Numbers and single letters are never compared.

    >>> find_near_duplicates({"positive": 118, "postive": 2, "Yes": 7, "yes": 30, "sense1": 90, "sense2": 1})
    [('postive', 2, 'positive', 118), ('Yes', 7, 'yes', 30)]
    """
    words = [name for name in counts if len(name.strip()) > 1 and parse_number(name) is None]
    by_key: dict[str, list[str]] = {}
    for name in words:
        for key in _comparison_keys(name):
            by_key.setdefault(key, []).append(name)
    commoner: dict[str, str] = {}
    for alike in by_key.values():
        common = max(alike, key=lambda name: counts[name])
        for name in alike:
            if name != common and name not in commoner and _looks_like(name, common, counts):
                commoner[name] = common
    return [(name, counts[name], commoner[name], counts[commoner[name]]) for name in counts if name in commoner]


def _comparison_keys(name: str) -> set[str]:
    """What look-alikes have in common: the label without case and outer spaces, whole or without one letter."""
    stripped = name.strip().casefold()
    if not _long_enough(stripped):
        return {stripped}
    return {stripped} | {stripped[:k] + stripped[k + 1 :] for k, letter in enumerate(stripped) if letter.isalpha()}


def _long_enough(text: str) -> bool:
    return sum(map(str.isalpha, text)) >= SHORTEST_WORD - 1 and len(text) <= 80


def _looks_like(rare: str, common: str, counts: Mapping[str, int]) -> bool:
    a, b = rare.strip().casefold(), common.strip().casefold()
    if a == b:
        return True
    letters = max(sum(map(str.isalpha, a)), sum(map(str.isalpha, b)))
    return letters >= SHORTEST_WORD and counts[rare] * RARE <= counts[common] and _one_letter_apart(a, b)


def _one_letter_apart(a: str, b: str) -> bool:
    """Whether one letter inside a word was replaced, left out or added; the A of ``type A`` is a name, not a typo."""
    short, long = sorted((a, b), key=len)
    start = next((k for k, (x, y) in enumerate(zip(short, long, strict=False)) if x != y), len(short))
    after = start + 1
    if len(long) - len(short) > 1 or short[start + (len(long) == len(short)) :] != long[after:]:
        return False
    changed = long[start] + (short[start] if len(long) == len(short) else "")
    neighbours = long[max(start - 1, 0) : start] + long[after : after + 1]
    return changed.isalpha() and any(map(str.isalpha, neighbours))


def format_near_duplicates(pairs: Sequence[tuple[str, int, str, int]]) -> str:
    """The first of these pairs of labels with their counts, in words."""
    examples = (
        f"{rare!r} ({rare_count:,}) and {common!r} ({common_count:,})"
        for rare, rare_count, common, common_count in pairs[:MOST_SHOWN]
    )
    ending = f"; and {len(pairs) - MOST_SHOWN:,} more" if len(pairs) > MOST_SHOWN else ""
    return "; ".join(examples) + ending


def _near_duplicate_warning(pairs: Sequence[tuple[str, int, str, int]]) -> Sentence:
    names = {rare: common for rare, _, common, _ in pairs[:MOST_SHOWN]}
    needs_file = any(mark in name for pair in names.items() for name in pair for mark in ',="')
    option = (
        "FILE (columns old,new)" if needs_file else shlex.quote(",".join(f"{old}={new}" for old, new in names.items()))
    )
    text = (
        f"Some labels look like two spellings of one category: {format_near_duplicates(pairs)}. If they mean the "
        "same, use "
        f"{option_or_keyword(f'--recode {option}', f'recode={names}')}."
    )
    return Sentence(code="near_duplicate_labels", text=text, warning=True)


def unused_recode_warnings(recode: Mapping[str, str], names: Sequence[str], sets: str | None) -> tuple[Sentence, ...]:
    """Labels to recode that do not occur."""
    parts = {part for name in names for part in name.split(sets)} if sets is not None else set[str]()
    names_used = {*names, *parts, *(part.strip() for part in parts)}
    if not (unused := [repr(old) for old in recode if old not in names_used]):
        return ()
    subject = f"The label {unused[0]} does" if len(unused) == 1 else f"The labels {join_words(unused)} do"
    text = f"{subject} not occur, so there was nothing to recode."
    return (Sentence(code="recode_unused", text=text, warning=True),)


def pooled_groups_warning(labels: Labels, groups: Mapping[str, NDArray[Any]]) -> tuple[Sentence, ...]:
    """A warning where the items of different groups have no category in common, by the first column that shows it.

    ``groups`` has, for each column, the number of every item's group. At least two groups must have two categories
    each: otherwise the column only says what the label says.
    """
    labelled_cells = np.flatnonzero(labels.codes != MISSING) if groups else np.empty(0, dtype=np.int64)
    codes, items = labels.codes.ravel()[labelled_cells], labelled_cells // labels.n_coders
    for column, group in groups.items():
        if group.min() == MISSING or not 2 <= len(np.unique(group)) <= labels.n_items / 2:
            continue
        width = int(group.max()) + 1
        pairs = distinct(codes.astype(np.int64) * width + group[items], len(labels.categories) * width)
        disjoint = len(np.unique(pairs // width)) == len(pairs)
        if disjoint and np.count_nonzero(np.bincount(pairs % width) >= 2) >= 2:
            text = (
                f"Items that differ in {column!r} have no category in common, so a coefficient over all items mixes "
                f"different sets of categories. Use {option_or_keyword(f'--by {column}', f'by={column!r}')} to "
                "keep them apart."
            )
            return (Sentence(code="pooled_groups", text=text, warning=True),)
    return ()

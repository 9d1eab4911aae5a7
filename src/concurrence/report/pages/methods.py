"""What was done and where it comes from: formulas and references of the rows that a result used.

The words and the formula are those of the function that computes the number, so they cannot drift from it.
"""

import json
import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from inspect import getdoc
from typing import Any

from concurrence.kernels.coefficients import COEFFICIENTS
from concurrence.report.render.document import Formula, Section

INLINE = re.compile(r":math:`([^`]+)`", re.DOTALL)
DISPLAY = re.compile(r"\.\. math::[ \t]*\n?((?:.+\n?)+)")


def methods_section(
    *, coefficients: Iterable[str] = (), measures: Iterable[str] = (), procedures: Iterable[str] = ()
) -> Section:
    """The methods behind these rows of the tables, for the end of a report; names without a row are left out."""
    from concurrence.report.pages.procedures import procedures as formulas_of

    rows = [COEFFICIENTS[name] for name in coefficients if name in COEFFICIENTS]
    blocks = [
        Formula(name=row.title, words=row.words, latex=row.formula, reference=citation(row.reference)) for row in rows
    ]
    if names := list(measures):
        from concurrence.measures.table import MEASURES, titles_of

        titles = titles_of(names)
        measure_rows = (MEASURES[name] for name in names if name in MEASURES)
        blocks += [method(titles[row.name], row.function, row.reference) for row in measure_rows]
    return Section(title="Methods", blocks=(*blocks, *formulas_of(procedures)), is_methods=True)


def method(name: str, function: Callable[..., Any], reference: str) -> Formula:
    """A formula from a function's own documentation."""
    words, latex = explained(function)
    return Formula(name=name, words=words, latex=latex, reference=citation(reference))


def explained(function: Callable[..., Any]) -> tuple[str, str]:
    """The words of a function's documentation without markup, and its formula."""
    text = re.split(r"\s*References:|\n\s*>>>", getdoc(function) or "")[0]
    display, inline = DISPLAY.search(text), INLINE.findall(text)
    latex = display.group(1) if display else r",\quad ".join(inline)
    words = INLINE.sub(_as_text if display else "", DISPLAY.sub("", text)).replace("``", "").replace("*", "")
    words = re.sub(r"\s+([.,;:])", r"\1", " ".join(words.split()))
    return re.sub(r"[:,]?\.?$", ".", words.strip(), count=1), " ".join(latex.split()).rstrip(".,")


def _as_text(formula: re.Match[str]) -> str:
    return re.sub(r"\\(?=\w)", "", formula.group(1).replace(r"\to", "→"))


def citation(key: str) -> str:
    """A reference as a reader expects it.

    >>> citation("dieugenio2004")
    'Di Eugenio & Glass (2004). The kappa statistic: a second look. Computational Linguistics 30(1), 95–101.'
    """
    entry = references().get(key)
    if entry is None:
        return key
    place = entry.get("journal") or entry.get("booktitle") or entry.get("publisher") or entry.get("school") or ""
    volume = entry.get("volume", "") + (f"({entry['number']})" if "number" in entry else "")
    pages = f", {entry['pages'].replace('--', '–')}" if "pages" in entry else ""
    where = f" {place} {volume}".rstrip() + pages
    title = f"{_authors(entry.get('author', ''))} ({entry.get('year', 'n.d.')}). {entry.get('title', '')}."
    return f"{title}{where}." if where else title


@cache
def references() -> dict[str, dict[str, str]]:
    """Every reference by its key; ``docs/write_references.py`` makes the data from the BibTeX file."""
    data: dict[str, dict[str, str]] = json.loads(
        files("concurrence.report").joinpath("references.json").read_text("utf-8")
    )
    return data


def _authors(names: str) -> str:
    """The family names: ``A``, ``A & B``, or ``A, B & C``."""
    family = [name.split(",")[0].strip() for name in names.split(" and ") if name.strip()]
    return " & ".join([", ".join(family[:-1]), family[-1]] if len(family) > 1 else family)

"""A document as Markdown, and its tables as LaTeX ready for a paper."""

import re
from collections.abc import Callable, Sequence
from typing import Any

from concurrence.core.sentences import format_cell
from concurrence.report.render.document import Block, Document, Formula, Paragraph, Table

LATEX_MARKS = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "–": "--", "−": "$-$", "κ": r"$\kappa$", "χ²": r"$\chi^2$",
    "≥": r"$\ge$", "≤": r"$\le$", "<": "$<$", ">": "$>$", "×": r"$\times$", "∞": r"$\infty$", "π": r"$\pi$",
    "α": r"$\alpha$", "²": r"$^2$", "…": r"\ldots{}", "█": r"\rule{1ex}{1ex}",
}  # fmt: skip


MARKDOWN_MARKS = re.compile(r"[*`|]|<(?=[a-zA-Z/!?])|\\(?=[!-/:-@\[-`{-~])")


def render_markdown(document: Document) -> str:
    """The document as Markdown; a chart is named by its caption."""
    return "\n\n".join(part for part in _parts(document, "#") if part) + "\n"


def _parts(document: Document, mark: str) -> list[str]:
    warned = (f"> **{sentence}**" for sentence in document.warnings)
    question = f"*{document.question}*" if document.question else ""
    inside = [text for part in document.parts for text in _parts(part, f"{mark}#")]
    sections = [text for s in document.sections for text in (f"{mark}# {s.title}", *(_markdown(b) for b in s.blocks))]
    return [f"{mark} {document.title}", question, *warned, *document.answer, *inside, *sections]


def render_latex(document: Document) -> str:
    r"""Every table of the document in the ``booktabs`` manner, each with a label of its own.

    The preamble of the paper needs ``\usepackage{booktabs}``.
    """
    names = [_label(document.title, table.caption) for table in document.tables]
    labels = [f"{name}-{names[:k].count(name) + 1}" if name in names[:k] else name for k, name in enumerate(names)]
    tables = zip(document.tables, labels, strict=True)
    return "% needs \\usepackage{booktabs}\n" + "\n".join(latex_table(table, label=label) for table, label in tables)


def _label(title: str, caption: str) -> str:
    """The label of a table, from its words: letters, digits and hyphens.

    >>> _label("Agreement", "Who said what: rows 1, columns 2")
    'tab:agreement-who-said-what'
    """
    words = re.findall(r"[a-z0-9]+", f"{title} {caption.partition(':')[0]}".lower())
    return f"tab:{'-'.join(words[:5])}"


def latex_table(table: Table, *, label: str = "") -> str:
    r"""One table for a paper.

    >>> print(latex_table(Table.of("Agreement", ["coder", "kappa"], [["NN7", 0.7751]])))
    \begin{table}
      \centering
      \begin{tabular}{lr}
        \toprule
        coder & kappa \\
        \midrule
        NN7 & .7751 \\
        \bottomrule
      \end{tabular}
      \caption{Agreement}
    \end{table}
    """
    sides = "".join("r" if table.is_right(column) else "l" for column in range(len(table.columns)))
    # after a line break LaTeX would take a bracket for an option of it
    rows = [re.sub(r"^(?=\[)", "{}", _row(row, latex_text, " & ")) + r" \\" for row in table.rows]
    lines = [
        r"\begin{table}", r"  \centering", rf"  \begin{{tabular}}{{{sides}}}", r"    \toprule",
        f"    {_row(table.columns, latex_text, ' & ')} \\\\", r"    \midrule", *(f"    {row}" for row in rows),
        r"    \bottomrule", r"  \end{tabular}", rf"  \caption{{{latex_text(table.caption)}}}",
        *([rf"  \label{{{label}}}"] if label else []),
        r"\end{table}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def latex_text(text: str) -> str:
    r"""Text as LaTeX writes it.

    >>> latex_text("p_value < 5%")
    'p\\_value $<$ 5\\%'
    """
    marks = "".join(LATEX_MARKS.get(letter, letter) for letter in text.replace("χ²", "\0"))
    return marks.replace("\0", LATEX_MARKS["χ²"])


def _markdown(block: Block) -> str:
    if isinstance(block, Paragraph):
        return f"> **{block.text}**" if block.warning else block.text
    if isinstance(block, Table):
        return _markdown_table(block)
    if isinstance(block, Formula):
        source = f" ({block.reference})" if block.reference else ""
        return f"**{block.name}.** {block.words}{source}" + (f"\n\n$$ {block.latex} $$" if block.latex else "")
    return f"*[Chart] {block.caption}*"


def _markdown_table(table: Table) -> str:
    sides = ["---:" if table.is_right(column) else "---" for column in range(len(table.columns))]
    rows = [table.columns, sides, *table.rows]
    return "\n".join([f"*{table.caption}*", "", *(f"| {_row(row, _escaped, ' | ')} |" for row in rows)])


def _row(cells: Sequence[Any], write: Callable[[str], str], mark: str) -> str:
    return mark.join(write(format_cell(cell)) for cell in cells)


def _escaped(text: str) -> str:
    r"""A cell that looks as it is written, whatever Markdown would make of it.

    >>> print(_escaped("<b>*a* | p<0.001"))
    \<b>\*a\* \| p<0.001
    """
    return MARKDOWN_MARKS.sub(r"\\\g<0>", text)

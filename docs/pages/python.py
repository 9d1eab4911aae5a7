"""The public Python names by their docstrings, the verbs first."""

import concurrence
from pages.markdown import page, table

OPENING = """
The verbs of the command line are functions. Data can be files or any data frame that supports the Arrow interface
(polars, pandas, pyarrow). Results are frozen values: they print one quotable line, display in notebooks, and keep the
numbers they were made from. [The notebooks](../notebooks.md) show most of them at work.

```python
>>> import concurrence
>>> report = concurrence.agree(["yes", "no", "yes", "no"], ["yes", "no", "no", "no"])
>>> report["cohen_kappa"].value
0.5

```

Worker processes of `multiprocessing` that compute with frames, files or corpora must be spawned, not forked:
`multiprocessing.get_context("spawn").Pool()`. Before Python 3.14, Linux forks by default, and a process that was forked
after polars had computed does not have its threads. There, the verbs refuse and say so.
""".strip()

# Every public name has its place here; a test compares.
CHAPTERS = {
    "Agreement": (
        *(
            "agree",
            "agree_by_group",
            "true_agreement",
            "compare",
            "merge",
            "match",
            "fit_coder_model",
            "latent_classes",
            "soft_labels",
        ),
        *("spans", "ratings", "preferences"),
    ),
    "Models": ("judge", "rate", "rate_from_counts", "rate_without_gold"),
    "Words and corpora": (
        *("count_pairs", "score", "collocates", "kwic", "words", "sketch", "contrast", "contrast_counts"),
        "marked_pairs",
    ),
    "Evaluation": ("draw_sample", "extend_sample", "evaluate", "benchmark"),
    "Planning": ("plan_agreement", "plan_precision", "plan_power", "plan_looks", "plan_judge"),
    "Reading and writing": (
        *("read_labels", "read_spans", "read_comparisons", "read_corpus", "read_pairs", "read_sample", "read_table"),
        *("open_index", "write_index", "write_pairs", "write_sample", "write_table"),
    ),
    "Values": ("Labels", "Spans", "Corpus", "Tokens", "Pairs", "Counted", "Contingency", "Interval", "Sentence"),
    "Options": ("AgreeOptions", "EvaluateOptions", "SpansOptions"),
    "Errors": ("ConcurrenceError", "InvalidInputError", "UnknownNameError", "UndefinedError", "MissingExtraError"),
}


def python() -> str:
    """The page of the public Python names."""
    return page("Python", OPENING, *(part for title, names in CHAPTERS.items() for part in _chapter(title, names)))


def _chapter(title: str, names: tuple[str, ...]) -> list[str]:
    rows = [[f"[`{name}`](#{_anchor(name)})", _first_sentence(name)] for name in names]
    entries = [f"({_anchor(name)})=\n### {name}\n\n```{{eval-rst}}\n{_directive(name)}\n```" for name in names]
    return [f"## {title}", table(["name", "job"], rows), *entries]


def _anchor(name: str) -> str:
    return f"py-{'value' if name[0].isupper() else 'verb'}-{name.lower()}"


def _first_sentence(name: str) -> str:
    text = (getattr(concurrence, name).__doc__ or "").strip().partition("\n\n")[0]
    return text.replace("``", "`")


def _directive(name: str) -> str:
    if isinstance(getattr(concurrence, name), type):
        return f".. autoclass:: concurrence.{name}\n   :members:"
    return f".. autofunction:: concurrence.{name}"

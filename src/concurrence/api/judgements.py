"""The verbs on ratings, spans and comparisons: each takes what people have, and answers with a result."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from concurrence.api.inputs import LabelsReading, also_takes, comparisons_from, people_labels, rows_from

if TYPE_CHECKING:  # a verb loads what it needs and nothing else
    from concurrence.agreement.preferences.results import PreferenceReport
    from concurrence.agreement.ratings.results import RatingsReport
    from concurrence.agreement.spans.results import SpanReport
    from concurrence.core.spans import Spans


def ratings(
    labels: Any,
    other: Iterable[Any] | None = None,
    *,
    level: float = 0.95,
    bootstrap: int = 1000,
    seed: int = 0,
    **reading: Unpack[LabelsReading],
) -> "RatingsReport":
    """How well the coders agree on numbers: intraclass correlations, concordance, limits of agreement, ranks.

    ``labels`` are ``Labels`` that are numbers, a frame, a file's name, the ratings of one coder with ``other`` those of
    the second, a list of such lists, or a mapping from coders to their lists. ``level`` is that of the intervals;
    ``bootstrap`` draws of items, started by ``seed``, give those of Kendall's W and of the mean rank correlation.

    >>> report = ratings([9, 6, 8, 7, 10, 6], [8, 2, 8, 6, 9, 7])
    >>> round(report["icc_2_1"].value, 3), round(report.limits_of_agreement.mean, 3)
    (0.648, 1.0)
    """
    from concurrence.agreement.ratings.analyse import analyse_ratings
    from concurrence.agreement.ratings.options import RatingOptions

    return analyse_ratings(
        people_labels(labels, other, **reading), RatingOptions(level=level, bootstrap=bootstrap, seed=seed)
    )


def preferences(
    comparisons: Any, *, position: bool = False, level: float = 0.95, separation: float | None = None
) -> "PreferenceReport":
    """How strong each item is, from comparisons of two at a time.

    ``comparisons`` is a frame or a file's name with the columns a, b and winner, as ``read_comparisons`` takes it, or a
    list of rows of first item, second item, winner (an item or ``tie``), and the coder, if known. ``position`` adds a
    term for the item shown first; ``level`` is that of the intervals; ``separation`` is a win rate that neighbours are
    to be told apart at.

    >>> report = preferences([("x", "y", "x"), ("x", "y", "x"), ("y", "x", "y")])
    >>> round(report["x"].strength, 3), report.method
    (0.347, 'maximum_likelihood')
    """
    from concurrence.agreement.preferences.analyse import analyse_preferences
    from concurrence.agreement.preferences.options import PreferenceOptions

    options = PreferenceOptions(position=position, level=level, separation=separation)
    return analyse_preferences(comparisons_from(comparisons), options)


@also_takes(coefficients="only", spans="marks")
def spans(
    marks: Any,
    *,
    length: int | None = None,
    lengths: Any = None,
    text: Any = None,
    format: str = "auto",  # noqa: A002 - as on the command line
    columns: Any = None,
    coders: Sequence[str] | None = None,
    partial: bool = False,
    encoding: str | None = None,
    sheet: str | None = None,
    reference: str | None = None,
    only: Sequence[str] | None = None,
    level: float = 0.95,
    bootstrap: int = 2000,
    seed: int = 0,
    sampler: str = "shuffle",
    samples: int | None = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    empty: float = 1.0,
) -> "SpanReport":
    """How well coders agree on marked stretches of text, with intervals from resampled documents.

    ``marks`` are ``Spans``, a frame, a file's name or a list of them, a folder of brat, or a list of rows of document,
    coder, start, end (exclusive) and label. ``format`` is that of a file (by default recognised) with its ``encoding``
    and ``sheet``, ``columns`` names its columns, ``length``, ``lengths`` and ``text`` say how long documents are,
    ``coders`` keeps these alone, and ``partial`` takes a coder without a span in a document not to have read it; all as
    in ``read_spans``. ``reference`` compares every coder with this one; ``only`` names the coefficients. ``bootstrap``
    draws, started by ``seed``, give the intervals at ``level``. For gamma, ``sampler`` makes random documents
    (``samples`` of them, by default as many as the precision needs), and ``alpha``, ``beta`` and ``empty`` weigh
    places, labels and missing units.

    >>> rows = [("a", "x", 0, 4, "P"), ("a", "y", 0, 4, "P"), ("a", "x", 6, 8, "Q"), ("a", "y", 6, 9, "Q")]
    >>> report = spans(rows, length=10)
    >>> report["f1_exact"].value, report["f1_overlap"].value
    (0.5, 1.0)
    """
    from concurrence.agreement.spans.analyse import analyse_spans
    from concurrence.agreement.spans.options import SpansOptions
    from concurrence.core.spans import Spans
    from concurrence.files.spans.options import SpanFileOptions

    options = SpansOptions(
        coefficients=only,
        reference=reference,
        level=level,
        bootstrap=bootstrap,
        seed=seed,
        sampler=sampler,
        samples=samples,
        alpha=alpha,
        beta=beta,
        empty=empty,
    )
    if isinstance(marks, Spans):
        return analyse_spans(marks, options)
    reading = SpanFileOptions(
        shape=format,
        columns=columns,
        length=length,
        lengths=lengths,
        text=text,
        coders=coders,
        partial=partial,
        encoding=encoding,
        sheet=sheet,
        machines=(reference,),
    )
    return analyse_spans(reading.read(rows_from(marks, ("document", "coder", "start", "end", "label"))), options)


def read_spans(
    source: Any,
    *,
    shape: str = "auto",
    columns: Mapping[str, str] | None = None,
    length: int | None = None,
    lengths: Any = None,
    text: Any = None,
    coders: Sequence[str] | None = None,
    partial: bool = False,
    encoding: str | None = None,
    sheet: str | None = None,
) -> "Spans":
    """Read spans from a file, from standard input (``-``), from a folder of brat, from a frame, or from several files.

    ``shape`` is ``long`` (a span per row: document, coder, start, end, label; the end is exclusive), ``bio`` (tokens
    with one column of BIO tags per coder), ``brat`` (one folder per coder) or the tool that wrote an export; ``auto``
    recognises it. ``columns`` names the columns of ``document``, ``coder``, ``start``, ``end`` and ``label`` if they
    have other names. ``encoding`` is that of text files (default: UTF-8), ``sheet`` the sheet of an ``.xlsx`` file
    (default: the first).

    ``length`` is that of every document, ``lengths`` a table ``document,length`` (or a mapping); otherwise the text
    tells, and without a text a document is taken to end with its last span. ``text`` is a folder with a ``.txt`` file
    per document, a table ``document,text``, the file of the only document, or a mapping. ``coders`` takes these alone;
    without it, models are left out with a warning.

    In a table, a coder without a span in a document is taken to have read it and found nothing; a row with empty
    start, end and label says so explicitly. With ``partial``, only coders who have a row read a document.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"coder": ["x", "y"], "start": [0, 2], "end": [4, 4], "label": ["P", "P"]})
    >>> read_spans(frame, length=10).start.tolist()
    [0, 2]
    """
    from concurrence.files.spans.options import SpanFileOptions

    options = SpanFileOptions(
        shape=shape,
        columns=columns,
        length=length,
        lengths=lengths,
        text=text,
        coders=coders,
        partial=partial,
        encoding=encoding,
        sheet=sheet,
    )
    return options.read(source)

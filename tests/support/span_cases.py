"""Spans for tests: drawn by hypothesis, written by hand, or simulated with a known rate of slips."""

import numpy as np
from hypothesis import strategies as st

from concurrence.core.spans import Mark, Spans


def spans_of(marks, length, *, coders=None, documents=None, read=None):
    """Spans of (document, coder, start, end, label) rows; ``length`` of all documents, or one of each."""
    rows = [Mark(document=d, coder=c, start=s, end=e, label=k) for d, c, s, e, k in marks]
    names = documents or list(dict.fromkeys(row.document for row in rows)) or ["d"]
    lengths = dict.fromkeys(names, length) if isinstance(length, int) else dict(zip(names, length, strict=True))
    coder_names = coders or sorted({row.coder for row in rows})
    return Spans.of(rows, lengths=lengths, coders=coder_names, read=read or (lambda _d, _c: True))


def units(*rows, document="d"):
    """(coder, start, length, label) as the papers print units, in one document."""
    return [(document, coder, start, start + length, label) for coder, start, length, label in rows]


@st.composite
def exclusive_marks(draw, *, max_documents=3, max_coders=3, labels="PQ", length=14):
    """Marks without overlaps within a coder, as (document, coder, start, end, label), and the coders."""
    coders = [f"c{k}" for k in range(draw(st.integers(2, max_coders)))]
    marks = []
    for document in range(draw(st.integers(1, max_documents))):
        for coder in coders:
            cuts = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
            for start, end in zip(cuts[::2], cuts[1::2], strict=False):
                marks.append((f"d{document}", coder, start, end, draw(st.sampled_from(labels))))
    return marks, coders, length


@st.composite
def overlapping_marks(draw, **options):
    """As above, but spans of different labels may overlap."""
    marks, coders, length = draw(exclusive_marks(**options))
    others, _, _ = draw(exclusive_marks(max_documents=1, max_coders=2, labels="R", length=length))
    added = [mark for mark in others if mark[1] in coders]
    return marks + added, coders, length


def simulated(n_documents, random, *, n_coders=2, n_spans=8, length=120, labels="PQR", slip=0.25):
    """Documents with true spans that coders move, relabel or miss at a rate; every document has its own difficulty."""
    marks = []
    for document in range(n_documents):
        hard = slip * random.gamma(4, 0.25)
        starts = np.sort(random.choice(length // 10, n_spans, replace=False)) * 10
        truth = [(s + 1, s + 1 + random.integers(2, 7), random.choice(list(labels))) for s in starts]
        for coder in range(n_coders):
            for start, end, label in truth:
                if random.random() < hard / 2:
                    continue
                move = int(random.random() < hard)
                other = random.choice(list(labels)) if random.random() < hard else label
                marks.append((f"d{document}", f"c{coder}", int(start), int(end + move), str(other)))
    names = [f"d{k}" for k in range(n_documents)]
    return spans_of(marks, length, coders=[f"c{k}" for k in range(n_coders)], documents=names)

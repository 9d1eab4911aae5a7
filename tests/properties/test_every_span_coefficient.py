"""What must hold of every row of the table of coefficients for spans, and fast against slow."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching

from concurrence import Labels, agree, spans
from concurrence.agreement.spans.alignment import Dissimilarity, align
from concurrence.agreement.spans.gamma import alignment_units, disorders
from concurrence.agreement.spans.matching import overlap_matches
from concurrence.agreement.spans.positions import pieces_of
from concurrence.agreement.spans.samplers import SAMPLERS, draw
from concurrence.agreement.spans.study import SpanStudy
from concurrence.agreement.spans.table import SPAN_MEASURES
from concurrence.agreement.spans.unitized_alphas import cu_alpha, u_alpha, u_alpha_binary
from support.examples import examples
from support.span_cases import exclusive_marks, overlapping_marks, spans_of

ROWS = pytest.mark.parametrize("row", SPAN_MEASURES.values(), ids=lambda row: row.name)
few = examples(25)


def value_of(row, marks, coders, length):
    given_ = spans_of(marks, length, coders=coders, documents=sorted({mark[0] for mark in marks}) or ["d0"])
    return spans(given_, coefficients=[row.name], bootstrap=0, samples=3)[row.name]


@ROWS
@few
@given(overlapping_marks())
def test_a_value_is_at_most_1_or_null_with_a_reason(row, case):
    found = value_of(row, *case)
    assert found.value <= 1 + 1e-12 if found.defined else found.note
    for one in (found.by_category or {}).values():
        assert one.value <= 1 + 1e-12 if not np.isnan(one.value) else one.note


@ROWS
@few
@given(exclusive_marks(), st.randoms(use_true_random=False))
def test_names_and_order_do_not_matter(row, case, random):
    marks, coders, length = case
    renamed = [(f"x{d}", f"y{c}", s, e, f"z{k}") for d, c, s, e, k in marks]
    random.shuffle(renamed)
    one, other = value_of(row, marks, coders, length), value_of(row, renamed, [f"y{c}" for c in coders], length)
    assert one.value == pytest.approx(other.value, nan_ok=True, abs=1e-9)


@ROWS
@few
@given(exclusive_marks(max_coders=2))
def test_perfect_agreement_is_1(row, case):
    marks, coders, length = case
    copied = [(d, coder, s, e, k) for d, c, s, e, k in marks if c == coders[0] for coder in coders]
    found = value_of(row, copied, coders, length)
    assert found.value == pytest.approx(1) if found.defined else found.note


@pytest.mark.parametrize("name", [name for name, row in SPAN_MEASURES.items() if row.needs != "alignment"])
@few
@given(exclusive_marks(max_documents=2))
def test_a_document_drawn_twice_is_a_document_given_twice(name, case):
    marks, coders, length = case
    names = sorted({mark[0] for mark in marks}) or ["d0"]
    twice = marks + [("again", *mark[1:]) for mark in marks if mark[0] == names[0]]
    once = SpanStudy.of(spans_of(marks, length, coders=coders, documents=names))
    both = SpanStudy.of(spans_of(twice, length, coders=coders, documents=[*names, "again"]))
    row = SPAN_MEASURES[name]
    made = [row.function(*((s, pieces_of(s)) if row.needs == "pieces" else (s,))) for s in (once, both)]
    weights = np.ones(len(names))
    weights[0] = 2
    drawn, given_ = made[0].values(weights), made[1].values(np.ones(len(names) + 1))
    assert drawn == pytest.approx(given_, nan_ok=True, abs=1e-9)


@given(exclusive_marks())
def test_token_kappa_is_kappa_of_every_position(case):
    marks, coders, length = case
    names = sorted({mark[0] for mark in marks}) or ["d0"]
    table = {(d, c): ["-"] * length for d in names for c in coders}
    for d, c, s, e, k in marks:
        table[d, c][s:e] = [k] * (e - s)
    rows = [[table[d, c][place] for c in coders] for d in names for place in range(length)]
    name = "cohen_kappa" if len(coders) == 2 else "fleiss_kappa"
    theirs = agree(Labels.from_rows(rows), coefficients=[name])[name]
    ours = value_of(SPAN_MEASURES["token_kappa"], marks, coders, length)
    assert ours.value == pytest.approx(theirs.value, nan_ok=True)
    if theirs.defined:
        assert (ours.observed, ours.expected) == pytest.approx((theirs.observed, theirs.expected))


def slow_alpha_u(marks, coders, length, label):
    """The book's sums for one document, unit by unit and gap by gap; gaps are found position by position."""
    m = len(coders)
    units = {c: [(s, e) for _, d, s, e, k in marks if d == c and k == label] for c in coders}
    observed = 0
    for a, b in combinations(coders, 2):
        for one, others in ((a, units[b]), (b, units[a])):
            for s, e in units[one]:
                met = [(t, f) for t, f in others if s < f and t < e]
                observed += sum(((s - t) ** 2 + (e - f) ** 2) / 2 for t, f in met) or (0 if met else (e - s) ** 2)
    gaps = []
    for c in coders:
        run = 0
        for place in range(length + 1):
            if place < length and not any(s <= place < e for s, e in units[c]):
                run += 1
            elif run:
                gaps.append(run)
                run = 0
    sizes = [e - s for c in coders for s, e in units[c]]
    total = 0.0
    for n in sizes:
        total += (len(sizes) - 1) / 3 * (2 * n**3 - 3 * n**2 + n)
        total += n**2 * sum(g - n + 1 for g in gaps if g >= n)
    own = sum(n * (n - 1) for n in sizes)
    return observed * 2 / (m * (m - 1) * length**2), 2 / length * total / (m * length * (m * length - 1) - own)


@given(overlapping_marks(max_documents=1))
def test_alpha_u_is_the_sums_of_the_book(case):
    marks, coders, length = case
    ours = value_of(SPAN_MEASURES["alpha_u"], marks, coders, length)
    for label, found in (ours.by_category or {}).items():
        assert (found.observed, found.expected) == pytest.approx(slow_alpha_u(marks, coders, length, label))


def slow_u_alpha(marks, coders, length):
    """Coincidences position by position, and the three coefficients from their matrices."""
    labels = ["", *sorted({mark[4] for mark in marks})]
    k, m = len(labels), len(coders)
    names = sorted({mark[0] for mark in marks}) or ["d0"]
    cell = {(d, c, p): ("", None) for d in names for c in coders for p in range(length)}
    for number, (d, c, s, e, label) in enumerate(marks):
        for p in range(s, e):
            cell[d, c, p] = (label, number)
    coincident, both = np.zeros((k, k)), {}
    for d in names:
        for p in range(length):
            for a in coders:
                for b in coders:
                    if a != b:
                        (one, unit), (other, _) = cell[d, a, p], cell[d, b, p]
                        coincident[labels.index(one), labels.index(other)] += 1 / (m - 1)
                        if one and other:
                            both[unit, b] = both.get((unit, b), 0) + 1
    own, own_both = np.zeros(k), np.zeros(k)
    for number, (_, _, s, e, label) in enumerate(marks):
        own[labels.index(label)] += (e - s) ** 2
        own_both[labels.index(label)] += sum(both.get((number, b), 0) ** 2 for b in coders) / (m - 1)
    own[0] = sum(label == "" for label, _ in cell.values())

    def expected(table, own):
        left = table.sum() ** 2 - own.sum()
        pairs = np.outer(table.sum(axis=1), table.sum(axis=0)) - np.diag(own)
        return pairs / left if left > 1e-9 else np.full_like(pairs, np.nan)

    def alpha(observed, chance, kept):
        off = ~np.eye(len(observed), dtype=bool) & kept
        do, de = (observed / observed.sum())[off].sum(), chance[off].sum()
        return 1 - do / de if de > 1e-12 else np.nan

    gap_row = np.zeros((k, k), dtype=bool)
    gap_row[0, :] = gap_row[:, 0] = True
    chance = expected(coincident, own)
    inner = coincident[1:, 1:]
    with np.errstate(invalid="ignore", divide="ignore"):
        labels_only = alpha(inner, expected(inner, own_both[1:]), True) if inner.sum() else np.nan
    return alpha(coincident, chance, True), alpha(coincident, chance, gap_row), labels_only


@given(exclusive_marks(max_documents=2))
def test_the_family_of_2016_is_counted_position_by_position(case):
    marks, coders, length = case
    study = SpanStudy.of(spans_of(marks, length, coders=coders, documents=sorted({m[0] for m in marks}) or ["d0"]))
    pieces, ones = pieces_of(study), np.ones(study.n_documents)
    ours = [float(f(study, pieces).values(ones)) for f in (u_alpha, u_alpha_binary, cu_alpha)]
    for one, other in zip(ours, slow_u_alpha(marks, coders, length), strict=True):
        assert one == pytest.approx(other, nan_ok=True, abs=1e-9)


def partitions(units, coder):
    """Every way to put units into groups with at most one unit of each coder."""
    if not units:
        yield []
        return
    first, rest = units[0], units[1:]
    for groups in partitions(rest, coder):
        yield [[first], *groups]
        for place, group in enumerate(groups):
            if all(coder[first] != coder[other] for other in group):
                yield [*groups[:place], [first, *group], *groups[place + 1 :]]


def disorder(units, groups, how):
    n = int(units.n_coders[0])
    total = 0.0
    for group in groups:
        inside = 0.0
        for i, j in combinations(group, 2):
            apart = abs(units.start[i] - units.start[j]) + abs(units.end[i] - units.end[j])
            far = apart / (units.end[i] - units.start[i] + units.end[j] - units.start[j])
            inside += how.alpha * far**2 + how.beta * (units.label[i] != units.label[j])
        k = len(group)
        total += (inside + (n * (n - 1) - k * (k - 1)) / 2) / (n * (n - 1) / 2)
    return total


@examples(150)
@given(
    exclusive_marks(max_documents=1, max_coders=4),
    st.floats(0.3, 3),
    st.sampled_from([0.0, 1.0]),
)
def test_the_best_alignment_is_the_best_of_all(case, alpha, beta):
    marks, coders, length = case
    study = SpanStudy.of(spans_of(marks[:8], length, coders=coders, documents=["d0"]))
    units, how = alignment_units(study), Dissimilarity(alpha=alpha, beta=beta)
    found = disorders(units, how, 2, draws=1).disorder[0, 0]
    best = min(disorder(units, groups, how) for groups in partitions(list(range(len(units))), units.coder))
    assert found == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("sampler", SAMPLERS)
@few
@given(exclusive_marks(max_documents=2, max_coders=4))
def test_many_documents_are_aligned_as_each_alone(sampler, case):
    marks, coders, length = case
    study = SpanStudy.of(spans_of(marks, length, coders=coders, documents=sorted({m[0] for m in marks}) or ["d0"]))
    units, how = alignment_units(study), Dissimilarity()
    if not len(units):
        return
    random = draw(units, study.spans.lengths, sampler, 3, (0,))
    together = disorders(random, how, 2, draws=3).disorder.ravel()
    for task in range(len(random.n_coders)):
        some = random.only(random.task == task)
        found = align(some, how)
        groups = [g.tolist() for g in np.split(found.members, found.bounds[1:-1])] if len(found.members) else []
        alone = [[unit] for unit in set(range(len(some))) - set(found.members.tolist())]
        assert together[task] == pytest.approx(disorder(some, [*groups, *alone], how), abs=1e-9)


@given(overlapping_marks())
def test_overlapping_partners_are_a_maximum_matching(case):
    marks, coders, length = case
    study = SpanStudy.of(spans_of(marks, length, coders=coders, documents=sorted({m[0] for m in marks}) or ["d0"]))
    for found in overlap_matches(study):
        a, b = (coders[place] for place in found.coders)
        one, other = [m for m in marks if m[1] == a], [m for m in marks if m[1] == b]
        edges = np.array(
            [[x[0] == y[0] and x[4] == y[4] and x[2] < y[3] and y[2] < x[3] for y in other] for x in one], dtype=float
        ).reshape(len(one), len(other))
        most = (maximum_bipartite_matching(csr_array(edges)) >= 0).sum() if edges.size else 0
        assert len(found.partnered) == found.counts().matched.sum() == most

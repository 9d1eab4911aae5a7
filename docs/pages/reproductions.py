"""Every figure printed in the five papers that can be recomputed, ours beside it, misprints named."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from concurrence import Contingency, Labels, agree, merge, true_agreement
from concurrence.agreement.labels.options import CUTS
from concurrence.agreement.labels.results import AgreementReport
from concurrence.kernels.intervals import clopper_pearson
from concurrence.report.pages.methods import citation
from pages.markdown import page, table
from published import di_eugenio_glass_2004 as glass
from published import evert_krenn_2005 as evert
from published import fernandez
from published import krenn_2004 as krenn
from published import ng_1999 as ng

OPENING = """
The five papers that this workbench builds on, recomputed in this build. *Printed* is the figure as it appears in the
paper, *ours* is computed from the paper's data with the functions a user would call, and *says* compares them to within
half a unit of the printed figure's last digit. If the paper misprints a figure, or continues with rounded numbers, the
correct one is given, and the tests check our value against it.
""".strip()


@dataclass(frozen=True)
class Row:
    """A printed figure, our value, and the right figure where the printed one is not."""

    where: str
    what: str
    printed: str
    ours: float | str
    correct: str = ""
    note: str = ""

    @property
    def agrees(self) -> bool:
        """Whether ours has the printed digits."""
        return same(self.ours, self.printed)

    @property
    def verdict(self) -> str:
        """What a reader should think."""
        if self.agrees:
            return "same"
        return (
            f"misprint or rounding; right: {self.correct}"
            if self.correct and same(self.ours, self.correct)
            else "DIFFERS"
        )

    def cells(self) -> list[str]:
        """The row as the page shows it."""
        ours = self.ours if isinstance(self.ours, str) else f"{self.ours:.5g}"
        return [self.where, self.what, self.printed, ours, self.verdict, self.note]


def same(ours: float | str, printed: str) -> bool:
    """Whether a value has the printed digits.

    >>> same(0.66252, ".663"), same(0.6637, "0.6632"), same("G1", "G1")
    (True, False, True)
    """
    if isinstance(ours, str):
        return ours == printed
    decimals = len(printed.partition(".")[2])
    return abs(ours - float(printed)) <= 0.5 * 10**-decimals + 1e-12


def reproductions() -> str:
    """The page."""
    parts = [
        f"## {title}\n\n*{citation(key) if key else FERNANDEZ}*\n\n"
        + table(["where", "what", "printed", "ours", "says", "note"], [row.cells() for row in rows()])
        for title, key, rows in PAPERS
    ]
    all_rows = [row for _, _, rows in PAPERS for row in rows()]
    count = f"{len(all_rows)} figures; {sum(row.agrees for row in all_rows)} have the printed digits."
    return page("Reproductions", OPENING, count, *parts, WORDS)


def krenn_rows() -> Iterator[Row]:
    """Tables 1 and 2, Figures 2 to 4."""
    for coder, (kappa, low, high, size, group) in krenn.TABLE_2.items():
        yield from _krenn_sizes(coder, low, high, size, group)
        if coder not in krenn.TABLES:
            continue
        shares = true_agreement(krenn.TABLES[coder])
        ours = agree(Labels.from_table(krenn.TABLES[coder]), coefficients=["cohen_kappa"])["cohen_kappa"].value
        yield Row("Table 2", f"{coder}: kappa", kappa, ours, note=f"table {krenn.TABLES[coder]}")
        for name, interval, (a, b) in (
            ("homogeneity", shares.homogeneity, (low, high)),
            ("conservative", shares.conservative, krenn.TABLE_1[coder]),
        ):
            where = "Table 2" if name == "homogeneity" else "Table 1"
            yield Row(where, f"{coder}: {name} min, %", a, 100 * interval.low)
            yield Row(where, f"{coder}: {name} max, %", b, 100 * interval.high)
    yield from _krenn_figures()


def _krenn_sizes(coder: str, low: str, high: str, size: str, group: str) -> Iterator[Row]:
    n = next(n for n in (855, 853) if all(_is_share(text, n) for text in (low, high, *krenn.TABLE_1[coder])))
    exact = 100 * (round(float(high) * n / 100) - round(float(low) * n / 100)) / n
    correct = "" if same(exact, size) else f"{exact:.2f}"
    note = f"whole numbers of {n} items" + (", printed as the difference of rounded ends" if correct else "")
    yield Row("Table 2", f"{coder}: interval size", size, exact, correct, note)
    yield Row("Section 6", f"{coder}: group", group, f"G{1 + sum(float(low) / 100 <= cut for cut in CUTS)}")


def _is_share(text: str, n: int) -> bool:
    return any(f"{100 * m / n:.2f}" == text for m in range(n + 1))


def _krenn_figures() -> Iterator[Row]:
    for name, (true, chance) in (("Figure 3", krenn.FIGURE_3), ("Figure 4", krenn.FIGURE_4)):
        total = [[a + b for a, b in zip(one, other, strict=True)] for one, other in zip(true, chance, strict=True)]
        yield Row(name, "C1 + C2", str(krenn.FIGURE_2), str(total))
        yield Row(name, "m", "40", float(sum(map(sum, true))))
    p, printed = krenn.LAZY_STUDENTS
    yield Row("Section 3", "agreement of lazy students, %", printed, 100 * (float(p) ** 2 + (1 - float(p)) ** 2))
    yield Row("Section 2", "candidates in four parts", str(krenn.N_ITEMS), float(sum(krenn.PARTS)))


def fernandez_rows() -> Iterator[Row]:
    """Containers and contents; speech acts; chance."""
    kappa = agree(Labels.from_table(fernandez.CONTAINERS))["cohen_kappa"]
    ours = {"observed": kappa.observed, "expected": kappa.expected, "kappa": kappa.value}
    for name, (printed, correct) in fernandez.CONTAINER_FIGURES.items():
        note = "" if printed == correct else "cut off, not rounded"
        yield Row("containers", f"{name}, %", printed, 100 * ours[name], correct, note)
    for k, printed in fernandez.RANDOM_CHOICE.items():
        yield Row("chance", f"{k} categories, %", printed, 100 / k)
    for name, printed, value in zip(
        ("both true", "both false", "either"), fernandez.SKEWED, (0.9025, 0.0025, 0.905), strict=True
    ):
        yield Row("chance", f"{name} at .95, %", printed, 100 * value)
    plain = agree(Labels.from_table(fernandez.ACTS))["cohen_kappa"]
    weighted = agree(Labels.from_table(fernandez.ACTS), weights=fernandez.APART)["weighted_kappa"]
    parts = {"observed": plain.observed, "expected": plain.expected, "kappa": plain.value}
    apart = {"observed": 1 - weighted.observed, "expected": 1 - weighted.expected, "kappa": weighted.value}
    yield from (Row("speech acts", name, printed, parts[name]) for name, printed in fernandez.ACT_FIGURES.items())
    for name, printed in fernandez.WEIGHTED_FIGURES.items():
        yield Row("weighted", name if name == "kappa" else f"{name} disagreement", printed, apart[name])


def glass_rows() -> Iterator[Row]:
    """The six examples."""
    for number, figures in glass.FIGURES.items():
        ours = _three_numbers(agree(Labels.from_table(glass.EXAMPLES[number])))
        for name, (printed, correct) in figures.items():
            yield Row(f"example {number}", name, printed, ours[name], correct)
    for name, (printed, (a, b)) in glass.STEPS.items():
        yield Row("Figure 2", name, printed, a * b / 150**2)
    for number in glass.HIGHLY_SIGNIFICANT_EXAMPLES:
        yield _significance(number)


def _significance(number: int) -> Row:
    cohen = _glass(number)["cohen_kappa"]
    p = next(test.p_value for test in cohen.tests if test.method == "cohen_1960") / 2
    ours = f"{'below' if p < glass.HIGHLY_SIGNIFICANT else 'above'} 0.5e-5"
    misled = "" if p < glass.HIGHLY_SIGNIFICANT else "; printed for the misprinted kappa, which would give less"
    note = f"p = {p:.1e}, one-sided, by Cohen's error of 1960; the printed figure is an upper bound{misled}"
    return Row(
        f"example {number}", "p of kappa Co", "below 0.5e-5", ours, correct="above 0.5e-5" if misled else "", note=note
    )


@cache
def _glass(number: int) -> AgreementReport:
    return agree(Labels.from_table(glass.EXAMPLES[number]))


def _three_numbers(report: AgreementReport) -> dict[str, float]:
    cohen, pooled = report["cohen_kappa"], report["scott_pi"]
    return {
        "P(A)": cohen.observed,
        "P(E)": cohen.expected,
        "kappa Co": cohen.value,
        "P(E), S&C": pooled.expected,
        "kappa S&C": pooled.value,
        "2P(A)-1": report["prevalence_adjusted_kappa"].value,
    }


def evert_rows() -> Iterator[Row]:
    """The figures of the PP-verb data that are printed as numbers."""
    yield Row("2.3", "baseline, %", evert.BASELINE, 100 * evert.TRUE_POSITIVES / evert.CANDIDATES)
    yield Row("2.2", "pair types with f >= 3, %", evert.AT_LEAST_THREE, 100 * evert.CANDIDATES / evert.ALL_COMBINATIONS)
    cells = evert.IN_FRAGE_STELLEN
    t = Contingency.from_signature(
        f=cells["O11"], f1=cells["O11"] + cells["O12"], f2=cells["O11"] + cells["O21"], n=cells["N"]
    )
    yield Row("2.2", "O12 of in Frage stellen", str(cells["O12"]), float(t.o12), note=_scores(t))
    yield Row("2.2", "O21 of in Frage stellen", str(cells["O21"]), float(t.o21))
    for rate, n in evert.SAME_RELIABILITY:
        yield Row("3.5", f"candidates in a {rate:.0%} sample of the {n}-best list", "100", rate * n)


def _scores(t: Contingency) -> str:
    from concurrence.measures.table import MEASURES

    names = ("t_score", "log_likelihood", "chi_squared_corr")
    return "its scores are not printed; ours: " + ", ".join(f"{name} {float(MEASURES[name](t)):.2f}" for name in names)


def ng_rows() -> Iterator[Row]:
    """The noun change, and the sums of Tables 1 to 3."""
    group = merge(Labels.from_table(ng.CHANGE, categories=list(ng.SENSES)), guards=False).groups["all"]
    yield Row("Section 7", "change: sentences", str(ng.CHANGE_ITEMS), float(group.before.items))
    yield Row("Section 7", "change: P_a", ng.CHANGE_AGREEMENT, group.before.percent_agreement)
    yield Row("Section 7", "change: kappa", ng.CHANGE_KAPPA, group.before.kappa)
    yield Row("Section 7", "change: classes", str(ng.CHANGE_CLASSES), str(group.classes))
    yield Row("Section 7", "change: P_a after", ng.CHANGE_AFTER, group.after.percent_agreement)
    yield Row("Section 7", "change: kappa after", ng.CHANGE_AFTER, group.after.kappa)
    for name, (_, agreed, items, share, _) in ng.TABLES.items():
        yield Row(name.split(",")[0], f"P_a,{name.split(',')[1]}", share, agreed / items)
    nouns, verbs, both = (ng.TABLES[f"Table 1, {kind}"] for kind in ("nouns", "verbs", "all"))
    yield Row("Table 1", "A, all", str(both[1]), float(nouns[1] + verbs[1]))
    yield Row("Table 1", "N, all", str(both[2]), float(nouns[2] + verbs[2]))
    mean = (nouns[0] * float(nouns[4]) + verbs[0] * float(verbs[4])) / both[0]
    yield Row("Table 1", "mean kappa, all", both[4], mean, note="from the means of nouns and verbs")


def _thumb(n: int, p: float) -> str:
    low, high = (float(end) for end in clopper_pearson(round(n * p), n))
    return f"{round(n * p)} of {n} sampled candidates true: [{low:.3f}, {high:.3f}]"


FERNANDEZ = (
    "Fernández, R. Assessing the reliability of an annotation scheme for indefinites. Slides, University of Amsterdam."
)
PAPERS = (
    ("Krenn, Evert & Zinsmeister 2004", "krenn2004", krenn_rows),
    ("Fernández's slides", "", fernandez_rows),
    ("Di Eugenio & Glass 2004", "dieugenio2004", glass_rows),
    ("Evert & Krenn 2005", "evert2005", evert_rows),
    ("Ng, Lim & Foo 1999", "ng1999", ng_rows),
)
FIGURE_2 = true_agreement(krenn.FIGURE_2)
WORDS = f"""
## What the papers do not print

The tables behind two papers are not printed. Those of Krenn, Evert & Zinsmeister were recovered by a search for tables
that give all figures printed for a coder; the table for the noun *change* in Ng, Lim & Foo was constructed to have the
figures printed for it. These rows show that our arithmetic leads from one printed figure to the others.

## What the papers say in words

**The rule of thumb** of Evert & Krenn (footnote 20): estimates from about 100 candidates are of little use below a
precision of 20%, and those from 500 below 10%. The exact 95% intervals: {_thumb(*evert.RULE_OF_THUMB[0])};
{_thumb(*evert.RULE_OF_THUMB[1])}.

**Difference sets**: two {evert.LIST_SIZE}-best lists that share {evert.SHARED} candidates differ in
{evert.LIST_SIZE - evert.SHARED} each; a 10% sample has about {round((evert.LIST_SIZE - evert.SHARED) / 10)} of each.

**Figure 2** of Krenn et al. shows how the dual model works, but not its result, which is true agreement on
{FIGURE_2.homogeneity.low:.0%} to {FIGURE_2.homogeneity.high:.0%} of the items under homogeneity,
{FIGURE_2.conservative.low:.0%} to {FIGURE_2.conservative.high:.0%} without it.

## Misprints that are not figures

- Krenn et al., section 1: the *fair* band of Rietveld & van Hout ends at .40, not .45.
- Krenn et al., section 5.1: the upper limit of $m_+$ is $\\min(n_{{11}}, m)$, not $n_{{11}}$.
- Evert & Krenn, equation (1): the second row is *not (P = p and N = n)*, not *P ≠ p, N ≠ n*.
- Evert & Krenn, section 3.3: the second parameter of the hypergeometric distribution counts the *false* positives in A.

## What cannot be recomputed

The graphs of Evert & Krenn and the tables of Ng et al. are based on data that were not published with them: the
candidates with their annotation, and the sense tags of 30,315 sentences. The same computations run on any data:
`concur evaluate`, `concur match` and `concur merge`.
""".strip()

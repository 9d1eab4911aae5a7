"""Reference pages from the tables of coefficients, measures and scales, and the list of references."""

from concurrence.agreement.labels.diagnosis.scales import METHODS, SCALES, Scale
from concurrence.agreement.ratings.table import RATING_COEFFICIENTS
from concurrence.agreement.spans.table import SPAN_MEASURES
from concurrence.kernels.coefficients import COEFFICIENTS, CoefficientRow
from concurrence.measures.measure import Measure
from concurrence.measures.table import KINDS, MEASURES
from concurrence.report.pages.methods import citation, explained, references
from pages.markdown import page, table

CODERS = {"two": "exactly two", "known": "any number, each known by name", "any": "any number, also anonymous counts"}
ERRORS = {
    "fleiss_cohen_everitt": "Fleiss, Cohen & Everitt (1969)",
    "gwet_t": "Gwet's linearisation, Student's t",
    "jackknife": "jackknife over items",
}
NOTATION = """
In the formulas $O$ is the observed and $E = R_1 C_1 / N$ the expected frequency of the pair, $O_{ij}$ and $E_{ij}$ are
the cells of its 2 x 2 table, $R_1, R_2, C_1, C_2$ the sums of rows and columns, $N$ the sample size of the counting
rule; $0 \\log 0 = 0$. A *signed* measure has the sign of $O - E$; a *two-sided* one is high for repelled pairs, too.
""".strip()
CHANCE = """
All but alpha and Bangdiwala's B are $(A_o - A_e) / (1 - A_e)$: the share of the agreement beyond chance that was
attained. They differ in what they call chance, $A_e$. $p_{kl}$ is the share of items that the first coder gave
category $k$ and the second $l$, $p_{k\\cdot}$ and $p_{\\cdot l}$ are its sums, $\\pi_k$ is the share of category $k$
among all labels, $w$ are agreement weights.
""".strip()

SPANS = """
`concur spans` computes these. $D_o$ and $D_e$ are disagreements, $\\delta_o$ and $\\delta_e$ disorders of the best
alignment, $\\ell$ and $\\varepsilon$ observed and expected coincident lengths, where $\\phi$ is the gap between units
and a star marks what both of two coders marked. Several documents are one continuum, and nothing crosses their
borders. Intervals resample documents.
""".strip()


def coefficients() -> str:
    """Every coefficient of agreement with formula, needs and source."""
    overview = table(
        ["name", "", "coders", "weights", "depends on unused categories"],
        [
            [_link(row), row.symbol, CODERS[row.coders], _yes(row.weighted), _yes(row.counts_categories)]
            for row in COEFFICIENTS.values()
        ],
    )
    rating_entries = [
        _entry(row.name, row.title, row.words, row.formula, row.reference, [], level=3)
        for row in RATING_COEFFICIENTS.values()
    ]
    parts = (*map(_coefficient, COEFFICIENTS.values()), "## Agreement on ratings", *rating_entries)
    return page("Coefficients of agreement", CHANCE, overview, *parts)


def _link(row: CoefficientRow) -> str:
    return f"[`{row.name}`](#{row.name})"


def _coefficient(row: CoefficientRow) -> str:
    facts = [
        f"Coders: {CODERS[row.coders]}.",
        f"Standard error: {ERRORS[row.error]}.",
        f"Its parts are {row.measures}s.",
        f"Other names of the same number: {', '.join(f'`{name}`' for name in row.synonyms)}." if row.synonyms else "",
    ]
    return _entry(row.name, row.title, row.words, row.formula, row.reference, facts)


def measures() -> str:
    """Every association measure with formula, properties and source, by kind."""
    parts = [
        f"## {kind.capitalize()}\n\n" + "\n\n".join(_measure(MEASURES[row.name]) for row in rows)
        for kind, rows in KINDS.items()
    ]
    return page("Association measures", NOTATION, *parts)


def span_coefficients() -> str:
    """Every coefficient of agreement on spans with formula and source."""
    overview = table(
        ["name", "", "about", "its parts are"],
        [[f"[`{row.name}`](#{row.name})", row.title, row.about, f"{row.measures}s"] for row in SPAN_MEASURES.values()],
    )
    entries = [
        _entry(row.name, row.title, *explained(row.function), row.reference, [f"About {row.about}."])
        for row in SPAN_MEASURES.values()
    ]
    return page("Coefficients for spans", SPANS, overview, *entries)


def _measure(row: Measure) -> str:
    low, high = row.range
    facts = [
        f"Written for `--define`: `{row.formula}`." if "P(" not in row.formula else f"In words: {row.formula}.",
        f"Logarithm to base {row.base}." if row.base else "",
        f"{row.side.capitalize()}{', signed' if row.signed else ''}; from {low:g} to {high:g}.",
        f"In UCS: `am.{row.ucs}`." if row.ucs else "Not in UCS.",
        f"Ranks like {_names(row)}." if row.ranks_like else "",
    ]
    return _entry(row.name, "", *explained(row.function), row.reference, facts, level=3)


def _names(row: Measure) -> str:
    where = f" where {row.ranks_like_where}" if row.ranks_like_where else ""
    return ", ".join(f"`{name}`" for name in row.ranks_like) + where


def scales() -> str:
    """Every interpretation scale with its bands."""
    opening = (
        "`concur agree` never reports a bare word: it gives the probability that the true value lies in each "
        f"band. {METHODS['normal_truncated'].words} If there are too few data for that, it uses shares of "
        "posterior draws instead."
    )
    return page("Scales of interpretation", opening, *map(_scale, SCALES.values()))


def _scale(scale: Scale) -> str:
    rows = [[str(band), band.name] for band in scale.bands]
    return f"## `{scale.name}`\n\n{table(['value', 'name'], rows)}\n\n*{citation(scale.reference)}*"


def bibliography() -> str:
    """Every reference, in alphabetical order."""
    lines = sorted(f"- {citation(key)} `{key}`" for key in references())
    return page(
        "References", "Every formula cites one of these; the keys are those of `docs/references.bib`.", "\n".join(lines)
    )


def _entry(name: str, title: str, words: str, latex: str, reference: str, facts: list[str], *, level: int = 2) -> str:
    heading = f"({name})=\n{'#' * level} `{name}`" + (f" {title}" if title else "")
    fact_text = " ".join(fact for fact in facts if fact)
    return f"{heading}\n\n{words}\n\n$$ {latex} $$\n\n{fact_text}\n\n*{citation(reference)}*"


def _yes(value: bool) -> str:
    return "yes" if value else ""

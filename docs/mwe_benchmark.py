"""Write figures and chart of ``mwe-benchmark.md`` from tables in a folder: ``python docs/mwe_benchmark.py FOLDER``."""

import re
import sys
from pathlib import Path

from concurrence import benchmark, read_pairs
from concurrence.report.pages.benchmark import benchmark_document

HERE = Path(__file__).parent
PAGE, CHART = HERE / "mwe-benchmark.md", HERE / "images" / "mwe-benchmark.png"
LANGUAGES = {
    "bg": "Bulgarian", "de": "German", "en": "English", "es": "Spanish", "eu": "Basque", "fa": "Persian",
    "fr": "French", "hi": "Hindi", "hr": "Croatian", "pl": "Polish",
}  # fmt: skip
CHOSEN = ("frequency", "t_score", "log_likelihood", "chi_squared", "MI", "dice")
COUNTED = (
    *CHOSEN, "multinomial_likelihood", "fisher_pv", "local_MI", "MI3", "NPMI", "odds_ratio", "delta_p_21",
)  # fmt: skip
MOST_NAMED = 6


def tables(folder, languages=LANGUAGES):
    pairs = {LANGUAGES[code]: read_pairs(Path(folder) / f"{code}.csv") for code in languages}
    return benchmark(pairs), benchmark(pairs, clusters=None)


def markdown(columns, rows):
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)


def data_rows(result):
    return [
        (name, f"{t.data.candidates:,}", f"{t.data.once / t.data.candidates:.1%}", f"{t.data.clusters:,}",
         f"{t.data.true_positives:,}", f"{t.baseline:.1%}")
        for name, t in result.tables.items()
    ]  # fmt: skip


def unbeaten(result, name):
    best, figures = result.tables[name].headline_best, result.tables[name].measures
    others = [m for m in best.not_significantly_worse if m not in figures[best.measure].same_ranking_as]
    if len(others) > MOST_NAMED:
        worse = len(figures) - len(others) - 1
        return f"{len(others)} of {len(others) + worse}"
    return ", ".join(result.titles[m] for m in others) or "none"


def best_rows(by_verbs, by_pairs):
    rows = []
    for name, table in by_verbs.tables.items():
        best, at = table.headline_best.measure, table.place
        figures = table.measures[best]
        band = f"{figures.precision[at]:.1%} [{100 * figures.low[at]:.1f}, {100 * figures.high[at]:.1f}]"
        rows.append(
            (name, table.headline, by_verbs.titles[best], band, unbeaten(by_verbs, name), unbeaten(by_pairs, name))
        )
    return rows


def average_rows(result):
    return [
        (name, *(_average(table.measures[measure].average_precision) for measure in CHOSEN), f"{table.baseline:.3f}")
        for name, table in result.tables.items()
    ]


def _average(average):
    low, high = average.interval
    return f"{average.value:.3f} [{low:.3f}, {high:.3f}]"


def count_rows(by_verbs, by_pairs):
    verb_rows, pair_rows = ({row.measure: row for row in result.summary} for result in (by_verbs, by_pairs))
    return [
        (
            by_verbs.titles[m],
            len(verb_rows[m].highest_in),
            len(verb_rows[m].among_best_in),
            len(pair_rows[m].among_best_in),
            len(verb_rows[m].above_chance_in),
            len(verb_rows[m].below_chance_in),
        )
        for m in COUNTED
    ]


def parts(by_verbs, by_pairs):
    """The tables of the page by their names."""
    return {
        "data": markdown(("language", "pairs", "seen once", "verbs", "true", "share"), data_rows(by_verbs)),
        "best": markdown(
            ("language", "n", "highest precision", "precision [95% band]", "not shown to be worse: verbs drawn",
             "not shown to be worse: pairs drawn"),
            best_rows(by_verbs, by_pairs),
        ),
        "averages": markdown(
            ("language", *(by_verbs.titles[m] for m in CHOSEN), "random order"), average_rows(by_verbs)
        ),
        "counts": markdown(
            ("measure", "highest", "none better: verbs drawn", "none better: pairs drawn", "above chance",
             "below chance"),
            count_rows(by_verbs, by_pairs),
        ),
    }  # fmt: skip


def _between(table):
    return lambda marks: f"{marks[1]}\n{table}\n\n{marks[2]}"


def main(folder):
    import vl_convert

    by_verbs, by_pairs = tables(folder)
    text = PAGE.read_text("utf-8")
    for name, table in parts(by_verbs, by_pairs).items():
        text = re.sub(rf"(<!-- {name} -->\n).*?(<!-- end -->)", _between(table), text, flags=re.DOTALL)
    PAGE.write_text(text, "utf-8")
    chart = benchmark_document(by_verbs).charts[0].specification
    CHART.write_bytes(vl_convert.vegalite_to_png(chart, scale=1.5))


if __name__ == "__main__":
    main(sys.argv[1])

"""The page on multiword expressions prints what the benchmark finds."""

from pathlib import Path

import mwe_benchmark

PAGE = (Path(__file__).parents[3] / "docs" / "mwe-benchmark.md").read_text("utf-8")


def test_its_figures_are_those_of_the_tables(data_set):
    folder = {data_set(f"mwe/{code}.csv").parent for code in ("eu", "hi")}.pop()
    verbs, alone = mwe_benchmark.tables(folder, ("eu", "hi"))
    rows = [
        *mwe_benchmark.data_rows(verbs),
        *mwe_benchmark.best_rows(verbs, alone),
        *mwe_benchmark.average_rows(verbs),
    ]
    for row in rows:
        assert f"| {' | '.join(map(str, row))} |" in PAGE


def test_every_table_has_its_place_on_the_page():
    assert all(f"<!-- {name} -->" in PAGE for name in ("data", "best", "averages", "counts"))
    assert PAGE.count("<!-- end -->") == 4

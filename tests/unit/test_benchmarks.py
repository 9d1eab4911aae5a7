"""The benchmarks as a program: every area can be shrunk, one that fails is told, and what is missing has a name."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).parents[2]))

from benchmarks import __main__ as program
from benchmarks import rows, table


@pytest.fixture
def two_areas(monkeypatch, tmp_path):
    """One area that keeps a promise and misses one, and one that fails; nothing is kept outside of the test."""
    kept = [
        rows.Row(area="good", work=f"work {limit}", quantity="CPU s", ours=2.0, peer="a | b", against=1.0, limit=limit)
        for limit in (3, 1)
    ]
    modules = {
        "benchmarks.good": SimpleNamespace(run=lambda: kept, SIZE=1000, QUICK={"SIZE": 1}, __name__="good"),
        "benchmarks.bad": SimpleNamespace(run=lambda: 1 / 0, QUICK={}, __name__="bad"),
        "benchmarks.rows": rows,
    }
    monkeypatch.setattr(program, "areas", lambda: ["bad", "good"])
    monkeypatch.setattr(program, "import_module", modules.__getitem__)
    monkeypatch.setattr(program, "LEFT_OUT", [])
    monkeypatch.setattr(rows, "MOST_ROUNDS", rows.MOST_ROUNDS)
    for module in (rows, table):
        monkeypatch.setattr(module, "RESULTS", tmp_path)
    monkeypatch.setattr(table, "TABLE", tmp_path / "results.md")
    monkeypatch.setattr(program, "write_page", lambda: tmp_path / "index.html")
    return modules


def test_an_area_that_fails_is_told_and_the_others_go_on(two_areas, capsys):
    assert program.main([]) == 1
    out = capsys.readouterr().out
    assert "ZeroDivisionError: division by zero" in out
    assert "Failed: bad" in out
    assert "1 promises missed" in out
    written = table.TABLE.read_text("utf-8")
    assert "2 promises were measured, 1 missed; 1 areas failed: bad." in written
    assert written.count("| good |") == 2
    assert "MISSED" in written
    assert str(Path.home()) not in written


def test_quick_shrinks_promises_nothing_and_keeps_nothing(two_areas, capsys, tmp_path):
    assert program.main(["--quick", "good"]) == 0
    assert two_areas["benchmarks.good"].SIZE == 1
    assert rows.MOST_ROUNDS == 1
    assert "MISSED" not in capsys.readouterr().out
    assert not list(tmp_path.iterdir())
    assert program.main(["--quick"]) == 1


def test_a_size_that_is_not_there_is_an_error(two_areas):
    two_areas["benchmarks.good"].QUICK["SIZES"] = ()
    with pytest.raises(AttributeError, match="names 'SIZES', which the module does not have"):
        program.main(["--quick", "good"])


def test_an_unknown_area_is_refused(two_areas, capsys):
    assert program.main(["goods"]) == 2
    assert "There is no area 'goods'. Known areas: bad, good." in capsys.readouterr().err


def test_what_is_not_installed_has_a_name(monkeypatch):
    monkeypatch.setattr(rows, "LEFT_OUT", [])
    monkeypatch.delenv("CI", raising=False)
    assert rows.peer_installed("area", "json")
    assert not rows.peer_installed("area", "no_such_peer")
    rows.leave_out("area", "Java")
    assert rows.LEFT_OUT == ["area: no_such_peer is not installed", "area: Java is not installed"]
    monkeypatch.setenv("CI", "true")
    with pytest.raises(RuntimeError, match="Java is not installed, and CI must have it"):
        rows.leave_out("area", "Java")


def test_every_area_says_what_its_smallest_size_is():
    for area in program.areas():
        place = Path(program.__file__).parent / area
        text = (place / "__init__.py" if place.is_dir() else place.with_suffix(".py")).read_text("utf-8")
        assert "\nQUICK" in text, area
        assert "\ndef run() -> list[Row]:" in text, area

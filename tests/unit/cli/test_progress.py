"""The bar appears on a terminal after a second, and nowhere else."""

import io
import sys

from concurrence.cli import output as module
from concurrence.cli.output import progress_bar


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_nothing_is_said_where_standard_error_is_no_terminal(capsys):
    with progress_bar("counting") as report:
        report(1, 2)
    assert capsys.readouterr().err == ""


def test_quick_work_shows_no_bar(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_bar("counting") as report:
        report(1, 2)
    assert terminal.getvalue() == ""


def test_slow_work_shows_one(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(module, "PATIENCE", 0.0)
    with progress_bar("counting") as report:
        report(1, 2)
    assert "counting" in terminal.getvalue()

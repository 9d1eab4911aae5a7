"""The busy processes beside a command end with it."""

import signal
import sys
from contextlib import suppress

import pytest

from support.busy import busy_processes, main


def interrupted(processes):
    assert [process.poll() for process in processes] == [None, None]
    raise KeyboardInterrupt


def test_busy_processes_run_beside_and_end_with_interrupted_work():
    with suppress(KeyboardInterrupt), busy_processes(2) as processes:
        interrupted(processes)
    assert [process.returncode for process in processes] == [-signal.SIGKILL] * 2


@pytest.mark.parametrize("code", [0, 3])
def test_the_exit_code_is_that_of_the_command(code):
    assert main(["1", "--", sys.executable, "-c", f"raise SystemExit({code})"]) == code


@pytest.mark.parametrize("arguments", [[], ["2"], ["two", "--", "true"], ["2", "true", "x"]])
def test_a_wrong_call_starts_nothing(arguments, capsys):
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith("Usage: ")

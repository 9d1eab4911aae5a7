"""Loops compile where nothing can be kept, too; it is said once."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from concurrence.kernels.machine_code import NOT_KEPT

SOURCE = Path(__file__).parents[3] / "src"
LOOPS = """
from concurrence.core.errors import COMMAND_LINE
from concurrence.kernels.machine_code import elementwise_machine_code, machine_code

def add(a, b):
    return a + b

def double(a):
    return 2 * a

if {typed}:
    COMMAND_LINE.set(True)
print(machine_code(add)(1, 2), machine_code(double)(2), elementwise_machine_code(double)(2.5))
"""


def run_loops(folder, *, typed):
    """Compile in a process that finds no folder for a cache: a file stands where it would be, even for root."""
    module = folder / "loops.py"
    module.write_text(LOOPS.format(typed=typed))
    (folder / "file").touch()
    beneath = str(folder / "file")
    environment = {**os.environ, "PYTHONPATH": str(SOURCE), "HOME": beneath, "XDG_CACHE_HOME": beneath}
    environment.pop("NUMBA_CACHE_DIR", None)
    return subprocess.run([sys.executable, module], env=environment, capture_output=True, text=True, check=True)


@pytest.mark.skipif(sys.platform == "win32", reason="there, the user's cache folder does not depend on the environment")
@pytest.mark.parametrize("typed", [True, False])
def test_it_compiles_without_a_cache_and_says_so_once(typed, tmp_path):
    (tmp_path / "__pycache__").touch()
    done = run_loops(tmp_path, typed=typed)
    assert done.stdout == "3 4 5.0\n"
    if typed:
        assert done.stderr == f"concur: {NOT_KEPT}\n"
    else:
        assert done.stderr.count(f"RuntimeWarning: {NOT_KEPT}") == 1


def test_it_keeps_what_it_compiled_beside_the_module(tmp_path):
    done = run_loops(tmp_path, typed=True)
    assert (done.stdout, done.stderr) == ("3 4 5.0\n", "")
    assert {path.name.split("-")[0] for path in (tmp_path / "__pycache__").iterdir()} == {"loops.add", "loops.double"}

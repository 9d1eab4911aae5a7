"""Run the example of every command's help in the environment of this interpreter: no traceback, no failure.

``--unwritable`` takes away the places where compiled code could be kept, as a container or an installation that many
share does: a file stands where a cache folder would be, so that even root cannot write there. It is for environments
that are thrown away, since the folders do not come back.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

import concurrence
from concurrence.cli.app import app
from concurrence.kernels.machine_code import NOT_KEPT

# They run until they are stopped.
STAYS = {"concur explore", "concur serve"}
NEEDS = re.compile(r"pip install 'concurrence\[(?P<extra>\w+)\]'")


def main() -> None:
    """Go through all commands and say how each of them ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--unwritable", action="store_true")
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    if unwritable := parser.parse_args().unwritable:
        take_caches_away()
        environment |= {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null"}
        environment.pop("NUMBA_CACHE_DIR", None)
    failures, without = [], []
    for name, lines in examples():
        failure, extra = run(lines, environment, sentences=1 if unwritable else 0)
        failures += [f"{name}: {failure}"] if failure else []
        without += [f"{name} ({extra})"] if extra else []
    print(f"{len(list(examples()))} commands; without an optional part: {', '.join(without) or 'none'}")
    if failures:
        sys.exit("\n".join(failures))


def take_caches_away() -> None:
    """Put a file where Python and numba would make the folder of a cache."""
    package = Path(concurrence.__file__).parent
    for folder in [package, *(path for path in package.rglob("*") if path.is_dir() and path.name != "__pycache__")]:
        shutil.rmtree(folder / "__pycache__", ignore_errors=True)
        (folder / "__pycache__").touch()


def examples() -> Iterator[tuple[str, list[str]]]:
    """The name of every command that ends by itself, and the lines of its example."""
    for name, command in commands(app, "concur"):
        example = (command.help or "").replace("\b", "").partition("Example")[2]
        lines = [line.strip() for line in example.splitlines()]
        if name not in STAYS:
            yield name, [line for line in lines if line.startswith(("concur ", "printf "))]


def commands(group: click.Group, name: str) -> Iterator[tuple[str, click.Command]]:
    """All commands below a group, with their whole names."""
    context = click.Context(group)
    for part in group.list_commands(context):
        command = group.get_command(context, part)
        if isinstance(command, click.Group):
            yield from commands(command, f"{name} {part}")
        elif command is not None:
            yield f"{name} {part}", command


def run(lines: list[str], environment: dict[str, str], *, sentences: int) -> tuple[str, str]:
    """What went wrong with an example, and the optional part that it asked for."""
    with tempfile.TemporaryDirectory() as folder:
        for line in lines:
            done = subprocess.run(
                ["bash", "-c", line], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            if done.returncode == 2 and (extra := NEEDS.search(done.stderr)):
                return "", extra["extra"]
            if done.returncode or "Traceback" in done.stderr or "Warning" in done.stderr:
                return f"{line}\nexit {done.returncode}\n{done.stderr}", ""
            if done.stderr.count(NOT_KEPT) > sentences:
                return f"{line}\nsaid more than once: {NOT_KEPT}", ""
    return ("", "") if lines else ("no example in its help", "")


if __name__ == "__main__":
    main()

"""The example of every command's help runs as it is printed."""

import pytest

from pages.commands import commands
from support.console import Shell, commands_of_help

STAYS = {"concur explore", "concur serve"}  # run until they are stopped; their own tests start them
COMMANDS = [(name, command) for name, command, _ in commands() if name not in STAYS]


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[name.replace(" ", "-") for name, _ in COMMANDS])
def test_the_example_runs_as_printed(name, command, tmp_path):
    shell = Shell(tmp_path)
    for line in commands_of_help(command):
        done = shell.run(line)
        assert done.returncode == 0, f"{line}\n{done.stderr}"

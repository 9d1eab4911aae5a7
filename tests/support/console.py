"""Run the shell examples of help texts and guides as they are printed."""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import click

from support.in_process_concur import run_command, run_shell, write_client
from support.outputs import LINES, same_output

BLOCK = re.compile(
    r"^(?P<mark><!-- (?:not run|output varies)[^\n]*? -->\n+)?```console\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE
)
BARE = re.compile(r"concur [^|<>&;$`\n]*")
CHANGE = re.compile(r"cd (?P<folder>[\w./-]+)")
HEREDOC = re.compile(r"<<'?(?P<end>\w+)'?$", re.MULTILINE)
EXAMPLE = re.compile(r"Examples?:(.*)\Z", re.DOTALL)


@dataclass(frozen=True)
class GuideCommand:
    """A command as a guide prints it, and the output printed below it."""

    line: str
    output: str
    compared: bool = True


def commands_of_help(command: click.Command) -> list[str]:
    """The lines of the example at the end of a command's help."""
    example = EXAMPLE.search((command.help or "").replace("\b", ""))
    lines = [line.strip() for line in example.group(1).splitlines()] if example else []
    return [line for line in lines if line.startswith(("concur ", "printf "))]


def console_blocks(text: str) -> list[list[GuideCommand]]:
    """The ``console`` blocks of a guide, but those marked as not run; output that varies is not compared."""
    marks = [(match["mark"] or "", match["body"]) for match in BLOCK.finditer(text)]
    return [parse_commands(body, compared="output varies" not in mark) for mark, body in marks if "not run" not in mark]


def parse_commands(body: str, *, compared: bool = True) -> list[GuideCommand]:
    """The commands of one block, each with the output below it."""
    commands: list[GuideCommand] = []
    for line in body.splitlines():
        last = commands[-1] if commands else None
        if line.startswith("$ ") and not (last and last.line == "concur demo"):  # which prints such lines itself
            commands.append(GuideCommand(line[2:], "", compared))
        elif last and (line.startswith("> ") or line == ">") and not last.output:
            commands[-1] = GuideCommand(f"{last.line}\n{line[2:]}", "", compared)
        elif last:
            commands[-1] = GuideCommand(last.line, last.output + line + "\n", compared)
    return commands


class Shell:
    """A folder of its own in which ``concur`` runs in this process; one bash runs each line, ``cd`` lasts."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tools = folder / ".bin"
        tools.mkdir(parents=True, exist_ok=True)
        write_client(tools)
        source = Path(__file__).parents[2] / "src"
        self.environment = {
            **os.environ,
            "PATH": f"{tools}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "PYTHONPATH": str(source),
            "COLUMNS": "120",
        }
        self.environment.pop("CONCURRENCE_DB", None)

    def run(self, line: str) -> subprocess.CompletedProcess[str]:
        """Run one line; a bare command runs in this process, which spares its start."""
        if change := CHANGE.fullmatch(line):
            self.folder /= change["folder"]
            return subprocess.CompletedProcess(line, 0 if self.folder.is_dir() else 1, "", "")
        if BARE.fullmatch(line):
            return self._run_here(line)
        if (heredoc := HEREDOC.search(line)) and not line.endswith(f"\n{heredoc['end']}"):
            return subprocess.CompletedProcess(line, 1, "", f"The text is never ended by {heredoc['end']}.")
        return run_shell(line, self.folder, self.environment)

    def _run_here(self, line: str) -> subprocess.CompletedProcess[str]:
        code, out, err = run_command(shlex.split(line)[1:], self.folder)
        return subprocess.CompletedProcess(line, code, out, err)


def same_words(printed: str, actual: str) -> bool:
    """Whether output is as printed, white space aside; ``...`` on a line of its own stands for anything."""
    return same_output(printed, actual, gap=LINES)

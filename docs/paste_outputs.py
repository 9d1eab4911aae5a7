"""Paste what the commands of the guides print now into their ``console`` blocks, so that nobody types output.

``PYTHONPATH=src:tests python docs/paste_outputs.py docs/howto/*.md`` changes only outputs that are no longer true;
``...`` stays where it still fits. With ``--varying``, outputs marked as varying are pasted too.
"""

import argparse
import tempfile
import textwrap
from pathlib import Path

from support.console import BLOCK, GuideCommand, Shell, parse_commands, same_words


def paste(text: str, folder: Path, *, varying: bool = False) -> str:
    """The text of a guide with true outputs."""
    shell, parts, end = Shell(folder), [], 0
    for match in BLOCK.finditer(text):
        mark = match["mark"] or ""
        if "not run" not in mark:
            compare = varying or "output varies" not in mark
            body = "".join(_block(shell, command, compare=compare) for command in parse_commands(match["body"]))
            parts += [text[end : match.start("body")], body]
            end = match.end("body")
    return "".join([*parts, text[end:]])


def _block(shell: Shell, command: GuideCommand, *, compare: bool) -> str:
    process = shell.run(command.line)
    if process.returncode:
        raise SystemExit(f"{command.line}\n{process.stderr}")
    output = (
        command.output if not compare or same_words(command.output, process.stdout) else process.stdout.rstrip() + "\n"
    )
    lines = [part for line in output.splitlines() for part in _wrap_error(line)]
    return "\n".join(["$ " + command.line.replace("\n", "\n> "), *lines]) + "\n"


def _wrap_error(line: str) -> list[str]:
    """An error, which is one line whatever its length, at the width of the page."""
    return textwrap.wrap(line, 120, break_on_hyphens=False) if line.startswith("concur: ") else [line.rstrip()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("guides", nargs="+", type=Path)
    parser.add_argument("--varying", action="store_true", help="Paste outputs marked as varying too.")
    arguments = parser.parse_args()
    for guide in arguments.guides:
        old = guide.read_text("utf-8")
        with tempfile.TemporaryDirectory() as place:
            new = paste(old, Path(place), varying=arguments.varying)
        if new != old:
            guide.write_text(new, encoding="utf-8")
            print(f"{guide}: outputs pasted")

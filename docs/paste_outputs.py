"""Paste what the commands of the guides print now into their ``console`` blocks, so that nobody types output.

``PYTHONPATH=src:tests python docs/paste_outputs.py docs/howto/*.md`` changes only outputs that are no longer true;
``...`` stays where it still fits. With ``--varying``, outputs marked as varying are pasted too.
"""

import argparse
import tempfile
import textwrap
from pathlib import Path

from support.console import BLOCK, Shell, Shown, same_words, shown_in


def paste(text: str, folder: Path, *, varying: bool = False) -> str:
    """The text of a guide with true outputs."""
    shell, parts, end = Shell(folder), [], 0
    for match in BLOCK.finditer(text):
        mark = match["mark"] or ""
        if "not run" not in mark:
            wanted = varying or "output varies" not in mark
            body = "".join(_block(shell, shown, wanted=wanted) for shown in shown_in(match["body"]))
            parts += [text[end : match.start("body")], body]
            end = match.end("body")
    return "".join([*parts, text[end:]])


def _block(shell: Shell, shown: Shown, *, wanted: bool) -> str:
    done = shell.run(shown.line)
    if done.returncode:
        raise SystemExit(f"{shown.line}\n{done.stderr}")
    output = shown.output if not wanted or same_words(shown.output, done.stdout) else done.stdout.rstrip() + "\n"
    lines = [part for line in output.splitlines() for part in _as_on_a_terminal(line)]
    return "\n".join(["$ " + shown.line.replace("\n", "\n> "), *lines]) + "\n"


def _as_on_a_terminal(line: str) -> list[str]:
    """An error, which is one line whatever its length, at the width of the page."""
    return textwrap.wrap(line, 120, break_on_hyphens=False) if line.startswith("concur: ") else [line.rstrip()]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("guides", nargs="+", type=Path)
    parser.add_argument("--varying", action="store_true", help="Paste outputs marked as varying too.")
    given = parser.parse_args()
    for guide in given.guides:
        old = guide.read_text("utf-8")
        with tempfile.TemporaryDirectory() as place:
            new = paste(old, Path(place), varying=given.varying)
        if new != old:
            guide.write_text(new, encoding="utf-8")
            print(f"{guide}: outputs pasted")

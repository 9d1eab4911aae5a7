"""Every command as its own help tells it."""

from collections.abc import Iterator

import click

from concurrence.cli.app import app
from pages.markdown import page, table

COMPLETION = """
## Shell completion

To complete commands, options and their values with the Tab key, add one line to your shell's start-up file:

```bash
eval "$(_CONCUR_COMPLETE=bash_source concur)"    # ~/.bashrc
eval "$(_CONCUR_COMPLETE=zsh_source concur)"     # ~/.zshrc
_CONCUR_COMPLETE=fish_source concur | source     # ~/.config/fish/completions/concur.fish
```
""".strip()

SHARED = """
Every command prints a table; `--json` prints unrounded numbers for machines, `-o FILE` writes a file in the format of
its extension. A random step takes `--seed` (default 0; `random` picks one) and reports it. Exit codes: 0, success; 2,
a problem with the input or the call, stated in one sentence, with nothing half-written; 3, a threshold was not met; 1,
a bug (please report it).
""".strip()


def commands(group: click.Group = app, path: tuple[str, ...] = ("concur",)) -> Iterator[tuple[str, click.Command, str]]:
    """Every command: how it is called, the command, and its help."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        words = (*path, name)
        if isinstance(command, click.Group):
            yield from commands(command, words)
        elif command is not None:
            context = click.Context(command, info_name=" ".join(words), max_content_width=96, terminal_width=96)
            yield " ".join(words), command, command.get_help(context)


def command_line() -> str:
    """The page of all commands."""
    entries = list(commands())
    rows = [[f"[`{name}`](#{_anchor(name)})", command.get_short_help_str(90)] for name, command, _ in entries]
    parts = [f"({_anchor(name)})=\n## `{name}`\n\n```text\n{text}\n```" for name, _, text in entries]
    return page("Commands", SHARED, table(["command", "job"], rows), *parts, COMPLETION)


def _anchor(name: str) -> str:
    return "cmd-" + name.replace(" ", "-")

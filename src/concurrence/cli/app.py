"""``concur``: where it starts, and its commands, found by their modules: ``commands/agree.py`` is ``concur agree``.

A folder among the modules is a group of commands, such as ``concur plan precision``; an underscore at the end
keeps a module apart from a word of Python, such as ``import_``. A module is imported
when its command is called or the help lists it; heavy imports stay inside the command's function.
"""

import gc
import io
import os
import pkgutil
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from importlib import import_module
from types import ModuleType

import click

from concurrence._version import __version__
from concurrence.core.errors import COMMAND_LINE, ConcurrenceError, UnknownNameError

CONTEXT = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Folder(click.Group):
    """A group whose commands are the modules of a package; each has an attribute ``command``."""

    def __init__(self, package: str, name: str | None = None) -> None:
        self.package = import_module(package)
        super().__init__(name=name, help=self.package.__doc__, context_settings=CONTEXT)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read ``concur help agree`` as ``concur agree --help``."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the modules, as the user writes them."""
        return sorted(self._modules())

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the module of a command and take the command from it."""
        modules = self._modules()
        if cmd_name not in modules:
            if ctx.resilient_parsing:  # the shell asks what could follow; it wants no sentence
                return None
            raise UnknownNameError("command", cmd_name, modules)
        path = f"{self.package.__name__}.{modules[cmd_name]}"
        module: ModuleType = import_module(path)
        if hasattr(module, "__path__"):
            return Folder(path, name=cmd_name)
        command: click.Command = module.command
        command.help = (command.help or "").replace("\\b\n", "\b\n")  # raw docstrings spell the mark out
        return command

    def _modules(self) -> dict[str, str]:
        names = sorted(module.name for module in pkgutil.iter_modules(self.package.__path__))
        return {name.rstrip("_").replace("_", "-"): name for name in names}


app = click.version_option(__version__, prog_name="concur", message="%(prog)s %(version)s")(
    Folder("concurrence.cli.commands", name="concur")
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``concur``; our errors become one sentence and exit code 2 here and nowhere else."""
    from concurrence.files.standard_input import checksummed_input

    gc.set_threshold(100_000, 20, 100)  # large results are built of values that nothing collects before the end
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:50,muzzy_decay_ms:0")  # polars gives memory back early
    _write_utf8()
    given = list(sys.argv[1:] if arguments is None else arguments)
    speaking = COMMAND_LINE.set(True)
    try:
        with checksummed_input() if "-" in given else nullcontext():
            code = app.main(given, "concur", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Abort:
        code = 130
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        code = 0
    except click.ClickException as error:
        _complain(error.format_message() + _way_out(error))
        code = 2
    except ConcurrenceError as error:
        _complain(str(error))
        code = 2
    except BrokenPipeError:
        # The reader has seen enough (concur ... | head); flushing again at exit would complain.
        sys.stdout = None
        code = 0
    finally:
        COMMAND_LINE.reset(speaking)
    sys.exit(code if isinstance(code, int) else 0)


def _write_utf8() -> None:
    """Write UTF-8 to files and pipes, also where the system's own encoding is another; a terminal shows what it can."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding=None if stream.isatty() else "utf-8", errors="backslashreplace")


def _way_out(error: click.ClickException) -> str:
    if isinstance(error, click.MissingParameter) and error.ctx is not None:
        return f" {error.ctx.command_path} --help shows an example."
    return ""


def _complain(sentence: str) -> None:
    click.echo(f"concur: {' '.join(sentence.split())}", err=True)

"""The door for the command line: read, call one function, show. One module per command."""

import gc
import io
import os
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``concur``; our errors become one sentence and exit code 2 here and nowhere else."""
    import click

    from concurrence.cli.app import app
    from concurrence.core.errors import COMMAND_LINE, ConcurrenceError
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


def _way_out(error: "click.ClickException") -> str:
    import click

    if isinstance(error, click.MissingParameter) and error.ctx is not None:
        return f" {error.ctx.command_path} --help shows an example."
    return ""


def _complain(sentence: str) -> None:
    import click

    click.echo(f"concur: {' '.join(sentence.split())}", err=True)

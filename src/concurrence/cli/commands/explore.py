"""``concur explore``: look at words, lists and evaluations in the browser."""

from pathlib import Path

import click

from concurrence.cli.candidates import key_option
from concurrence.cli.lists import COLUMNS
from concurrence.cli.options import FilePath, seed_option
from concurrence.cli.output import note


@click.command("explore")
@click.argument("sources", type=FilePath(), nargs=-1, required=True, metavar="INDEX/SCORED...")
@click.option("--gold", type=FilePath(), multiple=True, metavar="FILE", help="Judgements of a list: l1,l2,tp.")
@click.option(
    "--sample", type=FilePath(), multiple=True, metavar="FILE", help="Sample file written by `concur sample`."
)
@click.option(
    "-m", "--measures", type=COLUMNS, default=(), metavar="NAMES", help="Score columns. Default: all of the list."
)
@key_option
@click.option("--port", default=8766, show_default=True, type=click.IntRange(1, 65535), help="Port to listen on.")
@click.option("--open", "open_", is_flag=True, help="Open the page in the browser.")
@seed_option
def command(
    sources: tuple[Path, ...],
    *,
    gold: tuple[Path, ...],
    sample: tuple[Path, ...],
    measures: tuple[str, ...],
    key: tuple[str, ...] | None,
    port: int,
    open_: bool,
    seed: int,
) -> None:
    r"""Look at words, lists and evaluations in the browser.

    INDEX is a folder that `concur index` made: search a word or a query, see its collocates, its concordance, where
    it stands in the corpus, and its sketch. SCORED is a list that `concur score` wrote: see the n-best list of every
    measure; with --gold also its precision, with what was judged true and false, and how two measures differ.

    The page runs on this machine only (127.0.0.1) until you stop it with Ctrl-C. It reads the files and writes none.

    \b
    Example:
      concur index texts --format text -o tea
      concur explore tea
      concur explore tea scored.parquet --gold gold.csv --sample sample.csv
    """
    from concurrence.web.explorer.app import explore
    from concurrence.web.explorer.sources import open_sources
    from concurrence.web.network.uvicorn_server import listen

    url = f"http://127.0.0.1:{port}"
    with listen("127.0.0.1", port) as listener:
        explored = open_sources(sources, gold=gold, samples=sample, measures=measures, key=key, seed=seed, tell=note)

        def ready() -> None:
            note(f"The explorer is running at {url}; stop it with Ctrl-C.")
            if open_:
                click.launch(url)

        explore(explored, listener, ready=ready)

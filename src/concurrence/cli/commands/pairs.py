"""``concur pairs``: count co-occurrences in a corpus."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from concurrence.cli.corpus_options import CorpusOptions, MemorySize, corpus_options, read, word_list
from concurrence.cli.lists import COLUMNS
from concurrence.cli.options import PAGES, TABLES, FilePath, json_option, output_option, seed_option
from concurrence.cli.output import note, progress_bar, provenance
from concurrence.core.errors import InvalidInputError
from concurrence.core.values import to_json

if TYPE_CHECKING:
    from concurrence.core.spill import Spill
    from concurrence.counting.count import CountOptions
    from concurrence.counting.drop_patterns import Pattern
    from concurrence.counting.ngrams import NgramCounts
    from concurrence.counting.result import Counts
    from concurrence.counting.spark.session import Cluster
    from concurrence.files.provenance import Provenance

PROGRAM = 200 * 10**6
"""What the program itself takes, before any data."""


@click.command("pairs")
@click.argument("corpus", nargs=-1, required=True)
@click.option(
    "--rule",
    default="adjacent",
    show_default=True,
    metavar="RULE",
    help="adjacent, window:K, window-pairs:K, ngram:N, sentence, within:REGION, pos:PATTERN or dep:PATTERN.",
)
@click.option("--unit", default="form", show_default=True, metavar="form|lemma|lemma_pos", help="Word unit.")
@click.option("--lower", is_flag=True, help="Ignore case.")
@click.option("--min-freq", type=int, default=1, show_default=True, help="Leave out pairs with a lower frequency.")
@click.option("--stop", type=FilePath(), metavar="FILE", help="Words to remove before pairs are formed, one per line.")
@click.option(
    "--pos", type=COLUMNS, default=(), metavar="TAGS", help="Keep only tokens with these parts of speech: NOUN,VERB."
)
@click.option(
    "--drop-pos", type=COLUMNS, default=(), metavar="TAGS", help="Remove tokens with these parts of speech: PUNCT,SYM."
)
@click.option(
    "--drop-pairs",
    type=FilePath(),
    metavar="FILE",
    help="Regular expressions for pairs to leave out, one per line: l1: ^Montag$",
)
@click.option(
    "--gold",
    type=FilePath(),
    metavar="FILE",
    help="Judged pairs (l1,l2,tp), to count the true ones that --drop-pairs removes.",
)
@click.option(
    "--nested-in",
    type=FilePath(),
    metavar="FILE",
    help="With ngram: longer sequences (l1, l2, l3, …); what lies inside an occurrence of one is not counted.",
)
@click.option("--examples", type=int, default=0, metavar="K", help="Keep up to K random sentences for each pair.")
@click.option(
    "--dispersion", is_flag=True, help="Add how evenly each pair is spread over documents (range, dp, arf and others)."
)
@seed_option
@corpus_options
@click.option(
    "--max-memory", type=MemorySize(), metavar="SIZE", help="Spill to disk to stay below this, for example 2GB."
)
@click.option(
    "--engine", type=click.Choice(["local", "spark"]), default="local", show_default=True, help="Counting engine."
)
@click.option("--master", metavar="URL", help="Spark master URL, for example local[4].")
@click.option("--spark-conf", multiple=True, metavar="KEY=VALUE", help="Spark setting; may be repeated.")
@click.option(
    "--partial", "partial_", is_flag=True, help="Write counts of a part of a corpus, to be merged later (.parquet)."
)
@click.option("--merge", is_flag=True, help="CORPUS names files written with --partial; add up their counts.")
@json_option
@output_option(
    "Write the pairs: .parquet, .csv, .tsv, .jsonl or .ds (text formats also as .gz), or a page (.html .md .tex).",
    endings=(*TABLES, ".ds", *PAGES),
)
def command(
    corpus: tuple[str, ...],
    *,
    rule: str,
    unit: str,
    lower: bool,
    min_freq: int,
    stop: Path | None,
    pos: tuple[str, ...],
    drop_pos: tuple[str, ...],
    drop_pairs: Path | None,
    gold: Path | None,
    nested_in: Path | None,
    examples: int,
    dispersion: bool,
    seed: int,
    max_memory: int | None,
    engine: str,
    master: str | None,
    spark_conf: tuple[str, ...],
    partial_: bool,
    merge: bool,
    json_: bool,
    output: Path | None,
    reading: CorpusOptions,
) -> None:
    """Count co-occurrences by a rule, with their marginals.

    CORPUS is one or more files or folders, or - for standard input. A .txt file has one sentence per line and
    white space between tokens; running text needs --format text. .vrt and .conllu bring parts of speech, lemmas
    and heads; .parquet has one token per row. Pairs never cross a sentence boundary.

    \b
    adjacent          l1 stands right before l2
    window-pairs:K    l1 stands before l2, at most K tokens away
    window:K          l2 stands at most K tokens from the node l1, to either side
    ngram:N           N words in a row, N from 2 to 5: columns l1, l2, l3 … and the counts of every part
    sentence          both stand in the same sentence
    within:REGION     a prepositional phrase and a main verb in the same region, within:s or within:clause
    pos:PATTERN       tokens in a row, such as 'pos:ADJ NOUN' or 'pos:[pos="ADJ"] []{0,2} [lemma="tea"]'
    dep:PATTERN       a dependency, such as dep:obj; l1 is the head, l2 the dependent

    \b
    Example: count neighbours, and keep those that occur at least three times:
      printf 'a red rose\\na red rose\\nthe red rose\\n' > roses.txt
      concur pairs roses.txt --rule adjacent --min-freq 3 -o pairs.csv

    \b
    Example: count parts on different machines, then add up their counts:
      concur pairs roses.txt --partial -o part1.parquet
      printf 'a red rose\\n' > more.txt
      concur pairs more.txt --partial -o part2.parquet
      concur pairs --merge part1.parquet part2.parquet --min-freq 3 -o pairs.csv
    """
    from concurrence.cli.partial_counts import check_merging, check_partial, merge_files
    from concurrence.cli.sequences import check_sequences, read_longer_sequences
    from concurrence.counting.count import CountOptions
    from concurrence.counting.stream import Filters

    if partial_:
        check_partial(output)
    if merge:
        check_merging()
    if dispersion and engine == "spark":
        raise InvalidInputError("--dispersion is counted by --engine local alone.")
    check_sequences(rule, spark=engine == "spark", partial=partial_, gold=gold is not None)
    how = CountOptions(
        rule=rule,
        unit=unit,
        lower=lower,
        min_freq=min_freq,
        filters=Filters(stop=word_list(stop), pos=frozenset(pos), drop_pos=frozenset(drop_pos)),
        patterns=_patterns(drop_pairs),
        examples=examples,
        dispersion=dispersion,
        seed=seed,
        longer=read_longer_sequences(nested_in),
    )
    true_pairs = _true_pairs(gold)
    counts: Counts | NgramCounts
    with ExitStack() as stack:
        if merge:
            counts = merge_files(stack, corpus, how, _spill(stack, max_memory, output), true_pairs)
        elif engine == "spark":
            counts = _count_there(corpus, how, reading, _cluster(stack, master, spark_conf, output), true_pairs)
        else:
            counts = _count_here(stack, corpus, how, reading, _spill(stack, max_memory, output), true_pairs)
        inputs = corpus if merge else counts.counted.corpus
        _finish(counts, output, seed if examples else None, inputs=inputs, as_part=partial_, json_=json_)


def _count_here(
    stack: ExitStack,
    corpus: tuple[str, ...],
    how: "CountOptions",
    reading: CorpusOptions,
    spill: "Spill | None",
    true_pairs: list[tuple[str, str]] | None,
) -> "Counts | NgramCounts":
    from concurrence.counting.count import count_any

    tokens = read(corpus, reading, attributes=how.needed_attributes(), spill=spill)
    report = stack.enter_context(progress_bar("counting"))
    return count_any(tokens, how, true_pairs=true_pairs, spill=spill, progress=report)


def _count_there(
    corpus: tuple[str, ...],
    how: "CountOptions",
    reading: CorpusOptions,
    cluster: "Cluster",
    true_pairs: list[tuple[str, str]] | None,
) -> "Counts":
    from concurrence.cli.spark import count_on_cluster

    return count_on_cluster(corpus, how, reading, cluster, true_pairs)


def _finish(
    counts: "Counts | NgramCounts",
    output: Path | None,
    seed: int | None,
    *,
    inputs: tuple[str, ...],
    as_part: bool,
    json_: bool,
) -> None:
    from concurrence.cli.output import show
    from concurrence.cli.partial_counts import write_part
    from concurrence.counting.result import summarise_counts

    origin = provenance(inputs=inputs, seed=seed, key=list(counts.key), counted=to_json(counts.counted))
    write = partial(write_part, counts, origin=origin) if as_part else partial(_write, counts, origin=origin)
    show(summarise_counts(counts), origin, json_=json_, output=output, write=write, always=True)
    if counts.broken:
        note(f"{counts.broken} broken lines were left out.")


def _patterns(path: Path | None) -> "tuple[Pattern, ...]":
    from concurrence.counting.drop_patterns import parse_patterns
    from concurrence.files.tables.text import read_text

    return () if path is None else parse_patterns(read_text(path).decode("utf-8").split("\n"), str(path))


def _true_pairs(path: Path | None) -> list[tuple[str, str]] | None:
    """The pairs that people called true; a pair that is not listed was not judged."""
    if path is None:
        return None
    from concurrence.core.frames import require_columns
    from concurrence.core.judgements import YES
    from concurrence.files.tables.formats import read_table
    from concurrence.files.tables.sheets import row_place
    from concurrence.kernels.verdicts import judgements_from_table

    gold = read_table(path)
    require_columns(gold, ("l1", "l2", "tp"), path)
    keys = gold.select("l1", "l2").unique(maintain_order=True)
    judgements = judgements_from_table(gold, keys, place=partial(row_place, path))
    return [(str(l1), str(l2)) for l1, l2 in keys.filter(judgements.verdicts == YES).rows()]


def _spill(stack: ExitStack, max_memory: int | None, output: Path | None) -> "Spill | None":
    from concurrence.core.spill import Spill

    return None if max_memory is None else Spill(budget=max_memory - PROGRAM, folder=_folder(stack, output))


def _cluster(stack: ExitStack, master: str | None, settings: tuple[str, ...], output: Path | None) -> "Cluster":
    from concurrence.counting.spark.session import Cluster, parse_settings

    return Cluster(folder=_folder(stack, output), master=master, settings=parse_settings(settings))


def _folder(stack: ExitStack, output: Path | None) -> Path:
    """A folder beside the output, or among the temporary ones, for as long as the command runs."""
    from concurrence.files.spill import spill_folder

    beside = output.parent if output is not None and output.parent.is_dir() else None
    return stack.enter_context(spill_folder(beside))


def _write(counts: "Counts | NgramCounts", output: Path, *, origin: "Provenance") -> None:
    from concurrence.files.pairs.formats import write_pairs
    from concurrence.files.tables.formats import write_chunks
    from concurrence.files.tables.text import table_format

    if table_format(output) == "ds":
        write_pairs(counts.pairs(), output, origin)
    else:
        write_chunks(counts.chunks(), counts.schema, output, origin)

"""The demonstration study: the whole way from text to a report, by the commands that a user would type."""

import shlex
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, replace
from importlib.resources import files
from pathlib import Path

import click

from concurrence.core.errors import InvalidInputError

SIZE = 500
MEASURES = "frequency,t_score,log_likelihood,chi_squared,MI,dice"
SHIPPED = (
    *("manual.md", "questions.toml", "judgements.csv"),
    *("names.md", "names.toml", "names.csv"),
    *("stop.txt", "not-words.txt"),
)
WORD = "keyword"
PAGE = 118
NAMING = "plain,technical,figure,convention"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is done and why; ``saved`` is the file that takes the command's JSON.

    The terminal shows its answer; with ``tables`` also the tables, with ``why`` also the reasons.
    """

    words: str
    command: str
    saved: str | None = None
    tables: bool = False
    why: bool = False

    def __str__(self) -> str:
        return f"concur {self.command}" + (f" > {self.saved}" if self.saved else "")


BEFORE_JUDGING = (
    Step(
        words="Index the text, so that every question is answered at once.",
        command="index corpus.txt -o index --json",
        saved="index.json",
    ),
    Step(
        words=f"What stands around the word {WORD!r}?",
        command=f"collocates index {WORD} --lower --min-freq 3 --top 6 -m log_likelihood,t_score,MI --json",
        saved="collocates.json",
        tables=True,
    ),
    Step(
        words="Count adjacent words, leaving out function words and non-words.",
        command="pairs corpus.txt --rule adjacent --lower --stop stop.txt --drop-pairs not-words.txt --min-freq 2 "
        "--examples 3 -o pairs.parquet --json",
        saved="pairs.json",
    ),
    Step(
        words="Score them with association measures.",
        command=f"score pairs.parquet -m {MEASURES} -o scored.parquet",
    ),
    Step(
        words="Draw a sample to judge.",
        command=f"sample scored.parquet --size {SIZE} -m {MEASURES} --best 100,200,400 -o sample.csv --json",
        saved="sample.json",
    ),
)

AFTER_JUDGING = (
    Step(
        words="Do the coders agree on what is a term?",
        command="agree term.csv --categories yes,no --expert coder_a --bootstrap 2000 --json",
        saved="agree-term.json",
    ),
    Step(words="Do they agree on its kind?", command="agree kind.csv --json", saved="agree-kind.json"),
    Step(
        words="A harder question: how does the name of a term tell what it names?",
        command=f"agree name.csv --categories {NAMING} --json",
        saved="agree-name.json",
        why=True,
    ),
    Step(
        words="Which of these four answers could be merged so that they agree?",
        command="merge name.csv --coefficient krippendorff_alpha --min-kappa 0.5 --json",
        saved="merge-name.json",
        why=True,
    ),
    Step(
        words="Which measure finds terms best, and is the difference significant?",
        command=f"evaluate scored.parquet --gold gold.csv --sample sample.csv -m {MEASURES} --n 50:900:25 --json",
        saved="evaluate.json",
    ),
    Step(
        words="Put everything on one page.",
        command="report collocates.json pairs.json sample.json agree-term.json agree-kind.json agree-name.json "
        "merge-name.json evaluate.json "
        "-o report.html --title 'Terms of the Python language'",
    ),
)


def run_study(folder: Path) -> Path:
    """Run every step in a folder, telling each on the way; return the path of the report."""
    from concurrence.cli.demo.corpus import demo_sentences
    from concurrence.cli.demo.judgements import judge_sample

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "is a file" if folder.is_file() else f"cannot be made: {error.strerror or error}"
        raise InvalidInputError(f"The folder {folder} {reason}; name another with -d.") from error
    with chdir(folder):
        for name in SHIPPED:
            Path(name).write_bytes(files("concurrence.cli.demo").joinpath(name).read_bytes())
        Path("corpus.txt").write_text("\n".join(demo_sentences()) + "\n", "utf-8")
        for step in BEFORE_JUDGING:
            _take(step)
        for sentence in ("", *judge_sample()):
            click.echo(click.wrap_text(sentence, PAGE))
        for step in AFTER_JUDGING:
            _take(step)
    return folder / "report.html"


def _take(step: Step) -> None:
    click.secho(f"\n{step.words}", bold=True)
    click.secho(f"$ {step}", dim=True)
    if step.saved is None:
        run_command(step.command)
        return
    with Path(step.saved).open("w", encoding="utf-8") as target, redirect_stdout(target):
        run_command(step.command)
    _tell(step)


def _tell(step: Step) -> None:
    from concurrence.cli.output import print_rich
    from concurrence.cli.saved import read_result
    from concurrence.report.render.document import Paragraph
    from concurrence.report.render.terminal import terminal

    document = read_result(Path(step.saved or "")).document
    sections = [one for one in document.sections if not one.is_methods]
    if step.tables:
        print_rich(*terminal(replace(document, sections=tuple(sections))))
        return
    first = [block.text for block in sections[0].blocks if isinstance(block, Paragraph)] if sections else []
    for sentence in (*document.answer, *(first if step.why else ())):
        click.echo(click.wrap_text(sentence, PAGE, "  ", "  "))


def run_command(line: str) -> None:
    """Run what a user would type after ``concur``."""
    from concurrence.cli.app import app

    app.main(shlex.split(line), "concur", standalone_mode=False)


def things_to_try(folder: Path) -> tuple[tuple[str, str], ...]:
    """What to do next, and the command for it, as typed where the demo was run."""
    there = f"cd {shlex.quote(str(folder))} && "
    return (
        (
            "Look around in the text, the lists and the judgements:",
            f"{there}concur explore index scored.parquet --gold gold.csv --sample sample.csv --open",
        ),
        ("Judge some pairs yourself, and rule where the others disagree:", "concur serve --demo"),
        ("See where the answers to the harder question differ:", f"{there}concur agree name.csv --full"),
    )

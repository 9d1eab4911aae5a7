"""The demonstration study: the whole way from text to a report, by the commands that a user would type."""

import shlex
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

import click

SIZE = 500
MEASURES = "frequency,t_score,log_likelihood,chi_squared,MI,dice"
SHIPPED = ("manual.md", "questions.toml", "stop.txt", "not-words.txt", "judgements.csv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is done and why; ``saved`` is the file that takes the command's JSON."""

    words: str
    command: str
    saved: str | None = None

    def __str__(self) -> str:
        return f"concur {self.command}" + (f" > {self.saved}" if self.saved else "")


BEFORE_JUDGING = (
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
        words="Which kinds can they tell apart?",
        command="merge kind.csv --coefficient krippendorff_alpha --min-kappa 0.95 --json",
        saved="merge-kind.json",
    ),
    Step(
        words="Which measure finds terms best, and is the difference significant?",
        command=f"evaluate scored.parquet --gold gold.csv --sample sample.csv -m {MEASURES} --n 50:900:25 --json",
        saved="evaluate.json",
    ),
    Step(
        words="Put everything on one page.",
        command="report pairs.json sample.json agree-term.json agree-kind.json merge-kind.json evaluate.json "
        "-o report.html --title 'Terms of the Python language'",
    ),
)


def run_study(folder: Path) -> Path:
    """Run every step in a folder, telling each on the way; return the path of the report."""
    from concurrence.cli.demo.corpus import sentences
    from concurrence.cli.demo.judgements import judge_sample

    folder.mkdir(parents=True, exist_ok=True)
    with chdir(folder):
        for name in SHIPPED:
            Path(name).write_bytes(files("concurrence.cli.demo").joinpath(name).read_bytes())
        Path("corpus.txt").write_text("\n".join(sentences()) + "\n", "utf-8")
        for step in BEFORE_JUDGING:
            _take(step)
        click.echo(f"\n{judge_sample()}")
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
    for sentence in _answers(Path(step.saved)):
        click.echo(f"  {sentence}")


def run_command(line: str) -> None:
    """Run what a user would type after ``concur``."""
    from concurrence.cli.app import app

    app.main(shlex.split(line), "concur", standalone_mode=False)


def _answers(saved: Path) -> Iterator[str]:
    from concurrence.cli.saved import read_result

    yield from read_result(saved).document.answer

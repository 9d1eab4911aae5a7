"""Several judges, each compared with the same humans."""

from collections.abc import Sequence
from typing import Any

from concurrence.agreement.judge import Judgement, judge
from concurrence.core import InvalidInputError, Labels
from concurrence.core.frames import as_frame
from concurrence.core.notebook import html_sentences, html_table
from concurrence.core.sentences import Sentence
from concurrence.core.values import value


@value
class Judgements:
    """Every judge by its name; the humans are the coders that are no judge."""

    judges: dict[str, Judgement]
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]
    to_frame = as_frame

    def __str__(self) -> str:
        return "\n".join(map(str, self.sentences))

    def _repr_html_(self) -> str:
        rows = [
            (name, one.judge_human.value, *(one.judge_human.interval or (None, None)))
            for name, one in self.judges.items()
        ]
        table = html_table(("judge", "agreement with the humans", "from", "to"), rows)
        return html_sentences(map(str, (*self.warnings, *self.sentences))) + table


def judge_each(
    labels: Labels,
    judges: Sequence[str],
    *,
    coefficient: str | None = None,
    scale: str | None = None,
    weights: Any = None,
    before: str | None = None,
    gate: str | None = None,
    epsilon: float = 0.2,
    score: Any = None,
    level: float = 0.95,
    seed: int = 0,
) -> Judgements:
    """Compare several judges with the same humans; the keywords are those of ``judge``."""
    if len(set(judges)) < len(judges):
        raise InvalidInputError("A judge is named twice.")
    for name in judges:
        labels.coder_index(name)
    if before is not None and len(judges) > 1:
        raise InvalidInputError("An earlier run is that of one judge; name only this judge.")
    found = {
        name: judge(
            labels.select_coders([coder for coder in labels.coders if coder == name or coder not in judges]),
            name,
            coefficient=coefficient,
            scale=scale,
            weights=weights,
            before=before,
            gate=gate,
            epsilon=epsilon,
            score=score,
            level=level,
            seed=seed,
        )
        for name in judges
    }
    told = [sentence for one in found.values() for sentence in one.sentences if sentence.code != "caveat"]
    caveat = [sentence for sentence in next(iter(found.values())).sentences if sentence.code == "caveat"]
    warned = dict.fromkeys(sentence for one in found.values() for sentence in one.warnings)
    return Judgements(
        judges=found,
        seed=next((one.seed for one in found.values() if one.seed is not None), None),
        sentences=(*told, *caveat),
        warnings=tuple(warned),
    )

"""Several judges, each compared with the same humans."""

from collections.abc import Sequence

from concurrence.agreement.judge.judge import JudgeComparison, compare_judge, not_comparable, with_roles
from concurrence.agreement.judge.options import JudgeOptions
from concurrence.agreement.judge.roles import roles_of
from concurrence.agreement.judge.same_mistakes import SharedMistakes, same_mistakes_sentences, shared_mistakes
from concurrence.core import InvalidInputError, Labels, UndefinedError
from concurrence.core.results import Result
from concurrence.core.sentences import Sentence
from concurrence.core.values import value


@value
class JudgeComparisons(Result):
    """Every judge by its name; the humans are the coders that are no judge.

    ``same_mistakes`` is whether two judges agree more with each other than their agreement with the humans explains.
    """

    judges: dict[str, JudgeComparison]
    seed: int | None
    sentences: tuple[Sentence, ...]
    warnings: tuple[Sentence, ...]
    same_mistakes: tuple[SharedMistakes, ...] = ()

    def __str__(self) -> str:
        return "\n".join(map(str, self.sentences))


def judge_each(labels: Labels, judges: Sequence[str], options: JudgeOptions) -> JudgeComparisons:
    """Compare several judges with the same humans.

    A judge with no item in common with them gets a warning; if none has one, the comparison is refused.
    """
    roles = roles_of(labels, judges, options.before, options.humans)
    if len(judges) > 1 and not roles.humans:
        raise UndefinedError(
            f"Every coder is a judge ({', '.join(judges)}), so no human is left; a judge is compared with humans."
        )
    if options.before is not None and len(judges) > 1:
        raise InvalidInputError("An earlier run is that of one judge; name only this judge.")
    studied = roles.select_labels(labels)
    beside = {name: roles.labels_beside(studied, name) for name in judges}
    reasons = [not_comparable(part, name, options.before) for name, part in beside.items()]
    if reasons and all(reasons):
        raise UndefinedError(str(reasons[0]))
    comparisons = {name: with_roles(compare_judge(part, name, options), labels, roles) for name, part in beside.items()}
    sentences = dict.fromkeys(sentence for one in comparisons.values() for sentence in one.sentences)
    remarks = [sentence for sentence in sentences if sentence.code != "caveat"]
    caveat = [sentence for sentence in sentences if sentence.code == "caveat"]
    alike = shared_mistakes(studied, judges)
    warnings = dict.fromkeys(sentence for one in comparisons.values() for sentence in one.warnings)
    return JudgeComparisons(
        judges=comparisons,
        seed=next((one.seed for one in comparisons.values() if one.seed is not None), None),
        sentences=(*remarks, *caveat),
        warnings=(*warnings, *same_mistakes_sentences(alike, 1 - options.level)),
        same_mistakes=alike,
    )

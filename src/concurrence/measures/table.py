"""The table of all measures: how a name finds its row, and which functions score by some names and formulas."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from concurrence.core.contingency import SIGNATURE, WORDS
from concurrence.core.errors import InvalidInputError, UnknownNameError
from concurrence.core.results import Result
from concurrence.core.values import value
from concurrence.kernels.dispersion import TITLES
from concurrence.measures.effect_size import EFFECT_SIZE
from concurrence.measures.formula import parse_definition
from concurrence.measures.heuristic import HEURISTIC
from concurrence.measures.information import INFORMATION
from concurrence.measures.likelihood import LIKELIHOOD
from concurrence.measures.measure import Function, Measure, SequenceFunction
from concurrence.measures.significance import SIGNIFICANCE

KINDS = {
    "heuristic": HEURISTIC,
    "significance": SIGNIFICANCE,
    "effect size": EFFECT_SIZE,
    "information": INFORMATION,
    "likelihood": LIKELIHOOD,
}

MEASURES: dict[str, Measure] = {row.name: replace(row, kind=kind) for kind, rows in KINDS.items() for row in rows}

DEFAULT = ("frequency", "t_score", "log_likelihood", "chi_squared", "MI", "dice")


def _plain(name: str) -> str:
    """A name as it is compared: without case, and with UCS's dots as ours."""
    return name.strip().lower().removeprefix("am.").replace(".", "_").replace("-", "_")


def _ucs_rows() -> dict[str, Measure]:
    return {_plain(row.ucs): row for row in MEASURES.values() if row.ucs}


def find_measure(name: str) -> Measure:
    """The row of a name or alias, whatever the case; ``am.`` before it means UCS's own name.

    >>> find_measure("am.log.likelihood").name, find_measure("LL").name
    ('log_likelihood', 'log_likelihood')
    >>> find_measure("MI").base, find_measure("am.MI").base
    ('2', '10')
    """
    ours = {_plain(alias): row for row in MEASURES.values() for alias in (*row.aliases, row.name)}
    rows = ours | _ucs_rows() if name.strip().lower().startswith("am.") else _ucs_rows() | ours
    if _plain(name) not in rows:
        raise UnknownNameError("association measure", name, MEASURES)
    return rows[_plain(name)]


def find_measures(names: str | Iterable[str]) -> tuple[Measure, ...]:
    """The rows of several names, each once; ``default``, ``all`` and ``ucs`` stand for sets of them."""
    ucs = tuple(row.name for row in MEASURES.values() if row.ucs)
    sets = {"all": tuple(MEASURES), "default": DEFAULT, "ucs": ucs}
    names = names.split(",") if isinstance(names, str) else names
    single = (entry for name in names for entry in sets.get(name.strip().lower(), (name,)))
    return tuple({row.name: row for row in map(find_measure, single)}.values())


def functions_of(
    measures: str | Iterable[str], define: Iterable[str] = (), *, key: tuple[str, ...] = ("l1", "l2")
) -> dict[str, Function]:
    """The functions of names and definitions, by the names their columns get.

    >>> list(functions_of("MI, cosine", ["cosine = O / sqrt(R1 * C1)"]))
    ['MI', 'cosine']
    """
    own: dict[str, Function] = {}
    for name, function in map(parse_definition, define):
        if name in (*MEASURES, *SIGNATURE, *WORDS, *key, *own):
            raise InvalidInputError(f"The name {name!r} is taken; give your measure another one.")
        own[name] = function
    names = measures.split(",") if isinstance(measures, str) else measures
    rows = find_measures(name for name in names if name.strip() not in own)
    return {row.name: row.function for row in rows} | own


def sequence_functions(measures: str | Iterable[str], define: Iterable[str] = ()) -> dict[str, SequenceFunction]:
    """The functions of names for sequences longer than two; a measure without one is refused.

    ``default`` and ``all`` stand for every measure that has one.

    >>> list(sequence_functions("default"))
    ['frequency', 'log_likelihood', 'lambda_z', 'lambda', 'MI']
    """
    if any(True for _ in define):
        raise InvalidInputError("A formula of your own is one of pairs; sequences have measures of the table alone.")
    functions = {row.name: row.sequences for row in MEASURES.values() if row.sequences is not None}
    names = measures.split(",") if isinstance(measures, str) else list(measures)
    if any(name.strip().lower() in ("all", "default") for name in names):
        return functions
    rows = find_measures(names)
    for row in rows:
        if row.sequences is None:
            raise InvalidInputError(
                f"{row.name} has no published form for more than two words. Those that have: {', '.join(functions)}."
            )
    return {row.name: functions[row.name] for row in rows}


def titles_of(names: Iterable[str]) -> dict[str, str]:
    """The title of each name that is a measure's, unless another name has it too; every other name is its own.

    >>> titles_of(["t_score", "my_score"])
    {'t_score': 't-score', 'my_score': 'my_score'}
    """
    rows = {name: _ucs_rows().get(_plain(name)) if name.startswith("am.") else MEASURES.get(name) for name in names}
    titles = {name: row.title if row else TITLES.get(name, name) for name, row in rows.items()}
    shared = Counter(titles.values())
    return {name: title if shared[title] == 1 else name for name, title in titles.items()}


@value
class MeasureList(Result):
    """Some measures, or all; JSON has the properties of each, and reading it back looks the measure up by its name."""

    measures: tuple[Measure, ...]

    def __str__(self) -> str:
        return ", ".join(row.name for row in self.measures)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "MeasureList":
        return cls(measures=tuple(find_measure(row["name"]) for row in data["measures"]))


def list_measures(name: str | None = None) -> MeasureList:
    """All measures, or the one of a name."""
    return MeasureList(measures=tuple(MEASURES.values()) if name is None else (find_measure(name),))

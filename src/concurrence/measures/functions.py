"""Which functions to score with: measures of the table, and formulas of one's own."""

from collections.abc import Iterable

from concurrence.core.contingency import SIGNATURE, WORDS
from concurrence.core.errors import InvalidInputError
from concurrence.measures.formula import parse_definition
from concurrence.measures.measure import Function, SequenceFunction
from concurrence.measures.table import MEASURES, find_measures


def functions_of(
    measures: str | Iterable[str], define: Iterable[str] = (), *, key: tuple[str, ...] = ("l1", "l2")
) -> dict[str, Function]:
    """The functions of names and definitions, by the names their columns get.

    >>> list(functions_of("MI, cosine", ["cosine = O / sqrt(R1 * C1)"]))
    ['MI', 'cosine']
    """
    own = _definitions(define, key)
    names = measures.split(",") if isinstance(measures, str) else measures
    known = find_measures(name for name in names if name.strip() not in own)
    return {row.name: row.function for row in known} | own


def sequence_functions(measures: str | Iterable[str], define: Iterable[str] = ()) -> dict[str, SequenceFunction]:
    """The functions of names for sequences longer than two; a measure without one is refused.

    ``default`` and ``all`` stand for every measure that has one.

    >>> list(sequence_functions("default"))
    ['frequency', 'log_likelihood', 'lambda_z', 'lambda', 'MI']
    """
    if any(True for _ in define):
        raise InvalidInputError("A formula of your own is one of pairs; sequences have measures of the table alone.")
    known = {row.name: row.sequences for row in MEASURES.values() if row.sequences is not None}
    names = measures.split(",") if isinstance(measures, str) else list(measures)
    if any(name.strip().lower() in ("all", "default") for name in names):
        return known
    rows = find_measures(names)
    for row in rows:
        if row.sequences is None:
            raise InvalidInputError(
                f"{row.name} has no published form for more than two words. Those that have: {', '.join(known)}."
            )
    return {row.name: known[row.name] for row in rows}


def _definitions(texts: Iterable[str], key: tuple[str, ...]) -> dict[str, Function]:
    functions: dict[str, Function] = {}
    for name, function in map(parse_definition, texts):
        if name in (*MEASURES, *SIGNATURE, *WORDS, *key, *functions):
            raise InvalidInputError(f"The name {name!r} is taken; give your measure another one.")
        functions[name] = function
    return functions

"""The rules by which two words occur together."""

from dataclasses import dataclass

from concurrence.core.errors import InvalidInputError, UnknownNameError

RULES = {
    "adjacent": "l1 stands right before l2; counts over pair tokens",
    "window:K": "l2 within K tokens on either side of the node l1, every position once; Evert's table per node",
    "window-pairs:K": "l1 stands before l2 at a distance of at most K; counts over pair tokens",
    "ngram:N": "N words in a row, from 2 to 5, with the margins of every part; counts over such sequences",
    "sentence": "both stand in the same sentence; counts over sentences",
    "within:REGION": "every prepositional phrase with every main verb of the same s or clause; over pair tokens",
    "pos:PATTERN": 'tokens in a row, such as \'ADJ NOUN\' or [pos="ADJ"] [lemma="tea"]; counts over pair tokens',
    "dep:PATTERN": "a relation (l1 the head, l2 the dependent) or a small dependency pattern; counts over pair tokens",
}
PATTERNS = ("pos", "dep", "within")
"""Rules whose pairs are those of a pattern."""
LONGEST = 5
"""How many words a sequence may have: the table of five has 32 cells."""
_NAMES = {rule.partition(":")[0]: ":" in rule for rule in RULES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule of co-occurrence, as it was written and as it is meant; ``size`` is how many words it puts together."""

    text: str
    name: str
    argument: str = ""
    span: int | None = None
    size: int = 2


def parse_rule(text: str) -> Rule:
    """Understand a rule such as ``window:5``.

    >>> parse_rule("window-pairs:5").span
    5
    """
    name, colon, argument = (part.strip() for part in text.strip().partition(":"))
    if name not in _NAMES:
        raise UnknownNameError("co-occurrence rule", name, RULES)
    if _NAMES[name] != bool(colon and argument):
        form = next(rule for rule in RULES if rule.partition(":")[0] == name)
        raise InvalidInputError(f"The rule {text!r} must be written as {form}.")
    if name == "adjacent":
        return Rule(text=name, name=name, span=1)
    if name in ("window", "window-pairs"):
        return Rule(text=f"{name}:{_span(text, argument)}", name=name, span=_span(text, argument))
    if name == "ngram":
        return Rule(text=f"ngram:{_size(text, argument)}", name=name, size=_size(text, argument))
    return Rule(text=f"{name}:{argument}" if argument else name, name=name, argument=argument)


def _span(text: str, argument: str) -> int:
    if not (argument.isascii() and argument.isdigit() and 1 <= int(argument) <= 1_000_000):
        raise InvalidInputError(f"The span of the rule {text!r} must be a whole number from 1 on, as in window:5.")
    return int(argument)


def _size(text: str, argument: str) -> int:
    if not (argument.isascii() and argument.isdigit() and 2 <= int(argument) <= LONGEST):
        raise InvalidInputError(f"The size of the rule {text!r} must be a whole number from 2 to {LONGEST}.")
    return int(argument)


def counts_pattern_pairs(text: str) -> bool:
    """Whether a rule counts the pairs of a pattern, of which a user decides what its members may be."""
    return text.partition(":")[0].strip() in PATTERNS


def refuse_sequences(rule: Rule, what: str, *, instead: str = "") -> None:
    """Refuse the rule of sequences where pairs are needed."""
    if rule.name == "ngram":
        raise InvalidInputError(
            f"{what} does not work with the rule {rule.text}, which counts sequences of words{instead}."
        )

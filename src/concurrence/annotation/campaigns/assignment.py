"""Who judges what, in which order: parts, overlap, k coders per item, an expert who sees everything, hidden repeats.

Orders are random for each coder under a stored seed. A hidden repeat is an item that comes back later in
the same coder's order, as far from its first place as can be.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from concurrence.annotation.campaigns.item_rows import ItemRow
from concurrence.annotation.campaigns.items import EVERYONE, Item
from concurrence.core.errors import InvalidInputError


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One item in one coder's order; ``repeat`` marks its second, hidden appearance."""

    item: int
    repeat: bool = False


def coders_of_parts(items: Sequence[Item | ItemRow]) -> tuple[str, ...]:
    """A coder for each part, for a leader who has no names yet."""
    parts = {item.part for item in items} - {EVERYONE}
    if not parts:
        raise InvalidInputError("The items have no parts to derive the coders from; name the coders with --coders.")
    return tuple(f"coder{place}" for place in range(1, len(parts) + 1))


def deal(
    items: Sequence[Item | ItemRow], coders: Sequence[str], *, each_item: int | None = None, seed: int = 0
) -> dict[str, list[int]]:
    """The positions of the items of every coder, before they are put in order.

    With ``each_item``, every item goes to that many coders, evenly. Otherwise the parts of the items decide:
    part ``all`` goes to everyone, the parts 1 to K to the coders in turn.
    """
    if each_item is not None:
        return _deal_evenly(len(items), coders, each_item, seed)
    parts = sorted({item.part for item in items} - {EVERYONE}, key=lambda part: (len(part), part))
    if len(parts) > len(coders):
        raise InvalidInputError(
            f"The items have {len(parts)} parts but only {len(coders)} coders; name at least one coder per part."
        )
    mine = {coder: parts[number % len(parts)] if parts else EVERYONE for number, coder in enumerate(coders)}
    return {coder: [n for n, item in enumerate(items) if item.part in (EVERYONE, mine[coder])] for coder in coders}


def _deal_evenly(size: int, coders: Sequence[str], each_item: int, seed: int) -> dict[str, list[int]]:
    if not 1 <= each_item <= len(coders):
        most = f"at most {len(coders)} coders" if len(coders) > 1 else "the only coder"
        raise InvalidInputError(f"Each item can go to {most}, not to {each_item}.")
    order = _rng(seed, "deal").sample(range(size), size)
    dealt: dict[str, list[int]] = {coder: [] for coder in coders}
    load: Counter[str] = Counter()
    places = {coder: place * 7919 for place, coder in enumerate(coders)}
    for turn, item in enumerate(order):
        # Ties go round by turn, so that the same two coders do not meet on every item.
        ranked = sorted(coders, key=lambda coder: (load[coder], (places[coder] + turn * 104729) % 1009))
        for coder in ranked[:each_item]:
            dealt[coder].append(item)
            load[coder] += 1
    return {coder: sorted(mine) for coder, mine in dealt.items()}


def put_in_order(items: Sequence[int], *, seed: str, repeats: int = 0) -> list[Task]:
    """A random order under a seed, with hidden repeats in its later half.

    >>> [task.item for task in put_in_order([0, 1, 2], seed="7")] == [t.item for t in put_in_order([0, 1, 2], seed="7")]
    True
    """
    if repeats > len(items) // 2:
        raise InvalidInputError(
            f"{repeats} hidden repeats are too many for {len(items)} items; at most half of the items can be repeated."
        )
    rng = _rng(seed, "order")
    order = [Task(item=item) for item in rng.sample(list(items), len(items))]
    first_half = order[: max(len(order) // 2, repeats)]
    again = [Task(item=task.item, repeat=True) for task in rng.sample(first_half, repeats)]
    tail = order[len(first_half) :]
    for task in again:
        tail.insert(rng.randint(0, len(tail)), task)
    return [*first_half, *tail]


def _rng(seed: int | str, purpose: str) -> random.Random:
    return random.Random(f"{seed}/{purpose}")  # noqa: S311 - an order, not a secret

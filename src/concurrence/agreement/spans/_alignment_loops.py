"""Compiled loops of the alignment: which units could be aligned, and which groups of them are worth it."""

from typing import Any

import numpy as np

from concurrence.kernels.machine_code import machine_code


@machine_code
def dissimilarity(i: int, j: int, start: Any, end: Any, label: Any, alpha: float, beta: float) -> float:
    """Mathet's combined dissimilarity in units of that of an empty unit."""
    apart = abs(start[i] - start[j]) + abs(end[i] - end[j])
    far = apart / (end[i] - start[i] + end[j] - start[j])
    total = alpha * far * far
    if label[i] != label[j]:
        total += beta
    return float(total)


@machine_code
def neighbours(
    order: Any,
    task: Any,
    coder: Any,
    start: Any,
    end: Any,
    label: Any,
    longest: Any,
    near: Any,
    alpha: float,
    beta: float,
) -> tuple[Any, Any, Any]:
    """Every two units of different coders that could be aligned, the lower coder first, and their dissimilarity.

    ``order`` sorts units by task and start; ``longest`` is the longest unit of a task, ``near`` by task what no pair of
    an optimal alignment exceeds.
    """
    first, second, apart = [0 for _ in range(0)], [0 for _ in range(0)], [0.0 for _ in range(0)]
    for a in range(len(order)):
        i = order[a]
        # beyond this distance of starts, even the longest unit is too far
        most = np.sqrt(near[task[i]] / alpha) * (end[i] - start[i] + longest[task[i]]) if alpha > 0 else np.inf
        for b in range(a + 1, len(order)):
            j = order[b]
            if task[j] != task[i] or start[j] - start[i] > most:
                break
            if coder[i] == coder[j]:
                continue
            cost = dissimilarity(i, j, start, end, label, alpha, beta)
            if cost < near[task[i]]:
                first.append(i if coder[i] < coder[j] else j)
                second.append(j if coder[i] < coder[j] else i)
                apart.append(cost)
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), np.array(apart, dtype=np.float64)


@machine_code
def groups(
    anchors: Any,
    begins: Any,
    partner: Any,
    coder: Any,
    start: Any,
    end: Any,
    label: Any,
    pairs: Any,
    price: Any,
    limit: float,
    most: int,
    alpha: float,
    beta: float,
) -> tuple[Any, Any, Any, bool]:
    """Groups of units, one per coder, whose disorder exceeds the prices of its units by at most ``limit``.

    ``begins`` and ``partner`` list the partners of each anchor with a higher coder, sorted by coder and the nearest
    first; ``pairs`` is the number of pairs of coders at each unit. Answers members, where each group begins, its
    disorder, and whether these are all: of each anchor at most ``most`` steps are taken.
    """
    members, bounds, costs = [0 for _ in range(0)], [0], [0.0 for _ in range(0)]
    widest = 0
    for a in range(len(anchors)):
        widest = max(widest, begins[a + 1] - begins[a])
    whole, real = np.zeros((4, widest + 2), dtype=np.int64), np.zeros((3, widest + 2))
    at, option, depth, chosen = whole[0], whole[1], whole[2], whole[3]
    cost, net, gain = real[0], real[1], real[2]
    complete = True
    for a in range(len(anchors)):
        i = anchors[a]
        n = _levels(
            i, begins[a], begins[a + 1], partner, coder, start, end, label, pairs[i], price, alpha, beta, at, gain
        )
        chosen[0], level, steps = i, 0, 0
        depth[0], cost[0], net[0], option[0] = 1, 1.0, 1.0 - price[i], at[0]
        while level >= 0:
            steps += 1
            if steps > most:
                complete = False
                break
            place = option[level]
            if place > at[level + 1]:  # behind the partners of this coder comes nobody, and then the next of before
                level -= 1
                continue
            option[level] += 1
            d, c, m = depth[level], cost[level], net[level]
            if place < at[level + 1]:
                j = partner[place]
                added = _added(chosen, d, j, start, end, label, alpha, beta) / pairs[i]
                chosen[d] = j
                d, c, m = d + 1, c + added, m + added - price[j]
            if _at_best(m, gain, level + 1, n, d, pairs[i]) > limit:
                continue
            if level + 1 < n:
                level += 1
                depth[level], cost[level], net[level], option[level] = d, c, m, at[level]
            elif d > 1 and m <= limit:
                members.extend(chosen[:d])
                bounds.append(len(members))
                costs.append(c)
    return np.array(members, dtype=np.int64), np.array(bounds), np.array(costs), complete


@machine_code
def _levels(
    i: int, begin: int, end_: int, partner: Any, coder: Any, start: Any, end: Any, label: Any, n_pairs: float,
    price: Any, alpha: float, beta: float, at: Any, gain: Any,
) -> int:  # fmt: skip
    """Where the partners of each coder begin, and the most that one of them could be worth beside the anchor."""
    n = 0
    for place in range(begin, end_):
        j = partner[place]
        if place == begin or coder[j] != coder[partner[place - 1]]:
            at[n], gain[n] = place, -np.inf
            n += 1
        apart = dissimilarity(i, j, start, end, label, alpha, beta)
        gain[n - 1] = max(gain[n - 1], price[j] + (1 - apart) / n_pairs)
    at[n] = end_
    return n


@machine_code
def _added(chosen: Any, depth: int, j: int, start: Any, end: Any, label: Any, alpha: float, beta: float) -> float:
    """What a unit adds to the disorder of a group, in pairs: its dissimilarities instead of empty units."""
    added = 0.0
    for t in range(depth):
        added += dissimilarity(chosen[t], j, start, end, label, alpha, beta) - 1
    return added


@machine_code
def _at_best(net: float, gain: Any, level: int, n: int, depth: int, n_pairs: float) -> float:
    """What a group could still come to, if all units that may join it were as good as can be."""
    for later in range(level, n):
        net -= max(0.0, gain[later] + (depth - 1 + later - level) / n_pairs)
    return net

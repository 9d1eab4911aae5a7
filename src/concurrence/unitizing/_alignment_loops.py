"""Compiled loops of the alignment: which units could be aligned, and which groups of them are worth it."""

from typing import Any

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
def dissimilarity(i: int, j: int, start: Any, end: Any, label: Any, alpha: float, beta: float) -> float:
    """Mathet's combined dissimilarity in units of that of an empty unit."""
    apart = abs(start[i] - start[j]) + abs(end[i] - end[j])
    far = apart / (end[i] - start[i] + end[j] - start[j])
    found = alpha * far * far
    if label[i] != label[j]:
        found += beta
    return float(found)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
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
            found = dissimilarity(i, j, start, end, label, alpha, beta)
            if found < near[task[i]]:
                first.append(i if coder[i] < coder[j] else j)
                second.append(j if coder[i] < coder[j] else i)
                apart.append(found)
    return np.array(first, dtype=np.int64), np.array(second, dtype=np.int64), np.array(apart, dtype=np.float64)


@numba.njit(cache=True, nogil=True)  # type: ignore[untyped-decorator,unused-ignore]
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
    """Every group of units, one per coder, whose disorder exceeds the prices of its units by at most ``limit``.

    ``begins`` and ``partner`` list the partners of each anchor with a higher coder, sorted by coder; ``pairs`` is the
    number of pairs of coders at each unit. Answers members, where each group begins, its disorder, and whether there
    were more than ``most`` steps.
    """
    members, bounds, costs = [0 for _ in range(0)], [0], [0.0 for _ in range(0)]
    n_levels = 0
    for a in range(len(anchors)):
        n_levels = max(n_levels, begins[a + 1] - begins[a])
    size = n_levels + 2
    level_at, option = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
    cost_at, net_at = np.zeros(size), np.zeros(size)
    depth_at, chosen, gain = np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64), np.zeros(size)
    steps = 0
    for a in range(len(anchors)):
        i = anchors[a]
        n_pairs = pairs[i]
        # partners of one coder are a level; level_at holds where each begins
        n = 0
        for place in range(begins[a], begins[a + 1]):
            j = partner[place]
            if place == begins[a] or coder[j] != coder[partner[place - 1]]:
                level_at[n] = place
                gain[n] = -np.inf
                n += 1
            apart = dissimilarity(i, j, start, end, label, alpha, beta)
            gain[n - 1] = max(gain[n - 1], price[j] + (1 - apart) / n_pairs)
        if n == 0:
            continue
        level_at[n] = begins[a + 1]
        chosen[0] = i
        depth_at[0], cost_at[0], net_at[0], option[0] = 1, 1.0, 1.0 - price[i], level_at[0] - 1
        level = 0
        while level >= 0:
            steps += 1
            if steps > most:
                return np.array(members, dtype=np.int64), np.array(bounds), np.array(costs), True
            place = option[level]
            if place >= level_at[level + 1]:
                level -= 1
                continue
            option[level] = place + 1
            depth, cost, net = depth_at[level], cost_at[level], net_at[level]
            if place >= level_at[level]:
                j = partner[place]
                added = 0.0
                for t in range(depth):
                    added += dissimilarity(chosen[t], j, start, end, label, alpha, beta) - 1
                cost += added / n_pairs
                net += added / n_pairs - price[j]
                chosen[depth] = j
                depth += 1
            best = net
            for later in range(level + 1, n):
                best -= max(0.0, gain[later] + (depth - 1 + later - level - 1) / n_pairs)
            if best > limit:
                continue
            if level + 1 < n:
                level += 1
                depth_at[level], cost_at[level], net_at[level], option[level] = depth, cost, net, level_at[level] - 1
            elif depth > 1 and net <= limit:
                for t in range(depth):
                    members.append(chosen[t])  # noqa: PERF401 (compiled)
                bounds.append(len(members))
                costs.append(cost)
    return np.array(members, dtype=np.int64), np.array(bounds), np.array(costs), False

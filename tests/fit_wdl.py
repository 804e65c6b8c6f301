#!/usr/bin/env python3
"""Fits the two numbers of `score::win_draw_loss` to games of chuhe against itself.

Usage: fit_wdl.py GAMES.jsonl, as written by
    chuhe match --engine name=A cmd=chuhe --engine name=B cmd=chuhe --nodes 5000 \\
        --openings random:6 --games 600 --jsonl GAMES.jsonl

Several runs differ by --seed; their files can be joined.

Maximises the likelihood of the results of all positions with a score, each game weighing the same,
and prints how often positions of each score were won, drawn and lost, and what the fit says.
"""

import json
import math
import sys


def positions(path):
    """(score, result for the side to move: 1, 0, -1, weight)"""
    for line in open(path, encoding="utf-8"):
        game = json.loads(line)
        red = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}.get(game["result"])
        if red is None or game["termination"] in ("crash", "stall", "time", "max_length"):
            continue
        black_starts = game["start"].split()[1] == "b"
        scored = [
            (move["s"], -red if (ply % 2 == 1) != black_starts else red)
            for ply, move in enumerate(game["moves"])
            if abs(move.get("s", 10**6)) < 3000
        ]
        for score, result in scored:
            yield score, result, 1 / len(scored)


def chances(a, b, s):
    win = 1 / (1 + math.exp((a - s) / b))
    loss = 1 / (1 + math.exp((a + s) / b))
    return win, max(1 - win - loss, 1e-9), loss


def main():
    cells = {}
    for score, result, weight in positions(sys.argv[1]):
        cell = cells.setdefault(5 * round(score / 5), [0.0, 0.0, 0.0])
        cell[1 - result] += weight

    def cost(a, b):
        return -sum(
            n * math.log(max(p, 1e-9))
            for s, counts in cells.items()
            for n, p in zip(counts, chances(a, b, s))
        )

    # A grid, then a finer one around the best.
    best = (100, 100)
    for step, reach in ((20, 600), (5, 40), (1, 8)):
        a0, b0 = best if step < 20 else (reach // 2, reach // 2)
        grid = [
            (a, b)
            for a in range(max(step, a0 - reach), a0 + reach + 1, step)
            for b in range(max(step, b0 - reach), b0 + reach + 1, step)
        ]
        best = min(grid, key=lambda ab: cost(*ab))
    a, b = best
    print(f"a = {a}, b = {b} (hundredths of a pawn)")
    print("score   win draw loss   fit: win draw loss   weight")
    for low in range(-700, 700, 100):
        counts = [0.0] * 3
        for s, c in cells.items():
            if low <= s < low + 100:
                counts = [x + y for x, y in zip(counts, c)]
        total = sum(counts)
        if total > 0:
            seen = " ".join(f"{100 * n / total:4.0f}" for n in counts)
            fit = " ".join(f"{100 * p:4.0f}" for p in chances(a, b, low + 50))
            print(f"{low + 50:5}  {seen}         {fit}   {total:6.1f}")


if __name__ == "__main__":
    main()

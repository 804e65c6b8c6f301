#!/usr/bin/env python3
"""Compares chuhe's legal moves with those of pyffish (Fairy-Stockfish, variant xiangqi).

    pip install pyffish
    tests/pyffish_moves.py [--games 300] [--seconds 60] [--seed 1] target/release/chuhe

Plays random games by the moves that `chuhe legal-moves` gives and compares every few plies: the
sets of legal moves must be the same, and so must the answers whether the side to move is in check.
(Every ply would take too long: pyffish needs milliseconds for each question.) pyffish counts ranks
1-10, chuhe 0-9. Exit status 1 if they differ anywhere.
"""

import argparse
import random
import re
import subprocess
import sys
import time

import pyffish

VARIANT = "xiangqi"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
FILES = "abcdefghi"


class Chuhe:
    """`chuhe legal-moves` behind pipes: a FEN in, (in check, moves) out."""

    def __init__(self, program):
        self.process = subprocess.Popen(
            [program, "legal-moves"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, fen):
        self.process.stdin.write(fen + "\n")
        self.process.stdin.flush()
        check, *moves = self.process.stdout.readline().split()
        if check not in "+-":
            sys.exit(f"{fen}: {check} {' '.join(moves)}")
        return check == "+", moves

    def close(self):
        self.process.stdin.close()
        if self.process.wait() != 0:
            sys.exit(f"chuhe ended with {self.process.returncode}")


class Board:
    """Rows of letters, rank 9 first: just enough to play a move and to write a FEN."""

    def __init__(self):
        text = re.sub(r"\d", lambda d: "." * int(d[0]), START.split()[0])
        self.rows = [list(row) for row in text.split("/")]
        self.ply = self.quiet = 0

    def fen(self):
        text = "/".join("".join(row) for row in self.rows)
        text = re.sub(r"\.+", lambda run: str(len(run[0])), text)
        return f"{text} {'wb'[self.ply % 2]} - - {self.quiet} {self.ply // 2 + 1}"

    def at(self, square):
        return self.rows[9 - int(square[1])][FILES.index(square[0])]

    def put(self, square, piece):
        self.rows[9 - int(square[1])][FILES.index(square[0])] = piece

    def play(self, move):
        self.quiet = self.quiet + 1 if self.at(move[2:]) == "." else 0
        self.put(move[2:], self.at(move[:2]))
        self.put(move[:2], ".")
        self.ply += 1


def reference(fen):
    """(in check, moves) by pyffish, ranks from 0."""
    moves = []
    for move in pyffish.legal_moves(VARIANT, fen, []):
        f1, r1, f2, r2 = re.fullmatch(r"([a-i])(\d+)([a-i])(\d+)", move).groups()
        moves.append(f"{f1}{int(r1) - 1}{f2}{int(r2) - 1}")
    return pyffish.gives_check(VARIANT, fen, []), sorted(moves)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("chuhe", help="the binary to test")
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--plies", type=int, default=200, help="longest game")
    parser.add_argument("--every", type=int, default=8, help="compare about every so many plies")
    parser.add_argument("--seconds", type=float, default=60, help="begin no game after that")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()

    chuhe = Chuhe(args.chuhe)
    start = time.monotonic()
    games = compared = checks = ends = differences = 0
    while games < args.games and time.monotonic() - start < args.seconds:
        rng = random.Random(f"{args.seed}/{games}")
        games += 1
        # Some games take what they can: soon an endgame.
        taking = rng.choice([0.0, 0.3, 0.8])
        board = Board()
        for _ in range(args.plies):
            fen = board.fen()
            check, moves = chuhe.ask(fen)
            # Checks are rarer than other positions, and ends rarer still: look at more of them.
            if not moves or rng.random() < (0.25 if check else 1 / args.every):
                expected = reference(fen)
                compared += 1
                checks += expected[0]
                ends += not expected[1]
                if (check, moves) != expected:
                    differences += 1
                    if differences <= 10:
                        print(f"{fen}\n  pyffish: {expected}\n  chuhe:   {(check, moves)}")
            if not moves:
                break
            takes = [m for m in moves if board.at(m[2:]) != "."]
            board.play(rng.choice(takes if takes and rng.random() < taking else moves))
    chuhe.close()
    print(
        f"pyffish: {games} games, {compared} positions compared ({checks} in check, "
        f"{ends} without a move), {differences} differences, {time.monotonic() - start:.0f} s"
    )
    sys.exit(1 if differences or compared < 10 * games else 0)


if __name__ == "__main__":
    main()

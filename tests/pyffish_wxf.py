#!/usr/bin/env python3
"""Writes reference WXF texts made by pyffish (PyPI), one position a line:

    FEN <tab> move=text move=text …        (moves with ranks from 0)

    pip install pyffish
    python3 pyffish_wxf.py 120 1 > wxf_reference.tsv

The arguments are the number of positions and the seed. Half of them come from random play, half are
random boards with many pieces of a kind on one file, where notations differ.
"""

import random
import re
import sys

import pyffish as sf

WXF = sf.NOTATION_XIANGQI_WXF
START = sf.start_fen("xiangqi")


def tandem_board(rng):
    """A random legal board with pawns, rooks, cannons and horses crowded on few files."""
    while True:
        board = [[None] * 9 for _ in range(10)]

        def put(rank, file, letter):
            if board[rank][file] is None:
                board[rank][file] = letter

        for red in (True, False):
            side = str.upper if red else str.lower
            place = (lambda r: r) if red else (lambda r: 9 - r)
            put(place(rng.randrange(3)), rng.randrange(3, 6), side("k"))
            files = [rng.randrange(9) for _ in range(rng.choice([1, 2, 2, 3]))]
            for _ in range(rng.randrange(6)):
                put(place(rng.randrange(5, 10)), rng.choice(files), side("p"))
            for kind in "rcn":
                file = rng.randrange(9)
                for _ in range(rng.randrange(3)):
                    other = file if rng.random() < 0.7 else rng.randrange(9)
                    put(place(rng.randrange(10)), other, side(kind))
            advisors = [(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)]
            elephants = [(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)]
            for kind, points in (("a", advisors), ("b", elephants)):
                for rank, file in rng.sample(points, rng.randrange(3)):
                    put(place(rank), file, side(kind))
        rows = ("".join(p or "1" for p in row) for row in reversed(board))
        rows = (re.sub("1+", lambda m: str(len(m.group())), row) for row in rows)
        fen = "/".join(rows) + " " + rng.choice("wb") + " - - 0 1"
        letters = fen.split()[0]
        if letters.count("K") != 1 or letters.count("k") != 1 or kings_face(letters):
            continue
        if sf.validate_fen(fen, "xiangqi") != 1:
            continue
        # A set-up in which the side to move could take the king is let pass, too.
        other = fen.split()
        other[1] = "b" if other[1] == "w" else "w"
        if not sf.gives_check("xiangqi", " ".join(other), []):
            return fen


def kings_face(letters):
    """Whether the kings face each other on an open file, which pyffish lets pass in a set-up."""
    rows = re.sub(r"\d", lambda m: "." * int(m.group()), letters).split("/")
    file = next(row.index("K") for row in rows if "K" in row)
    pieces = "".join(row[file] for row in rows).replace(".", "")
    return "kK" in pieces


def played_board(rng):
    """A position from random play."""
    fen = START
    for _ in range(rng.randrange(120)):
        legal = sf.legal_moves("xiangqi", fen, [])
        if not legal:
            break
        fen = sf.get_fen("xiangqi", fen, [rng.choice(legal)])
    return fen


def zero_based(move):
    return re.sub(r"\d+", lambda m: str(int(m.group()) - 1), move)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    done = 0
    while done < count:
        fen = (tandem_board if done % 2 else played_board)(rng)
        legal = sf.legal_moves("xiangqi", fen, [])
        if not legal:
            continue
        texts = (f"{zero_based(m)}={sf.get_san('xiangqi', fen, m, False, WXF)}" for m in legal)
        print(fen, " ".join(texts), sep="\t")
        done += 1


if __name__ == "__main__":
    main()

//! The moves of xiangqi from the rules alone, slowly: a board of characters and, for each pair of
//! points, the question whether the piece on the one can reach the other. Uses nothing of chuhe
//! but a FEN as text, so that it can stand against chuhe's generator.

/// File 0..9 and rank 0..10.
pub type Point = (i32, i32);

/// FEN letters by `[rank][file]`, `'.'` for an empty point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    cells: [[char; 9]; 10],
    red_to_move: bool,
}

fn is_red(piece: char) -> bool {
    piece.is_ascii_uppercase()
}

/// All ninety points.
pub fn points() -> impl Iterator<Item = Point> {
    (0..10).flat_map(|r| (0..9).map(move |f| (f, r)))
}

/// `h2` for (7, 2).
pub fn point_name((f, r): Point) -> String {
    format!("{}{r}", char::from(b'a' + f as u8))
}

impl Board {
    /// Reads the first two fields of a FEN as [`chuhe`] writes them.
    pub fn from_fen(fen: &str) -> Board {
        let mut fields = fen.split(' ');
        let mut cells = [['.'; 9]; 10];
        for (row, line) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for c in line.chars() {
                match c.to_digit(10) {
                    Some(n) => file += n as usize,
                    None => {
                        cells[9 - row][file] = c;
                        file += 1;
                    }
                }
            }
            assert_eq!(file, 9, "{fen}");
        }
        let red_to_move = fields.next() == Some("w");
        Board { cells, red_to_move }
    }

    /// What stands there.
    pub fn at(&self, (f, r): Point) -> char {
        self.cells[r as usize][f as usize]
    }

    fn set(&mut self, (f, r): Point, c: char) {
        self.cells[r as usize][f as usize] = c;
    }

    /// The board after the move, the other side to move.
    pub fn after(&self, from: Point, to: Point) -> Board {
        let mut b = self.clone();
        b.set(to, b.at(from));
        b.set(from, '.');
        b.red_to_move = !b.red_to_move;
        b
    }

    /// The board with the other side to move.
    pub fn passed(&self) -> Board {
        Board {
            red_to_move: !self.red_to_move,
            ..self.clone()
        }
    }

    /// Pieces strictly between two points of a file or rank; `None` if they share neither.
    fn pieces_between(&self, a: Point, b: Point) -> Option<usize> {
        if (a.0 == b.0) == (a.1 == b.1) {
            return None;
        }
        let step = ((b.0 - a.0).signum(), (b.1 - a.1).signum());
        let mut p = (a.0 + step.0, a.1 + step.1);
        let mut n = 0;
        while p != b {
            n += usize::from(self.at(p) != '.');
            p = (p.0 + step.0, p.1 + step.1);
        }
        Some(n)
    }

    /// Whether the piece on `from` moves to `to` by its way of moving, an enemy or nothing
    /// standing there. What happens to the kings is another question.
    pub fn reaches(&self, from: Point, to: Point) -> bool {
        let (piece, target) = (self.at(from), self.at(to));
        if piece == '.' || from == to || (target != '.' && is_red(piece) == is_red(target)) {
            return false;
        }
        self.way(from, to)
    }

    /// [`Board::reaches`] whatever stands on `to`.
    fn way(&self, from: Point, to: Point) -> bool {
        let piece = self.at(from);
        let red = is_red(piece);
        let (df, dr) = (to.0 - from.0, to.1 - from.1);
        let (af, ar) = (df.abs(), dr.abs());
        let forward = if red { dr } else { -dr };
        // Ranks counted from the piece's own back rank.
        let own_rank = |r: i32| if red { r } else { 9 - r };
        let palace = (3..=5).contains(&to.0) && own_rank(to.1) <= 2;
        match piece.to_ascii_uppercase() {
            'K' => palace && af + ar == 1,
            'A' => palace && af == 1 && ar == 1,
            'B' => {
                let eye = (from.0 + df / 2, from.1 + dr / 2);
                af == 2 && ar == 2 && own_rank(to.1) <= 4 && self.at(eye) == '.'
            }
            'N' => {
                // Integer division leaves the long leg's first step: (2, 1) / 2 = (1, 0).
                let leg = (from.0 + df / 2, from.1 + dr / 2);
                af * ar == 2 && self.at(leg) == '.'
            }
            'R' => self.pieces_between(from, to) == Some(0),
            'C' => {
                let screens = if self.at(to) == '.' { 0 } else { 1 };
                self.pieces_between(from, to) == Some(screens)
            }
            'P' => {
                let crossed = own_rank(from.1) >= 5;
                (forward == 1 && df == 0) || (crossed && dr == 0 && af == 1)
            }
            other => panic!("piece {other:?}"),
        }
    }

    /// Whether the piece on `from` bears on `to`, be it empty or held by either side, as if an
    /// enemy stood there.
    pub fn attacks(&self, from: Point, to: Point) -> bool {
        let piece = self.at(from);
        if piece == '.' || from == to {
            return false;
        }
        if self.at(to) == '.' {
            let mut b = self.clone();
            b.set(to, if is_red(piece) { 'p' } else { 'P' });
            b.way(from, to)
        } else {
            self.way(from, to)
        }
    }

    /// Where a side's king stands.
    pub fn king(&self, red: bool) -> Point {
        let letter = if red { 'K' } else { 'k' };
        points().find(|&p| self.at(p) == letter).unwrap()
    }

    /// Whether the kings stand on one file with nothing between.
    pub fn kings_face(&self) -> bool {
        let (red, black) = (self.king(true), self.king(false));
        red.0 == black.0 && self.pieces_between(red, black) == Some(0)
    }

    /// Enemy pieces that could take the king of this side.
    pub fn checkers(&self, red: bool) -> Vec<Point> {
        let king = self.king(red);
        points()
            .filter(|&p| self.at(p) != '.' && is_red(self.at(p)) != red && self.reaches(p, king))
            .collect()
    }

    /// Whether the side to move is in check.
    pub fn in_check(&self) -> bool {
        !self.checkers(self.red_to_move).is_empty()
    }

    /// Whether the move is legal.
    pub fn legal(&self, from: Point, to: Point) -> bool {
        self.at(from) != '.'
            && is_red(self.at(from)) == self.red_to_move
            && self.reaches(from, to)
            && {
                let after = self.after(from, to);
                !after.kings_face() && after.checkers(self.red_to_move).is_empty()
            }
    }

    /// All legal moves as `h2e2`, sorted.
    pub fn legal_moves(&self) -> Vec<String> {
        let mut all = Vec::new();
        for from in points() {
            if self.at(from) != '.' && is_red(self.at(from)) == self.red_to_move {
                for to in points().filter(|&to| self.legal(from, to)) {
                    all.push(point_name(from) + &point_name(to));
                }
            }
        }
        all.sort();
        all
    }
}

/// Whether a piece can stand there at all, and (for a pawn before the river) ever have got there.
pub fn can_stand(piece: char, (f, r): Point) -> bool {
    let rank = if is_red(piece) { r } else { 9 - r };
    match piece.to_ascii_uppercase() {
        'K' => (3..=5).contains(&f) && rank <= 2,
        'A' => (f == 4 && rank == 1) || ((f == 3 || f == 5) && (rank == 0 || rank == 2)),
        'B' => match rank {
            0 | 4 => f == 2 || f == 6,
            2 => f == 0 || f == 4 || f == 8,
            _ => false,
        },
        'P' => rank >= 5 || (rank >= 3 && f % 2 == 0),
        _ => true,
    }
}

/// The generator's own test: counts that are easily found by hand.
#[test]
fn counts_by_hand() {
    let count = |fen: &str| Board::from_fen(fen).legal_moves().len();
    let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w";
    assert_eq!(count(start), 44);
    // A lone king that may not come under the other's eye.
    assert_eq!(count("4k4/9/9/9/9/9/9/9/9/3K5 w"), 1);
    // A king on the middle point has four steps, three when the other looks down one of them.
    assert_eq!(count("3k5/9/9/9/9/9/9/9/4K4/9 w"), 3);
    // A pawn between the kings may only go on along the file, though it is beyond the river.
    assert_eq!(count("4k4/9/9/4P4/9/9/9/9/9/4K4 w"), 4);
}

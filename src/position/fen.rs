//! FEN in the dialects that occur, and out in one form.
//!
//! Read: side `w`, `r` or `b` in either case, letters E/H for B/N, runs of single digits,
//! missing or extra fields, several blanks. Written: `KABNRCP`, `w`/`b`, `- -`, both counters.

use super::{Position, Setup, SetupError};
use crate::types::{Color, FILES, Piece, RANKS, Square};
use core::fmt;
use core::str::FromStr;

/// The start position.
pub const START_FEN: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

/// Why a text is no position. Ranks are numbered as on the board, 9 being the first in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FenError {
    /// Nothing but blanks.
    Empty,
    /// Not ten ranks.
    RankCount(usize),
    /// A rank that does not fill nine files.
    RankWidth {
        /// Board rank, 0..10.
        rank: usize,
        /// Number of points described.
        width: usize,
    },
    /// A letter that stands for no piece.
    BadLetter {
        /// The letter.
        letter: char,
        /// Board rank, 0..10.
        rank: usize,
    },
    /// A side to move that is none of w, r, b.
    BadSide(String),
    /// A counter that is no number or out of range.
    BadCounter(String),
    /// The arrangement cannot stand on a board.
    Setup(SetupError),
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => f.write_str("the FEN is empty"),
            FenError::RankCount(n) => {
                let ranks = if *n == 1 { "rank" } else { "ranks" };
                write!(
                    f,
                    "the board has {n} {ranks} between slashes, 10 are needed"
                )
            }
            FenError::RankWidth { rank, width } => {
                write!(f, "rank {rank} is {width} points wide, 9 are needed")
            }
            FenError::BadLetter { letter, rank } => write!(
                f,
                "{letter:?} on rank {rank} is no piece: K A B N R C P (or E, H) are, \
                 in lower case for Black"
            ),
            FenError::BadSide(s) => {
                write!(f, "side to move {s:?}: w or r (Red) or b (Black) is needed")
            }
            FenError::BadCounter(s) => write!(f, "move counter {s:?} is no number in range"),
            FenError::Setup(e) => e.fmt(f),
        }
    }
}

impl std::error::Error for FenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FenError::Setup(e) => Some(e),
            _ => None,
        }
    }
}

impl From<SetupError> for FenError {
    fn from(e: SetupError) -> FenError {
        FenError::Setup(e)
    }
}

impl FromStr for Setup {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Setup, FenError> {
        let mut fields = text.split_whitespace();
        let placement = fields.next().ok_or(FenError::Empty)?;
        let mut setup = Setup::empty();
        read_placement(placement, &mut setup)?;
        setup.stm = match fields.next() {
            None | Some("w" | "W" | "r" | "R") => Color::Red,
            Some("b" | "B") => Color::Black,
            Some(other) => return Err(FenError::BadSide(other.to_owned())),
        };
        // Fields three and four mean nothing in xiangqi; whatever follows the counters neither.
        let counter = |field: Option<&str>, max: u32, absent: u32| match field {
            None | Some("-") => Ok(absent),
            Some(t) => match t.parse::<u32>() {
                Ok(n) if n <= max => Ok(n),
                _ => Err(FenError::BadCounter(t.to_owned())),
            },
        };
        let mut fields = fields.skip(2);
        setup.quiet_plies = counter(fields.next(), 9_999, 0)? as u16;
        setup.fullmove = counter(fields.next(), 99_999, 1)?.max(1);
        Ok(setup)
    }
}

fn read_placement(text: &str, setup: &mut Setup) -> Result<(), FenError> {
    let count = text.split('/').count();
    if count != RANKS {
        return Err(FenError::RankCount(count));
    }
    for (row, line) in text.split('/').enumerate() {
        let rank = RANKS - 1 - row;
        let mut file = 0;
        for letter in line.chars() {
            if let Some(n) = letter.to_digit(10) {
                file += n as usize;
                continue;
            }
            let piece = Piece::from_fen_char(letter).ok_or(FenError::BadLetter { letter, rank })?;
            if file < FILES {
                setup.board[Square::new(rank * FILES + file).index()] = Some(piece);
            }
            file += 1;
        }
        if file != FILES {
            return Err(FenError::RankWidth { rank, width: file });
        }
    }
    Ok(())
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Position, FenError> {
        Position::from_fen(text)
    }
}

impl Position {
    /// Reads a FEN and checks that it can stand on a board.
    ///
    /// # Errors
    /// [`FenError`] names the rank, or the piece and point, and what is wrong there.
    ///
    /// ```
    /// use chuhe::position::Position;
    /// let e = Position::from_fen("4k4/9/9/4B4/9/9/9/9/9/3K5 r").unwrap_err();
    /// assert_eq!(e.to_string(), "a red elephant can never stand on e6");
    /// ```
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        Ok(Position::from_setup(&text.parse::<Setup>()?)?)
    }

    /// The position as FEN: `w`/`b`, `- -`, plies since the last capture, number of the move.
    pub fn fen(&self) -> String {
        let mut out = String::with_capacity(80);
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            for file in 0..FILES {
                match self.piece_on(Square::new(rank * FILES + file)) {
                    None => empty += 1,
                    Some(p) => {
                        push_run(&mut out, &mut empty);
                        out.push(p.fen_char());
                    }
                }
            }
            push_run(&mut out, &mut empty);
            if rank > 0 {
                out.push('/');
            }
        }
        out.push(' ');
        out.push(self.stm().fen_char());
        out.push_str(&format!(" - - {} {}", self.quiet_plies(), self.fullmove()));
        out
    }
}

fn push_run(out: &mut String, empty: &mut u32) {
    if *empty > 0 {
        out.push_str(&empty.to_string());
        *empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PieceType;

    fn error(fen: &str) -> String {
        Position::from_fen(fen).unwrap_err().to_string()
    }

    #[test]
    fn start_position() {
        let p = Position::from_fen(START_FEN).unwrap();
        assert_eq!(p, Position::startpos());
        assert_eq!(p.fen(), START_FEN);
        assert_eq!(p.pieces(Color::Black, PieceType::Pawn).count(), 5);
    }

    #[test]
    fn dialects() {
        let board = START_FEN.split(' ').next().unwrap();
        let start = Position::startpos();
        for tail in [
            "",
            " w",
            " r",
            " W",
            " R - -",
            " w - - 0",
            "  r   -  -  0   1 ",
            " w - - 0 0 x",
        ] {
            assert_eq!(
                Position::from_fen(&format!("{board}{tail}")).unwrap(),
                start,
                "{tail:?}"
            );
        }
        let alias = board
            .replace('b', "e")
            .replace('N', "H")
            .replace("9", "1233");
        assert_eq!(Position::from_fen(&alias).unwrap(), start);
        let black = Position::from_fen(&format!("{board} B - - 7 12")).unwrap();
        assert_eq!(black.fen(), format!("{board} b - - 7 12"));
    }

    #[test]
    fn faults_are_named() {
        assert_eq!(error(" \t"), "the FEN is empty");
        assert_eq!(
            error("9/9"),
            "the board has 2 ranks between slashes, 10 are needed"
        );
        assert_eq!(
            error("4k4/9/9/9/8/9/9/9/9/4K4"),
            "rank 5 is 8 points wide, 9 are needed"
        );
        assert_eq!(
            error("4k4/9/9/9/9/9/9/9/9/4K5"),
            "rank 0 is 10 points wide, 9 are needed"
        );
        assert!(error("4k4/9/9/4q4/9/9/9/9/9/4K4").starts_with("'q' on rank 6 is no piece"));
        assert!(error("4k4/9/9/9/9/9/9/9/9/3K5 x").starts_with("side to move \"x\""));
        assert!(error("4k4/9/9/9/9/9/9/9/9/3K5 w - - abc 1").contains("\"abc\""));
        assert_eq!(error("9/9/9/9/9/9/9/9/9/3K5"), "there is no black king");
        assert_eq!(
            error("4kk3/9/9/9/9/9/9/9/9/3K5"),
            "one black king too many on f9: a side has at most 1"
        );
        assert_eq!(
            error("k8/9/9/9/9/9/9/9/9/3K5"),
            "a black king can never stand on a9"
        );
        assert_eq!(
            error("4k4/9/9/9/9/9/9/9/A8/3K5"),
            "a red advisor can never stand on a1"
        );
        assert_eq!(
            error("4k4/9/9/9/9/9/9/9/9/P2K5"),
            "a red pawn can never stand on a0"
        );
        assert_eq!(
            error("4k4/9/9/9/9/9/1P7/9/9/3K5"),
            "a red pawn can never stand on b3"
        );
        assert!(error("4k4/9/9/9/9/P8/P8/9/9/3K5").starts_with("the red pawn on a4 has another"));
        assert_eq!(
            error("4k4/9/9/9/9/9/9/9/9/4K4"),
            "the kings on e0 and e9 face each other on an open file"
        );
        assert_eq!(
            error("R2k5/9/9/9/9/9/9/9/9/4K4 w"),
            "the side to move could take the king on d9 with its red rook on a9"
        );
        assert!(error("3k5/9/9/9/9/9/9/9/9/RRR1K4").contains("one red rook too many on c0"));
    }
}

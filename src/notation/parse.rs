//! Reading move text of every notation.
//!
//! Three steps: letters to [`Symbol`]s, symbols to a [`Spec`] by their pattern, and the spec to
//! the legal moves that fit it.

use super::algebraic;
use super::chinese::ChineseStyle;
use super::error::{Candidate, MoveTextError};
use super::standing::{columns, file_of_number, from_front};
use super::symbols::{Action, Order, Symbol, half_width};
use super::to_chinese;
use crate::position::Position;
use crate::types::{Bitboard, Color, Move, PieceType, Square};
use arrayvec::ArrayVec;

/// Which pieces a text can mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Which {
    /// On the file with this number.
    File(u8),
    /// 前, 中, 后 on a file with several.
    Order(Order),
    /// 前五: 前, 中, 后 on the file with this number.
    OrderOnFile(Order, u8),
    /// 一兵: counted from the front, over all files with several from the right.
    Place(u8),
    /// `15`: counted from the front on the file with this number.
    PlaceOnFile(u8, u8),
}

/// A relative move text taken apart.
#[derive(Clone, Copy, Debug)]
struct Spec {
    kind: PieceType,
    which: Which,
    action: Action,
    number: u8,
}

/// Reads a move in any notation: `h2e2`, `H2-E2`, `C2=5` with its dialects (`C2.5`, `+C=1`,
/// `C+=1`, `15=4`, H or N, E or B, any case), Chinese in either script with full- or half-width
/// digits, algebraic `Che2`. Text that fits a single legal move is that move, even where the
/// writer left out 前 or 后.
///
/// # Errors
/// [`MoveTextError`]: unknown text, no such piece, an illegal move with the reason, or several
/// candidates.
///
/// ```
/// use chuhe::{notation::parse_move, position::Position};
/// let p = Position::from_fen("4k4/9/2P1P4/9/2P1P4/9/9/9/9/3K5 w").unwrap();
/// assert_eq!(parse_move(&p, "前七平六").unwrap().to_string(), "c7d7");
/// assert_eq!(parse_move(&p, "一兵平四").unwrap().to_string(), "e7f7");
/// assert_eq!(
///     parse_move(&p, "前兵平六").unwrap_err().to_string(),
///     "前兵平六 can mean e7d7 (前五平六) or c7d7 (前七平六); write one of these"
/// );
/// ```
pub fn parse_move(position: &Position, text: &str) -> Result<Move, MoveTextError> {
    let text = text.trim();
    let whole = move_prefix(position, text).filter(|(len, _)| *len == text.len());
    match (whole, algebraic::parse(position, text)) {
        (Some((_, Ok(m))), _) => return Ok(m),
        // `H8e7` is a horse's move where it is no legal move from h8.
        (Some((_, Err(e))), other) => return other.and_then(Result::ok).ok_or(e),
        (None, Some(result)) => return result,
        (None, None) => {}
    }
    if let Some(spec) = five_letters(text) {
        return resolve(position, text, spec);
    }
    Err(MoveTextError::Unknown(text.to_owned()))
}

/// Reads the move that stands at the start of a text which may go on without a blank
/// (`炮二平五马8进7`, `h2e2h9g7`): its length in bytes and the move or what is wrong with it.
/// `None` if the text does not start like a move. Algebraic text is not looked for, since it has
/// no fixed length.
pub fn move_prefix(
    position: &Position,
    text: &str,
) -> Option<(usize, Result<Move, MoveTextError>)> {
    if let Some((len, m)) = coordinate_prefix(text) {
        return Some((len, check(position, &text[..len], m)));
    }
    let mut symbols = ArrayVec::<Symbol, 4>::new();
    let mut letters = ArrayVec::<char, 4>::new();
    let mut len = 0;
    for c in text.chars().take(4) {
        symbols.push(Symbol::read(c)?);
        letters.push(c);
        len += c.len_utf8();
    }
    let symbols = symbols.into_inner().ok()?;
    let spec = four_symbols(symbols, letters[1])?;
    Some((len, resolve(position, &text[..len], spec)))
}

/// `h2e2`, `H2-E2`, in either width.
fn coordinate_prefix(text: &str) -> Option<(usize, Move)> {
    let mut points = [0_u8; 4];
    let mut n = 0;
    for (at, c) in text.char_indices() {
        let c = half_width(c);
        if n == 2 && matches!(c, '-' | '–' | '—') {
            continue;
        }
        points[n] = match (n % 2, c) {
            (0, 'a'..='i') => c as u8 - b'a',
            (0, 'A'..='I') => c as u8 - b'A',
            (1, '0'..='9') => c as u8 - b'0',
            _ => return None,
        };
        n += 1;
        if n == 4 {
            let square = |f: u8, r: u8| Square::from_file_rank(i32::from(f), i32::from(r));
            let (from, to) = (square(points[0], points[1])?, square(points[2], points[3])?);
            let len = at + text[at..].chars().next().map_or(0, char::len_utf8);
            return (from != to).then(|| (len, Move::new(from, to)));
        }
    }
    None
}

fn check(position: &Position, text: &str, m: Move) -> Result<Move, MoveTextError> {
    if position.is_legal(m) {
        Ok(m)
    } else {
        Err(MoveTextError::Illegal {
            text: text.to_owned(),
            mv: Some(m),
            why: why_illegal(position, m),
        })
    }
}

pub(super) fn why_illegal(position: &Position, m: Move) -> &'static str {
    match position.clone().play(m) {
        Ok(()) => "it cannot be played",
        Err(e) => e.why,
    }
}

/// The patterns of four letters. `second` is the second letter as it stands, for `Pa+1`.
fn four_symbols(symbols: [Symbol; 4], second: char) -> Option<Spec> {
    let [a, b, action, number] = symbols;
    let (Some(action), Symbol::Digit(number)) = (action.action(), number) else {
        return None;
    };
    let pawn = PieceType::Pawn;
    let (kind, which) = match (a, b) {
        (Symbol::Piece(kind), Symbol::Digit(file)) => (kind, Which::File(file)),
        (Symbol::Digit(place), Symbol::Piece(PieceType::Pawn)) => (pawn, Which::Place(place)),
        (Symbol::Digit(place), Symbol::Digit(file)) => (pawn, Which::PlaceOnFile(place, file)),
        // XQWizard's `Pa` to `Pe` for 一兵 to 五兵.
        (Symbol::Piece(PieceType::Pawn), Symbol::Piece(_)) => match second {
            'a'..='e' => (pawn, Which::Place(second as u8 - b'a' + 1)),
            _ => return None,
        },
        (Symbol::Piece(kind), order) => (kind, Which::Order(order.order()?)),
        (order, Symbol::Piece(kind)) => (kind, Which::Order(order.order()?)),
        (order, Symbol::Digit(file)) => (pawn, Which::OrderOnFile(order.order()?, file)),
        _ => return None,
    };
    Some(Spec {
        kind,
        which,
        action,
        number,
    })
}

/// `前兵五平六`, `前五兵平六`: order, piece and file all named.
fn five_letters(text: &str) -> Option<Spec> {
    let mut symbols = ArrayVec::<Symbol, 5>::new();
    for c in text.chars() {
        symbols.try_push(Symbol::read(c)?).ok()?;
    }
    let [a, b, c, action, number] = symbols.into_inner().ok()?;
    let (kind, file) = match (b, c) {
        (Symbol::Piece(kind), Symbol::Digit(file)) | (Symbol::Digit(file), Symbol::Piece(kind)) => {
            (kind, file)
        }
        _ => return None,
    };
    let Symbol::Digit(number) = number else {
        return None;
    };
    Some(Spec {
        kind,
        which: Which::OrderOnFile(a.order()?, file),
        action: action.action()?,
        number,
    })
}

/// The one of a file's pieces that an order word means; several for 中 of four.
fn in_order(color: Color, column: Bitboard, order: Order) -> Bitboard {
    let count = column.count() as usize;
    from_front(color, column)
        .enumerate()
        .filter(|&(i, _)| match order {
            Order::Front => i == 0,
            Order::Back => i + 1 == count,
            Order::Middle => i > 0 && i + 1 < count && (count != 5 || i == 2),
        })
        .map(|(_, s)| s)
        .collect()
}

/// The pieces a spec can mean.
fn pieces_meant(position: &Position, spec: &Spec) -> Bitboard {
    let color = position.stm();
    let own = position.pieces(color, spec.kind);
    let on_file = |n| own & Bitboard::file(file_of_number(color, n));
    match spec.which {
        Which::File(n) => on_file(n),
        Which::Order(order) => columns(color, own).fold(Bitboard::EMPTY, |all, column| {
            all | in_order(color, column, order)
        }),
        Which::OrderOnFile(order, n) => {
            let column = on_file(n);
            if column.several() {
                in_order(color, column, order)
            } else {
                Bitboard::EMPTY
            }
        }
        Which::Place(place) => columns(color, own)
            .flat_map(|column| from_front(color, column))
            .nth(usize::from(place) - 1)
            .into_iter()
            .collect(),
        Which::PlaceOnFile(place, n) => from_front(color, on_file(n))
            .nth(usize::from(place) - 1)
            .into_iter()
            .collect(),
    }
}

/// Where a piece gets by the spec; `None` off the board or against its way of moving.
fn target(color: Color, from: Square, spec: &Spec) -> Option<Square> {
    let n = i32::from(spec.number);
    let forward = match color {
        Color::Red => 1,
        Color::Black => -1,
    };
    let (file, rank) = (from.file() as i32, from.rank() as i32);
    let named = file_of_number(color, spec.number) as i32;
    let sign = match spec.action {
        Action::Traverse => 0,
        Action::Advance => forward,
        Action::Retreat => -forward,
    };
    let steps = (named - file).abs();
    let to = match spec.kind {
        PieceType::King | PieceType::Rook | PieceType::Cannon | PieceType::Pawn => {
            if sign == 0 {
                (named, rank)
            } else {
                (file, rank + sign * n)
            }
        }
        _ if sign == 0 => return None,
        PieceType::Advisor if steps == 1 => (named, rank + sign),
        PieceType::Bishop if steps == 2 => (named, rank + 2 * sign),
        PieceType::Knight if steps == 1 || steps == 2 => (named, rank + sign * (3 - steps)),
        _ => return None,
    };
    Square::from_file_rank(to.0, to.1).filter(|&s| s != from)
}

/// The legal move that fits, if there is exactly one.
fn resolve(position: &Position, text: &str, spec: Spec) -> Result<Move, MoveTextError> {
    let color = position.stm();
    let meant = pieces_meant(position, &spec);
    if meant.is_empty() {
        return Err(MoveTextError::NoPiece {
            text: text.to_owned(),
            color,
            kind: spec.kind,
        });
    }
    let mut legal = ArrayVec::<Move, 5>::new();
    let mut illegal = None;
    // From the side's right to its left, so that candidates are named in reading order.
    for from in from_front(color, meant) {
        let Some(to) = target(color, from, &spec) else {
            continue;
        };
        let m = Move::new(from, to);
        if position.is_legal(m) {
            // A side has at most five pieces of a kind.
            let _ = legal.try_push(m);
        } else {
            illegal = Some(m);
        }
    }
    match (legal.as_slice(), illegal) {
        (&[m], _) => Ok(m),
        ([], Some(m)) => Err(MoveTextError::Illegal {
            text: text.to_owned(),
            mv: Some(m),
            why: why_illegal(position, m),
        }),
        ([], None) => Err(MoveTextError::Illegal {
            text: text.to_owned(),
            mv: None,
            why: "the piece does not move that way",
        }),
        (several, _) => Err(ambiguous(position, text, several)),
    }
}

pub(super) fn ambiguous(position: &Position, text: &str, moves: &[Move]) -> MoveTextError {
    MoveTextError::Ambiguous {
        text: text.to_owned(),
        candidates: moves
            .iter()
            .map(|&mv| Candidate {
                mv,
                chinese: to_chinese(position, mv, ChineseStyle::default()),
            })
            .collect(),
    }
}

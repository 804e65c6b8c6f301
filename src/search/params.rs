//! The search's numbers that are found by play, declared once: value and step. A parameter may
//! range ten steps to either side. In a build with feature `tune` they are options of the
//! protocols (`tune_` and the name) for `chuhe tune --prefix tune_`; otherwise they are constants
//! and cost nothing.

/// A parameter as `tune` sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    /// Name of the option.
    pub name: &'static str,
    /// Value in use.
    pub default: i32,
    /// Least value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
}

macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:expr, $step:expr;)*) => {
        /// Values of all parameters.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct Params {
            $($(#[$doc])* pub $name: i32,)*
        }

        impl Params {
            /// The values in use.
            pub const DEFAULT: Params = Params { $($name: $default,)* };

            /// All parameters in the order of declaration.
            pub const ALL: &'static [Param] = &[$(Param {
                name: concat!("tune_", stringify!($name)),
                default: $default,
                min: $default - 10 * $step,
                max: $default + 10 * $step,
            },)*];

            /// Sets the parameter of this number in [`Params::ALL`]; others are disregarded.
            pub fn set(&mut self, index: usize, value: i32) {
                let places = [$(&mut self.$name,)*];
                if let Some(place) = places.into_iter().nth(index) {
                    *place = value;
                }
            }
        }
    };
}

params! {
    /// Reverse futility: margin a ply, in centipawns.
    rfp_margin: 75, 5;
    /// Razoring: margin at depth 0, in centipawns.
    razor_base: 180, 15;
    /// Razoring: margin a ply.
    razor_margin: 220, 15;
    /// Null move: how far the static evaluation may lie below beta at depth 0.
    null_eval_base: 120, 10;
    /// Null move: what that loses a ply.
    null_eval_margin: 20, 1;
    /// Null move: evaluation above beta for one ply more of reduction.
    null_eval_divisor: 180, 10;
    /// ProbCut: margin above beta.
    prob_cut_margin: 190, 10;
    /// History pruning: worst history a ply.
    history_prune: 5_000, 300;
    /// Futility: margin at depth 0.
    futility_base: 110, 8;
    /// Futility: margin a ply.
    futility_margin: 85, 6;
    /// SEE pruning of quiet moves: centipawns a ply squared.
    see_quiet: 28, 2;
    /// SEE pruning of captures: centipawns a ply.
    see_capture: 110, 8;
    /// Late move reductions: constant part, 1/1024 ply.
    lmr_base: 614, 40;
    /// Late move reductions: divisor of the logarithms' product, hundredths.
    lmr_divisor: 220, 10;
    /// Reduction more off the principal variation, 1/1024 ply.
    lmr_not_pv: 700, 60;
    /// Reduction more at expected cut nodes.
    lmr_cut_node: 1_100, 80;
    /// Reduction more when the evaluation does not improve.
    lmr_not_improving: 500, 45;
    /// Reduction more when the table move is a capture.
    lmr_table_capture: 500, 45;
    /// Reduction less for checks.
    lmr_check: 900, 70;
    /// Reduction less for refutations.
    lmr_refutation: 900, 70;
    /// History for one ply of reduction less, in units of 1024.
    lmr_history: 12, 1;
    /// Quiescence: what a capture may fall short of alpha.
    quiescence_margin: 150, 12;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_set_by_its_number() {
        for (i, param) in Params::ALL.iter().enumerate() {
            assert!(param.min <= param.default && param.default <= param.max);
            let mut changed = Params::DEFAULT;
            changed.set(i, param.default + 1);
            assert_ne!(changed, Params::DEFAULT, "{}", param.name);
            changed.set(i, param.default);
            assert_eq!(changed, Params::DEFAULT);
        }
        // Divisors may not reach zero.
        for name in [
            "tune_lmr_divisor",
            "tune_lmr_history",
            "tune_null_eval_divisor",
        ] {
            let param = Params::ALL.iter().find(|p| p.name == name).unwrap();
            assert!(param.min > 0, "{name}");
        }
    }
}

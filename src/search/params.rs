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
    rfp_margin: 84, 5;
    /// Razoring: margin at depth 0, in centipawns.
    razor_base: 173, 15;
    /// Razoring: margin a ply.
    razor_margin: 248, 15;
    /// Null move: how far the static evaluation may lie below beta at depth 0.
    null_eval_base: 104, 10;
    /// Null move: what that loses a ply.
    null_eval_margin: 18, 1;
    /// Null move: reduction at depth 0, 1/1024 ply.
    null_base: 3_668, 200;
    /// Null move: reduction a ply of depth, 1/1024 ply.
    null_slope: 314, 20;
    /// Null move: evaluation above beta for one ply more of reduction.
    null_eval_divisor: 164, 10;
    /// ProbCut: margin above beta.
    prob_cut_margin: 177, 10;
    /// Late move pruning: moves looked at at depth 0, hundredths.
    lmp_base: 496, 30;
    /// Late move pruning: moves more a ply squared, hundredths.
    lmp_slope: 107, 7;
    /// History pruning: worst history a ply.
    history_prune: 4_909, 300;
    /// Futility: margin at depth 0.
    futility_base: 101, 8;
    /// Futility: margin a ply.
    futility_margin: 79, 6;
    /// Futility: history for one centipawn of margin.
    futility_history: 151, 12;
    /// SEE pruning of quiet moves: centipawns a ply squared.
    see_quiet: 27, 2;
    /// SEE pruning of captures: centipawns a ply.
    see_capture: 98, 8;
    /// Late move reductions: constant part, 1/1024 ply.
    lmr_base: 693, 40;
    /// Late move reductions: divisor of the logarithms' product, hundredths.
    lmr_divisor: 210, 10;
    /// Reduction more off the principal variation, 1/1024 ply.
    lmr_not_pv: 649, 60;
    /// Reduction less where the principal variation has passed.
    lmr_was_pv: 459, 45;
    /// Reduction more where the moves before were refuted often.
    lmr_cutoffs: 565, 45;
    /// Reduction less for captures.
    lmr_capture: 668, 45;
    /// Reduction more at expected cut nodes.
    lmr_cut_node: 1_307, 80;
    /// Reduction more when the evaluation does not improve.
    lmr_not_improving: 479, 45;
    /// Reduction more when the table move is a capture.
    lmr_table_capture: 487, 45;
    /// Reduction less for checks.
    lmr_check: 817, 70;
    /// Reduction less for refutations.
    lmr_refutation: 937, 70;
    /// History for one ply of reduction less, in units of 1024.
    lmr_history: 14, 1;
    /// Singular extension: margin a ply below the table's score, sixteenths.
    singular_margin: 34, 3;
    /// Singular extension: margin for two plies.
    singular_double: 22, 2;
    /// Aspiration: half the first window.
    window: 14, 1;
    /// Histories: bonus a ply.
    bonus_slope: 162, 12;
    /// Histories: greatest bonus.
    bonus_limit: 1_693, 120;
    /// Corrections of the evaluation: weight, 1/256.
    correction_weight: 240, 24;
    /// Quiescence: what a capture may fall short of alpha.
    quiescence_margin: 184, 12;
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
            "tune_futility_history",
        ] {
            let param = Params::ALL.iter().find(|p| p.name == name).unwrap();
            assert!(param.min > 0, "{name}");
        }
    }
}

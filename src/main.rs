//! The binary: see `chuhe --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    chuhe::cli::main()
}

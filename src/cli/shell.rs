//! `chuhe completions` and `chuhe man`: made from the same definition as the help.

use super::{Cli, CliError, CliResult};
use clap::CommandFactory;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Print a completion script for a shell
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  chuhe completions bash > \
    ~/.local/share/bash-completion/completions/chuhe\n  chuhe completions fish > \
    ~/.config/fish/completions/chuhe.fish")]
pub(super) struct CompletionsArgs {
    /// The shell
    shell: clap_complete::Shell,
}

pub(super) fn completions(args: &CompletionsArgs) -> CliResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "chuhe", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

/// Write manual pages into a folder
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  chuhe man ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// The folder; made if it is not there
    #[arg(value_name = "DIR")]
    dir: PathBuf,
}

pub(super) fn man(args: &ManArgs) -> CliResult {
    let failed = |path: &Path, e: std::io::Error| {
        CliError::Input(format!("{}: cannot be written: {e}", path.display()))
    };
    std::fs::create_dir_all(&args.dir).map_err(|e| failed(&args.dir, e))?;
    let mut cli = Cli::command();
    cli.build();
    let hidden = |c: &&clap::Command| !c.is_hide_set() && c.get_name() != "help";
    for command in std::iter::once(&cli).chain(cli.get_subcommands().filter(hidden)) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        let path = args.dir.join(format!("{name}.1"));
        let mut page = Vec::new();
        clap_mangen::Man::new(command.clone().display_name(name.to_owned())).render(&mut page)?;
        std::fs::write(&path, page).map_err(|e| failed(&path, e))?;
    }
    Ok(ExitCode::SUCCESS)
}

//! What `asl lsp` is given.
use clap::Args;

/// What `asl lsp` is given.
#[derive(Debug, Args)]
#[command(
    after_help = "Editors start it: it speaks the Language Server Protocol on stdin and stdout. How to set up VS Code, Neovim, Helix and Emacs is told in editors/README.md."
)]
pub(crate) struct LspArguments {
    /// Taken since many clients add it: there is no other way
    #[arg(long)]
    stdio: bool,
}

//! The arguments of `asl lsp`.
use clap::Args;

/// Arguments of `asl lsp`.
#[derive(Debug, Args)]
#[command(
    after_help = "Editors start this command and speak the Language Server Protocol on stdin and stdout. See editors/README.md to set up VS Code, Neovim, Helix or Emacs."
)]
pub(crate) struct LspArguments {
    /// Accepted for compatibility; stdio is always used
    #[arg(long)]
    stdio: bool,
}

//! `footnote verify` (`cli/src/verify.rs`) as an example of core.

fn main() -> std::process::ExitCode {
    footnote_cli::run_as("verify")
}

//! `footnote evaluate` (`cli/src/evaluate`) as an example of core.

fn main() -> std::process::ExitCode {
    footnote_cli::run_as("evaluate")
}

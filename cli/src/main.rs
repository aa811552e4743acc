//! The program `footnote`; what it does stands in the library.

fn main() -> std::process::ExitCode {
    footnote_cli::run(std::env::args_os())
}

//! The program `footnote`; everything it does is in the library.

fn main() -> std::process::ExitCode {
    footnote_cli::run(std::env::args_os())
}

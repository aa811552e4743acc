//! `cargo xtask serve`: builds the page and serves it.

use crate::build;
use crate::shell::Result;
use xtask::paths;
use xtask::server::StaticServer;

const PORT: u16 = 8080;

pub fn run_all() -> Result {
    build::run_all()?;
    let server = StaticServer::start(paths::dist(), PORT).map_err(|error| {
        format!(
            "port {PORT} cannot be used ({error}). End the program that uses it, then try again"
        )
    })?;
    println!("\nFootnote is at {}  (end with Ctrl-C)", server.url());
    server.wait();
    Ok(())
}

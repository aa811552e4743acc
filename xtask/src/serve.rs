//! `cargo xtask serve`: builds the page and serves it, as soon as it can be used.

use crate::shell::Result;
use crate::{build, prepare};
use xtask::paths;
use xtask::server::StaticServer;

const PORT: u16 = 8080;

pub fn run_all() -> Result {
    println!(
        "Building the page. If nothing is built yet, two cores take about 15 minutes for all of it. \
         The page can be used before the embedding model's worker is built."
    );
    // First, because a port that is taken would waste all the rest.
    let server = start()?;
    let tools = prepare::for_build()?;
    build::page_in_steps(&tools, || {
        println!("\nFootnote is at {}  (end with Ctrl-C)", server.url());
        println!("It can be used. The embedding model's worker is still being built.\n");
        Ok(())
    })?;
    build::report_sizes()?;
    println!(
        "\nEverything is built. Reload {} if it is open.",
        server.url()
    );
    server.wait();
    Ok(())
}

fn start() -> Result<StaticServer> {
    StaticServer::start(paths::dist(), PORT).map_err(|error| {
        format!(
            "port {PORT} cannot be used ({error}). End the program that uses it, then try again"
        )
    })
}

//! Installs the real services of the tests, with pinned versions, each into a Python environment of
//! its own under `target/tools/services`. Fast if they are there.

use std::path::Path;
use std::process::Command;

use xtask::paths;
use xtask::postgres::Postgres;

use crate::prepare;
use crate::shell::{Result, run};
use crate::test::Extent;

/// Installs the services; `args` are empty, `--all`, or `postgres`, which also runs that service.
pub fn run_all(args: &[String]) -> Result {
    prepare::for_python()?;
    if let [name] = args
        && name == "postgres"
    {
        environment("postgres")?;
        return run_postgres();
    }
    install(Extent::of(args)?)
}

/// Installs LiteLLM's proxy and PostgreSQL, which are downloads, and for `--all` also llama.cpp's
/// server, which takes five minutes to build from source on two cores.
pub fn install(extent: Extent) -> Result {
    environment("litellm")?;
    environment("postgres")?;
    if extent == Extent::All {
        prepare::for_cpp()?;
        environment("llama")?;
    }
    Ok(())
}

/// Runs a PostgreSQL that keeps its data, until this program is stopped.
fn run_postgres() -> Result {
    let folder = paths::target().join("services/postgres");
    let mut server = Postgres::start(&folder, &[])?;
    println!(
        "PostgreSQL with pgvector runs until Ctrl-C; its data are in {}. Its address:\n{}",
        folder.display(),
        server.address("postgres")
    );
    server.wait().map_err(|error| error.to_string())
}

/// Prepares the environment of `tests/services/NAME-requirements.txt`. A complete environment
/// contains a copy of the list; if the list changes, the environment is made again.
fn environment(name: &str) -> Result {
    let list = paths::root().join(format!("tests/services/{name}-requirements.txt"));
    let wanted =
        std::fs::read_to_string(&list).map_err(|error| format!("{error}: {}", list.display()))?;
    let folder = paths::services().join(name);
    let complete = folder.join("requirements.txt");
    if std::fs::read_to_string(&complete).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(&folder))?;
    run(&mut pip_install(&folder.join("bin/python"), &list))?;
    std::fs::write(&complete, wanted).map_err(|error| format!("{error}: {}", complete.display()))
}

fn pip_install(python: &Path, list: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    // Without `--no-compile`, most of the time goes to compiling modules that nothing imports.
    pip.args(["install", "--no-deps", "--no-compile", "-r"])
        .arg(list);
    pip
}

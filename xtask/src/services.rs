//! Installs the real language model services of the tests, with pinned versions, each into a Python
//! environment of its own under `target/tools/services`. Fast if they are there.

use std::path::Path;
use std::process::Command;

use xtask::paths;

use crate::prepare;
use crate::shell::{Result, run};
use crate::test::Extent;

/// Installs the services; `args` are empty or `--all`.
pub fn run_all(args: &[String]) -> Result {
    let extent = Extent::of(args)?;
    prepare::for_python()?;
    install(extent)
}

/// Installs LiteLLM's proxy, which is a download, and for `--all` also llama.cpp's server, which
/// takes five minutes to build from source on two cores.
pub fn install(extent: Extent) -> Result {
    environment("litellm")?;
    if extent == Extent::All {
        prepare::for_cpp()?;
        environment("llama")?;
    }
    Ok(())
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
    pip.args(["install", "--no-deps", "-r"]).arg(list);
    pip
}

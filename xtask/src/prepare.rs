//! Checks what a build or test needs and installs what is missing. Fast if nothing is missing.
//!
//! As root on Debian it installs; otherwise it prints the one command to run. Tools that have to be
//! built from source go to `target/tools`.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::shell::{Result, output, run, version};
use crate::wasm_libc;
use xtask::paths;

/// From npm, because Debian's wasm-opt 108 breaks modules that use reference types.
const BINARYEN: &str = "132.0.0";

/// Finds barriers in a page; `tests/e2e/accessibility.rs` runs it.
const AXE: &str = "4.14.1";

/// What the commands of a build need in their environment.
#[derive(Clone, Default)]
pub struct Toolchain {
    path: Vec<PathBuf>,
    /// For wasm32 builds only.
    wasm_env: Vec<(String, String)>,
    /// The cargo for wasm32: Debian's, if rustup has no standard library for the target.
    wasm_cargo: Option<PathBuf>,
}

impl Toolchain {
    /// A command that finds the prepared tools first.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(paths::root());
        if let Some(path) = self.search_path() {
            command.env("PATH", path);
        }
        command
    }

    /// A command that builds for wasm32, in that target's own folder.
    pub fn wasm_command(&self, program: &str) -> Command {
        let program = match (&self.wasm_cargo, program) {
            (Some(cargo), "cargo") => cargo.to_string_lossy().into_owned(),
            _ => program.to_owned(),
        };
        let mut command = self.command(&program);
        command
            .env("CARGO_TARGET_DIR", paths::wasm_target())
            .envs(self.wasm_env.iter().map(|(name, value)| (name, value)));
        // Set by the `cargo` that runs this program; they would pin the native toolchain.
        for inherited in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTC", "RUSTDOC"] {
            if self.wasm_cargo.is_some() && !self.wasm_env.iter().any(|(name, _)| name == inherited)
            {
                command.env_remove(inherited);
            }
        }
        command
    }

    fn search_path(&self) -> Option<std::ffi::OsString> {
        let old = std::env::var_os("PATH").unwrap_or_default();
        std::env::join_paths(self.path.iter().cloned().chain(std::env::split_paths(&old))).ok()
    }
}

/// Prepares everything needed to build the page.
pub fn for_build() -> Result<Toolchain> {
    let mut missing = Vec::new();
    if newest_clang().is_none() {
        missing.extend(clang_packages()?);
    }
    if version("ccache").is_none() {
        missing.push("ccache".to_owned());
    }
    if version("npm").is_none() {
        missing.extend(["nodejs".to_owned(), "npm".to_owned()]);
    }
    install(&missing)?;
    let mut tools = Toolchain {
        path: vec![paths::tools().join("npm/node_modules/.bin")],
        ..Toolchain::default()
    };
    wasm_target(&mut tools)?;
    let (clang, archiver) =
        newest_clang().ok_or("no clang that can compile for wasm32 was found")?;
    wasm_libc::write_config(&clang, &archiver)?;
    npm_package("binaryen", BINARYEN)?;
    Ok(tools)
}

/// Prepares what the browser tests need in addition.
pub fn for_browser() -> Result {
    let mut missing = Vec::new();
    if version("chromium").is_none() {
        missing.push("chromium".to_owned());
    }
    if version("chromedriver").is_none() {
        missing.push("chromium-driver".to_owned());
    }
    if version("firefox-esr").is_none() {
        missing.push("firefox-esr".to_owned());
    }
    install(&missing)?;
    npm_package("axe-core", AXE).map(drop)
}

/// Prepares a Vulkan adapter for the tests of the GPU's kernels: Mesa's drivers include one that
/// runs on the processor.
pub fn for_gpu() -> Result {
    let has_driver =
        |folder: &str| std::fs::read_dir(folder).is_ok_and(|mut it| it.next().is_some());
    let folders = ["/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"];
    if !cfg!(target_os = "linux") || folders.iter().any(|folder| has_driver(folder)) {
        return Ok(());
    }
    install(&["mesa-vulkan-drivers".to_owned()])
}

/// Prepares Python with pip and virtual environments, for downloading archives and building models.
pub fn for_python() -> Result {
    let usable = Command::new("python3")
        .args(["-c", "import pip, venv"])
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let packages = ["python3", "python3-pip", "python3-venv"].map(str::to_owned);
    if usable { Ok(()) } else { install(&packages) }
}

/// Prepares a C++ compiler, which llama.cpp needs.
pub fn for_cpp() -> Result {
    match version("c++") {
        Some(_) => Ok(()),
        None => install(&["g++".to_owned()]),
    }
}

fn install(packages: &[String]) -> Result {
    if packages.is_empty() {
        return Ok(());
    }
    let root = output(Command::new("id").arg("-u")).is_ok_and(|id| id == "0");
    if !root || version("apt-get").is_none() {
        return Err(format!(
            "some tools are missing. On Debian this installs them: sudo apt-get install {}",
            packages.join(" ")
        ));
    }
    run(Command::new("apt-get").arg("update").arg("-qq"))?;
    run(Command::new("apt-get")
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(["install", "-y", "-qq", "--no-install-recommends"])
        .args(packages)
        .stdout(Stdio::null()))
}

/// The newest clang on the search path, with its archiver.
fn newest_clang() -> Option<(String, String)> {
    let suffixes = (15..=30)
        .rev()
        .map(|number| format!("-{number}"))
        .chain([String::new()]);
    suffixes
        .map(|suffix| (format!("clang{suffix}"), format!("llvm-ar{suffix}")))
        .find(|(clang, archiver)| version(clang).is_some() && version(archiver).is_some())
}

/// The newest clang that Debian offers here, with its archiver and linker.
fn clang_packages() -> Result<Vec<String>> {
    if version("apt-get").is_some() {
        let _ = run(Command::new("apt-get").arg("update").arg("-qq"));
    }
    let listed = output(Command::new("apt-cache").args(["pkgnames", "clang-"])).unwrap_or_default();
    let newest = listed
        .lines()
        .filter_map(|name| name.strip_prefix("clang-")?.parse::<u32>().ok())
        .max();
    let suffix = newest
        .map(|number| format!("-{number}"))
        .unwrap_or_default();
    Ok(["clang", "lld", "llvm"]
        .map(|name| format!("{name}{suffix}"))
        .to_vec())
}

/// The standard library for wasm32: rustup's, else Debian's compiler, which builds it from source.
fn wasm_target(tools: &mut Toolchain) -> Result {
    let target = "wasm32-unknown-unknown";
    let installed = || {
        output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]))
            .is_ok_and(|folder| PathBuf::from(folder).is_dir())
    };
    if installed() {
        return Ok(());
    }
    if version("rustup").is_some() {
        let added = run(Command::new("rustup").args(["target", "add", target]));
        if added.is_ok() && installed() {
            return Ok(());
        }
        println!(
            "rustup could not add {target}; using Debian's compiler and building std from source"
        );
    }
    let packages = ["rustc-web", "cargo-web", "rust-web-src", "rust-web-clippy"];
    install(&packages.map(str::to_owned))?;
    let (clang, _) = newest_clang().ok_or("no clang was found")?;
    let linker = clang.replace("clang", "wasm-ld");
    tools.path.insert(0, PathBuf::from("/usr/bin"));
    tools.wasm_cargo = Some(PathBuf::from("/usr/bin/cargo"));
    tools.wasm_env = [
        ("RUSTC", "/usr/bin/rustc"),
        ("RUSTC_BOOTSTRAP", "1"),
        ("CARGO_UNSTABLE_BUILD_STD", "std,panic_abort"),
        (
            "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER",
            linker.as_str(),
        ),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .to_vec();
    Ok(())
}

/// Installs a package from npm below `target/tools`, unless it is there in this version; the folder
/// of all such packages. Its scripts do not run.
pub fn npm_package(name: &str, wanted: &str) -> Result<PathBuf> {
    let folder = paths::tools().join("npm");
    let modules = folder.join("node_modules");
    let manifest = std::fs::read_to_string(modules.join(name).join("package.json"));
    if manifest.is_ok_and(|text| text.contains(&format!("\"version\": \"{wanted}\""))) {
        return Ok(modules);
    }
    std::fs::create_dir_all(&folder).map_err(|error| format!("{error}: {}", folder.display()))?;
    run(Command::new("npm")
        .args(["install", "--silent", "--no-fund", "--no-audit"])
        .args(["--ignore-scripts", "--prefix"])
        .arg(&folder)
        .arg(format!("{name}@{wanted}")))?;
    Ok(modules)
}

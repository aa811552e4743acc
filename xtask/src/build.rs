//! `cargo xtask build`: builds everything that the release page needs, and reports its size.

use crate::offline;
use crate::prepare::{self, Toolchain};
use crate::shell::{Result, output};
use xtask::paths;

/// Prepares and builds everything into `dist`.
pub fn run_all() -> Result {
    let tools = prepare::for_build()?;
    page(&tools)?;
    report_sizes()
}

/// Builds the page and packs it.
pub fn dist() -> Result {
    run_all()?;
    let (path, sha256) = xtask::dist::write()?;
    println!("{sha256}  {}", path.display());
    Ok(())
}

/// Builds the page and its workers into `dist`.
pub fn page(tools: &Toolchain) -> Result {
    crate::page::build(tools, None)?;
    offline::list_files()
}

/// Builds the page and its workers into `dist`, and calls `usable` as soon as the page works. What
/// is still missing then only makes its ranks better.
pub fn page_in_steps(tools: &Toolchain, mut usable: impl FnMut() -> Result) -> Result {
    let mut listed = || offline::list_files().and_then(|()| usable());
    crate::page::build(tools, Some(&mut listed))?;
    offline::list_files()
}

/// Prints how large each wasm file is, as served and with brotli.
pub fn report_sizes() -> Result {
    for (name, bytes, brotli) in sizes()? {
        println!(
            "{name}: {:.2} MB, {:.2} MB with brotli",
            bytes as f64 / 1e6,
            brotli as f64 / 1e6
        );
    }
    Ok(())
}

/// The name of each wasm file in `dist`, its bytes, and its bytes after brotli (quality 9), by
/// name.
pub fn sizes() -> Result<Vec<(String, u64, u64)>> {
    let script = "const z=require('zlib'),fs=require('fs');\
        for(const f of fs.readdirSync('.').filter(f=>f.endsWith('.wasm')).sort()){\
        const b=fs.readFileSync(f),c=z.brotliCompressSync(b,{params:{[z.constants.BROTLI_PARAM_QUALITY]:9}});\
        console.log(f,b.length,c.length)}";
    let listed = output(
        std::process::Command::new("node")
            .args(["-e", script])
            .current_dir(paths::dist()),
    )?;
    let parsed = listed.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        Some((
            words.next()?.to_owned(),
            words.next()?.parse().ok()?,
            words.next()?.parse().ok()?,
        ))
    });
    Ok(parsed.collect())
}

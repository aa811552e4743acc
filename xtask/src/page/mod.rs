//! The release page in `dist`: `index.html` says what belongs to it ([`mod@links`]).

pub mod binary;
mod links;

use std::path::Path;
use std::sync::mpsc;
use std::thread;

use self::binary::{Binary, Kind};
use self::links::{Link, links};
use crate::prepare::Toolchain;
use crate::relaxed;
use crate::shell::Result;
use xtask::paths;

/// Starts the page's program; an inline script would violate the Content-Security-Policy.
const START: &str = "<script type=\"module\" src=\"start.js\"></script>";

/// Builds the page and its workers into an empty `dist`. With `usable`, the page is put together
/// and that called as soon as it works without what is still being built.
pub fn build(tools: &Toolchain, usable: Option<&mut dyn FnMut() -> Result>) -> Result {
    let source = paths::root().join("index.html");
    let html = std::fs::read_to_string(&source).map_err(|error| told(&source, &error))?;
    let dist = paths::dist();
    if dist.exists() {
        std::fs::remove_dir_all(&dist).map_err(|error| told(&dist, &error))?;
    }
    std::fs::create_dir_all(&dist).map_err(|error| told(&dist, &error))?;
    let mut binaries = Vec::new();
    let mut written = String::new();
    let mut after = 0;
    for link in links(&html) {
        written += html.get(after..link.at.start).unwrap_or_default();
        after = link.at.end;
        written += &match link.get("rel") {
            Some("rust") => {
                let binary = Binary::of(&link)?;
                let element = element(&binary);
                binaries.push(binary);
                element
            }
            Some("css") => format!("<link rel=\"stylesheet\" href=\"./{}\">", copied(&link)?),
            Some("copy-file" | "copy-dir") => copied(&link).map(|_| String::new())?,
            other => return Err(format!("index.html: nothing builds a link {other:?}")),
        };
    }
    written += html.get(after..).unwrap_or_default();
    let target = dist.join("index.html");
    let write = || std::fs::write(&target, &written).map_err(|error| told(&target, &error));
    programs(tools, &binaries, || match usable {
        Some(usable) => write().and_then(|()| usable()),
        None => Ok(()),
    })?;
    // Last, so that a page whose programs are missing is not taken for a built one.
    write()
}

/// The element that stands for a program in the page. The browser fetches the page's own program
/// while it still reads the rest; that program starts the workers.
fn element(binary: &Binary) -> String {
    let name = &binary.out;
    match binary.kind {
        Kind::Page => format!(
            "{START}\n  <link rel=\"modulepreload\" href=\"./{name}.js\" crossorigin=\"anonymous\">\n  \
             <link rel=\"preload\" href=\"./{name}_bg.wasm\" crossorigin=\"anonymous\" as=\"fetch\" \
             type=\"application/wasm\">"
        ),
        Kind::Worker => String::new(),
    }
}

/// Builds the programs, and calls `usable` once those are there that the page cannot do without.
/// Cargo compiles one program of a profile after the other; what else a program needs is done while
/// the next one compiles.
fn programs(tools: &Toolchain, binaries: &[Binary], usable: impl FnOnce() -> Result) -> Result {
    let mut usable = Some(usable);
    let mut missing = binaries.iter().filter(|it| !it.follows).count();
    let mut outcome = Ok(());
    thread::scope(|scope| {
        let (ended, ends) = mpsc::channel();
        for queue in by_profile(binaries) {
            let ended = ended.clone();
            scope.spawn(move || {
                for binary in queue {
                    let compiled = binary.compile(tools, &[]);
                    let ended = ended.clone();
                    scope.spawn(move || {
                        let end = compiled.and_then(|()| finish(tools, binary));
                        // Nobody stops listening before all have ended.
                        let _ = ended.send((binary, end));
                    });
                }
            });
        }
        drop(ended);
        for (binary, end) in ends {
            let is_needed = end.is_ok() && !binary.follows;
            outcome = outcome.clone().and(end);
            missing -= usize::from(is_needed);
            if missing == 0
                && let Some(usable) = usable.take()
            {
                outcome = outcome.clone().and(usable());
            }
        }
    });
    outcome
}

/// The programs of each profile, in their order.
fn by_profile(binaries: &[Binary]) -> Vec<Vec<&Binary>> {
    let mut queues: Vec<Vec<&Binary>> = Vec::new();
    for binary in binaries {
        let queue = queues
            .iter_mut()
            .find(|queue| queue[0].profile == binary.profile);
        match queue {
            Some(queue) => queue.push(binary),
            None => queues.push(vec![binary]),
        }
    }
    queues
}

/// What follows the compilation of a program. The relaxed encoder needs the output of the encoder.
fn finish(tools: &Toolchain, binary: &Binary) -> Result {
    binary.finish(tools)?;
    match relaxed::of(binary) {
        Some(second) => relaxed::build(tools, &second),
        None => Ok(()),
    }
}

/// Copies what a link names into `dist`; returns its name there.
fn copied(link: &Link) -> Result<String> {
    let path = link.get("href").ok_or("index.html: a link without href")?;
    let source = paths::root().join(path);
    let name = source.file_name().unwrap_or_default();
    copy(&source, &paths::dist().join(name))?;
    Ok(name.to_string_lossy().into_owned())
}

fn copy(source: &Path, target: &Path) -> Result {
    if !source.is_dir() {
        let copied = std::fs::copy(source, target);
        return copied.map(drop).map_err(|error| told(source, &error));
    }
    std::fs::create_dir_all(target).map_err(|error| told(target, &error))?;
    let entries = std::fs::read_dir(source).map_err(|error| told(source, &error))?;
    for entry in entries {
        let path = entry.map_err(|error| told(source, &error))?.path();
        copy(&path, &target.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

fn told(path: &Path, error: &std::io::Error) -> String {
    format!("{error}: {}", path.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_link_of_the_page_can_be_built() {
        let html = std::fs::read_to_string(paths::root().join("index.html")).unwrap();
        let links = links(&html);
        let mut programs = Vec::new();
        for link in &links {
            match link.get("rel") {
                Some("rust") => programs.push(Binary::of(link).unwrap()),
                Some("css" | "copy-file" | "copy-dir") => {
                    let path = link.get("href").unwrap();
                    assert!(paths::root().join(path).exists(), "{path}");
                }
                other => panic!("{other:?}"),
            }
        }
        let names: Vec<(&str, Kind)> = programs
            .iter()
            .map(|it| (it.name.as_str(), it.kind))
            .collect();
        assert_eq!(
            names,
            [
                ("page", Kind::Page),
                ("engine", Kind::Worker),
                ("encoder", Kind::Worker)
            ]
        );
        let follow = programs.iter().filter(|it| it.follows);
        let follow: Vec<&str> = follow.map(|it| it.name.as_str()).collect();
        assert_eq!(follow, ["encoder"]);
        let second: Vec<Binary> = programs.iter().filter_map(relaxed::of).collect();
        assert_eq!(second.len(), 1, "only the encoder has a second build");
    }
}

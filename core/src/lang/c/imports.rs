//! C and C++: `#include "x"` is searched beside the file and then on the include path, which no
//! archive states: it may mean any file whose path ends with it, the nearest first.

use crate::lang::Import;
use crate::lang::resolve::World;
use crate::lang::resolve::names::{folder, join, shared_folders};
use crate::lang::resolve::{Binds, Found, Place};
use crate::source::FileId;

pub(super) fn resolve(world: World<'_>, from: FileId, import: &Import) -> Vec<Found> {
    let own = folder(world.path(from));
    let is_angled = world.written(from, import).contains('<');
    let beside = (!is_angled).then(|| join(own, &import.module)).flatten();
    let file = beside
        .and_then(|path| world.find(&path))
        .or_else(|| on_include_path(world, own, &import.module, is_angled));
    let place = match file {
        Some(file) => Place::File(file),
        None => Place::Library(import.module.clone()),
    };
    vec![Found::new(None, place, Binds::All)]
}

fn on_include_path(world: World<'_>, own: &str, module: &str, is_angled: bool) -> Option<FileId> {
    let module = module.trim_start_matches("./").trim_start_matches("../");
    // A path may be written with `//` or `.` inside.
    let module = join("", module)?;
    let module = module.as_str();
    let found = world.facts.file_names.ending(world.repo, module);
    // `<string.h>` is the standard library's, even if there is a `src/string.h`.
    let is_possible = |path: &str| {
        let before = path
            .strip_suffix(module)
            .unwrap_or(path)
            .trim_end_matches('/');
        !is_angled || !is_standard(module) || before.ends_with("include")
    };
    found
        .filter(|(_, path)| is_possible(path))
        .max_by_key(|(file, path)| {
            let depth = path.matches('/').count();
            let shared = shared_folders(folder(path), own);
            (shared, std::cmp::Reverse(depth), std::cmp::Reverse(*file))
        })
        .map(|(file, _)| file)
}

/// Headers of ISO C (C23, 7.1.2) and POSIX (2024, "Headers"), without those in folders.
const STANDARD: &str = " aio assert complex cpio ctype devctl dirent dlfcn endian errno fcntl fenv float fmtmsg \
    fnmatch ftw glob grp iconv inttypes iso646 langinfo libgen libintl limits locale math monetary mqueue ndbm \
    netdb nl_types poll pthread pwd regex sched search semaphore setjmp signal spawn stdalign stdarg stdatomic \
    stdbit stdbool stdckdint stddef stdint stdio stdlib stdnoreturn string strings syslog tar termios tgmath \
    threads time uchar ulimit unistd utime utmpx wchar wctype wordexp ";

/// Folders of those headers.
const STANDARD_FOLDERS: [&str; 4] = ["arpa/", "net/", "netinet/", "sys/"];

/// Whether a header is the language's or the system's, judging by its name. C++ headers have no
/// extension.
fn is_standard(module: &str) -> bool {
    match module.strip_suffix(".h") {
        Some(name) if !name.contains('/') => STANDARD.contains(&format!(" {name} ")),
        None if !module.contains(['.', '/']) => true,
        _ => STANDARD_FOLDERS
            .iter()
            .any(|folder| module.starts_with(folder)),
    }
}

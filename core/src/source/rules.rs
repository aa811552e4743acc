//! Which files are not worth reading: by name before they are unpacked, by text afterwards, and by
//! folder once the top folder of the archive is known.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::error::SkipReason;
use super::path::{extension, file_name, folders};

/// Extensions of files that are never readable text. Those with a second, textual meaning (`.mo`,
/// `.pt`, `.ts`) are decided by their bytes.
static BINARY: Words = LazyLock::new(|| {
    words(
        "png jpg jpeg gif bmp ico icns webp avif tif tiff psd eps pdf mp3 mp4 m4a m4v \
    mov avi mkv webm wav ogg flac aac flv swf zip gz bz2 xz zst lz4 br 7z rar tar tgz txz jar war ear \
    whl egg crate gem deb rpm dmg iso apk aab ipa nupkg vsix woff woff2 ttf otf eot ttc so dll dylib \
    a o obj lib exe class pyc pyo pyd wasm node bin elf img db db3 sqlite sqlite3 mdb npy npz pkl \
    pickle parquet feather arrow h5 hdf5 fits onnx tflite safetensors gguf pth ckpt gmo xls xlsx \
    doc docx ppt pptx odt ods odp blend glb fbx der p12 pfx jks keystore pack idx rdb heic",
    )
});

/// Extensions of data, translation catalogues, keys and logs: text, but nothing to ask about.
static DATA: Words = LazyLock::new(|| {
    words(
        "csv tsv po pot svg geojson topojson ipynb jsonl ndjson arff dbf gpx kml xlf xliff \
    arb resx tmx srt vtt log har pem crt cer key asc gpg stl ply gltf hex",
    )
});

/// Extensions of files that are data if they are large, such as API descriptions and fixtures.
static STRUCTURED: Words = LazyLock::new(|| words("json json5 yaml yml xml sql plist"));
/// From this size on, a structured file is data.
const STRUCTURED_BYTES: usize = 128 << 10;

/// Translation formats that are ordinary configuration in other folders.
static CATALOGUE: Words = LazyLock::new(|| words("json yaml yml properties strings ftl"));
static CATALOGUE_FOLDERS: Words = LazyLock::new(|| words("locale locales i18n l10n translations"));

static LOCKS: Words = LazyLock::new(|| {
    words(
        "cargo.lock package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock \
    deno.lock poetry.lock uv.lock pdm.lock pixi.lock pipfile.lock conda-lock.yml go.sum go.work.sum \
    composer.lock gemfile.lock mix.lock rebar.lock flake.lock pubspec.lock podfile.lock \
    cartfile.resolved package.resolved packages.lock.json gradle.lockfile buildscript-gradle.lockfile \
    .terraform.lock.hcl module.bazel.lock paket.lock stack.yaml.lock cabal.project.freeze",
    )
});

/// Manifests are read even if a tool wrote them, as cargo does for `.crate` files.
static MANIFESTS: Words = LazyLock::new(|| {
    words(
        "cargo.toml package.json pyproject.toml setup.py setup.cfg go.mod pom.xml \
    composer.json gemspec build.gradle metadata",
    )
});

/// Folders that tools fill; nothing in them is part of the repository. Case-sensitive: `pods` is an
/// ordinary name, `Pods` is not.
static INSTALLED: Words = LazyLock::new(|| {
    words(
        "node_modules bower_components jspm_packages site-packages dist-packages .venv \
    __pycache__ .tox .nox .eggs .gradle Pods Carthage .bundle .terraform .mypy_cache .pytest_cache \
    .ruff_cache .parcel-cache .next .nuxt .svelte-kit .yarn",
    )
});

/// Folders with copies of other projects, wherever they are.
static COPIED: Words = LazyLock::new(|| {
    words("_vendor vendored third_party third-party thirdparty 3rdparty 3rd_party godeps")
});

/// In these folders, a `vendor` folder contains copies; elsewhere it may be about vendors.
static ASSET_FOLDERS: Words = LazyLock::new(|| {
    words("static assets public js css javascripts stylesheets scripts www wwwroot")
});

static VERSION_CONTROL: Words = LazyLock::new(|| words(".git .hg .svn .bzr _darcs .jj"));

/// Extensions that do not show whether a repository has code of its own.
static NO_CODE: Words =
    LazyLock::new(|| words("md rst txt adoc toml cfg ini json yaml yml xml lock html"));

/// Words that are looked up for every file, so the set is built only once.
type Words = LazyLock<HashSet<&'static str>>;

fn words(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

/// The folder that makes `path` version control data (`sub/.git`), if there is one.
pub(super) fn version_control_folder(path: &str) -> Option<&str> {
    let mut end = 0;
    for component in path.split('/') {
        let start = end;
        end = start + component.len();
        if VERSION_CONTROL.contains(component) {
            return path.get(..end);
        }
        end += 1;
    }
    None
}

/// Why a file with this cleaned path is not worth unpacking, if its name alone says so.
pub(super) fn by_name(path: &str) -> Option<SkipReason> {
    let name = file_name(path).to_ascii_lowercase();
    let extension = extension(path);
    let is_system = matches!(name.as_str(), ".ds_store" | "thumbs.db" | "desktop.ini")
        || name.starts_with("._")
        || is_system_folder(path);
    let reason = if is_system {
        SkipReason::SystemFile
    } else if VERSION_CONTROL.contains(name.as_str()) {
        SkipReason::VersionControl
    } else if LOCKS.contains(name.as_str()) {
        SkipReason::Lock
    } else if is_minified_name(&name) {
        SkipReason::Minified
    } else if is_generated_name(path, &name, &extension) {
        SkipReason::Generated
    } else if matches!(extension.as_str(), "orig" | "rej" | "bak" | "swp") || name.ends_with('~') {
        SkipReason::Backup
    } else if BINARY.contains(extension.as_str()) {
        SkipReason::Binary
    } else if DATA.contains(extension.as_str()) {
        SkipReason::Data
    } else {
        return None;
    };
    Some(reason)
}

/// `__MACOSX`, which macOS adds beside the packed folder.
pub(super) fn is_system_folder(path: &str) -> bool {
    path.split('/').next() == Some("__MACOSX")
}

fn is_minified_name(name: &str) -> bool {
    [
        ".min.js", ".min.mjs", ".min.cjs", ".min.css", "-min.js", "-min.css",
    ]
    .iter()
    .any(|end| name.ends_with(end))
}

fn is_generated_name(path: &str, name: &str, extension: &str) -> bool {
    const ENDS: [&str; 12] = [
        "_pb2.py",
        "_pb2.pyi",
        "_pb2_grpc.py",
        ".pb.go",
        ".pb.h",
        ".pb.cc",
        ".pb.gw.go",
        "_grpc.pb.go",
        ".g.dart",
        ".freezed.dart",
        ".designer.cs",
        ".g.cs",
    ];
    ENDS.iter().any(|end| name.ends_with(end))
        || matches!(extension, "map" | "snap" | "tsbuildinfo")
        || name == "pkg-info"
        || folders(path).any(|folder| folder.ends_with(".egg-info"))
        || (matches!(name, "record" | "wheel" | "top_level.txt" | "installer")
            && folders(path).any(|folder| folder.ends_with(".dist-info")))
}

/// Whether one of `path`'s folders, ignoring the first `from`, holds installed files.
pub(super) fn is_installed(path: &str, from: usize) -> bool {
    folders(path)
        .skip(from)
        .any(|folder| INSTALLED.contains(folder))
}

/// Whether `path` (without the archive's top folder) is in a copy of another project.
pub(super) fn is_copied(path: &str) -> bool {
    let mut is_asset = false;
    let components: Vec<String> = folders(path).map(str::to_ascii_lowercase).collect();
    for (depth, folder) in components.iter().enumerate() {
        // Go vendors modules under their host name.
        let holds_host = components
            .get(depth + 1)
            .is_some_and(|next| next.contains('.'));
        if COPIED.contains(folder.as_str())
            || (folder == "vendor" && (depth == 0 || is_asset || holds_host))
        {
            return true;
        }
        is_asset |= ASSET_FOLDERS.contains(folder.as_str());
    }
    false
}

/// Whether `path` (without the archive's top folder) is a translation catalogue in a format that is
/// configuration elsewhere. English ones are kept: they contain the messages that people ask about.
pub(super) fn is_catalogue(path: &str) -> bool {
    CATALOGUE.contains(extension(path).as_str())
        && !file_name(path).starts_with("en")
        && folders(path)
            .any(|folder| CATALOGUE_FOLDERS.contains(folder.to_ascii_lowercase().as_str()))
        && !folders(path).any(|folder| folder == "en" || folder.starts_with("en-"))
}

/// Whether the file counts as the repository's own code, when it matters whether there is any.
pub(super) fn is_code(path: &str) -> bool {
    let extension = extension(path);
    !extension.is_empty() && !NO_CODE.contains(extension.as_str())
}

/// Why a file is left out because of its text.
pub(super) fn by_text(path: &str, text: &str) -> Option<SkipReason> {
    let extension = extension(path);
    if is_minified(&extension, text) {
        return Some(SkipReason::Minified);
    }
    let is_manifest = MANIFESTS.contains(file_name(path).to_ascii_lowercase().as_str());
    if !is_manifest && STRUCTURED.contains(extension.as_str()) && text.len() > STRUCTURED_BYTES {
        return Some(SkipReason::Data);
    }
    if !is_manifest && has_generated_mark(text) {
        return Some(SkipReason::Generated);
    }
    None
}

/// Whether no person wrote the lines: they are long on average in a script or style sheet, or one
/// line is most of the file and longer than any paragraph.
fn is_minified(extension: &str, text: &str) -> bool {
    const SCRIPT_LINE_BYTES: usize = 200;
    const LONGEST_LINE_BYTES: usize = 32 << 10;
    if text.len() < 1024 {
        return false;
    }
    let (mut lines, mut longest) = (0, 0);
    for line in text.split('\n') {
        lines += 1;
        longest = longest.max(line.len());
    }
    let is_script = matches!(extension, "js" | "mjs" | "cjs" | "jsx" | "css");
    (is_script && text.len() / lines > SCRIPT_LINE_BYTES)
        || (longest > LONGEST_LINE_BYTES && longest * 2 > text.len())
}

/// Whether a comment in the first lines says that a tool wrote the file.
fn has_generated_mark(text: &str) -> bool {
    const HEAD_LINES: usize = 12;
    const HEAD_BYTES: usize = 400;
    text.lines().take(HEAD_LINES).any(|line| {
        let line = line.trim_start();
        let is_comment = [
            "//", "#", "/*", "*", "--", ";", "<!--", "%", "\"\"\"", "'''",
        ]
        .iter()
        .any(|mark| line.starts_with(mark));
        is_comment && line.len() <= HEAD_BYTES && is_generated_sentence(&line.to_ascii_lowercase())
    })
}

fn is_generated_sentence(line: &str) -> bool {
    let made = [
        "generated",
        "autogenerated",
        "auto-generated",
        "automatically created",
    ]
    .iter()
    .any(|word| line.contains(word));
    let warned = [
        "do not edit",
        "don't edit",
        "do not modify",
        "do not change",
    ]
    .iter()
    .any(|word| line.contains(word));
    let is_tag = line
        .split(|c: char| c.is_whitespace() || matches!(c, '<' | '*' | '/'))
        .any(|word| word == "@generated" || word.starts_with("@generated:"));
    let is_sentence = [
        "this file is autogenerated",
        "this file is auto-generated",
        "this file is automatically generated",
        "this file was automatically generated",
        "this file was autogenerated",
        "this file was auto-generated",
        "<auto-generated",
        "jest snapshot v",
    ]
    .iter()
    .any(|sentence| line.contains(sentence));
    is_tag || is_sentence || (made && warned)
}

#[cfg(test)]
mod tests;

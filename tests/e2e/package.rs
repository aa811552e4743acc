//! The package that `cargo xtask dist` makes: unpacked below a folder of a static host, it does the
//! main job, and its checksums are those of its files.

use std::io::{Cursor, Read};
use std::path::Path;

use footnote_tests::browser::{Page, Setup};
use xtask::dist;

use crate::main_job::story_on;

#[tokio::test]
async fn the_package_does_the_main_job_below_a_folder_of_its_host() {
    let host = tempfile::tempdir().unwrap();
    unpacked(host.path(), "footnote");
    let page = Page::blank(Setup {
        folder: Some(host.path().to_owned()),
        ..Setup::default()
    })
    .await;
    let address = format!("{}/footnote/", page.url());
    page.driver.goto(&address).await.unwrap();
    let question = "how does the Json extractor deserialize a request body";
    story_on(page, "axum-0.8.8.crate", question, "src/json.rs", "Json").await;
}

/// Unpacks the package as the folder `name` of a host and holds it against its checksums.
pub fn unpacked(host: &Path, name: &str) {
    let package = dist::pack().unwrap();
    unpack(&package.bytes, host);
    let top = host.join(&package.name);
    holds_what_its_checksums_say(&top);
    for file in ["LICENCES.txt", "sbom.cdx.json", "_headers"] {
        assert!(top.join(file).is_file(), "{file}");
    }
    std::fs::rename(top, host.join(name)).unwrap();
}

fn unpack(bytes: &[u8], folder: &Path) {
    let mut archive = zip::ZipArchive::new(Cursor::new(bytes)).unwrap();
    for at in 0..archive.len() {
        let mut file = archive.by_index(at).unwrap();
        let path = folder.join(file.enclosed_name().unwrap());
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).unwrap();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
}

fn holds_what_its_checksums_say(folder: &Path) {
    let sums = std::fs::read_to_string(folder.join("SHA256SUMS")).unwrap();
    assert!(sums.lines().count() > 30, "{sums}");
    for line in sums.lines() {
        let (sum, path) = line.split_once("  ").unwrap();
        let bytes = std::fs::read(folder.join(path)).unwrap();
        assert_eq!(dist::sha256(&bytes), sum, "{path}");
    }
}

//! Unpacking: a synthetic archive in both formats and, if the environment variable
//! `FOOTNOTE_ARCHIVES` names a folder, every archive in it.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::{Cursor, Write};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use flate2::Compression;
use flate2::write::GzEncoder;
use footnote_core::job::run_to_end;
use footnote_core::source::{ArchiveReader, Repo};
use zip::write::SimpleFileOptions;

/// Files of a made-up repository: (path, text), 2,000 files of about 6 kB.
fn synthetic() -> Vec<(String, String)> {
    let mut state = 1_u64;
    (0..2_000)
        .map(|n| {
            let mut text = String::new();
            for line in 0..120 {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                text.push_str(&format!(
                    "    value_{line} = compute_{:04x}(argument_{})\n",
                    state >> 48,
                    state >> 60
                ));
            }
            (format!("project-1.0/src/part{}/file{n}.py", n % 40), text)
        })
        .collect()
}

fn zip_of(files: &[(String, String)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, text) in files {
        writer
            .start_file(path.as_str(), SimpleFileOptions::default())
            .unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn tgz_of(files: &[(String, String)]) -> Vec<u8> {
    let encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut builder = tar::Builder::new(encoder);
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder
            .append_data(&mut header, path, text.as_bytes())
            .unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn read(name: &str, bytes: Vec<u8>) -> Repo {
    run_to_end(ArchiveReader::open(name, bytes).unwrap()).unwrap()
}

fn text_bytes(repo: &Repo) -> u64 {
    repo.files.iter().map(|file| file.text.len() as u64).sum()
}

fn unpack(criterion: &mut Criterion) {
    let files = synthetic();
    let mut archives = vec![
        ("synthetic.zip".to_owned(), zip_of(&files)),
        ("synthetic.tar.gz".to_owned(), tgz_of(&files)),
    ];
    if let Ok(folder) = std::env::var("FOOTNOTE_ARCHIVES") {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            if entry.path().is_file() {
                let name = entry.file_name().to_string_lossy().into_owned();
                archives.push((name, std::fs::read(entry.path()).unwrap()));
            }
        }
    }
    let mut group = criterion.benchmark_group("unpack");
    group.sample_size(10);
    for (name, bytes) in &archives {
        let Ok(Ok(repo)) = ArchiveReader::open(name, bytes.clone()).map(run_to_end) else {
            continue;
        };
        println!(
            "{name}: {} files kept, {} skipped, {} bytes of text",
            repo.files.len(),
            repo.skipped.len(),
            text_bytes(&repo)
        );
        group.throughput(Throughput::Bytes(text_bytes(&repo)));
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || bytes.clone(),
                |bytes| read(name, bytes),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, unpack);
criterion_main!(benches);

//! Takes an archive and a question, prints a cited answer: `cargo run --release -p footnote-core
//! --example ask -- public/samples/courier.zip "How are jobs retried?"`
#![allow(clippy::print_stdout, reason = "the answer is what it prints")]

use footnote_core::answer::{self, Outcome};
use footnote_core::chunk::Chunking;
use footnote_core::index::{IndexBuilder, Vectors};
use footnote_core::job::run_to_end;
use footnote_core::search::Question;
use footnote_core::source::ArchiveReader;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

fn main() -> Result<()> {
    let mut args = std::env::args().skip(1);
    let (Some(archive), Some(question)) = (args.next(), args.next()) else {
        return Err("usage: ask ARCHIVE QUESTION".into());
    };
    print!("{}", ask(&archive, std::fs::read(&archive)?, &question)?);
    Ok(())
}

/// The sentences with the numbers of their footnotes, then the lines of each footnote.
pub fn ask(name: &str, archive: Vec<u8>, question: &str) -> Result<String> {
    let repo = run_to_end(ArchiveReader::open(name, archive)?)?;
    let index = run_to_end(IndexBuilder::new(repo, Chunking::FUNCTION))?;
    // No chunk has a vector: words, names and the graph decide.
    let asked = answer::ask(&index, &Vectors::new(1, 0), &Question::new(question)?, None);
    let (statements, footnotes) = match asked.answer.outcome {
        Outcome::Nothing { why } => return Ok(why + "\n"),
        Outcome::Found {
            statements,
            footnotes,
        } => (statements, footnotes),
    };
    let sentences = statements
        .iter()
        .map(|it| format!("{} {:?}\n", it.plain(), it.footnotes));
    let places = footnotes.iter().map(|it| {
        let path = index
            .repo
            .file(it.source.file())
            .map_or("", |file| &file.path);
        format!("[{}] {path}:{} {}\n", it.number, it.source.lines(), it.why)
    });
    Ok(sentences.chain(places).collect())
}

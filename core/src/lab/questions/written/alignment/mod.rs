//! Self-alignment (RepoQA-SA, section 4.2): a model explains a chunk line by line (D0), writes a
//! question about it with its answer (D1), and grades the pair from 1 to 5 (D2); pairs graded 4 or
//! 5 are kept. Later pairs are written with kept ones as examples, and once there are some, a
//! second round over the same chunks begins.
//!
//! Code checks each pair against the repository before it is graded: the lines must be among those
//! shown, the quoted code must occur in them, and the citations of the answer go through the same
//! check as those of all answers.

mod corpus;
mod dependencies;
mod prompts;
mod read;

use super::desk::{Desk, Unit, in_turn, spread};
use super::excerpt::excerpt;
use super::talk::{After, Found, Talk};
use crate::chunk::{ChunkId, ChunkKind};
use crate::lang::resolve::names::file_name;
use crate::lang::{Role, SymbolId};
use crate::lines::LineRange;
use crate::model::mend::after_thoughts;
use crate::model::prompt::estimate_tokens;
use crate::source::FileId;

pub(super) use read::{read_grade, read_pair};

/// Least number of lines in a chunk of code: shorter ones need no explanation.
const MIN_LINES: u32 = 4;

/// From this number of kept pairs on, others are written with examples.
const MIN_EXAMPLES: usize = 3;

/// Number of examples that a pair is written with.
const EXAMPLES: usize = 2;

/// The beginnings of names of files that describe a project.
const META_FILES: [&str; 6] = [
    "readme",
    "contributing",
    "licen",
    "copying",
    "install",
    "security",
];

/// The subject of a pair (RepoQA-SA, section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dimension {
    /// What the code does.
    Semantics,
    /// What a file imports.
    Dependencies,
    /// What README, licence, manifest and similar files say.
    Meta,
}

impl Dimension {
    const ALL: [Self; 3] = [Self::Semantics, Self::Dependencies, Self::Meta];

    /// Its name in items.
    fn name(self) -> &'static str {
        match self {
            Self::Semantics => "semantics",
            Self::Dependencies => "dependencies",
            Self::Meta => "meta-information",
        }
    }
}

/// The lines that a pair is written about.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::lab::questions::written) struct Chunk {
    file: FileId,
    /// The lines of the file that are shown, in order; imports may be apart.
    lines: Vec<LineRange>,
    dimension: Dimension,
    /// A template of the corpus.
    template: &'static str,
    /// A library that the file does not import, so that the answer has to be no.
    absent: Option<String>,
    /// Whether this is the second round.
    is_second: bool,
}

/// All chunks, alternating between dimensions; then all of them again with other templates.
pub(super) fn plan(desk: &Desk) -> Vec<Unit> {
    let mut units = Vec::new();
    for is_second in [false, true] {
        let rounds = Dimension::ALL.map(|dimension| chunks(desk, dimension, is_second));
        units.extend(in_turn(rounds.into()).into_iter().map(Unit::Chunk));
    }
    units
}

fn chunks(desk: &Desk, dimension: Dimension, is_second: bool) -> Vec<Chunk> {
    let round = if is_second { "second" } else { "first" };
    let mut random = desk.random(&format!("{} {round}", dimension.name()));
    let chunks: Vec<(FileId, Vec<LineRange>, Option<String>)> = match dimension {
        Dimension::Semantics => code(desk),
        Dimension::Dependencies => dependencies::chunks(desk, &mut random),
        Dimension::Meta => documents(desk),
    };
    let chunks = spread(&mut random, chunks, |(file, ..)| *file);
    let chunks = chunks.into_iter().map(|(file, lines, absent)| {
        let corpus = dimension.corpus();
        Chunk {
            file,
            lines,
            dimension,
            template: corpus.get(random.below(corpus.len())).unwrap_or(&""),
            absent,
            is_second,
        }
    });
    chunks.collect()
}

/// Functions, methods and classes of source files.
fn code(desk: &Desk) -> Vec<(FileId, Vec<LineRange>, Option<String>)> {
    let world = desk.world();
    let is_wanted = |id: ChunkId| {
        let chunk = desk.index.chunk(id)?;
        let symbol = SymbolId {
            file: chunk.file,
            at: chunk.symbol?,
        };
        let is_code = matches!(
            chunk.kind,
            ChunkKind::Symbol | ChunkKind::Head | ChunkKind::Part
        );
        let lines = desk.index.trimmed_lines(id)?;
        let is_wanted = is_code && lines.count() >= MIN_LINES && !world.is_test(symbol);
        is_wanted.then(|| (chunk.file, vec![lines], None))
    };
    let chunks = desk.sources.iter();
    let chunks = chunks.flat_map(|file| desk.index.chunks_of(*file).map(|(id, _)| id));
    chunks.filter_map(is_wanted).collect()
}

/// Sections of README and similar files, and manifests.
fn documents(desk: &Desk) -> Vec<(FileId, Vec<LineRange>, Option<String>)> {
    let world = desk.world();
    let is_overview = |file: &FileId| {
        let name = file_name(desk.path(*file)).to_lowercase();
        let is_named = META_FILES.iter().any(|start| name.starts_with(start));
        match world.role(*file) {
            Role::Manifest => true,
            Role::Docs => is_named,
            _ => false,
        }
    };
    let files = [Role::Docs, Role::Manifest].into_iter();
    let files = files.flat_map(|role| world.files(role));
    let files: Vec<FileId> = files.filter(is_overview).collect();
    let chunks = files
        .iter()
        .flat_map(|file| desk.index.chunks_of(*file).map(|(id, _)| id));
    let says_something = |id: ChunkId| {
        let text = desk.index.text_of(id)?;
        let rows = text.lines().filter(|it| !it.trim().is_empty()).count();
        let chunk = desk.index.chunk(id)?;
        let lines = desk.index.trimmed_lines(id)?;
        (rows > 1).then(|| (chunk.file, vec![lines], None))
    };
    chunks.filter_map(says_something).collect()
}

/// The first request about a chunk.
pub(super) fn begin(desk: &Desk, unit: &Unit, kept: &[&Found]) -> Option<Talk> {
    let Unit::Chunk(chunk) = unit else {
        return None;
    };
    let examples = examples(desk, chunk, kept);
    if chunk.is_second && examples.is_none() {
        return None;
    }
    match chunk.dimension {
        // The table already says what an explanation would.
        Dimension::Dependencies => prompts::pair(desk, chunk, None, examples.as_deref()),
        _ => prompts::explanation(desk, chunk, examples),
    }
}

/// Two random kept pairs.
fn examples(desk: &Desk, chunk: &Chunk, kept: &[&Found]) -> Option<String> {
    if kept.len() < MIN_EXAMPLES {
        return None;
    }
    let mut random = desk.random(&format!("{} {:?}", chunk.file.0, chunk.lines));
    let mut at: Vec<usize> = (0..kept.len()).collect();
    random.shuffle(&mut at);
    let drawn = at.into_iter().take(EXAMPLES);
    let drawn = drawn.filter_map(|at| kept.get(at)).map(|found| {
        let answer = found.answer.as_deref().unwrap_or_default();
        format!("Question: {}\nAnswer: {answer}", found.question)
    });
    Some(drawn.collect::<Vec<_>>().join("\n\n"))
}

/// Reads the explanation of a chunk, and asks for a pair.
pub(super) fn read_explanation(
    desk: &Desk,
    chunk: &Chunk,
    examples: Option<&str>,
    text: &str,
) -> Result<After, &'static str> {
    let said = after_thoughts(text).trim();
    if said.split_whitespace().count() < read::MIN_EXPLAINED {
        return Err("it explains nothing");
    }
    let talk = prompts::pair(desk, chunk, Some(said), examples);
    talk.map(After::Next).ok_or("it explains nothing")
}

/// The lines of a chunk that fit into `room` tokens, fenced, and their ranges.
fn shown(desk: &Desk, chunk: &Chunk, room: usize) -> Option<(String, Vec<LineRange>)> {
    let (mut text, mut lines) = (String::new(), Vec::new());
    let mut left = room;
    for range in &chunk.lines {
        let Some((quoted, fitting)) = excerpt(desk, chunk.file, *range, left) else {
            break;
        };
        left = left.saturating_sub(estimate_tokens(&quoted));
        text += &quoted;
        lines.push(fitting);
    }
    (!lines.is_empty()).then_some((text, lines))
}

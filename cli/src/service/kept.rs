//! Replies in a file, one `{"id", "output", "tokens"}` per line, written as they arrive: an
//! interrupted run continues where it stopped.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::json;

use crate::{Result, json_lines};

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct KeptReply {
    pub output: String,
    /// The tokens of the answer, as counted by the service.
    #[serde(default)]
    pub tokens: Option<u32>,
}

#[derive(Deserialize)]
struct KeptLine {
    id: String,
    #[serde(flatten)]
    reply: KeptReply,
}

pub struct Kept {
    path: PathBuf,
    /// Created with the first reply.
    file: Option<File>,
    replies: BTreeMap<String, KeptReply>,
}

impl Kept {
    /// Reads the stored replies; a missing file counts as empty. Of two replies to one request the
    /// first counts.
    pub fn open(path: &Path) -> Result<Self> {
        let mut replies = BTreeMap::new();
        if path.exists() {
            let lines: Vec<KeptLine> = json_lines::read(path, &mut std::io::stderr().lock())?;
            for line in lines {
                replies.entry(line.id).or_insert(line.reply);
            }
        }
        Ok(Self {
            path: path.to_owned(),
            file: None,
            replies,
        })
    }

    pub fn get(&self, id: &str) -> Option<&KeptReply> {
        self.replies.get(id)
    }

    /// Adds a reply, and writes it to the file at once.
    pub fn keep(&mut self, id: &str, reply: KeptReply) -> Result<()> {
        let mut line = json!({"id": id, "output": reply.output});
        if let Some(tokens) = reply.tokens {
            line["tokens"] = tokens.into();
        }
        let written = self
            .file()
            .and_then(|file| file.write_all(format!("{line}\n").as_bytes()));
        written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))?;
        self.replies.insert(id.to_owned(), reply);
        Ok(())
    }

    fn file(&mut self) -> std::io::Result<&mut File> {
        match &mut self.file {
            Some(file) => Ok(file),
            slot => {
                let mut options = OpenOptions::new();
                let mut file = options.append(true).create(true).open(&self.path)?;
                if !ends_with_line(&self.path)? {
                    file.write_all(b"\n")?;
                }
                Ok(slot.insert(file))
            }
        }
    }
}

/// Whether the file ends with a line end: the last run may have been killed while writing a line.
fn ends_with_line(path: &Path) -> std::io::Result<bool> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        return Ok(true);
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    Ok(last == *b"\n")
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn reply(output: &str) -> KeptReply {
        KeptReply {
            output: output.to_owned(),
            tokens: Some(7),
        }
    }

    #[test]
    fn replies_are_found_again_after_a_line_that_was_cut_within_a_character() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("replies.jsonl");
        let mut kept = Kept::open(&path).unwrap();
        assert!(!path.exists());
        kept.keep("a", reply("é")).unwrap();
        kept.keep("b", reply("ü")).unwrap();
        let text = std::fs::read(&path).unwrap();
        let cut = text.iter().rposition(|&byte| byte == 0xc3).unwrap();
        std::fs::write(&path, &text[..=cut]).unwrap();

        let mut kept = Kept::open(&path).unwrap();
        assert_eq!(kept.get("a"), Some(&reply("é")));
        assert_eq!(kept.get("b"), None);
        kept.keep("b", reply("again")).unwrap();
        kept.keep("c", reply("more")).unwrap();
        let kept = Kept::open(&path).unwrap();
        let found = ["a", "b", "c"].map(|id| kept.get(id).unwrap().output.clone());
        assert_eq!(found, ["é", "again", "more"]);
    }

    #[test]
    fn a_batch_tools_output_without_tokens_is_a_reply() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("replies.jsonl");
        std::fs::write(&path, "{\"id\": \"a\", \"output\": \"x\"}").unwrap();
        let kept = Kept::open(&path).unwrap();
        assert_eq!(kept.get("a").unwrap().tokens, None);
    }
}

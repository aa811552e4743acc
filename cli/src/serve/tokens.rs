//! Tokens: who may ask, and in which groups. The file holds one JSON object a line, with the
//! SHA-256 of the token and not the token. It is read again whenever it has changed, so that a
//! token can be revoked between two requests.

use std::collections::{BTreeSet, HashMap};
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::source::{TokenHash, User};
use super::stamp::Stamp;
use crate::Result;
use crate::hex::{self, hex};

/// What every token begins with, so that people and scanners of secrets recognise one.
const PREFIX: &str = "footnote_";
/// Longer ones are not looked at.
const MAX_LENGTH: usize = 200;

/// A line of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub name: String,
    pub groups: BTreeSet<String>,
    /// In hexadecimal digits.
    pub sha256: String,
}

/// The tokens of a file, as it is now.
pub struct Tokens {
    file: Option<PathBuf>,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    stamp: Option<Stamp>,
    users: HashMap<TokenHash, User>,
}

impl Tokens {
    /// Reads the file; without one, no token is valid.
    ///
    /// # Errors
    /// Says which line cannot be read.
    pub fn open(file: Option<PathBuf>) -> Result<Self> {
        let mut held = Held::default();
        if let Some(path) = &file {
            held.stamp = Stamp::of(path);
            held.users = users(&read(path)?)?;
        }
        Ok(Self {
            file,
            held: Mutex::new(held),
        })
    }

    /// Whether there is a file with tokens.
    pub fn are_used(&self) -> bool {
        self.file.is_some()
    }

    /// The user with this token. A file that can no longer be read lets nobody in.
    pub fn user(&self, token: TokenHash) -> Option<User> {
        let path = self.file.as_deref()?;
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(path);
        if stamp.is_none() || stamp != held.stamp {
            let known = read(path).and_then(|entries| users(&entries));
            if let Err(error) = &known {
                tracing::error!("no token is valid: {error}");
            }
            *held = Held {
                stamp,
                users: known.unwrap_or_default(),
            };
        }
        held.users.get(&token).cloned()
    }
}

/// Makes a token; returns it with its SHA-256, which alone is to be kept.
///
/// # Errors
/// The system gives no random numbers.
pub fn new() -> std::result::Result<(String, TokenHash), String> {
    let token = format!("{PREFIX}{}", hex::random()?);
    let hash = Sha256::digest(token.as_bytes()).into();
    Ok((token, hash))
}

/// SHA-256 of a token; `None` for what cannot be one.
pub fn hash(token: &str) -> Option<TokenHash> {
    let fits = token.starts_with(PREFIX) && token.len() <= MAX_LENGTH;
    fits.then(|| Sha256::digest(token.as_bytes()).into())
}

/// Makes a token, adds it to the file and returns it. It is not kept anywhere else.
///
/// # Errors
/// A name that is empty or taken, a file that cannot be read or written.
pub fn add(path: &Path, name: &str, groups: &[String]) -> Result<String> {
    if name.trim().is_empty() {
        return Err("a token needs the name of whoever will use it".into());
    }
    let known = if path.exists() {
        read(path)?
    } else {
        Vec::new()
    };
    if known.iter().any(|entry| entry.name == name) {
        return Err(format!(
            "there is a token for {name:?} already: revoke it first (`footnote token revoke`), or \
             choose another name"
        )
        .into());
    }
    let (token, hash) = new()?;
    let entry = Entry {
        name: name.to_owned(),
        groups: groups.iter().cloned().collect(),
        sha256: hex(&hash),
    };
    let mut file = for_owner(OpenOptions::new().create(true).append(true), path)?;
    writeln!(file, "{}", serde_json::to_string(&entry)?)
        .and_then(|()| file.sync_all())
        .map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(token)
}

/// Removes the token of this name.
///
/// # Errors
/// There is none, or the file cannot be read or written.
pub fn revoke(path: &Path, name: &str) -> Result<()> {
    let mut entries = read(path)?;
    let before = entries.len();
    entries.retain(|entry| entry.name != name);
    if entries.len() == before {
        return Err(format!("{} has no token for {name:?}", path.display()).into());
    }
    let mut lines = String::new();
    for entry in &entries {
        lines += &serde_json::to_string(entry)?;
        lines.push('\n');
    }
    // The server reads the old file or the new one, never half of it.
    let new = path.with_extension("new");
    let failed = |error| format!("cannot write {}: {error}", new.display());
    let mut options = OpenOptions::new();
    let mut file = for_owner(options.create(true).write(true).truncate(true), &new)?;
    file.write_all(lines.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(failed)?;
    fs::rename(&new, path).map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(())
}

/// The lines of the file.
///
/// # Errors
/// Says which line is wrong; it does not repeat it.
pub fn read(path: &Path) -> Result<Vec<Entry>> {
    let text = crate::archive::read_text(path)?;
    let lines = text.lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let entry = |(at, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            let why = format!("{}, line {}: {error}", path.display(), at + 1);
            format!("{why}. `footnote token new` writes such lines").into()
        })
    };
    lines.map(entry).collect()
}

fn users(entries: &[Entry]) -> Result<HashMap<TokenHash, User>> {
    let user = |entry: &Entry| {
        let hash = from_hex(&entry.sha256)
            .ok_or_else(|| format!("the token of {:?} has no SHA-256", entry.name))?;
        let user = User {
            name: Some(entry.name.clone()),
            groups: entry.groups.clone(),
        };
        Ok((hash, user))
    };
    entries.iter().map(user).collect()
}

fn from_hex(text: &str) -> Option<TokenHash> {
    let mut bytes = [0; 32];
    if text.len() != 2 * bytes.len() || !text.is_ascii() {
        return None;
    }
    for (at, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(text.get(2 * at..2 * at + 2)?, 16).ok()?;
    }
    Some(bytes)
}

/// Opens a file that only its owner may read, if it is a new one.
fn for_owner(options: &mut OpenOptions, path: &Path) -> Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    let file = options.open(path);
    file.map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn file() -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.jsonl");
        (folder, path)
    }

    #[test]
    fn a_token_names_its_user_and_is_not_in_the_file() {
        let (_folder, path) = file();
        let token = add(&path, "ann", &["web".to_owned(), "ops".to_owned()]).unwrap();
        assert!(!fs::read_to_string(&path).unwrap().contains(&token));
        let tokens = Tokens::open(Some(path)).unwrap();
        let user = tokens.user(hash(&token).unwrap()).unwrap();
        assert_eq!(user.name.as_deref(), Some("ann"));
        assert_eq!(user.groups, ["ops", "web"].map(str::to_owned).into());
        let other = format!("{PREFIX}{}", hex(&[7; 32]));
        assert_eq!(tokens.user(hash(&other).unwrap()), None);
    }

    #[test]
    fn a_revoked_token_is_refused_by_a_server_that_runs() {
        let (_folder, path) = file();
        let ann = add(&path, "ann", &[]).unwrap();
        let ben = add(&path, "ben", &[]).unwrap();
        let tokens = Tokens::open(Some(path.clone())).unwrap();
        let is_known = |token: &str| tokens.user(hash(token).unwrap()).is_some();
        assert!(is_known(&ann) && is_known(&ben));
        revoke(&path, "ann").unwrap();
        assert!(!is_known(&ann) && is_known(&ben));
        let again = add(&path, "ann", &[]).unwrap();
        assert!(!is_known(&ann) && is_known(&again));
    }

    #[test]
    fn a_file_that_is_damaged_or_gone_lets_nobody_in() {
        let (_folder, path) = file();
        let ann = add(&path, "ann", &[]).unwrap();
        let whole = fs::read_to_string(&path).unwrap();
        let tokens = Tokens::open(Some(path.clone())).unwrap();
        let is_known = || tokens.user(hash(&ann).unwrap()).is_some();
        fs::write(&path, format!("{whole}{{\"name\":")).unwrap();
        assert!(!is_known());
        assert!(Tokens::open(Some(path.clone())).is_err());
        fs::write(&path, &whole).unwrap();
        assert!(is_known());
        fs::remove_file(&path).unwrap();
        assert!(!is_known());
    }

    #[test]
    fn a_name_is_given_once_and_only_known_ones_are_revoked() {
        let (_folder, path) = file();
        add(&path, "ann", &[]).unwrap();
        for (name, part) in [("ann", "already"), (" ", "needs the name")] {
            let error = add(&path, name, &[]).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let error = revoke(&path, "ben").unwrap_err().to_string();
        assert!(error.contains("no token for \"ben\""), "{error}");
    }

    #[test]
    fn text_that_cannot_be_a_token_is_not_looked_up() {
        assert_eq!(hash("Bearer"), None);
        assert_eq!(hash(&format!("{PREFIX}{}", "a".repeat(MAX_LENGTH))), None);
        assert!(hash(&format!("{PREFIX}a")).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_may_read_the_file() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, path) = file();
        add(&path, "ann", &[]).unwrap();
        add(&path, "ben", &[]).unwrap();
        revoke(&path, "ann").unwrap();
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

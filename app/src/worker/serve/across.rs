//! What is known of the repositories that questions over all of a server's repositories brought
//! into this browser.

use footnote_core::changes::NamedVersion;

use super::server::Ranked;
use crate::words::count;
use crate::worker::protocol::AcrossView;

/// Most repositories that are read for one question.
const AT_ONCE: usize = 4;

/// Most bytes of text that are held; repositories that were not wanted for the longest time go.
pub const MAX_BYTES: usize = 120_000_000;

/// Names that are spelt out in a note.
const NAMED: usize = 6;

/// All repositories of a server, and those of them that are read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Across {
    /// The number of repositories that the last question was searched in.
    pub searched: u32,
    /// In the order in which they came.
    pub here: Vec<Here>,
    /// Counts the questions.
    questions: u32,
}

/// A repository that is read.
#[derive(Clone, Debug, PartialEq)]
pub struct Here {
    /// The folder that holds its files.
    pub folder: String,
    /// What the server calls it.
    name: String,
    /// Its index file.
    pub file: String,
    bytes: usize,
    /// The last question that it was found for.
    wanted_by: u32,
}

impl Across {
    /// This many repositories, none of them read.
    pub fn of(repositories: u32) -> Self {
        Self {
            searched: repositories,
            ..Self::default()
        }
    }

    /// Notes that a question was found in a repository, and returns whether that is here.
    pub fn want(&mut self, file: &str) -> bool {
        let known = self.here.iter_mut().find(|known| known.file == file);
        let questions = self.questions;
        known.map(|known| known.wanted_by = questions).is_some()
    }

    /// Begins another question.
    pub fn ask(&mut self) {
        self.questions += 1;
    }

    /// Whether more can be read for the last question.
    pub fn has_room(&self) -> bool {
        let wanted = self.here.iter();
        let wanted = wanted.filter(|it| it.wanted_by == self.questions);
        wanted.map(|it| it.bytes).sum::<usize>() < MAX_BYTES
    }

    /// Drops another version of a repository, and returns the folder to remove.
    pub fn replace(&mut self, name: &str) -> Option<String> {
        let at = self.here.iter().position(|it| it.name == name)?;
        Some(self.here.remove(at).folder)
    }

    /// Takes in a repository, and returns the folder for its files.
    pub fn add(&mut self, name: &str, file: &str, bytes: usize) -> String {
        let folder = self.folder(name);
        self.here.push(Here {
            folder: folder.clone(),
            name: name.to_owned(),
            file: file.to_owned(),
            bytes,
            wanted_by: self.questions,
        });
        folder
    }

    /// Drops repositories until the text of the others fits, and returns the folders to remove.
    /// Those that the last question was found in stay.
    pub fn drop_old(&mut self) -> Vec<String> {
        let mut dropped = Vec::new();
        while self.here.iter().map(|it| it.bytes).sum::<usize>() > MAX_BYTES {
            let old = self.here.iter().enumerate();
            let old = old.filter(|(_, it)| it.wanted_by < self.questions);
            let Some((at, _)) = old.min_by_key(|(_, it)| it.wanted_by) else {
                break;
            };
            dropped.push(self.here.remove(at).folder);
        }
        dropped
    }

    /// A folder of this name that no other repository has.
    fn folder(&self, name: &str) -> String {
        let is_plain = |it: char| it.is_alphanumeric() || matches!(it, '.' | '-' | '_' | '@' | '+');
        let plain = name.chars().map(|it| if is_plain(it) { it } else { '-' });
        let plain: String = plain.collect();
        let plain = match plain.trim_start_matches('.') {
            "" => "repository",
            plain => plain,
        };
        let is_taken = |folder: &str| self.here.iter().any(|it| it.folder == folder);
        let mut names = (2..).map(|number| format!("{plain}-{number}"));
        match is_taken(plain) {
            false => plain.to_owned(),
            true => names
                .find(|name| !is_taken(name))
                .unwrap_or_else(|| plain.to_owned()),
        }
    }

    /// The repository of a path, if it is not here.
    pub fn gone<'p>(&self, path: &'p str) -> Option<&'p str> {
        let folder = path.split_once('/')?.0;
        let is_here = self.here.iter().any(|it| it.folder == folder);
        (!is_here).then_some(folder)
    }

    /// Says which repositories an answer comes from that cites these paths, and what it cannot say.
    pub fn note<'p>(&self, cited: impl Iterator<Item = &'p str>) -> String {
        let mut folders: Vec<&str> = Vec::new();
        for folder in cited.filter_map(|path| Some(path.split_once('/')?.0)) {
            if !folders.contains(&folder) {
                folders.push(folder);
            }
        }
        let mut note = match folders.is_empty() {
            true => String::new(),
            false => format!("From {}. ", listed(&folders)),
        };
        let read = self.here.len() as u32;
        let (were, those) = match read {
            1 => ("was", "that one"),
            _ => ("were", "those"),
        };
        note += &match read < self.searched {
            true => format!(
                "Of {} repositories on this server, {read} {were} read here: callers, lists and \
                 anything said to be absent cover only {those}.",
                self.searched,
            ),
            // The server may have others by now, so nothing is said of all.
            false => {
                let repositories = count(read.into(), "repository");
                format!("{repositories} on this server {were} read here.")
            }
        };
        note
    }

    /// The folders of the repositories that a question names as the place to look.
    pub fn named(&self, question: &str) -> impl Iterator<Item = &str> {
        let folders = self.here.iter().map(|it| it.folder.as_str());
        folders.filter(|folder| names(question, folder))
    }

    pub fn view(&self) -> AcrossView {
        AcrossView {
            repositories: self.searched,
            read: self.here.len() as u32,
        }
    }
}

/// Of what the server found for a question, the repositories to read: those that the question names
/// first, and of several versions the best one.
pub fn best(mut ranked: Vec<Ranked>, question: &str) -> Vec<Ranked> {
    ranked.sort_by_key(|it| !names(question, &it.repository));
    let mut seen = Vec::new();
    ranked.retain(|it| {
        let name = NamedVersion::of(&it.repository).name.to_owned();
        let is_new = !seen.contains(&name);
        seen.push(name);
        is_new
    });
    ranked.truncate(AT_ONCE);
    ranked
}

/// Whether a question names a repository as the place to look, without its version: “in django”.
pub fn names(question: &str, repository: &str) -> bool {
    let question = question.to_lowercase();
    let name = NamedVersion::of(repository).name.to_lowercase();
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '-');
    let mut places = question.match_indices("in ");
    places.any(|(at, before)| {
        let (start, rest) = question.split_at(at);
        let rest = rest
            .strip_prefix(before)
            .and_then(|rest| rest.strip_prefix(&name));
        !start.ends_with(is_part) && rest.is_some_and(|rest| !rest.starts_with(is_part))
    })
}

/// Names, the first few spelt out.
fn listed(names: &[&str]) -> String {
    let (named, rest) = names.split_at(names.len().min(NAMED));
    let rest = match rest.len() {
        0 => None,
        more => Some(format!("{more} more")),
    };
    let mut all: Vec<&str> = named.to_vec();
    all.extend(rest.as_deref());
    match all.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn across() -> Across {
        let mut across = Across {
            searched: 20,
            ..Across::default()
        };
        across.ask();
        across.add("click-8.1.8", "a.footnote", 10);
        across.add("flask", "b.footnote", MAX_BYTES - 20);
        across
    }

    #[test]
    fn a_repository_that_is_here_is_not_fetched_again() {
        let mut across = across();
        across.ask();
        assert!(across.want("b.footnote"));
        assert!(!across.want("c.footnote"));
    }

    #[test]
    fn a_path_of_a_repository_that_made_room_names_it() {
        let across = across();
        assert_eq!(across.gone("flask/app.py"), None);
        assert_eq!(across.gone("jinja/app.py"), Some("jinja"));
        assert_eq!(across.gone("app.py"), None);
    }

    #[test]
    fn only_the_best_of_several_versions_is_read() {
        let ranked = |name: &str| Ranked {
            repository: name.to_owned(),
            index: format!("{name}.footnote"),
        };
        let names = [
            "flask-3.1.1",
            "click-8.1.7",
            "flask-2.0.0",
            "click",
            "jinja",
        ];
        let best = best(names.map(ranked).into(), "and in click?");
        let best: Vec<&str> = best.iter().map(|it| it.repository.as_str()).collect();
        assert_eq!(best, ["click-8.1.7", "flask-3.1.1", "jinja"]);
    }

    #[test]
    fn a_newer_version_takes_the_place_of_the_older_one() {
        let mut across = across();
        assert_eq!(across.replace("flask").as_deref(), Some("flask"));
        assert_eq!(across.add("flask", "c.footnote", 1), "flask");
        assert_eq!(across.replace("django"), None);
        assert_eq!(across.here.len(), 2);
    }

    #[test]
    fn a_question_that_brings_much_text_brings_no_more() {
        let mut across = across();
        assert!(across.has_room());
        across.add("large", "l.footnote", 100);
        assert!(!across.has_room());
    }

    #[test]
    fn the_least_recently_wanted_repositories_make_room() {
        let mut across = across();
        across.ask();
        across.want("a.footnote");
        across.add("jinja", "c.footnote", 100);
        assert_eq!(across.drop_old(), ["flask"]);
        assert_eq!(across.drop_old(), [""; 0]);
        // One that is too large by itself is read nevertheless: nothing else would answer.
        across.ask();
        across.add("huge", "huge.footnote", 2 * MAX_BYTES);
        assert_eq!(across.drop_old(), ["click-8.1.8", "jinja"]);
        assert_eq!(across.here.len(), 1);
    }

    #[test]
    fn every_repository_gets_its_own_folder() {
        let mut across = Across::default();
        for (name, expected) in [
            ("@trpc/server", "@trpc-server"),
            ("shop", "shop"),
            ("shop", "shop-2"),
            ("shop", "shop-3"),
            ("../..", "-.."),
            ("..", "repository"),
            ("", "repository-2"),
            ("über\n", "über-"),
        ] {
            assert_eq!(across.add(name, "x.footnote", 1), expected, "{name:?}");
        }
    }

    #[test]
    fn an_answer_says_where_it_comes_from_and_what_was_not_read() {
        let across = across();
        let cited = ["flask/app.py", "flask/cli.py", "click-8.1.8/core.py"];
        assert_eq!(
            across.note(cited.into_iter()),
            "From flask and click-8.1.8. Of 20 repositories on this server, 2 were read here: \
             callers, lists and anything said to be absent cover only those."
        );
        let small = Across {
            searched: 2,
            ..across
        };
        let note = small.note(std::iter::empty());
        assert_eq!(note, "2 repositories on this server were read here.");
    }

    #[test]
    fn a_question_names_a_repository_as_the_place_to_look() {
        for (question, repository, expected) in [
            ("and in Django?", "django-5.2.4", true),
            ("how are sessions kept in flask", "flask", true),
            ("in click, where are options parsed", "click-8.1.8", true),
            ("who imports click", "click-8.1.8", false),
            ("how is it done in clickhouse", "click-8.1.8", false),
            ("how is it done in click-plugins", "click-8.1.8", false),
            ("what is within django", "django-5.2.4", false),
            ("what is plugin flask", "flask", false),
        ] {
            assert_eq!(names(question, repository), expected, "{question}");
        }
    }

    #[test]
    fn long_lists_of_names_are_cut() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        assert_eq!(listed(&names), "a, b, c, d, e, f and 2 more");
        assert_eq!(listed(&names[..1]), "a");
    }
}

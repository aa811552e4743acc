//! Several repositories as one: each in a folder of its own.

use super::{Repo, Skipped, SourceFile};

impl Repo {
    /// Adds all files of another repository below `folder`, which must not be empty. A path that is
    /// there already keeps its text. What commits say of the other one is left out.
    pub fn add_below(&mut self, folder: &str, other: Repo) {
        let inside = |path: String| format!("{folder}/{path}");
        self.files.extend(other.files.into_iter().map(|file| {
            let (path, text) = (inside(file.path), file.text);
            SourceFile { path, text }
        }));
        self.skipped.extend(other.skipped.into_iter().map(|it| {
            let (path, reason) = (inside(it.path), it.reason);
            Skipped { path, reason }
        }));
        // What commits say names files by their places.
        self.history = super::History::default();
        self.files.sort_by(|a, b| a.path.cmp(&b.path));
        self.files
            .dedup_by(|later, earlier| later.path == earlier.path);
    }

    /// Removes everything below `folder`.
    pub fn remove_below(&mut self, folder: &str) {
        let is_inside = |path: &str| {
            let rest = path.strip_prefix(folder);
            rest.is_some_and(|rest| rest.starts_with('/'))
        };
        self.files.retain(|file| !is_inside(&file.path));
        self.skipped.retain(|skipped| !is_inside(&skipped.path));
        self.history = super::History::default();
    }

    /// Bytes of text below `folder`.
    pub fn bytes_below(&self, folder: &str) -> usize {
        let start = format!("{folder}/");
        self.below(&start).map(|file| file.text.len()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::SkipReason;
    use super::*;

    fn repo(name: &str, paths: &[&str]) -> Repo {
        let file = |path: &&str| SourceFile {
            path: (*path).to_owned(),
            text: format!("{path} of {name}"),
        };
        Repo {
            name: name.to_owned(),
            files: paths.iter().map(file).collect(),
            skipped: vec![Skipped {
                path: "logo.png".to_owned(),
                reason: SkipReason::Binary,
            }],
            ..Repo::default()
        }
    }

    fn paths(repo: &Repo) -> Vec<&str> {
        let files = repo.files.iter().map(|file| file.path.as_str());
        let skipped = repo.skipped.iter().map(|skipped| skipped.path.as_str());
        files.chain(skipped).collect()
    }

    #[test]
    fn every_file_is_found_below_the_folder_of_its_repository_until_that_is_removed() {
        let mut all = Repo::default();
        all.add_below("shop-2", repo("shop", &["a.py", "src/b.py"]));
        all.add_below("shop", repo("old shop", &["z.py"]));
        let both = [
            "shop-2/a.py",
            "shop-2/src/b.py",
            "shop/z.py",
            "shop-2/logo.png",
            "shop/logo.png",
        ];
        assert_eq!(paths(&all), both);
        let file = all.find("shop/z.py").and_then(|id| all.file(id));
        assert_eq!(file.map(|it| it.text.as_str()), Some("z.py of old shop"));
        assert_eq!(all.bytes_below("shop"), "z.py of old shop".len());
        all.remove_below("shop");
        assert_eq!(paths(&all), [both[0], both[1], both[3]]);
    }

    #[test]
    fn a_path_that_is_there_keeps_its_text() {
        let mut all = Repo::default();
        all.add_below("a", repo("first", &["x.py"]));
        all.add_below("a", repo("second", &["x.py"]));
        assert_eq!(all.files.len(), 1);
        assert_eq!(all.files[0].text, "x.py of first");
    }
}

//! Opens a footnote's lines in an editor on this computer: each editor has addresses of its own for
//! that. They lead nowhere else, and are followed only by a click.

use std::collections::BTreeMap;

use footnote_core::changes::NamedVersion;

use super::State;
use crate::words::in_address;

/// An editor, and how its addresses are made.
#[derive(Debug)]
pub struct Editor {
    /// The stored word.
    pub name: &'static str,
    pub title: &'static str,
    /// The address of a line of the file at an escaped absolute path.
    address: fn(&str, u32) -> String,
}

/// The editors, in the order in which they are offered.
pub const EDITORS: [Editor; 5] = [
    Editor {
        name: "vscode",
        title: "VS Code",
        address: |path, line| format!("vscode://file{path}:{line}"),
    },
    Editor {
        name: "vscodium",
        title: "VSCodium",
        address: |path, line| format!("vscodium://file{path}:{line}"),
    },
    Editor {
        name: "cursor",
        title: "Cursor",
        address: |path, line| format!("cursor://file{path}:{line}"),
    },
    Editor {
        name: "zed",
        title: "Zed",
        address: |path, line| format!("zed://file{path}:{line}"),
    },
    Editor {
        name: "idea",
        title: "IntelliJ IDEA",
        address: |path, line| format!("idea://open?file={path}&line={line}"),
    },
];

/// The user's editor, and where repositories lie on this computer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EditorLinks {
    /// The position in [`EDITORS`].
    pub editor: Option<usize>,
    /// By the repository's name without its version.
    pub folders: BTreeMap<String, String>,
}

impl EditorLinks {
    /// Reads the remembered choices; one that cannot be read counts as never made.
    pub fn read(editor: Option<&str>, folders: Option<&str>) -> Self {
        let known = |name: &str| EDITORS.iter().position(|editor| editor.name == name);
        let folders = folders.and_then(|json| serde_json::from_str(json).ok());
        Self {
            editor: editor.and_then(known),
            folders: folders.unwrap_or_default(),
        }
    }

    pub fn chosen(&self) -> Option<&'static Editor> {
        EDITORS.get(self.editor?)
    }

    /// The folder of a repository, as the user wrote it. Among all repositories of a server, a
    /// scoped name has a dash for its slash.
    pub fn folder(&self, repo: &str) -> Option<&str> {
        let name = NamedVersion::of(repo).name;
        let folder = self.folders.get(name).or_else(|| {
            let scoped = self
                .folders
                .iter()
                .find(|(scoped, _)| scoped.replace('/', "-") == name);
            scoped.map(|(_, folder)| folder)
        });
        folder.map(String::as_str)
    }

    /// Sets the folder of a repository; an empty one forgets it.
    pub fn set_folder(&mut self, repo: &str, folder: &str) {
        let name = NamedVersion::of(repo).name.to_owned();
        match folder.trim() {
            "" => self.folders.remove(&name),
            folder => self.folders.insert(name, folder.to_owned()),
        };
    }

    /// The address of a line; `None` if no editor is chosen or the folder is unknown.
    fn address(&self, repo: &str, path: &str, line: u32) -> Option<String> {
        let editor = self.chosen()?;
        let folder = self.folder(repo)?.replace('\\', "/");
        // A colon is part of a drive's name.
        let folder = in_address(folder.trim_matches('/')).replace("%3A", ":");
        let path = in_address(path);
        Some((editor.address)(&format!("/{folder}/{path}"), line))
    }
}

impl State {
    /// The title of the user's editor, and the address at which it opens a line.
    pub fn in_editor(&self, path: &str, line: u32) -> Option<(&'static str, String)> {
        let repo = &self.summary()?.repo;
        let (name, path) = match &repo.across {
            Some(_) => path.split_once('/')?,
            None => (repo.name.as_str(), path),
        };
        let address = self.editor.address(name, path, line)?;
        Some((self.editor.chosen()?.title, address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::tests::Page;

    fn links(editor: &str, folder: &str) -> EditorLinks {
        let mut links = EditorLinks::read(Some(editor), None);
        links.set_folder("click-8.1.8", folder);
        links
    }

    #[test]
    fn each_editor_opens_the_line_in_the_folder_of_the_repository() {
        for (editor, folder, expected) in [
            (
                "vscode",
                "/home/ann/click/",
                "vscode://file/home/ann/click/src/a.py:7",
            ),
            ("zed", "/x y/%", "zed://file/x%20y/%25/src/a.py:7"),
            (
                "cursor",
                "C:\\code\\click",
                "cursor://file/C:/code/click/src/a.py:7",
            ),
            (
                "idea",
                "/r&d/#1",
                "idea://open?file=/r%26d/%231/src/a.py&line=7",
            ),
        ] {
            let address = links(editor, folder).address("click-8.2.0", "src/a.py", 7);
            assert_eq!(address.as_deref(), Some(expected));
        }
    }

    #[test]
    fn without_an_editor_or_a_folder_there_is_no_address() {
        for links in [
            EditorLinks::default(),
            links("emacs", "/x"),
            links("vscode", "  "),
        ] {
            assert_eq!(links.address("click", "a.py", 1), None, "{links:?}");
        }
        let damaged = EditorLinks::read(Some("vscode"), Some("{"));
        assert_eq!(damaged.folders, BTreeMap::new());
    }

    #[test]
    fn the_open_repository_is_found_by_its_name_whatever_its_version() {
        let mut page = Page::new();
        page.ready("click-8.1.8");
        page.state.editor = links("vscode", "/c");
        let found = page.state.in_editor("src/a.py", 3);
        assert_eq!(
            found,
            Some(("VS Code", "vscode://file/c/src/a.py:3".to_owned()))
        );
    }
}

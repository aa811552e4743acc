//! Groups of questions, to measure each on its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::eval::Item;

/// The group of questions that belong to several.
const SEVERAL: &str = "several";

/// Groups the questions by what `key` returns, in the order of the set.
pub fn grouped<'a>(
    items: &[&'a Item],
    key: impl Fn(&Item) -> String,
) -> BTreeMap<String, Vec<&'a Item>> {
    let mut groups: BTreeMap<String, Vec<&'a Item>> = BTreeMap::new();
    for item in items {
        groups.entry(key(item)).or_default().push(item);
    }
    groups
}

/// The category or strategy of a question; `none` if it has none.
pub fn by_category(item: &Item) -> String {
    item.category.clone().unwrap_or_else(|| "none".to_owned())
}

/// The top folder of the gold files: `.` for the archive's own, `several` for more than one.
pub fn by_folder(item: &Item) -> String {
    common(item, |path| match path.split_once('/') {
        Some((folder, _)) => folder.to_owned(),
        None => ".".to_owned(),
    })
}

/// The extension of the gold files in lower case, which stands for their language: `py`; `none`
/// without an extension, `several` for more than one.
pub fn by_ending(item: &Item) -> String {
    common(item, |path| {
        let name = path.rsplit('/').next().unwrap_or(path);
        match name.rsplit_once('.') {
            Some((stem, ending)) if !stem.is_empty() && !ending.is_empty() => ending.to_lowercase(),
            _ => "none".to_owned(),
        }
    })
}

/// Whether a question was held out: `generalising` if its id is in `valid`, `memorising` if it was
/// trained on (PathFinder's split).
pub fn by_split(valid: &BTreeSet<String>) -> impl Fn(&Item) -> String + '_ {
    |item| match valid.contains(&item.id) {
        true => "generalising".to_owned(),
        false => "memorising".to_owned(),
    }
}

fn common(item: &Item, of: impl Fn(&str) -> String) -> String {
    let all: BTreeSet<String> = item.gold_files.iter().map(|path| of(path)).collect();
    let mut all = all.into_iter();
    match (all.next(), all.next()) {
        (Some(one), None) => one,
        (Some(_), Some(_)) => SEVERAL.to_owned(),
        (None, _) => "none".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, category: Option<&str>, gold: &[&str]) -> Item {
        Item {
            id: id.to_owned(),
            archive: "a".to_owned(),
            query: "q".to_owned(),
            gold_files: gold.iter().map(|path| (*path).to_owned()).collect(),
            gold_spans: Vec::new(),
            category: category.map(str::to_owned),
            reference_answer: None,
            source: None,
        }
    }

    #[test]
    fn a_question_is_in_the_group_of_its_gold_files() {
        for (gold, folder, ending) in [
            (vec!["src/a.py"], "src", "py"),
            (vec!["src/a.py", "src/b/c.PY"], "src", "py"),
            (vec!["src/a.py", "docs/a.py"], "several", "py"),
            (vec!["a.py", "b.rs"], ".", "several"),
            (vec!["LICENSE"], ".", "none"),
            (vec!["x.d/.gitignore"], "x.d", "none"),
            (vec![], "none", "none"),
        ] {
            let item = item("q", None, &gold);
            assert_eq!(
                (by_folder(&item).as_str(), by_ending(&item).as_str()),
                (folder, ending),
                "{gold:?}"
            );
        }
    }

    #[test]
    fn groups_hold_every_question_once() {
        let items = [
            item("a", Some("S1"), &["x"]),
            item("b", None, &["x"]),
            item("c", Some("S1"), &["x"]),
        ];
        let items: Vec<&Item> = items.iter().collect();
        let ids = |key: &dyn Fn(&Item) -> String| -> Vec<(String, Vec<String>)> {
            let groups = grouped(&items, key).into_iter();
            groups
                .map(|(key, items)| (key, items.iter().map(|item| item.id.clone()).collect()))
                .collect()
        };
        let pair = |key: &str, ids: &[&str]| {
            (
                key.to_owned(),
                ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>(),
            )
        };
        assert_eq!(
            ids(&by_category),
            [pair("S1", &["a", "c"]), pair("none", &["b"])]
        );
        let valid = BTreeSet::from(["c".to_owned()]);
        assert_eq!(
            ids(&by_split(&valid)),
            [
                pair("generalising", &["c"]),
                pair("memorising", &["a", "b"])
            ]
        );
    }
}

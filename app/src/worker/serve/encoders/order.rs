//! The order in which vectors are computed.

use footnote_core::chunk::{Chunk, ChunkId, ChunkKind};
use footnote_core::index::Index;
use footnote_core::lang::Role;

/// Returns the chunks in the order in which their vectors help most: definitions and the README
/// first, tests last. Within each group, texts of similar length are together, because a batch is
/// as slow as its longest text.
pub fn best_order(index: &Index, sizes: &[u32]) -> Vec<ChunkId> {
    let roles: Vec<Role> = index
        .repo
        .files
        .iter()
        .map(|file| Role::of(&file.path))
        .collect();
    let mut order: Vec<((u8, u32), ChunkId)> = index
        .chunk_ids()
        .map(|(id, chunk)| {
            let role = roles
                .get(chunk.file.0 as usize)
                .copied()
                .unwrap_or(Role::Source);
            let path = index.path_of(id).unwrap_or_default();
            let size = sizes.get(id.0 as usize).copied().unwrap_or(0);
            ((rank(chunk, role, path), size / 100), id)
        })
        .collect();
    order.sort_unstable();
    order.into_iter().map(|(_, id)| id).collect()
}

fn rank(chunk: &Chunk, role: Role, path: &str) -> u8 {
    let definition = matches!(chunk.kind, ChunkKind::Symbol | ChunkKind::Head);
    let readme = path.to_ascii_lowercase().starts_with("readme");
    match role {
        _ if readme => 0,
        Role::Source if definition => 1,
        Role::Source => 2,
        Role::Docs | Role::Manifest => 3,
        Role::Example | Role::Config => 4,
        Role::Test => 5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use footnote_core::job::run_to_end;
    use footnote_core::source::{Repo, SourceFile};

    #[test]
    fn the_readme_comes_first_and_tests_come_last() {
        let files = [
            ("README.md", "# Tea\n\nTea is a drink.\n"),
            ("src/tea.py", "import os\n\ndef brew():\n    return 1\n"),
            ("tests/test_tea.py", "def test_brew():\n    assert 1\n"),
        ];
        let repo = Repo {
            name: "tea".into(),
            files: files
                .map(|(path, text)| SourceFile {
                    path: path.into(),
                    text: text.into(),
                })
                .into(),
            ..Repo::default()
        };
        let builder =
            footnote_core::index::IndexBuilder::new(repo, footnote_core::chunk::Chunking::FUNCTION);
        let index = run_to_end(builder).unwrap();
        let sizes = vec![50; index.chunks.len()];
        let order = best_order(&index, &sizes);
        assert_eq!(order.len(), index.chunks.len());
        let paths: Vec<_> = order.iter().filter_map(|&id| index.path_of(id)).collect();
        assert_eq!(paths.first(), Some(&"README.md"));
        assert_eq!(paths.last(), Some(&"tests/test_tea.py"));
    }
}

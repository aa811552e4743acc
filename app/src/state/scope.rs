//! Which folders of a repository are read, and what that costs.

use std::collections::BTreeSet;

use super::{Effect, Loading, Phase, Purpose, Shared, State};
use crate::worker::protocol::{FolderView, OpenRequest, ScopeView};

/// Which folders are read.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    pub view: Shared<ScopeView>,
    /// Positions in the view's list.
    pub left_out: BTreeSet<u32>,
}

impl Choice {
    /// A choice that reads everything.
    pub fn new(view: ScopeView) -> Self {
        Self {
            view: Shared::new(view),
            left_out: BTreeSet::new(),
        }
    }

    /// How many files are read.
    pub fn files(&self) -> u64 {
        self.read().map(|folder| folder.files).sum()
    }

    /// How many bytes of text are read.
    pub fn bytes(&self) -> u64 {
        self.read().map(|folder| folder.bytes).sum()
    }

    fn read(&self) -> impl Iterator<Item = &FolderView> {
        let folders = (0..).zip(&self.view.folders);
        folders
            .filter(|(at, _)| !self.left_out.contains(at))
            .map(|(_, folder)| folder)
    }

    /// How long indexing will take, in seconds; `None` if unknown.
    pub fn seconds(&self) -> Option<f64> {
        Some(self.view.ms_per_mb? * self.bytes() as f64 / 1e9)
    }

    /// The memory that the page will need, in millions of bytes.
    pub fn memory_mb(&self) -> f64 {
        let memory = self.view.memory;
        let of_text = memory.per_mb * self.bytes() as f64 / 1e6;
        memory.empty + of_text + memory.per_file * self.files() as f64
    }

    /// By how many bytes the text exceeds what can be read.
    pub fn excess(&self) -> u64 {
        self.bytes().saturating_sub(self.view.most_bytes)
    }

    /// The device's memory in millions of bytes, if it may not be enough: the browser, other tabs
    /// and other programs need as much again.
    pub fn scarce_mb(&self) -> Option<f64> {
        let device = self.view.memory.device?;
        (self.memory_mb() > device / 2.0).then_some(device)
    }
}

impl State {
    /// Includes a folder of the list, or leaves it out.
    pub fn choose_folder(&mut self, at: u32, is_read: bool) {
        if let Some(choice) = self.choice_mut() {
            if is_read {
                choice.left_out.remove(&at);
            } else {
                choice.left_out.insert(at);
            }
        }
    }

    /// Continues the reading that waits for a choice, or starts it again; `now` is in milliseconds.
    pub fn read_chosen(&mut self, now: f64) -> Vec<Effect> {
        let Some(&(of, _)) = self.jobs.with(Purpose::is_opening).first() else {
            return Vec::new();
        };
        let Phase::Loading(loading) = &mut self.phase else {
            return Vec::new();
        };
        let Some(choice) = loading.choice.take() else {
            return Vec::new();
        };
        *loading = Loading::new(&loading.name, now);
        let left_out = choice.left_out.into_iter().collect();
        let request = OpenRequest::Read { of, left_out };
        vec![Effect::send(Purpose::Other, request)]
    }

    /// The choice that a reading waits for.
    pub fn choice(&self) -> Option<&Choice> {
        match &self.phase {
            Phase::Loading(loading) => loading.choice.as_ref(),
            _ => None,
        }
    }

    fn choice_mut(&mut self) -> Option<&mut Choice> {
        match &mut self.phase {
            Phase::Loading(loading) => loading.choice.as_mut(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worker::protocol::MemoryView;

    #[test]
    fn a_choice_says_what_it_costs() {
        let folder = |folder: &str, megabytes: u64| FolderView {
            folder: folder.into(),
            files: megabytes,
            bytes: megabytes * 1_000_000,
            is_rest: false,
        };
        let mut choice = Choice::new(ScopeView {
            name: "a".into(),
            folders: vec![folder("docs", 300), folder("src", 400)],
            skipped: Vec::new(),
            most_bytes: 500_000_000,
            ms_per_mb: Some(150.0),
            memory: MemoryView {
                empty: 300.0,
                per_mb: 5.0,
                per_file: 0.5,
                device: Some(6_000.0),
            },
            is_waiting: true,
        });
        assert_eq!((choice.files(), choice.excess()), (700, 200_000_000));
        assert_eq!(choice.scarce_mb(), Some(6_000.0));
        choice.left_out.insert(0);
        assert_eq!((choice.files(), choice.excess()), (400, 0));
        assert_eq!(choice.seconds(), Some(60.0));
        assert_eq!(choice.memory_mb(), 2_500.0);
        assert_eq!(choice.scarce_mb(), None);
    }
}

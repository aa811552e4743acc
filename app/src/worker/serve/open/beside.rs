//! Opens index files that lie beside the page, by name.

use footnote_core::job::Progress;

use super::Opening;
use super::source::Ended;
use crate::worker::serve::hosted::{is_file, list, names_content};
use crate::worker::serve::notices;

/// Begins the setting that names the repository which was read from an index file.
const SETTING: &str = "index-file:";

impl Opening {
    /// Opens the index file of this name. A file that was opened before is not loaded again if its
    /// name says what it holds.
    pub(super) async fn open_hosted(&self, name: &str) -> Result<(), Ended> {
        let file = self.file_of(name).await?;
        let storage = &self.services().storage;
        let setting = format!("{SETTING}{file}");
        let is_lasting = names_content(&file);
        if is_lasting
            && let Some(repo) = storage.setting(&setting).await
            && self.is_saved(&repo).await
        {
            match self.load(&repo).await {
                Ok(index) => return self.announce_saved(repo, index).await,
                Err(Ended::Stopped) => return Err(Ended::Stopped),
                // What is damaged in this browser is whole on the site.
                Err(_) => {}
            }
        }
        let goes_on = |done, total| {
            self.tell_bytes("loading", Progress { done, total });
            !self.cancel.asked()
        };
        let bytes = self.services().server.file(&file, goes_on).await;
        let bytes = bytes.map_err(|error| notices::no_index_file(&error))?;
        let key = self.open_file(&file, bytes.ok_or(Ended::Stopped)?).await?;
        if is_lasting {
            // Without it, the file is loaded again next time.
            let _ = storage.keep_setting(&setting, &key).await;
        }
        Ok(())
    }

    /// Returns the file that a name means: itself, or the one that the list gives.
    async fn file_of(&self, name: &str) -> Result<String, Ended> {
        if is_file(name) {
            return Ok(name.to_owned());
        }
        let listed = list(&self.services().server).await;
        let listed = listed.map_err(|error| notices::no_index_list(&error))?;
        let found = listed.files.into_iter().find(|listed| listed.name == name);
        let found = found.ok_or_else(|| notices::no_such_index(name))?;
        Ok(found.file)
    }
}

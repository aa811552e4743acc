//! Local storage: short texts that the page remembers between visits under fixed names.

use web_sys::Storage;

/// The names of all that is remembered start with it.
const PREFIX: &str = "footnote.";

/// A remembered text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Theme,
    /// The order of the footnotes.
    NoteOrder,
    /// Set if keys of one character are switched off.
    CharacterKeys,
    /// Set if the transformer is switched off.
    CloseReading,
    /// The editor on this computer that footnotes open in.
    Editor,
    /// The folders of repositories on this computer.
    EditorFolders,
    /// The pipeline that answers questions.
    Pipeline,
    /// The one origin, besides the page's own, that `seal.js` lets the page connect to.
    ServiceOrigin,
    ServiceKind,
    ServiceBase,
    ServiceModel,
    /// Tokens that fit in the model's context window.
    ServiceWindow,
    /// Where the user has agreed to send data, and how much.
    ServiceConsent,
    /// Seconds without data after which the page says so.
    ServicePatience,
    /// Set if every request is shown before it is sent.
    ServiceReview,
    /// A key, encrypted with a passphrase.
    ServiceKey,
}

impl Item {
    /// Every item of a connected service.
    pub const SERVICE: [Item; 9] = [
        Item::ServiceOrigin,
        Item::ServiceKind,
        Item::ServiceBase,
        Item::ServiceModel,
        Item::ServiceWindow,
        Item::ServiceConsent,
        Item::ServicePatience,
        Item::ServiceReview,
        Item::ServiceKey,
    ];

    fn name(self) -> &'static str {
        match self {
            Item::Theme => "footnote.theme",
            Item::NoteOrder => "footnote.notes",
            Item::CharacterKeys => "footnote.keys",
            Item::CloseReading => "footnote.close-reading",
            Item::Editor => "footnote.editor",
            Item::EditorFolders => "footnote.editor.folders",
            Item::Pipeline => "footnote.pipeline",
            Item::ServiceOrigin => "footnote.service.origin",
            Item::ServiceKind => "footnote.service.kind",
            Item::ServiceBase => "footnote.service.base",
            Item::ServiceModel => "footnote.service.model",
            Item::ServiceWindow => "footnote.service.window",
            Item::ServiceConsent => "footnote.service.consent",
            Item::ServicePatience => "footnote.service.patience",
            Item::ServiceReview => "footnote.service.review",
            Item::ServiceKey => "footnote.service.key",
        }
    }
}

/// Returns the remembered text, if there is one and the browser allows reading it.
pub fn load(item: Item) -> Option<String> {
    storage()?.get_item(item.name()).ok().flatten()
}

/// Remembers `text`, or forgets the item if it is `None`. Returns false if the browser forbids it
/// or has no room.
pub fn keep(item: Item, text: Option<&str>) -> bool {
    storage().is_some_and(|storage| {
        let done = match text {
            Some(text) => storage.set_item(item.name(), text),
            None => storage.remove_item(item.name()),
        };
        done.is_ok()
    })
}

/// Forgets everything that the page remembers. Returns false if the browser forbids it.
pub fn forget_all() -> bool {
    let Some(storage) = storage() else {
        // What cannot be read was not kept either.
        return true;
    };
    let count = storage.length().unwrap_or_default();
    let names = (0..count).filter_map(|at| storage.key(at).ok().flatten());
    // Other pages of this host may keep something too.
    let own: Vec<String> = names.filter(|name| name.starts_with(PREFIX)).collect();
    // All are tried, even after one that cannot be removed.
    let left = own.iter().filter(|name| storage.remove_item(name).is_err());
    left.count() == 0
}

/// `None` if the browser forbids it.
fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

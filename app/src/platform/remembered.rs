//! Local storage: what the page remembers between visits as short texts under fixed names.

use web_sys::Storage;

/// A remembered text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    Theme,
    /// How footnotes are ordered.
    NoteOrder,
    /// The pipeline that answers.
    Pipeline,
    /// The one origin beside the page's own that `seal.js` lets the page connect to.
    ServiceOrigin,
    ServiceKind,
    ServiceBase,
    ServiceModel,
    /// Tokens that the model takes in.
    ServiceWindow,
    /// To whom the user has agreed to send, and how much.
    ServiceConsent,
    /// Seconds without data after which it is said.
    ServicePatience,
    /// Set if every request is to be shown before it is sent.
    ServiceReview,
    /// A key, encrypted with a passphrase.
    ServiceKey,
}

impl Item {
    /// All that belongs to a connected service.
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

/// The remembered text, if there is one and the browser lets it be read.
pub fn load(item: Item) -> Option<String> {
    storage()?.get_item(item.name()).ok().flatten()
}

/// Remembers `text`, or forgets the item. False where the browser forbids it or has no room.
pub fn keep(item: Item, text: Option<&str>) -> bool {
    storage().is_some_and(|storage| {
        let done = match text {
            Some(text) => storage.set_item(item.name(), text),
            None => storage.remove_item(item.name()),
        };
        done.is_ok()
    })
}

/// `None` where the browser forbids it.
fn storage() -> Option<Storage> {
    web_sys::window()?.local_storage().ok().flatten()
}

//! A format in which something can be saved.

/// What is known of a format beside the function that writes it. It is not sent: the page reads it
/// where the engine declares it, and asks by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// Names it among the formats of the same thing.
    pub name: &'static str,
    /// As it stands behind “Save as”.
    pub title: &'static str,
    /// What a reader gains by it; may be empty.
    pub about: &'static str,
    /// Of the file.
    pub extension: &'static str,
    pub media_type: &'static str,
}

impl FormatSpec {
    /// One file with its own style.
    pub const HTML: Self = Self {
        name: "html",
        title: "HTML",
        about: "",
        extension: "html",
        media_type: "text/html",
    };

    /// For programs.
    pub const JSON: Self = Self {
        name: "json",
        title: "JSON",
        about: "",
        extension: "json",
        media_type: "application/json",
    };
}

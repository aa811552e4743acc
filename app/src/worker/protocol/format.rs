//! A file format for saving something.

/// The description of a format, apart from the function that writes it. It is not sent: the page
/// reads it where the engine declares it, and requests a format by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FormatSpec {
    /// Identifies it among the formats of the same thing.
    pub name: &'static str,
    /// The text after “Save as”.
    pub title: &'static str,
    /// What the format is good for; may be empty.
    pub about: &'static str,
    /// File name extension.
    pub extension: &'static str,
    pub media_type: &'static str,
}

impl FormatSpec {
    /// One file with its own style sheet.
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

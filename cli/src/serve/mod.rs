//! `footnote serve`: the page, index files, and search over all repositories, at one address.

pub mod source;

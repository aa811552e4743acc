//! Browser stories: the built page in headless Chromium, used as a person would.
// Tests may fail loudly.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod first_visit;

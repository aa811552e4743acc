//! Index files: round trips, and files that lie.

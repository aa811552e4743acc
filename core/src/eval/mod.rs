//! Question sets and metrics.

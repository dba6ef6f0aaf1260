//! Import paths to files.

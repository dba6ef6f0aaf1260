//! Channels.
//!
//! Go: runtime/chan.go.

/// A P's cache of sudogs.
#[derive(Debug, Default)]
pub struct SudogCache {
    _private: (),
}

impl SudogCache {
    /// An empty cache.
    pub const fn new() -> SudogCache {
        SudogCache { _private: () }
    }
}

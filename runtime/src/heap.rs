//! The heap: spans, size classes, caches.
//!
//! Go: runtime/malloc.go, mheap.go, mcache.go.

/// A P's allocation cache.
#[derive(Debug, Default)]
pub struct MCache {
    _private: (),
}

impl MCache {
    /// An empty cache.
    pub const fn new() -> MCache {
        MCache { _private: () }
    }

    /// Gives everything back; the P is destroyed.
    pub fn flush(&mut self) {}
}

//! Network poller
//!
//! Go: runtime/ mio readiness becomes ready Gs.:netpoll.go.

//! Mutex, RWMutex and WaitGroup over memory laid out as Go lays it out.
//!
//! Go: sync/mutex.go, rwmutex.go, waitgroup.go.

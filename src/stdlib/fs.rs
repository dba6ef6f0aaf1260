//! Package `io/fs`: the types that package os shares. Go: io/fs.

package! { "io/fs", ["fs.go"]; }

//! What there is in Go's standard library: tells a package or a name that is not on offer here
//! from one that does not exist.
//!
//! Go: `go list std`, internal packages left out.

/// For each package a line with its path, then indented lines with what it exports. Made by
/// `tests/exports.go`; only read when something is not found.
const GO_NAMES: &str = include_str!("exports.txt");

/// Is `path` a package of Go's standard library, on offer here or not?
pub fn is_go_package(path: &str) -> bool {
    !path.starts_with(' ') && GO_NAMES.lines().any(|line| line == path)
}

/// Does Go's package at `path` export `name`, on offer here or not?
/// Of types also fields and methods: `Builder.Grow`.
pub fn is_go_name(path: &str, name: &str) -> bool {
    let mut lines = GO_NAMES.lines().skip_while(|line| *line != path);
    lines.next();
    let mut names = lines.take_while(|line| line.starts_with(' '));
    names.any(|line| line.split(' ').any(|n| n == name))
}

/// Is the library's package at `path` for the library alone?
pub fn is_internal(path: &str) -> bool {
    path.split('/').any(|element| element == "internal")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_holds_what_is_on_offer() {
        for path in crate::paths() {
            assert!(is_go_package(path) || is_internal(path), "{path}");
        }
    }

    #[test]
    fn packages_and_names_are_told_apart() {
        assert!(is_go_package("net/http") && !is_go_package("net/htt"));
        assert!(!is_go_package("") && !is_go_package(" Pointer"));
        assert!(is_go_name("syscall", "Getpagesize"));
        assert!(is_go_name("strings", "Builder.Grow"));
        assert!(!is_go_name("strings", "Builder.grow"));
        assert!(!is_go_name("strings", "Getpagesize"));
        assert!(!is_go_name("nowhere", "Getpagesize"));
    }
}

//! Small packages that are Go altogether:
//! containers, names of files, encodings, hashes, sequences, logs.
//!
//! Go: the packages of the same names.

macro_rules! packages {
    ($($name:ident: $path:literal, $file:literal;)*) => {
        $(
            #[doc = concat!("Package `", $path, "`.")]
            pub mod $name {
                package! { $path, [$file]; }
            }
        )*

        /// All of them.
        pub fn packages() -> Vec<&'static super::Package> {
            vec![$($name::package()),*]
        }
    };
}
packages! {
    base64: "encoding/base64", "base64.go";
    cmp: "cmp", "cmp.go";
    digest: "internal/digest", "digest.go";
    encoding: "encoding", "encoding.go";
    filepath: "path/filepath", "filepath.go";
    fnv: "hash/fnv", "fnv.go";
    hash: "hash", "hash.go";
    heap: "container/heap", "heap.go";
    hex: "encoding/hex", "hex.go";
    ioutil: "io/ioutil", "ioutil.go";
    iter: "iter", "iter.go";
    list: "container/list", "list.go";
    log: "log", "log.go";
    maps: "maps", "maps.go";
    path: "path", "path.go";
    ring: "container/ring", "ring.go";
    slices: "slices", "slices.go";
    tabwriter: "text/tabwriter", "tabwriter.go";
    utf16: "unicode/utf16", "utf16.go";
}

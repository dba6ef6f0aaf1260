//! Turns `grammar/go.lalrpop` into the parser, and nothing else.
fn main() {
    println!("cargo:rerun-if-changed=grammar/go.lalrpop");
}

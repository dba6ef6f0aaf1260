//! Turns the grammar into the parser.

fn main() {
    println!("cargo:rerun-if-changed=grammar/go.lalrpop");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR");
    lalrpop::Configuration::new()
        .set_in_dir("grammar")
        .set_out_dir(out)
        .emit_rerun_directives(false)
        .process()
        .expect("grammar/go.lalrpop is a conflict-free grammar");
}

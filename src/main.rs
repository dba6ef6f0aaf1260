//! `gosched`: hands the arguments to [`gosched::cli`].

fn main() -> ! {
    gosched::cli::main()
}

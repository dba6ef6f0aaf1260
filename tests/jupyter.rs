//! The Jupyter kernel of `examples/jupyter` under Jupyter's own tests for kernels.
//!
//! They need a Python that has the packages ipykernel and jupyter_kernel_test: `GOSCHED_JUPYTER`
//! names it.

mod support;

use libtest_mimic::{Arguments, Failed};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use support::{End, needs, run};

fn main() {
    let args = Arguments::from_args();
    let trials = vec![needs("kernel".into(), python(), |python| kernel(&python))];
    libtest_mimic::run(&args, trials).exit();
}

fn python() -> Result<PathBuf, String> {
    let python = std::env::var_os("GOSCHED_JUPYTER").map(PathBuf::from);
    let python = python.filter(|path| path.exists());
    python.ok_or_else(|| "needs jupyter_kernel_test (set GOSCHED_JUPYTER)".into())
}

fn kernel(python: &Path) -> Result<(), Failed> {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/jupyter");
    let folder = std::env::temp_dir().join(format!("gosched-jupyter-{}", std::process::id()));
    let kernel = folder.join("kernels/gosched");
    fs::create_dir_all(&kernel)?;
    let spec = fs::read_to_string(examples.join("gosched/kernel.json"))?;
    let spec = spec.replace(
        "\"python3\"",
        &format!("{:?}", python.display().to_string()),
    );
    fs::write(kernel.join("kernel.json"), spec)?;
    let mut tests = Command::new(python);
    tests
        .arg("-B")
        .arg(examples.join("test_kernel.py"))
        .env("GOSCHED", env!("CARGO_BIN_EXE_gosched"))
        .env("JUPYTER_PATH", &folder)
        .env("PYTHONPATH", &examples)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .current_dir(&folder);
    let ran = run(&mut tests, b"", Duration::from_secs(300));
    let _ = fs::remove_dir_all(&folder);
    match ran.end {
        End::Exit(0) => Ok(()),
        end => Err(format!("{end:?}\n{}{}", ran.stdout, ran.stderr).into()),
    }
}

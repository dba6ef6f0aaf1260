//! Changes of status, counted over many processes; see `gosched_runtime::edges`.

mod common;

use std::path::{Path, PathBuf};

use common::{go, gosched, kernel_sleep_ms, m, ok, wait_group};
use gosched_runtime::edges::{self, G_EDGES, P_EDGES};
use gosched_runtime::stw;

/// The edges with how often each was taken.
fn counts(path: &Path) -> Vec<(String, u64)> {
    let (g, p) = edges::read_shared(path).expect("a file of counts");
    let names = G_EDGES.iter().map(|e| format!("G {e:?}"));
    let names = names.chain(P_EDGES.iter().map(|e| format!("P {e:?}")));
    names.zip(g.into_iter().chain(p)).collect()
}

/// Those that were never taken.
fn untaken(counts: &[(String, u64)]) -> Vec<&str> {
    let left = counts.iter().filter(|c| c.1 == 0);
    left.map(|c| c.0.as_str()).collect()
}

/// A file of this test's own, which is not there yet.
fn fresh(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
    drop(std::fs::remove_file(&path));
    path
}

#[test]
fn t2_counts_of_all_processes_are_added() {
    if !edges::COUNTED {
        return;
    }
    let name = "t2_counts_of_all_processes_are_added";
    let path = fresh(name);
    let env = [
        ("GOMAXPROCS", "2"),
        ("GOSCHED_EDGES", path.to_str().unwrap()),
    ];
    let program = || {
        let wg = wait_group(10);
        for _ in 0..10 {
            go(|| {
                gosched();
                wg.done();
            });
        }
        wg.wait();
        if std::env::var_os("RT_MORE").is_some() {
            kernel_sleep_ms(1);
            stw::set_gomaxprocs(m(), 1);
        }
    };
    let made = |counts: &[(String, u64)]| counts[1].1;
    ok(name, &env, program);
    let first = counts(&path);
    assert!(made(&first) >= 10, "{first:?}");
    // The program did not change the number of Ps, so that edge is missing.
    let death = format!("P {:?}", P_EDGES[2]);
    assert!(untaken(&first).contains(&death.as_str()), "{first:?}");
    ok(name, &[env[0], env[1], ("RT_MORE", "1")], program);
    let both = counts(&path);
    assert!(made(&both) >= made(&first) + 10, "{first:?} {both:?}");
    assert!(!untaken(&both).contains(&death.as_str()), "{both:?}");
    drop(std::fs::remove_file(&path));
}

/// All that ran before with this `GOSCHED_EDGES`, taken together, but for the two tests whose own
/// business it is, has taken every edge. Prints how often.
#[test]
#[ignore = "looks at what a whole run has counted; .ci/run calls it"]
fn the_whole_suite_takes_each_edge() {
    let path = std::env::var_os("GOSCHED_EDGES").expect("GOSCHED_EDGES names the file of counts");
    let counts = counts(Path::new(&path));
    for (edge, n) in &counts {
        println!("{n:>12}  {edge}");
    }
    assert!(
        untaken(&counts).is_empty(),
        "never taken: {:?}",
        untaken(&counts)
    );
}

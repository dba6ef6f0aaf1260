//! How soon a bug is found that a generator has planted, of a known depth among a known number of
//! points.
//!
//! Goroutines take turns at a word: one sets it to 1, the other from 1 to 2, the first from 2 to 3.
//! The last step panics. A bug of depth d has d + 1 steps, each of which has to come behind that of
//! the other goroutine: so many orders of two operations it needs. All other operations are on
//! words of their own.

use super::support::End;
use super::{Folder, each, explored, median, report};
use std::fmt::Write;

/// A program with a bug.
#[derive(Clone)]
struct Planted {
    depth: u32,
    /// How many goroutines, main among them.
    goroutines: u64,
    /// Operations of all but main.
    points: u64,
    code: String,
}

struct Draw(u64);

impl Draw {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        let mixed = (self.0 ^ self.0 >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 32) % n
    }
}

impl Planted {
    fn new(seed: u64, depth: u32, goroutines: u64, points: u64) -> Planted {
        let mut draw = Draw(seed);
        let workers = goroutines - 1;
        // Who takes the first step; the other takes the next.
        let first = draw.below(workers);
        let other = (first + 1 + draw.below(workers - 1)) % workers;
        let turns = [first, other];
        let mut work: Vec<Vec<String>> = vec![Vec::new(); workers as usize];
        for step in 0..=depth {
            let next = format!("step.CompareAndSwap({step}, {})", step + 1);
            let code = match step == depth {
                true => format!("if {next} {{ panic(\"planted\") }}"),
                false => next,
            };
            work[turns[step as usize % 2] as usize].push(code);
        }
        for _ in 0..points - u64::from(depth) - 1 {
            let own = &mut work[draw.below(workers) as usize];
            own.insert(
                draw.below(own.len() as u64 + 1) as usize,
                "own.Add(1)".into(),
            );
        }
        let mut code =
            String::from("package main\n\nimport (\n\t\"sync\"\n\t\"sync/atomic\"\n)\n\n");
        code += "func main() {\n\tvar step atomic.Int32\n\tvar all sync.WaitGroup\n";
        for own in work {
            let own = own.join("\n\t\t");
            let _ = writeln!(
                code,
                "\tall.Go(func() {{\n\t\tvar own atomic.Int32\n\t\t{own}"
            );
            code += "\t\t_ = &own\n\t})\n";
        }
        code += "\tall.Wait()\n\t_ = &step\n}\n";
        Planted {
            depth,
            goroutines,
            points,
            code,
        }
    }

    /// One over how likely PCT is to find it in a schedule, at least.
    fn bound(&self) -> u64 {
        self.goroutines * self.points.pow(self.depth - 1)
    }

    /// Searches it; what is said, as data. `None`: nothing was found.
    fn searched(&self, flags: &[&str]) -> Option<serde_json::Value> {
        let folder = Folder::new();
        let program = folder.file("planted.go");
        std::fs::write(&program, &self.code).unwrap();
        let all = [&["--json", "--no-race", "--time=10m", "--jobs=1"], flags].concat();
        let ran = explored(&folder, &all, &program);
        assert!(matches!(ran.end, End::Exit(0 | 3)), "{}", ran.stderr);
        let said = report(&ran);
        if ran.end == End::Exit(0) {
            return None;
        }
        assert_eq!(said["found"], "panic", "{said}");
        Some(said)
    }

    /// In how many schedules from a seed it is found; in more than `most`: one more.
    fn schedules(&self, strategy: &str, seed: u64, most: u64) -> u64 {
        let flags = [
            "--no-minimise",
            &*format!("--strategy={strategy}"),
            &*format!("--seed={seed}"),
            &*format!("--schedules={most}"),
        ];
        let said = self.searched(&flags);
        said.map_or(most + 1, |s| s["schedules"].as_u64().unwrap())
    }
}

/// So many programs of a depth, drawn from among those that have at most this bound.
fn planted(depth: u32, many: usize, most: u64) -> Vec<Planted> {
    let mut draw = Draw(u64::from(depth));
    let mut all = Vec::new();
    while all.len() < many {
        let (goroutines, points) = (3 + draw.below(6), 20 + draw.below(181));
        if goroutines * points.pow(depth - 1) <= most {
            all.push(Planted::new(draw.below(1 << 30), depth, goroutines, points));
        }
    }
    all
}

/// Bugs that PCT is to find in at most so many schedules, on average.
const LIKELY: u64 = 2000;
/// How often each is searched.
const SEARCHES: u64 = 20;

/// PCT finds a bug of depth d among n goroutines and k points in at most n * k^(d-1) schedules, on
/// average. If that many are just enough, the sum of 20 searches is that of 20 waits, whose
/// standard deviation is a wait times the root of 20; three of them are let pass.
fn check_bound(all: &[Planted], jobs: usize) {
    let said = each(all, jobs, |planted| {
        let most = planted.bound() * SEARCHES * 2;
        let strategy = format!("pct:{}", planted.depth);
        let sum: u64 = (0..SEARCHES)
            .map(|seed| planted.schedules(&strategy, seed, most))
            .sum();
        let average = sum as f64 / SEARCHES as f64;
        let bound = planted.bound() as f64;
        let Planted {
            depth,
            goroutines,
            points,
            ..
        } = planted;
        let text = format!("d={depth} n={goroutines} k={points}: {average:.1} of {bound}");
        (
            average <= bound * (1.0 + 3.0 / (SEARCHES as f64).sqrt()),
            text,
        )
    });
    for (_, text) in &said {
        println!("{text}");
    }
    let wrong: Vec<&String> = said
        .iter()
        .filter(|(ok, _)| !ok)
        .map(|(_, text)| text)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn power_of_pct() {
    check_bound(&planted(2, 2, 300), 2);
}

/// 20 programs of each depth.
#[test]
#[ignore = "takes 3 minutes"]
fn power_of_pct_keeps_its_bound() {
    for depth in [2, 3] {
        check_bound(&planted(depth, 20, LIKELY), 2);
    }
}

/// `auto` needs at most 1.5 times the schedules that `random` needs, and no more where it takes
/// three orders; on average it needs no more than that either way.
#[test]
#[ignore = "takes 3 minutes"]
fn power_of_auto() {
    const MOST: u64 = 4000;
    let mut wrong = Vec::new();
    for (depth, factor) in [(2, 1.5), (3, 1.0)] {
        let all = planted(depth, 40, u64::MAX);
        let pairs: Vec<_> = all
            .iter()
            .flat_map(|p| (0..3).map(move |seed| (p, seed)))
            .collect();
        let needed = |strategy| {
            let counts = each(&pairs, 2, |(p, seed)| p.schedules(strategy, *seed, MOST));
            let unfound = counts.iter().filter(|n| **n > MOST).count();
            let mean = counts.iter().sum::<u64>() / counts.len() as u64;
            let median = median(counts);
            println!(
                "depth {depth}: {strategy} {median}, on average {mean}, \
                 {unfound} not found in {MOST}"
            );
            (median as f64, mean)
        };
        let [auto, random] = ["auto", "random"].map(needed);
        if auto.0 > random.0 * factor || auto.1 > random.1 {
            wrong.push(format!("depth {depth}: auto {auto:?}, random {random:?}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Of a bug of depth d a minimised schedule has at most d switches, nine times in ten.
fn check_switches(all: &[Planted]) {
    let said = each(all, 2, |planted| {
        let said = planted.searched(&["--strategy=random", "--seed=1", "--schedules=20000"])?;
        let switches = said["choices"][1].as_u64().unwrap();
        Some((planted.depth, switches))
    });
    let found: Vec<(u32, u64)> = said.into_iter().flatten().collect();
    let few = found
        .iter()
        .filter(|(depth, n)| *n <= u64::from(*depth))
        .count();
    println!(
        "{few} of {} have at most as many switches as orders",
        found.len()
    );
    assert!(
        found.len() * 10 >= all.len() * 9,
        "{} of {} found",
        found.len(),
        all.len()
    );
    assert!(few * 10 >= found.len() * 9, "{found:?}");
}

#[test]
fn power_of_the_minimiser() {
    check_switches(&planted(2, 4, 400));
}

/// 50 programs of each depth.
#[test]
#[ignore = "takes 3 minutes"]
fn power_of_the_minimiser_on_all() {
    for depth in [2, 3] {
        check_switches(&planted(depth, 50, LIKELY * 10));
    }
}

//! Package `testing`: what the machine knows of a test.
//!
//! Go: testing.

use crate::os::natives::is_test;
use gosched_runtime::race;

natives! {
    "isTest" => |cx| { is_test() }
    "raceErrors" => |cx| { race::found() }
}

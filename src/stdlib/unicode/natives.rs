//! Package `unicode`, and the character data which `strconv`, `strings` and the rest ask.
//!
//! The tables are text (`tables.txt`, of the Unicode version Go has), delta-coded in base
//! 36; each is decoded when first asked for.
//!
//! Go: unicode, strconv/isprint.go.

use std::collections::HashMap;
use std::sync::{LazyLock, OnceLock};

use vm::native::{Cx, GoStr, Slice};

const TABLES: &str = include_str!("tables.txt");

/// From `lo` to `hi` in steps.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// First.
    pub lo: u32,
    /// Last.
    pub hi: u32,
    /// Distance.
    pub stride: u32,
}

/// A range table.
#[derive(Debug, Default)]
pub struct Table {
    /// In order.
    pub ranges: Vec<Range>,
    /// How many of them lie below 2^16.
    pub(crate) r16: usize,
    /// How many of them lie below 256.
    pub(crate) latin: usize,
}

/// The text of each table: what stands before and behind its `=`, by its kind and name.
type Texts = HashMap<(&'static str, &'static str), (&'static str, &'static str)>;

/// The text of the table of that kind (C category, S script, P property, F and G folding) and name.
fn find(kind: &str, name: &str) -> Option<(&'static str, &'static str)> {
    static TEXTS: LazyLock<Texts> = LazyLock::new(|| {
        let text = |line: &'static str| {
            let (kind, rest) = line.split_once(' ')?;
            let (head, body) = rest.split_once('=')?;
            let (name, counts) = head.split_once(' ').unwrap_or((head, ""));
            Some(((kind, name), (counts, body)))
        };
        TABLES.lines().filter_map(text).collect()
    });
    TEXTS.get(&(kind, name)).copied()
}

fn base36(s: &str) -> u32 {
    u32::from_str_radix(s, 36).unwrap_or(0)
}

fn decode(body: &str) -> Vec<Range> {
    let mut prev = 0;
    body.split_ascii_whitespace()
        .map(|r| {
            let mut parts = r.split(',').map(base36);
            let lo = prev + parts.next().unwrap_or(0);
            let n = parts.next().unwrap_or(0);
            let stride = parts.next().unwrap_or(1);
            prev = lo + n * stride;
            Range {
                lo,
                hi: prev,
                stride,
            }
        })
        .collect()
}

/// The table of that kind and name, as it is in Go.
pub fn table(kind: &str, name: &str) -> Option<Table> {
    let (head, body) = find(kind, name)?;
    let mut counts = head
        .split_ascii_whitespace()
        .map(|n| n.parse().unwrap_or(0));
    let (r16, latin) = (counts.next().unwrap_or(0), counts.next().unwrap_or(0));
    Some(Table {
        ranges: decode(body),
        r16,
        latin,
    })
}

/// The names of the tables of a kind.
pub fn names(kind: &str) -> Vec<&'static str> {
    TABLES
        .lines()
        .filter_map(|l| {
            l.strip_prefix(kind)?
                .strip_prefix(' ')?
                .split([' ', '='])
                .next()
        })
        .collect()
}

fn contains(ranges: &[Range], r: u32) -> bool {
    let i = ranges.partition_point(|x| x.hi < r);
    ranges
        .get(i)
        .is_some_and(|x| x.lo <= r && (x.stride == 1 || (r - x.lo).is_multiple_of(x.stride)))
}

macro_rules! predicates {
    ($($(#[$doc:meta])* $name:ident = $kind:literal $table:literal;)*) => { $(
        $(#[$doc])*
        pub fn $name(r: i32) -> bool {
            static RANGES: OnceLock<Vec<Range>> = OnceLock::new();
            let Ok(r) = u32::try_from(r) else { return false };
            let make = || find($kind, $table).map(|(_, b)| decode(b)).unwrap_or_default();
            contains(RANGES.get_or_init(make), r)
        }
    )* };
}
predicates! {
    /// Category Lu.
    is_upper = "C" "Lu";
    /// Category Ll.
    is_lower = "C" "Ll";
    /// Category Lt.
    is_title = "C" "Lt";
    /// Category L.
    is_letter = "C" "L";
    /// Category Nd.
    is_digit = "C" "Nd";
    /// Category N.
    is_number = "C" "N";
    /// Category P.
    is_punct = "C" "P";
    /// Category S.
    is_symbol = "C" "S";
    /// Category M.
    is_mark = "C" "M";
    /// Property White_Space.
    is_space_table = "P" "White_Space";
    is_print_table = "I" "print";
    is_graphic_table = "I" "graphic";
}

/// Makes the tables that natives of `strings` and `strconv` ask: in a fence a table must not be
/// made, since others would wait for one whose maker has been suspended.
pub(crate) fn make_tables() {
    const NOT_LATIN: i32 = 0x4e00;
    is_space_table(NOT_LATIN);
    is_print_table(NOT_LATIN);
    is_graphic_table(NOT_LATIN);
    for convert in [to_upper, to_lower, to_title, simple_fold] {
        convert(NOT_LATIN);
    }
}

/// `unicode.IsSpace`
#[inline]
pub(crate) fn is_space(r: i32) -> bool {
    match r {
        0x09..=0x0d | 0x20 | 0x85 | 0xa0 => true,
        0..=0xff => false,
        _ => is_space_table(r),
    }
}

/// `unicode.IsPrint`
#[inline]
pub(crate) fn is_print(r: i32) -> bool {
    match r {
        0x20..=0x7e => true,
        0..=0x9f => false,
        0xa0 | 0xad => false,
        0xa1..=0xff => true,
        _ => is_print_table(r),
    }
}

/// `unicode.IsGraphic`
pub(crate) fn is_graphic(r: i32) -> bool {
    is_print(r) || r == 0xa0 || is_graphic_table(r)
}

/// A range of characters whose cases are `delta` away: upper, lower, title.
/// A delta above MaxRune marks pairs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CaseRange {
    /// First.
    pub lo: u32,
    /// Last.
    pub hi: u32,
    /// To upper, lower, title.
    pub delta: [i32; 3],
}

/// `unicode.CaseRanges`
pub(crate) fn case_ranges() -> &'static [CaseRange] {
    static RANGES: OnceLock<Vec<CaseRange>> = OnceLock::new();
    RANGES.get_or_init(|| {
        let body = find("K", "case").map_or("", |(_, b)| b);
        body.split_ascii_whitespace()
            .map(|r| {
                let f: Vec<&str> = r.split(',').collect();
                let hex = |i: usize| {
                    u32::from_str_radix(f.get(i).copied().unwrap_or("0"), 16).unwrap_or(0)
                };
                let dec = |i: usize| f.get(i).and_then(|s| s.parse().ok()).unwrap_or(0);
                CaseRange {
                    lo: hex(0),
                    hi: hex(1),
                    delta: [dec(2), dec(3), dec(4)],
                }
            })
            .collect()
    })
}

/// `unicode.To`: 0 upper, 1 lower, 2 title.
pub(crate) fn to_case(case: usize, r: i32) -> i32 {
    let Ok(u) = u32::try_from(r) else { return r };
    let ranges = case_ranges();
    let i = ranges.partition_point(|x| x.hi < u);
    match ranges.get(i) {
        Some(x) if x.lo <= u => {
            let d = x.delta[case];
            if d > 0x10_ffff {
                // Upper and lower alternate, beginning with upper.
                let pair = (u - x.lo) & !1;
                return (x.lo + (pair | (case as u32 & 1))) as i32;
            }
            r + d
        }
        _ => r,
    }
}

/// `unicode.ToUpper`
#[inline]
pub(crate) fn to_upper(r: i32) -> i32 {
    match r {
        0x61..=0x7a => r - 32,
        0..=0x7f => r,
        _ => to_case(0, r),
    }
}

/// `unicode.ToLower`
#[inline]
pub(crate) fn to_lower(r: i32) -> i32 {
    match r {
        0x41..=0x5a => r + 32,
        0..=0x7f => r,
        _ => to_case(1, r),
    }
}

/// `unicode.ToTitle`
pub(crate) fn to_title(r: i32) -> i32 {
    match r {
        0x61..=0x7a => r - 32,
        0..=0x7f => r,
        _ => to_case(2, r),
    }
}

/// `unicode.SimpleFold`
pub(crate) fn simple_fold(r: i32) -> i32 {
    static ORBIT: OnceLock<Vec<(u32, u32)>> = OnceLock::new();
    if !(0..=0x10_ffff).contains(&r) {
        return r;
    }
    let orbit = ORBIT.get_or_init(|| {
        let body = find("K", "orbit").map_or("", |(_, b)| b);
        let hex = |s: &str| u32::from_str_radix(s, 16).unwrap_or(0);
        body.split_ascii_whitespace()
            .filter_map(|p| p.split_once(':').map(|(a, b)| (hex(a), hex(b))))
            .collect()
    });
    if let Ok(i) = orbit.binary_search_by_key(&(r as u32), |p| p.0) {
        return orbit[i].1 as i32;
    }
    let l = to_lower(r);
    if l != r { l } else { to_upper(r) }
}

/// Unicode category aliases as `alias:category`.
pub(crate) fn category_aliases() -> &'static str {
    TABLES
        .lines()
        .find_map(|l| l.strip_prefix("A "))
        .unwrap_or("")
}

/// Ranges as the Go side reads them: lo, hi, stride of each.
fn flat(cx: &mut Cx, t: Option<Table>) -> (Slice<u32>, i64, i64) {
    match t {
        Some(t) => {
            let v: Vec<u32> = t
                .ranges
                .iter()
                .flat_map(|r| [r.lo, r.hi, r.stride])
                .collect();
            (cx.slice(&v), t.r16 as i64, t.latin as i64)
        }
        None => (Slice::NIL, 0, 0),
    }
}

natives! {
    "load" => short |cx, kind: GoStr, name: GoStr| {
        flat(cx, table(&kind.to_text(), &name.to_text()))
    }
    "tableNames" => short |cx, kind: GoStr| {
        let v: Vec<GoStr> = names(&kind.to_text()).into_iter().map(GoStr::from_static).collect();
        cx.slice(&v)
    }
    "aliases" => |cx| {
        let v: Vec<GoStr> = category_aliases().split([' ', ':']).map(GoStr::from_static).collect();
        cx.slice(&v)
    }
    "loadCases" => |cx| {
        let v: Vec<i32> = case_ranges()
            .iter()
            .flat_map(|c| [c.lo as i32, c.hi as i32, c.delta[0], c.delta[1], c.delta[2]])
            .collect();
        cx.slice(&v)
    }
    "IsControl" => |cx, r: i32| { (0..0x20).contains(&r) || (0x7f..0xa0).contains(&r) }
    "IsDigit" => |cx, r: i32| {
        if r < 0x100 {
            (0x30..=0x39).contains(&r)
        } else {
            is_digit(r)
        }
    }
    "IsGraphic" => |cx, r: i32| { is_graphic(r) }
    "IsLetter" => |cx, r: i32| {
        if (0..0x80).contains(&r) { (r as u8).is_ascii_alphabetic() } else { is_letter(r) }
    }
    "IsLower" => |cx, r: i32| {
        if (0..0x80).contains(&r) {
            (r as u8).is_ascii_lowercase()
        } else {
            is_lower(r)
        }
    }
    "IsUpper" => |cx, r: i32| {
        if (0..0x80).contains(&r) {
            (r as u8).is_ascii_uppercase()
        } else {
            is_upper(r)
        }
    }
    "IsMark" => |cx, r: i32| { is_mark(r) }
    "IsNumber" => |cx, r: i32| { is_number(r) }
    "IsPrint" => |cx, r: i32| { is_print(r) }
    "IsPunct" => |cx, r: i32| { is_punct(r) }
    "IsSpace" => |cx, r: i32| { is_space(r) }
    "IsSymbol" => |cx, r: i32| { is_symbol(r) }
    "IsTitle" => |cx, r: i32| { is_title(r) }
    "SimpleFold" => |cx, r: i32| { simple_fold(r) }
    "ToLower" => |cx, r: i32| { to_lower(r) }
    "ToTitle" => |cx, r: i32| { to_title(r) }
    "ToUpper" => |cx, r: i32| { to_upper(r) }
    "To" => |cx, case: i64, r: i32| {
        if (0..3).contains(&case) { to_case(case as usize, r) } else { 0xfffd }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_and_predicates() {
        assert_eq!(to_upper('ß' as i32), 'ß' as i32);
        assert_eq!(to_upper('ÿ' as i32), 'Ÿ' as i32);
        assert_eq!(to_lower('Ā' as i32), 'ā' as i32);
        assert_eq!(to_upper('ā' as i32), 'Ā' as i32);
        assert_eq!(to_title('ǆ' as i32), 'ǅ' as i32);
        assert_eq!(simple_fold('K' as i32), 'k' as i32);
        assert_eq!(
            (simple_fold('k' as i32), simple_fold(0x212a)),
            (0x212a, 'K' as i32)
        );
        assert!(
            is_letter('語' as i32) && is_digit('٣' as i32) && is_space(0x3000) && !is_print(0xad)
        );
        assert!(is_upper('Σ' as i32) && is_graphic(0xa0) && !is_print(0xfffff));
        assert!(names("S").contains(&"Han"));
    }
}

//! Which known name a wrong one was likely meant for.

/// Longer words are not looked at: nobody mistypes them.
const LONGEST: usize = 64;

/// The name that differs from `word` in at most two edits (one, if the word is short), or only in
/// the case of letters; of equally near ones the first to which letters are only missing, or else
/// the first.
pub fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let letters = word.chars().count();
    let most = match letters {
        0 | 1 => return None,
        2 | 3 => 1,
        _ => 2,
    };
    let mut best: Option<((usize, bool), &str)> = None;
    for name in names {
        if letters > LONGEST || name.len().abs_diff(word.len()) > 8 {
            continue;
        }
        let far = match name.to_lowercase() == word.to_lowercase() {
            true => 0,
            false => distance(word, name),
        };
        let rank = (far, !is_part_of(word, name));
        if far <= most && best.is_none_or(|(least, _)| rank < least) {
            best = Some((rank, name));
        }
    }
    best.map(|(_, name)| name)
}

/// Does a word become another one by letters that are put in?
fn is_part_of(word: &str, name: &str) -> bool {
    let mut letters = name.chars();
    word.chars().all(|wanted| letters.any(|c| c == wanted))
}

/// How many letters must be put in, taken out, changed or swapped with their neighbour to make `b`
/// of `a`.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let above = &rows[i - 1];
            let changed = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, want) in [
            ("", "abc", 3),
            ("chekc", "check", 1),
            ("rnu", "run", 1),
            ("x", "x", 0),
        ] {
            assert_eq!((distance(a, b), distance(b, a)), (want, want), "{a} {b}");
        }
    }

    #[test]
    fn the_nearest_within_two_edits() {
        let near = |word| nearest(word, ["run", "disasm", "Println", "check"].into_iter());
        assert_eq!(near("disas"), Some("disasm"));
        assert_eq!(near("pritnln"), Some("Println"));
        assert_eq!(near("PRINTLN"), Some("Println"));
        assert_eq!(near("rn"), Some("run"));
        let of_fmt = ["Print", "Printf", "Println"];
        assert_eq!(nearest("Printn", of_fmt.into_iter()), Some("Println"));
        assert_eq!(near("ru_x"), Some("run"));
        for none in ["build", "r", "", "rxy"] {
            assert_eq!(near(none), None, "{none}");
        }
    }
}
